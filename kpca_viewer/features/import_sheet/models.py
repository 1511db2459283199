"""The columns of a table with their roles, and its first rows, as Qt models."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication

from kpca_viewer.data.importing.settings import ROLE_TITLES, ImportSettings, Role
from kpca_viewer.data.table import Column, Table
from kpca_viewer.features.import_sheet.text import ColumnLook, left_aside, look_at
from kpca_viewer.support.numerals import data_value, whole_percent
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import found

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

BARS_ROLE = Qt.ItemDataRole.UserRole
"""The heights of the bars by which a column is drawn."""

NUMBERS = ("Min", "Max", "Missing")
EXAMPLES = 4
PREVIEW_ROWS = 100
PREVIEW_COLUMNS = 60


class ColumnsModel(QAbstractTableModel):
    """One line a column: name, role, how its values lie, what it holds."""

    roles_changed = Signal(object)
    """The names of the columns to which the person gave a role."""
    HEADINGS = (
        "Column",
        "Role",
        "Values",
        "Min",
        "Max",
        "Missing",
        "Holds",
    )

    def __init__(self, table: Table, roles: dict[str, Role], parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self._roles = dict(roles)
        self._doubtful: frozenset[str] = frozenset()
        self._answers: tuple[object, object] = ((), ())
        self._aside = left_aside(table, ImportSettings())
        self._folded: list[str] = []
        """The names in small letters, from the first filter on."""
        self._shown: Sequence[int] = range(len(table.columns))

    @property
    def total(self) -> int:
        """The number of columns, of which some may be filtered out."""
        return len(self._table.columns)

    def set_filter(self, text: str) -> None:
        """Show the columns whose names hold all words of a text."""
        shown: Sequence[int] = range(self.total)
        if text.strip():
            self._folded = self._folded or [n.casefold() for n in self._table.names]
            shown = found(text, self._folded)
        if shown != self._shown:
            self.beginResetModel()
            self._shown = shown
            self.endResetModel()

    def set_doubtful(self, names: Iterable[str]) -> None:
        if self._doubtful != (doubtful := frozenset(names)):
            self._doubtful = doubtful
            self._tell()

    def set_answers(self, answers: ImportSettings) -> None:
        """Show the columns without what counts as missing, and what is left out."""
        given = (answers.sentinels, answers.left_out)
        if given != self._answers:
            self._answers, self._aside = given, left_aside(self._table, answers)
            self._tell()

    def _look(self, column: Column) -> ColumnLook:
        sentinels, rows = self._aside
        return look_at(column, sentinels.get(column.name, ()), rows)

    def roles(self) -> tuple[tuple[str, Role], ...]:
        """Return the role of every column, in the order of the file."""
        names = self._table.names
        return tuple(zip(names, map(self._roles.__getitem__, names), strict=True))

    def features(self) -> list[str]:
        return [name for name, role in self._roles.items() if role == "feature"]

    def label(self) -> Column | None:
        names = (name for name, role in self._roles.items() if role == "label")
        name = next(names, None)
        return None if name is None else self._table.by_name.get(name)

    def set_table(self, table: Table) -> None:
        self._table = table
        self._tell()

    def set_roles(self, roles: Mapping[str, Role]) -> None:
        """Give every column its role; nothing is emitted but what is shown anew."""
        self._roles |= roles
        self._tell()

    def set_role(self, rows: list[int], role: Role) -> None:
        """Give columns a role; there is one label and one row name at most."""
        self.set_role_of([self._table.names[self._shown[row]] for row in rows], role)

    def set_role_of(self, names: list[str], role: Role) -> None:
        if role in ("label", "name"):
            names = names[:1]
            for name, old in self._roles.items():
                if old == role:
                    # Never a feature: it would be the answer among the measurements.
                    self._roles[name] = "ignore"
        for name in names:
            self._roles[name] = role
        self._tell()
        self.roles_changed.emit(names)

    def _tell(self) -> None:
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.HEADINGS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        horizontal = orientation == Qt.Orientation.Horizontal
        known = horizontal and section in range(len(self.HEADINGS))
        if known and role == Qt.ItemDataRole.DisplayRole:
            return self.HEADINGS[section]
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        """Return the text of a cell; the whole of it as a tooltip."""
        # Not hasIndex, which asks Python twice more for each of many roles.
        if not 0 <= index.row() < len(self._shown):
            return None
        shown = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        column = self._table.columns[self._shown[index.row()]]
        if role == Qt.ItemDataRole.EditRole and index.column() == 1:
            return self._roles[column.name]
        if role == Qt.ItemDataRole.ForegroundRole:
            ignored = self._roles[column.name] == "ignore"
            palette = QGuiApplication.palette()
            return palette.placeholderText() if ignored else None
        heading = self.HEADINGS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and heading in NUMBERS:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == BARS_ROLE and heading == "Values":
            return self._look(column).histogram
        if role not in shown:
            return None
        text = self._text(column, heading)
        if role == Qt.ItemDataRole.ToolTipRole and heading == "Holds":
            text = f"{text}: {examples(column)}"
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def _text(self, column: Column, heading: str) -> str:
        match heading:
            case "Column":
                return column.name
            case "Role":
                doubt = "?" if column.name in self._doubtful else ""
                return ROLE_TITLES[self._roles[column.name]] + doubt
            case "Min" | "Max":
                ends = self._look(column).ends
                return "" if ends is None else data_value(ends[heading == "Max"])
            case "Missing":
                return whole_percent(self._look(column).missing)
            case "Holds":
                return self._look(column).holds
            case _:
                return ""

    def setData(self, index: Index, value: Any, role: int = 0) -> bool:
        if index.column() == 1 and value in ROLE_TITLES:
            self.set_role([index.row()], value)
            return True
        return False

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == 1 else flags


_PREVIEW_ROLES = {
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.TextAlignmentRole,
    )
}
"""A cell is asked for seven roles whenever it is measured or painted."""


class PreviewModel(QAbstractTableModel):
    """The first rows as they stand in the file."""

    def __init__(self, table: Table, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table

    def set_table(self, table: Table) -> None:
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else min(self._table.n, PREVIEW_ROWS)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else min(len(self._table.columns), PREVIEW_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        down = orientation == Qt.Orientation.Vertical
        if section not in range(self.rowCount() if down else self.columnCount()):
            return None
        if down:
            return str(self._table.row_number(section))
        name = self._table.names[section]
        return plain_tip(name) if role == Qt.ItemDataRole.ToolTipRole else name

    def data(self, index: Index, role: int = 0) -> Any:
        if role not in _PREVIEW_ROLES:
            return None
        if not (
            0 <= index.row() < self._table.n
            and 0 <= index.column() < len(self._table.columns)
        ):
            return None
        column = self._table.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(column, index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(column.text(index.row()))
        if role == Qt.ItemDataRole.TextAlignmentRole and column.kind == "number":
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None


def cell_text(column: Column, row: int, digits: int = 6) -> str:
    """Return a cell with as many digits as are worth comparing."""
    text = column.text(row)
    if column.kind == "text" or not text:
        return text
    return data_value(float(column.values[row]), digits)


def examples(column: Column) -> str:
    seen: list[str] = []
    for row in range(min(column.n, 50)):
        text = cell_text(column, row, 4)
        if text and text not in seen:
            seen.append(text)
        if len(seen) == EXAMPLES:
            break
    return ", ".join(seen)
