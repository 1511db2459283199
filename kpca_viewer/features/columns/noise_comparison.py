"""Columns of a result beside columns of noise, as far as somebody has looked."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.null_influence import (
    DRAWS,
    NullDraws,
    NullInfluence,
    is_known,
)
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.columns.compute import MeasuredColumns
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

Array = NDArray[Any]


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
        columns = sorted(self._draws)
        draws = tuple(self._draws[f] for f in columns)
        return NullInfluence(np.array(columns), draws, self._nulls.rows)

    def settle(
        self,
        measured: MeasuredColumns,
        column: int,
        should_stop: ShouldStop = never,
        progress: Progress = silent,
    ) -> None:
        """Draw noise until it is known whether a column has more.

        Parameters
        ----------
        measured : MeasuredColumns
            Of the components that it is about.

        Raises
        ------
        Cancelled
            What was drawn before is kept.
        """
        try:
            self._settle(measured, column, should_stop, progress)
        except KernelError:
            # Defined for the rows as they are, and not for others.
            self._refused.add(column)

    def _settle(
        self,
        measured: MeasuredColumns,
        column: int,
        should_stop: ShouldStop,
        progress: Progress,
    ) -> None:
        known = self._draws.get(column, np.empty((0, 2, len(self._components))))
        with closing(self._nulls.of_column(column, len(known), should_stop)) as draws:
            while not self._is_settled(measured, column, known):
                known = np.concatenate((known, next(draws)[None]))
                self._draws[column] = known
                progress("evidence for columns", len(known) / DRAWS)

    def is_settled(self, measured: MeasuredColumns, column: int) -> bool:
        """Return whether more draws would tell nothing about a column."""
        known = self._draws.get(column)
        if known is None or column in self._refused:
            return column in self._refused
        return self._is_settled(measured, column, known)

    def _is_settled(self, measured: MeasuredColumns, column: int, draws: Array) -> bool:
        places = [self._components.index(j) for j in measured.components]
        return is_known(measured.evidence(column), draws[:, :, places])
