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
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    piece = np.arange(len(counts))
    if len(counts) > pieces:
        # By the rank in the middle of all rows that have the value.
        middle = np.cumsum(counts) - counts / 2
        piece = np.unique(middle * pieces // len(values), return_inverse=True)[1]
    of_row = piece[which]
    count = np.bincount(of_row)
    means: Array = np.column_stack(
        [np.bincount(of_row, weights=each) / count for each in (values, scores)]
    )
    return means
