"""The points that carry a model, made ready for many small questions.

Pre-images as the point whose feature comes closest, found by iteration.

Pre-images in closed form from distances to neighbours (Kwok and Tsang, 2004).

Pre-images by regression: points learnt from their scores (Bakır et al., 2004).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, at_least, is_sparse
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.core.methods.preimage import why_not
from kpca_viewer.core.projection import FeatureSpace, training_lengths, training_scores
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support import memory
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import readable

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


STARTS = 20_000
"""Training points among which a start is looked for: of more, evenly spread ones."""


class FixedPoint:
    """Pre-images for the Gaussian kernel by fixed-point iteration (Mika et al., 1999).

    The projection of a point is ``Σ_i c_i φ(x_i)`` over the anchors (all training
    points, or the landmarks of a low-rank model); the pre-image x maximises
    ``g(x) = Σ_i c_i k(x, x_i)``, which gives ``x ← Σ c_i k(x, x_i) x_i / g(x)``.
    """

    def __init__(
        self, decomposition: Decomposition, kernel: Kernel, points: Points
    ) -> None:
        reason = why_not("fixed_point", kernel)
        if reason:
            raise KernelError(reason)
        self._space = FeatureSpace.of(decomposition)
        self._anchors = Anchors(self._space, kernel, points)
        index = np.unique(np.linspace(0, len(points) - 1, STARTS).astype(int))
        self._scores = np.asfortranarray(training_scores(decomposition)[index])
        self._starts = points if len(index) == len(points) else points.take(index)
        # Around their mean: far from the origin the weighted sums would lose digits.
        anchors = self._anchors.points
        shifted = anchors.shifted
        self._centred = anchors.dense() - anchors.shift if shifted is None else shifted
        self._scale = float(self._centred.std()) or 1.0
        self._norms = np.square(self._scores).sum(axis=1)

    def __call__(
        self,
        Z: Array,
        iterations: int = 200,
        tol: float = 1e-9,
        start: Array | None = None,
    ) -> Array:
        """Points whose features come closest to the scores Z (m, k); shape (m, d).

        Parameters
        ----------
        tol : float
            A point that moves by less, relative to the spread of the points, stays.
        start : ndarray of shape (m, d), optional
            Where to begin; by default the training points with the nearest scores.
        """
        result = np.empty((len(Z), self._starts.d))
        for rows in row_blocks(len(Z), 8 * len(self._starts)):
            begin = self._start(Z[rows]) if start is None else start[rows]
            result[rows] = self._block(Z[rows], begin, iterations, tol)
        return result

    def _block(self, Z: Array, start: Array, iterations: int, tol: float) -> Array:
        found = start.astype(np.float64)
        shift = self._anchors.points.shift
        # Rows that still move, and all that is known of them.
        active, x, c = np.arange(len(Z)), found, self._space.coefficients(Z)
        best = np.full(len(Z), -np.inf)
        for _ in range(iterations):
            weights = self._anchors.cross(x)
            weights *= c
            total = weights.sum(axis=1)
            # g must be positive and grow; a row where it does not keeps its best x.
            better = (total > 0) & (total > best * (1 - 1e-12))
            if np.count_nonzero(better) < len(better):
                found[active] = x
                active, x, c = active[better], x[better], c[better]
                weights, total = weights[better], total[better]
                if not active.size:
                    return found
            step = weights @ self._centred
            step /= total[:, None]
            step += shift
            moved = np.abs(step - x).max(axis=1) > tol * self._scale
            x, best = step, total
            if np.count_nonzero(moved) < len(moved):
                found[active] = x
                active, x, c, best = active[moved], x[moved], c[moved], best[moved]
                if not active.size:
                    return found
        found[active] = x
        return found

    def _start(self, Z: Array) -> Array:
        """Return the training point with the nearest scores, a safe place to start."""
        distance = self._norms - 2 * (Z @ self._scores.T)
        nearest = self._starts.X[np.argmin(distance, axis=1)]
        return np.asarray(nearest.toarray() if hasattr(nearest, "tocsr") else nearest)


class Projection:
    """Pre-images for the linear kernel: ``Σ_i c_i x_i``, the projection itself."""

    def __init__(
        self, decomposition: Decomposition, kernel: Kernel, points: Points
    ) -> None:
        space = FeatureSpace.of(decomposition)
        anchors = Anchors(space, kernel, points)
        X = anchors.points.dense()
        self._directions = space.weights.T @ X
        self._mean = space.mean @ X + anchors.origin

    def __call__(self, Z: Array) -> Array:
        """Points with the scores Z (m, k), shape (m, d)."""
        return np.asarray(Z @ self._directions + self._mean)


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


MOST_ROWS = 2000
"""That the regression learns from; solving takes the cube of their number."""


def ridge_coefficients(gram: Callable[[], Array], X: Array, alpha: float) -> Array:
    """Kernel ridge regression of the points on their scores.

    Parameters
    ----------
    gram : callable
        Makes the kernel matrix of the training scores, shape (n, n).
    X : ndarray of shape (n, d)

    Returns
    -------
    ndarray of shape (n, d)
    """
    n = len(X)
    memory.require(
        2 * n * n * 8,
        f"Learning the inverse from {n:,} points",
        "choose pre_image='fixed_point' or fewer points",
    )
    try:
        K = gram()
    except KernelError as error:
        # The kernel of the points was sound; it is applied to their scores here.
        raise KernelError(
            f"The inverse transform cannot be learnt from the scores. {error}"
        ) from error
    K.flat[:: n + 1] += alpha
    try:
        return np.linalg.solve(K, X)
    except np.linalg.LinAlgError as error:
        raise KernelError(
            f"The inverse transform cannot be learnt with alpha = {readable(alpha)}: "
            "the ridge system is singular; choose a larger alpha."
        ) from error


class Ridge:
    """Regression of the points around their mean, with an RBF kernel of the scores.

    The kernel of the points is of no use here: their scores have another scale. γ is
    one over the median of the squared distances between scores.
    """

    def __init__(self, scores: Array, X: Array, alpha: float) -> None:
        index = np.unique(np.linspace(0, len(X) - 1, MOST_ROWS).astype(int))
        scores, X = scores[index].astype(np.float64), X[index]
        self.alpha, self.rows = alpha, len(X)
        self.kernel = Kernel("rbf", **suggested_values("rbf", scores))
        self._scores = self.kernel.points(scores)
        self._mean = X.mean(axis=0)
        self._weights = ridge_coefficients(
            lambda: self.kernel.block(self._scores, self._scores), X - self._mean, alpha
        )

    @property
    def told(self) -> str:
        """Which kernel it uses, and on how many rows."""
        gamma = readable(self.kernel.values["gamma"])
        return (
            f"ridge regression of {self.rows:,} rows on their scores, RBF kernel with "
            f"γ = {gamma}, α = {readable(self.alpha)}"
        )

    def __call__(self, Z: Array) -> Array:
        """Points for scores Z (m, k), shape (m, d)."""
        K = self.kernel.block(self.kernel.meeting(self._scores, Z), self._scores)
        return np.asarray(K @ self._weights + self._mean)
