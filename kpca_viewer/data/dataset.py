"""Dataset: the points, their names and labels, as one value that cannot change."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.support.errors import DataError

Kind = Literal["points", "kernel", "distances"]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

UNLABELLED = -1
"""The code of a row that has no label."""

FILLED_CELLS = "Filled cells"
"""The column that counts how many cells of a row were gaps that are filled."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Samples with everything that is known about them.

    Arrays are copied on the way in and read-only afterwards, so that a worker, a view
    and the undo history can share one object.

    Attributes
    ----------
    points : ndarray of shape (n, d)
        One row a sample. A square matrix (d = n) where ``kind`` is not ``"points"``.
        NaN stands for a missing value.
    labels : ndarray of shape (n,) or None
        Class codes, indices into `label_names`; -1 where a row has no label.
    label_names : tuple of str
        Filled in with the codes themselves if not given.
    feature_names : tuple of str
        Filled in as ``x1 … xd`` if not given.
    row_names : tuple of str or None
    columns : mapping of str to MetaColumn
        What else is known of the rows, for colour, shape, hover, table and export; no
        part of the analysis. Arrays of numbers and lists of texts are taken too.
    kind : {"points", "kernel", "distances"}
    name : str
        What the window shows; plain text.
    left_out : int
        Rows of the file that are missing here because of gaps.
    filled : tuple of int
        How many cells of these rows were gaps that are filled, in how many columns of
        the file.
    scale : str or None
        Of `columns`, the one that stands for the label where that is a quantity; empty
        for none. None takes the first column of numbers where there are no labels.
    numbers : ndarray of shape (n,) or None
        Where every row stands in its source, ascending from 0; None where all of them
        are here.
    excluded : int
        How many rows the person has left out.
    file_numbers : ndarray of shape (n,) or None
        The numbers that rows have in their file, ascending from 1, where it was not
        read whole; None where they follow from `numbers`.
    sampled_from : int or None
        How many rows there are in all parts of a table of which rows were drawn at
        random; None where all of them are here.
    lost : tuple of str
        Rows of which something was said, but which are not there any more: how many,
        and what.

    See Also
    --------
    read, generate : make one.

    Examples
    --------
    >>> from kpca_viewer import generate
    >>> generate("iris").feature_names[0]
    'sepal length (cm)'
    """

    points: FloatArray = field(repr=False)
    labels: IntArray | None = field(default=None, repr=False)
    label_names: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = field(default=(), repr=False)
    row_names: tuple[str, ...] | None = field(default=None, repr=False)
    columns: Mapping[str, MetaColumn] = field(default_factory=dict, repr=False)
    kind: Kind = "points"
    name: str = "data"
    left_out: int = 0
    filled: tuple[int, int] = (0, 0)
    scale: str | None = None
    numbers: IntArray | None = field(default=None, repr=False)
    excluded: int = 0
    lost: tuple[str, ...] = field(default=(), repr=False)
    file_numbers: IntArray | None = field(default=None, repr=False)
    sampled_from: int | None = None

    def __post_init__(self) -> None:
        points = _frozen_floats(self.points, "The data")
        if points.ndim != 2:
            raise DataError(
                f"The data have {points.ndim} dimensions instead of two; "
                "give one row per sample and one column per feature."
            )
        n, d = points.shape
        if n == 0 or d == 0:
            raise DataError(
                f"The data are empty ({n} rows, {d} columns); "
                "give at least one row and one column."
            )
        if self.kind not in get_args(Kind):
            raise DataError(
                f"“{self.kind}” is not a kind of data; use points, kernel or distances."
            )
        if self.kind != "points" and n != d:
            raise DataError(
                f"A {self.kind.removesuffix('s')} matrix must be square, but this one "
                f"is {n} × {d}; open it as points instead."
            )
        labels, label_names = _checked_labels(self.labels, self.label_names, n)
        feature_names = self.feature_names or [f"x{j + 1}" for j in range(d)]
        row_names = self.row_names
        columns = _checked_columns(self.columns, n)
        self._set(
            points=points,
            labels=labels,
            label_names=label_names,
            feature_names=_checked_names(feature_names, d, "feature names", "columns"),
            row_names=None
            if row_names is None
            else _checked_names(row_names, n, "row names", "rows"),
            columns=MappingProxyType(columns),
            scale=_checked_scale(self.scale, columns, labels is not None),
            numbers=_checked_numbers(self.numbers, n),
            file_numbers=_checked_numbers(self.file_numbers, n),
        )

    @property
    def n(self) -> int:
        return int(self.points.shape[0])

    @property
    def d(self) -> int:
        return int(self.points.shape[1])

    @property
    def rows_words(self) -> str:
        """How many rows there are, and of how many they were drawn."""
        rows = f"{self.n:,} row{'' if self.n == 1 else 's'}"
        if self.sampled_from is None:
            return rows
        return f"{self.n:,} of {self.sampled_from:,} rows, drawn at random"

    @property
    def rows_phrase(self) -> str:
        """The same in the middle of a sentence."""
        return self.rows_words + ("" if self.sampled_from is None else ",")

    def same(self, other: "Dataset | None") -> bool:
        """Return whether another data set agrees in every bit and every name."""
        if other is None or other is self:
            return other is self
        names = ("kind", "name", "label_names", "feature_names", "row_names", "scale")
        # The hash covers points and labels bit by bit, so NaN equals itself.
        return (
            all(getattr(self, name) == getattr(other, name) for name in names)
            and list(self.columns) == list(other.columns)
            and all(c.same(other.columns[name]) for name, c in self.columns.items())
            and self.content_hash == other.content_hash
        )

    def row_text(self, row: int) -> str:
        """Return the name of a row, or its number from 1."""
        return (
            str(self.row_number(row)) if self.row_names is None else self.row_names[row]
        )

    def class_text(self, row: int) -> str:
        """Return the class of a row; empty if the data have none."""
        if self.labels is None:
            return ""
        code = int(self.labels[row])
        return self.label_names[code] if code >= 0 else "no label"

    def row_number(self, row: int) -> int:
        """Return the number of a row in its source, counted from 1."""
        if self.file_numbers is not None:
            return int(self.file_numbers[row])
        return row + 1 if self.numbers is None else int(self.numbers[row]) + 1

    @property
    def filled_cells(self) -> FloatArray | None:
        """How many cells of every row are filled gaps, (n,); None where none is."""
        names = [name for name in self.columns if name.startswith(FILLED_CELLS)]
        if not names or not self.filled[0]:
            return None
        # It comes after all columns of the file.
        return self.columns[names[-1]].values

    @property
    def target(self) -> NDArray[np.float64] | None:
        """The quantity that stands for the label, shape (n,); None where none does."""
        return self.columns[self.scale].values if self.scale else None

    @cached_property
    def telling_axes(self) -> tuple[int, int, int]:
        """Three features worth looking at first; beyond the last one for flat data.

        Where many features share a unit, those that vary most; else the first ones
        that vary at all.
        """
        if self.d <= 3:
            return (0, 1, 2)
        spread = np.nan_to_num(self.points.std(axis=0))
        varying = np.flatnonzero(spread > 0)
        if len(varying) < 3:
            return (0, 1, 2)
        alike = spread.max() < 100 * np.median(spread[varying])
        if alike and len(varying) > 20:
            varying = varying[np.argsort(-spread[varying], kind="stable")]
        return int(varying[0]), int(varying[1]), int(varying[2])

    @cached_property
    def extents(self) -> FloatArray:
        """From the smallest to the largest value of every feature, (d,)."""
        low, high = self.ends
        return high - low

    @cached_property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The smallest and the largest value of every feature, each (d,)."""
        if not self.n:
            return np.zeros(self.d), np.zeros(self.d)
        low, high = np.nanmin(self.points, axis=0), np.nanmax(self.points, axis=0)
        return np.asarray(low, np.float64), np.asarray(high, np.float64)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of what is analysed and scored, alike on every machine."""
        digest = hashlib.sha256(self.kind.encode())
        _feed(digest, "points", self.points)
        if self.labels is not None:
            _feed(digest, "labels", self.labels)
        if self.scale:
            _feed(digest, f"column {self.scale}", self.columns[self.scale].values)
        return digest.hexdigest()

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable and a mapping proxy does not pickle at all;
        # building the value anew restores both.
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return _rebuild, (values | {"columns": dict(self.columns)},)


def _rebuild(values: dict[str, Any]) -> Dataset:
    return Dataset(**values)


def _feed(digest: Any, name: str, array: NDArray[Any]) -> None:
    """Add one array with its name and shape, so that no two layouts look alike."""
    digest.update(f"|{name}{array.shape}".encode())
    digest.update(array.astype(array.dtype.newbyteorder("<"), copy=False).data)


def _frozen_floats(values: ArrayLike, what: str) -> FloatArray:
    """Return a read-only C-ordered float64 array of its own."""
    try:
        if np.iscomplexobj(values):
            raise DataError(f"{what} are complex; give real numbers.")
        array = np.asarray(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{what} are not all numbers; remove or encode the text."
        ) from error
    return _frozen(array, values)


def _frozen(array: NDArray[Any], source: object) -> NDArray[Any]:
    # An owner that is read-only was frozen here before: sharing it is safe.
    if array.base is None and not array.flags.writeable:
        return array
    if array is source or array.base is not None:
        array = array.copy()
    array.flags.writeable = False
    return array


def _checked_labels(
    labels: ArrayLike | None, names: tuple[str, ...], n: int
) -> tuple[IntArray | None, tuple[str, ...]]:
    if labels is None:
        if names:
            raise DataError("There are names of classes but no labels; give both.")
        return None, ()
    given = np.asarray(labels)
    if given.shape != (n,):
        raise DataError(
            f"There are labels of shape {given.shape} for {n} rows; give one per row."
        )
    if given.dtype.kind not in "iub":
        raise DataError(
            "The labels are not whole numbers; give codes and put the words into "
            "label_names."
        )
    codes = _frozen(np.ascontiguousarray(given, dtype=np.int64), labels)
    if not names:
        names = tuple(str(code) for code in range(int(codes.max()) + 1))
    if codes.min() < UNLABELLED or codes.max() >= len(names):
        raise DataError(
            f"The labels run from {codes.min()} to {codes.max()}, but there are only "
            f"{len(names)} class names; give one name per class."
        )
    return codes, tuple(str(name) for name in names)


def _checked_names(
    names: tuple[str, ...] | list[str], count: int, what: str, of: str
) -> tuple[str, ...]:
    if len(names) != count:
        raise DataError(
            f"There are {len(names)} {what} for {count} {of}; give one each."
        )
    return tuple(str(name) for name in names)


def _checked_numbers(numbers: ArrayLike | None, n: int) -> IntArray | None:
    if numbers is None:
        return None
    given = np.ascontiguousarray(numbers, dtype=np.int64)
    if given.shape != (n,) or given[0] < 0 or (np.diff(given) <= 0).any():
        raise DataError(
            f"The {n} rows are not numbered in their order; give one number per row."
        )
    return _frozen(given, numbers)


def _checked_columns(columns: Mapping[str, Any], n: int) -> dict[str, MetaColumn]:
    checked = {}
    for name, values in columns.items():
        column = MetaColumn.of(values)
        if column.values.shape != (n,):
            raise DataError(
                f"The column “{name}” has shape {column.values.shape} for {n} rows; "
                "give one value per row."
            )
        checked[str(name)] = column
    return checked


def _checked_scale(
    scale: str | None, columns: Mapping[str, MetaColumn], labelled: bool
) -> str:
    if scale is None:
        numbers = (name for name, column in columns.items() if column.numeric)
        return "" if labelled else next(numbers, "")
    # A copy may have other columns.
    return scale if scale in columns and columns[scale].numeric else ""


def source_rows(dataset: Dataset) -> IntArray:
    """Return where every row (n,) stands in its source, ascending from 0."""
    return np.arange(dataset.n) if dataset.numbers is None else dataset.numbers


def row_numbers(dataset: Dataset) -> IntArray:
    """Return the number (n,) that every row has in its file, counted from 1."""
    known = dataset.file_numbers
    return source_rows(dataset) + 1 if known is None else known


def new_row_number(dataset: Dataset, fitted: int, row: int) -> int:
    """Return the number that a new row, behind ``fitted`` others, has in its file."""
    return dataset.row_number(row) - dataset.row_number(fitted - 1)


def places_in(whole: Dataset, part: Dataset) -> IntArray:
    """Return where the rows (m,) of a part of some data are among all of them."""
    places = np.searchsorted(source_rows(whole), source_rows(part))
    return places.astype(np.int64)


def without(
    dataset: Dataset, left_out: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
) -> Dataset:
    """Return a data set without some of its rows, which keep their numbers.

    Parameters
    ----------
    left_out : ndarray of bool, shape (n,)
    """
    rows = np.flatnonzero(~left_out)
    if len(rows) < 2:
        left = "Only one row is" if len(rows) else "No row is"
        raise DataError(
            f"{left} left of {dataset.n:,}, and kernel PCA compares rows; take all "
            "rows back, and leave out fewer."
        )
    square = dataset.kind != "points"
    points = dataset.points[np.ix_(rows, rows)] if square else dataset.points[rows]
    if (points == points[0]).all():
        raise DataError(
            f"The {len(rows):,} rows that are left are all alike; take all rows back, "
            "and leave out fewer."
        )
    names, labels = dataset.row_names, dataset.labels
    features = dataset.feature_names
    return replace(
        dataset,
        points=points,
        labels=None if labels is None else labels[rows],
        # The columns of a matrix are its rows once more.
        feature_names=tuple(features[row] for row in rows) if square else features,
        row_names=None if names is None else tuple(names[row] for row in rows),
        columns={name: column.take(rows) for name, column in dataset.columns.items()},
        numbers=source_rows(dataset)[rows],
        file_numbers=None
        if dataset.file_numbers is None
        else dataset.file_numbers[rows],
        excluded=dataset.n - len(rows),
    )
