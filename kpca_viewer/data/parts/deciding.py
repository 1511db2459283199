"""Columns of which the first part says nothing: what the others say."""

from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.solvers.blocks import Block, Each
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.parts.blocks import PartBlock
from kpca_viewer.data.parts.layout import CONSTANT, Layout, unscaled
from kpca_viewer.data.parts.pieces import parquet_names
from kpca_viewer.data.table import Column, Table
from kpca_viewer.support.errors import DataError

Array = NDArray[Any]


def without_variety(table: Table, importing: ImportSettings) -> tuple[str, ...]:
    """Return columns that are no features only because a part has one value of them.

    Parts that are sorted by a column have it constant, or empty, one by one.
    """
    roles = dict(importing.roles)
    return tuple(
        column.name
        for column in table.columns
        if roles.get(column.name, "ignore") == "ignore"
        and column.constant
        and (column.kind == "number" or not column.distinct)
    )


def decided(layout: Layout, each: Each) -> Layout:
    """Return the layout with those undecided columns as features that do vary.

    All rows of these columns are looked at; else nothing is done.

    Raises
    ------
    DataError
    """
    if not layout.undecided:
        return layout
    low = np.full(len(layout.undecided), np.inf)
    high, in_words = -low, np.zeros(len(low), dtype=bool)
    for smallest, largest, worded in each(_Ranging(layout.undecided), layout.blocks):
        low, high = np.minimum(low, smallest), np.maximum(high, largest)
        in_words |= worded
    varies = (low < high) & ~in_words
    rows, importing = layout.preparation.rows, layout.preparation.rows.importing
    taken = set(compress(layout.undecided, varies))
    roles = dict(importing.roles) | dict.fromkeys(taken, "feature")
    importing = replace(importing, roles=tuple(roles.items()))
    plain = taken | set(rows.feature_names)
    names: list[str] = []
    for name in importing.columns("feature"):
        if name in plain:
            names.append(name)
        else:
            names += [n for n in rows.feature_names if n.startswith(f"{name}=")]
    if not names:
        raise DataError(CONSTANT)
    told = unscaled(importing, tuple(names), rows.label_names, np.zeros(len(names)))
    return layout.with_rows(told)


@dataclass(frozen=True)
class _Ranging:
    """The work on one block: the ends of some columns, and whether they hold words."""

    names: tuple[str, ...]

    def __call__(self, block: Block, _number: int) -> tuple[Array, Array, Array]:
        assert isinstance(block, PartBlock)
        low = np.full(len(self.names), np.inf)
        high, in_words = -low, np.zeros(len(low), dtype=bool)
        known = self._columns(block)
        for j, name in enumerate(self.names):
            column = known.get(name)
            if column is None or not column.distinct:
                continue
            numbers = column.values if column.kind == "number" else column.numbers
            in_words[j] = numbers is None
            if numbers is not None:
                there = numbers[np.isfinite(numbers)]
                low[j] = there.min(initial=np.inf)
                high[j] = there.max(initial=-np.inf)
        return low, high, in_words

    def _columns(self, block: PartBlock) -> dict[str, Column]:
        piece = block.piece
        if piece.key == "parquet":
            there = parquet_names(piece.path)
            if {*self.names, *map(without_unit, self.names)}.isdisjoint(there):
                # Its table would have no column at all.
                return {}
        return piece.table(block.preparation.options, self.names).by_name
