"""How much noise a table holds, without knowing what it would be without."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, is_sparse

Array = NDArray[Any]

MOST_ROWS = 1000
"""From which the noise is read."""

LEAST_ROWS = 17
"""Fewer do not tell of noise."""

FLOOR = 0.1
"""Part of the directions, at least one, that is taken to hold nothing but noise."""

QUIET = 0.25
"""Part of the columns that are taken to be alike in most pairs of similar rows."""


def noise_level(points: Points) -> float | None:
    """Variance of noise that is alike in all columns and independent between them.

    Three numbers that noise raises, and structure as well, so that none is too small
    but by chance; the smallest one is taken. One is the variance along the narrowest
    directions of the table. The others take for every row the one that is nearest by
    every second column, and compare both by the other columns, whose noise had no say
    in the choice: by the mean square over all columns, and by the median of those
    columns that differ least. Constant columns do not count.

    Returns
    -------
    float or None
        σ², at most by chance less than the noise has; None where it cannot be told: in
        sparse tables, and in those of fewer than 17 rows.
    """
    if is_sparse(points.X) or len(points) < LEAST_ROWS:
        return None
    index = np.unique(np.linspace(0, len(points) - 1, MOST_ROWS).astype(int))
    X = np.asarray(points.X[index], dtype=np.float64)
    X = X[:, np.ptp(X, axis=0) > 0] if len(X) else X
    if not X.shape[1]:
        return 0.0
    X = X - X.mean(axis=0)
    found = [_floor(X)]
    if X.shape[1] > 1:
        found += _between_nearest(X)
    return min(found)


def narrow_directions(X: Array) -> Array:
    """Return the directions (d, c) in which centred rows (n, d) spread least."""
    count = max(int(FLOOR * X.shape[1]), 1)
    return np.asarray(np.linalg.eigh(X.T @ X)[1][:, :count])


def _floor(X: Array) -> float:
    """Return the variance along the narrowest directions of centred rows (n, d)."""
    n, d = len(X) - 1, X.shape[1]
    few, many = min(n, d), max(n, d)
    squares = X.T @ X if d <= n else X @ X.T
    # Ascending; of rows as many as there are directions, the mean is a zero more.
    values = np.linalg.eigvalsh(squares)[-few:] / many
    count = max(int(FLOOR * few), 1)
    lowest = max(float(values[:count].mean()), 0.0)
    return lowest / _lowest_of_noise(few / many, count / few)


def _lowest_of_noise(ratio: float, part: float) -> float:
    """Mean of the lowest part of the eigenvalues of pure noise of variance 1.

    They spread around 1 as Marchenko and Pastur say, for a table with that ratio of its
    sides.
    """
    root = ratio**0.5
    edges = np.linspace((1 - root) ** 2, (1 + root) ** 2, 4001)
    t = (edges[1:] + edges[:-1]) / 2
    density = np.sqrt((edges[-1] - t) * (t - edges[0])) / t
    below = np.cumsum(density) <= part * density.sum()
    return float(np.average(t[below], weights=density[below]))


def _between_nearest(X: Array) -> tuple[float, float]:
    """Half the squared difference of rows that are alike in every second column.

    Returns
    -------
    tuple of (mean, quiet)
        Over all columns; and by the median over rows, of the columns that differ least.
        Columns that rarely leave one value have no narrow direction, but their noise is
        seen wherever they do not.
    """
    halves = X[:, ::2], X[:, 1::2]
    squares, medians = [], []
    for seen, compared in (halves, halves[::-1]):
        lengths = np.square(seen).sum(axis=1)
        apart = lengths - 2 * (seen @ seen.T)
        np.fill_diagonal(apart, np.inf)
        away = np.abs(compared - compared[np.argmin(apart, axis=1)])
        squares.append(np.square(away).mean() / 2)
        medians.append(np.median(away, axis=0))
    # The same of noise of variance 1, for a median of few rows is off by chance.
    noise = np.random.default_rng(0).normal(scale=2**0.5, size=X.shape)
    least, usual = (
        np.quantile(of_columns, QUIET)
        for of_columns in (np.concatenate(medians), np.median(np.abs(noise), axis=0))
    )
    return float(np.mean(squares)), float(least / usual) ** 2
