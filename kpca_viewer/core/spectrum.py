"""What the eigenvalues say: error bounds, explained variance, effective rank, mass.

Symbols: ``μ`` eigenvalues of K̃, ``θ`` their Ritz approximations in a basis V, and
``E = K̃V − VΘ`` the residual block. Split along V, K̃ is ``[[Θ, Eᵀ], [E, R]]``.
"""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import fixed, upper_bound

EQUAL_TO_THE_KERNEL = "No variance: to the kernel all rows are equal"
ROUNDING_ALONE = "No variance to share out: rounding may be all that the kernel leaves"

MANY_COLUMNS = 64
"""Up to which singular values are found at once."""


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
    rest: float = np.inf,
) -> tuple[Array, float]:
    """Bounds on the k largest eigenvalues from Ritz values and their residuals.

    Ritz values never exceed the eigenvalue of the same index (Cauchy), so they are the
    lower end. If ``R ⪯ ρ``, then ``K̃ ⪯ [[Θ, Eᵀ], [E, ρ]]``, whose eigenvalues are those
    of a small matrix: the j-th is the upper end, at most ``max(θ_j, ρ) + ‖E‖`` and
    about ``θ_j + ‖E‖²/(θ_j − ρ)`` where ρ is smaller than θ_j.

    What R can hold at most is known from ``‖R‖_F`` (all of ``‖K̃‖²_F`` that V does not
    explain) and, for a definite kernel, from its trace. That is far too wide for a flat
    spectrum; there a solver has looked for what it may have missed, and knows
    better.

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
    rest : float
        What is known to bound R beside that.

    Returns
    -------
    tuple of (bounds, following)
        Shape (k, 2), and the upper end of the eigenvalue that follows these; infinite
        if ``complete``, where all eigenvalues are known.
    """
    following = np.inf
    if complete:
        width = norm_bound(residual)
        lower, upper = values - width, values + width
    else:
        budget = largest_rest(
            values, residual, trace=trace, squares=squares, psd=psd, slack=slack
        )
        lower, rest = values, min(rest, budget) + rounding
        whole = float(np.linalg.norm(residual))
        if whole <= rounding / 2:
            # Weyl: so small a block moves nothing farther than its own norm.
            ends = np.maximum(np.append(values, rest), rest) + whole
        else:
            ends = raised(values, factor(residual), rest)
        upper, following = ends[: len(values)], float(ends[-1])
    bounds = np.column_stack((lower - rounding, upper + rounding))
    if psd:
        bounds = clipped(bounds, trace, rounding)
    return bounds, float(following) + rounding


def angle_bounds(
    values: Array, bounds: Array, residuals: Array, following: float
) -> Array:
    """Bound the angle between every vector and the true eigenvector (Davis–Kahan).

    With ``r = K̃v − θv`` and ``v = u cos φ + w sin φ``, w orthogonal to the eigenvector
    u, what r has beside u is ``sin φ (K̃ − θ)w``. So ``sin φ ≤ ‖r‖ / gap``, with the gap
    from θ to the nearest other eigenvalue: those before are no smaller than the lower
    end of the last of them, those behind no larger than the upper end of the next.

    Parameters
    ----------
    values, residuals : ndarray of shape (k,)
        θ, descending, and a bound on every ``‖r‖``.
    bounds : ndarray of shape (k, 2)
    following : float
        The upper end of the eigenvalue that follows these.

    Returns
    -------
    ndarray of shape (k,)
        In radians; infinite where the gap is below the residual, or bounds overlap.
    """
    lower, upper = bounds.T
    next_upper = np.append(upper[1:], following)
    before = np.append(np.inf, lower[:-1])
    told = (lower > next_upper) & (before > upper)
    gap = np.minimum(before - values, values - next_upper)
    angles = np.full(len(values), np.inf)
    told &= gap > residuals
    angles[told] = np.arcsin(residuals[told] / gap[told])
    return angles


def norm_bound(M: Array, negligible: float = 0.0) -> float:
    """``‖M‖₂``, or of a matrix with many columns ``‖M‖_F``, which is no smaller.

    Where M is rounding, singular values of hundreds of columns would take longer than
    the eigenpairs that it is the rounding of; so would those of a few columns whose
    norm is negligible.
    """
    whole = float(np.linalg.norm(M))
    few = min(M.shape) <= MANY_COLUMNS
    return float(np.linalg.norm(M, 2)) if few and whole > negligible else whole


def factor(E: Array) -> Array:
    """Return a small triangular L with ``LᵀL = EᵀE`` for a tall E."""
    L: Array = np.asarray(np.linalg.qr(E.astype(np.float64, copy=False), mode="r"))
    return L


def largest_rest(
    values: Array,
    residual: Array,
    *,
    trace: float,
    squares: float,
    psd: bool,
    slack: float = 0.0,
) -> float:
    """Bound the largest eigenvalue of R by what V leaves of the trace and squares."""
    rest = np.inf
    if np.isfinite(squares):
        within = np.square(values).sum() + 2 * np.square(residual).sum(dtype=np.float64)
        rest = float(np.sqrt(max(squares - float(within), 0.0) + slack))
    if psd:
        rest = min(rest, max(trace - float(values.sum()), 0.0))
    return rest


