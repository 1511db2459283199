"""Blocks of a table in parts: rows that are prepared and described alike."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.cells import EXACT
from kpca_viewer.data.files.headers import default_names
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.source import Reading, foreign, system_errors
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.importing.complete import gaps_of
from kpca_viewer.data.importing.convert import (
    is_quantity,
    only_column,
    quantity,
    row_names,
)
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.parts.pieces import Piece, parquet_names
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.data.table import Column, Table
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError


def plain_columns(piece: Piece, names: tuple[str, ...]) -> Array | None:
    """Return columns of a piece as numbers (m, d), NaN for what is missing.

    float32 where the file has nothing else. None where only a reader of tables can
    tell: another format, a column that is not there, or one of another kind.
    """
    with piece.unchanged(), system_errors(piece.path):
        if piece.key == "parquet":
            return _of_parquet(piece, names)
        return _of_array(piece, names) if piece.key == "npy" else None


def _of_parquet(piece: Piece, names: tuple[str, ...]) -> Array | None:
    import pyarrow as pa  # which takes long to load
    import pyarrow.parquet as pq

    reading = Reading(piece.path)
    with (
        foreign(reading, "Parquet file", "write it again"),
        pq.ParquetFile(piece.path, pre_buffer=True) as file,
    ):
        schema = file.schema_arrow
        known = {field.name: field.type for field in schema}
        if len(known) < len(schema):
            return None
        kinds = [known[name] for name in names if name in known]
        plain = all(pa.types.is_floating(k) or pa.types.is_integer(k) for k in kinds)
        if len(kinds) < len(names) or not plain:
            return None
        groups = list(piece.groups or range(file.num_row_groups))
        table = file.read_row_groups(groups, columns=list(names), use_threads=False)
        single = all(pa.types.is_float32(kind) for kind in kinds)
        block = np.empty((table.num_rows, len(names)), np.float32 if single else float)
        columns = dict(zip(table.column_names, table.columns, strict=True))
        for j, name in enumerate(names):
            column = columns[name]
            if not pa.types.is_floating(column.type):
                column = column.cast(pa.float64(), safe=False)
            block[:, j] = column.to_numpy()
        return block


def _of_array(piece: Piece, names: tuple[str, ...]) -> Array | None:
    mapped = np.load(piece.path, mmap_mode="r", allow_pickle=False)
    if mapped.ndim != 2 or mapped.dtype.kind not in "fiu":
        return None
    known = {name: j for j, name in enumerate(default_names(mapped.shape[1]))}
    if not all(name in known for name in names):
        return None
    start, stop = piece.span or (0, len(mapped))
    kept = np.float32 if mapped.dtype == np.float32 else np.float64
    # A copy that is no map: a map cannot be sent from a worker.
    block = np.array(mapped[start:stop], dtype=kept)
    places = [known[name] for name in names]
    return block if places == list(range(block.shape[1])) else block[:, places]


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
            words = known[self.label].texts() if self.label in known else None
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
        words = column.texts()
        return tuple(words[row] or "" for row in rows.tolist())
    values = quantity(column)[rows]
    if kind == "whole" and column.whole and _is_exact(values):
        gaps = np.isnan(values)
        whole = np.where(gaps, 0.0, values).astype(np.int64)
        return np.ma.MaskedArray(whole, gaps) if gaps.any() else whole
    return values


def _is_exact(values: Array) -> bool:
    return not (np.abs(values) > EXACT).any()


@dataclass(frozen=True)
class Preparation:
    """What is done to the rows of every part."""

    rows: RawRows
    options: ReadOptions = ReadOptions()  # noqa: RUF009 — frozen, so it can be shared
    description: Description = Description()
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
    described: Described = Described()
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
        """Return the rows, shape (m, d)."""
        return self.rows(described=False).points

    def rows(self, *, described: bool = True) -> PartRows:
        """Return the rows with their numbers, and with what else is known of them."""
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
        """Return features, and columns ``besides`` that are there, as in the file."""
        prepared = self.preparation
        if self.piece.key == "parquet":
            # Of columns that were not read, its table would know nothing.
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
