"""PartsRow: which sheet of a workbook, which arrays of a file."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.table import Table
from kpca_viewer.ui.controls.combos import fill_combo, labelled, named_combo

NOTHING = "nothing"


class PartsRow(QWidget):
    """One list for a workbook; points and what goes with them for named arrays.

    Hidden where the file has but one part.
    """

    part_wished = Signal(object)
    """`ReadOptions` with which the file should be read instead."""

    def __init__(self, table: Table, options: ReadOptions) -> None:
        super().__init__()
        self._table = table
        self._options = options
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        self._second: QComboBox | None = None
        first = table.chosen[0] if table.chosen else ""
        workbook = table.format == "Excel"
        self._first = named_combo(
            "part_combo",
            "Sheet" if workbook else "Points",
            "Which sheet of the workbook is read."
            if workbook
            else "Which array holds one row per sample.",
        )
        fill_combo(self._first, [(name, name) for name in table.parts], first)
        self._first.activated.connect(self._on_first_activated)
        layout.addWidget(labelled("Sheet" if workbook else "Points", self._first)[1])
        if not workbook:
            self._second = self._make_second(first)
            layout.addWidget(labelled("with", self._second)[1])
        layout.addStretch(1)
        self.setVisible(len(table.parts) > 1)

    def _make_second(self, first: str) -> QComboBox:
        """Return the list of what can stand beside the points."""
        combo = named_combo(
            "beside_combo", "With", "Which array holds labels, or further columns."
        )
        chosen = self._table.chosen[1:]
        beside: list[tuple[str, object]] = [(NOTHING, ())]
        if len(chosen) > 1:
            beside.append((", ".join(chosen), chosen))
        beside += [(name, (name,)) for name in self._table.parts if name != first]
        fill_combo(combo, beside, chosen)
        combo.activated.connect(self._on_second_activated)
        return combo

    def _on_first_activated(self) -> None:
        part = str(self._first.currentData())
        if self._second is None:
            options = replace(self._options, sheet=part)
        else:
            # What stood beside the old points seldom fits the new ones.
            options = replace(self._options, arrays=(part,))
        self._wish(options)

    def _on_second_activated(self) -> None:
        if self._second is not None:
            arrays = (str(self._first.currentData()), *self._second.currentData())
            self._wish(replace(self._options, arrays=arrays))

    def _wish(self, options: ReadOptions) -> None:
        if options != self._options:
            self.part_wished.emit(options)
