"""What the window says in words: news, questions, advice and trouble."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kpca_viewer.core.errors import KernelError, KpcaError
from kpca_viewer.data.importing import ImportSettings, OddCellError
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.advice import scaling_advice
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.ui.controls import MessageBar

Answers = Sequence[tuple[str, Callable[[], None]]]
"""The buttons of a message: text and what they do."""


class Messages:
    """Decides what stands in the message bar, and for how long.

    Parameters
    ----------
    bar : MessageBar
    store : SessionStore
        Changed by what an answer proposes.
    """

    def __init__(self, bar: MessageBar, store: SessionStore) -> None:
        self._bar = bar
        self._store = store
        self._until_result = False
        self._until_change = False
        store.changed.connect(self._on_store_changed)

    def say(self, severity: Any, text: str, answers: Answers = ()) -> None:
        """Show a message that stays until it is closed or answered."""
        self._until_result = self._until_change = False
        self._bar.show_message(severity, text, answers)

    def say_until_change(self, severity: Any, text: str, answers: Answers = ()) -> None:
        """Show a message about the last step, which goes with the next one."""
        self.say(severity, text, answers)
        self._until_change = True

    def say_for_now(self, severity: Any, text: str, answers: Answers = ()) -> None:
        """Show a message that goes when the next result is there."""
        self.say(severity, text, answers)
        self._until_result = True

    def say_suggested(self, text: str) -> None:
        """Say what a suggestion is based on, with the way back as a button."""
        step = self._store.undo_text

        def undo() -> None:
            # Something else may have been noted since, such as a pin.
            if self._store.undo_text == step:
                self._store.undo()

        self.say_until_change("info", text, [("Undo", undo)])

    def forget(self) -> None:
        """Take away what was about other data."""
        self._bar.clear()

    def result_came(self, result: AnalysisResult) -> None:
        """Take away what waited for a result, and say what would show more."""
        if self._until_result:
            self._until_result = False
            self._bar.clear()
        advice = scaling_advice(result)
        if advice and not self._bar.isVisible():
            self.say_for_now(
                "info", advice, [("Standardise columns", self._standardise)]
            )

    def _on_store_changed(self, _old: object, _new: object) -> None:
        if self._until_change:
            self._until_change = False
            self._bar.clear()

    def failed(self, error: Exception) -> None:
        """Say what went wrong and offer the ways out of it."""
        text = str(error)
        if not isinstance(error, KpcaError):
            text = f"Something went wrong inside ({type(error).__name__}: {text})."
        answers: list[tuple[str, Callable[[], None]]] = []
        data = self._store.settings.data
        scaled = data.scaling == "standardise"
        if isinstance(error, KernelError) and "Scale the data" in text and not scaled:
            answers.append(("Standardise columns", self._standardise))
        importing = data.importing
        if isinstance(error, OddCellError) and importing is not None:
            lenient = replace(importing, treat_text_as_missing=True)
            answers.append(("Treat as missing", lambda: self._import_as(lenient)))
        if self._store.undo_text is not None:
            answers.append(("Undo", self._store.undo))
        self.say_for_now("error", text, answers)

    def _standardise(self) -> None:
        data = replace(self._store.settings.data, scaling="standardise")
        self._store.update(replace(self._store.settings, data=data))

    def _import_as(self, importing: ImportSettings) -> None:
        data = replace(self._store.settings.data, importing=importing)
        self._store.update(replace(self._store.settings, data=data))
