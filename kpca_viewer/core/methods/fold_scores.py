"""Scores of all rows on components that were learnt from some of them.

A fold is a set of training rows. Of one kernel matrix of all rows, every fold uses a
part: columns that are zero outside of it, times that matrix, give the image of its
training rows and, by the same product, what its held-out rows are projected with. All
folds are multiplied at once.
"""

from collections.abc import Sequence

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import NOISE, scores_by_rows
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers.krylov_basis import orthonormal
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

MOST_FEATURES = 100
"""Coordinates of a feature map up to which their covariance is decomposed; to write
down and decompose more takes longer than products with K."""

DENSE_UP_TO = 120
"""Rows up to which a whole decomposition is quicker than a few products."""

OVERSAMPLING = 10
"""Vectors beyond the wanted ones; they speed up the slowest pair."""

RESIDUAL = 0.03
"""Of its eigenvalue: where a component counts as found."""

ROUNDING = 3e-6
"""Of the largest eigenvalue: what a residual cannot be expected to be below."""

MOST_PASSES = 6
"""Where many eigenvalues are nearly equal, no number of passes tells their vectors
apart, nor would another sample of rows."""


def fold_scores(
    gram: PointsGram,
    training: Array,
    k: int,
    start: Array | None = None,
    should_stop: ShouldStop = never,
) -> list[Array]:
    """Return the scores of all rows for every fold, (n, k) each.

    Nothing but training rows decides on components and centring. Components that are
    not there have scores of zero.

    ``training`` (folds, n): which rows are learnt from; ``start`` (n, w): as
    `common_start` gives it, perhaps of a matrix that is nearly this one.
    """
    features = _features(gram) if _has_few_features(gram) else None
    if features is not None:
        return [_by_covariance(features, rows, k, should_stop) for rows in training]
    K = _matrix(gram, should_stop)
    if start is None:
        return [scores_by_rows(K, rows, k, exact=True)[0] for rows in training]
    folds = [_Fold(rows, start.astype(K.dtype, copy=False)) for rows in training]
    _iterate(K, folds, k, should_stop)
    return [fold.scores(k) for fold in folds]


def common_start(
    gram: PointsGram, k: int, should_stop: ShouldStop = never
) -> Array | None:
    """Return vectors (n, w) near the components of any large part of the rows.

    None where folds are decomposed without.
    """
    if gram.n <= DENSE_UP_TO or _has_few_features(gram):
        return None
    K = _matrix(gram, should_stop)
    start = np.random.default_rng(0).standard_normal((gram.n, k + OVERSAMPLING))
    everybody = _Fold(np.ones(gram.n, dtype=bool), start.astype(K.dtype))
    _iterate(K, [everybody], k, should_stop)
    return everybody.vectors


