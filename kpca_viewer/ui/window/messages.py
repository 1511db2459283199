"""What the window says in words: news, questions, advice and trouble."""

from collections.abc import Callable
from dataclasses import replace

from kpca_viewer.data.importing import ImportSettings, OddCellError
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.beginning import left_behind, news_of_kernel
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.words.advice import scaling_advice
from kpca_viewer.support.errors import KernelOverflowError, sentence_of
from kpca_viewer.ui.controls import MessageBar
from kpca_viewer.ui.controls.message_bar import Severity
from kpca_viewer.ui.window.message_queue import Answers, Message, MessageQueue

REPLY = "reply"
"""The topic of answers to what a person does: the newest one counts."""

FAILED = "failed"
"""The topic of a picture that could not be computed."""


class Messages:
    """Decides what stands in the message bar, and for how long.

    Replies to the person replace each other; what the program notices by itself waits
    in a queue until it was read.

    Parameters
    ----------
    bar : MessageBar
    store : SessionStore
        Changed by what an answer proposes.
    """

    def __init__(self, bar: MessageBar, store: SessionStore) -> None:
        self._bar = bar
        self._queue = MessageQueue(bar)
        self._store = store
        store.changed.connect(self._on_store_changed)

    def say(self, severity: Severity, text: str, answers: Answers = ()) -> None:
        """Show a reply that stays until it is closed or answered; no text ends it."""
        self._reply(Message(severity, text, REPLY, answers))

    def say_until_change(
        self, severity: Severity, text: str, answers: Answers = ()
    ) -> None:
        """Show a reply about the last step, which goes with the next one."""
        self._reply(Message(severity, text, REPLY, answers, "change"))

    def say_for_now(self, severity: Severity, text: str, answers: Answers = ()) -> None:
        """Show a reply that goes when the next result is there."""
        self._reply(Message(severity, text, REPLY, answers, "result"))

    def tell(
        self,
        severity: Severity,
        text: str,
        answers: Answers = (),
        *,
        topic: str = "",
        lasting: bool = False,
    ) -> None:
        """Let a person know what has come up; it hides nothing that is as serious.

        Parameters
        ----------
        severity : {"info", "warning", "error"}
        text : str
        answers : sequence of (label, callback)
        topic : str
            What it is about; by default the text itself. There is one of a topic.
        lasting : bool
            Whether it is still true when other data are opened.
        """
        message = Message(
            severity, text, topic or text, answers, "closed", lasting=lasting
        )
        self._queue.put(message, in_front=False)

    def withdraw(self, topic: str) -> None:
        """Take back what was told on a topic, or a reply with this text."""
        self._queue.drop(lambda m: topic in (m.topic, m.text))

    def _reply(self, message: Message) -> None:
        if message.text:
            self._queue.put(message, in_front=True)
        else:
            self._queue.drop(lambda m: m.topic == REPLY)

    def say_suggested(self, text: str) -> None:
        """Say what a suggestion is based on, with the way back as a button."""
        step = self._store.undo_text

        def undo() -> None:
            # Something else may have been noted since, such as a pin.
            if self._store.undo_text == step:
                self._store.undo()

        self.say_until_change("info", text, [("Undo", undo)])

    def say_left_behind(self, old: SessionSettings, new: SessionSettings) -> None:
        """Say which values other data do without; one button keeps them."""
        text = news_of_kernel(old, new)

        def keep() -> None:
            self._store.update(replace(self._store.settings, kernel=old.kernel))

        if text:
            answers = [(f"Keep {left_behind(old.kernel)}", keep)]
            self.say_until_change("info", text, answers)

    def forget(self) -> None:
        """Take away what was about other data."""
        self._queue.drop(lambda message: not message.lasting)

    def result_came(self, result: AnalysisResult) -> None:
        """Take away what waited for a result, and say what would show more."""
        self._queue.drop(lambda message: message.ends == "result")
        advice = scaling_advice(result)
        if advice and not self._bar.isVisible():
            self.say_for_now(
                "info", advice, [("Standardise columns", self._standardise)]
            )

    def _on_store_changed(self, _old: object, _new: object) -> None:
        self._queue.drop(lambda message: message.ends == "change")

    def failed(self, error: Exception) -> None:
        """Say what went wrong and offer the ways out of it."""
        text = sentence_of(error)
        answers: list[tuple[str, Callable[[], None]]] = []
        data = self._store.settings.data
        scaled = data.scaling == "standardise"
        if isinstance(error, KernelOverflowError) and not scaled:
            answers.append(("Standardise columns", self._standardise))
        importing = data.importing
        if isinstance(error, OddCellError) and importing is not None:
            lenient = replace(importing, treat_text_as_missing=True)
            answers.append(("Treat as missing", lambda: self._import_as(lenient)))
        if self._store.undo_text is not None:
            answers.append(("Undo", self._store.undo))
        # Not a reply: it stays true when another one comes, until there is a picture.
        message = Message("error", text, FAILED, answers, "result")
        self._queue.put(message, in_front=True)

    def _standardise(self) -> None:
        data = replace(self._store.settings.data, scaling="standardise")
        self._store.update(replace(self._store.settings, data=data))

    def _import_as(self, importing: ImportSettings) -> None:
        data = replace(self._store.settings.data, importing=importing)
        self._store.update(replace(self._store.settings, data=data))
