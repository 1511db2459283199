"""A value that suits the data, by the best evidence that takes no more than a moment.

The value by the median of the distances knows the size of the data and nothing else.
Around it a few values are tried on a fixed sample of the rows, and judged by what there
is: classes that are held out, a quantity that is held out, or, without either, the
structure that independent columns do not have. How much is tried depends on the data
alone, never on a clock: the same data have the same suggestion everywhere.

All of it looks at the first two components, which is what a picture shows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import is_sparse
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel, suggested_values
from kpca_viewer.core.linalg.eigenpairs import leading_pairs
from kpca_viewer.core.linalg.gram import PointsGram, kernel_stacks
from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.core.methods.fold_scores import common_start, fold_scores
from kpca_viewer.core.methods.parallel_analysis import (
    LEVEL,
    ParallelAnalysis,
    chance_of_any,
    parallel_analysis,
)
from kpca_viewer.core.methods.quality import (
    FOLDS,
    GUESSING_ERRORS,
    NOTHING,
    balanced_errors,
    dealt,
    discriminated,
    fold_errors,
    sample_rows,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import counted, percent, readable, small_percent
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import one_blas_thread

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
    """For example "the held-out classes of 400 rows: 100 ± 1 % balanced accuracy"."""
    judged: bool = False
    """Whether classes, or a quantity, speak for the values."""
    rejected: str = ""
    """What was tried before and speaks for no value: "classes" or "quantity"."""


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

    ``family``: of a kernel; those of its parameters that have no scale have their
    defaults; ``X`` (n, d): the rows as they are given to the kernel; ``y`` (n,): codes
    of classes; below 0, a row has none; ``target`` (n,): a quantity; NaN where a row
    has none.
    """
    usual = by_median(family, X)
    if not usual.values:
        return usual
    line = _Line(family, usual.values)
    evidence: list[tuple[str, Callable[[], Suggestion | None]]] = []
    if y is not None:
        codes = y
        evidence.append(("classes", lambda: _by_classes(line, X, codes, should_stop)))
    if target is not None:
        values = target
        evidence.append(("quantity", lambda: _by_target(line, X, values, should_stop)))
    evidence.append(("", lambda: _by_structure(line, X, should_stop)))
    rejected = ""
    for kind, look in evidence:
        try:
            found = look()
        except (DataError, KernelError):
            # Too few rows or columns for this, or values that a kernel cannot take.
            continue
        if found is not None:
            return found if found.judged else replace(found, rejected=rejected)
        rejected = rejected or kind
    return replace(usual, rejected=rejected)


def by_median(family: str, X: Any) -> Suggestion:
    """Return the values by the median of the distances, or the spread, alone."""
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
        return [Kernel(self.family, **self.values(float(rate))) for rate in rates]

    @property
    def usual(self) -> str:
        if FAMILIES[self.family].base == "dot_products":
            return "how far the values spread"
        return "the median distance between the points"


def _by_classes(
    line: _Line, X: Any, y: Array, should_stop: ShouldStop
) -> Suggestion | None:
    rows, codes = _labelled(y)
    classes = int(codes.max(initial=0)) + 1
    if classes < 2:
        return None
    # Rows count by the size of their class: the mean is the balanced accuracy.
    sizes = np.bincount(codes)
    weights = len(codes) / (classes * sizes)[codes]

    def right(known: Array, new: Array, train: Array, test: Array) -> Array:
        found = discriminated(known, codes[train], new, balanced=True)
        return weights[test] * (found == codes[test])

    def error(of_rows: Array) -> float:
        return float(balanced_errors(of_rows.mean(), sizes))

    tried = _Tried(line, _dense(X, rows), codes, right, should_stop)
    found, guessing = _Judged.of(tried, error), 1 / classes
    luck = GUESSING_ERRORS * sqrt(guessing * (1 - guessing) / len(codes))
    if found.best < guessing + max(luck, NOTHING * (1 - guessing)):
        return None
    score, of_folds = tried.held_out(found.place)
    if score < guessing + NOTHING * (1 - guessing):
        return None
    band = max(found.error, float(fold_errors(of_folds, FOLDS, sizes)))
    what = f"the held-out classes of {counted(len(rows))} rows"
    told = percent(min(score, 1.0), 0).removesuffix(" %")
    told = (
        f"{told} ± {_percent(band)} balanced accuracy on two components, "
        f"guessing {percent(guessing, 0)}"
    )
    return found.suggestion(line, what, told)


