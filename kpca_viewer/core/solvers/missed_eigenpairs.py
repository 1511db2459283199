"""Whether eigenpairs were missed: a check by fresh random vectors.

A small residual shows that a Ritz value is near an eigenvalue, not that none between
has been passed over. With the Ritz vectors V split off, what is left of the matrix is
``R = (I − VVᵀ)A(I − VVᵀ)``; the check bounds its largest eigenvalue from above.

Let u be the eigenvector of R for its largest eigenvalue λ, and G (n, b) a block of
Gaussian vectors that were drawn after V: ``‖Gᵀu‖`` is then below δ only with the
probability of `smallest_length`, whatever the matrix. Any basis Q with ``RQ = QT + F``
gives ``(λ − T)Qᵀu = Fᵀu``, and if G lies in Q, ``G = QC``, then

    ``‖Gᵀu‖ ≤ ‖Cᵀ(λ − T)⁻¹Fᵀ‖``.

Where the right-hand side is below δ, no eigenvalue is. Block Krylov from G makes it
fall with every pass, and nothing is assumed about gaps or multiplicities. Where R ends
far below the limit, a polynomial shows the same from the same G at less cost
(`filtered`): one event, and one probability.

Whether a matrix ends below a limit: a polynomial of it, on random vectors.

With ``p(λ) = λ/b · T_q(2λ/b − 1)``, T a Chebyshev polynomial and b the edge where R is
thought to end, an eigenvector u for an eigenvalue λ has

    ``‖p(R)G‖ ≥ ‖uᵀp(R)G‖ = p(λ)‖Gᵀu‖``.

Beyond b, p grows. So where ``‖p(R)G‖ < p(limit)δ``, no eigenvalue is above the limit,
unless ``‖Gᵀu‖`` is shorter than δ. A wrong edge makes the left-hand side large, nothing
else. The factor λ keeps the many eigenvalues near 0 out of it. There is no basis to be
kept orthonormal, so that a pass costs little more than its product.

Rounding of ν in the j-th product adds ``U_{q−j}(x)ν`` to ``uᵀp(R)G``, with U of the
second kind and ``x = 2λ/b − 1`` (``T_q(x)ν`` in the first one). Beside ``T_q(x)`` that
becomes less as x grows, as the zeros of T and U show, so that the limit is the worst.
"""

from dataclasses import dataclass
from math import gamma
from typing import Any

import numpy as np

from kpca_viewer.core.linalg.products import center_rows
from kpca_viewer.core.solvers.centred_operator import Centred
from kpca_viewer.core.solvers.krylov_basis import (
    Basis,
    Found,
    Operator,
    norm,
    orthonormal,
)
from kpca_viewer.core.solvers.problem import Problem
from kpca_viewer.core.spectrum import factor
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check

FAILURE = 1e-13
"""Probability that one check says "nothing missed" although something was."""

WIDTH = 12
"""Random vectors of a check."""

MOST_BLOCKS = 32
"""Passes of a check at most: it cannot condense its basis."""

ENOUGH_TO_SEE = 4
"""Passes after which what was missed is told well enough to go on with."""

STEP, TERMS = 0.25, 10
"""Steps from one λ to the next, as a part of its distance to the spectrum of T, and
terms of the series that bounds what lies between them."""


@dataclass(frozen=True, eq=False)
class Outcome:
    bound: float
    """No eigenvalue of R is larger, but for the probability `FAILURE`."""
    missed: Array
    """Shape (n, s). Vectors along which R exceeds what was hoped; none if s is 0."""
    passes: int


@dataclass(frozen=True, eq=False)
class Deflated:
    """The operator R; its products with K may be in float32, all else is not."""

    centred: Centred
    V: Array

    @property
    def n(self) -> int:
        return self.centred.n

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64)

    def dot(self, X: Array, should_stop: ShouldStop) -> Array:
        """``R X`` for X that is orthogonal to V."""
        image = self.centred.dot(X.astype(self.centred.dtype), should_stop)
        return self.without(image.astype(np.float64, copy=False))

    def without(self, X: Array) -> Array:
        """``(I − VVᵀ) X``."""
        return X - self.V @ (self.V.T @ X)

    def next_block(self, basis: Basis) -> Array:
        """Return what is next in a basis; where nothing is left, noise may lie in V."""
        block = basis.next_block()
        if np.abs(self.V.T @ block).max(initial=0.0) > 1e-10:
            # Beside both at once: what is left beside V alone may lie in the basis.
            block = orthonormal(block, np.hstack((self.V, basis.columns)))
        return block


def smallest_length(width: int) -> float:
    """δ that a Gaussian vector of so many entries is shorter than with `FAILURE`.

    The density is at most ``(2π)^(−b/2)``, so that the probability is at most the
    volume of the ball times this.
    """
    return float((FAILURE * 2 ** (width / 2) * gamma(width / 2 + 1)) ** (1 / width))


