"""How exact eigenvalues are computed, and what all digits would cost."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.kernel_suggestion import suggested
from kpca_viewer.core.solvers import (
    Decomposition,
    Problem,
    choice,
    krylov,
    krylov_basis,
    landmark_growth,
    landmarks,
    lowrank,
)
from kpca_viewer.core.solvers.choice import MANY_ROWS
from kpca_viewer.core.solvers.problem import QUICK_RANK
from kpca_viewer.data.preparation import Scaler, Scaling
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import LARGEST_VALUE
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import byte_size
from kpca_viewer.support.threads import one_blas_thread

# How exactly the window computes.
#
# Few rows to six digits, many to what a few seconds show, and roughly while a hand
# moves a slider.


TOLERANCE = 1e-6
"""Asked of the solvers: below a pixel, and quick enough for a drag."""

LARGE_TOLERANCE = 1e-3
"""Asked for large data: still below a pixel of a density picture, at a third of the
rank, in single precision. Cost grows with the square of the rank."""

LARGE_FROM = 50_000
"""Rows from which that is asked."""

PATIENT_RANK = 1000
"""Landmarks of many rows beyond which a person has to ask for more: a few seconds."""

MOVING_TOLERANCE = 1e-2
"""Asked while a slider moves: a picture is there in a few hundredths of a second, and
what a person sees of it is right."""

MOVING_RANK = 128
"""Landmarks of many rows meanwhile."""

MOVING_FROM = 3000
"""Rows from which that is asked; fewer are quick enough."""


def tolerance(n: int, *, refined: bool = False) -> float:
    """Return the error of the eigenvalues, relative to the largest, to ask for."""
    return TOLERANCE if refined or n < LARGE_FROM else LARGE_TOLERANCE


def usual_tolerance(n: int) -> float:
    """Return the one that a command asks the estimator for; 0 is its own.

    Many rows with a flat spectrum take 2,000 landmarks to more digits: 33,678 flights
    25 s in place of 1.
    """
    return LARGE_TOLERANCE if n >= MANY_ROWS else 0.0


def is_missed(found: Decomposition) -> bool:
    """Whether many rows are known to fewer digits than few rows would be."""
    return len(found.eigenvectors) >= MANY_ROWS and found.error > 1.05 * TOLERANCE


def asked(problem: Problem, *, refined: bool, moving: bool) -> Problem:
    """Return a problem with the accuracy that its rows and the moment call for."""
    n = problem.gram.n
    problem = replace(problem, tol=tolerance(n, refined=refined))
    if n >= MANY_ROWS and not refined:
        problem = replace(problem, most_landmarks=PATIENT_RANK)
    if moving and n >= MOVING_FROM:
        most = MOVING_RANK if n >= MANY_ROWS else None
        # The next picture is on its way; a draft of this one would only hold it up.
        problem = replace(
            problem, tol=MOVING_TOLERANCE, most_landmarks=most, publish=None
        )
    return problem


# What an analysis will need, said before it starts.
#
# A trial on a few rows finds the rank of the kernel matrix, which hardly depends on
# how many rows there are, and measures how fast this machine multiplies just now. The
# rest is counting. With n rows, rank r and k components, low rank of many rows
#
# - chooses its landmarks on a sample, which multiplies about twice as many pairs of
# numbers as the sample has rows, times r²;
# - passes over all rows, n r² pairs and a little more, evaluates the kernel twice n r
# times, and forms n r k products for the eigenvectors;
# - holds the sample, a block of rows for every core and a few copies of the points.
#
# Block Krylov passes over all n² entries about thirteen times and evaluates them
# again in each pass where they do not fit into memory; the dense solver needs about 9
# n³ products. Forecasts are rough: within a factor of two on an idle machine.


FROM_ROWS = choice.MANY_ROWS
"""Fewer rows are analysed before a forecast is read."""

TRIAL_ROWS = 2000
PATIENCE = 300.0
"""Seconds after which fewer rows are proposed."""

PROBE_ROWS = 20_000
PROBE_RANK = 256
PROBE_PIVOTS = 64
"""Sizes of what is timed."""

RANK_MARGIN = 1.25
"""Many rows need a few landmarks more than a sample of them does."""

WITH_DRAFTS = 1.2
"""What is shown before the end adds this much to the work of many landmarks."""

ROW_ENTRIES = 600
"""Scaling, linear PCA, isolines and scores cost a row as much as so many entries."""

PASSES = 13
LARGEST_RANK = 5000
SMALLEST_SAMPLE = 1000

TITLES = {
    "lowrank": "low rank",
    "krylov": "block Krylov",
    "dense": "the dense solver",
}


@dataclass(frozen=True)
class Forecast:
    """What the analysis of a number of rows will need."""

    n: int
    d: int
    solver: str
    size: int
    """Bytes at the peak."""
    seconds: float
    proposed: int | None = None
    """Rows that fit into memory and patience, where these do not."""

    @property
    def cost(self) -> str:
        return f"about {byte_size(self.size)} and {spoken(self.seconds)}"

    def __str__(self) -> str:
        what = f"{self.n:,} rows × {self.d:,}: {TITLES[self.solver]}"
        cost = self.cost
        if self.proposed is None:
            return f"{what}, {cost}."
        reason = ""
        if not memory.fits(self.size):
            free = byte_size(memory.available() or 0)
            reason = f", too much for the {free} that are free"
        return f"{what} needs {cost}{reason}; take a sample of {self.proposed:,} rows."


@dataclass(frozen=True)
class Trial:
    """What a few rows tell about many."""

    d: int
    components: int
    solver: str
    """As chosen; "auto" lets the size decide."""
    psd: bool
    rank: int
    """That low rank needed for the rows of the trial."""
    single: float
    double: float
    """Seconds of one multiplication and addition in float32 and float64."""
    entry: float
    """Seconds of one entry of the kernel matrix."""
    refined: bool = False
    """Whether the rank is that of all digits, however many landmarks they take."""

    def forecast(self, n: int) -> Forecast | None:
        """Return what n rows need; None where that is not worth a word."""
        if n < FROM_ROWS:
            return None
        solver, size, seconds = self._cost(n)
        proposed = None if self._bearable(n) else self._bearable_rows(n)
        return Forecast(n, self.d, solver, size, seconds, proposed)

    def _bearable_rows(self, n: int) -> int:
        """Return the largest round number of rows that is bearable."""
        few, many = SMALLEST_SAMPLE, n
        while many - few > max(few // 50, 1):
            middle = (few + many) // 2
            few, many = (middle, many) if self._bearable(middle) else (few, middle)
        digits = 10 ** (len(str(few)) - 2)
        return few // digits * digits

    def _bearable(self, n: int) -> bool:
        _, size, seconds = self._cost(n)
        return memory.fits(size) and seconds <= PATIENCE

    def _cost(self, n: int) -> tuple[str, int, float]:
        """Return the solver, the bytes and the seconds for n rows."""
        solver = "krylov" if self.solver in choice.IN_PLACE_OF else self.solver
        if solver == "auto":
            solver = "lowrank" if self.psd else "krylov"
            # As the solvers themselves decide: a flat spectrum, and room for K.
            flat = self.psd and self.rank > 9 * n**0.5
            if flat and self.refined:
                solver = "krylov"
        points = 32 * n * self.d + 16 * n * self.components
        if solver == "lowrank":
            most = choice.MOST_SAMPLED if self.refined else PATIENT_RANK
            rank = min(int(RANK_MARGIN * self.rank), most, n)
            # Where many landmarks are needed, no more than few digits are reached.
            product = self.single if self.rank >= LARGEST_RANK else self.double
            sample = landmarks.ROWS + landmarks.HELD_OUT
            size = _one_pass_size(n, rank, 8 if self.refined else 4) + points
            seconds = WITH_DRAFTS * n * rank**2 * product
            seconds += 2 * min(n, sample) * rank**2 * self.double
            seconds += n * rank * (2 * self.entry + self.components * product)
            seconds += n * ROW_ENTRIES * self.entry
            return solver, size, seconds
        matrix = n * n * 8
        if solver == "dense":
            return solver, 5 * matrix + points, 9.0 * n**3 * self.double
        width = self.components + max(krylov.OVERSAMPLING, self.components // 4)
        kept = memory.fits(matrix)
        size = 2 * krylov_basis.LARGEST_BASIS * width * n * 8 + points
        if self.psd and self.refined:
            # Landmarks are tried before.
            size = max(size, _one_pass_size(n, choice.MOST_SAMPLED, 8) + points)
        passes = 1 if kept else PASSES
        seconds = 1.0 * n * n * (passes * self.entry + PASSES * width * self.double)
        return solver, size + (matrix if kept else 0), seconds


def _one_pass_size(n: int, rank: int, item: int) -> int:
    """Return the bytes of a sample with its landmarks, of blocks, and of a certificate.

    The last is a matrix of sampled rows, which is there three times for a moment.
    """
    sample = landmarks.ROWS + landmarks.HELD_OUT
    blocks = 8 * max(landmarks.BLOCK_BYTES, 8 * landmarks.LEAST_ROWS * rank)
    size = 8 * sample * rank + 24 * rank**2 + blocks
    if rank >= QUICK_RANK:
        size += 3 * item * landmark_growth.usual_certifying(n, rank) ** 2
    return size


def try_out(
    points: Array,
    scaling: Scaling,
    settings: SessionSettings,
    labels: Array | None = None,
    target: Array | None = None,
) -> Trial | None:
    """Analyse a few rows and measure this machine, for some tenths of a second.

    ``points`` (m, d): rows of the data, complete and finite; at most `TRIAL_ROWS` are
    used; ``settings``: whose kernel, components and solver are taken; ``labels``,
    ``target`` (m,): of the rows, for the values that are suggested; Returns: none where
    the kernel cannot be evaluated on these rows; the analysis itself will say why.
    """
    step = max(1, len(points) // TRIAL_ROWS)
    sample, classes, quantity = (
        None if column is None else column[::step][:TRIAL_ROWS]
        for column in (points, labels, target)
    )
    sample = np.ascontiguousarray(sample, dtype=np.float64)
    analysis = settings.analysis
    if np.abs(sample).max() > LARGEST_VALUE:
        return None
    try:
        scaled = Points.prepare(Scaler.learn(sample, scaling).apply(sample))
        family = settings.kernel.family
        values = dict(settings.kernel.values)
        if not values:
            values = dict(suggested(family, scaled.X, classes, quantity).values)
        kernel = Kernel(family, **values)
        seen = kernel.prepare_training(scaled, center=analysis.center)
        kernel.refuse_overflow(seen)
        gram = PointsGram(seen, kernel, None)
        tol = TOLERANCE if analysis.refined else tolerance(LARGE_FROM)
        rank = _rank(gram, analysis.components, tol) if kernel.psd else len(sample)
        # Arrays as large as the real ones: most of their cost is fetching memory.
        many = seen.take(np.resize(np.arange(len(seen)), PROBE_ROWS))
        probe = PointsGram(many, kernel, None)
        entry = _mean_time(lambda: probe.rows(np.arange(PROBE_PIVOTS)))
    except KpcaError:
        return None
    single, double = _products()
    return Trial(
        d=int(points.shape[1]),
        components=analysis.components,
        solver=analysis.solver,
        psd=kernel.psd,
        rank=rank,
        single=single,
        double=double,
        entry=entry / (PROBE_PIVOTS * PROBE_ROWS),
        refined=analysis.refined,
    )


def spoken(seconds: float) -> str:
    """Return a duration as a person says it: "8 s", "2 min", "3 h"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    if seconds < 48 * 3600:
        return f"{round(seconds / 3600)} h"
    return f"{round(seconds / 86_400):,} days"


