"""What rows add up to: products of features, or of kernel values, which cost half.

``FᵀF = Aᵀ(KᵀK)A`` with ``F = KA``, ``A = R⁻¹``: where the root is divided out once, at
the end, no row has to be multiplied by it. A enlarges the rounding of the sums, by no
more than `divided_out` says (docs/mathematics.md); that is why kernel values are taken
around their means, and only where it is a small part of what is wanted.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.solvers.exact import SMALLEST_SIZE
from kpca_viewer.core.solvers.landmark_features import LandmarkFeatures, added_up
from kpca_viewer.core.solvers.landmarks import LandmarkSample
from kpca_viewer.core.solvers.problem import Problem

Array = NDArray[Any]

SEEN = 16
"""Of so many rows one has its features formed, where sums do not need them."""

PART = 1024
"""Rows of one product: the fewer, the less rounding can add up in it."""

SHARE = 0.1
"""Of the tolerance, what rounding of such sums may take."""

FILLED = 0.95
"""Of the tolerance, what rounding and what the sample leaves may take together: all
rows leave a little more or less."""

ROUNDING = float(np.finfo(np.float64).eps) / 2


class RowSums:
    """Sums over rows that come in steps.

    Attributes
    ----------
    products : ndarray of shape (r, r)
        ``FᵀF``, or ``(K − c)ᵀ(K − c)`` where the features have an ``around`` c.
    sums : ndarray of shape (r,)
        Of the same rows.
    """

    def __init__(self, features: LandmarkFeatures) -> None:
        r = features.rank
        self._features = features
        self.products, self.sums = np.zeros((r, r)), np.zeros(r)

    def add(self, points: Points) -> Array:
        """Add a step of rows.

        Returns
        -------
        ndarray of shape (m,)
            ``‖f‖²`` of every row; NaN where its features were not formed.
        """
        features = self._features
        K = features.kernel.block(points, features.known)
        if features.around is None:
            F = features.divided(K)
            products, sums = added_up(F)
            self.products += products
            self.sums += sums
            return _squares(F)
        explained = np.full(len(K), np.nan)
        explained[::SEEN] = _squares(features.divided(K[::SEEN]))
        K -= features.around
        for start in range(0, len(K), PART):
            part = K[start : start + PART]
            self.products += part.T @ part
            self.sums += part.sum(axis=0)
        return explained


@dataclass(frozen=True, eq=False)
class Divided:
    """Sums of features, and what rounding may have moved."""

    products: Array
    """Shape (r, r). ``FᵀF``."""
    sums: Array
    """Shape (r,). Of F."""
    moved: float
    """Bound on the trace and on the norm of what rounding has added to the products,
    centred or not; 0 where these are sums of features."""


def divided_out(
    features: LandmarkFeatures, products: Array, sums: Array, n: int, additions: int
) -> Divided:
    """Turn sums of kernel values into those of features.

    Parameters
    ----------
    n : int
        Rows of all steps.
    additions : int
        Partial sums that were added up one after another, at most.
    """
    c, A = features.around, features.inverse
    if c is None:
        return Divided(products, sums, 0.0)
    within = A.T @ (products @ A)
    within = (within + within.T) / 2
    away, mean = sums @ A, c @ A
    crossed = np.outer(away, mean)
    whole = within + crossed + crossed.T + n * np.outer(mean, mean)
    return Divided(
        whole, away + n * mean, _moved(c, A, products, within, mean, n, additions)
    )


def deferred(
    problem: Problem,
    sample: LandmarkSample,
    features: LandmarkFeatures,
    n: int,
    blocks: int,
) -> LandmarkFeatures:
    """Let sums over n rows be of kernel values, if a sample says that this is enough.

    It is where the trace will certify, so that no row has to be drawn in proportion to
    what is left of it, and where rounding takes a small part of the tolerance.

    Parameters
    ----------
    blocks : int
        Into which the n rows are cut.
    """
    # The sample speaks for the rows that it is of, which may be some of all n.
    wanted = problem.wanted * sample.largest(problem.center)
    if features.known.dtype != np.float64 or sample.left > wanted:
        return features
    if problem.may_be_statistical(features.rank):
        return features
    if float(problem.gram.diagonal().max(initial=0.0)) < SMALLEST_SIZE:
        # Products of two such values underflow, and no bound knows by how much.
        return features
    K = features.kernel.block(sample.held_out()[0], features.known)
    if not len(K):
        return features
    means = K.mean(axis=0)
    found = replace(features, around=means)
    K -= means
    products, sums = K.T @ K * (n / len(K)), np.zeros(features.rank)
    additions = most_additions(-(-n // blocks), blocks)
    moved = divided_out(found, products, sums, n, additions).moved
    moved *= problem.gram.n / n
    # It is added to what is left and to the eigenvalues.
    is_small = moved <= SHARE * wanted and sample.left + 2 * moved <= FILLED * wanted
    return found if is_small else features


def most_additions(rows: int, blocks: int) -> int:
    """Return how many partial sums follow each other in blocks of so many rows."""
    # A step of rows is no shorter than a part, and its last part may be.
    return 2 * (rows // PART + 1) + blocks


def _moved(
    c: Array,
    A: Array,
    products: Array,
    within: Array,
    mean: Array,
    n: int,
    additions: int,
) -> float:
    gamma = _gamma(PART + additions + 2 * len(A) + 4)
    lengths = np.sqrt(np.maximum(np.diagonal(products), 0.0))
    a = float(np.linalg.norm(lengths @ np.abs(A)))
    m = float(np.linalg.norm(mean))
    # c A is rounded as a product of r terms.
    off = _gamma(len(A)) * float(np.linalg.norm(np.abs(c) @ np.abs(A)))
    of_sums = gamma * a * (4 * a + 2 * n**0.5 * m)
    of_mean = off * (2 * n**0.5 * a + 2 * n * m + n * off)
    of_outer = 10 * ROUNDING * (float(np.trace(within)) + n * m**2)
    return 1.01 * (of_sums + of_mean + of_outer)


def _gamma(terms: int) -> float:
    """Bound the relative error of a sum of so many rounded products."""
    return terms * ROUNDING / (1 - terms * ROUNDING)


def _squares(F: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", F, F, dtype=np.float64))
