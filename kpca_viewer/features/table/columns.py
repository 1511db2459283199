"""The columns of the table of rows, and what is found in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from string import digits
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QTableView

from kpca_viewer.data.dataset import Dataset, new_row_number, row_numbers
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.numerals import data_value
from kpca_viewer.widgets.controls.combos import found
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.text import type_scale

if TYPE_CHECKING:
    from kpca_viewer.features.table.model import TableModel


SETS = ("training", "new")
"""Whether a row has taken part in the fit."""

DIGITS = 5
_LOOKED_AT = 10_000
_DUST = 1e-12
"""Share of the largest score of a component; what is smaller is rounding alone."""


@dataclass(frozen=True, eq=False)
class TableColumn:
    title: str
    kind: str
    """One of "row", "name", "label", "number", "words". A name is what the person calls
    the row, and can be changed."""
    values: NDArray[np.float64] | None = None
    """Shape (n,). Of a column of numbers."""
    dust: float = 0.0
    """Numbers closer to zero are shown as zero."""
    words: MetaColumn | None = None
    """Of a column of words."""
    feature: int | None = None
    """Which feature of the data it holds; None for what is no feature."""

    @property
    def is_given(self) -> bool:
        """Whether its numbers or classes are the data, and not computed from them."""
        return self.feature is not None or self.kind == "label"


def columns_of(result: AnalysisResult) -> list[TableColumn]:
    n, result = result.dataset.n, result.all_rows
    dataset = result.dataset
    columns = [TableColumn("row", "row"), TableColumn("name", "name")]
    if dataset.n > n:
        codes = (np.arange(dataset.n) >= n).astype(np.int64)
        columns.append(TableColumn("set", "words", words=MetaColumn(codes, SETS)))
    if dataset.labels is not None:
        columns.append(TableColumn("label", "label"))
    # Words tell rows apart as labels do; numbers stand with numbers.
    described = dataset.columns.items()
    columns += [
        TableColumn(name, "words", words=c) for name, c in described if not c.numeric
    ]
    # The columns of a given matrix are its rows once more, not features.
    if dataset.kind == "points":
        columns += [
            TableColumn(name, "number", dataset.points[:, j], feature=j)
            for j, name in enumerate(dataset.feature_names)
        ]
    columns += [
        TableColumn(name, "number", c.values) for name, c in described if c.numeric
    ]
    scores = result.scores
    largest = np.abs(scores).max(axis=0, initial=0.0)
    columns += [
        TableColumn(f"PC {j + 1}", "number", scores[:, j], _DUST * float(largest[j]))
        for j in range(scores.shape[1])
    ]
    columns += [
        TableColumn(known.symbol, "number", known.values)
        for known in result.row_values()
    ]
    return columns


def shown_number(what: TableColumn, row: int) -> str:
    assert what.values is not None
    value = float(what.values[row])
    if abs(value) < what.dust:
        return "0"
    # An empty cell is how tables say that a value is missing.
    return "" if isnan(value) else data_value(value, DIGITS)


def longest_numbers(what: TableColumn) -> list[str]:
    """Return the numbers of a column that are likely to be the longest."""
    if what.values is None or not what.values.size:
        return []
    values = np.nan_to_num(what.values[:_LOOKED_AT])
    size = np.abs(values)
    small = np.where(size > what.dust, size, np.inf)
    rows = values.argmin(), size.argmax(), small.argmin()
    return [shown_number(what, int(row)) for row in rows]


def cell_text(
    dataset: Dataset, total: int, what: TableColumn, row: int, names: Mapping[int, str]
) -> str:
    """Return what stands in a cell; rows from ``total`` on are new ones.

    Parameters
    ----------
    names : mapping of int to str
        That a person gave.
    """
    if what.values is not None:
        return shown_number(what, row)
    if what.kind == "row":
        if row >= total and dataset.row_names is None:
            return f"new {new_row_number(dataset, total, row)}"
        return " ".join(dataset.row_text(row).split())
    if what.kind == "name":
        return names.get(row, "")
    if what.words is not None:
        return " ".join(what.words.text(row).split())
    return " ".join(dataset.class_text(row).split())


def edited_text(
    dataset: Dataset, what: TableColumn, row: int, names: Mapping[int, str]
) -> str | None:
    """Return what a cell begins with when it is typed into; a number in full."""
    if what.kind == "name":
        return names.get(row, "")
    if what.values is not None:
        return repr(float(what.values[row])).removesuffix(".0")
    if what.kind != "label" or dataset.labels is None:
        return None
    return dataset.class_text(row) if dataset.labels[row] >= 0 else ""


def sort_keys(
    dataset: Dataset, what: TableColumn, names: Mapping[int, str]
) -> NDArray[np.float64]:
    """Return a number (n,) for every row of the data to sort by.

    Parameters
    ----------
    names : mapping of int to str
        That a person gave.
    """
    if what.values is not None:
        return what.values
    if what.kind == "row":
        if dataset.row_names is None:
            return np.arange(dataset.n, dtype=np.float64)
        return ranks(dataset.row_names)
    if what.kind == "name":
        keys = np.full(dataset.n, np.nan)
        known = {r: t for r, t in names.items() if r < dataset.n}
        if known:
            keys[list(known)] = ranks(tuple(known.values()))
        return keys
    if what.words is not None:
        assert what.words.words is not None
        return np.append(ranks(what.words.words), np.nan)[what.words.values]
    assert dataset.labels is not None
    # The extra NaN is for code -1, no label.
    return np.append(ranks(dataset.label_names), np.nan)[dataset.labels]


def ranks(names: tuple[str, ...]) -> NDArray[np.float64]:
    folded = np.array([name.casefold() for name in names])
    return np.unique(folded, return_inverse=True)[1].reshape(-1).astype(np.float64)


class RowSearch:
    """Finds rows by the words in their cells, which are prepared once a data set."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._names: list[str] | None = None

    def rows(self, text: str, given: Mapping[int, str]) -> Mask:
        """Return which rows (n,) hold all words of a text; a number is a row's own.

        Parameters
        ----------
        given : mapping of int to str
            Names that a person gave.
        """
        dataset = self._dataset
        mask: Mask = np.zeros(dataset.n, dtype=bool)
        if dataset.row_names is not None:
            if self._names is None:
                self._names = [name.casefold() for name in dataset.row_names]
            mask[found(text, self._names)] = True
        elif text.strip().isdecimal() and len(text) < 16:
            mask |= row_numbers(dataset) == int(text)
        if dataset.labels is not None:
            mask |= _with(text, dataset.label_names)[dataset.labels]
        for column in dataset.columns.values():
            if column.words is not None:
                mask |= _with(text, column.words)[column.values]
        rows = [row for row in given if row < dataset.n]
        names = [given[row].casefold() for row in rows]
        mask[[rows[place] for place in found(text, names)]] = True
        return mask


