"""What columns mean as long as it is not said, and which tables are matrices."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.data.image_rows import told_size
from kpca_viewer.data.importing.complete import gaps_of
from kpca_viewer.data.importing.settings import (
    MOST_MISSING,
    ImportSettings,
    Missing,
    Role,
)
from kpca_viewer.data.importing.suspects import (
    Sentinel,
    Suspect,
    Totals,
    find_gappy,
    find_sentinels,
    find_suspects,
    find_totals,
)
from kpca_viewer.data.table import DISTINCT_CAP, Column, FloatArray, Table
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
    columns = _matrix_columns(table)
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


def _matrix_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns of numbers, without one that counts the rows of a matrix."""
    columns = tuple(c for c in table.measured if c.kind == "number")
    counted = len(columns) == table.n + 1 and _counts(columns[0])
    return columns[1:] if counted else columns


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
    """Say in one sentence what kind of matrix a table holds, with numbers."""
    columns = _matrix_columns(table)
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
        matrix = double_center(-0.5 * np.square(matrix))
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


LABEL_NAMES = frozenset(
    (
        *("class", "classes", "label", "labels", "target", "targets", "species", "y"),
        *("category", "group", "cluster", "diagnosis", "variety", "outcome"),
    )
)
NAME_NAMES = frozenset(
    (
        *("name", "names", "id", "ids", "identifier", "title", "sample_id"),
        *("row_name", "row_names", "rowname"),
    )
)
INDEX_NAMES = frozenset(("unnamed: 0", "column 1", "index", "__index_level_0__", "row"))

FEW = 20
"""A column with at most so many different values can be a class."""

TOO_MANY_LOST = 0.2
"""Rows with gaps are filled instead of left out when they are more than this."""


@dataclass(frozen=True)
class Proposals:
    """What a table is taken for, and what of that a person may see otherwise."""

    settings: ImportSettings
    """The default of the window, the command line and Python alike."""
    suspects: tuple[Suspect, ...] = ()
    """Columns that are taken for something else than features."""
    sentinels: tuple[Sentinel, ...] = ()
    """Numbers that count as missing."""
    totals: Totals | None = None
    """The row that is left out."""


def guess_import(table: Table, most_missing: float = MOST_MISSING) -> ImportSettings:
    """Return the settings that most people would choose for a table."""
    return propose(table, most_missing).settings


def propose(table: Table, most_missing: float = MOST_MISSING) -> Proposals:
    """Return the settings that most people would choose, with reasons for guesses.

    A column of which more than ``most_missing`` is missing is proposed as metadata.
    """
    recognised = None if table.described else recognised_matrix(table)
    if recognised is not None:
        given = _matrix_roles(table, recognised.columns)
        return Proposals(ImportSettings(given, matrix=recognised.kind))
    totals = find_totals(table)
    if totals is not None:
        table = table.take(np.arange(table.n - 1))
    roles = _roles(table)
    taken = set(roles.values())
    features = [name for name, role in roles.items() if role == "feature"]
    suspects = find_suspects(
        table, features, named="name" in taken, labelled="label" in taken
    )
    for suspect in suspects:
        roles[suspect.column] = suspect.role
    columns = [c for c in table.columns if roles[c.name] == "feature"]
    sentinels = find_sentinels(columns)
    settings = ImportSettings(
        tuple(roles.items()),
        sentinels=tuple((s.column, s.value) for s in sentinels),
        left_out=() if totals is None else (totals.number,),
    )
    gappy = find_gappy(missing_shares(columns, settings), most_missing)
    for suspect in gappy:
        roles[suspect.column] = suspect.role
    settings = replace(settings, roles=tuple(roles.items()))
    settings = replace(settings, missing=guess_missing(table, settings))
    return Proposals(settings, (*suspects, *gappy), tuple(sentinels), totals)


def _roles(table: Table) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    known = frozenset(table.described)
    told = table
    if known:
        told = replace(
            table, columns=tuple(c for c in table.columns if c.name in known)
        )
    label = _label(told)
    name = _row_name(told, label)
    for column in table.measured:
        role = _role(column, label, name, table.n)
        measured = role != "feature" or column.name not in known
        roles[column.name] = role if measured else "ignore"
    plain = [c.name for c in table.measured if c.kind == "number"]
    pixels = [c for c in plain if c not in known and c not in (label, name)]
    if told_size(pixels) is not None:
        # A pixel that is black everywhere has its place in the picture.
        roles |= dict.fromkeys(pixels, "feature")
    if "feature" not in roles.values():
        # Nothing but text: answers of a questionnaire can still be told apart.
        for column in table.measured:
            if roles[column.name] == "ignore" and _categories(column, table.n, 50):
                roles[column.name] = "feature"
    return roles | dict.fromkeys(table.places, "ignore")


