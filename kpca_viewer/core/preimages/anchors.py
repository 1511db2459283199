"""The points that carry a model, made ready for many small questions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.feature_space import FeatureSpace
from kpca_viewer.core.kernels.bases import Points, at_least
from kpca_viewer.core.kernels.kernel import Kernel

Array = NDArray[Any]


class Anchors:
    """Training points or landmarks, with kernel values against any place.

    Parameters
    ----------
    space : FeatureSpace
    kernel : Kernel
    points : Points
        All training points.
    """

    def __init__(self, space: FeatureSpace, kernel: Kernel, points: Points) -> None:
        self.space, self.kernel = space, kernel
        self.points = points if space.rows is None else points.take(space.rows)
        self.origin = points.shift if points.moved else np.zeros(points.d)
        """Where the coordinates of the points begin: what to add to go back."""
        # A cursor asks for one row at a time: preparing the other side of the product
        # again would take longer than the product.
        shifted = self.points.shifted
        straight = kernel.family.base == "squared_distances"
        self._twice: Array | None = None
        if straight and shifted is not None and not self.points.by_differences:
            self._twice = np.ascontiguousarray(-2 * shifted.T)

    def cross(self, x: Array) -> Array:
        """Kernel of places x (m, d) against the anchors, shape (m, a)."""
        if self._twice is None:
            return self.kernel.block(self.kernel.meeting(self.points, x), self.points)
        moved = x - self.points.shift
        base = moved @ self._twice
        base += self.points.shifted_norms
        base += np.einsum("ij,ij->i", moved, moved)[:, None]
        return self.kernel.of_base(at_least(0, base))

    def distances_left(self, x: Array, Z: Array) -> Array:
        """``‖φ(x) − (φ̄ + Σ_j z_j u_j)‖²`` of places x (m, d), shape (m,)."""
        if self.kernel.family.unit_diagonal and not self.points.moved:
            own: Array = np.ones(len(x))
        else:
            own = self.kernel.diagonal(self.kernel.meeting(self.points, x))
        shared = np.einsum("ij,ij->i", self.space.coefficients(Z), self.cross(x))
        return np.maximum(own - 2 * shared + self.space.squared_lengths(Z), 0.0)
