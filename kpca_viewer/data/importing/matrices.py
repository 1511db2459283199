"""Square files: kernel and distance matrices, recognised, measured and checked."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from kpca_viewer.data.table import Column, FloatArray, Table
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import percent, readable

MatrixKind = Literal["kernel", "distances"]

SMALLEST = 3
"""Smaller tables are square by chance."""

LARGEST = 20_000
LARGEST_SPECTRUM = 2000
"""Up to here, all eigenvalues take about a second."""

TOLERANCE = 1e-6
"""Of the largest entry: what printing with seven digits does to symmetry."""


@dataclass(frozen=True, eq=False)
class Recognised:
    """A square symmetric matrix among the columns of a table."""

    kind: MatrixKind
    columns: tuple[Column, ...]


def recognised_matrix(table: Table) -> Recognised | None:
    """Return the kernel or distance matrix that a table looks like, or None."""
    if not SMALLEST <= table.n <= LARGEST:
        return None
    columns = tuple(c for c in table.measured if c.kind == "number")
    if len(columns) == table.n + 1 and _counts(columns[0]):
        columns = columns[1:]
    if len(columns) != table.n or any(column.missing for column in columns):
        return None
    matrix = stacked(columns)
    if not np.isfinite(matrix).all() or asymmetry(matrix) > slack(matrix):
        return None
    diagonal = np.diagonal(matrix)
    if diagonal.any():
        return Recognised("kernel", columns)
    if matrix.min() >= 0 and matrix.any():
        return Recognised("distances", columns)
    return None


def stacked(columns: tuple[Column, ...]) -> FloatArray:
    """Return number columns side by side, shape (n, d)."""
    matrix = np.empty((columns[0].n, len(columns)))
    for j, column in enumerate(columns):
        matrix[:, j] = column.values
    return matrix


def asymmetry(matrix: FloatArray) -> float:
    """Return the largest difference between an entry and its mirror image."""
    return float(np.abs(matrix - matrix.T).max(initial=0.0))


def slack(matrix: FloatArray) -> float:
    return TOLERANCE * float(np.abs(matrix).max(initial=0.0))


def matrix_report(table: Table) -> str:
    """Say in one sentence what kind of matrix a table holds, with numbers.

    Raises
    ------
    DataError
        If its columns of numbers are not square and complete.
    """
    columns = tuple(c for c in table.measured if c.kind == "number")
    if len(columns) == table.n + 1 and _counts(columns[0]):
        columns = columns[1:]
    matrix = stacked(columns) if columns else np.empty((table.n, 0))
    n, d = matrix.shape
    if n != d:
        raise DataError(
            f"The table has {n:,} rows and {d:,} columns of numbers, so it is not a "
            "square matrix; open it as points."
        )
    if not np.isfinite(matrix).all():
        raise DataError(
            "The matrix has missing or infinite entries; complete it, or open it as "
            "points."
        )
    difference, diagonal = asymmetry(matrix), np.diagonal(matrix)
    if difference > slack(matrix):
        i, j = np.unravel_index(np.argmax(np.abs(matrix - matrix.T)), matrix.shape)
        return (
            f"{n:,} × {n:,}, not symmetric: row {i + 1}, column {j + 1} differs from "
            f"its mirror image by {readable(difference, 3)}."
        )
    symmetry = "exactly symmetric"
    if difference:
        symmetry = f"symmetric up to {readable(difference, 2)}"
    parts = [f"{n:,} × {n:,}, {symmetry}", f"diagonal {_range(diagonal)}"]
    if n <= LARGEST_SPECTRUM:
        parts.append(_definiteness((matrix + matrix.T) / 2))
    return "; ".join(parts) + "."


def checked_matrix(matrix: FloatArray, kind: MatrixKind) -> FloatArray:
    """Refuse what is no kernel or distance matrix; average rounding differences."""
    difference = np.abs(matrix - matrix.T)
    i, j = np.unravel_index(np.argmax(difference), matrix.shape)
    if difference[i, j] > slack(matrix):
        raise DataError(
            f"The matrix is not symmetric: row {i + 1:,}, column {j + 1:,} holds "
            f"{readable(matrix[i, j])} but row {j + 1:,}, column {i + 1:,} holds "
            f"{readable(matrix[j, i])}; correct one of them, or open the file as "
            "points."
        )
    matrix = (matrix + matrix.T) / 2
    if kind == "kernel":
        return matrix
    if matrix.min() < 0:
        i, j = np.unravel_index(np.argmin(matrix), matrix.shape)
        raise DataError(
            f"Row {i + 1:,}, column {j + 1:,} holds the negative distance "
            f"{readable(matrix[i, j])}; correct it, or open the file as a kernel "
            "matrix."
        )
    diagonal = np.diagonal(matrix)
    if diagonal.any():
        i = np.argmax(diagonal)
        raise DataError(
            f"The distance of row {i + 1:,} to itself is {readable(matrix[i, i])} "
            "instead of 0; correct it, or open the file as a kernel matrix."
        )
    return matrix


def _definiteness(matrix: FloatArray) -> str:
    """Name the sign of the smallest eigenvalue of what kernel PCA would see."""
    what = "smallest eigenvalue"
    if not np.diagonal(matrix).any() and matrix.min(initial=0.0) >= 0:
        # Distances are judged by the kernel that classical scaling makes of them.
        matrix = -0.5 * np.square(matrix)
        matrix = (
            matrix - matrix.mean(axis=0) - matrix.mean(axis=1)[:, None] + matrix.mean()
        )
        what = "smallest eigenvalue of −½ H D² H"
    # numpy lets go of the interpreter lock here, so that a window stays alive.
    values = np.linalg.eigvalsh(matrix)
    noise = len(values) * np.finfo(float).eps * float(np.abs(values).max(initial=0.0))
    smallest = float(values[0])
    if smallest < -max(noise, 1e-10 * float(np.abs(values).max(initial=0.0))):
        share = float(-values[values < 0].sum() / np.abs(values).sum())
        mass = percent(share)
        return f"{what} is {readable(smallest, 3)}: indefinite, negative mass {mass}"
    if smallest > noise:
        return f"{what} is {readable(smallest, 3)}: positive definite"
    return f"{what} is 0 up to rounding: positive semidefinite"


def _range(values: FloatArray) -> str:
    low, high = float(values.min()), float(values.max())
    if low == high:
        return readable(low)
    return f"{readable(low)} … {readable(high)}"


def _counts(column: Column) -> bool:
    return bool(column.whole and (np.diff(column.values) == 1).all())
