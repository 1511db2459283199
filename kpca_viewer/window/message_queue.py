"""What stands in the message bar: one message at a time, none of them lost."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Slot

from kpca_viewer.data.importing import ImportSettings, OddCellError
from kpca_viewer.engine.forecast import tolerance
from kpca_viewer.engine.initial_session import kept_words, news_of_kernel
from kpca_viewer.engine.messages import (
    REPLY,
    TREAT_AS_MISSING,
    Answers,
    Message,
    Severity,
)
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.text.remarks import scaling_advice
from kpca_viewer.support.errors import KernelOverflowError
from kpca_viewer.widgets.controls import MessageBar
from kpca_viewer.window import messages

SERIOUS: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}
"""Which message is read first."""


@dataclass(frozen=True, eq=False)
class _Entry:
    """A message with what its buttons do, and what closing it does."""

    message: Message
    answers: Answers
    closed: Callable[[], object] | None = None


class MessageQueue(QObject):
    """Shows one message and counts those that wait, the most serious first.

    Parameters
    ----------
    bar : MessageBar
        Shown by this queue alone.
    """

    def __init__(self, bar: MessageBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._shown: _Entry | None = None
        self._waiting: list[_Entry] = []
        self._aside: list[_Entry] | None = None
        bar.dismissed.connect(self._on_dismissed)
        bar.next_requested.connect(self._on_next_requested)

    @property
    def shown(self) -> Message | None:
        return None if self._shown is None else self._shown.message

    def put(
        self,
        message: Message,
        answers: Answers = (),
        closed: Callable[[], object] | None = None,
    ) -> None:
        """Show a message now, or after those that are as serious if it waits.

        Parameters
        ----------
        answers : sequence of callable
            One for each of its actions.
        closed : callable, optional
            Called when the person closes it unanswered.
        """
        self._remove(lambda other: other.topic == message.topic)
        shown, entry = self._shown, _Entry(message, answers, closed)
        if self._aside is not None and message.lasting:
            self._aside.append(entry)
            if shown is not None and self._shown is None:
                self._show_next()
            return
        if shown is None or not message.waits or _turn(entry) < _turn(shown):
            if shown is not None:
                self._waiting.insert(0, shown)
            self._show(entry)
        else:
            self._waiting.append(entry)
        self._waiting.sort(key=_turn)
        self._count()

    def drop(self, unwanted: Callable[[Message], bool]) -> None:
        """Forget messages that are not true any more."""
        before = self._shown
        self._remove(unwanted)
        if self._shown is None and before is not None:
            self._show_next()
        self._count()

    def set_aside(self) -> None:
        """Keep what lasts for later, now and until it is brought back."""
        if self._aside is None:
            known = [*filter(None, (self._shown,)), *self._waiting]
            self._aside = [entry for entry in known if entry.message.lasting]
            self._waiting = [e for e in self._waiting if e not in self._aside]
            if self._shown in self._aside:
                self._show_next()
            self._count()

    def bring_back(self) -> None:
        aside, self._aside = self._aside or [], None
        for entry in aside:
            self.put(entry.message, entry.answers, entry.closed)

    def _remove(self, unwanted: Callable[[Message], bool]) -> None:
        self._waiting = [e for e in self._waiting if not unwanted(e.message)]
        if self._aside is not None:
            self._aside = [e for e in self._aside if not unwanted(e.message)]
        if self._shown is not None and unwanted(self._shown.message):
            self._shown = None

    def _show_next(self) -> None:
        """Show the most serious one that waits, or nothing."""
        self._shown = None
        if self._waiting:
            following = min(self._waiting, key=_turn)
            self._waiting.remove(following)
            self._show(following)
        else:
            self._bar.clear()

    def _show(self, entry: _Entry) -> None:
        self._shown = entry
        self._bar.show_declared(entry.message, *map(self._answer, entry.answers))

    def _count(self) -> None:
        self._bar.set_waiting([entry.message.text for entry in self._waiting])

    def _answer(self, act: Callable[[], object]) -> Callable[[], None]:
        def answer() -> None:
            # What the answer has to say comes before those that wait.
            self._shown = None
            act()
            if self._shown is None:
                self._show_next()
            self._count()

        return answer

    @Slot(str)
    def _on_dismissed(self, _text: str) -> None:
        closed = None if self._shown is None else self._shown.closed
        self._show_next()
        self._count()
        if closed is not None:
            closed()

    @Slot()
    def _on_next_requested(self) -> None:
        """Go round: what was shown is read again after all the others."""
        if self._shown is not None and self._waiting:
            following, *rest = self._waiting
            self._waiting = [*rest, self._shown]
            self._show(following)
            self._count()


def _turn(entry: _Entry) -> int:
    return SERIOUS[entry.message.kind]


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

        self.show(messages.suggestion_taken(text), undo)

    def say_left_behind(self, old: SessionSettings, new: SessionSettings) -> None:
        """Say which values other data do without; one button keeps them."""
        text = news_of_kernel(old, new)

        def keep() -> None:
            self._store.update(replace(self._store.settings, kernel=old.kernel))

        if text:
            words = kept_words(old, new)
            self.show(messages.kernel_follows(text, words), keep)

    def forget(self) -> None:
        self._queue.drop(lambda message: not message.lasting)

    def set_aside(self) -> None:
        """Leave the bar to what is about the picture, until `bring_back`."""
        self._queue.set_aside()

    def bring_back(self) -> None:
        """Show again what was set aside."""
        self._queue.bring_back()

    def result_came(self, result: AnalysisResult) -> None:
        """Take away what waited for a result, and say what would show more."""
        self._queue.drop(lambda message: message.ends == "result")
        advice = scaling_advice(result)
        if advice and self.shown is None:
            self.show(messages.scaling_advised(advice), self._standardise)
        rough = result.decomposition.error > 1.05 * tolerance(result.dataset.n)
        if rough and result.refinement is not None and result.comparison is not None:
            cost = result.refinement.cost
            message = messages.refinement(result.certificate, cost)
            self.show(message, self._refine)
        asked = self._store.settings.analysis.fit_full_table
        if result.has_more_rows and not asked and result.comparison is not None:
            message = messages.more_rows(result.dataset.rows_words)
            self.show(message, self._take_all_rows)

    def _on_store_changed(self, _old: object, _new: object) -> None:
        self._queue.drop(lambda message: message.ends_with_change)

    def failed(self, error: Exception) -> None:
        """Say what went wrong and offer the ways out of it."""
        ways: dict[str, Callable[[], object]] = {}
        data = self._store.settings.data
        scaled = data.scaling == "standardise"
        if isinstance(error, KernelOverflowError) and not scaled:
            ways[messages.STANDARDISE] = self._standardise
        importing = data.importing
        if isinstance(error, OddCellError) and importing is not None:
            lenient = replace(importing, treat_text_as_missing=True)
            ways[TREAT_AS_MISSING] = partial(self._import_as, lenient)
        if self._store.undo_text is not None:
            ways[messages.UNDO] = self._store.undo
        self.show(messages.not_computed(error, *ways), *ways.values())

    def _refine(self) -> None:
        self._store.update(self._store.settings.with_refinement(True))

    def _take_all_rows(self) -> None:
        self._store.update(self._store.settings.with_full_fit(True))

    def _standardise(self) -> None:
        data = self._store.settings.data.with_scaling("standardise")
        self._store.update(replace(self._store.settings, data=data))

    def _import_as(self, importing: ImportSettings) -> None:
        data = replace(self._store.settings.data, importing=importing)
        self._store.update(replace(self._store.settings, data=data))
