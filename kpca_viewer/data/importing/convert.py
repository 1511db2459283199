"""A table and what was said about it become a data set."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.errors import DataError
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.importing.features import (
    Source,
    feature_matrix,
    feature_sources,
    why_no_feature,
)
from kpca_viewer.data.importing.labels import (
    is_quantity,
    label_codes,
    only_column,
    quantity,
    row_names,
)
from kpca_viewer.data.importing.matrices import checked_matrix
from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.table import FloatArray, IntArray, Table, listed


def to_dataset(table: Table, settings: ImportSettings) -> Dataset:
    """Return the data set that a table holds.

    Raises
    ------
    DataError
        If it cannot be one, with the column, the row, the value and what to do.
    """
    check_size(table)
    sources = feature_sources(table, settings)
    if settings.matrix != "points":
        return _matrix_dataset(table, sources, settings)
    points = feature_matrix(table, sources, settings)
    points, rows = complete_rows(table, sources, points, settings)
    left_out = table.n - len(points)
    rows, points = _sampled(rows, points, table.n, settings)
    if (points == points[0]).all():
        raise DataError(
            "Every feature has the same value in all rows; choose columns that vary."
        )
    names = tuple(name for source in sources for name in source.names)
    return dataset_of(table, settings, points, names, rows, left_out=left_out)


def check_size(table: Table) -> None:
    """Refuse a table in which there is nothing to compare, whatever its roles."""
    if len(table.columns) == 1:
        raise DataError(
            f"There is only one column, “{table.names[0]}”; choose another delimiter "
            "if the file has more, or add a second column."
        )
    if table.n < 2:
        raise DataError(
            "There is only one row; kernel PCA compares rows, so give at least two."
        )


def check_worth(table: Table) -> None:
    """Refuse a table out of which no choice of roles can make a picture."""
    check_size(table)
    if all(column.constant for column in table.columns):
        raise DataError(why_no_feature(table, ImportSettings()))


def dataset_of(
    table: Table,
    settings: ImportSettings,
    points: FloatArray,
    names: tuple[str, ...],
    rows: IntArray | None,
    classes: tuple[str, ...] = (),
    left_out: int = 0,
) -> Dataset:
    """Return points of a table as a data set with its labels and names.

    Parameters
    ----------
    table : Table
    settings : ImportSettings
    points : ndarray of shape (m, d)
    names : tuple of str
        Of the features.
    rows : ndarray of shape (m,) or None
        The rows of the table that were kept; None for all.
    classes : tuple of str
        Names of classes that come first.
    left_out : int
        Rows that were not kept because of gaps.
    """
    label = only_column(table, settings, "label")
    codes: IntArray | None = None
    label_names: tuple[str, ...] = ()
    columns: dict[str, FloatArray] = {}
    if label is not None and is_quantity(label):
        columns[label.name] = _kept(quantity(label), rows)
    elif label is not None:
        codes, label_names = label_codes(label, classes, settings.missing_words)
    named = row_names(table, only_column(table, settings, "name"))
    if named is not None and rows is not None:
        named = [named[row] for row in rows]
    return Dataset(
        points,
        None if codes is None else _kept(codes, rows),
        label_names,
        names,
        None if named is None else tuple(named),
        columns,
        settings.matrix,
        table.name,
        left_out,
    )


def complete_rows(
    table: Table,
    sources: list[Source],
    points: FloatArray,
    settings: ImportSettings,
    typical: FloatArray | None = None,
) -> tuple[FloatArray, IntArray | None]:
    """Leave out rows with gaps, or fill them; return what is left and its rows.

    Parameters
    ----------
    table : Table
    sources : list of Source
    points : ndarray of shape (n, d)
    settings : ImportSettings
    typical : ndarray of shape (d,), optional
        With what gaps are filled, where a data set exists already.
    """
    gaps = np.isnan(points)
    if not gaps.any():
        return points, None
    if typical is None:
        _check_any_value(sources, gaps)
    if settings.missing == "median":
        fill = typical_values(sources, points) if typical is None else typical
        return np.where(gaps, fill, points), None
    rows = np.flatnonzero(~gaps.any(axis=1))
    if len(rows) < (2 if typical is None else 1):
        names = [name for source in sources for name in source.names]
        worst = np.argsort(-gaps.sum(axis=0), kind="stable")[:3]
        left = "No row" if not len(rows) else "Only one row"
        raise DataError(
            f"{left} of {table.n:,} is complete, most gaps are in "
            f"{listed(names[j] for j in worst)}; fill them with the median, or ignore "
            "these columns."
        )
    return points[rows], rows


def typical_values(sources: list[Source], points: FloatArray) -> FloatArray:
    """Return the medians (d,) of numbers; of words, the most frequent one."""
    typical = np.empty(points.shape[1])
    j = 0
    for source in sources:
        part = slice(j, j + len(source.names))
        j = part.stop
        if source.values:
            typical[part] = 0.0
            typical[part.start + np.argmax(np.nansum(points[:, part], axis=0))] = 1.0
        else:
            typical[part] = np.nanmedian(points[:, part], axis=0)
    return typical


def _check_any_value(sources: list[Source], gaps: NDArray[np.bool_]) -> None:
    empty = np.flatnonzero(gaps.all(axis=0))
    if empty.size:
        names = [name for source in sources for name in source.names]
        verb = "holds" if empty.size == 1 else "hold"
        raise DataError(
            f"{listed(names[j] for j in empty)} {verb} no number in any row; ignore "
            "what is empty."
        )


def _sampled(
    rows: IntArray | None, points: FloatArray, n: int, settings: ImportSettings
) -> tuple[IntArray | None, FloatArray]:
    size = settings.sample
    if size is None or size >= len(points):
        return rows, points
    if size < 2:
        raise DataError(
            f"A sample of {size} rows shows nothing; keep at least two rows."
        )
    random = np.random.default_rng(settings.sample_seed)
    chosen = np.sort(random.choice(len(points), size, replace=False))
    return (np.arange(n) if rows is None else rows)[chosen], points[chosen]


def _matrix_dataset(
    table: Table, sources: list[Source], settings: ImportSettings
) -> Dataset:
    assert settings.matrix != "points"
    names = tuple(name for source in sources for name in source.names)
    if len(names) != table.n:
        raise DataError(
            f"A {_word(settings)} matrix is square, but there are {table.n:,} rows and "
            f"{len(names):,} features; open the file as points, or correct the roles."
        )
    matrix = feature_matrix(table, sources, settings)
    gaps = np.isnan(matrix)
    if gaps.any():
        i, j = np.unravel_index(np.argmax(gaps), gaps.shape)
        raise DataError(
            f"Row {table.row_number(int(i)):,}, column “{names[j]}” is missing; a "
            f"{_word(settings)} matrix must be complete, so fill it in."
        )
    matrix = checked_matrix(matrix, settings.matrix)
    rows, matrix = _sampled(None, matrix, table.n, settings)
    if rows is not None:
        matrix, names = matrix[:, rows], tuple(names[row] for row in rows)
    if not matrix.any():
        raise DataError(f"The {_word(settings)} matrix is zero; choose another file.")
    dataset = dataset_of(table, settings, matrix, names, rows)
    if dataset.row_names is None and names != _numbered(table.n)[: len(names)]:
        # The header of a matrix names its rows as well.
        return replace(dataset, row_names=names)
    return dataset


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(f"x{j + 1}" for j in range(count))


def _word(settings: ImportSettings) -> str:
    return "distance" if settings.matrix == "distances" else "kernel"


def _kept(values: NDArray[Any], rows: IntArray | None) -> NDArray[Any]:
    return values if rows is None else values[rows]
