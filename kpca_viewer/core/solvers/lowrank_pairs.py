"""Eigenpairs of ``Â = H K̂ H`` by its features F̃ (r, n): all r of them, or the leading.

All of them take the Gram matrix of all features and its decomposition, as much as the
features themselves. The leading ones are known to a few digits by the first features
F₁; with those that follow, F₂, ``Â = Â₁ + D`` and ``D = F̃₂ᵀF̃₂``. So Â₁ takes the place
of low rank in the certificate of `exact_pass`, Â that of K, and a product with F₂ that
of the pass: ``V = F̃₁ᵀU Θ^(−½)`` has the residual block ``E = PDV``, where ``P = I −
VVᵀ``, and what is left of Â beside V is at most ``μ̂_{c+1} + tr PDP``, where ``tr PDP =
tr D − tr VᵀDV`` is known.

The vectors are improved in the same way, by ``d = (θ − PÂ₁P)⁻¹e``. Then follow a
Rayleigh–Ritz step, whose ``F̃V`` new points are projected onto, and one more product
with Â, which takes off a residual r all but ``Âr/θ``: it is orthogonal to V, so that
this is no longer than r.
"""

from dataclasses import replace

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import NOISE
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.core.solvers import krylov
from kpca_viewer.core.solvers.krylov_basis import column_norms
from kpca_viewer.core.solvers.lowrank_factor import Factor
from kpca_viewer.core.solvers.lowrank_result import Eigenpairs, small_eigenpairs
from kpca_viewer.core.solvers.problem import Problem
from kpca_viewer.core.spectrum import raised
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import check

FIRST_RESIDUAL = 5.0
"""The residual trace from which leading pairs are found, relative to the largest
eigenvalue, is this times the root of the tolerance: the error falls with its square."""

COLUMNS = 16
"""Vectors of a product at least: BLAS takes fewer at the same cost."""

SPARE_COLUMNS = 3
"""Vectors beyond the wanted ones; they widen the gap to what is not in V."""

LEAST_VALUE = 1e-6
"""Eigenvalue of such a vector, relative to the largest: it is divided by its root."""

ROUGH_FROM, ROUGH_PER_PAIR = 300, 25
"""Features of a preview, and those for each pair, from which the leading pairs take
less time than all."""

ROUGH_SHARE = 0.02
"""Of the tolerance, what these may be off by."""

TINY = float(np.finfo(np.float64).tiny)


def first_residual(problem: Problem) -> float:
    """Return the part of the largest eigenvalue that may be left at first."""
    return FIRST_RESIDUAL * min(problem.wanted**0.5, 1e-3)


def eigenpairs(problem: Problem, factor: Factor, most: int) -> Eigenpairs:
    """Eigenpairs of ``H K̂ H`` from the small r × r matrix, at most so many vectors."""
    check(problem.should_stop)
    G = factor.centred_gram(problem.center)
    values, U, live = small_eigenpairs(G, most, factor.F.dtype)
    mean = factor.mean(problem.center)
    return Eigenpairs(values, U, _vectors(problem, factor, values, U[:, :live]), mean)


def rough_eigenpairs(problem: Problem, factor: Factor) -> Eigenpairs:
    """Return the k leading pairs to a part of the tolerance, by block Krylov."""
    k, G = problem.k, factor.centred_gram(problem.center)
    small, tol = MatrixGram(G, psd=True), ROUGH_SHARE * problem.wanted
    # One more, because directions depend on the gap to what follows.
    part = replace(problem, gram=small, k=k + 1, center=False, tol=tol, preview=False)
    found = krylov.solve(part, "the products of the features")
    values, U = found.eigenvalues, found.eigenvectors
    live = int(np.sum(values[:k] > NOISE[factor.F.dtype] * values[0]))
    return Eigenpairs(
        values,
        U,
        _vectors(problem, factor, values, U[:, :live]),
        factor.mean(problem.center),
        found.bounds[:, 1],
        column_norms(G @ U - U * values)[:live],
        float(np.vdot(G, G)),
    )


def _vectors(problem: Problem, factor: Factor, values: Array, U: Array) -> Array:
    """``F̃ᵀU Θ^(−½)`` of the first so many values, shape (n, c)."""
    n, (r, count) = factor.gram.n, U.shape
    F = factor.F[:r]
    scaled = U / np.sqrt(values[:count])
    offset = factor.mean(problem.center)[:r] @ scaled
    vectors = np.empty((n, count), dtype=F.dtype)
    for rows in row_blocks(n, r * F.itemsize, 64 << 20):
        check(problem.should_stop)
        vectors[rows] = F[:, rows].T @ scaled.astype(F.dtype) - offset
    return vectors


def leading_eigenpairs(
    problem: Problem, factor: Factor, first: tuple[int, float]
) -> Eigenpairs | None:
    """Return the k leading pairs, by the first features and one product with the rest.

    None where the first do not tell the k-th eigenvalue from what they leave.
    ``first``: how many they are, and the trace that they leave of K.
    """
    k, r, (few, left) = problem.k, factor.rank, first
    check(problem.should_stop)
    G = factor.centred_gram(problem.center, few)
    inner, U, _ = small_eigenpairs(G, 0, factor.F.dtype)
    count = int(np.sum(inner > LEAST_VALUE * inner[0]))
    count = min(count, max(k + SPARE_COLUMNS, COLUMNS), few - 1)
    added = left - factor.left
    if count < k or inner[count] + added >= inner[k - 1]:
        return None
    F, beside = factor.F[:r], factor.F[few:r]
    mean = factor.mean(problem.center)
    V = _vectors(problem, factor, inner, U[:, :count])
    size = float(inner[0])
    skew = size * float(np.linalg.norm(V.T @ V - np.eye(count)))
    Y = beside @ V
    values, Q = np.linalg.eigh(np.diag(inner[:count]) + Y.T @ Y)
    values, V, Y = values[::-1], V @ Q[:, ::-1], Y @ Q[:, ::-1]
    check(problem.should_stop)
    E = beside.T @ Y - V @ (Y.T @ Y)
    if problem.center:
        E -= E.mean(axis=0)
    rest = float(inner[count]) + max(added - float(np.vdot(Y, Y)), 0.0)
    squares = E.T @ E
    # A little more, so that rounding takes nothing off.
    squares.flat[:: count + 1] += 1e-12 * squares.trace() + TINY
    ends = raised(values, np.linalg.cholesky(squares).T, rest) + skew
    e, theta, beyond = E[:, :k], values[:k], inner[count:, None]
    check(problem.should_stop)
    Z = U[:, count:] @ ((U[:, count:].T @ (F[:few] @ e)) / (theta - beyond))
    e += F[:few].T @ Z - mean[:few] @ Z
    V = V[:, :k] + e / theta
    inverse = np.linalg.inv(np.linalg.cholesky(V.T @ V)).T
    Y = F @ V @ inverse
    theta, Q = np.linalg.eigh(Y.T @ Y)
    theta, Q = theta[::-1], Q[:, ::-1]
    directions = Y @ (Q / np.sqrt(theta))
    vectors = _vectors(problem, factor, theta, directions)
    # What the last product has taken off; what is left is no longer.
    moved = column_norms(vectors - V @ (inverse @ Q)) * theta
    return Eigenpairs(
        # Those beyond are lower ends: no more is known of them.
        np.concatenate((theta, values[k:], inner[count:])),
        directions,
        vectors,
        mean,
        ends,
        moved,
    )
