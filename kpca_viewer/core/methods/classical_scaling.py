"""Classical scaling (MDS), PCA and the linear kernel: three ways to the same scores.

Distances D become ``B = −½ H D² H``, and the eigenvectors of B, times √μ, are places of
the rows. Of Euclidean distances B is the centred matrix of dot products, so that the
places are the scores of PCA and those of kernel PCA with the linear kernel.
"""

from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.core.kernels.bases import Points, pairwise
from kpca_viewer.core.linalg.eigenpairs import NOISE, eigenpairs, lanczos_pairs
from kpca_viewer.core.linalg.products import double_center, symmetric
from kpca_viewer.core.orientation import SPARE, canonical, tied_groups, towards
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

DENSE_UP_TO = 500
"""Rows up to which all eigenpairs are found as quickly as the first few."""


@dataclass(frozen=True, eq=False)
class ThreeWays:
    """The scores of the same rows by three ways, turned onto each other."""

    mds: Array
    pca: Array
    linear: Array
    """Shape (n, k). From the distances, from the points, and from their dot
    products."""
    values: Array
    """Shape (k,). μ of the components, as classical scaling finds them."""
    difference: float
    """The largest between two ways, over all rows and components."""
    strain: Array
    """Shape (k + 1,). ``‖B − Z Zᵀ‖_F`` with the first 0, 1, … k components of classical
    scaling in Z, entry by entry."""
    norm: float
    """``‖B‖_F``."""
    negative: int = 0
    """Eigenvalues of B below 0: with any, no points have these distances. Those of
    points have none."""
    smallest: float = 0.0
    """The lowest eigenvalue of B, where distances were given."""
    distance_error: float | None = None
    """How far a distance between the places, in all their dimensions, is from the one
    that was given, at most; None where points were given."""

    @property
    def count(self) -> int:
        return len(self.values)


def double_centred(D: Array) -> Array:
    """``−½ H D² H`` of distances (n, n)."""
    return _symmetric(double_center(-0.5 * np.square(D)))


def ways_from_points(X: Array, k: int, should_stop: ShouldStop = never) -> ThreeWays:
    """Compare the three ways on at most k components of points (n, d)."""
    points = Points.prepare(X)
    check(should_stop)

    def block(rows: slice, columns: slice) -> Array:
        return pairwise("distances", points.take(rows), points.take(columns))

    B = double_centred(symmetric(block, len(points), np.float64, should_stop))
    k = min(k, points.d)
    return _compared(B, *first_pairs(B, k, should_stop), points, k, should_stop)


def ways_from_distances(
    D: Array,
    k: int,
    should_stop: ShouldStop = never,
    known: tuple[Array, Array] | None = None,
) -> ThreeWays:
    """Compare them for given distances (n, n).

    There are no points here but those that classical scaling finds, in all of their
    dimensions: PCA and the linear kernel are those of them.

    ``known``: all eigenvalues (n,) of ``−½ H D² H`` and their vectors, in any order.
    """
    check(should_stop)
    B = double_centred(D)
    values, vectors = eigenpairs(B, should_stop) if known is None else known
    order = np.argsort(-values, kind="stable")
    values, vectors = values[order], vectors[:, order]
    real = _count(values)
    places = Points.prepare(vectors[:, :real] * np.sqrt(values[:real]))
    ways = _compared(B, values, vectors, places, k, should_stop)
    off = np.abs(pairwise("distances", places, places) - D)
    return replace(
        ways,
        negative=int((values < -_noise(values)).sum()),
        smallest=float(values[-1]),
        distance_error=float(off.max(initial=0.0)),
    )


def _compared(
    B: Array,
    values: Array,
    vectors: Array,
    points: Points,
    k: int,
    should_stop: ShouldStop,
) -> ThreeWays:
    # Around their mean, as the linear kernel sees them: far from the origin, dot
    # products have no digits left for what differs.
    Y = points.around_their_mean().dense()
    check(should_stop)
    found = {
        "pca": _principal(Y, k, should_stop),
        "linear": first_pairs(_symmetric(double_center(Y @ Y.T)), k, should_stop),
        "mds": (values, vectors),
    }
    count = min(_count(values) for values, _ in found.values())
    k = min(k, count)
    # Equal eigenvalues that k cuts apart: only whole can a space be turned onto itself.
    whole = max(_whole_groups(mu[:count], k) for mu, _ in found.values())
    mu, reference = (part[..., :whole] for part in found["pca"])
    rule = canonical(reference, mu)[:, :k]
    scores = {}
    for way, (mu, V) in found.items():
        mu, V = mu[:whole], V[:, :whole]
        # First onto one way and then all by its rule: that turns eigenvalues too which
        # are so nearly equal that `towards` still tells them apart.
        scores[way] = V @ towards(V, mu, reference) @ rule * np.sqrt(mu[:k])
    return ThreeWays(
        scores["mds"],
        scores["pca"],
        scores["linear"],
        values[:k],
        _largest_difference(list(scores.values())),
        _strain(B, scores["mds"], should_stop),
        float(np.linalg.norm(B)),
    )


def _principal(Y: Array, k: int, should_stop: ShouldStop) -> tuple[Array, Array]:
    """Return μ and unit vectors of the rows, by PCA of centred points (n, d)."""
    if min(Y.shape) <= DENSE_UP_TO:
        U, lengths, _ = np.linalg.svd(Y, full_matrices=False)
        return np.square(lengths), U
    values, axes = first_pairs(Y.T @ Y, k, should_stop)
    lengths = np.sqrt(np.maximum(values, 0.0))
    return values, Y @ axes / np.where(lengths > 0, lengths, 1.0)


def first_pairs(B: Array, k: int, should_stop: ShouldStop) -> tuple[Array, Array]:
    """Return eigenvalues, descending, and vectors of B (n, n).

    These are the first k at least, and those that are equal to the last of them.
    """
    n = len(B)
    if n <= DENSE_UP_TO or 8 * k >= n:
        return eigenpairs(B, should_stop)
    values, vectors = lanczos_pairs(B, k + SPARE, should_stop=should_stop)
    if _whole_groups(values, k) < len(values) or values[-1] <= _noise(values):
        return values, vectors
    return first_pairs(B, 2 * k + SPARE, should_stop)


def _whole_groups(values: Array, k: int) -> int:
    """Return where the group of equal eigenvalues ends to which the k-th belongs."""
    return next((it.stop for it in tied_groups(values) if it.stop >= k), k)


def _largest_difference(scores: list[Array]) -> float:
    # That of the two outermost ways, for every row and component.
    return float(np.ptp(np.stack(scores), axis=0).max(initial=0.0))


def _strain(B: Array, Z: Array, should_stop: ShouldStop) -> Array:
    left = B.copy()
    strain = [float(np.linalg.norm(left))]
    for z in Z.T:
        check(should_stop)
        left -= np.outer(z, z)
        strain.append(float(np.linalg.norm(left)))
    return np.array(strain)


def _symmetric(K: Array) -> Array:
    return (K + K.T) / 2


def _count(values: Array) -> int:
    """Return how many of descending eigenvalues are positive by more than rounding."""
    return int((values > _noise(values)).sum())


def _noise(values: Array) -> float:
    return NOISE[np.dtype(np.float64)] * float(np.abs(values).max(initial=0.0))
