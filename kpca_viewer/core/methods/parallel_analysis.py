"""Which components are more than independent columns would give.

Parallel analysis for kernels (Jørgensen and Hansen, "Model selection for Gaussian
kernel PCA denoising", IEEE Trans. Neural Networks and Learning Systems 23, 2012): the
eigenvalues of the centred kernel matrix beside those of tables whose columns were
permuted, each for itself. A permuted table has the same values in every column and
nothing that joins them.

If the columns are independent, the table is one of the permuted ones like any other,
and its first eigenvalue is among the largest as often as theirs: with the band at the
place ⌈0.95 (B + 1)⌉ of B draws a table of noise has a false component in at most 5 of
100 cases, whatever its columns are distributed like and whatever the kernel. Later
components are asked only where all before them are real; for them that rate is a rule
of thumb, because the draws have none of the structure that was found.

A setting by what independent columns would not have, where no classes are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np

from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.linalg.eigenpairs import leading_values
from kpca_viewer.core.linalg.gram import kernel_stacks
from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.core.methods.kernel_ranking import LINEAR, Choice, Line, Tried
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.methods.stability import STABLE, stability
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import Cancelled, DataError, KpcaError
from kpca_viewer.support.numerals import fixed
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent
from kpca_viewer.support.threads import one_blas_thread

LEVEL = 0.95
"""Part of tables of noise whose first component is inside of the band, at least."""

DRAWS = 38
"""The band is the largest of them: one table of noise in 39 goes beyond. Of 39, the
band would be the second largest, and one in 20 would."""

MOST_ROWS = 1000
"""Of more, a fixed sample is taken."""

FEWEST_ROWS = 4

ROUNDING = 1e-9
"""Part of an eigenvalue that two tables with the same rows in another order differ by
at most."""

ATTEMPTS = 100
"""Draws until one has no row of zeros, where a kernel has no use for those."""


@dataclass(frozen=True, eq=False)
class ParallelAnalysis:
    """Eigenvalues of a table beside those of tables with independent columns."""

    eigenvalues: Array
    """Shape (k,). Descending."""
    band: Array
    """Shape (k,). What independent columns have, in 95 of 100 tables at least."""
    null: Array = field(repr=False)
    """Shape (draws, k)."""
    real: int
    """Leading components that are beyond the band, up to the first that is not."""
    energy: float
    """By how much these exceed it together, as part of the trace."""
    rows: int
    """Of how many rows; fewer than the data have where these were sampled."""


def parallel_analysis(
    X: Array,
    kernels: Sequence[Kernel],
    *,
    components: int = 10,
    draws: int = DRAWS,
    seed: int = 0,
    rows: int = MOST_ROWS,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> list[ParallelAnalysis]:
    """Compare the eigenvalues under every kernel with those of permuted columns.

    All kernels see the same draws.

    ``X`` (n, d): the rows as they are given to the kernel; ``components``: how many are
    compared at most; ``draws``: tables with permuted columns, 19 at least: of fewer,
    none is beyond 95 of 100; ``rows``: more are sampled.
    """
    X = _checked(X, draws)
    X = np.array(X[sample_rows(len(X), rows, seed)], dtype=np.float64)
    k = min(components, len(X) - 1)
    found = np.empty((draws + 1, len(kernels), k))
    totals = np.empty(len(kernels))
    # A kernel of directions is not defined for a row of zeros.
    no_zeros = any(kernel.family.normalise for kernel in kernels)
    random = np.random.default_rng(seed)
    # One thread: matrices as small as these are not worth sharing.
    with one_blas_thread():
        for draw in range(draws + 1):
            table = X if draw == 0 else _permuted(X, random, no_zeros=no_zeros)
            for places, K in kernel_stacks(table, kernels, center=True):
                check(should_stop)
                definite = kernels[places[0]].psd
                double_center(K)
                if draw == 0:
                    totals[places] = _totals(K, definite=definite)
                found[draw, places] = leading_values(K, k, definite=definite)
            progress("independent columns", (draw + 1) / (draws + 1))
    return [
        _compared(found[0, place], found[1:, place], float(totals[place]), len(X))
        for place in range(len(kernels))
    ]


def chance_of_any(analyses: Sequence[ParallelAnalysis]) -> float:
    """Return how often independent columns stand out as much under any of the kernels.

    Who tries a dozen values of γ and takes the best has a dozen chances of a false
    component. Each first eigenvalue is told in standard deviations of its draws, and
    the largest of the table is compared with the largest of every draw (Westfall and
    Young, "Resampling-based multiple testing", 1993): at most 5 of 100 tables of noise
    have a probability of 0.05 or less.

    ``analyses``: of one call, so that they share their draws.
    """
    first = np.array(
        [np.append(found.eigenvalues[0], found.null[:, 0]) for found in analyses]
    )
    # With the table among the draws, nothing tells it from them beforehand.
    spread = first.std(axis=1, keepdims=True)
    beyond = (first - first.mean(axis=1, keepdims=True)) / np.where(spread, spread, 1)
    largest = beyond.max(axis=0)
    return float((largest >= largest[0] - ROUNDING).mean())


def _compared(
    eigenvalues: Array, null: Array, total: float, rows: int
) -> ParallelAnalysis:
    draws = len(null)
    # By rounding, 0.95 (B + 1) may be a little more than the whole number it is.
    rank = ceil(LEVEL * (draws + 1) - 1e-9)
    band = np.sort(null, axis=0)[rank - 1]
    beyond = eigenvalues > band + ROUNDING * np.abs(band)
    real = int(np.cumprod(beyond).sum())
    excess = float((eigenvalues - band)[:real].sum())
    energy = excess / total if total > 0 else 0.0
    return ParallelAnalysis(eigenvalues, band, null, real, energy, rows)


def _totals(K: Array, *, definite: bool) -> Array:
    """Return what shares of K (b, n, n) are of: traces, or sums of all magnitudes."""
    if definite:
        return np.trace(K, axis1=-2, axis2=-1)
    magnitudes: Array = np.abs(np.linalg.eigvalsh(K)).sum(axis=-1)
    return magnitudes


def _checked(X: Array, draws: int) -> Array:
    X = np.asarray(X)
    n = len(X)
    if n < FEWEST_ROWS:
        rows = "1 row is" if n == 1 else f"{n} rows are"
        raise DataError(
            f"{rows} too few to tell structure from chance; open four or more."
        )
    varying = int((X[0] != X).any(axis=0).sum())
    if varying < 2:
        what = "No column varies" if not varying else "Only one column varies"
        raise DataError(
            f"{what}, so that permuting columns leaves the rows as they are; structure "
            "between columns needs two of them."
        )
    if ceil(LEVEL * (draws + 1) - 1e-9) > draws:
        raise DataError(
            f"{draws} draws are too few for a band of 95 %; take 19 or more."
        )
    return X


def _permuted(X: Array, random: np.random.Generator, *, no_zeros: bool) -> Array:
    for _ in range(ATTEMPTS):
        table: Array = random.permuted(X, axis=0)
        if not no_zeros or table.any(axis=1).all():
            return table
    raise DataError(
        "Rows with permuted columns are all zeros again and again; the cosine kernel "
        "is not defined for these."
    )


STRUCTURE_ROWS = 400
"""Of more, a fixed sample is compared with independent columns."""


def comparable() -> tuple[tuple[str, ...], str]:
    """Return the kernels whose traces can be compared, and what is said of the others.

    Where rows are of unequal length in feature space, those far out hold most of the
    trace, whether or not there is any structure.
    """
    known = {f.name: f.unit_diagonal or f.name == LINEAR for f in FAMILIES.values()}
    others = [FAMILIES[name].title.lower() for name, fits in known.items() if not fits]
    note = (
        f"Without classes, {', '.join(others[:-1])} and {others[-1]} kernels are left "
        "out: their longest rows stand out whatever the structure."
    )
    return tuple(name for name, fits in known.items() if fits), note


@dataclass(frozen=True, eq=False)
class ByStructure:
    """Tries settings by the part of the trace beyond that of independent columns.

    Only pictures count that two halves of the rows agree on: with a narrow kernel, any
    rows that are near each other stand out.
    """

    seen: Array
    """Shape (n, d). The rows as a kernel sees them."""
    k: int
    """Components that are tried, 1 … k."""
    seed: int = 0
    _found: dict[tuple[Line, float | None], ParallelAnalysis] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def facts(self) -> Choice:
        n = min(len(self.seen), STRUCTURE_ROWS)
        return Choice("structure", (), seed=self.seed, n=n)

    def of(self, line: Line, value: float | None, stop: ShouldStop = never) -> Tried:
        """Return a setting with its energy, or with why it has none."""
        kernel = line.kernel(value)
        try:
            found = parallel_analysis(
                self.seen,
                [kernel],
                components=self.k,
                seed=self.seed,
                rows=STRUCTURE_ROWS,
                should_stop=stop,
            )[0]
            halves = stability(
                self.seen, [kernel], components=self.k, seed=self.seed, should_stop=stop
            )[0]
        except Cancelled:
            raise
        except KpcaError as error:
            return Tried(line, value, refusal=str(error))
        self._found[line, value] = found
        scores, errors = _energies(found)
        refusal = ""
        if halves.picture < STABLE:
            scores = errors = np.empty(0)
            refusal = (
                "Two halves of the rows have different pictures: they agree to "
                f"{fixed(halves.picture, 2)} only."
            )
        return Tried(
            line,
            value,
            scores,
            errors,
            real=found.real,
            energy=found.energy,
            stability=halves.picture,
            refusal=refusal,
        )

    def corrected(self, tried: Sequence[Tried]) -> None:
        """Return nothing: `luck` counts what the search adds."""

    def luck(self) -> float:
        """Return how often independent columns have as much under any kernel."""
        # In a fixed order: sums must not depend on which thread was first.
        keys = sorted(self._found, key=lambda key: (repr(key[0]), key[1] or 0.0))
        return chance_of_any([self._found[key] for key in keys])


def _energies(found: ParallelAnalysis) -> tuple[Array, Array]:
    """Return the part of the trace beyond the band of 1 … real components.

    The error is by how much the same sum varies among tables of independent columns.
    """
    if not found.real or not found.energy > 0:
        return np.zeros(1), np.zeros(1)
    beyond = np.cumsum((found.eigenvalues - found.band)[: found.real])
    total = beyond[-1] / found.energy
    varies = np.cumsum(found.null[:, : found.real], axis=1).std(axis=0, ddof=1)
    return beyond / total, varies / total
