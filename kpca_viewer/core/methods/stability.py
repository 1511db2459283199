"""Whether other rows of the same kind would have given the same picture.

The rows are cut into two halves at random, a few times. Each half has a model of its
own, and both models project all rows. What the two say about the same rows agrees as
far as the subspaces of their scores do: by the canonical correlations, the cosines of
the principal angles between them. These know neither scale nor rotation, nor which axis
is which: a picture that is turned, or longer along an axis, is the same picture.

Components whose eigenvalues are nearer to each other than sampling moves them (North
et al., "Sampling errors in the estimation of empirical orthogonal functions", Monthly
Weather Review 110, 1982) are a plane of which any two axes are as good as others:
around a ring, sine and cosine. A picture whose second axis is one of these counts as
the same if the other one lies in what they span.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.eigenpairs import scores_by_rows
from kpca_viewer.core.linalg.gram import kernel_matrices
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

REPEATS = 5
"""Pairs of halves."""

MOST_ROWS = 400
"""Of more, a fixed sample is taken."""

FEWEST_ROWS = 8
"""Halves of fewer than four rows have less than a picture."""

SHOWN = 2
"""Components of a picture."""

TIED = 1
"""Further components that the second one may be tied with. With more of them, any plane
of a ball of noise would count as the same picture."""

STABLE = 0.85
"""Agreement of halves from which on a picture is that of the data, not of the rows."""

ALIKE = 0.85
"""Agreement from which on two values show the same picture."""

LINEAR = 0.95
"""Agreement from which on a picture is that of linear PCA, which is always stable."""

NOISE = 1e-12
"""Part of the largest below which an eigenvalue is rounding."""


@dataclass(frozen=True, eq=False)
class Stability:
    """How far the models of two halves of the rows agree, 0 … 1."""

    by_count: Array
    """Shape (k,). Mean cosine of the principal angles between the subspaces of the
    first 1 … k components."""
    picture: float
    """The same of the first two, up to what they are tied with."""
    linear: float
    """How alike the picture is to that of linear PCA."""
    rows: int
    """Of how many rows; fewer than the data have where these were sampled."""
    shown: "Picture" = field(repr=False)
    """The picture of these rows."""


@dataclass(frozen=True, eq=False)
class Picture:
    """The first components of some rows, and those they are tied with."""

    axes: Array
    """Shape (n, 2). Orthonormal, of the scores around their mean."""
    span: Array
    """Shape (n, 2 … 3). The same and what the second one is tied with."""

    @classmethod
    def of(cls, scores: Array, tied: int) -> "Picture":
        """Take the components of scores (n, k) of which ``tied`` follow the second."""
        span = _orthonormal(scores[:, : SHOWN + tied])
        return cls(span[:, :SHOWN], span)

    def agreement(self, other: "Picture") -> float:
        return min(_cosines(self.axes, other.span), _cosines(other.axes, self.span))


def stability(
    X: Array,
    kernels: Sequence[Kernel],
    *,
    components: int = 10,
    repeats: int = REPEATS,
    seed: int = 0,
    rows: int = MOST_ROWS,
    center: bool = True,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> list[Stability]:
    """Measure how far halves of the rows agree on the components of every kernel.

    All kernels see the same halves.

    ``X`` (n, d): the rows as they are given to the kernel; ``components``: how many are
    compared at most; ``rows``: more are sampled; ``center``: as in the model.
    """
    X = np.asarray(X)
    if len(X) < FEWEST_ROWS:
        raise DataError(
            f"{len(X)} rows are too few to compare the pictures of two halves; open "
            "eight or more."
        )
    X = np.array(X[sample_rows(len(X), rows, seed)], dtype=np.float64)
    halves = _halves(len(X), repeats, seed)
    found: list[Stability] = []
    with one_blas_thread():
        linear = _linear_picture(X, center=center)
        for place, K in kernel_matrices(X, kernels, center=center):
            check(should_stop)
            models = _Models(K, components, definite=kernels[place].psd, center=center)
            found.append(_compared(models, halves, linear, should_stop))
            progress("halves of the rows", (place + 1) / len(kernels))
    return found


def similarity(stabilities: Sequence[Stability]) -> Array:
    shown = [found.shown for found in stabilities]
    return np.array([[a.agreement(b) for b in shown] for a in shown])


def stable_window(
    values: Sequence[float],
    stabilities: Sequence[Stability],
    similarity: Array,
    at: float | None = None,
) -> tuple[float, float] | None:
    """Return between which values the picture persists: it stays alike, and stable.

    ``values``: positive, ascending; ``stabilities``: one a value; ``similarity`` (m,
    m): of their pictures, as `similarity` gives it. All of a window are like the
    picture at its value, not only each like the next: a picture may become another one
    in small steps; ``at``: the window around this value, of which the nearest one
    stands for it. Without it, the widest one whose picture is not that of linear PCA;
    Returns: none where the picture there is not stable, or none is.
    """
    logs = np.log(np.asarray(values, dtype=np.float64))
    stable = np.array([found.picture >= STABLE for found in stabilities])
    if at is not None:
        places = [int(np.abs(logs - np.log(at)).argmin())]
    else:
        places = [i for i, found in enumerate(stabilities) if found.linear < LINEAR]
    windows = [_around(i, stable & (similarity[i] >= ALIKE)) for i in places]
    ends = [window for window in windows if window is not None]
    if not ends:
        return None
    low, high = max(ends, key=lambda pair: float(logs[pair[1]] - logs[pair[0]]))
    return float(values[low]), float(values[high])


def _around(place: int, alike: Array) -> tuple[int, int] | None:
    """Return the ends of the run of true values that a place is in."""
    if not alike[place]:
        return None
    other = np.flatnonzero(~alike)
    low = int(other[other < place].max(initial=-1)) + 1
    high = int(other[other > place].min(initial=len(alike))) - 1
    return low, high


class _Models:
    """Models of some of the rows of a kernel matrix (n, n), which project all rows."""

    def __init__(
        self, K: Array, components: int, *, definite: bool, center: bool
    ) -> None:
        self._K = K
        self._definite = definite
        self._center = center
        self.n = len(K)
        self.k = max(SHOWN, min(components, self.n // 2 - 1))

    def scores(self, known: Array) -> tuple[Array, int]:
        """Return scores (n, k) by a model of known rows, and how many are tied."""
        scores, mu = scores_by_rows(
            self._K, known, self.k, center=self._center, definite=self._definite
        )
        return scores, _ties(mu, len(known))

    def picture(self) -> Picture:
        return Picture.of(*self.scores(np.arange(self.n)))


def _compared(
    models: _Models,
    halves: Sequence[tuple[Array, Array]],
    linear: Picture,
    should_stop: ShouldStop,
) -> Stability:
    by_count = np.zeros((len(halves), models.k))
    pictures = np.zeros(len(halves))
    for place, pair in enumerate(halves):
        check(should_stop)
        a, b = (models.scores(half) for half in pair)
        by_count[place] = _by_count(a[0], b[0])
        pictures[place] = Picture.of(*a).agreement(Picture.of(*b))
    shown = models.picture()
    return Stability(
        by_count.mean(axis=0),
        float(pictures.mean()),
        shown.agreement(linear),
        models.n,
        shown,
    )


def _ties(mu: Array, rows: int) -> int:
    """Return how many components are tied with the second one, of those that follow.

    The variance of an eigenvalue of so many rows is 2/rows of its square; two that are
    nearer than two standard deviations are one plane.
    """
    follow = mu[SHOWN : SHOWN + TIED]
    near = follow >= mu[SHOWN - 1] * (1 - 2 * sqrt(2 / rows))
    return int(np.cumprod(near & (follow > 0)).sum())


def _halves(n: int, repeats: int, seed: int) -> list[tuple[Array, Array]]:
    random = np.random.default_rng(seed)
    orders = [random.permutation(n) for _ in range(repeats)]
    return [(np.sort(o[: n // 2]), np.sort(o[n // 2 :])) for o in orders]


def _linear_picture(X: Array, *, center: bool) -> Picture:
    ((_, K),) = kernel_matrices(X, [Kernel("linear")], center=center)
    return _Models(K, SHOWN + TIED, definite=True, center=center).picture()


def _orthonormal(scores: Array) -> Array:
    """Orthonormal columns of scores (n, k) around their mean; zeros where none is."""
    Q, R = np.linalg.qr(scores - scores.mean(axis=0))
    size = np.abs(np.diagonal(R))
    return np.where(size > sqrt(NOISE) * size.max(initial=0.0), Q, 0.0)


def _cosines(axes: Array, span: Array) -> float:
    """Return the mean cosine of the angles between axes (n, 2) and a subspace."""
    count = int((axes != 0).any(axis=0).sum())
    if not count:
        return 0.0
    values = np.linalg.svd(axes.T @ span, compute_uv=False)
    return float(min(1.0, values.sum() / count))


def _by_count(a: Array, b: Array) -> Array:
    """Return the mean cosine between the first 1 … k columns of two scores, (k,)."""
    A, B = _orthonormal(a), _orthonormal(b)
    products = A.T @ B
    counts = np.maximum(np.cumsum((A != 0).any(axis=0)), 1)
    sums = [
        np.linalg.svd(products[:j, :j], compute_uv=False).sum()
        for j in range(1, len(products) + 1)
    ]
    return np.minimum(1.0, sums / counts)
