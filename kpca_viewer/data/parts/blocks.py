"""PartBlock: rows of a file as the kernel sees them, read where they are wanted."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing.complete import gaps_of
from kpca_viewer.data.parts.describing import Described, Description
from kpca_viewer.data.parts.pieces import Piece, parquet_names
from kpca_viewer.data.parts.plain import plain_columns
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.data.table import Table
from kpca_viewer.support.errors import DataError

Array = NDArray[Any]


@dataclass(frozen=True)
class Preparation:
    """What is done to the rows of every part."""

    rows: RawRows
    options: ReadOptions = ReadOptions()  # noqa: RUF009 — frozen, so it can be shared
    description: Description = Description()  # noqa: RUF009
    """Columns that are no features."""

    def __post_init__(self) -> None:
        if self.rows.importing.missing == "nearest":
            raise DataError(
                "The nearest rows may be in any of the parts, which are read one by "
                "one; of a table in parts drop rows or columns with gaps, or fill them "
                "by the median."
            )

    @property
    def fills(self) -> bool:
        """Whether gaps are filled; else their rows are left out."""
        return self.rows.importing.missing == "median"

    @property
    def is_plain(self) -> bool:
        """Whether every feature is a column of numbers."""
        return self.rows.importing.columns("feature") == self.rows.feature_names


@dataclass(frozen=True, eq=False)
class PartRows:
    """Rows of a part, with what they are called."""

    points: Array
    """Shape (m, d). Scaled."""
    numbers: NDArray[np.int64]
    """Shape (m,). Of the rows in their file, from 1."""
    described: Described = Described()  # noqa: RUF009 — frozen, so it can be shared
    """Their names, classes, and columns that are no features."""
    left_out: int = 0
    """Rows of the part with gaps."""


@dataclass(frozen=True)
class PartBlock:
    """Some rows of a part; it can be sent to wherever the file is there as well."""

    piece: Piece
    preparation: Preparation

    @property
    def title(self) -> str:
        return self.piece.title

    def read(self) -> Array:
        """Return the rows, shape (m, d).

        Raises
        ------
        DataError
            With the part and the row.
        """
        return self.rows(described=False).points

    def rows(self, *, described: bool = True) -> PartRows:
        """Return the rows with their numbers, and with what else is known of them.

        Raises
        ------
        DataError
            With the part and the row.
        """
        description = self.preparation.description if described else Description()
        try:
            if self.preparation.is_plain and not description.columns:
                found = plain_columns(self.piece, self._features)
                if found is not None:
                    return self._of_numbers(found)
            return self._of_table(self.table(description.columns), description)
        except DataError as error:
            if str(error).startswith(self._upper):
                raise
            raise DataError(f"{self._upper}: {error}") from error

    def table(self, besides: tuple[str, ...] = ()) -> Table:
        """Return features of the rows, and other columns, as they are in the file.

        Parameters
        ----------
        besides : tuple of str
            Those that are wanted, if they are there.

        Raises
        ------
        DataError
            If a feature is missing.
        """
        prepared = self.preparation
        if self.piece.key == "parquet":
            # Of columns that nobody asked for, its table would know nothing.
            there = parquet_names(self.piece.path)
            # Units are in the cells there, not in the names.
            absent = [f for f in self._features if without_unit(f) not in there]
            self.piece.require_columns(absent, there)
        table = self.piece.table(prepared.options, (*self._features, *besides))
        return self.piece.fitting(table, self._features)

    @property
    def _features(self) -> tuple[str, ...]:
        return self.preparation.rows.importing.columns("feature")

    @property
    def _upper(self) -> str:
        return self.piece.capital_title

    def _of_numbers(self, X: Array) -> PartRows:
        """Prepare rows (m, d) whose gaps are NaN."""
        rows = self.preparation.rows
        numbers = np.arange(self.piece.start + 1, self.piece.start + 1 + len(X))
        for name, sentinel in rows.importing.sentinels:
            if name in self._features:
                here = np.arange(X.shape[1]) == self._features.index(name)
                X = np.where(here & (sentinel == X), np.nan, X)
        bad = ~np.isfinite(X).all(axis=1)
        left_out = 0
        if bad.any():
            if rows.importing.treat_text_as_missing:
                X = np.where(np.isinf(X), np.nan, X)
            self._check_finite(X, numbers)
            if self.preparation.fills:
                X = np.where(np.isnan(X), np.array(rows.typical, dtype=X.dtype), X)
            else:
                X, numbers, left_out = X[~bad], numbers[~bad], int(bad.sum())
        return PartRows(rows.scaler.apply(X), numbers, left_out=left_out)

    def _check_finite(self, X: Array, numbers: NDArray[np.int64]) -> None:
        refused = np.isinf(X)
        if not refused.any():
            return
        row, column = (int(place[0]) for place in np.nonzero(refused))
        name = self._features[column]
        raise DataError(
            f"{self._upper}, row {numbers[row]:,}, column “{name}” holds an infinite "
            "value; treat such cells as missing (--text-missing)."
        )

    def _of_table(self, table: Table, description: Description) -> PartRows:
        rows, gaps = self.preparation.rows, self._gaps_in(table)
        first = self.piece.start + 1
        if gaps.all():
            nothing = np.arange(0)
            told = description.of(table, nothing)
            points = np.empty((0, len(rows.feature_names)))
            return PartRows(points, nothing, told, table.n)
        features = tuple(table.column(name) for name in self._features)
        dataset = rows.dataset(replace(table, columns=features))
        kept = np.arange(table.n) if dataset.numbers is None else dataset.numbers
        told = description.of(table, kept)
        return PartRows(rows.points(dataset), kept + first, told, dataset.left_out)

    def _gaps_in(self, table: Table) -> NDArray[np.bool_]:
        """Return in which rows (n,) a feature is missing that nothing fills."""
        found = np.zeros(table.n, dtype=bool)
        if self.preparation.fills:
            return found
        for name in self._features:
            found |= gaps_of(table.column(name), self.preparation.rows.importing)
        return found
