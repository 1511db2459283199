"""A value that suits the data, by the best evidence that takes no more than a moment.

The value by the median of the distances knows the size of the data and nothing else.
Around it a few values are tried on a fixed sample of the rows, and judged by what there
is: classes that are held out, a quantity that is held out, or, without either, the
structure that independent columns do not have. How much is tried depends on the data
alone, never on a clock: the same data have the same suggestion everywhere.

All of it looks at the first two components, which is what a picture shows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.choice.bases import kernel_stacks
from kpca_viewer.core.choice.leading import centred, leading_pairs
from kpca_viewer.core.choice.parallel import (
    LEVEL,
    ParallelAnalysis,
    chance_of_any,
    parallel_analysis,
)
from kpca_viewer.core.kernels.bases import is_sparse
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel, suggested_values
from kpca_viewer.core.quality import (
    FOLDS,
    GUESSING_ERRORS,
    NOTHING,
    deal,
    linear_predictions,
    sample_rows,
    standard_error,
)
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import counted, percent, readable, small_percent
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

SHOWN = 2
"""Components of a picture."""

JUDGED_ROWS = 800
"""Rows of which something is held out, in two halves with a picture each."""

HALVED_FROM = 200
"""Fewer rows have one picture."""

JUDGED = 10 ** np.arange(-1.5, 2.51, 0.25)
"""Rates that are tried for these, in terms of the one by the median."""

PERMUTED_ROWS = 200
"""Rows whose columns are permuted."""

PERMUTED = 10 ** (np.arange(-2, 5) * 0.35)
"""Rates that are tried for these."""

LEAST_EXPLAINED = 0.5
"""R² below which a quantity is not what the picture shows."""

DRAWS = 20
"""Of permuted columns: one of 21 tables of noise is beyond all of them."""

MOST_COLUMNS = 500
"""To permute more of them takes longer than a moment."""


@dataclass(frozen=True)
class Suggestion:
    """Values of a kernel for some data, and what they are based on."""

    values: Mapping[str, float]
    """Empty for a kernel without a parameter of scale, and where all rows are equal."""
    grounds: str = ""
    """For example "the held-out classes of 400 rows: 100 ± 1 %"."""
    judged: bool = False
    """Whether classes, or a quantity, were looked at."""


def suggested(
    family: str,
    X: Any,
    y: Array | None = None,
    target: Array | None = None,
    should_stop: ShouldStop = never,
) -> Suggestion:
    """Return the value that the best evidence there is speaks for.

    The value by the median stays where none of the others is better by more than one
    standard error, and where there is no evidence.

    Parameters
    ----------
    family : str
        Of a kernel; those of its parameters that have no scale have their defaults.
    X : ndarray or sparse matrix of shape (n, d)
        The rows as they are given to the kernel.
    y : ndarray of shape (n,), optional
        Codes of classes; below 0, a row has none.
    target : ndarray of shape (n,), optional
        A quantity; NaN where a row has none.

    Raises
    ------
    KernelError, Cancelled
    """
    usual = by_median(family, X)
    if not usual.values:
        return usual
    line = _Line(family, usual.values)
    evidence: list[Callable[[], Suggestion | None]] = []
    if y is not None:
        codes = y
        evidence.append(lambda: _by_classes(line, X, codes, should_stop))
    if target is not None:
        values = target
        evidence.append(lambda: _by_target(line, X, values, should_stop))
    evidence.append(lambda: _by_structure(line, X, should_stop))
    for look in evidence:
        try:
            found = look()
        except (DataError, KernelError):
            # Too few rows or columns for this, or values that a kernel cannot take.
            continue
        if found is not None:
            return found
    return usual


def by_median(family: str, X: Any) -> Suggestion:
    """Return the values by the median of the distances, or the spread, alone.

    Raises
    ------
    KernelError
    """
    typical = suggested_values(family, X)
    return Suggestion(typical, _Line(family, typical).usual if typical else "")


@dataclass(frozen=True)
class _Line:
    """A family with the values by the median, and rates in terms of theirs."""

    family: str
    typical: Mapping[str, float]

    def values(self, rate: float) -> dict[str, float]:
        """Return the values whose rate is so many times that of the median."""
        parameters = {p.name: p for p in FAMILIES[self.family].parameters}
        return {
            name: value * (rate if parameters[name].follows == "rate" else rate**-0.5)
            for name, value in self.typical.items()
        }

    def kernels(self, rates: Array) -> list[Kernel]:
        """Return a kernel a rate."""
        return [Kernel(self.family, **self.values(float(rate))) for rate in rates]

    @property
    def usual(self) -> str:
        """What the values by the median are based on."""
        if FAMILIES[self.family].base == "dot_products":
            return "how far the values spread"
        return "the median distance between the points"


def _by_classes(
    line: _Line, X: Any, y: Array, should_stop: ShouldStop
) -> Suggestion | None:
    rows, codes = _labelled(y)
    if len(np.unique(codes)) < 2:
        return None
    chance = float(np.bincount(codes).max() / len(codes))

    def right(Z: Array, part: Array) -> Array:
        # Every class has rows enough in every part.
        found = linear_predictions(Z, codes[part], deal(codes[part]))
        assert found is not None
        return found.right

    parts = _parts(np.argsort(codes, kind="stable"))
    found = _Judged.of(_scores(line, _dense(X, rows), parts, right, should_stop))
    luck = GUESSING_ERRORS * sqrt(chance * (1 - chance) / len(codes))
    if found.best < chance + max(luck, NOTHING * (1 - chance)):
        return None
    what = f"the held-out classes of {counted(len(rows))} rows"
    score = percent(found.score, 0).removesuffix(" %")
    return found.suggestion(line, what, f"{score} ± {_percent(found.error)}")


def _by_target(
    line: _Line, X: Any, target: Array, should_stop: ShouldStop
) -> Suggestion | None:
    known = np.flatnonzero(np.isfinite(target))
    rows = known[sample_rows(len(known), JUDGED_ROWS)]
    values = np.asarray(target, dtype=np.float64)[rows]
    if len(rows) < 2 * FOLDS or not values.std() > 0:
        return None

    def explained(Z: Array, part: Array) -> Array:
        return _explained(Z, values[part])

    parts = _parts(np.arange(len(rows)))
    found = _Judged.of(_scores(line, _dense(X, rows), parts, explained, should_stop))
    if found.best < max(LEAST_EXPLAINED, GUESSING_ERRORS * found.error):
        return None
    what = f"the held-out quantity of {counted(len(rows))} rows"
    told = f"R² = {readable(found.score, 2)} ± {readable(found.error, 1)}"
    return found.suggestion(line, what, told)


def _by_structure(line: _Line, X: Any, should_stop: ShouldStop) -> Suggestion | None:
    n, d = X.shape
    if d > MOST_COLUMNS:
        return None
    sample = _dense(X, sample_rows(n, PERMUTED_ROWS))
    found = parallel_analysis(
        sample,
        line.kernels(PERMUTED),
        components=SHOWN,
        draws=DRAWS,
        should_stop=should_stop,
    )
    energies = np.array([analysis.energy for analysis in found])
    best = int(energies.argmax())
    rows = f"{counted(len(sample))} rows"
    if chance_of_any(found) > 1 - LEVEL + 1e-9 or not energies[best] > 0:
        nothing = f"under this kernel {rows} hold no more than independent columns"
        return Suggestion(line.typical, f"{line.usual}; {nothing}")
    good = np.flatnonzero(energies >= energies[best] - _spread(found[best]))
    place = int(good[np.abs(np.log(PERMUTED[good])).argmin()])
    share = _percent(float(energies[place]))
    told = f"what independent columns do not have: {share} of the variance of {rows}"
    return Suggestion(line.values(float(PERMUTED[place])), told)


def _spread(found: ParallelAnalysis) -> float:
    """Return how far the energy of permuted tables is spread: one deviation."""
    excess = float((found.eigenvalues - found.band)[: found.real].sum())
    deviation = float(found.null[:, : found.real].sum(axis=1).std())
    return found.energy * deviation / excess


def _percent(share: float) -> str:
    return percent(share, 0) if share >= 0.0095 else small_percent(share)


@dataclass(frozen=True)
class _Judged:
    """Scores of the values that were tried, and the one to take."""

    place: int
    score: float
    error: float
    """Of the best one."""
    best: float

    @classmethod
    def of(cls, scores: list[list[Array]]) -> "_Judged":
        """Judge values by scores of rows, one array a part for every value.

        The best one has the highest lower end: a picture that the other half of the
        rows does not show is luck, however well it does. The value by the median stays
        if its score is within one standard error of that; else it is the middle of
        those beside the best that are.
        """
        joined = [np.concatenate(of_parts) for of_parts in scores]
        means = np.array([float(of_rows.mean()) for of_rows in joined])
        errors = np.array(
            [
                max(standard_error(of_rows), float(np.ptp(_means(of_parts))) / 2)
                for of_rows, of_parts in zip(joined, scores, strict=True)
            ]
        )
        best = int((means - errors).argmax())
        good = means >= means[best] - errors[best]
        place = int(np.abs(np.log(JUDGED)).argmin())
        if not good[place]:
            bad = np.flatnonzero(~good)
            low = int(bad[bad < best].max(initial=-1)) + 1
            high = int(bad[bad > best].min(initial=len(good))) - 1
            place = (low + high) // 2
        return cls(place, float(means[place]), float(errors[best]), float(means[best]))

    def suggestion(self, line: _Line, what: str, told: str) -> Suggestion:
        """Return the value, with what it is based on and how well it does."""
        rate = float(JUDGED[self.place])
        values = line.values(rate)
        if values == dict(line.typical):
            grounds = f"{line.usual}; by {what} no other value is better: {told}"
            return Suggestion(line.typical, grounds, judged=True)
        return Suggestion(values, f"{what}: {told}", judged=True)


def _means(parts: list[Array]) -> list[float]:
    return [float(part.mean()) for part in parts]


def _parts(order: Array) -> list[Array]:
    """Deal rows, as they are ordered, out to two halves; few stay together."""
    count = 2 if len(order) >= HALVED_FROM else 1
    return [np.sort(order[start::count]) for start in range(count)]


def _scores(
    line: _Line,
    X: Array,
    parts: list[Array],
    score: Callable[[Array, Array], Array],
    should_stop: ShouldStop,
) -> list[list[Array]]:
    """Score the pictures of all parts of the rows under every rate that is tried.

    Parameters
    ----------
    score : callable
        ``(Z, part)`` → scores of the rows of a part (m,) by their picture (m, 2).
    """
    kernels = line.kernels(JUDGED)
    found: list[list[Array]] = [[] for _ in kernels]
    with one_blas_thread():
        for part in parts:
            for places, K in kernel_stacks(X[part], kernels, center=True):
                check(should_stop)
                definite = kernels[places[0]].psd
                mu, V = leading_pairs(centred(K), SHOWN, definite=definite)
                pictures = V * np.sqrt(np.maximum(mu, 0))[:, None, :]
                for place, Z in zip(places, pictures, strict=True):
                    found[place].append(score(Z, part))
    return found


def _explained(Z: Array, values: Array) -> Array:
    """Return what every row (m,) contributes to the held-out R² of a linear fit."""
    folds = np.random.default_rng(0).permutation(len(Z)) % FOLDS
    A = np.column_stack((Z / max(float(np.abs(Z).max()), 1e-300), np.ones(len(Z))))
    left, middle = np.empty(len(A)), np.empty(len(A))
    for fold in range(FOLDS):
        test = folds == fold
        fit = np.linalg.lstsq(A[~test], values[~test], rcond=None)[0]
        left[test] = values[test] - A[test] @ fit
        middle[test] = values[test] - values[~test].mean()
    explained: Array = 1 - np.square(left) / np.square(middle).mean()
    return explained


def _labelled(y: Array) -> tuple[Array, Array]:
    """Return a sample of the rows that have a class, and codes of these.

    A class of which a half of the sample may have no row for every fold is left out.
    """
    known = np.flatnonzero(np.asarray(y) >= 0)
    rows = known[sample_rows(len(known), JUDGED_ROWS)]
    codes, counts = np.unique(y[rows], return_inverse=True, return_counts=True)[1:]
    often = counts[codes] >= 2 * FOLDS
    return rows[often], np.unique(codes[often], return_inverse=True)[1]


def _dense(X: Any, rows: Array) -> Array:
    taken = X[rows]
    return np.asarray(taken.toarray() if is_sparse(taken) else taken)
