"""Some rows of a data set, as data of their own."""

from dataclasses import replace

import numpy as np

from kpca_viewer.data.dataset import Dataset, IntArray
from kpca_viewer.support.errors import DataError


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

    Raises
    ------
    DataError
        If there is nothing to compare then.
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
