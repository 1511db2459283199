"""A bound on what low rank leaves of the matrix, from a sample of its rows.

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

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import MatrixGram
from kpca_viewer.core.solvers import krylov
from kpca_viewer.core.solvers.problem import Problem

Array = NDArray[Any]

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
