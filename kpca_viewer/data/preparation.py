"""Scaling: from a data set to the points that the kernel sees."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.support.errors import DataError

Scaling = Literal["none", "standardise", "minmax", "unit"]

SCALING_TITLES: dict[Scaling, str] = {
    "none": "As they are",
    "standardise": "Standardise columns",
    "minmax": "Columns to 0 … 1",
    "unit": "Rows to unit length",
}


@dataclass(frozen=True, eq=False)
class Scaler:
    """What was learnt from the data, so that new points are scaled alike."""

    how: Scaling
    shift: NDArray[np.float64]
    factor: NDArray[np.float64]
    """Shape (d,). ``(x − shift) · factor`` for the two scalings by column."""

    @classmethod
    def learn(cls, points: NDArray[np.float64], how: Scaling) -> "Scaler":
        """Learn a scaling from points (n, d); constant columns stay finite."""
        zeros = np.zeros(points.shape[1])
        if how == "standardise":
            return cls.from_columns(how, points.mean(axis=0), points.std(axis=0))
        if how == "minmax":
            low = points.min(axis=0)
            return cls.from_columns(how, low, points.max(axis=0) - low)
        return cls.from_columns(how, zeros, zeros)

    @classmethod
    def from_columns(
        cls, how: Scaling, shift: NDArray[np.float64], width: NDArray[np.float64]
    ) -> "Scaler":
        """Make a scaling of what is known of every column.

        Parameters
        ----------
        shift, width : ndarray of shape (d,)
            What becomes 0, and what becomes 1 beyond it: mean and standard deviation,
            or the lowest value and how far the highest is from it.
        """
        if how not in get_args(Scaling):
            raise DataError(
                f"“{how}” is not a way to scale; choose one of "
                f"{', '.join(get_args(Scaling))}."
            )
        return cls(how, shift, 1 / np.where(width > 0, width, 1))

    @property
    def by_column(self) -> bool:
        """Whether a scaled value depends on its column alone, not on its row."""
        return self.how != "unit"

    def apply(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points (m, d) scaled; zero rows stay zero."""
        if self.how == "none":
            return points
        if self.how == "unit":
            length = np.linalg.norm(points, axis=1, keepdims=True)
            return points / np.where(length > 0, length, 1)
        return (points - self.shift) * self.factor

    def undo(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return scaled points (m, d) in the units of the data.

        How long a row was before it was scaled to unit length is not known any more:
        it keeps that length.
        """
        if self.how in ("none", "unit"):
            return points
        return points / self.factor + self.shift

    def unscaled_gradient(
        self, points: NDArray[np.float64], gradient: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Turn gradients by scaled columns into those by the columns of the data.

        Parameters
        ----------
        points : ndarray of shape (m, d)
            Where, in the units of the data.
        gradient : ndarray of shape (m, k, d)
        """
        if self.how == "none":
            return gradient
        if self.by_column:
            return gradient * self.factor
        # x/‖x‖ changes across x only; a row of zeros is not scaled.
        length = np.linalg.norm(points, axis=1)[:, None, None]
        unit = points[:, None, :] / np.where(length > 0, length, 1)
        outwards = (gradient * unit).sum(axis=2, keepdims=True)
        return (gradient - unit * outwards) / np.where(length > 0, length, 1)


def suggested_scaling(points: NDArray[np.float64]) -> Scaling:
    """Standardise where the columns differ in scale by more than ten times."""
    return scaling_for(points.std(axis=0))


def scaling_for(spread: NDArray[np.float64]) -> Scaling:
    """Do what `suggested_scaling` does, of the spread (d,) of the columns."""
    spread = spread[spread > 0]
    if spread.size > 1 and spread.max() > 10 * spread.min():
        return "standardise"
    return "none"
