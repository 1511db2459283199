"""A component beside a column: the mean score of rows that have about one value."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

PIECES = 12
"""Of a mean curve at most, each with about as many rows."""


def mean_curve(values: Array, scores: Array, pieces: int = PIECES) -> Array:
    """Return means of values and scores (both n), piece by piece: (p, 2).

    Equal values are never parted; where there are few different ones, each has a piece
    of its own. Empty for no row.
    """
    if not len(values):
        return np.empty((0, 2))
    distinct = np.unique(values)
    if len(distinct) <= pieces:
        edges = distinct
    else:
        edges = np.unique(np.quantile(values, np.arange(pieces) / pieces))
    piece = np.searchsorted(edges, values, side="right") - 1
    count = np.bincount(piece, minlength=len(edges))
    sums = [
        np.bincount(piece, weights=w, minlength=len(edges)) for w in (values, scores)
    ]
    there = count > 0
    means: Array = np.column_stack([s[there] / count[there] for s in sums])
    return means
