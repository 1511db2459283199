"""Low rank to a few digits, then one exact pass over K.

The residual trace of low rank is hundreds of times the error of an eigenvalue, and to
make it small takes twice the landmarks. One product of all of K with the leading
eigenvectors V of ``Â = H K̂ H`` shows the errors themselves.

With ``A = H K H = Â + D``, where ``D = H(K − K̂)H ⪰ 0`` has the trace τ or less, and
``P = I − VVᵀ``, what is left of A beside V is at most

    ``PAP = PÂP + PDP ⪯ μ̂_{c+1} + tr PDP``,  ``tr PDP = tr D − tr VᵀDV``,

and ``VᵀDV = VᵀAV − VᵀÂV`` is known after the pass. So nothing can have been missed,
and with the residual block ``E = AV − VΘ`` the upper ends of `index_bounds` follow,
without a look by random vectors. V need not be precise for that: it spans ``F̃ᵀU`` with
``Â = F̃ᵀF̃``, and whatever is orthogonal to this span has an image ``F̃x`` that is
orthogonal to U, on which ``F̃F̃ᵀ`` is at most ``μ̂_{c+1}`` but for its rounding.

A Ritz vector v with the residual e is then improved by ``d = (θ − PÂP)⁻¹e``, which is
cheap in terms of F̃: the residual that is left, ``PDP d``, is smaller by orders of
magnitude.
"""

from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.linalg.products import center_rows, pass_over, pass_workers
from kpca_viewer.core.solvers.centred_operator import SMALLEST_SIZE, Centred, finish
from kpca_viewer.core.solvers.krylov_basis import column_norms, norm, orthonormal
from kpca_viewer.core.solvers.lowrank_factor import Factor, slack
from kpca_viewer.core.solvers.lowrank_pairs import eigenpairs, first_residual
from kpca_viewer.core.solvers.lowrank_result import Eigenpairs
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.support.arrays import Array

OVERSAMPLING = 2
"""Vectors beyond the wanted ones at least; they widen the gap to what is not in V."""

LANES = 8
"""Columns of a product come in multiples of this at no cost."""

LARGEST_RESIDUAL = 1e-5
"""Of an eigenvector, relative to the largest eigenvalue: scores go into papers."""

# Nanoseconds on one core of a server of 2024. Only their ratios matter.
PER_ENTRY = 1.9
"""To compute an entry of K: mostly its exponential."""

PER_FEATURE = 0.07
"""And for each feature, by dot products."""

PER_DIFFERENCE = 1.0
"""The same where distances are sums of differences."""

PER_COLUMN = 0.08
"""To multiply it by one column, and its mirror image too."""

PER_ROW = 2000.0
"""To certify and to improve what the pass has found."""

PER_STEP = 0.085
"""Of low rank: n r² of them to a rank of r."""

PER_CUBE = 0.3
"""Of the small eigenproblem: r³ of them."""

PER_FEATURE_STEP, PER_LEADING_ROW, PER_LANDMARK = 0.04, 1200.0, 8000.0
"""In their place where leading pairs are enough: the features alone, for each row what
is made of them, and what takes as long for few rows as for many."""

CLEARLY = 1.2
"""By how much the pass has to be quicker: low rank alone keeps a map by landmarks, with
which new points are cheaper."""


class ExactPass:
    """The shortcut from low rank to the eigenpairs of all of K."""

    def residual(self, problem: Problem) -> float:
        """Return the part of the largest eigenvalue that may be left before it."""
        return first_residual(problem)

    def pays(self, problem: Problem, rank: int, needed: float, capacity: int) -> bool:
        """Whether it is quicker than to grow from a rank to the one that is needed."""
        if needed > capacity:
            return True
        n = problem.gram.n
        steps = n * (needed**2 - rank**2)
        growth = PER_STEP * steps + PER_CUBE * needed**3
        if not problem.all_values:
            growth = PER_FEATURE_STEP * steps + PER_LEADING_ROW * n
            growth += PER_LANDMARK * (needed - rank)
        return CLEARLY * _pass_time(problem) < growth

    def taken(self, problem: Problem, factor: Factor) -> Decomposition | None:
        """Decompose by one pass over K; None if that does not keep the tolerance."""
        outcome = decompose(problem, factor)
        if outcome is None:
            return None
        found, residual = outcome
        precise = found.error <= problem.wanted and residual <= LARGEST_RESIDUAL
        return found if precise else None