def _role(column: Column, label: str | None, name: str | None, n: int) -> Role:
    if column.name == label:
        return "label"
    if column.name == name:
        return "name"
    # In a single row everything is constant; its own message says so.
    if (column.constant and n > 1) or _is_index(column):
        return "ignore"
    return "ignore" if column.words else "feature"


def _label(table: Table) -> str | None:
    columns = [c for c in table.measured if not c.constant and not _is_index(c)]
    lower = {column.name.lower() for column in columns}
    for column in columns:
        word = column.name.lower()
        # Beside an x, a y of numbers that are no codes is the other coordinate.
        measured = column.kind == "number" and not _codes(column, table.n)
        coordinate = word == "y" and "x" in lower and measured
        if word in LABEL_NAMES and not coordinate:
            return column.name
    texts = [c for c in columns if c.kind == "text" and _categories(c, table.n, FEW)]
    texts = [c for c in texts if c.words]
    if texts:
        last = table.measured[-1]
        return (last if last in texts else texts[0]).name
    for end in (table.measured[-1], table.measured[0]):
        if _codes(end, table.n) and end in columns:
            # Where most columns are like this, they are answers or counts.
            alike = sum(_codes(column, table.n) for column in columns)
            return end.name if alike <= len(columns) / 2 else None
    return None


def _row_name(table: Table, label: str | None) -> str | None:
    named = [c for c in table.measured if c.name.lower() in NAME_NAMES]
    unique = [c for c in table.measured if c.words and table.n > 1 and _all_differ(c)]
    for column in (*(c for c in named if c in unique), *unique, *named):
        if column.name != label:
            return column.name
    return None


def _codes(column: Column, n: int) -> bool:
    return column.whole and _categories(column, n, FEW)


def _categories(column: Column, n: int, most: int) -> bool:
    return 2 <= column.distinct <= min(most, max(n // 2, 2)) and column.distinct < n


def _all_differ(column: Column) -> bool:
    if column.missing or column.distinct < min(column.n, DISTINCT_CAP):
        return False
    if column.coded is not None and column.coded.words is not None:
        return len(column.coded.words) == column.n
    return len(set(column.values.tolist())) == column.n


def _is_index(column: Column) -> bool:
    """Whether a column only counts the rows, as tables often do when saved."""
    if column.name.lower() not in INDEX_NAMES or not column.whole or column.missing:
        return False
    steps = np.diff(column.values)
    return bool(column.n > 1 and (steps == 1).all())


def missing_shares(
    columns: Iterable[Column], settings: ImportSettings
) -> dict[str, float]:
    """Return which share of every column is missing, sentinels among them."""
    special = {name for name, _ in settings.sentinels}
    return {
        c.name: float(gaps_of(c, settings).mean())
        if c.name in special
        else c.missing / max(c.n, 1)
        for c in columns
    }


def guess_missing(table: Table, settings: ImportSettings) -> Missing:
    """Return what becomes of gaps unless something else is chosen: the one default.

    Their rows are left out; where that would be more than one in five, they are filled
    by the median.
    """
    gaps = np.zeros(table.n, dtype=bool)
    special = {name for name, _ in settings.sentinels}
    for name in settings.columns("feature"):
        column = table.column(name)
        if column.missing or name in special:
            gaps |= gaps_of(column, settings)
    return "median" if gaps.mean() > TOO_MANY_LOST else "drop"


def _matrix_roles(
    table: Table, features: tuple[Column, ...]
) -> tuple[tuple[str, Role], ...]:
    inside = {column.name for column in features}
    roles: dict[str, Role] = {}
    for column in table.columns:
        if column.name in inside:
            roles[column.name] = "feature"
        elif column.kind == "text" and "name" not in roles.values():
            roles[column.name] = "name" if _all_differ(column) else "label"
        else:
            roles[column.name] = "ignore"
    return tuple(roles.items())
