"""Ways back from scores to points: which of them a kernel has, fixed point, ridge."""

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np

from kpca_viewer.core.kernels.bases import Points, at_least
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.core.projection import (
    FeatureSpace,
    training_lengths,
    training_scores,
)
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import readable

Method = Literal["ridge", "fixed_point", "distances"]

METHODS: tuple[Method, ...] = get_args(Method)

_EUCLIDEAN = ("squared_distances", "distances", "dot_products")


def why_not(method: Method, kernel: Kernel, points: Points | None = None) -> str:
    """Say why a method has no pre-images for a kernel; empty if it has.

    ``points``: the training points. Without them what depends on them is taken for
    granted.
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
    """Return scores of k components that can have a pre-image, shape (m, k)."""
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


class Anchors:
    """Training points or landmarks, with kernel values against any place.

    ``points``: all training points.
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
            return self.kernel.block(
                self.kernel.prepare_new(self.points, x), self.points
            )
        moved = x - self.points.shift
        base = (-2 * moved) @ shifted.T
        base += self.points.shifted_norms
        base += np.einsum("ij,ij->i", moved, moved)[:, None]
        return self.kernel.of_base(at_least(0, base))

    def scores(self, x: Array) -> Array:
        return np.asarray(self.cross(x) @ self.space.weights - self.space.offset)

    def met(self, x: Array, Z: Array) -> tuple[Array, Array]:
        """Return where places x (m, d) lie beside the scores Z that are wanted.

        Returns: the scores of x (m, k), and ``‖φ(x) − (φ̄ + Σ_j z_j u_j)‖²`` (m,).
        """
        cross = self.cross(x)
        if self.kernel.family.unit_diagonal and not self.points.moved:
            own: Array = np.ones(len(x))
        else:
            own = self.kernel.diagonal(self.kernel.prepare_new(self.points, x))
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

        ``tol``: a point that moves by less, relative to the spread of the points,
        stays; ``start`` (m, d): where to begin; by default the training points with the
        nearest scores.
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
        return np.asarray(Z @ self._directions + self._mean)


MOST_ROWS = 2000
"""That the regression learns from; solving takes the cube of their number."""


def ridge_coefficients(gram: Callable[[], Array], X: Array, alpha: float) -> Array:
    """Kernel ridge regression of the points on their scores.

    ``gram``: makes the kernel matrix of the training scores, shape (n, n); ``X`` (n,
    d); Returns (n, d).
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
        K = self.kernel.block(self.kernel.prepare_new(self._scores, Z), self._scores)
        return np.asarray(K @ self._weights + self._mean)
