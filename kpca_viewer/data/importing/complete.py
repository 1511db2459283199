"""Cells that are missing: counted, left out or filled."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.importing.features import Source, numbers_of
from kpca_viewer.data.importing.settings import ImportSettings, Missing
from kpca_viewer.data.table import Column, FloatArray, IntArray, Table, listed
from kpca_viewer.support.errors import DataError

NEIGHBOURS = 5
"""Whose mean fills a gap; scikit-learn's default."""

MOST_COMPARISONS = 2e8
"""Gaps × rows at most, which takes about ten seconds: for every column with gaps the
nearest of the rows that have it are looked for."""


def fill_by_nearest(points: FloatArray, words: Sequence[slice] = ()) -> FloatArray:
    """Return points (n, d) with their gaps filled by scikit-learn's `KNNImputer`.

    Rows are near by the columns that both have, each divided by its standard deviation,
    lest the column of the largest unit decide. ``words``: columns of 0 and 1 that stand
    for one column of words: the most frequent word of the neighbours fills the gap.
    """
    gaps = np.isnan(points)
    count = int(gaps.sum())
    if count * len(points) > MOST_COMPARISONS:
        raise DataError(
            f"To look for the nearest of {len(points):,} rows for {count:,} gaps would "
            "take too long; fill them by the median, or draw a sample."
        )
    from sklearn.impute import KNNImputer

    spread = np.nanstd(points, axis=0)
    spread[~(spread > 0)] = 1.0
    imputer = KNNImputer(n_neighbors=NEIGHBOURS, keep_empty_features=True)
    filled: FloatArray = imputer.fit_transform(points / spread) * spread
    for part in words:
        rows = gaps[:, part.start]
        found = filled[rows, part].argmax(axis=1)
        filled[rows, part] = np.eye(part.stop - part.start)[found]
    # Multiplied back, a number would differ from that of the file in its last digit.
    return np.where(gaps, filled, points)


def gaps_of(column: Column, settings: ImportSettings) -> NDArray[np.bool_]:
    """Return which cells (n,) of a feature count as missing."""
    lenient = settings.treat_text_as_missing
    numbers = numbers_of(column, settings)
    if numbers is not None and (lenient or column.kind == "number"):
        # Infinities and words are missing by request only.
        return ~np.isfinite(numbers) if lenient else np.isnan(numbers)
    words = {None, *settings.missing_words}
    found = np.array([value in words for value in column.values], dtype=bool)
    if numbers is not None and column.numbers is not None:
        found |= np.isnan(numbers) & ~np.isnan(column.numbers)  # the sentinels
    return found


