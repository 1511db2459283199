"""Classical scaling (MDS), PCA and the linear kernel: three ways to the same scores.

Distances D become ``B = −½ H D² H``, and the eigenvectors of B, times √μ, are places of
the rows. Of Euclidean distances B is the centred matrix of dot products, so that the
places are the scores of PCA and those of kernel PCA with the linear kernel.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, pairwise
from kpca_viewer.core.orientation import canonical, towards
from kpca_viewer.core.projection import NOISE
from kpca_viewer.core.solvers.dense import eigenpairs
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]


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
    negative: int
    """Eigenvalues of B below 0: above none, no points have these distances."""
    smallest: float
    """The lowest eigenvalue of B."""
    distance_error: float | None = None
    """How far a distance between the places, in all their dimensions, is from the one
    that was given, at most; None where points were given."""

    @property
    def count(self) -> int:
        """Components that are compared."""
        return len(self.values)


def double_centred(D: Array) -> Array:
    """``−½ H D² H`` of distances (n, n)."""
    return _centred(-0.5 * np.square(D))


def ways_from_points(X: Array, k: int, should_stop: ShouldStop = never) -> ThreeWays:
    """Compare the three ways on at most k components of points (n, d).

    Raises
    ------
    Cancelled
    """
    points = Points.prepare(X)
    check(should_stop)
    B = double_centred(pairwise("distances", points, points))
    values, vectors = _descending(B, should_stop)
    return _compared(B, values, vectors, points, k, should_stop)


def ways_from_distances(D: Array, k: int, should_stop: ShouldStop = never) -> ThreeWays:
    """Compare them for given distances (n, n).

    There are no points here but those that classical scaling finds, in all of their
    dimensions: PCA and the linear kernel are those of them.

    Raises
    ------
    Cancelled
    """
    check(should_stop)
    B = double_centred(D)
    values, vectors = _descending(B, should_stop)
    real = _count(values)
    places = Points.prepare(vectors[:, :real] * np.sqrt(values[:real]))
    ways = _compared(B, values, vectors, places, k, should_stop)
    off = np.abs(pairwise("distances", places, places) - D)
    return ThreeWays(**{**vars(ways), "distance_error": float(off.max(initial=0.0))})


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
    found = {"mds": (values, vectors)}
    check(should_stop)
    U, lengths, _ = np.linalg.svd(Y, full_matrices=False)
    found["pca"] = np.square(lengths), U
    check(should_stop)
    found["linear"] = _descending(_centred(Y @ Y.T), should_stop)
    k = min(k, *(_count(values) for values, _ in found.values()))
    reference = None
    scores = {}
    for way in ("pca", "linear", "mds"):
        values, vectors = found[way][0][:k], found[way][1][:, :k]
        if reference is None:
            reference = vectors @ canonical(vectors, values)
            vectors = reference
        else:
            vectors = vectors @ towards(vectors, values, reference)
        scores[way] = vectors * np.sqrt(values)
    values = found["mds"][0]
    noise = NOISE[np.dtype(np.float64)] * float(np.abs(values).max(initial=0.0))
    return ThreeWays(
        scores["mds"],
        scores["pca"],
        scores["linear"],
        values[:k],
        _largest_difference(list(scores.values())),
        _strain(B, scores["mds"], should_stop),
        float(np.linalg.norm(B)),
        int((values < -noise).sum()) if k else 0,
        float(values.min()),
    )


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


def _centred(K: Array) -> Array:
    """``H K H`` of a symmetric matrix (n, n), symmetric to the last digit."""
    means = K.mean(axis=0)
    K = K - (means + means[:, None]) + means.mean()
    return (K + K.T) / 2


def _descending(B: Array, should_stop: ShouldStop) -> tuple[Array, Array]:
    values, vectors = eigenpairs(B, should_stop)
    return values[::-1], vectors[:, ::-1]


def _count(values: Array) -> int:
    """Return how many of descending eigenvalues are positive by more than rounding."""
    largest = float(np.abs(values).max(initial=0.0))
    return int((values > NOISE[np.dtype(np.float64)] * largest).sum())
