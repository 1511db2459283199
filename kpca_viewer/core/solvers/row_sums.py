"""What rows add up to: products of features, or of kernel values, which cost half.

``FᵀF = Aᵀ(KᵀK)A`` with ``F = KA``, ``A = R⁻¹``: where the root is divided out once, at
the end, no row has to be multiplied by it. A enlarges the rounding of the sums, by no
more than `divided_out` says (docs/mathematics.md); that is why kernel values are taken
around their means, and only where it is a small part of what is wanted.

What a pass over all rows adds up, and the eigenvalues and bounds that follow.

A pass over the rows (all of them in memory, or block by block from files)
gives these sums; the small eigenproblem and the certificate are the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.linalg.products import symmetric
from kpca_viewer.core.solvers.centred_operator import SMALLEST_SIZE
from kpca_viewer.core.solvers.landmarks import (
    LandmarkFeatures,
    LandmarkSample,
    added_up,
)
from kpca_viewer.core.solvers.lowrank_result import (
    Eigenpairs,
    foreseen_bound,
    norm_bound,
    packed,
    sample_norm,
    small_eigenpairs,
)
from kpca_viewer.core.solvers.problem import FAILURE, Decomposition, Grade, Problem
from kpca_viewer.support.arrays import Array

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
    diagonal = features.kernel.diagonal(features.known)
    if float(diagonal.max(initial=0.0)) < SMALLEST_SIZE:
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


Draw = Callable[[int], tuple[Points, Array] | None]
"""Gives so many points, drawn in proportion to what is left of them, and that of each;
None where none could be drawn."""

MOST_PASSES = 3
"""Over all rows: landmarks are added where a pass shows more than the sample did."""

MOST_CERTIFYING = 10_000
"""Rows from which the norm of what is left is told."""

LOOKS = 2
"""At such rows after every pass: at more of them where some were not quite enough."""


@dataclass(frozen=True, eq=False)
class FeatureSums:
    """Sums over all n rows with their features F."""

    problem: Problem
    features: LandmarkFeatures
    corner: Array
    """Shape (r, r). R."""
    n: int
    products: Array
    """Shape (r, r). ``FᵀF``."""
    sums: Array
    """Shape (r,). Of F."""
    left: float
    """What is left of the diagonal of K."""
    excess: float
    """By how much rounding has made it negative, in all."""
    total: float
    """The trace of K."""
    kernel_rounding: float
    """Bound on what rounding of its entries does to the norm of K."""
    inexact: float
    """How far rounding has moved the features of a row."""
    moved: float = 0.0
    """Bound on what rounding of these sums does, where the root was divided out of them
    at the end."""

    def divided(self, additions: int) -> "FeatureSums":
        """Return sums of features, where these are still sums of kernel values.

        Parameters
        ----------
        additions : int
            Partial sums that were added up one after another, at most.
        """
        if not self.is_deferred:
            return self
        found = divided_out(self.features, self.products, self.sums, self.n, additions)
        left = self.total - float(np.trace(found.products))
        return replace(
            self,
            products=found.products,
            sums=found.sums,
            left=max(left, 0.0) + found.moved,
            excess=max(-left, 0.0),
            moved=found.moved,
        )

    @cached_property
    def mean(self) -> Array:
        """Of the features, shape (r,); zero without centring."""
        mean = self.sums / self.n
        return mean if self.problem.center else np.zeros_like(mean)

    @cached_property
    def eigenpairs(self) -> tuple[Array, Array, int]:
        """All r values, U (r, r), and how many of the first k are no noise."""
        G = self.products - self.n * np.outer(self.mean, self.mean)
        return small_eigenpairs(G, self.problem.k, self.features.inverse.dtype)

    @cached_property
    def directions(self) -> Array:
        """``U / √μ``, shape (r, live): times F − mean they are the eigenvectors."""
        values, U, live = self.eigenpairs
        return np.asarray(U[:, :live] / np.sqrt(values[:live]))

    def decomposed(
        self,
        landmarks: Array,
        vectors: Array,
        draw: Draw,
        certifying: int,
        n: int | None = None,
    ) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds.

        Parameters
        ----------
        landmarks : ndarray of shape (r,)
        vectors : ndarray of shape (m, live)
            Eigenvectors, of all rows or of some.
        certifying : int
            Rows to draw for a bound on the norm of what is left.
        n : int, optional
            All rows, where these are some.
        """
        values, U, _ = self.eigenpairs
        norm_left, grade = self._norm_left(draw, certifying)
        return packed(
            self.problem,
            Eigenpairs(values, U, vectors, self.mean),
            landmarks=landmarks,
            corner=self.corner,
            total=self.total,
            trace_left=self.left,
            norm_left=norm_left,
            rounding=self._rounding,
            certificate=grade,
            n=n,
        )

    @property
    def rounding_alone(self) -> float:
        """The part of an error that no landmark and no other pass takes away."""
        lasting = self._rounding - self.moved
        return lasting / self._largest if self._largest > 0 else np.inf

    @property
    def is_deferred(self) -> bool:
        """Whether the root was divided out at the end: features would say more."""
        return self.features.around is not None

    @property
    def _largest(self) -> float:
        return float(self.eigenpairs[0].max(initial=0.0))

    @property
    def _rounding(self) -> float:
        """What floating point may have added to an eigenvalue."""
        moved = self.features.rounding(self.inexact, self.n, self._largest, self.total)
        return moved + self.moved + self.excess + self.kernel_rounding

    def _norm_left(self, draw: Draw, certifying: int) -> tuple[float, Grade]:
        """Bound the norm of what is left, by the trace if that is good enough."""
        trace, wanted = self.left, self.problem.certificate
        enough = trace <= self.problem.wanted * self._largest
        if wanted == "proven" or trace == 0 or (wanted == "auto" and enough):
            return trace, "proven"
        if self.is_deferred:
            # Only a part of the rows could have been drawn.
            return trace, "proven"
        bound = self._sampled_bound(draw, certifying)
        return (bound, "statistical") if bound < trace else (trace, "proven")

    def _sampled_bound(self, draw: Draw, certifying: int) -> float:
        """Bound the norm by rows drawn, by more of them if these will reach the goal.

        A second look costs a part of what another pass would.
        """
        trace, bound = self.left, self.left
        # Any of the looks after any of the passes may be the one that is reported.
        failure = FAILURE / (MOST_PASSES * LOOKS)
        goal = self.problem.wanted * self._largest - self._rounding
        for _ in range(LOOKS):
            drawn = draw(certifying)
            if drawn is None:
                break
            seen, sampled = len(drawn[1]), self._sampled_norm(*drawn)
            bound = min(bound, norm_bound(sampled, trace, seen, failure))
            most = min(self.n, MOST_CERTIFYING)
            foreseen = foreseen_bound(sampled, trace, seen, most, failure)
            if bound <= goal or seen >= most or foreseen > goal:
                break
            certifying = most
        return bound

    def _sampled_norm(self, points: Points, residual: Array) -> float:
        F, kernel = self.features.of(points), self.features.kernel

        def left(rows: slice, columns: slice) -> Array:
            E = kernel.block(points.take(rows), points.take(columns))
            E -= F[rows] @ F[columns].T
            return E

        E = symmetric(left, len(points), points.dtype, self.problem.should_stop)
        sampled = sample_norm(self.problem, E, residual, self.left)
        return sampled + 2 * self.inexact * self.n