def raised(values: Array, L: Array, rest: float) -> Array:
    """Return the k + 1 largest eigenvalues of ``[[Θ, Lᵀ], [L, rest]]``, at least Θ."""
    if not np.isfinite(rest):
        return np.full(len(values) + 1, rest)
    k, m = len(values), len(L)
    whole = np.zeros((k + m, k + m))
    whole[:k, :k] = np.diag(values)
    whole[k:, :k], whole[:k, k:] = L, L.T
    whole[k:, k:] = rest * np.eye(m)
    ends = np.append(np.linalg.eigvalsh(whole)[::-1], rest)[: k + 1]
    return np.maximum(ends, np.append(values, -np.inf))


def clipped(bounds: Array, trace: float, rounding: float) -> Array:
    """Bounds on eigenvalues that are not negative and add up to no more than a trace.

    The j-th is at most what the lower ends of those before it leave, and as none of
    them is smaller, at most the j-th part of the trace.
    """
    lower, upper = np.maximum(bounds, 0.0).T
    before = np.cumsum(lower) - lower
    most = np.minimum(trace - before, trace / np.arange(1, len(lower) + 1)) + rounding
    # Never below the lower end: where these meet, rounding decides.
    return np.column_stack((lower, np.maximum(np.minimum(upper, most), lower)))


@dataclass(frozen=True)
class NegativeMass:
    """The share ``Σ_{μ<0}|μ| / Σ|μ|`` of an indefinite matrix, between two ends."""

    low: float
    high: float
    amount: float = 0.0
    """``Σ_{μ<0}|μ|`` itself: known, estimated, or what it is at least."""
    share: float = 0.0
    """The same as a share of ``Σ|μ|``."""
    estimated: bool = False
    """Whether random vectors have told it; they tell the two ends as well."""

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def mark(self) -> str:
        """What stands before a share of ``Σ|μ|``: nothing if that is known."""
        if self.exact or self.share != self.share:
            return ""
        return "≈ " if self.estimated else "≤ "

    @property
    def in_words(self) -> str:
        """Say the share as far as it is known: "about 33.1 % (32.8 to 33.4 %)"."""
        low, share, high = (
            fixed(100 * x, 1) for x in (self.low, self.share, self.high)
        )
        if self.exact:
            return f"{share} %"
        if not self.estimated:
            return f"at least {low} %"
        between = f" ({low} to {high} %)" if low != high else ""
        return f"about {share} %{between}"


def negative_mass(
    spectrum: Array,
    *,
    n: int,
    trace: float,
    squares: float,
    smallest: float,
    psd: bool,
    complete: bool,
    negative: float | None = None,
    negative_error: float = 0.0,
) -> NegativeMass:
    """Share of the negative eigenvalues, exact if all are known, else bounded.

    With P and N the positive and the negative mass: ``P − N = tr``, so the share is
    ``N / (2N + tr)``. N is at least ``|μ_min|`` and at least what the known positive
    eigenvalues exceed the trace by. From above, ``P + N ≤ √n ‖K̃‖_F``, and with k Ritz
    values θ known, ``P + N ≤ Σ|θ| + √((n + k)(‖K̃‖²_F − Σθ²))``: the nuclear norms of
    the blocks E and R are limited by what V leaves of ``‖K̃‖²_F``. An estimate of N
    with its error narrows that.
    """
    if psd:
        return NegativeMass(0.0, 0.0)
    if complete:
        # Rounding noise around zero is not a negative eigenvalue.
        noise = 1e-12 * float(np.abs(spectrum).max(initial=0.0))
        below = float(-spectrum[spectrum < -noise].sum())
        total = float(np.abs(spectrum).sum())
        share = below / total if total > 0 else 0.0
        return NegativeMass(share, share, below, share)
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

    amount = least
    if negative is not None:
        # Rounding noise around zero is not a negative eigenvalue.
        found = negative if smallest < 0 else 0.0
        amount = float(np.clip(found, least, most))
        most = max(min(most, negative + negative_error), amount)
        least = min(max(least, found - negative_error), amount)
    low, high = sorted((share_of(least), share_of(most)))
    share = float(np.clip(share_of(amount), low, high))
    return NegativeMass(low, high, amount, share, negative is not None)


def total(trace: float, mass: NegativeMass) -> float:
    """``Σ|μ| = tr + 2N``, with N the negative mass: the trace of a definite matrix.

    Where only bounds of N are known, the lower one is taken, and shares are too large.
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


def fewest_components(share: float, ratios: Array, each: float, left: float) -> int:
    """Return how many components must be there for ``share``, at least.

    Parameters
    ----------
    ratios : ndarray of shape (m,)
        Shares that are known, from below.
    each : float
        By how much a share may exceed what is known of it.
    left : float
        By how much all of them together may.
    """
    count = np.arange(1, len(ratios) + 1)
    most = np.cumsum(ratios) + np.minimum(each * count, left)
    return int(np.searchsorted(most >= share - 1e-12, True)) + 1


def in_words(error: float, probability: str = "") -> str:
    """Say a certificate at a glance: "eigenvalues exact to 1·10⁻⁷".

    Parameters
    ----------
    error : float
        Relative to the largest eigenvalue.
    probability : str
        With which it holds, where it is not certain: "1 − 10⁻⁹".
    """
    if error <= 0:
        return "eigenvalues exact"
    if error >= 1:
        return "no digit of the eigenvalues is certain"
    told = f"eigenvalues exact to {upper_bound(error)}"
    return f"{told} with probability {probability}" if probability else told
