"""Scaling: from a data set to the points that the kernel sees."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.errors import DataError

Scaling = Literal["none", "standardise", "minmax", "unit"]

SCALING_TITLES: dict[Scaling, str] = {
    "none": "As they are",
    "standardise": "Standardise columns",
    "minmax": "Columns to 0 … 1",
    "unit": "Rows to unit length",
}


def scale(points: NDArray[np.float64], how: Scaling) -> NDArray[np.float64]:
    """Return the points (n, d) scaled; constant columns and zero rows stay finite."""
    if how == "none":
        return points
    if how == "standardise":
        spread = points.std(axis=0)
        return (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1)
    if how == "minmax":
        low = points.min(axis=0)
        width = points.max(axis=0) - low
        return (points - low) / np.where(width > 0, width, 1)
    if how == "unit":
        length = np.linalg.norm(points, axis=1, keepdims=True)
        return points / np.where(length > 0, length, 1)
    raise DataError(
        f"“{how}” is no way to scale; choose one of {', '.join(get_args(Scaling))}."
    )


def suggested_scaling(points: NDArray[np.float64]) -> Scaling:
    """Standardise where the columns differ in scale by more than ten times."""
    spread = points.std(axis=0)
    spread = spread[spread > 0]
    if spread.size > 1 and spread.max() > 10 * spread.min():
        return "standardise"
    return "none"