@one_blas_thread()
def _rank(gram: PointsGram, components: int, tol: float) -> int:
    problem = Problem(gram, max(1, min(components, gram.n)), tol=tol)
    found = lowrank.solve(problem, gram.n // 2, may_give_up=True)
    # A rank near the number of rows says that the spectrum is flat, no more.
    return found.rank if isinstance(found, Decomposition) else LARGEST_RANK


def _products() -> tuple[float, float]:
    """Return the seconds of one multiplication and addition in float32 and float64.

    Measured on products of the shapes that low rank forms; those in float64 convert
    their numbers first, as it does.
    """
    factor = np.ones((PROBE_RANK, PROBE_ROWS), np.float32)
    block = np.ascontiguousarray(factor[:PROBE_PIVOTS, :PROBE_RANK])

    def doubled() -> Array:
        wide = factor.astype(np.float64)
        return wide @ wide[:PROBE_PIVOTS].T

    count = PROBE_PIVOTS * PROBE_RANK * PROBE_ROWS
    return _mean_time(lambda: block @ factor) / count, _mean_time(doubled) / count


def _mean_time(work: Callable[[], object], runs: int = 2) -> float:
    """Return the seconds of a run, whatever else the machine has to do."""
    work()  # loads what is loaded once
    started = perf_counter()
    for _ in range(runs):
        work()
    return (perf_counter() - started) / runs
