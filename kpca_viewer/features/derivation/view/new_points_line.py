"""NewPointsLine: dropped points as one more row each, with places that can be typed."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from kpca_viewer.engine.notes import Place
from kpca_viewer.features.derivation.view.lines import LineFacts
from kpca_viewer.features.derivation.view.new_point_fields import NewPointFields
from kpca_viewer.features.derivation.view.pitfall import Pitfall
from kpca_viewer.features.derivation.view.step_line import GAP, StepLine

MOST_SHOWN = 4
"""New points that are written out: those that were dropped last."""


class NewPointsLine(StepLine):
    """The last step: points that the model has not seen."""

    points_requested = Signal(object, object)
    """Where the person wants all new points, and the gesture or None."""
    point_requested = Signal()
    """One more."""
    refused = Signal(str)
    grid_added = Signal(str)
    """Key of a grid that is there from now on."""

    def __init__(self, facts: LineFacts, number: int, pitfall: Pitfall | None) -> None:
        super().__init__(facts, number, pitfall=pitfall)
        self.fields: list[NewPointFields] = []
        self._positions: tuple[Place, ...] = ()
        self.drop = QPushButton("Drop a new point")
        self.drop.setObjectName("derivation_drop_button")
        self.drop.setAccessibleName("Drop a new point")
        self.drop.setToolTip(
            "Put a new point into the middle of the data; its row appears here."
        )
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
        while len(self.fields) < len(shown):
            self._add_fields()
        for index, fields in enumerate(self.fields):
            fields.setVisible(index < len(shown))
            if index < len(shown):
                name = f"new {self.first_shown + index + 1}"
                fields.show_point(name, shown[index], features)

    def numbers_width(self) -> int:
        """Return the pixels that fields and grids need in width."""
        shown = [fields for fields in self.fields if not fields.isHidden()]
        widths = [fields.sizeHint().width() + GAP for fields in shown]
        return max([super().numbers_width(), *widths])

    def _add_fields(self) -> None:
        index = len(self.fields)
        fields = NewPointFields(index + 1)
        fields.moved.connect(self._on_moved)
        fields.removed.connect(self._on_removed)
        fields.refused.connect(self.refused)
        self.fields.append(fields)
        self._numbers.addWidget(fields)
        for key in (f"new:{index}", f"new_scores:{index}"):
            self.add_grids((key,))
            self.grid_added.emit(key)

    def _on_moved(self, place: Place) -> None:
        self._change((place,))

    def _on_removed(self) -> None:
        self._change(())

    def _change(self, instead: tuple[Place, ...]) -> None:
        """Ask for other places in the stead of the one whose fields were used."""
        fields = self.sender()
        assert isinstance(fields, NewPointFields)
        at = self.first_shown + self.fields.index(fields)
        before, after = self._positions[:at], self._positions[at + 1 :]
        self.points_requested.emit((*before, *instead, *after), None)
