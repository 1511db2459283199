"""The points that carry a model, made ready for many small questions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.feature_space import FeatureSpace, training_lengths
from kpca_viewer.core.kernels.bases import Points, at_least
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers.problem import Decomposition

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
        # A cursor asks for one row at a time: preparing the points again would take
        # longer than the product.
        straight = kernel.family.base == "squared_distances"
        self._prepared = straight and not self.points.by_differences

    def cross(self, x: Array) -> Array:
        """Kernel of places x (m, d) against the anchors, shape (m, a)."""
        shifted = self.points.shifted
        if shifted is None or not self._prepared:
            return self.kernel.block(self.kernel.meeting(self.points, x), self.points)
        moved = x - self.points.shift
        base = (-2 * moved) @ shifted.T
        base += self.points.shifted_norms
        base += np.einsum("ij,ij->i", moved, moved)[:, None]
        return self.kernel.of_base(at_least(0, base))

    def scores(self, x: Array) -> Array:
        """Return the scores of places x (m, d), shape (m, k)."""
        return np.asarray(self.cross(x) @ self.space.weights - self.space.offset)

    def met(self, x: Array, Z: Array) -> tuple[Array, Array]:
        """Return where places x (m, d) lie beside the scores Z that are wanted.

        Returns
        -------
        tuple of (scores, distances)
            The scores of x (m, k), and ``‖φ(x) − (φ̄ + Σ_j z_j u_j)‖²`` (m,).
        """
        cross = self.cross(x)
        if self.kernel.family.unit_diagonal and not self.points.moved:
            own: Array = np.ones(len(x))
        else:
            own = self.kernel.diagonal(self.kernel.meeting(self.points, x))
        shared = np.einsum("ij,ij->i", self.space.coefficients(Z), cross)
        left = np.maximum(own - 2 * shared + self.space.squared_lengths(Z), 0.0)
        return cross @ self.space.weights - self.space.offset, left


class AnchorFeatures:
    """How far features of anchors are from places in the plane of the components.

    The feature ``P = φ̄ + Σ_j z_j u_j`` has the distance ``δ_i² = s_i + ‖z − z_i‖²`` to
    ``φ(x_i)``, with ``s_i`` the distance of row i to the model: no kernel value is
    needed for it.
    """

    def __init__(self, found: Decomposition, kernel: Kernel, anchors: Points) -> None:
        self.own = kernel.diagonal(anchors).astype(np.float64)
        """Shape (a,). ``k(x_i, x_i)``."""
        Z, map_ = training_scores(found).astype(np.float64), found.landmark_map
        if map_ is None:
            lengths = training_lengths(found, self.own)
        else:
            Z = Z[map_.landmarks]
            lengths = np.square(map_.corner - map_.mean[:, None]).sum(axis=0)
        inside = np.square(Z).sum(axis=1)
        self._scores = np.asfortranarray(Z)
        self._norms = np.maximum(lengths, inside)

    def apart(self, Z: Array) -> Array:
        """``δ²`` of scores Z (m, k) to every anchor, shape (m, a)."""
        apart = self._norms - 2 * (Z @ self._scores.T)
        apart += np.einsum("ij,ij->i", Z, Z)[:, None]
        return np.maximum(apart, 0.0, out=apart)