def _with(text: str, words: tuple[str, ...]) -> Mask:
    """Return which words hold a text, and that a missing word does not."""
    mask: Mask = np.zeros(len(words) + 1, dtype=bool)
    mask[found(text, [word.casefold() for word in words])] = True
    return mask


_NARROWEST, _WIDEST, _BESIDE = 24, 220, 32
_WIDTH_SAMPLES = 50
_FITTED = 60
"""Columns whose cells are looked at for their width; of more, the titles say it."""


class ColumnWidths:
    def __init__(self, table: QTableView, model: "TableModel") -> None:
        self._table = table
        self._model = model
        self._widths: dict[int, int] = {}
        self._advances: dict[str, int] = {}
        self._digits: dict[int, str] = {}
        self._type: tuple[str, ...] = ()
        self.beside_rows = 0
        """Pixels that pictures take in the first column."""

    def follow_type(self) -> None:
        """Fit all columns where the type has another size."""
        # Qt tells several times, and of other changes of style too.
        if self._type_now() != self._type:
            self.fit()

    def fit(self) -> None:
        """Choose widths from the titles, the first rows and the longest numbers."""
        self._type = self._type_now()
        self._advances.clear()
        wide = self._table.fontMetrics().horizontalAdvance
        self._digits = str.maketrans(dict.fromkeys(digits, max(digits, key=wide)))
        for column in range(len(self._model.columns)):
            self.fit_column(column)

    def widen_scores(self, count: int) -> None:
        """Widen columns for new scores, except those the person has resized."""
        header, total = self._table.horizontalHeader(), len(self._model.columns)
        for column in range(total - count, total):
            width = header.sectionSize(column)
            if width == self._widths.get(column):
                self.fit_column(column, at_least=width)

    def _type_now(self) -> tuple[str, ...]:
        return self._table.font().key(), self._table.horizontalHeader().font().key()

    def _advance(self, text: str) -> int:
        """Return the room for a text, by its length alone: digits are equally wide."""
        text = text.translate(self._digits)
        if text not in self._advances:
            self._advances[text] = self._table.fontMetrics().horizontalAdvance(text)
        return self._advances[text]

    def fit_column(self, column: int, at_least: int = 0) -> None:
        what = self._model.columns[column]
        looks = column < _FITTED or at_least > 0
        lines = min(_WIDTH_SAMPLES, self._model.rowCount()) if looks else 0
        texts = ["", *self._model.first_texts(column, lines)]
        if what.kind == "number":
            texts += ["−0.00000", *(longest_numbers(what) if looks else ())]
        elif what.kind == "row":
            # The last number is longer than the first ones, wherever it is sorted to.
            texts.append(self._model.longest_row)
        elif what.kind == "label":
            texts += self._model.label_names[:_WIDTH_SAMPLES]
        elif what.words is not None and looks:
            texts += (what.words.words or ())[:_WIDTH_SAMPLES]
        elif what.kind == "name":
            texts += self._model.given_names[:_WIDTH_SAMPLES]
        swatch = {"label": 24, "row": self.beside_rows}.get(what.kind, 0)
        cells = max(map(self._advance, texts)) + swatch
        header = self._table.horizontalHeader()
        title = header.fontMetrics().horizontalAdvance(what.title)
        widest = round(_WIDEST * type_scale())
        width = min(max(cells, title, _NARROWEST) + _BESIDE, widest)
        if what.kind == "number":
            # A word may be shortened, a number without its end is another number.
            width = max(width, cells + _BESIDE)
        self._widths[column] = max(width, at_least)
        header.resizeSection(column, self._widths[column])
