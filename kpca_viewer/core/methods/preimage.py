"""From scores back to points: one object for all ways, made once and asked often.

The closed form from distances to neighbours (Kwok and Tsang, 2004) is here, the other
ways are in `preimage_methods`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.core.methods.preimage_methods import (
    AnchorFeatures,
    Anchors,
    FixedPoint,
    Method,
    Projection,
    Ridge,
    available,
    is_exact,
    why_not,
)
from kpca_viewer.core.projection import (
    FeatureSpace,
    no_lengths,
    training_lengths,
    training_scores,
)
from kpca_viewer.core.solvers import Decomposition, Problem, solve
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.threads import one_blas_thread

COMPARED = 5000
"""Training rows at most whose distance to the model says what can be reached."""

NEAR_ENOUGH = 0.9
"""Mean kernel value of the neighbours from which on their distances say more than the
iteration does. Chosen among 0.5, 0.7, 0.8 and 0.9 on noisy digits and on clusters, over
wide and narrow kernels: above, the closed form mostly leaves less noise, by up to a
half; below, the fixed point does."""

ITERATIONS, TOL = 200, 1e-9

LIVE_ITERATIONS, LIVE_TOL = 30, 1e-3
"""Of the fixed point under a cursor; relative to the spread of the points."""


@dataclass(frozen=True, eq=False)
class FoundPreImages:
    """Points for scores, and how well they fit."""

    points: Array
    """Shape (m, d)."""
    scores: Array
    """Shape (m, k). Where these points themselves lie: next to the scores that were
    asked for, or as near as the method came."""
    distances: Array
    """Shape (m,). Squared distance in feature space that is left; NaN where there are
    no distances."""
    reachable: Array
    """Shape (m,). False where more is left than of any training row, by the point and
    by every anchor: no data lie there, and the point is only the nearest there is."""


class PreImages:
    """Pre-images under one model.

    ``points``: all training points, as the decomposition was made of (`Kernel.points`);
    ``method``: by default the first that `available` names; for the RBF kernel the
    closed form from distances where neighbours are near, and the fixed point otherwise;
    ``alpha``: ridge penalty.
    """

    def __init__(
        self,
        decomposition: Decomposition,
        kernel: Kernel,
        points: Points,
        method: Method | None = None,
        alpha: float = 1.0,
    ) -> None:
        self.by_default = method is None
        self.is_exact = is_exact(kernel)
        """Whether a projection is a point itself."""
        self.mixed = self.by_default and kernel.family.gaussian
        """Whether a point is found from distances or by iteration, as suits it."""
        self.method: Method = method or available(kernel, points)[0]
        reason = why_not(self.method, kernel, points)
        if reason:
            raise KernelError(reason)
        self.points, self._kernel, self._alpha = points, kernel, alpha
        self._space = FeatureSpace.of(decomposition)
        self.centred = bool(self._space.mean.any())
        self._anchors = Anchors(self._space, kernel, points)
        self.no_distance = no_lengths(decomposition)
        """One sentence where feature space has no distances; empty else."""
        self.told = ""
        """What the method rests on, beyond its name."""
        self._direct = self._finder(decomposition, kernel, points, alpha)
        self._iterated: FixedPoint | None = None
        if kernel.family.gaussian and (self.mixed or self.method == "fixed_point"):
            self._iterated = FixedPoint(decomposition, kernel, points)
        self.farthest = np.inf
        """Squared distance to the model of the training row that is farthest from it;
        what leaves more cannot be reached."""
        self._features: AnchorFeatures | None = None
        if not self.no_distance:
            self._features = AnchorFeatures(decomposition, kernel, self._anchors.points)
            self.farthest = _farthest(decomposition, kernel, points)

    def __call__(self, Z: Array, start: Array | None = None) -> FoundPreImages:
        """Find pre-images of scores Z (m, k) of all components of the model.

        ``start`` (m, d): where an iteration begins: the noisy points themselves, for
        example.
        """
        return self._found(Z, start, ITERATIONS, TOL)

    def at(self, z: Array) -> FoundPreImages:
        """Find the pre-image of one place z (k,), for a cursor: few digits, at once."""
        return self._found(z[None], None, LIVE_ITERATIONS, LIVE_TOL)

    def scores(self, x: Array) -> Array:
        """Return the scores of points x (m, d), shape (m, k)."""
        found = np.empty((len(x), len(self._space.offset)))
        for rows in row_blocks(len(x), 16 * len(self._anchors.points)):
            found[rows] = self._anchors.scores(x[rows])
        return found

    def rows(self, index: Array) -> Array:
        return np.asarray(self.points.take(index).dense() + self._anchors.origin, float)

    @property
    def sees_values(self) -> bool:
        """Whether the kernel takes rows as they are: not in unit length, nor lifted."""
        family = self._kernel.family
        return not (family.normalise or family.lift or is_sparse(self.points.X))

    def without(self, held: Array) -> "PreImages":
        """Return those of a model of the other training rows, by the same method."""
        rows = np.setdiff1d(np.arange(len(self.points)), held)
        k = min(len(self._space.offset), len(rows))
        # Rows that are fewer have another mean, to which a linear kernel is moved.
        points = self._kernel.points(self.rows(rows), center=self.centred)
        problem = Problem(PointsGram(points, self._kernel), k, center=self.centred)
        found = solve(problem, "auto").leading(k)
        method = None if self.by_default else self.method
        return PreImages(found, self._kernel, points, method, self._alpha)

    def iterated(self, Z: Array, start: Array) -> Array:
        """Points (m, d) by the fixed point alone; for an RBF kernel."""
        assert self._iterated is not None
        return self._iterated(Z, ITERATIONS, TOL, start)

    @one_blas_thread()
    def _found(
        self, Z: Array, start: Array | None, iterations: int, tol: float
    ) -> FoundPreImages:
        if not isinstance(self._direct, FromDistances):
            return self._measured(self._direct(Z), Z)
        if not self.mixed:
            if self._iterated is not None:
                return self._measured(self._iterated(Z, iterations, tol, start), Z)
            located = self._direct.located(Z)
            return self._measured(located.points, Z, located.apart)
        assert self._iterated is not None
        x, near, apart = self._direct.located(Z, NEAR_ENOUGH)
        far = near < NEAR_ENOUGH
        if far.any():
            begin = None if start is None else start[far]
            x[far] = self._iterated(Z[far], iterations, tol, begin)
        return self._measured(x, Z, apart)

    def _measured(
        self, x: Array, Z: Array, apart: Array | None = None
    ) -> FoundPreImages:
        """Say how well points x (m, d) fit.

        ``apart`` (m,): ``δ²`` of the nearest anchor, where it is known already.
        """
        left, scores = np.empty(len(x)), np.empty(Z.shape)
        # The methods may miss a place that is a row itself.
        least = np.zeros(len(x)) if apart is None else apart
        live = np.where(self._space.variances > 0, Z, 0.0)
        for rows in row_blocks(len(x), 24 * len(self._anchors.points)):
            scores[rows], left[rows] = self._anchors.met(x[rows], Z[rows])
            if apart is None and self._features is not None:
                least[rows] = self._features.apart(live[rows]).min(axis=1)
        if self._features is None:
            left[:] = np.nan
        # A training row at its own scores must not fail by rounding.
        enough = np.fmin(least, left) <= self.farthest * (1 + 1e-9) + 1e-12
        return FoundPreImages(x, scores, left, enough)

    def _finder(
        self, found: Decomposition, kernel: Kernel, points: Points, alpha: float
    ) -> Callable[[Array], Array]:
        if self.method == "ridge":
            rows = self._space.rows
            scores, known = training_scores(found), points
            if rows is not None:
                scores, known = scores[rows], points.take(rows)
            rows_of = known.dense() + self._anchors.origin
            # What was appended to a row is no value of it.
            ridge = Ridge(scores, rows_of[:, :-1] if points.lifted else rows_of, alpha)
            self.told = ridge.told
            return ridge
        if self.is_exact:
            self.told = "the projection itself, which for this kernel is a point"
            return Projection(found, kernel, points)
        return FromDistances(found, kernel, points)


def _farthest(found: Decomposition, kernel: Kernel, points: Points) -> float:
    """Return the largest distance to the model among training rows, or many of them."""
    index = np.unique(np.linspace(0, len(points) - 1, COMPARED).astype(int))
    some = points.take(index)
    scores = training_scores(found)[index].astype(np.float64)

    def cross(rows: slice, columns: Array | None) -> Array:
        known = points if columns is None else points.take(columns)
        return kernel.block(some.take(rows), known)

    if found.landmark_map is None:
        own = kernel.diagonal(points).astype(np.float64)
        lengths = training_lengths(found, own)[index]
    else:
        own = kernel.diagonal(some).astype(np.float64)
        lengths = FeatureSpace.of(found).placed(cross, own)[1]
    left = lengths - np.square(scores).sum(axis=1)
    return float(max(left.max(initial=0.0), 0.0))


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
        return self.located(Z).points

    def located(self, Z: Array, least: float = -np.inf) -> Located:
        """Find points for scores Z (m, k).

        ``least``: a row whose neighbours have a smaller mean kernel value is not
        placed.
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
