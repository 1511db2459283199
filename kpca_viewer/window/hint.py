"""The advice of the first minute: what to try, and what has just happened."""

from math import exp

from PySide6.QtCore import QObject, Slot

from kpca_viewer.core.kernels.pair_values import PairValues
from kpca_viewer.engine.messages import Message
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.numerals import percent, readable
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window import messages

FIRST = (
    "No straight line divides these rings. Drag γ and watch where the embedding keeps "
    "them apart."
)
APART = 0.95
"""Accuracy of a line from which on the rings are separated."""

ALIKE = 0.1
"""Kernel value of a typical pair of points above which the kernel is too wide."""

Measured = dict[float, float]
"""Accuracy by γ: what was seen on the way."""


class Hint(QObject):
    """Advice in the message bar that follows γ until it is dismissed for ever.

    Another message takes its place until the next start.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._board = workbench.window.board
        self._presenter = workbench.presenter
        self._preferences = workbench.preferences
        self._message: Message | None = None
        self._seen: Measured = {}
        self._about: object = None

    def give(self) -> None:
        """Say what to try first, unless it was put away before."""
        is_about_rings = self._presenter.settings.data.source == "circles"
        if self._preferences.wants_hint() and is_about_rings:
            self._show(messages.hint(FIRST))
            self._board.shown.connect(self._on_shown)

    def _show(self, message: Message) -> None:
        put_away = self._preferences.put_hint_away
        self._message = message
        self._presenter.messages.show(message, put_away, closed=put_away)

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        result = scene.result
        if result is None:
            return
        # Other noise, other axes or no centring: what was measured is void.
        settings = result.settings
        about = (result.dataset, settings.analysis.center, settings.view.shown_axes)
        if about != self._about:
            self._about, self._seen = about, {}
        text = what_happened(result, self._seen)
        message = messages.hint(text)
        is_shown = self._presenter.messages.shown is self._message
        if text and is_shown and message != self._message:
            self._show(message)


def what_happened(result: AnalysisResult, seen: Measured) -> str:
    """Say what γ does to the rings and which way to go on, by what was measured.

    Parameters
    ----------
    seen : dict of float to float
        Accuracies of other γ of the same data; this one is noted there.
    """
    kernel, comparison = result.kernel, result.comparison
    if kernel is None or comparison is None:
        return ""
    accuracy = comparison.kernel.linear_accuracy
    if accuracy is None:
        return ""
    right = f"a line is right for {percent(accuracy, 0)} of the points"
    if not kernel.family.gaussian:
        return f"{kernel.family.title} kernel: {right}."
    gamma = kernel.values["gamma"]
    seen[gamma] = accuracy
    if accuracy >= APART:
        linear = comparison.linear
        plain = None if linear is None else linear.linear_accuracy
        beside = "" if plain is None else f", in linear PCA for {percent(plain, 0)}"
        return f"The rings are apart: {right}{beside}. Drag γ and see where they mix."
    start = f"γ = {readable(gamma, 3)}: {right}"
    apart = [known for known, share in seen.items() if share >= APART]
    if apart:
        nearest = min(apart, key=lambda known: max(known / gamma, gamma / known))
        return (
            f"{start}; with γ = {readable(nearest, 3)} it was for "
            f"{percent(seen[nearest], 0)}. Go back to the {_side(nearest > gamma)}."
        )
    pairs = result.pairs or PairValues.of(kernel, result.points)
    alike = exp(-gamma * (pairs.median or 0.0) ** 2)
    wide = alike > ALIKE
    sees = "most points look alike" if wide else "every point is alone"
    return (
        f"{start}. A typical pair has k = {readable(alike, 2)}: {sees}. "
        f"Drag γ to the {_side(wide)}."
    )


def _side(to_the_right: bool) -> str:
    return "right" if to_the_right else "left"
