"""The rows of a result as a table model: nothing is copied, sorting is numpy's."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPixmap

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.export.table_files import neutralised
from kpca_viewer.features.table.columns import (
    DIGITS,
    RowSearch,
    TableColumn,
    cell_text,
    columns_of,
    edited_text,
    sort_keys,
)
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import found
from kpca_viewer.widgets.plots.coloring import rare_classes
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.sprites import Palette, swatch
from kpca_viewer.widgets.theme import LIGHT, Theme

Index = QModelIndex | QPersistentModelIndex
Rows = NDArray[np.intp]

_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WORDS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_SWATCH = 9.0

NAME = 1
"""Place of the column with the names that a person gives."""

FIXED = 2
"""Columns that are there whatever is looked for: the row and its name."""

NAMING = "Your own name for this row: double-click, or press F2, and type."


@dataclass(frozen=True, eq=False)
class _Shown:
    """All that Qt asks for, of one state: swapped as a whole while the model resets."""

    dataset: Dataset | None = None
    total: int = 0
    """Rows of the data; those behind them are new."""
    columns: tuple[TableColumn, ...] = ()
    rows: Rows = field(default_factory=lambda: np.empty(0, np.intp))
    """Rows of the data and new ones (m,), from the top."""
    hidden: Mask | None = None
    """Which rows of the data and new ones (n,) the plots leave out; None for none."""


class TableModel(QAbstractTableModel):
    """Some or all rows of a result, in any order."""

    name_requested = Signal(object, object)
    """Row of the data, and what the person has typed as its name."""
    value_requested = Signal(object, object, object)
    """Row of the data, number of a feature (None for the class), and what the person
    has typed there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = _Shown()
        self.typed_into = False
        self._all: tuple[TableColumn, ...] = ()
        self._wanted = ""
        self._search: RowSearch | None = None
        self._found: Mask | None = None
        self._chosen: Rows | None = None
        self._hidden: Mask | None = None
        self._places: Rows | None = None
        self._sorted_by: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self._swatches: list[QPixmap] = []
        self._names: dict[int, str] = {}
        self._theme = LIGHT

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        return self._shown.columns

    @property
    def rows(self) -> Rows:
        return self._shown.rows

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._make_swatches()

    def set_result(self, result: AnalysisResult) -> None:
        """Show another result; rows stay chosen if their number is the same."""
        self.beginResetModel()
        dataset, total = result.all_rows.dataset, result.dataset.n
        if total != self.total:
            self._chosen = None
        self.typed_into = result.is_drawn
        titles = [column.title for column in self._all]
        if self._shown.dataset is not dataset:
            self._search = None
        self._all = tuple(columns_of(result))
        if titles != [column.title for column in self._all]:
            self._sorted_by = (-1, Qt.SortOrder.AscendingOrder)
        self._shown = _Shown(dataset, total)
        self._look()
        self._make_swatches()
        self._arrange()
        self.endResetModel()

    def set_chosen(self, mask: NDArray[np.bool_] | None) -> None:
        """Show these rows (n,) only; all if there are none among them."""
        chosen = None if mask is None or not mask.any() else np.flatnonzero(mask)
        if chosen is None and self._chosen is None:
            return
        self.beginResetModel()
        self._chosen = chosen
        self._arrange()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show rows that hold a text in a word, and columns in their title."""
        if text.strip() == self._wanted:
            return
        self.beginResetModel()
        before, (column, order) = self.columns, self._sorted_by
        self._wanted = text.strip()
        self._look()
        if 0 <= column < len(before):
            # Sorted by the same column as before, wherever it stands now.
            titles = [what.title for what in self.columns]
            title = before[column].title
            self._sorted_by = titles.index(title) if title in titles else -1, order
        self._arrange()
        self.endResetModel()

    @property
    def found_counts(self) -> tuple[int, int, int] | None:
        """Rows and columns that were found, and all columns; None without a search."""
        if not self._wanted:
            return None
        rows = self._listed if self._found is None else int(self._found.sum())
        columns = len(self.columns) if len(self.columns) < len(self._all) else 0
        return rows, max(columns - FIXED, 0), len(self._all)

    def _look(self) -> None:
        """Find rows and columns; where one of the two has nothing, it is all shown."""
        self._found, dataset = None, self._shown.dataset
        self._shown = replace(self._shown, columns=self._all)
        if not self._wanted or dataset is None:
            return
        if self._search is None:
            self._search = RowSearch(dataset)
        titles = [column.title.casefold() for column in self._all[FIXED:]]
        places = found(self._wanted, titles)
        rows = self._search.rows(self._wanted, self._names)
        if places:
            chosen = [self._all[FIXED + place] for place in places]
            columns = (*self._all[:FIXED], *chosen)
            self._shown = replace(self._shown, columns=columns)
        if rows.any() or not places:
            self._found = rows

    def set_hidden(self, mask: Mask | None) -> None:
        self._hidden = mask
        self._shown = replace(self._shown, hidden=self._all_hidden())

    def _all_hidden(self) -> Mask | None:
        """Return which rows are left out, new ones among them; None for no row."""
        hidden = self._hidden
        # A mask of another length is of data that are gone, or not here yet.
        if hidden is None or hidden.shape != (self.total,) or not hidden.any():
            return None
        return np.append(hidden, np.zeros(self.new_count, dtype=bool))

    @property
    def hidden_count(self) -> int:
        hidden = self._shown.hidden
        return 0 if hidden is None else int(hidden[self.rows].sum())

    def set_names(self, names: Mapping[int, str]) -> None:
        """Take the names that a person gave to rows of the data.

        No row moves while one is named: a table sorted by name is in order again when
        it is sorted anew.
        """
        self._names = dict(names)
        if len(self.rows):
            last = len(self.rows) - 1
            self.dataChanged.emit(self.index(0, NAME), self.index(last, NAME))

    @property
    def chosen_count(self) -> int | None:
        """Number of chosen rows; None if all are shown."""
        return None if self._chosen is None else len(self._chosen)

    @property
    def total(self) -> int:
        return self._shown.total

    @property
    def new_count(self) -> int:
        """Number of new rows, which stand behind those of the data."""
        return self._listed - self.total

    @property
    def _listed(self) -> int:
        return 0 if self._shown.dataset is None else self._shown.dataset.n

    @property
    def label_names(self) -> tuple[str, ...]:
        dataset = self._shown.dataset
        return () if dataset is None else dataset.label_names

    @property
    def longest_row(self) -> str:
        """The longest of the row names, or the largest of the row numbers."""
        dataset = self._shown.dataset
        if dataset is None or not self.total:
            return ""
        names = dataset.row_names
        if names is None:
            last = str(dataset.row_number(self.total - 1))
            return max(last, f"new {self.new_count}" if self.new_count else "", key=len)
        return max(names, key=len)

    @property
    def given_names(self) -> list[str]:
        return [self._names[row] for row in sorted(self._names)]

    @property
    def sorted_by(self) -> tuple[int, Qt.SortOrder]:
        """Column and order; column -1 for the order of the data."""
        return self._sorted_by

    def place_of(self, row: int | None) -> int | None:
        """Return the line in which a row of the data stands, or None."""
        if row is None or not 0 <= row < self._listed:
            return None
        if self._places is None:
            self._places = np.full(self._listed, -1, np.intp)
            self._places[self.rows] = np.arange(len(self.rows))
        place = int(self._places[row])
        return place if place >= 0 else None

    def copied(self, lines: Rows, columns: list[int]) -> list[list[str]]:
        """Return cells for other programs: numbers in full, words kept harmless."""
        rows = self.rows[lines]
        texts = []
        for column in columns:
            values = self.columns[column].values
            if values is not None:
                texts.append([repr(value) for value in values[rows].tolist()])
            else:
                texts.append(
                    [neutralised(self._text(int(row), column)) for row in rows.tolist()]
                )
        return [list(line) for line in zip(*texts, strict=True)]

    def _arrange(self) -> None:
        rows = np.arange(self._listed) if self._chosen is None else self._chosen
        if self._found is not None:
            rows = rows[self._found[rows]]
        column, order = self._sorted_by
        if 0 <= column < len(self.columns):
            dataset = self._shown.dataset
            assert dataset is not None
            keys = sort_keys(dataset, self.columns[column], self._names)[rows]
            if order == Qt.SortOrder.DescendingOrder:
                # Negated rather than reversed: equal rows keep the order of the data
                # and missing values stay last.
                keys = -keys
            rows = rows[np.argsort(keys, kind="stable")]
        shown = replace(self._shown, rows=rows.astype(np.intp))
        self._shown = replace(shown, hidden=self._all_hidden())
        self._places = None

    def _make_swatches(self) -> None:
        names = self.label_names
        labels = None if self._shown.dataset is None else self._shown.dataset.labels
        others = () if labels is None else rare_classes(labels)
        palette = Palette.of("class", len(names), self._theme, 0, others)
        columns = palette.columns(np.append(np.arange(len(names)), -1)).tolist()
        self._swatches = [swatch(palette, c, _SWATCH, 2.0) for c in columns]

    def _text(self, row: int, column: int) -> str:
        shown = self._shown
        assert shown.dataset is not None
        what = shown.columns[column]
        return cell_text(shown.dataset, shown.total, what, row, self._names)

    def first_texts(self, column: int, count: int) -> list[str]:
        return [self._text(row, column) for row in self.rows[:count].tolist()]

    def shorter_numbers(self, index: Index) -> list[str]:
        """Return the number in a cell with ever fewer digits, but with its exponent."""
        values = self.columns[index.column()].values
        assert values is not None
        value = float(values[self.rows[index.row()]])
        return [ungrouped(value, digits) for digits in range(DIGITS - 1, 1, -1)]

    def _holds(self, index: Index) -> bool:
        """Whether an index is of what is shown: views may still have older ones."""
        return self.hasIndex(index.row(), index.column())

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = self._shown
        if not self._holds(index) or shown.dataset is None:
            return None
        row, column = int(shown.rows[index.row()]), index.column()
        what = shown.columns[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.EditRole:
            return edited_text(shown.dataset, what, row, self._names)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _WORDS if what.values is None else _NUMBERS
        if role == Qt.ItemDataRole.DecorationRole and what.kind == "label":
            assert shown.dataset.labels is not None
            return self._swatches[int(shown.dataset.labels[row])]
        if shown.hidden is not None and shown.hidden[row]:
            if role == Qt.ItemDataRole.ForegroundRole:
                return QColor(self._theme.muted)
            if role == Qt.ItemDataRole.FontRole:
                slanted = QFont()
                slanted.setItalic(True)
                return slanted
        if role == Qt.ItemDataRole.ToolTipRole:
            if what.values is not None:
                return f"{float(what.values[row])!r}"
            if what.kind == "name" and row not in self._names:
                return NAMING if row < shown.total else None
            return plain_tip(self._text(row, column))
        return None

    def is_fixed(self, index: Index) -> bool:
        """Whether a cell holds the data, and they cannot be typed into."""
        given = self._holds(index) and self.columns[index.column()].is_given
        return given and not self.typed_into

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not self._holds(index):
            return flags
        what = self.columns[index.column()]
        typed = what.kind == "name" or (self.typed_into and what.is_given)
        # Names and values are kept for rows of the data.
        if typed and self.rows[index.row()] < self.total:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if not self._holds(index) or role != Qt.ItemDataRole.EditRole:
            return False
        row, what = int(self.rows[index.row()]), self.columns[index.column()]
        assert self._shown.dataset is not None
        if str(value) == edited_text(self._shown.dataset, what, row, self._names):
            return True
        if what.kind == "name":
            self.name_requested.emit(row, str(value))
        else:
            self.value_requested.emit(row, what.feature, str(value))
        return True

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        known = range(len(self.columns))
        if orientation != Qt.Orientation.Horizontal or section not in known:
            return None
        what = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(what.title.split())
        if role == Qt.ItemDataRole.ToolTipRole:
            if what.kind == "name":
                return NAMING
            return plain_tip(what.title)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _WORDS if what.values is None else _NUMBERS
        return None

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        if (column, order) == self._sorted_by:
            return
        # A reset instead of a change of layout: there are no editors and no marked
        # cells to carry along, and 100,000 moved indices would take a second.
        self.beginResetModel()
        self._sorted_by = (column, order)
        self._arrange()
        self.endResetModel()
