"""What the spectrum shows of a result: bars and their scale."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.bootstrap import Z95
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.core.spectrum import (
    components_for,
    explained_variance_ratio,
    fewest_components,
)
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.spectrum import text
from kpca_viewer.support.numerals import (
    raised,
    readable,
    small_percent,
    tick_labels,
)
from kpca_viewer.widgets.plots.frame import Floats, Range, nice_ticks

LIMIT = 60
"""Bars that are shown, unless more components are kept."""

MARK = 0.95
"""The cumulative share that is marked."""

_TAIL = 15
_NOISE = 1e-12
_DECADES = 12


@dataclass(frozen=True, eq=False)
class SpectrumBars:
    """The bars of one result, largest eigenvalue first."""

    components: NDArray[np.intp]
    """Shape (b,). Number of the component behind each bar, from 0."""
    slots: NDArray[np.intp]
    """Shape (b,). Place of each bar along the axis, from 1. Negative eigenvalues at the
    far end of a long spectrum stand behind one empty place."""
    values: Floats
    shares: Floats
    """Shape (b,). Eigenvalues μ, and their shares of the total."""
    cumulative: Floats
    """Shape (b,). Share of all components up to this one; NaN from the first negative
    one on, and if there is nothing to share."""
    bounds: Floats
    """Shape (b, 2). Lower and upper end of the shares; NaN where nothing is known."""
    angles: Floats
    """Shape (b,). Bound on the angle of the direction in radians; NaN where there is no
    direction."""
    on_axes: NDArray[np.bool_]
    """Shape (b,). Whether the component is on an axis of the embedding."""
    kept: int
    """Number of components that were computed."""
    head: int
    """Number of bars before the gap."""
    last_cut: int
    """The largest number of components that the axis has room for."""
    unit: float
    """The eigenvalue that a share of one would have; infinite if all are zero."""
    known: int
    total: int
    """Number of eigenvalues that are known, and that there are."""
    mark: int | None
    """The component with which the cumulative share reaches `MARK`."""
    mark_texts: tuple[str, ...]
    """What is said about it, with less and less room."""
    tells_negative: bool = False
    """Whether that names the negative share."""
    about: str = ""
    """What stands before a share: "≈ " where the total is an estimate."""
    moves: Floats | None = None
    """Shape (b, 2). Ends of the shares that 95 % of rows drawn anew would have; NaN
    where they were not measured, None where they were not requested."""

    @classmethod
    def of(cls, result: AnalysisResult, view: ViewSettings) -> "SpectrumBars":
        """Choose what to show of a result."""
        decomposition, every = result.decomposition, result.full_fit
        n = result.dataset.n if every is None else every.n
        kept = len(decomposition.eigenvalues)
        values = np.concatenate(
            [decomposition.eigenvalues, decomposition.spectrum[kept:]]
        ).astype(np.float64)
        values[np.abs(values) <= _NOISE * np.abs(values).max(initial=0.0)] = 0.0
        ratios = np.zeros_like(values)
        if decomposition.has_variance:
            ratios = explained_variance_ratio(values, decomposition.trace, result.mass)
        room = min(n, kept + max(3, kept // 3))
        head, tail = _head_and_tail(values, room)
        components = np.concatenate(
            [np.arange(head), np.arange(len(values) - tail, len(values))]
        )
        slots = np.where(components < head, 1, 2 + head - len(values) + tail)
        bounds = np.full((len(values), 2), np.nan)
        peak = int(np.argmax(np.abs(values)))
        unit = float(values[peak] / ratios[peak]) if ratios[peak] else np.inf
        bounds[:kept] = decomposition.bounds / unit
        angles = np.full(len(values), np.nan)
        live = positive_part(decomposition) > 0
        angles[:kept] = np.where(live, decomposition.angle_bounds, np.nan)
        cumulative = np.cumsum(ratios)
        cumulative[(values < 0) | ~np.any(ratios)] = np.nan
        axes = view.axes if view.embedding_3d else view.axes[:2]
        mark = components_for(MARK, np.maximum(ratios, 0.0))
        fewest = _fewest(decomposition, ratios, unit)
        tells_negative = False
        if mark is not None:
            texts = text.mark_reached(mark, at_most=fewest != mark)
        elif not np.any(values):
            texts = (text.ALL_ZERO,)
        elif not decomposition.has_variance:
            texts = (text.ROUNDING_ALONE,)
        elif decomposition.complete or result.mass.low > 1 - MARK:
            about = "≈ " if result.mass.estimated else ""
            texts = text.mark_never(about + small_percent(result.mass.share))
            tells_negative = True
        else:
            texts = text.mark_beyond(fewest - 1)
        return cls(
            components=components.astype(np.intp),
            slots=components + slots,
            values=values[components],
            shares=ratios[components],
            cumulative=cumulative[components],
            bounds=bounds[components],
            angles=angles[components],
            on_axes=np.isin(components, [a for a in axes if a < kept]),
            kept=kept,
            head=head,
            last_cut=head if tail else max(head, room),
            unit=unit,
            known=len(values),
            total=n,
            mark=None if mark is None else mark - 1,
            mark_texts=texts,
            tells_negative=tells_negative,
            about=result.mass.mark,
            moves=_moves(result, ratios)[components] if result.get(MOVES) else None,
        )

    def of_film(self, point: SweepPoint) -> "SpectrumBars":
        """Return the bars of a value of a sweep, which knows its components only."""
        k = min(len(point.shares), self.head)
        shares = np.asarray(point.shares[:k], dtype=np.float64)
        return replace(
            self,
            components=self.components[:k],
            slots=self.slots[:k],
            values=np.asarray(point.eigenvalues[:k], dtype=np.float64),
            shares=shares,
            cumulative=np.cumsum(shares),
            bounds=np.full((k, 2), np.nan),
            angles=np.full(k, np.nan),
            on_axes=self.on_axes[:k],
            head=k,
            mark=None,
            mark_texts=("",),
            moves=None,
        )

    @property
    def last_slot(self) -> int:
        return max(int(self.slots[-1]), self.last_cut)

    @property
    def mark_text(self) -> str:
        return self.mark_texts[0]

    def bar_at(self, slot: int) -> int | None:
        """Return the bar at a place along the axis."""
        found = np.flatnonzero(self.slots == slot)
        return int(found[0]) if found.size else None


@dataclass(frozen=True)
class Scale:
    """Heights of shares above (or, if negative, below) the zero line."""

    floor: float
    """The share at height zero of a logarithmic scale, whose unit is a decade; 0 for a
    linear one, whose unit is one per cent."""
    low: float
    high: float
    """Heights at the ends of the axis."""

    @classmethod
    def of(cls, bars: SpectrumBars, *, logarithmic: bool) -> "Scale":
        """Choose a scale that shows every bar."""
        sizes = np.abs(bars.shares)
        largest = float(sizes.max(initial=0.0))
        if largest == 0:
            return cls(0.0, 0.0, 1.0)
        floor = 0.0
        if logarithmic:
            least = max(float(sizes[sizes > 0].min()), largest * 10.0**-_DECADES)
            # At least one decade, and a whole one below the smallest bar.
            least = min(least, largest / 10)
            floor = 10.0 ** math.floor(math.log10(least) - 1e-9)
        heights = cls(floor, 0.0, 1.0).heights(bars.shares)
        low, high = float(heights.min()), float(heights.max())
        # A bound far above its bar is cut off rather than flattening every bar.
        ends = bars.bounds[:, 1]
        if bars.moves is not None:
            ends = np.fmax(ends, bars.moves[:, 1])
        upper = cls(floor, 0.0, 1.0).heights(ends)
        upper = upper[np.isfinite(upper) & (upper <= 1.3 * high)]
        high = max(high, float(upper.max(initial=high)))
        extent = max(high, 0.0) - min(low, 0.0)
        # Without a positive bar the zero line still needs something above it.
        high = max(1.05 * high, 0.15 * extent)
        return cls(floor, 1.1 * min(low, 0.0), high)

    def heights(self, shares: Floats) -> Floats:
        """Return the heights of shares, in per cent or in decades above the floor."""
        if self.floor == 0:
            return 100.0 * shares
        with np.errstate(divide="ignore", invalid="ignore"):
            decades = np.log10(np.abs(shares) / self.floor)
        heights: Floats = np.sign(shares) * np.maximum(decades, 0.0)
        return np.where(shares == 0, 0.0, heights)

    @property
    def range(self) -> Range:
        """The heights at the ends of the axis."""
        return self.low, self.high

    def ticks(self, count: int) -> list[tuple[float, str]]:
        """Return about so many heights along the axis with their texts."""
        if self.floor == 0:
            ticks = nice_ticks(self.low, self.high, count)
            texts = [f"{text} %" for text in tick_labels(ticks)]
            return list(zip(ticks.tolist(), texts, strict=True))
        decades = int(self.high) + int(-self.low)
        step = max(1, math.ceil(decades / count))
        first = 2 + round(math.log10(self.floor))
        result = [(0.0, _power(first))]
        for sign, end in ((1, self.high), (-1, -self.low)):
            result += [
                (float(sign * k), ("−" if sign < 0 else "") + _power(first + k))
                for k in range(step, int(end) + 1, step)
            ]
        return result


def _moves(result: AnalysisResult, ratios: Floats) -> Floats:
    """Return where 95 % of shares (m,) would lie for other rows, (m, 2)."""
    ends = np.full((len(ratios), 2), np.nan)
    moves = result.get(MOVES)
    if moves is not None:
        away = Z95 * moves.errors
        shares = ratios[: len(away)]
        ends[: len(away)] = np.column_stack(
            [np.maximum(shares - away, 0.0), shares + away]
        )
    return ends


def _fewest(
    decomposition: Decomposition, ratios: NDArray[np.float64], unit: float
) -> int:
    """Return how many components 95 % take at least, as far as the bounds tell.

    What low rank leaves of the matrix may belong to any of its eigenvalues.
    """
    each = left = 0.0
    if decomposition.landmark_map is not None:
        upper = decomposition.bounds[:, 1] - decomposition.eigenvalues
        each = float(upper.max(initial=0.0)) / unit
        left = max(1.0 - float(ratios.sum()), 0.0)
    return fewest_components(MARK, np.maximum(ratios, 0.0), each, left)


def _head_and_tail(values: Floats, room: int) -> tuple[int, int]:
    """Return how many bars to show of the beginning and of the end."""
    limit = max(LIMIT, room)
    # Negative eigenvalues must not go unseen behind hundreds of small ones.
    tail = min(int((values < 0).sum()), _TAIL)
    head = max(limit - tail, room)
    if len(values) <= head + tail:
        return len(values), 0
    return head, tail


def _power(exponent: int) -> str:
    """Return ``10 ** exponent`` per cent as text."""
    if -3 <= exponent <= 2:
        return f"{readable(10.0**exponent)} %"
    return f"10{raised(exponent)} %"
