"""The ranked rows of a choice as a table that Qt can show."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.choice_note import kernel_words
from kpca_viewer.engine.claims.choice import (
    guessing_words,
    is_recommended,
    peak_words,
    reason,
    score_text,
    stable_text,
)
from kpca_viewer.engine.text.describe import duration
from kpca_viewer.features.kernel_search.text import (
    COLUMN_TIPS,
    IN_USE,
    SHORT_TITLES,
    THE_CHOICE,
    column_titles,
)
from kpca_viewer.widgets.controls.behaviour import plain_tip

Index = QModelIndex | QPersistentModelIndex

PICTURE, KERNEL, COMPONENTS, SCORE, STABLE, REAL, COST = range(7)
TIPS = dict(enumerate(COLUMN_TIPS))
UNKNOWN, AWAITED = "–", "…"

_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WORDS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

ALIGNED = {column: _WORDS if column == KERNEL else _NUMBERS for column in TIPS}


@dataclass(frozen=True)
class ChoiceCell:
    """What stands in a cell: a line, and a smaller one below it."""

    text: str
    below: str = ""


class ChoiceModel(QAbstractTableModel):
    """Rows from the one to take to the one to leave."""

    def __init__(self) -> None:
        super().__init__()
        self.choice: Choice | None = None
        self._in_use: Row | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        return () if self.choice is None else self.choice.rows

    def set_choice(self, choice: Choice | None, in_use: Row | None) -> None:
        """Show other rows, of which one may be what is set now.

        Where their order is the same, only those are painted anew that differ.
        """
        before, lines = self._texts(), [row.line for row in self.rows]
        same = choice is not None and [row.line for row in choice.rows] == lines
        if not same:
            self.beginResetModel()
        self.choice, self._in_use = choice, in_use
        if not same:
            self.endResetModel()
            return
        for place, (old, new) in enumerate(zip(before, self._texts(), strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(place, 0), self.index(place, COST))

    def _texts(self) -> list[list[ChoiceCell]]:
        columns = range(KERNEL, COST + 1)
        return [[self.cell(i, c) for c in columns] for i in range(len(self.rows))]

    def cell(self, place: int, column: int) -> ChoiceCell:
        """Return what stands in a cell."""
        row, choice = self.rows[place], self.choice
        assert choice is not None
        missing = UNKNOWN if choice.is_complete else AWAITED
        if column == KERNEL:
            return self._kernel(place)
        if column == COMPONENTS:
            return ChoiceCell(str(row.components))
        if column == SCORE:
            score = score_text(row.score, row.error, choice.evidence)
            return ChoiceCell(score, guessing_words(choice))
        if column == STABLE:
            if row.value is None:
                return ChoiceCell(UNKNOWN)
            return ChoiceCell(stable_text(row) or missing)
        if column == REAL:
            return ChoiceCell(missing if row.real is None else str(row.real))
        if column == COST:
            return ChoiceCell(_cost(row.seconds))
        return ChoiceCell("")

    def _kernel(self, place: int) -> ChoiceCell:
        row, choice = self.rows[place], self.choice
        assert choice is not None
        title = "Linear PCA" if row.line.is_linear else kernel_words(row)
        remarks = [
            THE_CHOICE if is_recommended(place, choice) else "",
            peak_words(choice) if place == choice.best and place else "",
            IN_USE if row is self._in_use else "",
        ]
        return ChoiceCell(title, " · ".join(remark for remark in remarks if remark))

    @property
    def titles(self) -> list[str]:
        score = "score" if self.choice is None else SHORT_TITLES[self.choice.evidence]
        return column_titles(score)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(TIPS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not self.hasIndex(index.row(), index.column()):
            return None
        assert self.choice is not None
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            cell = self.cell(index.row(), column)
            return f"{cell.text}\n{cell.below}" if cell.below else cell.text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return ALIGNED[column]
        if role in (
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleDescriptionRole,
        ):
            return plain_tip(reason(self.rows[index.row()], self.choice))
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section not in TIPS:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return ALIGNED[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[section]
        return None


def _cost(seconds: float) -> str:
    """Return what a fit takes; 0 where none was timed for itself."""
    if not seconds:
        return UNKNOWN
    return duration(seconds) if seconds >= 1e-3 else "< 1 ms"