class GapCounter:
    """Counts the rows with gaps while features come and go.

    Only the columns that have changed are looked at again: a person clicks through a
    table of a million rows.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rules: object = None
        self._features: set[str] = set()
        self._gaps = np.zeros(table.n, dtype=np.int32)

    def rows(self, features: Iterable[str], settings: ImportSettings) -> int:
        """Return how many rows have a gap in one of these features."""
        rules = (
            settings.treat_text_as_missing,
            settings.missing_words,
            settings.sentinels,
        )
        if rules != self._rules:
            self._rules, self._features = rules, set()
            self._gaps[:] = 0
        wanted = set(features)
        if not settings.treat_text_as_missing:
            # Of 100,000 columns, few have a gap.
            wanted &= self._table.with_gaps.union(name for name, _ in rules[2])
        for name in wanted - self._features:
            self._gaps += self._of(name, settings)
        for name in self._features - wanted:
            self._gaps -= self._of(name, settings)
        self._features = wanted
        kept = kept_rows(self._table, settings)
        return int(np.count_nonzero(self._gaps if kept is None else self._gaps[kept]))

    def columns(self, features: Iterable[str], settings: ImportSettings) -> int:
        """Return how many of these features have a gap."""
        kept = kept_rows(self._table, settings)
        rows: slice | IntArray = slice(None) if kept is None else kept
        self.rows(features, settings)
        return sum(
            bool(self._of(name, settings)[rows].any()) for name in self._features
        )

    def _of(self, name: str, settings: ImportSettings) -> NDArray[np.int32]:
        return gaps_of(self._table.column(name), settings).astype(np.int32)


Gaps = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Features:
    """The features of a table as numbers, complete."""

    points: FloatArray = field(repr=False)
    """Shape (m, d). Read-only, so that every data set that is made of it can share
    it."""
    names: tuple[str, ...] = field(repr=False)
    """Of the features."""
    rows: IntArray | None = field(default=None, repr=False)
    """Shape (m,). The rows of the table that were kept; None for all."""
    left_out: int = 0
    """Rows that were not kept because of gaps."""
    filled: tuple[int, int] = (0, 0)
    """Cells of the kept rows that were gaps, and the columns they are in."""
    filled_cells: IntArray | None = field(default=None, repr=False)
    """Shape (m,). How many cells of each kept row were gaps; None where none was."""

    def __post_init__(self) -> None:
        self.points.flags.writeable = False


def complete(
    table: Table,
    sources: list[Source],
    points: FloatArray,
    settings: ImportSettings,
    typical: FloatArray | None = None,
) -> Features:
    """Leave out rows with gaps, or fill them; draw a sample where one is wanted.

    ``points`` (n, d); ``typical`` (d,): with what gaps are filled, where a data set
    exists already: nearest rows are looked for among those of one table.
    """
    names = tuple(name for source in sources for name in source.names)
    gaps = np.isnan(points)
    rows, left_out = None, 0
    incomplete = bool(gaps.any())
    fills = settings.missing in ("median", "nearest") and incomplete
    if incomplete:
        whole = np.ones(len(points), dtype=bool)
        whole[np.flatnonzero(gaps) // points.shape[1]] = False
        if typical is None and not whole.any():
            _check_any_value(names, gaps)
        if settings.missing == "median" and typical is None:
            typical = typical_values(sources, points)
        if not fills:
            rows = np.flatnonzero(whole)
            _check_enough(table, names, gaps, len(rows), 2 if typical is None else 1)
            left_out = table.n - len(rows)
    rows = sampled(rows, table.n, settings)
    if rows is not None:
        points = points.take(rows, axis=0)
        # Where rows with gaps are left out, none of those kept has one.
        gaps = gaps[rows] if fills else gaps
    if not fills or not gaps.any():
        return Features(points, names, rows, left_out)
    parts = _parts(sources)
    if typical is not None:
        points = np.where(gaps, typical, points)
    else:
        words = [part for source, part in parts if source.values]
        points = fill_by_nearest(points, words)
    # Words have several columns here, and one in the file.
    cells = gaps[:, [part.start for _, part in parts]]
    filled = (int(cells.sum()), int(cells.any(axis=0).sum()))
    return Features(points, names, rows, left_out, filled, cells.sum(axis=1))


def without_gaps(table: Table, settings: ImportSettings) -> ImportSettings:
    """Return settings in which features with gaps are metadata, if that is asked for.

    What comes later, such as new rows and parts, knows a list of columns then.
    """
    if settings.missing != "columns":
        return settings
    features, kept = settings.columns("feature"), kept_rows(table, settings)
    roles = dict(settings.roles)
    for name in features:
        gaps = gaps_of(table.column(name), settings)
        if (gaps if kept is None else gaps[kept]).any():
            roles[name] = "ignore"
    if features and "feature" not in roles.values():
        raise DataError(
            "Every feature has a gap, so no column is left; drop rows, or fill gaps "
            "by the median."
        )
    return replace(settings, roles=tuple(roles.items()), missing="drop")


def kept_rows(table: Table, settings: ImportSettings) -> IntArray | None:
    """Return the rows of a table that are data; None for all of them."""
    if not settings.left_out:
        return None
    numbers = table.row_numbers
    if numbers is None:
        numbers = np.arange(1, table.n + 1)
    return np.flatnonzero(~np.isin(numbers, settings.left_out))


def filled_text(cells: int, columns: int) -> str:
    """Return how many gaps were filled: "12 gaps in 3 columns are filled"."""
    gaps = "1 gap" if cells == 1 else f"{cells:,} gaps"
    where = "1 column" if columns == 1 else f"{columns:,} columns"
    return f"{gaps} in {where} {'is' if cells == 1 else 'are'} filled"


def filling_text(missing: Missing) -> str:
    """Return by what gaps are filled: "by the nearest rows"."""
    return "by the nearest rows" if missing == "nearest" else "by the median"


def sampled(rows: IntArray | None, n: int, settings: ImportSettings) -> IntArray | None:
    """Return the rows of a table that are kept, drawn from ``rows``; None for all."""
    size, most = settings.sample, n if rows is None else len(rows)
    if size is None or size >= most:
        return rows
    if size < 2:
        raise DataError(
            f"A sample of {size} rows shows nothing; keep at least two rows."
        )
    random = np.random.default_rng(settings.sample_seed)
    chosen = np.sort(random.choice(most, size, replace=False))
    return chosen if rows is None else rows[chosen]


def typical_values(sources: list[Source], points: FloatArray) -> FloatArray:
    """Return the medians (d,) of numbers; of words, the most frequent one."""
    typical = np.empty(points.shape[1])
    for source, part in _parts(sources):
        if source.values:
            typical[part] = 0.0
            typical[part.start + np.argmax(np.nansum(points[:, part], axis=0))] = 1.0
        else:
            typical[part] = np.nanmedian(points[:, part], axis=0)
    return typical


def _parts(sources: list[Source]) -> list[tuple[Source, slice]]:
    """Return every column of the file with its columns of the matrix."""
    parts, start = [], 0
    for source in sources:
        parts.append((source, slice(start, start + len(source.names))))
        start += len(source.names)
    return parts


def _check_any_value(names: tuple[str, ...], gaps: Gaps) -> None:
    empty = np.flatnonzero(gaps.all(axis=0))
    if empty.size:
        verb = "holds" if empty.size == 1 else "hold"
        raise DataError(
            f"{listed(names[j] for j in empty)} {verb} no number in any row; make "
            "what is empty metadata."
        )


def _check_enough(
    table: Table, names: tuple[str, ...], gaps: Gaps, count: int, least: int
) -> None:
    if count >= least:
        return
    worst = np.argsort(-gaps.sum(axis=0), kind="stable")[:3]
    left = "No row" if not count else "Only one row"
    raise DataError(
        f"{left} of {table.n:,} is complete, most gaps are in "
        f"{listed(names[j] for j in worst)}; fill them with the median, or make "
        "these columns metadata."
    )
