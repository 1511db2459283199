"""Data frames and arrays of a notebook, read as their files would be."""

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset, source_rows
from kpca_viewer.data.files.cells import (
    Cell,
    CellRules,
    Texts,
    object_array,
    whole_column,
)
from kpca_viewer.data.files.collect import collect
from kpca_viewer.data.files.headers import default_names, unique_names
from kpca_viewer.data.files.marks import note_exact
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.importing import (
    ImportSettings,
    Missing,
    filled_text,
    filling_text,
    guess_import,
    guess_missing,
    propose,
    to_dataset,
)
from kpca_viewer.data.importing.settings import MISSING_TITLES, Role
from kpca_viewer.data.preparation import Scaling, suggested_scaling
from kpca_viewer.data.reading import planned, read_source
from kpca_viewer.data.table import Column, Table, free_name
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError

Roles = tuple[tuple[str, Role], ...]

LABEL = "class"
"""What a label without a name is called."""


def of_arrays(
    X: Any, y: Any = None, name: str = "data", missing: Missing | None = None
) -> Dataset:
    """Make a data set of what a notebook has.

    The columns of a data frame mean what they would mean in a file: words, gaps, units
    and names of rows are read alike. All columns of an array are features. What was
    decided about cells is said by warnings.

    Parameters
    ----------
    X : data frame, array-like or sparse matrix of shape (n, d), or Dataset
    y : array-like of shape (n,), optional
        Classes of any kind, or a quantity.
    name : str
    missing : {"drop", "columns", "median", "nearest"}, optional
        What becomes of gaps: their rows or their columns are left out, or they are
        filled by the median of the column or by the nearest rows. By default as in a
        file, which a warning says: rows with gaps are left out, or filled by the
        median where they are more than one in five.
    """
    if isinstance(X, Dataset):
        return X
    if missing not in (None, *MISSING_TITLES):
        raise DataError(
            f"“{missing}” is no way to treat gaps; choose one of "
            f"{', '.join(MISSING_TITLES)}."
        )
    if is_frame(X):
        table = frame_table(X, name)
        proposals = propose(table)
        chosen = proposals.settings
        for suspect in proposals.suspects:
            if suspect.is_gappy:
                words = f"“{suspect.column}” holds {suspect.reason} and is no feature"
                warnings.warn(f"{name}: {words}; fill it to have it.", stacklevel=3)
    else:
        points = _dense(X)
        plain = points.dtype.kind in "biuf" and points.ndim == 2
        if y is None and plain and not np.isnan(points).any():
            return Dataset(points, name=name)
        table = _array_table(points, name)
        roles: Roles = tuple((column, "feature") for column in table.names)
        chosen = replace(guess_import(table), roles=roles, matrix="points")
        chosen = replace(chosen, missing=guess_missing(table, chosen))
    if y is not None:
        table, chosen = _labelled(table, chosen, y)
    for note in (*table.notes, *table.questions):
        warnings.warn(f"{name}: {note}.", stacklevel=3)
    if missing is not None:
        return to_dataset(table, replace(chosen, missing=missing))
    dataset = to_dataset(table, chosen)
    if said := _default_words(dataset, chosen.missing):
        warnings.warn(f"{name}: {said}.", stacklevel=3)
    return dataset


def described(
    dataset: Dataset, names: Sequence[str] | None = None, metadata: Any = None
) -> Dataset:
    """Return data with names and metadata, given for all rows, also those with gaps."""
    rows = source_rows(dataset)
    count = dataset.n + dataset.left_out
    columns: dict[str, Any] = {}
    for title in () if metadata is None else metadata:
        values = np.asarray(metadata[title])
        _check_rows(values, count, f"The column “{title}”")
        numeric = values.dtype.kind in "biuf"
        found = values[rows]
        columns[str(title)] = found if numeric else [str(value) for value in found]
    if names is not None:
        _check_rows(names, count, "The list of names")
        names = tuple(str(names[row]) for row in rows)
    known = dataset.row_names if names is None else names
    return replace(dataset, row_names=known, columns={**dataset.columns, **columns})