def split(found: Found, k: int, margin: float) -> tuple[int, float]:
    """Return how many Ritz vectors to split off, and what R may then reach.

    With those beyond the k-th split off as well, R is smaller, and a check shorter; but
    they have a residual E of their own. Together with R they must not exceed
    ``σ = θ_k + margin``, which ``[[Θ, Eᵀ], [E, limit]]`` does not if
    ``limit ≤ σ − ‖E(σ − Θ)⁻¹Eᵀ‖``, by Schur's complement.

    Parameters
    ----------
    k : int
        Eigenvalues that are wanted.
    margin : float
        By how much what is beyond the k-th may exceed its Ritz value.

    Returns
    -------
    tuple of (count, limit)
    """
    most = min(found.block.shape[1], len(found.block) - 1)
    values, top = found.values, float(found.values[k - 1]) + margin
    L = factor(found.residual[:, k:])
    weighted = L / np.sqrt(top - values[k : k + L.shape[1]])
    best = k, top, -np.inf
    for count in range(most, k - 1, -1):
        # What is beyond the last one that is known may be as large.
        following = float(values[min(count, len(values) - 1)])
        if top - following <= best[2]:
            # Fewer leave more.
            break
        excess = np.linalg.norm(weighted[:, : count - k], 2) ** 2 if count > k else 0.0
        limit = top - float(excess)
        if limit - following > best[2]:
            best = count, limit, limit - following
    return best[0], best[1]


def look(
    problem: Problem,
    centred: Centred,
    V: Array,
    limit: float,
    ceiling: float,
    seed: list[int],
    most: int,
    edge: float = 0.0,
) -> Outcome:
    """Check that no eigenvalue of R exceeds a limit.

    Parameters
    ----------
    centred : Centred
        The matrix, perhaps in float32: its rounding is accounted for.
    V : ndarray of shape (n, c)
        Orthonormal Ritz vectors.
    limit : float
        What is hoped to bound R.
    ceiling : float
        What bounds it for certain.
    seed : list of int
        Of vectors that V does not depend on.
    most : int
        The largest number of passes.
    edge : float
        Where R is thought to end; if it is far below the limit, that is soon shown.
    """
    # Vectors in float32 are orthogonal to seven digits only; what they span counts.
    operator = Deflated(centred, np.linalg.qr(V.astype(np.float64))[0])
    G = np.random.default_rng(seed).standard_normal((centred.n, WIDTH))
    if problem.center and centred.gram.psd:
        # The constant vector has the eigenvalue 0, and is not asked for.
        G = center_rows(G)
    G = operator.without(G)
    enough = smallest_length(WIDTH)
    none, bound = V[:, :0], ceiling
    count, shown = ends_below(
        limit, problem, operator, G, edge, enough, centred.noise, most
    )
    if shown:
        return Outcome(min(limit, ceiling), none, count)
    basis = Basis(operator, WIDTH, MOST_BLOCKS)
    block = orthonormal(G, operator.V)
    first = block.T @ G
    while count < most and block.shape[1]:
        count += 1
        check(problem.should_stop)
        problem.progress(f"checking that none is missing, pass {count}", None)
        basis.add(block, problem.should_stop)
        reach = _Reach.of(basis, first, centred.noise)
        block = none if basis.is_full else operator.next_block(basis)
        last = count == most or not block.shape[1]
        if reach.largest >= limit:
            if last or count >= ENOUGH_TO_SEE:
                return Outcome(ceiling, basis.combined(reach.top(WIDTH)), count)
            continue
        hopeless = reach.noise_at(limit) > enough / 2
        if last or hopeless or reach.at(limit) <= enough:
            bound = reach.bound(limit, ceiling, enough)
        if hopeless or bound <= limit:
            break
    return Outcome(bound, none, count)