def _has_few_features(gram: PointsGram) -> bool:
    """Whether K is made of few coordinates that can be written down."""
    family = gram.kernel.family
    known = family.bilinear or family.feature_map is not None
    return known and gram.largest_rank <= min(MOST_FEATURES, gram.n // 2)


def _features(gram: PointsGram) -> Array | None:
    """Return coordinates whose dot products are K, if there are few of them."""
    X = gram.points.dense()
    if gram.kernel.family.bilinear:
        # Prepared points are scaled, lifted and moved to their mean already.
        return X
    known = gram.kernel.feature_map(gram.points.d)
    return None if known is None else known(X)


def _by_covariance(
    features: Array, rows: Array, k: int, should_stop: ShouldStop
) -> Array:
    check(should_stop)
    centred = features - features[rows].mean(axis=0)
    known = centred[rows]
    values, vectors = np.linalg.eigh(known.T @ known)
    Z = centred @ vectors[:, ::-1][:, :k]
    return _padded(Z, values[::-1][:k], k)


def _padded(Z: Array, values: Array, k: int, *, rooted: bool = False) -> Array:
    """Return scores (n, k): zero where there is no component but rounding.

    ``Z`` (n, m): in the precision that they were found in; ``values`` (m,):
    eigenvalues, descending; ``rooted``: whether Z is still to be divided by their
    roots.
    """
    noise = NOISE[Z.dtype] * float(values.max(initial=0.0))
    live = values > noise
    result = np.zeros((len(Z), k))
    result[:, : live.sum()] = Z[:, live]
    if rooted:
        result[:, : live.sum()] /= np.sqrt(values[live])
    return result


def _matrix(gram: PointsGram, should_stop: ShouldStop) -> Array:
    """Return K of all rows, in float32 where no row can dwarf the others."""
    K = gram.matrix(should_stop)
    if not gram.kernel.family.unit_diagonal:
        return K
    # Centring takes a constant away anyway; small numbers lose less to rounding.
    single = np.empty(K.shape, dtype=np.float32)
    return np.subtract(K, K.mean(), out=single, casting="same_kind")


def _iterate(
    K: Array, folds: "Sequence[_Fold]", k: int, should_stop: ShouldStop
) -> None:
    """Let the bases of all folds grow until their components are found."""
    left = list(folds)
    for _ in range(MOST_PASSES):
        check(should_stop)
        images = K @ np.hstack([fold.block for fold in left])
        ends = np.cumsum([fold.block.shape[1] for fold in left])
        for fold, image in zip(left, np.split(images, ends[:-1], axis=1), strict=True):
            fold.take(image, k)
        left = [fold for fold in left if not fold.is_found]
        if not left:
            return


class _Fold:
    """A block Krylov basis on the training rows of a fold.

    ``rows`` (n,): which ones they are; ``start`` (n, w); ``block`` (n, w): what is to
    be multiplied next; orthonormal, zero outside of training.
    """

    def __init__(self, rows: Array, start: Array) -> None:
        self._rows = rows
        self._outside = ~rows
        self._width = start.shape[1]
        # What centring takes away: nothing in the basis may have a part of it.
        self._constant = (rows / np.sqrt(rows.sum()))[:, None].astype(start.dtype)
        self.block = orthonormal(self._inside(start), self._constant)
        self.is_found = False
        self._basis = self._images = np.empty((len(rows), 0), dtype=start.dtype)

    def take(self, image: Array, k: int) -> None:
        """Take ``K · block``; its rows outside of training are for projection."""
        mean = image[self._rows].mean(axis=0, dtype=np.float64)
        image = image - mean.astype(image.dtype)
        self._basis = np.hstack((self._basis, self.block))
        self._images = np.hstack((self._images, image))
        small = (self._basis.T @ self._images).astype(np.float64)
        values, turn = np.linalg.eigh((small + small.T) / 2)
        self._values = values[::-1][: self._width]
        self._turn = turn[:, ::-1][:, : self._width].astype(image.dtype)
        self.is_found = self._is_settled(k)
        if not self.is_found:
            known = np.hstack((self._constant, self._basis))
            self.block = orthonormal(self._inside(image), known)
            self.is_found = not self.block.size

    def _is_settled(self, k: int) -> bool:
        """Whether the residuals of the wanted components are small beside them."""
        values, turn = self._values[:k], self._turn[:, :k]
        off = self._images @ turn - (self._basis @ turn) * values.astype(turn.dtype)
        off[self._outside] = 0
        lengths = np.sqrt(np.einsum("ij,ij->j", off, off, dtype=np.float64))
        noise = ROUNDING * float(np.abs(self._values).max(initial=0.0))
        return bool((lengths <= np.maximum(RESIDUAL * values, noise)).all())

    @property
    def vectors(self) -> Array:
        """Shape (n, w). Approximate eigenvectors, zero outside of training."""
        return self._basis @ self._turn

    def scores(self, k: int) -> Array:
        Z = self._images @ self._turn[:, :k]
        return _padded(Z, self._values[:k], k, rooted=True)

    def _inside(self, V: Array) -> Array:
        V = V.copy()
        V[self._outside] = 0
        return V
