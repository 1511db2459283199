"""Which ways back there are for a kernel, and one sentence where there is none.

PreImages: one object for all methods, made once and asked often.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.core.methods.preimage_solvers import (
    AnchorFeatures,
    Anchors,
    FixedPoint,
    FromDistances,
    Projection,
    Ridge,
)
from kpca_viewer.core.projection import (
    FeatureSpace,
    no_lengths,
    training_lengths,
    training_scores,
)
from kpca_viewer.core.solvers import Decomposition, Problem, solve
from kpca_viewer.support.errors import DataError, KernelError

Array = NDArray[Any]

Method = Literal["ridge", "fixed_point", "distances"]

METHODS: tuple[Method, ...] = get_args(Method)

_EUCLIDEAN = ("squared_distances", "distances", "dot_products")


def why_not(method: Method, kernel: Kernel, points: Points | None = None) -> str:
    """Say why a method has no pre-images for a kernel; empty if it has.

    Parameters
    ----------
    points : Points, optional
        The training points. Without them what depends on them is taken for granted.
    """
    if method == "fixed_point":
        return _no_fixed_point(kernel)
    if method == "distances":
        return _no_distances(kernel, points)
    return ""


def available(kernel: Kernel, points: Points | None = None) -> tuple[Method, ...]:
    """Return the methods that exist for a kernel, the best to remove noise first.

    Of noisy digits the closed form leaves the smallest error, over all γ and numbers of
    components; where it does not exist, neither does the iteration.
    """
    order: tuple[Method, ...] = ("distances", "fixed_point", "ridge")
    return tuple(method for method in order if not why_not(method, kernel, points))


def is_exact(kernel: Kernel) -> bool:
    """Whether feature space is that of the points: a projection is its pre-image."""
    family = kernel.family
    return family.bilinear and not (family.normalise or family.lift)


def _no_fixed_point(kernel: Kernel) -> str:
    if kernel.family.gaussian or is_exact(kernel):
        return ""
    return (
        "The fixed-point pre-image exists for the RBF kernel only, not for "
        f"{kernel.family.title}; choose pre_image='ridge'."
    )


def _no_distances(kernel: Kernel, points: Points | None) -> str:
    if is_exact(kernel):
        return ""
    family, title = kernel.family, kernel.family.title
    rest = "choose pre_image='ridge'."
    if family.normalise:
        return f"The {title} kernel forgets how long a row is; {rest}"
    if family.base not in _EUCLIDEAN:
        return (
            f"The {title} kernel measures no straight distances, from which a place "
            f"could be found; {rest}"
        )
    if family.inverse is None or not kernel.psd:
        return (
            f"A value of the {title} kernel does not say how far away a point is; "
            f"{rest}"
        )
    degree = kernel.values.get("degree", 1.0)
    negative = points is not None and _least(points) < 0
    if family.base == "dot_products" and degree % 2 == 0 and negative:
        return (
            f"An even degree of the {title} kernel does not tell a dot product from "
            f"its negative; choose an odd degree, or {rest.removeprefix('choose ')}"
        )
    return ""


def _least(points: Points) -> float:
    X = points.X
    return float(X.min()) if len(points) else 0.0


def checked_scores(X: Any, k: int) -> Array:
    """Return scores of k components that can have a pre-image, shape (m, k).

    Raises
    ------
    DataError
    """
    Z = np.asarray(X)
    if Z.dtype not in (np.float32, np.float64):
        Z = Z.astype(np.float64)
    if Z.ndim != 2 or Z.shape[1] != k:
        raise DataError(
            f"The scores have the shape {Z.shape}; this model has {k} components, so "
            f"that it must be (m, {k})."
        )
    odd = np.flatnonzero(~np.isfinite(Z).all(axis=1))
    if odd.size:
        raise DataError(
            f"Row {odd[0]} of the scores holds NaN or an infinite value, which no "
            "point has; leave such rows out."
        )
    return Z


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

    Parameters
    ----------
    decomposition : Decomposition
    kernel : Kernel
    points : Points
        All training points, as the decomposition was made of (`Kernel.points`).
    method : {"distances", "fixed_point", "ridge"}, optional
        By default the first that `available` names; for the RBF kernel the closed form
        from distances where neighbours are near, and the fixed point elsewhere.
    alpha : float
        Ridge penalty.

    Raises
    ------
    KernelError
        If the method does not exist for this kernel.
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

        Parameters
        ----------
        start : ndarray of shape (m, d), optional
            Where an iteration begins: the noisy points themselves, for example.
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
        """Return training rows as they were given, shape (m, d)."""
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

        Parameters
        ----------
        apart : ndarray of shape (m,), optional
            ``δ²`` of the nearest anchor, where it is known already.
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