@dataclass(frozen=True, eq=False)
class _Reach:
    """How long ``Gᵀu`` can be for an eigenvector u of R, as a function of λ."""

    values: Array
    """Shape (m,). Θ, the Ritz values, descending."""
    Y: Array
    """Shape (m, m). Their vectors in the basis."""
    C: Array
    """Shape (b, m). G by Ritz vectors."""
    F: Array
    """Shape (m, w). ``Fᵀ`` by Ritz vectors, up to an orthogonal factor."""
    noise: float
    """Rounding in F."""

    @classmethod
    def of(cls, basis: Basis, first: Array, noise: float) -> "_Reach":
        values, Y = basis.ritz_values()
        new, rest = basis.unexplained()
        # All but the newest columns have their image in Q.
        F = Y[new].T @ factor(rest).T
        return cls(values, Y, first.T @ Y[: len(first)], F, noise)

    @property
    def largest(self) -> float:
        """The largest Ritz value: R has an eigenvalue that is no smaller."""
        return float(self.values[0])

    def top(self, count: int) -> Array:
        return self.Y[:, :count]

    def at(self, shift: float) -> float:
        """``‖Cᵀ(λ − T)⁻¹Fᵀ‖`` for one λ."""
        Z = self.C / (shift - self.values)
        return float(np.linalg.norm(Z @ self.F, 2)) + self.noise_at(shift)

    def noise_at(self, shift: float) -> float:
        """Return the part of it that is rounding."""
        return self.noise * float(np.linalg.norm(self.C / (shift - self.values)))

    def bound(self, limit: float, ceiling: float, enough: float) -> float:
        """Return the smallest bound from ``limit`` on that the whole range confirms."""
        gap = limit - self.largest
        far = self.largest + self._far(enough)
        end = min(ceiling, max(far, limit))
        if end <= limit:
            return min(limit, ceiling)
        steps = int(np.ceil(np.log((end - self.largest) / gap) / np.log1p(STEP)))
        gaps = gap * (1 + STEP) ** np.arange(max(steps, 1))
        bad = np.arange(len(gaps))
        # The cheap norm first; few of them need the one that is smaller.
        for order in ("fro", 2):
            sizes = self._between(self.largest + gaps[bad], STEP * gaps[bad], order)
            bad = bad[sizes > enough]
            if not bad.size:
                return limit
        last = self.largest + (1 + STEP) * gaps[bad[-1]]
        return min(float(last), ceiling)

    def _far(self, enough: float) -> float:
        """How far above the spectrum of T no eigenvalue can be, by norms alone."""
        norms = np.linalg.norm(self.F) + self.noise
        return float(np.linalg.norm(self.C) * norms) / enough

    def _between(self, shifts: Array, steps: Array, order: Any) -> Array:
        """Bound ``‖Gᵀu‖`` for every λ from a shift up to a step beyond it.

        With ``M = shift − T`` and ``λ = shift + h``, ``MQᵀu = Fᵀu − hQᵀu``; put into
        itself, a series in ``hM⁻¹``, with a remainder since ``‖Qᵀu‖ ≤ 1``.
        """
        away = shifts[:, None, None] - self.values
        Z = self.C / away
        ratio = steps[:, None, None] / away
        total = np.zeros(len(shifts))
        for _ in range(TERMS):
            size = np.linalg.norm(Z, order, axis=(1, 2))
            total += np.linalg.norm(Z @ self.F, order, axis=(1, 2))
            total += self.noise * size
            Z = Z * ratio
        return total + steps * size


LEAST_EDGE, MOST_EDGE = 1e-3, 0.9
"""Edges, as parts of the limit, from which a polynomial gets there soon."""

MOST_DEGREE = 8
"""Of the polynomial."""

LEAST_GAIN = 0.5
"""Of a pass: the power of what it promises; where it is less, the edge was wrong."""


def ends_below(
    limit: float,
    problem: Problem,
    operator: Operator,
    G: Array,
    edge: float,
    enough: float,
    noise: float,
    most: int,
) -> tuple[int, bool]:
    """Check that R has no eigenvalue above a limit.

    Parameters
    ----------
    operator : Operator
        R.
    G : ndarray of shape (n, b)
        Random vectors.
    edge : float
        Where R is thought to end.
    enough : float
        δ, which ``‖Gᵀu‖`` is no shorter than.
    noise : float
        What rounding may add to the product with a unit vector.
    most : int
        The largest number of passes.

    Returns
    -------
    tuple of (passes, shown)
    """
    if not LEAST_EDGE * limit < edge < MOST_EDGE * limit:
        return 0, False
    x = 2 * limit / edge - 1
    first, second = [1.0, x], [1.0, 2 * x]
    before, Z = G, operator.dot(G, problem.should_stop) / edge
    noises = [noise * norm(G) / edge]
    nearest, farthest = np.inf, float(np.cosh((MOST_DEGREE - 1) * np.arccosh(x)))
    for q in range(min(MOST_DEGREE, most)):
        size = norm(Z)
        off = noises[0] * first[q]
        off += sum(second[q - j] * noises[j] for j in range(1, q + 1))
        distance = (size + off) / (enough * limit / edge * first[q])
        if distance < 1:
            return q + 1, True
        slow = q and distance > nearest * (first[q - 1] / first[q]) ** LEAST_GAIN
        if slow or distance * first[q] > farthest:
            break
        nearest = distance
        check(problem.should_stop)
        problem.progress(f"checking that none is missing, pass {q + 2}", None)
        image = operator.dot(Z, problem.should_stop) * (2 / edge) - Z
        twice = 1 if q == 0 else 2
        noises.append(twice * 2 * noise / edge * size)
        before, Z = Z, image if q == 0 else 2 * image - before
        first.append(2 * x * first[-1] - first[-2])
        second.append(2 * x * second[-1] - second[-2])
    return q + 1, False
