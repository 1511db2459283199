"""A low-rank approximation ``K̂ ⪯ K`` as a decomposition with bounds.

A bound on what low rank leaves of the matrix, from a sample of its rows.

``E = K − K̂`` is positive semi-definite, so its trace τ bounds its norm; where the
spectrum is flat, that is many times too much. Write ``E = BᵀB`` with a column ``bᵢ``
for every row, ``‖bᵢ‖² = Eᵢᵢ``, and let u be the leading eigenvector of ``BBᵀ``, whose
eigenvalue is ``λ = ‖E‖``. Draw m rows with probabilities ``Eᵢᵢ/τ``, once E is fixed.
The numbers ``(uᵀbᵢ)² τ/Eᵢᵢ`` lie between 0 and τ and have the mean λ, so that their
average is at most ``xλ`` with a probability of at most
``exp(−m (λ/τ) (x ln x − x + 1))`` (Chernoff). And it is never more than the largest
eigenvalue of ``(τ/m) Σ bᵢbᵢᵀ/Eᵢᵢ``, which is that of the small matrix
``(τ/m) Eᵢⱼ/√(EᵢᵢEⱼⱼ)``. Nothing is assumed about the data.
"""

from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np

from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import krylov
from kpca_viewer.core.solvers.problem import (
    Decomposition,
    Grade,
    LandmarkMap,
    Problem,
)
from kpca_viewer.core.spectrum import angle_bounds, clipped
from kpca_viewer.support.arrays import Array


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Of ``H K̂ H``: values, ``U`` (r, r) in the basis F, the leading vectors."""

    values: Array
    """Shape (m,). All r of them, or with ``ends`` lower ends of as many."""
    U: Array
    vectors: Array
    """Shape (n, live)."""
    mean: Array
    """Shape (r,). Of the features; zero without centring."""
    ends: Array | None = None
    """Shape (k + 1,) or more. Upper ends of the values, where these are not exact."""
    residuals: Array | float = 0.0
    """Shape (live,). Bounds on ``‖H K̂ H v − θv‖``."""
    squares: float = 0.0
    """``‖H K̂ H‖²_F``, where it is known beyond these values."""


def small_eigenpairs(G: Array, most: int, dtype: Any) -> tuple[Array, Array, int]:
    """Decompose ``F H Fᵀ`` (r, r).

    Returns
    -------
    tuple of (values, U, live)
        Descending, and how many of the first ``most`` are no rounding noise: nothing is
        divided by the others.
    """
    values, U = np.linalg.eigh(G)
    values, U = np.maximum(values[::-1], 0), U[:, ::-1]
    noise = 1e-12 if dtype == np.float64 else 2e-7
    live = int(np.sum(values[:most] > noise * values.max(initial=0.0)))
    return values, U, live


def packed(
    problem: Problem,
    found: Eigenpairs,
    *,
    landmarks: Array,
    corner: Array,
    total: float,
    trace_left: float,
    norm_left: float,
    rounding: float,
    certificate: Grade = "proven",
    n: int | None = None,
) -> Decomposition:
    """Pack the k leading eigenpairs with the bounds ``μ̂ ≤ μ ≤ μ̂ + ‖K − K̂‖``.

    Parameters
    ----------
    found : Eigenpairs
        With k vectors at most.
    landmarks : ndarray of shape (r,)
    corner : ndarray of shape (r, r)
        As `LandmarkMap` has them.
    total, trace_left, norm_left : float
        Trace of K, of what is left of it, and the bound on the norm of that.
    rounding : float
        What floating point may have added to an eigenvalue.
    n : int, optional
        Rows of K, where the vectors do not have all of them.
    """
    rows, live = found.vectors.shape
    k, r = problem.k, len(found.U)
    upper = found.values if found.ends is None else found.ends
    eigenvalues, highest = np.zeros(k), np.zeros(k)
    eigenvalues[:live] = found.values[:live]
    # An eigenvalue that is set to zero as rounding noise is still no larger than that.
    highest[: min(k, r)] = upper[:k]
    # Beyond the rank every eigenvalue of K̂ is 0.
    spectrum = np.append(found.values, np.zeros(max(k - r, 0)))
    eigenvectors = np.zeros((rows, k), dtype=found.vectors.dtype)
    eigenvectors[:, :live] = found.vectors
    directions = np.zeros((len(found.U), k))
    directions[:, :live] = found.U[:, :live]
    bounds = np.column_stack((eigenvalues - rounding, highest + norm_left + rounding))
    # The trace of K̃ is no larger: K̂ ⪯ K, so that its mean takes away less.
    trace = total - float((n or rows) * found.mean @ found.mean)
    cancelled = _cancelled(total, n or rows) if problem.center else 0.0
    # The residual of a vector is what is left of K times it; where μ̂ is small, so is
    # what its vector was divided by, and rounding is not.
    eps = float(np.finfo(found.vectors.dtype).eps)
    largest = float(found.values.max(initial=0.0))
    with np.errstate(divide="ignore"):
        steepness = np.sqrt(largest / eigenvalues[:live])
    residuals = np.full(k, np.inf)
    residuals[:live] = norm_left + rounding + found.residuals
    residuals[:live] += eps * (8 + r**0.5) * largest * steepness
    following = float(np.append(upper, np.zeros(k + 1))[k])
    bounds = clipped(bounds, trace + cancelled, rounding)
    angles = angle_bounds(
        eigenvalues, bounds, residuals, following + norm_left + rounding
    )
    share = trace_left / total if total > 0 else 0.0
    return Decomposition(
        eigenvalues=eigenvalues,
        eigenvectors=eigenvectors,
        bounds=bounds,
        angles=angles,
        # Rows that are almost alike leave nothing but rounding of a difference.
        trace=max(trace, float(found.values.sum())),
        squares=max(found.squares, float(np.square(found.values).sum())),
        row_means=np.zeros(0),
        solver="lowrank",
        reason=f"{len(landmarks)} landmarks leave {share:.0e} of the variance",
        rank=len(landmarks),
        spectrum=spectrum,
        landmark_map=LandmarkMap(landmarks, corner, found.mean, directions),
        certificate=certificate,
        count=n,
    )


def _cancelled(total: float, n: int) -> float:
    """Bound the rounding of ``tr K − n|m|²``, with m the mean of n rows of features.

    However they are added up, a sum of n numbers is off by at most ``(n − 1)ε/2`` of
    the sum of their sizes. So ``n|m|²`` is off by ``nε|m|·Σ|f|``, which is no more than
    ``nε tr K``, and ``tr K`` itself by half of that.
    """
    return 2 * n * float(np.finfo(np.float64).eps) * total


ACCURACY = 0.01
"""Of the largest eigenvalue of the sample; it is rounded up by as much."""


def drawn(weights: Array, count: int, rng: np.random.Generator) -> Array:
    """Draw so many indices in proportion to weights of at least 0, with repetition."""
    cumulative = np.cumsum(weights)
    index = np.searchsorted(cumulative, rng.random(count) * cumulative[-1], "right")
    # Rounding in the sums may point one beyond the end, or at what weighs nothing.
    index = index[index < len(weights)]
    return index[weights[index] > 0]


def sample_norm(problem: Problem, E: Array, diagonal: Array, trace: float) -> float:
    """Return the largest eigenvalue of ``(τ/m) Eᵢⱼ/√(EᵢᵢEⱼⱼ)``, rounded up.

    Parameters
    ----------
    problem : Problem
        Whose seed and cancellation are taken.
    E : ndarray of shape (m, m)
        Of the sampled rows; overwritten.
    diagonal : ndarray of shape (m,)
        ``Eᵢᵢ``, greater than 0.
    trace : float
        τ, of all rows.
    """
    scale = (1 / np.sqrt(diagonal)).astype(E.dtype)
    E *= scale[:, None]
    E *= scale
    np.fill_diagonal(E, 1)
    part = replace(
        problem,
        gram=MatrixGram(E, psd=True),
        k=1,
        center=False,
        tol=ACCURACY,
        start=None,
        publish=None,
    )
    found = krylov.solve(part, "the norm of a sample")
    return trace / len(E) * float(found.bounds[0, 1])


def foreseen_bound(
    sampled: float, trace: float, seen: int, size: int, failure: float
) -> float:
    """Return about what `norm_bound` of ``size`` rows will be, after a look at others.

    Parameters
    ----------
    sampled : float
        As `sample_norm` gives it for ``seen`` rows.
    """
    # A sample adds its own noise, less of it the larger it is.
    root = max(sampled**0.5 - (trace / seen) ** 0.5, 0.0)
    return norm_bound((root + (trace / size) ** 0.5) ** 2, trace, size, failure)


def norm_bound(sampled: float, trace: float, size: int, failure: float) -> float:
    """Return the λ that ``‖E‖`` exceeds with a probability of at most ``failure``.

    Parameters
    ----------
    sampled : float
        As `sample_norm` gives it.
    trace : float
        τ, which is the bound that needs no sample.
    size : int
        m, the number of rows that were drawn.
    """
    needed = log(1 / failure) * trace / size

    def exponent(value: float) -> float:
        x = sampled / value
        return value * (x * log(x) - x + 1) if x > 0 else value

    low, high = sampled, trace
    if sampled >= trace or exponent(trace) < needed:
        return trace
    # It grows with λ; the upper end always holds.
    for _ in range(60):
        middle = (low + high) / 2
        if exponent(middle) < needed:
            low = middle
        else:
            high = middle
    return high
