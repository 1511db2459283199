"""The columns of a table with their roles, and its first rows, as Qt models."""

from collections.abc import Iterable
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

from kpca_viewer.data.importing.settings import ROLE_TITLES, Role
from kpca_viewer.data.table import Column, Table
from kpca_viewer.session.opening.sheet_words import describe_column
from kpca_viewer.support.numerals import data_value
from kpca_viewer.ui.controls.find_field import found
from kpca_viewer.ui.controls.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

EXAMPLES = 4
PREVIEW_ROWS = 100
PREVIEW_COLUMNS = 60


class ColumnsModel(QAbstractTableModel):
    """One line a column: name, role, what it holds."""

    roles_changed = Signal(object)
    """The names of the columns to which the person gave a role."""
    HEADINGS = ("Column", "Role", "Holds", "Examples")

    def __init__(self, table: Table, roles: dict[str, Role], parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self._roles = dict(roles)
        self._doubtful: frozenset[str] = frozenset()
        self._folded = [name.casefold() for name in table.names]
        self._shown = list(range(len(self._folded)))

    @property
    def total(self) -> int:
        """The number of columns, of which some may be filtered out."""
        return len(self._folded)

    def set_filter(self, text: str) -> None:
        """Show the columns whose names hold all words of a text."""
        shown = found(text, self._folded)
        if shown != self._shown:
            self.beginResetModel()
            self._shown = shown
            self.endResetModel()

    def set_doubtful(self, names: Iterable[str]) -> None:
        """Mark columns whose role is not decided yet."""
        self._doubtful = frozenset(names)
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 3))

    def roles(self) -> tuple[tuple[str, Role], ...]:
        """Return the role of every column, in the order of the file."""
        return tuple((name, self._roles[name]) for name in self._table.names)

    def features(self) -> list[str]:
        """Return the columns that are features."""
        return [name for name, role in self._roles.items() if role == "feature"]

    def label(self) -> Column | None:
        """Return the column that is the label, if one is."""
        names = (name for name, role in self._roles.items() if role == "label")
        name = next(names, None)
        return None if name is None else self._table.by_name.get(name)

    def set_table(self, table: Table) -> None:
        """Show the same columns, read in another way."""
        self._table = table
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 3))

    def set_role(self, rows: list[int], role: Role) -> None:
        """Give columns a role; there is one label and one row name at most."""
        self.set_role_of([self._table.names[self._shown[row]] for row in rows], role)

    def set_role_of(self, names: list[str], role: Role) -> None:
        """Give columns a role by their names."""
        if role in ("label", "name"):
            names = names[:1]
            for name, old in self._roles.items():
                if old == role:
                    # Never a feature: it would be the answer among the measurements.
                    self._roles[name] = "ignore"
        for name in names:
            self._roles[name] = role
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 3))
        self.roles_changed.emit(names)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of columns of the table."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return how much is said of each."""
        return 0 if parent.isValid() else len(self.HEADINGS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        """Return the headings."""
        horizontal = orientation == Qt.Orientation.Horizontal
        known = horizontal and section in range(len(self.HEADINGS))
        if known and role == Qt.ItemDataRole.DisplayRole:
            return self.HEADINGS[section]
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        """Return the text of a cell; the whole of it as a tooltip."""
        if not self.hasIndex(index.row(), index.column()):
            return None
        shown = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        column = self._table.columns[self._shown[index.row()]]
        if role == Qt.ItemDataRole.EditRole and index.column() == 1:
            return self._roles[column.name]
        if role == Qt.ItemDataRole.ForegroundRole:
            ignored = self._roles[column.name] == "ignore"
            palette = QGuiApplication.palette()
            return palette.placeholderText() if ignored else None
        if role not in shown:
            return None
        text = (
            column.name,
            ROLE_TITLES[self._roles[column.name]]
            + "?" * (column.name in self._doubtful),
            describe_column(column),
            examples(column),
        )[index.column()]
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def setData(self, index: Index, value: Any, role: int = 0) -> bool:
        """Take the role that the person chose."""
        if index.column() == 1 and value in ROLE_TITLES:
            self.set_role([index.row()], value)
            return True
        return False

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return that only roles can be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == 1 else flags


class PreviewModel(QAbstractTableModel):
    """The first rows as they stand in the file."""

    def __init__(self, table: Table, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table

    def set_table(self, table: Table) -> None:
        """Show the same rows, read in another way."""
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return how many rows are shown."""
        return 0 if parent.isValid() else min(self._table.n, PREVIEW_ROWS)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return how many columns are shown."""
        return 0 if parent.isValid() else min(len(self._table.columns), PREVIEW_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        """Return column names and row numbers."""
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
        """Return a cell; numbers stand on the right."""
        if not self.hasIndex(index.row(), index.column()):
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
    """Return the first different values."""
    seen: list[str] = []
    for row in range(min(column.n, 50)):
        text = cell_text(column, row, 4)
        if text and text not in seen:
            seen.append(text)
        if len(seen) == EXAMPLES:
            break
    return ", ".join(seen)
