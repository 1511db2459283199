"""What every solver is given and what it gives back."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log10
from typing import Any, Literal, Protocol, TypeVar

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.linalg.eigenpairs import NOISE
from kpca_viewer.core.linalg.products import Gram
from kpca_viewer.core.orientation import is_same, oriented
from kpca_viewer.core.spectrum import (
    NegativeMass,
    effective_rank,
    explained_variance_ratio,
    negative_mass,
    total,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import raised
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

T = TypeVar("T")

Grade = Literal["proven", "statistical"]
"""Bounds that hold for certain (but for the 10⁻¹² of a look, `missed_eigenpairs`), or
from a sample of rows, with the probability ``1 − FAILURE``."""

FAILURE = 1e-9
"""Probability that a statistical certificate is wrong."""

WITH_SAMPLE = f"1 − 10{raised(round(log10(FAILURE)))}"
"""And that it is right, in words."""

LARGEST_NOISE = 1e-5
"""Part of a score that may come from rounding of the kernel against landmarks."""

QUICK_RANK = 400
"""Landmarks up to which the proven certificate is preferred where none is chosen."""

DEFAULT_TOL = 1e-6
"""The bound on every eigenvalue, relative to the largest, by default."""


class EachRows(Protocol):
    """Does some work on all points, block by block, outside of this process."""

    @property
    def place(self) -> str:
        """Where that is, in words: "on 4 workers"."""

    def __call__(
        self, work: Callable[[Points], T], points: Points, should_stop: ShouldStop
    ) -> Iterator[tuple[slice, T]]:
        """Yield the rows of every block in their order, and ``work`` on its points.

        The work can be sent to another process, and so can its answer.
        """


@dataclass(frozen=True, eq=False)
class WarmStart:
    """What an earlier, similar problem leaves behind for the next one."""

    eigenvectors: Array | None = None
    """Shape (n, k). Where block Krylov starts."""
    landmarks: Array | None = None
    """Shape (r,). Pivots that the low-rank solver tries first."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Find the k largest eigenvalues of the centred Gram matrix."""

    gram: Gram
    k: int
    """How many eigenpairs are wanted, 1 … n."""
    center: bool = True
    """False takes K in the place of K̃."""
    tol: float = 0.0
    """Wanted bound on every eigenvalue relative to the largest; 0 means full precision
    below n = 1,000 and `DEFAULT_TOL` above."""
    seed: int = 0
    """Of everything random."""
    start: WarmStart | None = None
    preview: bool = False
    """Work in float32: a few digits for a picture that is refined later."""
    max_iter: int | None = None
    """Limit on the passes of an iterative solver."""
    certificate: Grade | Literal["auto"] = "auto"
    """Grade of the bounds that is wanted; "auto" is proven where that is quick."""
    most_landmarks: int | None = None
    """Limit on the rank of many rows: what it reaches is what is reported."""
    for_new_points: bool = False
    """Whether many of them will be projected: that is quick by landmarks, and these are
    worth the time that they take then."""
    vectors_later: bool = False
    """Whether eigenvectors of landmarks will do where those of all rows are another
    look at them; `LandmarkMap` gives these on request."""
    all_values: bool = True
    """Whether all eigenvalues are wanted of rows so few that they are soon found."""
    whole_range: bool = False
    """Whether the feature space has no more than k dimensions: beyond the k-th, every
    eigenvalue is 0."""
    each_rows: EachRows | None = field(default=None, repr=False)
    """Who passes over many rows; None is this process."""
    publish: "Callable[[Decomposition], None] | None" = field(default=None, repr=False)
    """Given what is known before the end, with its bounds, where the end is far."""
    should_stop: ShouldStop = field(default=never, repr=False)
    progress: Progress = field(default=silent, repr=False)

    @property
    def wanted(self) -> float:
        return self.tol or DEFAULT_TOL

    def may_be_statistical(self, rank: int) -> bool:
        """Whether rows drawn at random may certify what so many landmarks leave."""
        wanted = self.certificate
        return wanted == "statistical" or (wanted == "auto" and rank >= QUICK_RANK)


