"""What is known of the rows of a part beside its features: names, classes, columns."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.cells import EXACT
from kpca_viewer.data.importing.labels import (
    is_quantity,
    label_words,
    only_column,
    quantity,
    row_names,
)
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.table import Column, Table

Array = NDArray[Any]
Texts = tuple[str, ...]

Kind = Literal["whole", "number", "text"]


@dataclass(frozen=True, eq=False)
class Described:
    """What is known of some rows."""

    names: Texts | None = None
    labels: Texts | None = None
    """Classes; an empty text where there is none."""
    columns: tuple[tuple[str, Texts | Array], ...] = ()
    """Texts; or numbers (m,), integers with a mask where whole ones are missing."""


@dataclass(frozen=True)
class Description:
    """Columns that say something of rows, of the same kind in every part.

    What a column is was decided by the first part. A part that lacks one has nothing to
    say there; a part in which a column of numbers holds words has them as words.
    """

    name: str | None = None
    label: str | None = None
    """Of classes."""
    missing_words: Texts = ()
    """Which are no class."""
    others: tuple[tuple[str, Kind], ...] = ()
    """A label that is a quantity, and metadata."""

    @classmethod
    def by(cls, table: Table, importing: ImportSettings) -> "Description":
        """Look at the first part."""
        name = only_column(table, importing, "name")
        label = only_column(table, importing, "label")
        others = [table.column(column) for column in importing.columns("ignore")]
        if label is not None and is_quantity(label):
            others.insert(0, label)
            label = None
        return cls(
            None if name is None else name.name,
            None if label is None else label.name,
            importing.missing_words,
            tuple((column.name, _kind(column)) for column in others),
        )

    def without(self, names: Texts) -> "Description":
        """Return a copy in which these are no metadata."""
        left_out = set(names)
        others = tuple(pair for pair in self.others if pair[0] not in left_out)
        return replace(self, others=others)

    @property
    def columns(self) -> Texts:
        said = [name for name in (self.name, self.label) if name is not None]
        return (*said, *(name for name, _ in self.others))

    def of(self, table: Table, rows: NDArray[np.int64]) -> Described:
        """Return what a table says of some of its rows."""
        known = table.by_name
        names = labels = None
        if self.name is not None:
            nameless = Column(self.name, np.full(table.n, np.nan))
            every = row_names(table, known.get(self.name, nameless)) or []
            names = tuple(every[row] for row in rows.tolist())
        if self.label is not None:
            words = label_words(known[self.label]) if self.label in known else None
            labels = self._classes(words, rows)
        columns = tuple(
            (name, _values(known.get(name), kind, rows)) for name, kind in self.others
        )
        return Described(names, labels, columns)

    def _classes(self, words: list[str | None] | None, rows: Array) -> Texts:
        if words is None:
            return ("",) * len(rows)
        no_label = {None, *self.missing_words}
        told = ["" if word is None or word in no_label else word for word in words]
        return tuple(told[row] for row in rows.tolist())


def _kind(column: Column) -> Kind:
    if column.kind == "text":
        return "text"
    return "whole" if column.whole and _is_exact(column.values) else "number"


def _values(column: Column | None, kind: Kind, rows: Array) -> Texts | Array:
    if column is None:
        if kind == "text":
            return ("",) * len(rows)
        column = Column("", np.full(int(rows.max(initial=-1)) + 1, np.nan))
    if column.kind == "text" or kind == "text":
        words = label_words(column)
        return tuple(words[row] or "" for row in rows.tolist())
    values = quantity(column)[rows]
    if kind == "whole" and column.whole and _is_exact(values):
        gaps = np.isnan(values)
        whole = np.where(gaps, 0.0, values).astype(np.int64)
        return np.ma.MaskedArray(whole, gaps) if gaps.any() else whole
    return values


def _is_exact(values: Array) -> bool:
    return not (np.abs(values) > EXACT).any()
