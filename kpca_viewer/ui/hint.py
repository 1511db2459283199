"""The advice of the first minute: what to try, and what has just happened."""

from PySide6.QtCore import QObject, Slot

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.ui.controls import format_number
from kpca_viewer.ui.main_window import MainWindow
from kpca_viewer.ui.preferences import Preferences
from kpca_viewer.ui.presenter import Presenter

FIRST = (
    "No straight line separates these rings. Drag γ to the right and watch the "
    "embedding pull them apart."
)
APART = 0.95
"""Held-out accuracy of a line from which on the rings are separated."""


class Hint(QObject):
    """Advice in the message bar that follows the hand until it is put away for ever.

    Another message takes its place until the next start.
    """

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bar = window.message_bar
        self._presenter = presenter
        self._preferences = preferences
        self._text = ""
        presenter.result_shown.connect(self._on_result_shown)
        self._bar.dismissed.connect(self._on_dismissed)

    def give(self) -> None:
        """Say what to try first, unless it was put away before."""
        if self._preferences.wants_hint() and self._presenter.shows_rings():
            self._show(FIRST)

    def _show(self, text: str) -> None:
        self._text = text
        put_away = ("Got it", self._preferences.put_hint_away)
        self._presenter.messages.say("info", text, [put_away])

    @Slot(object)
    def _on_result_shown(self, result: AnalysisResult) -> None:
        text = what_happened(result)
        if (
            self._text
            and self._bar.text() == self._text
            and text not in ("", self._text)
        ):
            self._show(text)

    @Slot(str)
    def _on_dismissed(self, text: str) -> None:
        if text == self._text:
            self._preferences.put_hint_away()


def what_happened(result: AnalysisResult) -> str:
    """Say what a γ that somebody has chosen does to the rings; nothing without one."""
    kernel, comparison = result.kernel, result.comparison
    if kernel is None or kernel.family.name != "rbf" or comparison is None:
        return ""
    gamma = dict(result.settings.kernel.values).get("gamma")
    accuracy = comparison.kernel.linear_accuracy
    if gamma is None or accuracy is None:
        return ""
    value = f"γ = {format_number(gamma, 3)}"
    if accuracy >= APART:
        return (
            f"The rings separate: with {value} the kernel pulls them apart, and a "
            "straight line in the embedding divides them."
        )
    if gamma < result.suggested.get("gamma", 1.0):
        return (
            f"With {value} the kernel is so wide that it sees little more than a "
            "straight line does. Drag γ to the right."
        )
    return (
        f"With {value} a straight line in the embedding is right for "
        f"{100 * accuracy:.0f} of 100 points. Go on and watch where the rings separate."
    )
