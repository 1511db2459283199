"""Hartigan's dip test: whether one column alone has more than one mode.

The dip is the distance from the distribution of the values to the nearest one with a
single mode; p is the part of uniform samples, the hardest of those, with a larger one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

SIZES = (4, 8, 16, 32, 64, 128, 256, 512)
"""Numbers of values for which quantiles are tabulated."""

P_VALUES = (0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-5)
"""Parts of uniform samples with a larger dip."""

QUANTILES = (
    (0.250, 0.314, 0.325, 0.338, 0.349, 0.357, 0.364, 0.368),
    (0.376, 0.401, 0.428, 0.448, 0.464, 0.475, 0.483, 0.489),
    (0.415, 0.436, 0.462, 0.485, 0.502, 0.515, 0.524, 0.530),
    (0.464, 0.489, 0.530, 0.558, 0.580, 0.596, 0.607, 0.614),
    (0.489, 0.546, 0.608, 0.644, 0.673, 0.693, 0.714, 0.720),
    (0.497, 0.604, 0.669, 0.714, 0.753, 0.771, 0.804, 0.803),
    (0.499, 0.635, 0.711, 0.755, 0.816, 0.833, 0.873, 0.865),
)
"""Of √n times the dip of 200,000 uniform samples: a line for each p, along it sizes."""


def dip(values: Array) -> float:
    """Return the dip of values (n,), two or more and all different."""
    x = np.sort(values)
    n = len(x)
    low, high, found = 0, n - 1, 1.0
    while True:
        index = np.arange(low, high + 1)
        at = x[index]
        below, above = _hull(at, 1), _hull(at, -1)
        minorant = np.interp(at, at[below], index[below])
        majorant = np.interp(at, at[above], index[above])
        apart = majorant - minorant + 1
        knots = np.union1d(below, above)
        widest = int(knots[np.argmax(apart[knots])])
        if len(knots) == 2 or apart[widest] <= found:
            break
        # The mode lies between the last knot below and the first knot above.
        left = int(below[below <= widest][-1])
        right = int(above[above >= widest][0])
        rise = (index - minorant)[: left + 1].max() + 1
        fall = (majorant - index)[right:].max() + 1
        found = max(found, float(rise), float(fall))
        if (left, right) == (0, len(at) - 1):
            break
        low, high = low + left, low + right
    return found / (2 * n)


def dip_p(values: Array) -> float:
    """Return the part of uniform samples with as large a dip, by the table.

    What is beyond the table has its smallest p.
    """
    n = len(values)
    if n < SIZES[0]:
        return 1.0
    quantiles = [np.interp(np.log(n), np.log(SIZES), column) for column in QUANTILES]
    found = float(np.sqrt(n)) * dip(values)
    p: float = np.exp(np.interp(found, [0.0, *quantiles], np.log([1.0, *P_VALUES])))
    return float(p)


def _hull(x: Array, sign: int) -> Array:
    """Return the knots of the convex hull of (x, 0 … n − 1), below for 1."""
    knots: list[int] = []
    for k in range(len(x)):
        while len(knots) > 1:
            i, j = knots[-2], knots[-1]
            if sign * ((j - i) * (x[k] - x[j]) - (k - j) * (x[j] - x[i])) < 0:
                break
            knots.pop()
        knots.append(k)
    return np.array(knots)
