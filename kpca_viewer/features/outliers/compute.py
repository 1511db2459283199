"""Measuring how odd the rows of a result are, for whoever looks at it.

The numbers take one look at every row; what the page shows beside them, limits by
permutation and columns, takes the projection of some thousand rows more.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.outliers import RowDiagnostics, diagnosed, empirical_limit
from kpca_viewer.core.projection import (
    Cross,
    FeatureSpace,
    training_lengths,
    training_scores,
)
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.features.outliers.values import OddRows
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import ShouldStop, never

Array = NDArray[Any]

PAGE = "odd"
"""The key of its page."""

TABLE = "table"
"""The key of the page that lists the numbers beside all others."""

DUST = 1e-9
"""Share of its length below which the distance of a row to the model is rounding."""

MOVING_ROWS = 500
"""Rows up to which the list follows a slider while it is dragged."""


def components_of(result: AnalysisResult) -> tuple[int, ...]:
    """Return the components that the numbers are about: those shown, or all."""
    view, count = result.settings.view, result.scores.shape[1]
    if view.odd_by == "all":
        return tuple(range(count))
    return tuple(sorted(view.judged_axes(count)))


def measure_rows(result: AnalysisResult, should_stop: ShouldStop = never) -> OddRows:
    """Measure the rows of the data.

    Raises
    ------
    Cancelled
    """
    # Of a table in parts, rows are measured by the model of those that are here.
    result = result.of_sample or result
    found, components = result.decomposition, components_of(result)
    diagonal, cross = _of_training(result)
    lengths = training_lengths(found, diagonal, cross, should_stop)
    # Whatever a person has forgotten on purpose, odd rows are those of the model.
    scores = training_scores(found)
    mean_error = FeatureSpace.of(found).mean_error

    def by(components: tuple[int, ...]) -> OddRows:
        numbers = _diagnosed(found, scores, lengths, components)
        spe = numbers.spe
        return OddRows(
            components,
            numbers,
            len(numbers.t2),
            empirical_limit(numbers.t2),
            None if spe is None else empirical_limit(spe),
            mean_error,
        )

    every = tuple(range(scores.shape[1]))
    return replace(by(components), by_all=by(every) if components != every else None)


def with_new(
    odd: OddRows, result: AnalysisResult, X: Array, should_stop: ShouldStop = never
) -> OddRows:
    """Return what is known of odd rows with new rows (m, d) behind them.

    Raises
    ------
    KernelError
    Cancelled
    """
    result = result.of_sample or result
    placed, found = _placed(result, X, should_stop), result.decomposition
    joined = odd.followed_by(_diagnosed(found, *placed, odd.components))
    if (by_all := odd.by_all) is None:
        return joined
    new = _diagnosed(found, *placed, by_all.components)
    return replace(joined, by_all=by_all.followed_by(new))


def measure_new(
    result: AnalysisResult, X: Array, should_stop: ShouldStop = never
) -> RowDiagnostics:
    """Measure new rows (m, d), given in the units of the data, by the same model.

    Raises
    ------
    KernelError
        Where a matrix is given, which has no rows like these.
    Cancelled
    """
    result = result.of_sample or result
    placed = _placed(result, X, should_stop)
    return _diagnosed(result.decomposition, *placed, components_of(result))


def _placed(
    result: AnalysisResult, X: Array, should_stop: ShouldStop
) -> tuple[Array, Array]:
    """Return scores (m, k) of new rows (m, d), and their lengths (m,)."""
    if result.kernel is None:
        raise KernelError(
            "A given matrix says nothing of new rows; open the table it was made of."
        )
    scaled = result.scaler.apply(np.asarray(X, dtype=np.float64))
    diagonal, cross = _between(result, result.kernel, scaled)
    return FeatureSpace.of(result.decomposition).placed(cross, diagonal, should_stop)


def _diagnosed(
    found: Decomposition, scores: Array, lengths: Array, components: tuple[int, ...]
) -> RowDiagnostics:
    """Return the numbers of rows, without distances that are nothing but rounding."""
    numbers = diagnosed(found, scores, lengths, np.array(components))
    spe, length = numbers.spe, numbers.lengths
    if spe is None or length is None:
        return numbers
    return replace(numbers, spe=np.where(spe <= DUST * length, 0.0, spe))


def _of_training(result: AnalysisResult) -> tuple[Array, Cross]:
    """Return ``k(x, x)`` (n,) of the rows, and the kernel between them."""
    dataset, kernel = result.dataset, result.kernel
    if kernel is not None:
        return _between(result, kernel, None)
    given = dataset.points
    if dataset.kind == "distances":
        # What is decomposed of distances is −½D², whose diagonal is zero.
        given = -0.5 * np.square(given)

    def cross(rows: slice, columns: Array | None) -> Array:
        return given[rows] if columns is None else given[rows][:, columns]

    return np.diagonal(given).astype(np.float64), cross


def _between(
    result: AnalysisResult, kernel: Kernel, scaled: Array | None
) -> tuple[Array, Cross]:
    """Return ``k(x, x)`` of scaled rows, and the kernel between them and the data."""
    center = centred(result.dataset, result.settings)
    known = kernel.prepare_training(result.points, center=center)
    new = known if scaled is None else kernel.prepare_new(known, scaled)

    def cross(rows: slice, columns: Array | None) -> Array:
        right = known if columns is None else known.take(columns)
        return kernel.block(new.take(rows), right)

    return kernel.diagonal(new).astype(np.float64), cross
