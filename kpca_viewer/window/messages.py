"""What the window says in words: news, questions, advice and trouble."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from kpca_viewer.data.importing import ImportSettings, OddCellError
from kpca_viewer.engine.forecast import tolerance
from kpca_viewer.engine.initial_session import kept_words, news_of_kernel
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.text.remarks import scaling_advice
from kpca_viewer.support.errors import KernelOverflowError
from kpca_viewer.widgets.controls import MessageBar
from kpca_viewer.window import messages_text as catalogue
from kpca_viewer.window.message_queue import MessageQueue
from kpca_viewer.window.messages_text import REPLY, Message


class Messages:
    """Decides what stands in the message bar, and for how long.

    Replies to the person replace each other; what the program notices by itself waits
    in a queue until it was read.

    Parameters
    ----------
    store : SessionStore
        Changed by what an answer proposes.
    """

    def __init__(self, bar: MessageBar, store: SessionStore) -> None:
        self._queue = MessageQueue(bar)
        self._store = store
        store.changed.connect(self._on_store_changed)

    @property
    def shown(self) -> Message | None:
        """The message in the bar; None while there is none."""
        return self._queue.shown

    def show(
        self,
        message: Message,
        *answers: Callable[[], object],
        closed: Callable[[], object] | None = None,
    ) -> None:
        """Let a person know something.

        Parameters
        ----------
        *answers : callable
            One for each of its actions.
        closed : callable, optional
            Called when the person closes it unanswered.
        """
        self._queue.put(message, answers, closed)

    def withdraw(self, message: Message) -> None:
        """Take back a reply, or whatever was said on the topic of another message."""
        if message.topic == REPLY:
            self._queue.drop(lambda other: other == message)
        else:
            self._queue.drop(lambda other: other.topic == message.topic)

    def say_suggested(self, text: str) -> None:
        """Say what a suggestion is based on, with the way back as a button."""
        step = self._store.undo_text

        def undo() -> None:
            # Something else may have been noted since, such as a pin.
            if self._store.undo_text == step:
                self._store.undo()

        self.show(catalogue.suggestion_taken(text), undo)

    def say_left_behind(self, old: SessionSettings, new: SessionSettings) -> None:
        """Say which values other data do without; one button keeps them."""
        text = news_of_kernel(old, new)

        def keep() -> None:
            self._store.update(replace(self._store.settings, kernel=old.kernel))

        if text:
            words = kept_words(old, new)
            self.show(catalogue.kernel_follows(text, words), keep)

    def forget(self) -> None:
        self._queue.drop(lambda message: not message.lasting)

    def result_came(self, result: AnalysisResult) -> None:
        """Take away what waited for a result, and say what would show more."""
        self._queue.drop(lambda message: message.ends == "result")
        advice = scaling_advice(result)
        if advice and self.shown is None:
            self.show(catalogue.scaling_advised(advice), self._standardise)
        rough = result.decomposition.error > 1.05 * tolerance(result.dataset.n)
        if rough and result.refinement is not None and result.comparison is not None:
            cost = result.refinement.cost
            message = catalogue.refinement(result.certificate, cost)
            self.show(message, self._refine)
        asked = self._store.settings.analysis.fit_full_table
        if result.has_more_rows and not asked and result.comparison is not None:
            message = catalogue.more_rows(result.dataset.rows_words)
            self.show(message, self._take_all_rows)

    def _on_store_changed(self, _old: object, _new: object) -> None:
        self._queue.drop(lambda message: message.ends == "change")

    def failed(self, error: Exception) -> None:
        """Say what went wrong and offer the ways out of it."""
        ways: dict[str, Callable[[], object]] = {}
        data = self._store.settings.data
        scaled = data.scaling == "standardise"
        if isinstance(error, KernelOverflowError) and not scaled:
            ways[catalogue.STANDARDISE] = self._standardise
        importing = data.importing
        if isinstance(error, OddCellError) and importing is not None:
            lenient = replace(importing, treat_text_as_missing=True)
            ways[catalogue.TREAT_AS_MISSING] = partial(self._import_as, lenient)
        if self._store.undo_text is not None:
            ways[catalogue.UNDO] = self._store.undo
        self.show(catalogue.not_computed(error, *ways), *ways.values())

    def _refine(self) -> None:
        self._store.update(self._store.settings.with_refinement(True))

    def _take_all_rows(self) -> None:
        self._store.update(self._store.settings.with_full_fit(True))

    def _standardise(self) -> None:
        data = replace(self._store.settings.data, scaling="standardise")
        self._store.update(replace(self._store.settings, data=data))

    def _import_as(self, importing: ImportSettings) -> None:
        data = replace(self._store.settings.data, importing=importing)
        self._store.update(replace(self._store.settings, data=data))
