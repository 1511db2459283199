"""What the eigenvalues say: error bounds, explained variance, effective rank, mass.

Symbols: ``μ`` eigenvalues of K̃, ``θ`` their Ritz approximations in a basis V, and
``E = K̃V − VΘ`` the residual block. Split along V, K̃ is ``[[Θ, Eᵀ], [E, R]]``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def index_bounds(
    values: Array,
    residual: Array,
    rounding: float,
    *,
    trace: float,
    squares: float,
    psd: bool,
    complete: bool,
    slack: float = 0.0,
    trusted: float | None = None,
) -> Array:
    """Bounds on the k largest eigenvalues from Ritz values and their residuals.

    Ritz values never exceed the eigenvalue of the same index (Cauchy), so they are the
    lower end. By Weyl's theorem the upper end is ``θ_j + ‖E‖`` if nothing in R exceeds
    ``θ_j``. What R can hold at most is known from ``‖R‖_F`` (all of ``‖K̃‖²_F`` that V
    does not explain) and, for a definite kernel, from its trace; where that settles the
    order, ``θ_j + ‖E‖²/(θ_j − ‖R‖)`` holds too and is far tighter.

    Where it does not, ``max(θ_j, ‖R‖) + ‖E‖`` is the upper end. It is far too wide for
    a flat spectrum. There, ``θ_j ± ‖E‖`` still contains an eigenvalue for every j
    (Kahan); that it is the j-th rests on the random start of an iteration that has
    converged, which says so by a ``trusted`` width.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Descending.
    residual : ndarray of shape (n, k)
        The block E.
    rounding : float
        What floating point may have added.
    trace, squares : float
        Sum of the eigenvalues and of their squares; ``squares`` may be NaN.
    psd : bool
        Whether no eigenvalue is negative.
    complete : bool
        Whether all eigenvectors are known, so that the order is certain.
    slack : float
        What floating point may have taken from ``squares``.
    trusted : float or None
        The width to which a random start has converged.

    Returns
    -------
    ndarray of shape (k, 2)
    """
    small = residual.T.astype(np.float64) @ residual
    norm = float(np.sqrt(np.linalg.eigvalsh(small).max(initial=0.0)))
    width = np.full(len(values), norm)
    if not complete:
        rest = np.inf
        if np.isfinite(squares):
            unexplained = squares - np.square(values).sum() - 2 * np.trace(small)
            rest = float(np.sqrt(max(unexplained, 0.0) + slack))
        if psd:
            rest = min(rest, max(trace - float(values.sum()), 0.0))
        gap = values - rest - rounding
        certain = gap > 0
        width[certain] = np.minimum(norm, norm**2 / gap[certain])
        width[~certain] = norm - np.minimum(values - rest, 0)[~certain]
        if trusted is not None:
            np.minimum(width, max(norm, trusted), out=width)
    lower = values - (norm if complete else 0.0) - rounding
    bounds = np.column_stack((lower, values + width + rounding))
    if psd:
        np.maximum(bounds, 0.0, out=bounds)
    return bounds


@dataclass(frozen=True)
class NegativeMass:
    """The share ``Σ_{μ<0}|μ| / Σ|μ|`` of an indefinite matrix, between two ends.

    Attributes
    ----------
    low, high : float
    amount : float
        ``Σ_{μ<0}|μ|`` itself, or what it is at least.
    """

    low: float
    high: float
    amount: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the two ends agree."""
        return self.low == self.high


def negative_mass(
    spectrum: Array,
    *,
    n: int,
    trace: float,
    squares: float,
    smallest: float,
    psd: bool,
    complete: bool,
) -> NegativeMass:
    """Share of the negative eigenvalues, exact if all are known, else bounded.

    With P and N the positive and the negative mass: ``P − N = tr``, so the share is
    ``N / (2N + tr)``. N is at least ``|μ_min|`` and at least what the known positive
    eigenvalues exceed the trace by. From above, ``P + N ≤ √n ‖K̃‖_F``, and with k Ritz
    values θ known, ``P + N ≤ Σ|θ| + √((n + k)(‖K̃‖²_F − Σθ²))``: the nuclear norms of
    the blocks E and R are limited by what V leaves of ``‖K̃‖²_F``.
    """
    if psd:
        return NegativeMass(0.0, 0.0)
    if complete:
        # Rounding noise around zero is not a negative eigenvalue.
        noise = 1e-12 * float(np.abs(spectrum).max(initial=0.0))
        negative = float(-spectrum[spectrum < -noise].sum())
        total = float(np.abs(spectrum).sum())
        share = negative / total if total > 0 else 0.0
        return NegativeMass(share, share, negative)
    positive = float(spectrum[spectrum > 0].sum())
    least = max(-smallest, positive - trace, -trace, 0.0)
    most = np.inf
    if np.isfinite(squares):
        # The difference of two large sums is known to a few digits fewer than they.
        left = max(squares - float(np.square(spectrum).sum()), 0.0) + 1e-12 * squares
        ceiling = np.abs(spectrum).sum() + np.sqrt((n + len(spectrum)) * left)
        ceiling = min(float(ceiling), float(np.sqrt(n * squares)))
        most = max((ceiling - trace) / 2, least)

    def share_of(mass: float) -> float:
        if np.isinf(mass):
            return 0.5
        return mass / (2 * mass + trace) if 2 * mass + trace > 0 else 0.0

    low, high = sorted((share_of(least), share_of(most)))
    return NegativeMass(low, high, least)


def total(trace: float, mass: NegativeMass) -> float:
    """``Σ|μ| = tr + 2N``, with N the negative mass: the trace of a definite matrix.

    Where only bounds of N are known, the lower one is taken.
    """
    return trace + 2 * mass.amount


def explained_variance_ratio(
    eigenvalues: Array, trace: float, mass: NegativeMass
) -> Array:
    """Share of every component, over the true `total`.

    Never over the sum of the *kept* eigenvalues, which flatters.
    """
    denominator = total(trace, mass)
    if denominator <= 0:
        denominator = float(np.abs(eigenvalues).sum())
    if denominator <= 0:
        return np.zeros_like(eigenvalues)
    return eigenvalues / denominator


def effective_rank(total: float, squares: float) -> float:
    """Participation ratio ``(Σ|μ|)² / Σμ²``: m for m equal directions.

    Both sums are traces, so that every solver knows it without all the eigenvalues.
    """
    if not (squares > 0 and total > 0):
        return 0.0
    return total**2 / squares


def components_for(share: float, ratios: Array) -> int | None:
    """How many components explain ``share``; None if the known ones do not suffice."""
    reached = np.flatnonzero(np.cumsum(ratios) >= share - 1e-12)
    return int(reached[0]) + 1 if reached.size else None


def in_words(error: float) -> str:
    """Say a certificate at a glance: "eigenvalues exact to 1·10⁻⁷"."""
    if error <= 0:
        return "eigenvalues exact"
    exponent = int(np.floor(np.log10(error)))
    digit = int(np.ceil(error / 10.0**exponent - 1e-9))
    if digit == 10:
        digit, exponent = 1, exponent + 1
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"eigenvalues exact to {digit}·10{raised}"
