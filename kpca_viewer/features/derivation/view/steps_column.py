"""StepsColumn: the lines of the derivation below each other."""

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.features.derivation.view.grid import MatrixGrid
from kpca_viewer.features.derivation.view.lines import LINES
from kpca_viewer.features.derivation.view.new_points_line import NewPointsLine
from kpca_viewer.features.derivation.view.pitfall import Pitfall
from kpca_viewer.features.derivation.view.shown import ShownDerivation
from kpca_viewer.features.derivation.view.step_line import StepLine
from kpca_viewer.widgets.theme import Theme

_GRIDS: Mapping[str, Sequence[Sequence[str]]] = {
    "points": (("points",),),
    "kernel": (("kernel",),),
    "means": (("means",), ("grand_mean",)),
    "centred": (("centred",),),
    "eigen": (("eigenvalues",), ("vectors",)),
    "coefficients": (("coefficients",),),
    "scores": (("scores",),),
    "primal": (("primal",),),
}
_PITFALLS: Mapping[str, tuple[str, str, str]] = {
    "centred": (
        "center",
        "Forget to centre",
        "Decompose K itself: the first component then mostly says where the mean is.",
    ),
    "coefficients": (
        "normalised",
        "Forget 1/√μ",
        "Take α = u: the picture is stretched by √μ along every component.",
    ),
    "new": (
        "centers_new",
        "Forget to centre the new row",
        "Take k(xᵢ, x*) as it is: new points and isolines are shifted.",
    ),
}


class StepsColumn(QWidget):
    """All steps, each of which can be folded away.

    Attributes
    ----------
    lines : dict of str to StepLine
        By their keys.
    """

    folded_changed = Signal()
    """The person folded or unfolded a line."""
    grid_added = Signal(str)
    """Key of a grid that is there from now on."""
    pitfall_requested = Signal(str, bool)
    """A field of `AnalysisSettings`, and its value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_steps")
        self.lines: dict[str, StepLine] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 8)
        column.setSpacing(4)
        for number, facts in enumerate(LINES.values(), start=1):
            pitfall = None
            if facts.key in _PITFALLS:
                pitfall = Pitfall(*_PITFALLS[facts.key])
                pitfall.requested.connect(self.pitfall_requested)
            if facts.key == "new":
                line: StepLine = NewPointsLine(facts, number, pitfall)
            else:
                grids = _GRIDS.get(facts.key, ())
                line = StepLine(facts, number, grids, pitfall)
            line.collapsed_changed.connect(self.folded_changed)
            self.lines[facts.key] = line
            column.addWidget(line)
        column.addStretch(1)
        self.new_points.grid_added.connect(self.grid_added)
        self.align()

    @property
    def new_points(self) -> NewPointsLine:
        line = self.lines["new"]
        assert isinstance(line, NewPointsLine)
        return line

    def align(self) -> None:
        """Let all formulas begin at one place."""
        headers = [line.header for line in self.lines.values()]
        for header in headers:
            # Its type is that of the style sheet only then.
            header.ensurePolished()
        width = max(header.sizeHint().width() for header in headers)
        for header in headers:
            header.setFixedWidth(width)

    def grids(self) -> dict[str, MatrixGrid]:
        """Return all grids by their keys, also those that are folded away."""
        return {
            key: grid
            for line in self.lines.values()
            for key, grid in line.grids.items()
        }

    def folded(self) -> tuple[str, ...]:
        """Return the keys of the lines that are folded away."""
        return tuple(key for key, line in self.lines.items() if line.collapsed())

    def set_folded(self, keys: Collection[str]) -> None:
        """Fold these lines away and open the others. Emits nothing."""
        for key, line in self.lines.items():
            line.set_collapsed(key in keys)

    def show_words(self, shown: ShownDerivation) -> None:
        """Show what stands around the numbers."""
        for key, line in self.lines.items():
            line.set_centred(shown.content.derivation.center)
            line.checks.show_checks(shown.checks_of(key))
            if line.pitfall is not None:
                line.pitfall.show_state(shown.pitfalls[line.pitfall.key])
        derivation = shown.content.derivation
        self.lines["points"].setVisible(derivation.points is not None)
        features = derivation.result.dataset.feature_names
        self.new_points.show_positions(
            shown.positions, features, possible=shown.can_drop
        )

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        for line in self.lines.values():
            line.set_theme(theme)
        self.align()

    def showEvent(self, event: QShowEvent) -> None:
        """Set the formulas, and align them in the type that is shown."""
        super().showEvent(event)
        for line in self.lines.values():
            line.typeset()
        self.align()
