"""The numbers of a result as tables: coordinates, eigenvalues, the kernel matrix."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers.problem import score_bounds
from kpca_viewer.data.dataset import Dataset, row_numbers
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.remarks import strip_words
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import ExportError

Texts = tuple[str, ...]

LARGEST_MATRIX = 5_000
"""Rows of a kernel matrix that is written: 25 million numbers, 200 MB as NPZ."""


@dataclass(frozen=True, eq=False)
class ExportTable:
    """Columns with different names, ready for any format."""

    name: str
    """What the table is, for file names and messages."""
    columns: tuple[tuple[str, Array | Texts], ...]
    """Pairs (name, values). Values are arrays (n,) of numbers or flags, or tuples of n
    texts."""
    arrays: Mapping[str, Array]
    """The same content as whole arrays, for NPZ."""
    note: str = ""
    """What has to be known beside the numbers: steps that were forgotten."""

    @property
    def rows(self) -> int:
        return len(self.columns[0][1])

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, len(self.columns)


def coordinates(
    result: AnalysisResult,
    selection: Array | None = None,
    *,
    names: Mapping[int, str] | None = None,
    features: bool = False,
    only_selected: bool = False,
    odd: bool = False,
) -> ExportTable:
    """Return the scores of every row, with everything that is known about it.

    Its name, its label, whether it is selected (n,), and every column of the file that
    is no feature, or is one with ``features``; the ``names`` that the person gave;
    cos², T² and SPE with ``odd``, as far as the result has them. New rows follow, where
    there are any; a column ``set`` says which is which. Raises `ExportError` if
    ``only_selected`` rows are wanted and there are none.
    """
    fitted, result = result.dataset, result.all_rows
    dataset, new = result.dataset, result.dataset.n - fitted.n
    rows = _rows(fitted, selection, only_selected)
    numbers = row_names(fitted, rows)
    if new and not only_selected:
        rows = np.arange(dataset.n)
        numbers = _all_names(fitted, dataset)
    flags = np.zeros(fitted.n, dtype=bool) if selection is None else selection
    flags = np.append(np.asarray(flags, dtype=bool), np.zeros(new, dtype=bool))[rows]
    scores = np.asarray(result.scores, dtype=np.float64)[rows]
    columns: list[tuple[str, Array | Texts]] = [("row", numbers)]
    arrays: dict[str, Array] = {
        "row": np.array(numbers),
        "row_index": rows,
        "selected": flags,
        "scores": scores,
    }
    if new:
        told = "new" if result.scoring.centers_new else "new, not centred"
        sets = tuple("training" if row < fitted.n else told for row in rows.tolist())
        columns.append(("set", sets))
        arrays["set"] = np.array(sets)
    if names:
        given = tuple(names.get(row, "") for row in rows.tolist())
        columns.append(("name", given))
        arrays["name"] = np.array(given)
    if dataset.labels is not None:
        codes = dataset.labels[rows]
        labels = tuple(dataset.label_names[c] if c >= 0 else "" for c in codes.tolist())
        columns.append(("label", labels))
        arrays["label"] = codes
        arrays["label_names"] = np.array(dataset.label_names)
    columns.append(("selected", flags))
    described, described_arrays = metadata(dataset, rows)
    columns += described
    arrays |= described_arrays
    if features and dataset.kind == "points":
        points = dataset.points[rows]
        columns += [
            (name, points[:, j]) for j, name in enumerate(dataset.feature_names)
        ]
        arrays["features"] = points
        arrays["feature_names"] = np.array(dataset.feature_names)
    # A CSV file has no room for a note but the names of its columns.
    how = "" if result.scoring.normalised else " (1/√μ forgotten)"
    columns += [(f"PC{j + 1}{how}", scores[:, j]) for j in range(scores.shape[1])]
    if odd:
        about = {known.name: known.values[rows] for known in result.row_values()}
        columns += about.items()
        arrays |= about
    return ExportTable("coordinates", distinct(columns), arrays, strip_words(result))


def metadata(
    dataset: Dataset, rows: Array
) -> tuple[list[tuple[str, Array | Texts]], dict[str, Array]]:
    """Return what else is known of rows: as columns, and as arrays for NPZ.

    There, a column of words is one of codes, with the words beside it.
    """
    columns: list[tuple[str, Array | Texts]] = []
    arrays: dict[str, Array] = {}
    for name, column in dataset.columns.items():
        kept = column.take(rows)
        columns.append((name, _whole(kept.values) if kept.numeric else kept.texts()))
        arrays[f"column {name}"] = kept.values
        if kept.words is not None:
            arrays[f"words {name}"] = np.array(kept.words)
    return columns, arrays


def _whole(values: Array) -> Array:
    """Return numbers as integers where all of them are: a year 2008 is no 2008.0."""
    whole = np.abs(values).max(initial=0.0) <= 2.0**53 and (values % 1 == 0).all()
    return values.astype(np.int64) if whole else values


def eigenvalues(result: AnalysisResult) -> ExportTable:
    """Return every eigenvalue with its bounds and its share of the whole.

    And bounds on the angle of its direction (radians) and on the norm of the error of
    its scores; infinite where it is not told from its neighbours.
    """
    found = result.decomposition
    count = len(found.eigenvalues)
    columns: dict[str, Array] = {
        "component": np.arange(1, count + 1),
        "eigenvalue": np.asarray(found.eigenvalues, dtype=np.float64),
        "lower": np.asarray(found.bounds[:, 0], dtype=np.float64),
        "upper": np.asarray(found.bounds[:, 1], dtype=np.float64),
        "share": np.asarray(result.shares, dtype=np.float64),
        "cumulative": np.cumsum(result.shares, dtype=np.float64),
        "angle": np.asarray(found.angle_bounds, dtype=np.float64),
        "score_error": score_bounds(found),
    }
    return ExportTable(
        "eigenvalues", tuple(columns.items()), columns, strip_words(result)
    )


def kernel_matrix(
    result: AnalysisResult,
    selection: Array | None = None,
    *,
    centred: bool = False,
    only_selected: bool = False,
) -> ExportTable:
    """Return the kernel matrix of all rows, or of the selected ones.

    A given matrix is returned as it was given, distances as distances. Centred, it is
    what the eigenvalues belong to: all rows take part in the means, also where only
    some of them are wanted.

    Raises `ExportError` if the matrix is too large to be of use in a file.
    """
    dataset = result.dataset
    rows = _rows(dataset, selection, only_selected)
    needed = dataset.n if centred else len(rows)
    if needed > LARGEST_MATRIX:
        remedy = "select fewer rows" if not centred else "take the raw matrix"
        raise ExportError(
            f"The kernel matrix of {needed:,} rows has {needed**2:,} entries; {remedy} "
            f"(up to {LARGEST_MATRIX:,}), or export the coordinates."
        )
    matrix = _matrix(result, np.arange(dataset.n) if centred else rows, centred)
    if centred:
        if dataset.kind == "distances":
            matrix = -0.5 * np.square(matrix)
        means = matrix.mean(axis=0)
        matrix = matrix - means - means[:, None] + means.mean()
        matrix = matrix[np.ix_(rows, rows)]
    names = row_names(dataset, rows)
    columns: list[tuple[str, Array | Texts]] = [("row", names)]
    columns += [(str(name), matrix[:, j]) for j, name in enumerate(names)]
    kind = "centred kernel matrix" if centred else "kernel matrix"
    arrays = {"matrix": matrix, "row": np.array(names), "row_index": rows}
    return ExportTable(kind, distinct(columns), arrays, strip_words(result))


def row_names(dataset: Dataset, rows: Array) -> Texts | Array:
    """Return the names of rows, or their numbers in the source counted from 1."""
    if dataset.row_names is None:
        return row_numbers(dataset)[rows]
    return tuple(dataset.row_names[row] for row in rows.tolist())


def _all_names(fitted: Dataset, everything: Dataset) -> Texts | Array:
    """Return the names of rows and new rows; both are counted from 1 without any."""
    if everything.row_names is not None:
        return everything.row_names
    known, every = row_numbers(fitted), row_numbers(everything)
    return np.append(known, every[fitted.n :] - every[fitted.n - 1])


def _rows(dataset: Dataset, selection: Array | None, only_selected: bool) -> Array:
    if not only_selected:
        return np.arange(dataset.n)
    rows = np.flatnonzero(selection) if selection is not None else np.arange(0)
    if not rows.size:
        raise ExportError(
            "No row is selected; draw around some points first, or export all rows."
        )
    return rows


def _matrix(result: AnalysisResult, rows: Array, centred: bool) -> Array:
    if result.kernel is None:
        return np.array(result.dataset.points[np.ix_(rows, rows)])
    points = result.kernel.prepare_training(result.points, center=centred)
    return PointsGram(points.take(rows), result.kernel).matrix()


def distinct(
    columns: Iterable[tuple[str, Array | Texts]],
) -> tuple[tuple[str, Array | Texts], ...]:
    """Give a second “x” the name “x (2)”: half of all formats refuse two of a name."""
    used: set[str] = set()
    named = []
    for name, values in columns:
        unique, count = name, 1
        while unique in used:
            count += 1
            unique = f"{name} ({count})"
        used.add(unique)
        named.append((unique, values))
    return tuple(named)
