"""How wide the columns of the table are: as what stands in them needs."""

from string import digits

from PySide6.QtWidgets import QTableView

from kpca_viewer.features.table.model import TableModel
from kpca_viewer.widgets.plots.text import type_scale

_NARROWEST, _WIDEST, _BESIDE = 24, 220, 32
_WIDTH_SAMPLES = 50
_FITTED = 60
"""Columns whose cells are looked at for their width; of more, the titles say it."""


class ColumnWidths:
    """Fits the columns of a table to its model."""

    def __init__(self, table: QTableView, model: TableModel) -> None:
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
        """Return the room for a text in a cell, whatever digits are in it.

        Thousands of numbers have few lengths, which are measured once.
        """
        text = text.translate(self._digits)
        if text not in self._advances:
            self._advances[text] = self._table.fontMetrics().horizontalAdvance(text)
        return self._advances[text]

    def fit_column(self, column: int, at_least: int = 0) -> None:
        """Choose the width of one column."""
        what = self._model.columns[column]
        looks = column < _FITTED or at_least > 0
        lines = min(_WIDTH_SAMPLES, self._model.rowCount()) if looks else 0
        texts = ["", *self._model.first_texts(column, lines)]
        if what.kind == "number":
            texts += [
                "−0.00000",
                *(self._model.extreme_numbers(column) if looks else ()),
            ]
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