@dataclass(frozen=True, eq=False)
class LandmarkMap:
    """The low-rank feature map ``f(x) = k(x, S) A``, so that ``K̂ = F Fᵀ``."""

    landmarks: Array
    """Shape (r,). Rows S of the training points."""
    corner: Array
    """Shape (r, r). ``F[S]ᵀ``, the upper triangular root of ``K[S, S]``."""
    mean: Array
    """Shape (r,). Mean of the training features (zero without centring)."""
    directions: Array
    """Shape (r, k). Orthonormal: ``(f(x) − mean) · directions`` are the scores."""

    @cached_property
    def projection(self) -> Array:
        """The matrix P (r, k) with ``scores(x) = k(x, S) P − offset``."""
        # F[S]ᵀ = A⁻¹; the inverse is wanted only once new points come.
        return self.solved(self.directions)

    def solved(self, right: Array) -> Array:
        """Return ``A right``, for ``right`` of shape (r,) or (r, k)."""
        try:
            result = np.linalg.solve(self.corner, right)
        except np.linalg.LinAlgError:
            result = np.full_like(right, np.inf)
        # Landmarks that rounding has made alike: what tells them apart is noise, and
        # would be divided by next to nothing.
        noise = float(np.finfo(np.float64).eps) * np.abs(self.corner).max(initial=0.0)
        if not noise * np.abs(result).max(initial=0.0) <= LARGEST_NOISE:
            result = np.linalg.lstsq(self.corner, right, rcond=LARGEST_NOISE)[0]
        return result

    @property
    def offset(self) -> Array:
        """The centring term of `projection`, shape (k,)."""
        return self.mean @ self.directions


@dataclass(frozen=True, eq=False)
class Decomposition:
    """Eigenpairs with error bounds, and how they were found."""

    eigenvalues: Array
    """Shape (k,). Descending."""
    eigenvectors: Array
    """Shape (n, k). Unit columns, the entry of largest magnitude positive."""
    bounds: Array
    """Shape (k, 2). Lower and upper end for each eigenvalue."""
    trace: float
    """``tr K̃``, the sum of all n eigenvalues."""
    squares: float
    """Sum of the squares of all eigenvalues, ``‖K̃‖²_F`` (a lower bound for low
    rank)."""
    row_means: Array
    """Shape (n,). K̄, for new points; zero without centring."""
    solver: str
    reason: str
    """Why this solver, in words for a status bar."""
    rank: int
    """Of the approximation that was decomposed; n for an exact solver."""
    spectrum: Array
    """Shape (m,). All eigenvalues that are known, m ≥ k, descending."""
    complete: bool = False
    """Whether ``spectrum`` holds all n eigenvalues."""
    psd: bool = True
    """False if the matrix has, or may have, negative eigenvalues."""
    smallest: float = 0.0
    """The smallest eigenvalue that was found, at most 0; 0 if ``psd``."""
    negative: float | None = None
    """``Σ|μ|`` over the negative eigenvalues, as random vectors estimate it where not
    all eigenvalues are known; None where they were not computed."""
    negative_error: float = 0.0
    """The half-width of the interval around it."""
    landmark_map: LandmarkMap | None = None
    certificate: Grade = "proven"
    """Grade of the bounds."""
    is_oriented: bool = False
    """Whether which way round it is has been decided already."""
    place: str = ""
    """Where the rows were passed over, if not in this process, in words."""
    count: int | None = None
    """Rows of K, where the eigenvectors have those of landmarks only; None where they
    have all."""
    angles: Array | None = None
    """Shape (k,). Bound on the angle between every eigenvector and the true one, in
    radians; infinite where it is not told from its neighbours. None of older files."""
    spare: Array | None = None
    """Shape (n, s). Approximate eigenvectors beyond the k-th, for a neighbour to start
    from."""

    @property
    def n(self) -> int:
        return len(self.eigenvectors) if self.count is None else self.count

    @property
    def warm_start(self) -> WarmStart:
        """For the next problem on the same points."""
        landmarks = None if self.landmark_map is None else self.landmark_map.landmarks
        vectors = self.eigenvectors
        if self.spare is not None:
            vectors = np.hstack((vectors, self.spare))
        return WarmStart(vectors, landmarks)

    @property
    def mass(self) -> NegativeMass:
        """How much of ``Σ|μ|`` is negative; NaN where all of it may be rounding."""
        if not (self.psd or self.has_variance):
            return NegativeMass(0.0, 1.0, share=np.nan)
        return negative_mass(
            self.spectrum,
            n=self.n,
            trace=self.trace,
            squares=self.squares,
            smallest=self.smallest,
            psd=self.psd,
            complete=self.complete,
            negative=self.negative,
            negative_error=self.negative_error,
        )

    @property
    def angle_bounds(self) -> Array:
        """Shape (k,). ``angles``, infinite where they are not known."""
        if self.angles is None:
            return np.full(len(self.eigenvalues), np.inf)
        return self.angles

    @property
    def has_variance(self) -> bool:
        """Whether any eigenvalue is known not to be 0: else all may be rounding."""
        return self.smallest < 0 or bool((self.bounds[:1, 0] > 0).any())

    @property
    def shares(self) -> Array:
        """Shape (k,). Of the true total; NaN without any variance to share out."""
        if not self.has_variance:
            return np.full(len(self.eigenvalues), np.nan)
        return explained_variance_ratio(self.eigenvalues, self.trace, self.mass)

    @property
    def effective_rank(self) -> float:
        """``(Σ|μ|)² / Σμ²``; 0 where there is no variance."""
        if not self.has_variance:
            return 0.0
        return effective_rank(total(self.trace, self.mass), self.squares)

    @property
    def probability(self) -> str:
        """With which the bounds hold, in words; empty if they are proven."""
        return WITH_SAMPLE if self.certificate == "statistical" else ""

    @property
    def error(self) -> float:
        """The largest half-width of a bound, relative to the largest eigenvalue."""
        largest = float(np.abs(self.eigenvalues).max(initial=0.0))
        if largest == 0:
            # Of a zero that is not certain, no digit is.
            return 1.0 if self.bounds.any() else 0.0
        away = np.abs(self.bounds - self.eigenvalues[:, None]).max(initial=0.0)
        return float(away) / largest

    def leading(self, k: int) -> "Decomposition":
        """Return the first k components, as if no more had been asked for."""
        if k >= len(self.eigenvalues):
            return self
        map_ = self.landmark_map
        if map_ is not None:
            directions = np.ascontiguousarray(map_.directions[:, :k])
            map_ = replace(map_, directions=directions)
        spectrum = self.spectrum
        if len(spectrum) == len(self.eigenvalues) and not self.complete:
            spectrum = spectrum[:k]
        return replace(
            self,
            eigenvalues=self.eigenvalues[:k],
            eigenvectors=np.ascontiguousarray(self.eigenvectors[:, :k]),
            bounds=self.bounds[:k],
            angles=None if self.angles is None else self.angles[:k],
            spectrum=spectrum,
            landmark_map=map_,
        )

    def oriented(self, orientation: Array) -> "Decomposition":
        """Return the same eigenspaces in another orientation, new points included."""
        if is_same(orientation):
            return self
        map_ = self.landmark_map
        if map_ is not None:
            directions = oriented(map_.directions, orientation)
            map_ = replace(map_, directions=directions)
        vectors, angles = oriented(self.eigenvectors, orientation), self.angles
        if angles is not None and orientation.ndim == 2:
            # What is mixed with others is no eigenvector on its own.
            mixed = np.abs(np.abs(np.diagonal(orientation)) - 1) > 1e-9
            angles = np.where(mixed, np.inf, angles)
        return replace(self, eigenvectors=vectors, landmark_map=map_, angles=angles)


