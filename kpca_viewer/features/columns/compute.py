"""The columns of a result by their influence on a component, or on the picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.gradients import require_gradient
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.influence import (
    Influence,
    ScoreFunction,
    correlations,
    measure,
)
from kpca_viewer.core.methods.null_influence import (
    LARGEST,
    LEVEL,
    NullInfluence,
    deviations,
    is_beyond,
    is_known,
    together,
)
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Units
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

MOST_TERMS = 6_000_000_000
"""Rows × rows that carry the model × columns × components up to which all rows are
looked at: some seconds. Beyond, a sample of the rows is."""

FEWEST_ROWS = 500
"""But never a smaller sample than that."""


LARGE = 0.5
"""Correlation from which a component goes with a column: a quarter of its variance. In
random order one of few columns can have as much, as a component of its own; so draws do
not decide about it."""


@dataclass(slots=True)
class ColumnInfluence:
    """What one column does to the components that were asked for.

    Not frozen, which would take five times as long to make; it is never changed.

    Attributes
    ----------
    column : int
        Its place among the features.
    name : str
    strength : float
        Root mean square of the gradient: change of the score, where the column grows by
        one in the units asked for.
    share : float
        Part of the squared strength of all columns.
    direction : int
        1 where the score mostly grows with the column, −1 where it falls; 0 where
        neither, and for more than one component.
    agreement : float
        Share of the rows at which the score goes in that direction.
    steadiness : float
        ``|mean| / RMS`` of the gradient: 1 where it is the same everywhere.
    constant : bool
        Whether the column has one value only.
    correlations : tuple of float
        With every one of the components, with its sign.
    error : float or None
        One standard error of the strength, by halves of the rows.
    noise : float or None
        What the column has at most in random order; None where that is not known.
    draws, above : int
        How many orders that is of, and in how many of them it has as much.
    random_correlations : tuple of float
        The largest size of its correlation with every component in these orders.
    beyond : tuple of int
        Components in which influence or correlation tells it from noise.
    deviations : float
        By how many standard deviations of the draws the larger of both exceeds their
        mean.
    """

    column: int
    name: str
    strength: float
    share: float
    direction: int
    agreement: float
    steadiness: float
    constant: bool = False
    correlations: tuple[float, ...] = ()
    error: float | None = None
    noise: float | None = None
    draws: int = 0
    above: int = 0
    random_correlations: tuple[float, ...] = ()
    beyond: tuple[int, ...] = ()
    deviations: float = 0.0

    @property
    def stands_out(self) -> bool | None:
        """Whether it is told from noise; None where that is not known."""
        return None if self.noise is None else bool(self.beyond)


@dataclass(frozen=True, eq=False)
class RankedColumns:
    """All columns, the strongest first and constant ones last.

    Attributes
    ----------
    columns : tuple of ColumnInfluence
    components : tuple of int
        Which ones it is about, from 0.
    units : {"scaled", "spread", "original"}
        By what a column grows; see `Units`.
    rows, all_rows : int
        At how many rows of how many the gradient was measured.
    has_kinks : bool
        Whether the kernel has an edge at every row.
    null_rows : int
        Rows by which columns were compared with noise; 0 for none.
    left_out : tuple of (int, str, float)
        Other components of the picture, in which no column is told from noise, with
        the column of the largest correlation, and that.
    are_related : bool
        Whether columns are correlated with each other.
    equal : int
        How many of the first columns cannot be told from the longest bar.
    filled : Claim or None
        Which of the components tells rows with filled cells from others.
    """

    columns: tuple[ColumnInfluence, ...]
    components: tuple[int, ...]
    units: Units
    rows: int
    all_rows: int
    has_kinks: bool
    null_rows: int = 0
    left_out: tuple[tuple[int, str, float], ...] = ()
    are_related: bool = False
    equal: int = 1
    filled: Claim | None = None

    def is_doubtful(self, column: ColumnInfluence) -> bool:
        """Return whether filled cells may be what tells it from noise."""
        return self.filled is not None and column.beyond == (self.filled.component,)

    def is_related(self, column: ColumnInfluence) -> bool:
        """Return whether a component goes with a column: told from noise, or by r.

        A component of noise is correlated with the columns that it is made of: r counts
        only for components in which some column is told from noise.
        """
        if column.stands_out:
            return True
        if column.constant or column.noise is None:
            return False
        pairs = zip(self.components, column.correlations, strict=True)
        r = max((abs(r) for j, r in pairs if j in self._told), default=0.0)
        share = LEVEL / (self.varying * len(self.components))
        least = NormalDist().inv_cdf(1 - share / 2) / max(self.all_rows - 3, 1) ** 0.5
        return r >= LARGE and float(np.arctanh(min(r, LARGEST))) > least

    @cached_property
    def _told(self) -> set[int]:
        """Components in which some column is told from noise."""
        return {j for c in self.judged for j in c.beyond}

    @property
    def is_sampled(self) -> bool:
        """Whether only some of the rows were looked at."""
        return self.rows < self.all_rows

    @property
    def compared(self) -> int:
        """How many columns, the strongest ones, were compared with noise."""
        return len(self.judged)

    @cached_property
    def judged(self) -> tuple[ColumnInfluence, ...]:
        """The columns that were compared with noise."""
        return tuple(c for c in self.columns if c.noise is not None)

    @cached_property
    def nearest(self) -> ColumnInfluence:
        """The column of the largest correlation with any of the components."""
        return max(self.columns, key=lambda c: max(map(abs, c.correlations)))

    @cached_property
    def varying(self) -> int:
        return sum(not column.constant for column in self.columns)

    @property
    def moves(self) -> bool:
        """Whether any column moves these components at all."""
        return any(column.strength > 0 for column in self.columns)


@dataclass(frozen=True, eq=False)
class MeasuredColumns:
    """The influence of the columns on some components, before they are ranked."""

    result: AnalysisResult
    components: tuple[int, ...]
    units: Units
    influence: Influence
    spreads: Array
    """Standard deviations of the columns as the kernel sees them, (d,)."""

    @property
    def constant(self) -> Array:
        """Which columns have one value only, (d,)."""
        return np.asarray(self.result.dataset.extents == 0)

    def of_components(self, components: Sequence[int]) -> "MeasuredColumns":
        """Return the same of some of these components."""
        places = [self.components.index(component) for component in components]
        found = self.influence
        parts = {
            name: getattr(found, name)[places]
            for name in ("rms", "mean", "rising", "falling", "correlations")
        }
        return replace(
            self, components=tuple(components), influence=replace(found, **parts)
        )

    def nearest(self, component: int) -> tuple[int, str, float]:
        """Return a component with the column of the largest correlation, and that."""
        assert self.influence.correlations is not None
        related = self.influence.correlations[self.components.index(component)]
        column = int(np.abs(related).argmax())
        name = self.result.dataset.feature_names[column]
        return component, name, float(related[column])

    def evidence(self, column: int) -> Array:
        """Return what is compared with noise: influence and |correlation|, (2, k).

        Influence is by a unit that the kernel sees.
        """
        assert self.units != "original"
        step = self.spreads[column] if self.units == "spread" else 1.0
        found = self.influence
        assert found.correlations is not None
        rms = found.rms[:, column] / step if step else found.rms[:, column]
        return np.stack((rms, np.abs(found.correlations[:, column])))

    def ranked(
        self,
        component: int | None = None,
        null: NullInfluence | None = None,
        most: int | None = None,
    ) -> RankedColumns:
        """Rank the columns by one component, or by all of them together.

        Parameters
        ----------
        component : int or None
            One of `components`; None for the picture.
        null : NullInfluence, optional
            Of the same components, as `Comparison` gives it.
        most : int, optional
            So many of the strongest columns, instead of all.
        """
        found, d = self.influence, self.influence.rms.shape[1]
        if component is None and len(self.components) == 1:
            component = self.components[0]
        if component is None:
            strength, shares = found.together, found.shares_together
            direction, agreement, steadiness = np.zeros((3, d))
        else:
            place = self.components.index(component)
            strength, shares = found.rms[place], found.shares[place]
            direction, agreement = found.directions[place], found.agreement[place]
            steadiness = found.steadiness[place]
        constant = self.constant
        asked = self.components if component is None else (component,)
        noise = self._noise(asked, null, strength)
        order = np.lexsort((-strength, constant))[:most]
        assert found.correlations is not None
        related = found.correlations[[self.components.index(j) for j in asked]].T
        names = self.result.dataset.feature_names
        # As lists: a table may have tens of thousands of columns.
        numbers = (strength, shares, direction.astype(int), agreement, steadiness)
        rows = zip(
            order.tolist(),
            *(each[order].tolist() for each in (*numbers, constant)),
            map(tuple, related[order].tolist()),
            strict=True,
        )
        columns = tuple(
            ColumnInfluence(f, names[f], *values, **noise.get(f, {}))
            for f, *values in rows
        )
        return RankedColumns(
            columns,
            asked,
            self.units,
            found.rows,
            self.result.dataset.n,
            found.has_kinks,
            0 if null is None else null.rows,
            are_related=null is not None and null.are_related,
        )

    def _noise(
        self, asked: Sequence[int], null: NullInfluence | None, strength: Array
    ) -> dict[int, dict[str, Any]]:
        """Return what is known of noise, by column: fields of `ColumnInfluence`."""
        # A column in its own units has no common measure with noise of another.
        if null is None or self.units == "original":
            return {}
        places = [self.components.index(j) for j in asked]
        varying = int((~self.constant).sum())
        found = {}
        for f, drawn in zip(null.columns.tolist(), null.draws, strict=True):
            evidence, draws = self.evidence(f)[:, places], drawn[:, :, places]
            if not is_known(evidence, draws):
                continue
            step = self.spreads[f] if self.units == "spread" else 1.0
            bands = step * together(draws[:, 0])
            beyond = is_beyond(evidence, draws, varying) & ~self.constant[f]
            found[f] = {
                "noise": float(bands.max()),
                "draws": len(draws),
                "above": int((bands >= strength[f]).sum()),
                "random_correlations": tuple(draws[:, 1].max(axis=0).tolist()),
                "beyond": tuple(np.array(asked)[beyond].tolist()),
                "deviations": float(deviations(evidence, draws).max()),
            }
        return found


def measure_columns(
    result: AnalysisResult,
    components: Sequence[int] | None = None,
    *,
    units: Units = "scaled",
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> MeasuredColumns:
    """Measure how much every column moves some components of a result.

    Parameters
    ----------
    result : AnalysisResult
    components : sequence of int, optional
        Which ones, from 0; those that the embedding shows if not given.
    units : {"scaled", "spread", "original"}
        By what a column grows; see `Units`.

    Raises
    ------
    DataError, KernelError
        Where there are no columns, no gradient, or nothing varies.
    Cancelled
    """
    function = score_function(result, components)
    rows = _looked_at(result, function)
    X = result.points.dense()[rows]
    original = result.dataset.points

    steps = spreads(result)

    def in_original_units(part: slice, gradient: Array) -> Array:
        return result.scaler.unscaled_gradient(original[rows[part]], gradient)

    def by_spread(part: slice, gradient: Array) -> Array:
        return gradient * steps

    changes = {"original": in_original_units, "spread": by_spread}
    found = measure(
        function,
        X,
        change=changes.get(units),
        should_stop=should_stop,
        progress=progress,
    )
    shown = asked_for(result, components)
    related = correlations(result.points.dense(), result.scores[:, list(shown)])
    found = replace(found, correlations=related)
    return MeasuredColumns(result, shown, units, found, steps)


def asked_for(
    result: AnalysisResult, components: Sequence[int] | None
) -> tuple[int, ...]:
    """Return which components are meant; those that are shown for None."""
    if components is None:
        return tuple(result.settings.view.judged_axes(result.scores.shape[1]))
    return tuple(components)


def score_function(
    result: AnalysisResult, components: Sequence[int] | None
) -> ScoreFunction:
    """Return scores of a result as functions of a scaled row.

    Raises
    ------
    DataError, KernelError
        Where there are no columns, no gradient, or nothing varies.
    """
    kernel = refuse_without_columns(result)
    known = kernel.prepare_training(
        result.points, center=result.settings.analysis.center
    )
    return ScoreFunction.of(
        result.decomposition, kernel, known, asked_for(result, components)
    )


def spreads(result: AnalysisResult) -> Array:
    """Return the standard deviations of the columns as the kernel sees them, (d,)."""
    return np.asarray(result.points.dense().std(axis=0), dtype=np.float64)


def _looked_at(result: AnalysisResult, function: ScoreFunction) -> Array:
    """Return the rows at which the gradient is measured: all, or a fixed sample."""
    each = len(function.anchors) * (result.dataset.d + 1) * function.weights.shape[1]
    return sample_rows(result.dataset.n, max(FEWEST_ROWS, MOST_TERMS // each))


def refuse_without_columns(result: AnalysisResult) -> Kernel:
    """Return the kernel of a result whose components can be told by columns.

    Raises
    ------
    DataError
        For a matrix that is given, and where nothing varies.
    KernelError
        For a kernel without gradient.
    """
    if result.kernel is None:
        what = "distances" if result.dataset.kind == "distances" else "kernel values"
        raise DataError(
            f"The data are a matrix of {what}, which has no columns that could move a "
            "component; open the table that it was made of."
        )
    if result.dataset.n == 1:
        raise DataError(
            "There is one row only, and with it no component that a column could move; "
            "open two or more."
        )
    require_gradient(result.kernel)
    return result.kernel


def why_no_columns(result: AnalysisResult) -> str:
    """Return the sentence why nothing is said about columns; empty if something is."""
    try:
        refuse_without_columns(result)
    except (DataError, KernelError) as error:
        return str(error)
    return ""
