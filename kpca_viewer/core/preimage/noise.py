"""How much noise a table holds, without knowing what it would be without."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, is_sparse

Array = NDArray[Any]

MOST_ROWS = 1000
"""From which the noise is read."""

LEAST_DIRECTIONS = 16
"""Fewer do not show a floor: the narrowest of two may be as wide as the data."""

FLOOR = 0.25
"""Part of the directions that is taken to hold nothing but noise."""


def noise_level(points: Points) -> float:
    """Variance of noise that is alike in all columns and independent between them.

    Two numbers that noise raises, and structure as well, so that neither is too small
    but by chance; the smaller one is taken. One is the variance along the narrowest
    directions of the table. The other takes for every row the one that is nearest by
    every second column, and compares both by the other columns, whose noise had no say
    in the choice.

    Returns
    -------
    float
        σ²; 0 where it cannot be told: in sparse tables, and in those of fewer than 16
        columns or 17 rows.
    """
    if is_sparse(points.X):
        return 0.0
    index = np.unique(np.linspace(0, len(points) - 1, MOST_ROWS).astype(int))
    X = np.asarray(points.X[index], dtype=np.float64)
    if min(len(X) - 1, X.shape[1]) < LEAST_DIRECTIONS:
        return 0.0
    X = X - X.mean(axis=0)
    return min(_floor(X), _between_nearest(X))


def _floor(X: Array) -> float:
    """Return the variance along the narrowest directions of centred rows (n, d)."""
    n, d = len(X) - 1, X.shape[1]
    few, many = min(n, d), max(n, d)
    squares = X.T @ X if d <= n else X @ X.T
    # Ascending; of rows as many as there are directions, the mean is a zero more.
    values = np.linalg.eigvalsh(squares)[-few:] / many
    lowest = values[: int(FLOOR * few)].mean()
    return max(float(lowest), 0.0) / _lowest_of_noise(few / many)


def _lowest_of_noise(ratio: float) -> float:
    """Mean of the lowest eigenvalues of pure noise of variance 1.

    They spread around 1 as Marchenko and Pastur say, for a table with that ratio of its
    sides.
    """
    root = ratio**0.5
    edges = np.linspace((1 - root) ** 2, (1 + root) ** 2, 4001)
    t = (edges[1:] + edges[:-1]) / 2
    density = np.sqrt((edges[-1] - t) * (t - edges[0])) / t
    below = np.cumsum(density) <= FLOOR * density.sum()
    return float(np.average(t[below], weights=density[below]))


def _between_nearest(X: Array) -> float:
    """Half the squared difference of rows that are alike in every second column."""
    halves = X[:, ::2], X[:, 1::2]
    found = []
    for seen, compared in (halves, halves[::-1]):
        lengths = np.square(seen).sum(axis=1)
        apart = lengths - 2 * (seen @ seen.T)
        np.fill_diagonal(apart, np.inf)
        nearest = np.argmin(apart, axis=1)
        found.append(np.square(compared - compared[nearest]).mean() / 2)
    return float(np.mean(found))
