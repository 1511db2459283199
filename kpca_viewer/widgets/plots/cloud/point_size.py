"""How large points are, by how many there are."""

import math

import numpy as np


def automatic_size(count: int) -> float:
    """Return a diameter in pixels that suits a number of points."""
    return float(
        np.interp(math.log10(max(count, 1)), (2, 3, 4, 5), (10.0, 8.0, 5.0, 3.0))
    )


def diameter_for(diameter: float, count: int) -> float:
    """Return a diameter that is chosen for many points, larger for a handful of them.

    Three dots alone on a plot look smaller than the same dots in a crowd.
    """
    return diameter * float(
        np.interp(math.log10(max(count, 1)), (1.0, 2.3), (1.6, 1.0))
    )