def _by_target(
    line: _Line, X: Any, target: Array, should_stop: ShouldStop
) -> Suggestion | None:
    known = np.flatnonzero(np.isfinite(target))
    rows = known[sample_rows(len(known), JUDGED_ROWS)]
    values = np.asarray(target, dtype=np.float64)[rows]
    if len(rows) < 2 * FOLDS or not values.std() > 0:
        return None

    def explained(known: Array, new: Array, train: Array, test: Array) -> Array:
        return _explained(known, new, values[train], values[test], values.var())

    order = np.zeros(len(rows), dtype=np.intp)
    tried = _Tried(line, _dense(X, rows), order, explained, should_stop)
    found = _Judged.of(tried, _error)
    if found.best < max(LEAST_EXPLAINED, GUESSING_ERRORS * found.error):
        return None
    score, of_folds = tried.held_out(found.place)
    if score < LEAST_EXPLAINED:
        return None
    band = max(found.error, float(fold_errors(of_folds, FOLDS)))
    what = f"the held-out quantity of {counted(len(rows))} rows"
    told = f"R² = {readable(score, 2)} ± {readable(band, 1)} on two components"
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
        nothing = f"under no value do {rows} stand out from independent columns"
        return Suggestion(line.typical, f"{line.usual}; {nothing}")
    good = np.flatnonzero(energies >= energies[best] - _spread(found[best]))
    place = int(good[np.abs(np.log(PERMUTED[good])).argmin()])
    share = _percent(float(energies[place]))
    told = f"structure beyond independent columns: {share} of the variance of {rows}"
    return Suggestion(line.values(float(PERMUTED[place])), told)


def _spread(found: ParallelAnalysis) -> float:
    """Return how far the energy of permuted tables is spread: one deviation."""
    excess = float((found.eigenvalues - found.band)[: found.real].sum())
    deviation = float(found.null[:, : found.real].sum(axis=1).std())
    return found.energy * deviation / excess


def _percent(share: float) -> str:
    return percent(share, 0) if share >= 0.0095 else small_percent(share)


Score = Callable[[Array, Array, Array, Array], Array]
"""Scores (m, 2) of known and of new rows, and which rows these are → what each of the
new rows contributes to a mean, (m,)."""


class _Tried:
    """All values that are tried, with what every row says of each.

    ``X`` (n, d); ``codes`` (n,): classes, which all parts and folds have alike;
    ``score``: learns from some rows and scores the others; ``scores`` (values, n): by
    pictures of all rows of a part, of which only the classes are held out: quick enough
    for every value; ``part``, ``fold`` (n,): halves of the rows, with a picture each,
    and the folds of either.
    """

    def __init__(
        self,
        line: _Line,
        X: Array,
        codes: Array,
        score: Score,
        should_stop: ShouldStop,
    ) -> None:
        self._X, self._score, self._should_stop = X, score, should_stop
        self._kernels = line.kernels(JUDGED)
        self.part = _halves(codes)
        self.fold = np.empty(len(X), dtype=np.intp)
        self.scores = np.empty((len(self._kernels), len(X)))
        with one_blas_thread():
            for part in np.unique(self.part):
                self._try_all(np.flatnonzero(self.part == part), codes)

    def _try_all(self, rows: Array, codes: Array) -> None:
        self.fold[rows] = dealt(codes[rows], FOLDS)
        for places, K in kernel_stacks(self._X[rows], self._kernels, center=True):
            check(self._should_stop)
            definite = self._kernels[places[0]].psd
            mu, V = leading_pairs(double_center(K), SHOWN, definite=definite)
            pictures = V * np.sqrt(np.maximum(mu, 0))[:, None, :]
            for place, Z in zip(places, pictures, strict=True):
                for fold in range(FOLDS):
                    new = self.fold[rows] == fold
                    self.scores[place, rows[new]] = self._score(
                        Z[~new], Z[new], rows[~new], rows[new]
                    )

    def held_out(self, place: int) -> tuple[float, Array]:
        """Return the score of a value for rows that had no part in it, and of folds.

        Components are learnt anew from the training rows of every fold. What the choice
        among all values adds is taken away: how much better the best value of a fold
        is there than the one that was chosen (Tibshirani and Tibshirani, 2009).
        """
        kernel, X = self._kernels[place], self._X
        with one_blas_thread():
            gram = PointsGram(kernel.points(X, center=True), kernel)
            start = common_start(gram, SHOWN, self._should_stop)
            training = self.fold != np.arange(FOLDS)[:, None]
            found = fold_scores(gram, training, SHOWN, start, self._should_stop)
        sums = np.array(
            [
                self._score(Z[t], Z[~t], *map(np.flatnonzero, (t, ~t))).sum()
                for Z, t in zip(found, training, strict=True)
            ]
        )
        of_folds = np.array(
            [self.scores[:, self.fold == fold].mean(axis=1) for fold in range(FOLDS)]
        )
        gained = float((of_folds.max(axis=1) - of_folds[:, place]).mean())
        return float(sums.sum()) / len(X) - gained, sums / (~training).sum(axis=1)


