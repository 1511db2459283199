"""The derivation of a result: X → K → means → K̃ → μ, u → α → z, for a few rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca_viewer.core.linalg import eigenpairs
from kpca_viewer.core.orientation import equal_groups
from kpca_viewer.core.projection import coefficient_factors
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.features.derivation.kernel_rows import KernelRows, kernel_rows
from kpca_viewer.support.arrays import Array

EPS = float(np.finfo(np.float64).eps)

EQUAL = 1e-9
"""Eigenvalues that differ by less than this part of the largest are one."""


@dataclass(frozen=True, eq=False)
class Errors:
    """Bounds on the error of every number of a step."""

    kernel: float
    """Of an entry of K."""
    means: float
    """Of a row mean, and of the grand mean."""
    centred: float
    eigenvalues: Array
    spreads: Array
    """Shape (k,). How far the farthest eigenvalue lies that counts as the same one.
    Inside such a group the rule of orientation chooses the basis: the vectors that are
    shown are combinations of eigenvectors, with ``K̃u = μu`` to this."""
    vectors: Array
    coefficients: Array
    scores: Array
    """Shape (k,). Of every entry of a component. Inside a group of equal eigenvalues
    any basis is a right one: the error is that of the nearest of them."""


def errors_of(result: AnalysisResult, known: KernelRows, factors: Array) -> Errors:
    """Bound the errors, given factors (k,) that make coefficients of eigenvectors."""
    found = result.decomposition
    entry = _entry_error(result, known)
    largest = float(np.abs(known.block).max(initial=0.0))
    mean = entry + 4 * EPS * largest
    values = np.asarray(found.eigenvalues, dtype=np.float64)
    of_values = np.abs(found.bounds - values[:, None]).max(axis=1, initial=0.0)
    spreads = _spreads(values, found)
    of_vectors = _vector_errors(values, of_values, spreads, found)
    eps = float(np.finfo(found.eigenvectors.dtype).eps)
    of_vectors = of_vectors + 4 * eps
    live = positive_part(found)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(live > 0, (of_values + spreads) / (2 * live), 0.0)
    # An entry of a unit vector is at most 1: z = √μ u is off by √μ δu + u δ√μ.
    lengths = factors * live
    with np.errstate(invalid="ignore"):
        of_scores = np.where(live > 0, lengths * (of_vectors + 2 * relative), 0.0)
        of_coefficients = np.where(live > 0, factors * (of_vectors + relative), 0.0)
    return Errors(
        kernel=entry,
        means=mean,
        centred=4 * mean,
        eigenvalues=of_values,
        spreads=spreads,
        vectors=of_vectors,
        coefficients=of_coefficients,
        scores=of_scores,
    )


def _entry_error(result: AnalysisResult, known: KernelRows) -> float:
    """Bound the rounding of an entry of K among the rows that are written out."""
    norm = float(np.linalg.norm(known.block))
    if result.kernel is None or known.seen is None:
        # As it was given; distances are squared.
        return EPS * float(np.abs(known.block).max(initial=0.0))
    some = known.seen.take(known.rows)
    return float(result.kernel.rounding(some, norm)) + EPS * norm


def _spreads(values: Array, found: Decomposition) -> Array:
    """How far eigenvalues lie from the farthest that orientation takes for the same."""
    # A low rank knows fewer than are shown, and the others as 0.
    known = np.concatenate((values, found.spectrum[len(values) :]))
    bounds = np.column_stack((known, known))
    bounds[: len(values)] = found.bounds
    spreads = np.zeros(len(known))
    for group in equal_groups(known, bounds):
        same = known[group]
        spreads[group] = np.maximum(same[0] - same, same - same[-1])
    return spreads[: len(values)]


def _vector_errors(
    values: Array, errors: Array, spreads: Array, found: Decomposition
) -> Array:
    """Bound the angle of every eigenvector by the error of μ over its gap."""
    spectrum = np.asarray(found.spectrum, dtype=np.float64)
    equal = np.maximum(EQUAL * float(np.abs(spectrum).max(initial=0.0)), spreads)
    bounds = np.full(len(values), np.inf)
    for j, (value, error) in enumerate(zip(values, errors, strict=True)):
        away = np.abs(spectrum - value)
        others = away[away > equal[j]]
        gap = float(others.min()) if others.size else abs(float(value))
        # What follows the last one that is known may be next to it.
        certain = found.complete or value - equal[j] > spectrum[-1]
        if certain and gap > 4 * error:
            bounds[j] = 2 * error / gap
    return bounds


WHOLE_UP_TO = 8
"""Rows up to which all of them are written out; also the most selected ones."""

FIRST_ROWS = 6
"""Of more rows, of which none is selected."""

MOST_COLUMNS = 6
"""Features that are written out."""

NOISE = 1e-15
"""Part of the largest number beside it below which a value of the data is rounding."""


@dataclass(frozen=True, eq=False)
class NewRow:
    """A point that was dropped into the data: one more row of K."""

    number: int
    """Which of the points that were dropped, from 0."""
    place: tuple[float, ...]
    """In the units of the data, shape (d,)."""
    point: Array
    """Shape (d,). As the kernel sees it."""
    kernel: Array
    """Shape (m,). ``k(x_i, x*)`` with the rows that are written out."""
    mean: float
    """Of ``k(x_i, x*)`` over all n rows."""
    centred: Array
    """Shape (m,). The same, centred by the means of the *training* rows; as it is
    where the kernel is not centred, or where that is forgotten for new points."""
    is_centred: bool
    scores: Array
    """Shape (k,)."""
    whole_centred: Array | None
    """Shape (n,). With all rows; None where these are too many."""


@dataclass(frozen=True, eq=False)
class Derivation:
    """The numbers of every step, for the rows that are written out."""

    result: AnalysisResult
    rows: Array
    """Shape (m,). Which rows of the data."""
    n: int
    """How many rows there are."""
    is_whole: bool
    """Whether all of them are written out."""
    center: bool
    """Whether K is centred; if not, ``centred`` is K itself."""
    points: Array | None
    """Shape (m, c), c ≤ `MOST_COLUMNS`. As the kernel sees them: scaled. None for a
    given matrix."""
    d: int
    """How many features there are; 0 for a given matrix."""
    kernel_block: Array
    """Shape (m, m). Of distances, ``−d²/2``."""
    row_means: Array
    """Shape (m,). Of K, over all n columns."""
    grand_mean: float
    """Of all of K; NaN where it is not needed and would take n² entries."""
    centred: Array
    """Shape (m, m)."""
    eigenvalues: Array
    """Shape (k,). μ, descending; may be negative."""
    bounds: Array
    """Shape (k, 2). Lower and upper end of μ."""
    variances: Array
    """Shape (k,). ``λ = μ/n``."""
    vectors: Array
    """Shape (m, k). u, unit vectors over all n rows."""
    coefficients: Array
    """Shape (m, k). α; zero where μ is zero or negative."""
    scores: Array
    """Shape (m, k). z."""
    errors: Errors
    """By how much these may be wrong."""
    new_rows: tuple[NewRow, ...]
    kernel_rows: KernelRows
    """What is known of K beyond the block."""

    @property
    def k(self) -> int:
        return len(self.eigenvalues)

    @property
    def matrix(self) -> str:
        """The symbol of what is decomposed."""
        return "K̃" if self.center else "K"

    @property
    def is_scaled(self) -> bool:
        """Whether ``points`` are other numbers than the data."""
        return self.points is not None and self.result.scaler.how != "none"

    @property
    def normalised(self) -> bool:
        """Whether ``α = u/√μ``; else that is forgotten, and ``α = u``."""
        return self.result.scoring.normalised

    @property
    def means_are_of_the_model(self) -> bool:
        """Whether there are so many rows that the solver's means have to do."""
        return not self.kernel_rows.is_computed

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Of the columns of ``points``."""
        if self.points is None:
            return ()
        return self.result.dataset.feature_names[: self.points.shape[1]]

    @property
    def row_names(self) -> tuple[str, ...]:
        """What the rows are called, shape (m,): names, or numbers from 1."""
        return tuple(self.name(row) for row in self.rows.tolist())

    def name(self, row: int) -> str:
        dataset = self.result.dataset
        if dataset.row_names is not None:
            return dataset.row_names[row]
        return str(dataset.row_number(row))

    @property
    def without_direction(self) -> Array:
        """Shape (k,). Whether μ is zero: any unit vector of that space is a right u."""
        largest = float(np.abs(self.eigenvalues).max(initial=0.0))
        noise = eigenpairs.NOISE[self.result.decomposition.eigenvectors.dtype] * largest
        found: Array = np.abs(self.eigenvalues) <= np.maximum(
            self.errors.eigenvalues, noise
        )
        return found

    def alpha(self, component: int) -> Array:
        """Return the coefficients of all rows in a component, shape (n,)."""
        found = self.result.decomposition
        factors = coefficient_factors(found, self.result.scoring)
        return _floats(found.eigenvectors[:, component]) * factors[component]


def derive(
    result: AnalysisResult,
    selected: Sequence[int] = (),
    new_points: Sequence[Sequence[float]] = (),
) -> Derivation:
    """Return the derivation of a result."""
    # The matrix of all rows of a table in parts would be too large to write down.
    result = result.of_sample or result
    dataset, found = result.dataset, result.decomposition
    rows = shown_rows(dataset.n, selected)
    known = kernel_rows(result, rows)
    center = centred(dataset, result.settings)
    block = known.block
    means = known.means
    factors = coefficient_factors(found, result.scoring)
    vectors = _floats(found.eigenvectors[rows])
    points = None
    if dataset.kind == "points":
        seen = _floats(result.points.take(rows).dense())
        points = without_noise(seen)[:, :MOST_COLUMNS]
    derivation = Derivation(
        result=result,
        rows=rows,
        n=dataset.n,
        is_whole=len(rows) == dataset.n,
        center=center,
        points=points,
        d=dataset.d if dataset.kind == "points" else 0,
        kernel_block=block,
        row_means=means,
        grand_mean=known.grand_mean,
        centred=block - means[:, None] - means + known.grand_mean if center else block,
        eigenvalues=_floats(found.eigenvalues),
        bounds=_floats(found.bounds),
        variances=_floats(found.eigenvalues) / dataset.n,
        vectors=vectors,
        coefficients=vectors * factors,
        scores=_floats(result.scores[rows]),
        errors=errors_of(result, known, factors),
        new_rows=(),
        kernel_rows=known,
    )
    return replace(derivation, new_rows=_new_rows(derivation, new_points))


def shown_rows(n: int, selected: Sequence[int] = ()) -> Array:
    if n <= WHOLE_UP_TO:
        return np.arange(n)
    chosen = sorted({int(row) for row in selected if 0 <= row < n})
    if chosen:
        return np.array(chosen[:WHOLE_UP_TO], dtype=np.intp)
    return np.arange(FIRST_ROWS)


def without_noise(points: Array) -> Array:
    """Return points (m, d) as they are written: the cosine of 90° is 0, not 6·10⁻¹⁷."""
    largest = float(np.abs(points).max(initial=0.0))
    return np.where(np.abs(points) > NOISE * largest, points, 0.0)


def _new_rows(
    derivation: Derivation, places: Sequence[Sequence[float]]
) -> tuple[NewRow, ...]:
    result = derivation.result
    if result.kernel is None:
        return ()
    given = [
        (number, tuple(map(float, place)))
        for number, place in enumerate(places)
        if len(place) == derivation.d and result.takes(np.array([place]))[0]
    ]
    if not given:
        return ()
    X = np.array([place for _, place in given])
    known = derivation.kernel_rows
    kernel, whole, means = known.with_new(X)
    is_centred = derivation.center and result.scoring.centers_new

    def shifted(row: Array, of_rows: Array | None, mean: float) -> Array | None:
        if not is_centred:
            return row
        return None if of_rows is None else row - of_rows - mean + known.grand_mean

    made = []
    scaled, scores = result.scaler.apply(X), result.project(X)
    for at, (number, place) in enumerate(given):
        mean = float(means[at])
        row = None if whole is None else whole[at]
        shown = shifted(kernel[at], known.means, mean)
        assert shown is not None
        made.append(
            NewRow(
                number=number,
                place=place,
                point=scaled[at],
                kernel=kernel[at],
                mean=mean,
                centred=shown,
                is_centred=is_centred,
                scores=scores[at],
                whole_centred=None
                if row is None
                else shifted(row, known.all_means, mean),
            )
        )
    return tuple(made)


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)
