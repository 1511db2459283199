"""What tells selected rows from the others: classes, columns, categories."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.rows.groups import RowGroup

Mask = NDArray[np.bool_]

MOST_COLUMNS = 3
LEAST_EFFECT = 0.2
"""Standard deviations below which a difference of means is called small (Cohen)."""

LEVEL = 0.01
"""Of the test that calls a category enriched, corrected for all that are tried."""

MOST_CELLS = 4_000_000
"""Cells from which effects are those of as many rows as there is time for."""


class ClassShare(NamedTuple):
    name: str
    rows: int
    share: float
    """Of the selected rows."""


class ColumnEffect(NamedTuple):
    name: str
    effect: float
    """Difference of the means in pooled standard deviations, selected minus others."""


class Enriched(NamedTuple):
    column: str
    value: str
    share: float
    """Of the selected rows that have this value."""
    others: float
    """Of all other rows."""


@dataclass(frozen=True)
class SelectionSummary:
    """What selected rows are, as far as the data tell."""

    count: int
    n: int
    classes: tuple[ClassShare, ...] = ()
    """Of the classes that are selected, the most frequent first."""
    columns: tuple[ColumnEffect, ...] = ()
    categories: tuple[Enriched, ...] = ()


def summarise(dataset: Dataset, selected: Mask) -> SelectionSummary:
    """Return what tells the selected rows (n,) from the others."""
    count = int(selected.sum())
    summary = SelectionSummary(count, dataset.n, _classes(dataset, selected))
    if not 0 < count < dataset.n:
        return summary
    return SelectionSummary(
        count,
        dataset.n,
        summary.classes,
        _columns(dataset, selected),
        _categories(dataset, selected),
    )


def find_groups(scores: NDArray[np.float64], count: int | None) -> NDArray[np.intp]:
    """Return the group of every row (n,), the largest first, −1 for none.

    Parameters
    ----------
    scores : ndarray of shape (n, k)
    count : int or None
        As many groups by k-means; None for those that HDBSCAN finds by density.
    """
    if count is None:
        from sklearn.cluster import HDBSCAN

        smallest = max(5, len(scores) // 50)
        if len(scores) <= smallest:
            return np.full(len(scores), -1, dtype=np.intp)
        found = HDBSCAN(min_cluster_size=smallest, copy=True).fit_predict(scores)
    else:
        # Among equal points there are fewer groups than were requested.
        scale = np.abs(scores).max(initial=0.0) or 1.0
        count = min(count, len(np.unique(np.round(scores / scale, 9), axis=0)))
        from sklearn.cluster import KMeans

        found = KMeans(count, n_init=4, random_state=0).fit_predict(scores)
    codes, sizes = np.unique(found[found >= 0], return_counts=True)
    order = {int(code): place for place, code in enumerate(codes[np.argsort(-sizes)])}
    return np.array([order.get(int(code), -1) for code in found], dtype=np.intp)


def found_name(code: int) -> str:
    """Return what a group is called that was found, by its code."""
    return f"group {code + 1}"


def is_found(group: RowGroup) -> bool:
    """Return whether a group was found before; others were named by a person."""
    head, _, number = group.name.partition(" ")
    return group.column == head == "group" and number.isdecimal()


def _classes(dataset: Dataset, selected: Mask) -> tuple[ClassShare, ...]:
    if dataset.labels is None or not selected.any():
        return ()
    codes, counts = np.unique(dataset.labels[selected], return_counts=True)
    found = [
        ClassShare(
            dataset.label_names[code] if code >= 0 else "no label",
            int(count),
            float(count / selected.sum()),
        )
        for code, count in zip(codes, counts, strict=True)
    ]
    return tuple(sorted(found, key=lambda each: -each.rows))


def _columns(dataset: Dataset, selected: Mask) -> tuple[ColumnEffect, ...]:
    """Return the columns whose means differ most, by Cohen's d."""
    if dataset.kind != "points":
        return ()
    inside, outside = np.flatnonzero(selected), np.flatnonzero(~selected)
    most = max(MOST_CELLS // max(dataset.d, 1), 2)
    points = dataset.points
    a, b = (points[_thinned(rows, most)] for rows in (inside, outside))
    if len(a) < 2 or len(b) < 2:
        return ()
    spread = ((len(a) - 1) * a.var(0, ddof=1) + (len(b) - 1) * b.var(0, ddof=1)) / (
        len(a) + len(b) - 2
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        effects = (a.mean(0) - b.mean(0)) / np.sqrt(spread)
    effects = np.where(np.isfinite(effects), effects, 0.0)
    order = np.argsort(-np.abs(effects))[:MOST_COLUMNS]
    return tuple(
        ColumnEffect(dataset.feature_names[j], float(effects[j]))
        for j in order
        if abs(effects[j]) >= LEAST_EFFECT
    )


def _thinned(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    return rows if len(rows) <= most else rows[:: -(-len(rows) // most)]


def _categories(dataset: Dataset, selected: Mask) -> tuple[Enriched, ...]:
    """Return the categories that selected rows have more often than chance allows."""
    tables = []
    for name, column in dataset.columns.items():
        if column.words is None:
            continue
        codes, size = column.values, len(column.words)
        inside = np.bincount(codes[selected & (codes >= 0)], minlength=size)
        overall = np.bincount(codes[codes >= 0], minlength=size)
        tables.append((name, column.words, inside, overall))
    if not tables:
        return ()
    # Loading it takes tenths of a second.
    from scipy.stats import hypergeom

    tried = sum(len(names) for _, names, *_ in tables)
    count, n = int(selected.sum()), dataset.n
    found: list[tuple[float, Enriched]] = []
    for name, names, inside, overall in tables:
        chance = hypergeom.sf(inside - 1, n, overall, count)
        for code in np.flatnonzero(chance * tried < LEVEL):
            share = float(inside[code] / count)
            others = float((overall[code] - inside[code]) / (n - count))
            known = Enriched(name, str(names[code]), share, others)
            found.append((float(chance[code]), known))
    found.sort(key=lambda each: each[0])
    return tuple(each for _, each in found[:2])
