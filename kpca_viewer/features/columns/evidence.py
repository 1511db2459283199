"""How sure the influence of columns is: beside noise, and in halves of the rows."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.methods.influence import ScoreFunction, measure
from kpca_viewer.core.methods.null_influence import (
    DRAWS,
    NullDraws,
    NullInfluence,
    is_known,
)
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.methods.refits import Refits
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Units
from kpca_viewer.features.columns.compute import MeasuredColumns
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import one_blas_thread

PAIRS = 12
"""Times that the rows are halved; an error is known to a fifth of itself."""

MOST_HALVED = 500
"""Rows that are halved; of more, a sample."""


@dataclass(frozen=True, eq=False)
class Halves:
    """The influence of some columns in halves of the rows, each with its own model.

    ``columns`` (c,); ``rms`` (pairs, 2, k, c): by a unit that the kernel sees;
    ``spreads`` (pairs, 2, c): standard deviations of the columns in every half;
    ``share``: part of all rows that were halved.
    """

    columns: Array
    components: tuple[int, ...]
    rms: Array
    spreads: Array
    share: float

    def errors(self, components: Sequence[int], units: Units) -> tuple[Array, Array]:
        """Return one standard error of every strength, and of their differences.

        Two halves differ by twice the standard error of all rows. A standard deviation
        of the column is that of the half: it is known no better than the rest.

        Returns
        -------
        tuple of ndarray of shape (c,) and (c, c)
        """
        places = [self.components.index(j) for j in components]
        squares = np.square(self.rms[:, :, places]).sum(axis=2)
        strengths = np.sqrt(squares) * (self.spreads if units == "spread" else 1.0)
        apart = strengths[:, 0] - strengths[:, 1]
        between = apart[:, :, None] - apart[:, None, :]
        scale = 0.5 * self.share**0.5
        return (
            scale * np.sqrt(np.square(apart).mean(axis=0)),
            scale * np.sqrt(np.square(between).mean(axis=0)),
        )


def halve(
    result: AnalysisResult,
    components: Sequence[int],
    columns: Array,
    should_stop: ShouldStop = never,
) -> Halves | None:
    """Measure columns in halves of the rows; None where these are too few.

    Raises
    ------
    KernelError, Cancelled
    """
    kernel, n = result.kernel, result.dataset.n
    assert kernel is not None
    center = result.settings.analysis.center
    X = result.points.dense()[sample_rows(n, MOST_HALVED)]
    half = len(X) // 2
    if half <= max(components) + 1:
        return None
    rms = np.empty((PAIRS, 2, len(components), len(columns)))
    spreads = np.empty((PAIRS, 2, len(columns)))
    random = np.random.default_rng(0)
    with one_blas_thread():
        for pair in range(PAIRS):
            order = random.permutation(len(X))
            for side, rows in enumerate((order[:half], order[half : 2 * half])):
                part = X[rows]
                points = kernel.points(part, center=center)
                refits = Refits(part, kernel, components, center=center)
                weights = refits.weights(kernel.block(points, points), should_stop)
                function = ScoreFunction(kernel, points, weights)
                found = measure(function, part, columns, should_stop=should_stop)
                rms[pair, side] = found.rms
                spreads[pair, side] = part[:, columns].std(axis=0)
    return Halves(columns, tuple(components), rms, spreads, 2 * half / n)


class Comparison:
    """Draws of noise in the place of columns, each as many as were needed so far.

    Parameters
    ----------
    components : sequence of int
        Whose influence is measured in every draw, from 0.
    """

    def __init__(self, result: AnalysisResult, components: Sequence[int]) -> None:
        assert result.kernel is not None  # or nothing would have been measured
        self._components = tuple(components)
        self._draws: dict[int, Array] = {}
        self._refused: set[int] = set()
        self._nulls = NullDraws(
            result.points.dense(),
            result.kernel,
            components,
            center=result.settings.analysis.center,
        )

    def null(self) -> NullInfluence | None:
        """Return what is known now; None before anything is."""
        if not self._draws:
            return None
        columns = np.array(sorted(self._draws))
        draws = tuple(self._draws[f] for f in columns.tolist())
        related = self._nulls.are_related(columns)
        return NullInfluence(columns, draws, self._nulls.rows, related)

    def settle(
        self,
        measured: MeasuredColumns,
        column: int,
        should_stop: ShouldStop = never,
        progress: Progress = silent,
    ) -> None:
        """Draw noise until it is known whether a column has more.

        ``measured``: of the components that it is about. Where it is stopped, what was
        drawn before is kept.
        """
        known = self._draws.get(column, np.empty((0, 2, len(self._components))))
        draws = self._nulls.of_column(column, len(known), should_stop)
        try:
            with closing(draws):
                while not self._is_settled(measured, column, known):
                    known = np.concatenate((known, next(draws)[None]))
                    self._draws[column] = known
                    progress("evidence for columns", len(known) / DRAWS)
        except KernelError:
            # Defined for the rows as they are, and not for others.
            self._refused.add(column)

    def is_settled(self, measured: MeasuredColumns, column: int) -> bool:
        """Return whether more draws would tell nothing about a column."""
        known = self._draws.get(column)
        if known is None or column in self._refused:
            return column in self._refused
        return self._is_settled(measured, column, known)

    def _is_settled(self, measured: MeasuredColumns, column: int, draws: Array) -> bool:
        places = [self._components.index(j) for j in measured.components]
        return is_known(measured.evidence(column), draws[:, :, places])