def positive_part(decomposition: Decomposition) -> Array:
    """Eigenvalues with noise and negative ones set to exactly zero, shape (k,)."""
    values = decomposition.eigenvalues
    largest = float(np.abs(decomposition.spectrum).max(initial=0.0))
    largest = max(largest, float(values.max(initial=0.0)), -decomposition.smallest)
    noise: Any = NOISE[decomposition.eigenvectors.dtype] * largest
    if decomposition.complete and not decomposition.psd:
        # Rounding is as likely to lie above zero as below.
        noise = np.maximum(noise, decomposition.bounds[:, 1] - values)
    # Of points that are all alike, the largest is noise too: it lies far below its
    # own bound.
    noise = np.maximum(noise, 1e-10 * (decomposition.bounds[:, 1] - values))
    return np.where(values > noise, values, 0.0)


def score_bounds(decomposition: Decomposition) -> Array:
    """Bound ``‖ẑ − z‖`` of every component over all rows (k,), z the true scores.

    ``ẑ = √θ v`` with the angle φ to u, and ``z = √μ u``: turned it is off by no more
    than ``2√θ sin(φ/2)``, and its length by ``|√θ − √μ|``. Infinite where the angle has
    no bound; scores that were set to zero are off by ``√μ``.
    """
    live, angles = positive_part(decomposition), decomposition.angle_bounds
    lower, upper = np.sqrt(np.maximum(decomposition.bounds, 0.0)).T
    root = np.sqrt(live)
    eps = 4 * float(np.finfo(decomposition.eigenvectors.dtype).eps)
    known = np.isfinite(angles)
    turned = 2 * np.sin(np.where(known, angles, 0.0) / 2) + eps
    away = root * turned + np.maximum(upper - root, root - lower)
    return np.where(live > 0, np.where(known, away, np.inf), upper)