def _check_rows(values: Any, count: int, what: str) -> None:
    if len(values) != count:
        raise DataError(
            f"{what} has {len(values):,} entries for {count:,} rows; give one a row."
        )


def _default_words(dataset: Dataset, missing: Missing) -> str:
    """Say what became of gaps, and how to have it otherwise; nothing without gaps."""
    if dataset.filled[0]:
        text = f"{filled_text(*dataset.filled)} {filling_text(missing)}"
        return f'{text}; missing="drop" leaves out their rows'
    if not dataset.left_out:
        return ""
    rows = "1 row with gaps is" if dataset.left_out == 1 else "rows with gaps are"
    count = "" if dataset.left_out == 1 else f"{dataset.left_out:,} "
    return f'{count}{rows} left out; missing="median" fills them'


def is_frame(X: Any) -> bool:
    """Whether something has columns of which each may mean something else."""
    return hasattr(X, "columns") and not isinstance(X, Dataset)


def scaling_of(X: Any, dataset: Dataset) -> Scaling:
    """Return the scaling with which data begin: of a frame as of a file, else none."""
    if not is_frame(X) or dataset.kind != "points":
        return "none"
    return suggested_scaling(dataset.points)


def frame_table(X: Any, name: str = "data", *, index: bool = True) -> Table:
    """Return a data frame as the table that its file would be.

    Parameters
    ----------
    X : data frame
    index : bool
        Whether its index, if it is more than numbers from 0 on, is read too.
    """
    X = X if hasattr(X, "iloc") else X.to_pandas()
    reading = Reading(Path(name))
    series = [X.iloc[:, j] for j in range(X.shape[1])]
    titles = [
        " ".join(map(str, title)) if isinstance(title, tuple) else title
        for title in X.columns
    ]
    if index:
        levels = [X.index.get_level_values(k) for k in range(X.index.nlevels)]
        counts = type(X.index).__name__ == "RangeIndex" and X.index[:1].tolist() == [0]
        if not (counts and X.index.step == 1 and X.index.name is None):
            # Numbers that have no name are no measurements.
            series[:0] = [
                level.to_series()
                if level.name is not None
                else level.astype(str).astype("category").to_series()
                for level in levels
            ]
            titles[:0] = ["name" if v.name is None else v.name for v in levels]
    return _table(reading, unique_names(titles, reading), series, name)


def columns_of(content: Any, reading: Reading) -> list[Column]:
    """Return the columns of a mapping of names to values, or of a data frame."""
    series = {str(name): np.asarray(content[name]) for name in content}
    table = _table(reading, list(series), list(series.values()), reading.path.name)
    return list(table.columns)


def _table(reading: Reading, names: list[str], series: list[Any], title: str) -> Table:
    made: dict[int, Column] = {}
    cells: dict[int, list[Cell]] = {}
    for j, (name, values) in enumerate(zip(names, series, strict=True)):
        column = _column(name, values)
        if column is None:
            cells[j] = _cells(values)
        else:
            made[j] = column
    if cells:
        rows = list(zip(*cells.values(), strict=True))
        asked = [names[j] for j in cells]
        found = collect(reading, asked, lambda _: iter([rows] if rows else []), _RULES)
        made.update(zip(cells, found, strict=True))
    columns = tuple(made[j] for j in sorted(made))
    note_exact(reading, columns)
    if not columns or not columns[0].n:
        raise DataError(f"“{title}” is empty; give at least one row and one column.")
    return Table(
        columns,
        title,
        notes=tuple(reading.notes),
        format="Data frame",
        questions=tuple(reading.questions),
    )


_RULES = CellRules()


