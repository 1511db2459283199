"""StepsColumn: the lines of the derivation below each other, new points among them."""

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.notes import Place
from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.grid import MatrixGrid
from kpca_viewer.features.derivation.step_line import (
    GAP,
    Pitfall,
    StepLine,
)
from kpca_viewer.features.derivation.text import LineFacts
from kpca_viewer.widgets.controls import IconButton, NumberField
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.theme import Theme

MOST = 1e9
"""The largest coordinate that can be typed; beyond, kernels have no digits left."""


class NewPointFields(QWidget):
    """One line: a name, a field for each of two features, a button that removes."""

    moved = Signal(object)
    """Where the person wants the point: a pair."""
    removed = Signal()
    refused = Signal(str)
    """Why a text is not taken."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._place: Place = (0.0, 0.0)
        self._name = QLabel()
        self._titles = [QLabel(), QLabel()]
        for label in (self._name, *self._titles):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.fields = [self._new_field(axis) for axis in "xy"]
        self._remove = IconButton("close", text.REMOVE_POINT, 14)
        self._remove.setObjectName(f"derivation_new_{number}_remove_button")
        self._remove.clicked.connect(self.removed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._name)
        for title, field in zip(self._titles, self.fields, strict=True):
            row.addSpacing(4)
            row.addWidget(title)
            row.addWidget(field)
        row.addWidget(self._remove)
        row.addStretch(1)

    def _new_field(self, axis: str) -> NumberField:
        name = f"derivation_new_{self._number}_{axis}"
        parameter = Parameter(name, "", axis, -1.0, 1.0, 0.0)
        field = NumberField(parameter, (-MOST, MOST))
        field.setFixedWidth(field.fontMetrics().horizontalAdvance("0" * 12) + 16)
        field.valueChanged.connect(self._on_value_changed)
        field.refused.connect(self.refused)
        return field

    def show_point(self, name: str, place: Place, features: Sequence[str]) -> None:
        self._place = place
        self._name.setText(name)
        for axis, value in enumerate(place):
            field, feature = self.fields[axis], " ".join(features[axis].split())
            words = {"feature": feature, "name": name}
            self._titles[axis].setText(text.COORDINATE.format(**words))
            field.setAccessibleName(text.COORDINATE_NAME.format(**words))
            field.setToolTip(plain_tip(text.COORDINATE_TIP.format(**words)))
            with QSignalBlocker(field):
                field.setValue(value)

    def _on_value_changed(self, value: float) -> None:
        axis = next(i for i, own in enumerate(self.fields) if own is self.sender())
        place = list(self._place)
        place[axis] = value
        self.moved.emit((place[0], place[1]))


MOST_SHOWN = 4
"""New points that are written out: those that were dropped last."""


class NewPointsLine(StepLine):
    """The last step: points that the model has not seen."""

    points_requested = Signal(object, object)
    """Where the person wants all new points, and the gesture or None."""
    point_requested = Signal()
    """One more."""
    refused = Signal(str)

    def __init__(self, facts: LineFacts, number: int, pitfall: Pitfall | None) -> None:
        super().__init__(facts, number, pitfall=pitfall)
        self.fields = [self._new_fields(index) for index in range(MOST_SHOWN)]
        self._positions: tuple[Place, ...] = ()
        self.drop = QPushButton(text.DROP)
        self.drop.setObjectName("derivation_drop_button")
        self.drop.setAccessibleName(text.DROP)
        self.drop.setToolTip(text.DROP_TIP)
        self.drop.clicked.connect(self.point_requested)
        row = QHBoxLayout()
        row.addWidget(self.drop)
        row.addStretch(1)
        self._words.insertLayout(1, row)

    @property
    def first_shown(self) -> int:
        """How many points come before those that are written out."""
        return max(len(self._positions) - MOST_SHOWN, 0)

    def show_positions(
        self, positions: tuple[Place, ...], features: Sequence[str], *, possible: bool
    ) -> None:
        """Show where the new points are; where there can be none, no button either."""
        self._positions = positions if possible else ()
        self.drop.setVisible(possible)
        shown = self._positions[self.first_shown :]
        for index, fields in enumerate(self.fields):
            fields.setVisible(index < len(shown))
            if index < len(shown):
                name = text.NEW.format(number=self.first_shown + index + 1)
                fields.show_point(name, shown[index], features)

    def numbers_width(self) -> int:
        shown = [fields for fields in self.fields if not fields.isHidden()]
        widths = [fields.sizeHint().width() + GAP for fields in shown]
        return max([super().numbers_width(), *widths])

    def _new_fields(self, index: int) -> NewPointFields:
        fields = NewPointFields(index + 1)
        fields.moved.connect(self._on_moved)
        fields.removed.connect(self._on_removed)
        fields.refused.connect(self.refused)
        self._numbers.addWidget(fields)
        for key in (f"new:{index}", f"new_scores:{index}"):
            self.add_grids((key,))
        return fields

    def _on_moved(self, place: Place) -> None:
        self._change((place,))

    def _on_removed(self) -> None:
        self._change(())

    def _change(self, instead: tuple[Place, ...]) -> None:
        """Request other places instead of the one whose fields were used."""
        fields = self.sender()
        assert isinstance(fields, NewPointFields)
        at = self.first_shown + self.fields.index(fields)
        before, after = self._positions[:at], self._positions[at + 1 :]
        self.points_requested.emit((*before, *instead, *after), None)


_GRIDS: Mapping[str, Sequence[Sequence[str]]] = {
    "points": (("points",),),
    "kernel": (("kernel",),),
    "means": (("means",), ("grand_mean",)),
    "centred": (("centred",),),
    "eigen": (("eigenvalues",), ("vectors",)),
    "coefficients": (("coefficients",),),
    "scores": (("scores",),),
    "primal": (("primal",),),
    "matrices": (
        ("projector",),
        ("half",),
        ("both",),
        ("eigenvectors",),
        ("diagonal",),
        ("projected",),
    ),
}


class StepsColumn(QWidget):
    """All steps by their keys, each of which can be folded away."""

    folded_changed = Signal()
    """The person folded or unfolded a line."""
    pitfall_requested = Signal(str, bool)
    """A field of `AnalysisSettings`, and its value."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("derivation_steps")
        self.lines: dict[str, StepLine] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 8)
        column.setSpacing(4)
        for number, facts in enumerate(text.LINES.values(), start=1):
            pitfall = None
            if facts.key in text.PITFALLS:
                pitfall = Pitfall(*text.PITFALLS[facts.key])
                pitfall.requested.connect(self.pitfall_requested)
            if facts.key == "new":
                line: StepLine = NewPointsLine(facts, number, pitfall)
            else:
                line = StepLine(facts, number, _GRIDS[facts.key], pitfall)
            line.collapsed_changed.connect(self.folded_changed)
            self.lines[facts.key] = line
            column.addWidget(line)
        column.addStretch(1)
        self.grids: dict[str, MatrixGrid] = {
            key: grid
            for line in self.lines.values()
            for key, grid in line.grids.items()
        }
        self.align()

    @property
    def new_points(self) -> NewPointsLine:
        line = self.lines["new"]
        assert isinstance(line, NewPointsLine)
        return line

    def align(self) -> None:
        headers = [line.header for line in self.lines.values()]
        for header in headers:
            # Its type is that of the style sheet only then.
            header.ensurePolished()
        width = max(header.sizeHint().width() for header in headers)
        for header in headers:
            header.setFixedWidth(width)

    def folded(self) -> tuple[str, ...]:
        return tuple(key for key, line in self.lines.items() if line.collapsed())

    def set_folded(self, keys: Collection[str]) -> None:
        for key, line in self.lines.items():
            line.set_collapsed(key in keys)

    def set_theme(self, theme: Theme) -> None:
        for grid in self.grids.values():
            grid.set_theme(theme)
        self.align()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for line in self.lines.values():
            line.typeset()
        self.align()
