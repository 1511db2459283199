"""Which value of a sweep is best, if one stands out at all."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Better = Literal["high", "low", "neither"]
Why = Literal["", "flat", "edge", "open", "chance"]

ALIKE = 1e-3
"""Relative difference that nobody would choose by, of what has no error band."""

WHY = {
    "": "",
    "flat": "others are as good within its error",
    "edge": "at the edge of the range; widen it",
    "open": "as good within its error at the edge of the range; widen it",
    "chance": "no better than guessing",
}
"""What is to be said of the highest value where none is marked."""


def best_index(
    values: Sequence[float | None], better: Better, *, in_line: bool = True
) -> int | None:
    """Return the position of the best value; of a plateau, its middle.

    Accuracies of a few hundred rows are often equal over a range. Its middle is the
    choice that a slightly different sample would not overturn. Values that are not
    ``in_line`` (those of a grid) have no plateau; the first of the best is taken.
    """
    known = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    if better == "neither" or not np.isfinite(known).any():
        return None
    if better == "low":
        known = -known
    top = float(np.nanmax(known))
    if not in_line:
        return int(np.nanargmax(known))
    alike = np.isfinite(known) & (known >= top - ALIKE * max(abs(top), 1e-300))
    best, length = int(np.nanargmax(known)), 0
    start = 0
    for stop in range(len(alike) + 1):
        if stop < len(alike) and alike[stop]:
            continue
        run = known[start:stop]
        if len(run) > length and run.max() >= top:
            best, length = (start + stop - 1) // 2, len(run)
        start = stop + 1
    return best


def standing_out(
    values: Array,
    widths: Array,
    better: Better,
    ordered: tuple[bool, bool] = (True, True),
    floor: float | None = None,
) -> tuple[int | None, Why]:
    """Return the best value of a grid, if it is clearly better than what is around it.

    Along a parameter the curve has to leave the error band of the best on either side:
    where it does so on one side only, the best may well lie beyond the range. Kernels
    have no order; the best has to be clear of all others.

    Parameters
    ----------
    values, widths : ndarray of shape (rows, columns)
        NaN where there is none; half of the error band.
    better : {"high", "low", "neither"}
    ordered : tuple of bool
        Whether rows and columns have an order.
    floor : float, optional
        What guessing gives.

    Returns
    -------
    tuple of (place, why)
        In the flattened grid; None with the reason.
    """
    in_line = len(values) == 1 and ordered[1]
    place = best_index(values.ravel().tolist(), better, in_line=in_line)
    if place is None or values.size < 2:
        return None, ""
    sign = -1.0 if better == "low" else 1.0
    at = np.unravel_index(place, values.shape)
    # Of a plateau the middle is marked, but its highest value is what there is to beat.
    top = float(np.nanmax(sign * values))
    width = max(float(np.nan_to_num(widths[at])), ALIKE * abs(top))
    if floor is not None and top - width <= floor:
        return None, "chance"
    for axis, has_order in enumerate(ordered):
        if values.shape[axis] < 2:
            continue
        line = sign * (values[:, at[1]] if axis == 0 else values[at[0], :])
        below = line < top - width
        before, after = below[: at[axis]], below[at[axis] + 1 :]
        if not has_order:
            known = np.isfinite(line)
            known[at[axis]] = False
            if not below[known].all():
                return None, "flat"
        elif not (before.any() and after.any()):
            if not (before.any() or after.any()):
                return None, "flat"
            return None, "edge" if at[axis] in (0, len(line) - 1) else "open"
    return int(place), ""