def _column(name: str, values: Any) -> Column | None:
    """Return what is known by its type; None for cells that have to be looked at."""
    kind = values.dtype.kind
    if values.dtype.name.startswith(("category", "dictionary")):
        words = Texts(_RULES)(_cells(values))
        return Column(name, object_array(words), "text")
    if kind in "iu":
        return whole_column(name, _whole(values))
    if kind in "fb" and hasattr(values, "to_numpy"):
        return Column(name, values.to_numpy(np.float64, na_value=np.nan, copy=True))
    if kind in "fb":
        return Column(name, values.astype(np.float64))
    if kind == "c":
        raise DataError(f"The column “{name}” is complex; give real numbers.")
    return None


def _whole(values: Any) -> NDArray[Any]:
    """Return whole numbers, as objects with None where any is missing."""
    if not hasattr(values, "isna") or not values.isna().any():
        return np.asarray(values)
    objects: NDArray[Any] = values.astype(object).where(values.notna(), None).to_numpy()
    return objects


def _cells(values: Any) -> list[Cell]:
    if values.dtype.kind in "Mm":
        return [text if text != "NaT" else "" for text in values.astype(str)]
    every: Iterable[Any] = values.tolist()
    return [_cell(value) for value in every]


def _cell(value: Any) -> Cell:
    # Nothing else differs from itself, or has no answer.
    if value is None or type(value).__name__ == "NAType" or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return int(value)
    return value if isinstance(value, str | int | float) else str(value)


def _dense(X: Any) -> NDArray[Any]:
    if not hasattr(X, "toarray"):
        return np.asarray(X)
    what = "The matrix with all its zeros"
    memory.require(8 * X.shape[0] * X.shape[1], what, "choose fewer rows or columns")
    return np.asarray(X.toarray())


def _array_table(points: NDArray[Any], name: str) -> Table:
    if points.ndim != 2:
        # Refuses it with its sentence.
        Dataset(np.zeros(points.shape), name=name)
    reading = Reading(Path(name))
    return _table(reading, default_names(points.shape[1]), list(points.T), name)


def _labelled(
    table: Table, chosen: ImportSettings, y: Any
) -> tuple[Table, ImportSettings]:
    """Return a table with one column more, which is the label.

    A column of numbers that was taken for it is a feature then.
    """
    values = y if hasattr(y, "dtype") else np.asarray(y)
    if values.shape not in ((table.n,), (table.n, 1)):
        raise DataError(
            f"There are labels of shape {values.shape} for {table.n} rows; give one "
            "per row."
        )
    if values.ndim == 2:
        values = np.asarray(values).ravel()
    name = free_name(str(getattr(y, "name", None) or LABEL), table.names)
    column = _column(name, values)
    if column is None:
        words = Texts(_RULES)(_cells(values))
        column = Column(name, object_array(words), "text")
    for other in chosen.columns("label"):
        role: Role = "ignore" if table.column(other).words else "feature"
        chosen = chosen.with_role(other, role)
    return (
        replace(table, columns=(*table.columns, column)),
        chosen.with_role(name, "label"),
    )


def read(
    path: str | os.PathLike[str], *, missing: Missing | None = None, **reading: Any
) -> Dataset:
    """Read a file as the window would open it: which columns are features is guessed.

    Parameters
    ----------
    path : path
        Of any format that the window opens, of a folder of files, of which it is a
        sample, or of pictures.
    missing : {"drop", "columns", "median", "nearest"}, optional
        What becomes of gaps; by default what the import sheet would propose.
    **reading
        Fields of `ReadOptions` that detection should not decide, such as ``header``.

    Examples
    --------
    ::

        wine = kpca_viewer.read("wine.csv")
        KernelPCA(2, kernel="rbf").fit_transform(wine.points)

    See Also
    --------
    generate : made-up data.
    load : a model that the program has saved.
    """
    place, options = planned(Path(path), ReadOptions(**reading))
    table = read_source(place, options=options)
    chosen = guess_import(table)
    if missing is not None:
        chosen = replace(chosen, missing=missing)
    return to_dataset(table, chosen)