def decompose(problem: Problem, factor: Factor) -> tuple[Decomposition, float] | None:
    """Decompose by one pass over K, from what low rank knows so far.

    Returns
    -------
    tuple of (decomposition, residual) or None
        With a bound on the residual of its eigenvectors, relative to the largest
        eigenvalue. None where low rank does not know all that are wanted, or cannot
        tell them from those beyond.
    """
    k = problem.k
    found = eigenpairs(problem, factor, min(_width(problem), factor.rank - 1))
    V = center_rows(found.vectors) if problem.center else found.vectors
    V = orthonormal(V, None)
    count = V.shape[1]
    # Were one of them lost to rounding, ρ would not be what is beside the others.
    if count < max(k, found.vectors.shape[1]):
        return None
    seen = _Seen.by_a_pass(problem, V, factor.left, found)
    if seen.values[k - 1] <= found.values[count]:
        return None
    values, vectors, residual, lengths = seen.improved(k, factor, found)
    solved = finish(
        problem,
        seen.centred,
        seen.values,
        seen.vectors,
        solver="lowrank",
        reason=_reason(factor),
        # Those of low rank beyond are lower ends: no more is known of them.
        spectrum=np.append(seen.values, found.values[count:]),
        residual=seen.residual,
        rest=float(found.values[count]) + seen.beside + slack(factor),
        lengths=lengths + slack(factor),
    )
    values = np.clip(values, *solved.bounds.T)
    solved = replace(
        solved,
        eigenvalues=values,
        eigenvectors=vectors,
        rank=factor.rank,
        spectrum=np.append(values, solved.spectrum[k:]),
    )
    return solved, residual


def may_pass(problem: Problem) -> bool:
    """Whether K can be computed tile by tile."""
    gram = problem.gram
    return (
        isinstance(gram, PointsGram)
        and gram.dtype == np.float64
        and gram.points.shifted is not None
        and float(gram.diagonal().max(initial=0.0)) >= SMALLEST_SIZE
        and not problem.preview
    )


def _width(problem: Problem) -> int:
    """Return how many eigenvectors to take; with the mean, a multiple of lanes."""
    least = problem.k + OVERSAMPLING
    return least + -(least + 1) % LANES


def _pass_time(problem: Problem) -> float:
    gram = problem.gram
    assert isinstance(gram, PointsGram)
    by_products = gram.kernel.family.base in ("dot_products", "squared_distances")
    by_products &= not gram.points.by_differences
    entry = PER_FEATURE if by_products else PER_DIFFERENCE
    entry = PER_ENTRY + entry * gram.points.d + PER_COLUMN * (_width(problem) + 1)
    # Growth has one core; the others share the pass, if they are free.
    cores = (3 + pass_workers(gram.n)) / 4
    return (entry * gram.n**2 / 2 + PER_ROW * gram.n) / cores


def _reason(factor: Factor) -> str:
    share = factor.left / float(factor.diagonal.sum())
    return (
        f"{factor.rank} landmarks leave {share:.0e} of the variance, "
        "and one exact pass shows the rest"
    )


@dataclass(frozen=True, eq=False)
class _Seen:
    """Ritz pairs in the span of V, after one pass."""

    centred: Centred
    values: Array
    """Shape (c,). Θ, descending."""
    vectors: Array
    """Shape (n, c)."""
    residual: Array
    """Shape (n, c). The block E."""
    beside: float
    """A bound on ``tr PDP``."""

    @classmethod
    def by_a_pass(
        cls, problem: Problem, V: Array, left: float, found: Eigenpairs
    ) -> "_Seen":
        gram, (n, c) = problem.gram, V.shape
        block = np.empty((n, c + 1))
        block[:, :c], block[:, c] = V, 1 / n
        passed = pass_over(gram, block, problem.should_stop, problem.progress)
        W, means = passed.image[:, :c], passed.image[:, c].copy()
        if problem.center:
            W = center_rows(W)
        else:
            means = np.zeros(n)
        centred = Centred(gram, problem.center, means, passed.squares)
        T = V.T @ W
        values, Y = np.linalg.eigh((T + T.T) / 2)
        values, Y = values[::-1], Y[:, ::-1]
        V, W = V @ Y, W @ Y
        explained = float(values.sum() - found.values[:c].sum())
        beside = max(left - explained, 0.0)
        return cls(centred, values, V, W - V * values, beside)

    def improved(
        self, k: int, factor: Factor, found: Eigenpairs
    ) -> tuple[Array, Array, float, Array]:
        """Return better values (k,) and vectors (n, k), and what is known of them.

        Returns
        -------
        tuple of (values, vectors, residual, lengths)
            Their residual, relative to the largest eigenvalue, and for every vector a
            bound on that of the old value: ``(K̃ − θ)(v + d) = PDPd + VEᵀd``, and what
            making them orthonormal mixes, ``‖D‖²`` or less, times the largest.
        """
        F, c = factor.F[: factor.rank], len(self.values)
        theta, E = self.values[:k], self.residual[:, :k]
        beyond, U = found.values[c:, None], found.U[:, c:]
        # (θ − PÂP)⁻¹e, with PÂP by the eigenvectors of the small problem.
        Z = U @ ((U.T @ (F @ E)) / (theta - beyond))
        D = (E + F.T @ Z - found.mean @ Z) / theta
        size, left = norm(D), self.beside + norm(E)
        residual = size * left / float(theta[0])
        lengths = left * (column_norms(D) + size**2)
        lengths += float(theta[0]) * size**2 * (1 + size)
        values = theta + np.einsum("ij,ij->j", E, D)
        V = self.vectors[:, :k] + D
        # Nearest orthonormal columns: no vector leads the others.
        sizes, Q = np.linalg.eigh(V.T @ V)
        return values, V @ ((Q / np.sqrt(sizes)) @ Q.T), residual, lengths