@dataclass(frozen=True)
class _Judged:
    """The value to take."""

    place: int
    error: float
    """Of the best one."""
    best: float

    @classmethod
    def of(cls, tried: _Tried, error: Callable[[Array], float]) -> "_Judged":
        """Judge all values, with the error of what rows (n,) say.

        The best one has the highest lower end: a picture that the other half of the
        rows does not show is luck, however well it does. The value by the median stays
        if its score is within one standard error of that; else it is the middle of
        those beside the best that are.
        """
        parts = [tried.scores[:, tried.part == part] for part in np.unique(tried.part)]
        means = tried.scores.mean(axis=1)
        of_parts = np.array([scores.mean(axis=1) for scores in parts])
        errors = np.maximum(
            [error(of_rows) for of_rows in tried.scores], np.ptp(of_parts, axis=0) / 2
        )
        best = int((means - errors).argmax())
        good = means >= means[best] - errors[best]
        place = int(np.abs(np.log(JUDGED)).argmin())
        if not good[place]:
            bad = np.flatnonzero(~good)
            low = int(bad[bad < best].max(initial=-1)) + 1
            high = int(bad[bad > best].min(initial=len(good))) - 1
            place = (low + high) // 2
        return cls(place, float(errors[best]), float(means[best]))

    def suggestion(self, line: _Line, what: str, told: str) -> Suggestion:
        """Return the value, with what it is based on and how well it does."""
        rate = float(JUDGED[self.place])
        values = line.values(rate)
        if values == dict(line.typical):
            told = f"no other value is better by more than one standard error: {told}"
            return Suggestion(line.typical, f"{line.usual}; by {what} {told}", True)
        return Suggestion(values, f"{what}: {told}", judged=True)


def _error(of_rows: Array) -> float:
    """Return one standard error of a mean; two rows of either kind are added."""
    m, top = len(of_rows), float(np.abs(of_rows).max(initial=0.0))
    padded = np.append(of_rows, [0, 0, top, top]) if top else of_rows
    return float(padded.std() / sqrt(m + 4))


def _halves(codes: Array) -> Array:
    """Deal rows out to two halves with all classes alike; few stay together, (n,)."""
    part = np.zeros(len(codes), dtype=np.intp)
    if len(codes) >= HALVED_FROM:
        part[np.argsort(codes, kind="stable")[1::2]] = 1
    return part


def _explained(
    known: Array, new: Array, values: Array, new_values: Array, variance: float
) -> Array:
    """Return what each new row adds to the R² of a linear fit to the known ones, (m,).

    ``known``, ``new`` (n, 2) and (m, 2); ``values``, ``new_values`` (n,) and (m,);
    ``variance``: of all values.
    """
    scale = max(float(np.abs(known).max(initial=0.0)), 1e-300)
    A, B = (np.column_stack((Z / scale, np.ones(len(Z)))) for Z in (known, new))
    fit = np.linalg.lstsq(A, values, rcond=None)[0]
    explained: Array = 1 - np.square(new_values - B @ fit) / variance
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
