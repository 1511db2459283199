"""How much of an indefinite matrix is negative: an estimate by random vectors.

``Σ_{μ<0}|μ| = tr f(K̃)`` with ``f(x) = max(−x, 0)``. For Gaussian g the mean of
``gᵀf(R)g`` is ``tr f(R)``, with R what the known eigenvectors leave of K̃; block Lanczos
from many g at once computes it (Golub and Meurant; Hutchinson for the trace).

The sums of 1, x and x² over all eigenvalues are known, so only ``h = f − p`` is left to
chance, with the parabola p that comes nearest to f on the spectrum. The standard error
of the estimate, ``√(2 tr h²(R) / probes)``, is a few per cent of that of f.
"""

from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.core.solvers.centred_operator import Centred
from kpca_viewer.core.solvers.krylov_basis import Basis, orthonormal
from kpca_viewer.core.solvers.missed_eigenpairs import Deflated
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

WIDTH = 16
"""Random vectors at a time."""

PASSES = 12
"""Passes over K with each of them."""

ENOUGH, MOST_ROUNDS = 0.01, 4
"""Rounds until the error is this part of ``Σ|μ|``, but no more than so many."""

CANCELLED = 1e-4
"""Error of the sum of squares, as a part of it, from which it is of no use."""

STANDARD_ERRORS = 5
"""In the half-width of the interval: chance leaves it once in a million cases."""


@dataclass(frozen=True)
class NegativeSum:
    """``Σ_{μ<0}|μ|``."""

    value: float
    error: float
    """The half-width of the interval around ``value``."""
    smallest: float
    """The smallest Ritz value that was met."""

    def put_into(self, solved: Decomposition, noise: float) -> Decomposition:
        smallest = min(self.smallest, solved.smallest)
        return replace(
            solved,
            negative=self.value,
            negative_error=self.error,
            # Rounding noise around zero is no negative eigenvalue.
            smallest=smallest if smallest < -noise else solved.smallest,
        )


def negative_sum(
    problem: Problem, centred: Centred, values: Array, V: Array, residual: Array
) -> NegativeSum:
    """Estimate the sum of the negative eigenvalues, counted as positive.

    Parameters
    ----------
    values : ndarray of shape (c,)
        Ritz values, with ``V`` their vectors and ``residual`` their residuals (n, c).
    """
    operator = Deflated(centred, V.astype(np.float64, copy=False))
    E = float(np.square(residual).sum(dtype=np.float64)) ** 0.5
    left = centred.squares() - np.square(values).sum() - 2 * E**2
    if centred.squares_slack() > CANCELLED * left:
        # The difference of two large numbers that are nearly equal.
        left = np.nan
    sums = np.array([centred.n - len(values), centred.trace - values.sum(), left])
    rng = np.random.default_rng([problem.seed, len(values), centred.n])
    rounds: list[_Round] = []
    known = float(np.maximum(-values, 0).sum())
    while True:
        problem.progress("negative eigenvalues", None)
        rounds.append(_round(problem, operator, rng, sums))
        value = known + float(np.mean([r.value for r in rounds]))
        variance = float(np.mean([r.variance for r in rounds])) / len(rounds)
        error = STANDARD_ERRORS * variance**0.5 + max(r.bias for r in rounds)
        # Splitting V off changes the sum of all |μ| by no more than twice ‖E‖_*.
        error += E * len(values) ** 0.5 + centred.noise * centred.n**0.5
        total = centred.trace + 2 * value
        if error <= ENOUGH * total or len(rounds) == MOST_ROUNDS:
            smallest = min(r.smallest for r in rounds)
            return NegativeSum(max(value, 0.0), error, smallest)


@dataclass(frozen=True)
class _Round:
    """An estimate of ``tr f(R)``, its variance, and how far Lanczos may be off."""

    value: float
    variance: float
    bias: float
    smallest: float
    """The smallest Ritz value."""


def _round(
    problem: Problem, operator: Deflated, rng: np.random.Generator, sums: Array
) -> _Round:
    G = operator.without(rng.standard_normal((operator.n, WIDTH)))
    basis = Basis(operator, WIDTH, PASSES)
    block = orthonormal(G, operator.V)
    first = block.T @ G
    before = 0.0
    for count in range(PASSES):
        check(problem.should_stop)
        basis.add(block, problem.should_stop)
        block = operator.next_block(basis) if count < PASSES - 1 else block[:, :0]
        if count == PASSES - 2:
            before = _estimate(basis, first, sums)[0]
        if not block.shape[1]:
            break
    value, variance = _estimate(basis, first, sums)
    finished = count < PASSES - 1
    bias = 0.0 if finished else abs(value - before)
    return _Round(value, variance, bias, float(basis.ritz_values()[0][-1]))


def _estimate(basis: Basis, first: Array, sums: Array) -> tuple[float, float]:
    """``tr f(R)`` by quadrature over the Ritz values, and its variance."""
    nodes, Y = basis.ritz_values()
    weights = np.square(first.T @ Y[: len(first)]).mean(axis=0)
    known = np.isfinite(sums)
    unit = float(np.abs(nodes).max(initial=0.0)) or 1.0
    x = nodes / unit
    powers = np.vstack((np.ones_like(x), x, x * x)).T[:, known]
    f = np.maximum(-x, 0)
    root = np.sqrt(weights)
    p = np.linalg.lstsq(powers * root[:, None], f * root, rcond=None)[0]
    h = f - powers @ p
    scaled = (sums / unit ** np.arange(3))[known]
    value = float(p @ scaled + weights @ h)
    return unit * value, unit**2 * 2 * float(weights @ (h * h)) / WIDTH
