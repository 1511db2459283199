"""Pre-images in closed form from distances to neighbours (Kwok and Tsang, 2004)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.feature_space import FeatureSpace
from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.kernels.gram import row_blocks
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.preimage.anchors import AnchorFeatures
from kpca_viewer.core.preimage.methods import why_not
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support.errors import KernelError

Array = NDArray[Any]

NEIGHBOURS = 10
"""From which a place is found. With 30 or 100, noise comes back: of noisy digits they
leave 1.3 and 2.3 times the error of 10."""

FLAT = 1e-6
"""Directions in which neighbours spread less, relative to the widest (squared), tell
nothing about a place."""

LEAST = 1e-12
"""Kernel value, relative to k(x, x), below which a point is as far as any."""


class Located(NamedTuple):
    """Where scores lie, by their neighbours."""

    points: Array
    """Shape (m, d)."""
    near: Array
    """Shape (m,). Mean kernel value of the neighbours, or a bound on it where that is
    less than was asked for."""
    apart: Array
    """Shape (m,). ``δ²`` of the nearest one."""

    def of(self, rows: slice) -> "Located":
        """Return some of the rows, which can be written to."""
        return Located(self.points[rows], self.near[rows], self.apart[rows])


class FromDistances:
    """A kernel value says how far away a point is; ten distances say where it lies.

    With ``δ_i`` the distance of the wanted feature to that of row i,
    ``k(x, x_i) = ½(k(x, x) + k(x_i, x_i) − δ_i²)``, which the inverse of the kernel
    turns into the distance or dot product of x and ``x_i``.
    """

    def __init__(self, found: Decomposition, kernel: Kernel, points: Points) -> None:
        reason = why_not("distances", kernel, points)
        if reason:
            raise KernelError(reason)
        self._kernel, self._space = kernel, FeatureSpace.of(found)
        rows = self._space.rows
        near = points if rows is None else points.take(rows)
        self._features = AnchorFeatures(found, kernel, near)
        self._longest = float(self._features.own.max(initial=0.0))
        self._near = near
        # No place is farther from a neighbour than points are from each other.
        spread = float(near.shifted_norms.max(initial=0.0))
        self._farthest = 4 * spread

    def __call__(self, Z: Array) -> Array:
        """Points for scores Z (m, k), shape (m, d)."""
        return self.located(Z).points

    def located(self, Z: Array, least: float = -np.inf) -> Located:
        """Find points for scores Z (m, k).

        Parameters
        ----------
        least : float
            A row whose neighbours have a smaller mean kernel value is not placed.
        """
        Z = np.where(self._space.variances > 0, Z, 0.0)
        found = Located(np.empty((len(Z), self._near.d)), *np.empty((2, len(Z))))
        count = min(NEIGHBOURS, len(self._near))
        size = 8 * (len(self._near) + count * self._near.d)
        for rows in row_blocks(len(Z), size):
            self._locate(Z[rows], count, least, found.of(rows))
        return found

    def _locate(self, Z: Array, count: int, least: float, found: Located) -> None:
        apart = self._features.apart(Z)
        straight = self._kernel.family.base != "dot_products"
        own = np.ones(len(Z)) if straight else self._space.squared_lengths(Z)
        found.apart[:] = apart.min(axis=1)
        # No neighbour has more; a cursor need not know which they are.
        found.near[:] = (own + self._longest - found.apart) / 2
        wanted = np.flatnonzero(found.near >= least)
        if not wanted.size:
            return
        apart = apart[wanted]
        if count < apart.shape[1]:
            index = np.argpartition(apart, count - 1, axis=1)[:, :count]
        else:
            index = np.broadcast_to(np.arange(count), apart.shape)
        apart = np.take_along_axis(apart, index, axis=1)
        entries = (own[wanted, None] + self._features.own[index] - apart) / 2
        near = found.near[wanted] = entries.mean(axis=1)
        placed = near >= least
        if placed.any():
            rows = wanted[placed]
            found.points[rows] = self._placed(index[placed], entries[placed])

    def _placed(self, index: Array, entries: Array) -> Array:
        """Return the place with these kernel values (m, c) to rows, shape (m, d)."""
        X = self._near.X[index.ravel()]
        X = np.asarray(X.toarray() if is_sparse(X) else X, dtype=np.float64)
        X = X.reshape(*index.shape, -1)
        return _placed(X, self._squared_distances(entries, X))

    def _squared_distances(self, entries: Array, X: Array) -> Array:
        """Squared distances to neighbours X, but for one number they may share."""
        family, values = self._kernel.family, self._kernel.values
        assert family.inverse is not None
        if family.base == "dot_products":
            products = family.inverse(entries, values)
            return np.asarray(np.einsum("ijk,ijk->ij", X, X) - 2 * products)
        base = family.inverse(np.clip(entries, LEAST, 1.0), values)
        squared = base if family.base == "squared_distances" else np.square(base)
        return np.minimum(squared, self._farthest)


def _placed(X: Array, squared: Array) -> Array:
    """Return the place with given squared distances to points (m, c, d), shape (m, d).

    Around the mean of the points, ``2 yᵀx_i = ‖x_i‖² − d_i²`` but for a constant: least
    squares within the plane that the points span.
    """
    mean = X.mean(axis=1, keepdims=True)
    X = X - mean
    G = X @ X.transpose(0, 2, 1)
    right = np.einsum("ijj->ij", G) - squared
    right -= right.mean(axis=1, keepdims=True)
    values, V = np.linalg.eigh(G)
    wide = values > FLAT * values[:, -1:]
    inverse = np.zeros_like(values)
    inverse[wide] = 0.5 / values[wide]
    weights = V @ (inverse[..., None] * (V.transpose(0, 2, 1) @ right[..., None]))
    return np.asarray((mean + weights.transpose(0, 2, 1) @ X)[:, 0])
