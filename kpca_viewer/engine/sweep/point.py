"""SweepPoint and SweepResult, and which point is best, if one stands out at all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kpca_viewer.core.orientation import (
    Configuration,
    along,
    is_same,
    oriented,
    signs_towards,
)
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.measures import MEASURES, Better
from kpca_viewer.engine.sweep.parameters import Value
from kpca_viewer.engine.sweep.scoring import Yardstick, meter
from kpca_viewer.engine.sweep.settings import SweepSettings, cell_text
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.html import html_table

if TYPE_CHECKING:
    import pandas

Why = Literal["", "flat", "edge", "open", "chance"]

ALIKE = 1e-3
"""Relative difference that is none, for a measure without an error band."""


def best_index(
    values: Sequence[float | None], better: Better, *, in_line: bool = True
) -> int | None:
    """Return the position of the best value; of a plateau, its middle.

    Accuracies of a few hundred rows are often equal over a range. Its middle is the
    choice that a slightly different sample would not overturn. Values that are not
    ``in_line`` (those of a grid) have no plateau; the first of the best is taken.
    """
    known = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    if better == "neither" or not np.isfinite(known).any():
        return None
    if better == "low":
        known = -known
    top = float(np.nanmax(known))
    if not in_line:
        return int(np.nanargmax(known))
    alike = np.isfinite(known) & (known >= top - ALIKE * max(abs(top), 1e-300))
    best, length = int(np.nanargmax(known)), 0
    start = 0
    for stop in range(len(alike) + 1):
        if stop < len(alike) and alike[stop]:
            continue
        run = known[start:stop]
        if len(run) > length and run.max() >= top:
            best, length = (start + stop - 1) // 2, len(run)
        start = stop + 1
    return best


def find_best(
    values: Array,
    widths: Array,
    better: Better,
    ordered: tuple[bool, bool] = (True, True),
    floor: float | None = None,
) -> tuple[int | None, Why]:
    """Return the best value of a grid, if it is clearly better than what is around it.

    Along a parameter the curve has to leave the error band of the best on either side:
    where it does so on one side only, the best may well lie beyond the range. Kernels
    have no order; the best has to be clear of all others.

    ``values``, ``widths`` (rows, columns): NaN where there is none; half of the error
    band; ``ordered``: whether rows and columns have an order; ``floor``: what guessing
    gives; Returns: in the flattened grid; None with the reason.
    """
    in_line = len(values) == 1 and ordered[1]
    place = best_index(values.ravel().tolist(), better, in_line=in_line)
    if place is None or values.size < 2:
        return None, ""
    sign = -1.0 if better == "low" else 1.0
    at = np.unravel_index(place, values.shape)
    # Of a plateau the middle is marked, but its highest value is what there is to beat.
    top = float(np.nanmax(sign * values))
    width = max(float(np.nan_to_num(widths[at])), ALIKE * abs(top))
    if floor is not None and top - width <= floor:
        return None, "chance"
    for axis, has_order in enumerate(ordered):
        if values.shape[axis] < 2:
            continue
        line = sign * (values[:, at[1]] if axis == 0 else values[at[0], :])
        below = line < top - width
        before, after = below[: at[axis]], below[at[axis] + 1 :]
        if not has_order:
            known = np.isfinite(line)
            known[at[axis]] = False
            if not below[known].all():
                return None, "flat"
        elif not (before.any() and after.any()):
            if not (before.any() or after.any()):
                return None, "flat"
            return None, "edge" if at[axis] in (0, len(line) - 1) else "open"
    return int(place), ""


@dataclass(frozen=True, eq=False)
class SweepPoint:
    """One value of a sweep and its picture."""

    index: int
    """Place in `SweepSettings.cells`."""
    values: tuple[Value, ...]
    """Of the one or two parameters."""
    settings: SessionSettings
    """What adopting this point sets."""
    rows: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False)
    """Shape (m,). Rows of the data in the thumbnail, at most 2,000."""
    thumbnail: Array = field(
        default_factory=lambda: np.empty((0, 2), dtype=np.float32), repr=False
    )
    """Shape (m, 2). Their coordinates on the shown axes, float32, oriented along the
    sweep."""
    signs: Array = field(default_factory=lambda: np.ones(3), repr=False)
    """Shape (3,). −1 for an axis of the view that the film shows the other way round
    than the picture at rest, which has the signs of the rule and those flipped by
    hand."""
    labels: Array | None = field(default=None, repr=False)
    """Shape (m,). Their classes."""
    film: Array | None = field(default=None, repr=False)
    """Shape (n, 3). All rows on the three axes of the view, float32; None for large
    data."""
    eigenvalues: Array = field(default_factory=lambda: np.empty(0), repr=False)
    """Shape (k,)."""
    bounds: Array = field(default_factory=lambda: np.empty((0, 2)), repr=False)
    """Shape (k, 2)."""
    shares: Array = field(default_factory=lambda: np.empty(0), repr=False)
    """Shape (k,)."""
    measures: Mapping[str, float | None] = field(default_factory=dict, repr=False)
    """By the keys of `MEASURES`; None where one is not defined."""
    yardstick: Yardstick = field(default_factory=Yardstick, repr=False)
    """What the scores among the measures are of, and what they are held against."""
    is_measured: bool = True
    """Whether all measures are there; the slower ones come after the picture."""
    n: int = 0
    """Rows of the data."""
    solver: str = ""
    seconds: float = 0.0
    error: str = ""
    """Why there is no picture; empty if there is one."""
    applies: bool = True
    """Whether there could be one: a kernel without the parameter has none."""

    @property
    def failed(self) -> bool:
        return self.applies and bool(self.error)

    def oriented(self, signs: Array) -> "SweepPoint":
        """Return the point with those of its axes (3,) flipped that are −1."""
        if self.error or is_same(signs):
            return self
        film = None if self.film is None else oriented(self.film, signs)
        return replace(
            self,
            thumbnail=oriented(self.thumbnail, signs[:2]),
            film=film,
            signs=self.signs * signs,
        )

    @property
    def flipped(self) -> dict[int, bool]:
        """Whether each component on the axes is to be flipped, to look as it does."""
        view = self.settings.view
        turned = (self.signs < 0).tolist()
        return {
            axis: (axis in view.flipped) != turn
            for axis, turn in zip(view.axes, turned, strict=True)
        }

    def signs_towards(self, result: AnalysisResult | None) -> Array:
        """Return ±1 for every axis (3,), −1 where it is not as on the board.

        A film as a whole is free to be either way round; it is as the board is.
        """
        signs = np.ones(3)
        if self.error or result is None or self.n != result.dataset.n:
            return signs
        coordinates, rows = self.thumbnail, self.rows
        if self.film is not None:
            coordinates, rows = self.film, np.arange(self.n)
        axes = self.settings.view.axes[: coordinates.shape[1]]
        for place, axis in enumerate(axes):
            if axis < result.scores.shape[1]:
                theirs = result.scores[rows, axis : axis + 1]
                ours = coordinates[:, place : place + 1]
                signs[place] = signs_towards(ours, theirs)[0]
        return signs

    @property
    def value(self) -> Value:
        return self.values[0]

    @property
    def meter(self) -> str:
        """Where the picture stands between linear PCA and isolated points."""
        rank = self.measures.get("effective_rank") or 0.0
        return meter(rank, self.n, self.measures.get("linear_agreement"))


@dataclass(frozen=True, eq=False)
class SweepResult:
    """A whole sweep."""

    sweep: SweepSettings
    base: SessionSettings
    """What all points share."""
    points: tuple[SweepPoint, ...]
    """In the order of `SweepSettings.cells`."""

    def __repr__(self) -> str:
        first, last = (self.text(self.points[end]) for end in (0, -1))
        return f"<SweepResult of {len(self.points)} values: {first} … {last}>"

    def _repr_html_(self) -> str:
        titles, rows = self._table()
        return html_table(titles, rows)

    def frame(self) -> "pandas.DataFrame":
        """Return a data frame: a row a value, its measures as columns."""
        import pandas as pd

        titles, rows = self._table()
        return pd.DataFrame(rows, columns=titles)

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        parameters = [axis.parameter for axis in self.sweep.axes]
        known = [k for k in MEASURES if any(p.measures.get(k) for p in self.points)]
        rows = [[*p.values, *map(p.measures.get, known)] for p in self.points]
        return [*parameters, *known], rows

    def best(self, measure: str) -> SweepPoint | None:
        return best_of(self.sweep, self.points, measure)[0]

    def why_no_best(self, measure: str) -> Why:
        return best_of(self.sweep, self.points, measure)[1]

    def curve(self, measure: str) -> Array:
        return np.array([_number(p.measures.get(measure)) for p in self.points])

    def row(self, row: int) -> "SweepResult":
        points = tuple(p for p in self.points if self.sweep.cell(p.index)[1] == row)
        return replace(self, points=points)

    def text(self, point: SweepPoint) -> str:
        return cell_text(self.sweep, point.values)


def ranked(points: Iterable[SweepPoint], measure: str) -> list[SweepPoint]:
    """Return points with the best first; those without the measure come last."""
    sign = 1 if MEASURES[measure].better == "low" else -1

    def rank(point: SweepPoint) -> tuple[bool, float]:
        value = point.measures.get(measure)
        return value is None, 0.0 if value is None else sign * value

    return sorted(points, key=rank)


def oriented_along(
    points: Sequence[SweepPoint], columns: int, anchor: int | None = None
) -> tuple[SweepPoint, ...]:
    """Orient points computed apart by their thumbnails; the one at ``anchor`` stays."""
    pictures = {
        point.index: Configuration.of(
            point.thumbnail, *_shown_spectrum(point), point.labels
        )
        for point in points
        if not point.error
    }
    orientations = along(pictures, columns, anchor)
    return tuple(
        replace(point, thumbnail=oriented(point.thumbnail, orientations[point.index]))
        if point.index in orientations
        else point
        for point in points
    )


def _shown_spectrum(point: SweepPoint) -> tuple[Array, Array]:
    """Return eigenvalues (2,) and bounds (2, 2) of the two axes of a thumbnail."""
    values, bounds = np.zeros(2), np.zeros((2, 2))
    for position, axis in enumerate(point.settings.view.axes[:2]):
        if axis < len(point.eigenvalues):
            values[position] = point.eigenvalues[axis]
            bounds[position] = point.bounds[axis]
    return values, bounds


BAND = 2.0
"""Standard errors on either side of a curve: 95 of 100 samples would lie within."""


def best_of(
    sweep: SweepSettings, points: Sequence[SweepPoint], measure: str
) -> tuple[SweepPoint | None, Why]:
    """Return the point that stands out among some of a sweep, or why none does."""
    there = [point for point in points if not point.error]
    # Without its error band, which comes after the pictures, nothing stands out.
    if not there or not all(point.is_measured for point in there):
        return None, ""
    columns, rows = zip(*(sweep.cell(point.index) for point in there), strict=True)
    places = np.array(rows) - min(rows), np.array(columns) - min(columns)
    shape = tuple(int(place.max()) + 1 for place in places)
    grid = {name: np.full(shape, np.nan) for name in ("value", "width")}
    grid["value"][places] = [_number(p.measures.get(measure)) for p in there]
    grid["width"][places] = [BAND * p.yardstick.errors.get(measure, 0.0) for p in there]
    ordered = tuple(not axis.is_of_kernels for axis in (*sweep.axes, sweep.axes[0]))
    chances = [p.yardstick.chance for p in there if p.yardstick.chance is not None]
    guessing = MEASURES[measure].is_accuracy and chances
    place, why = find_best(
        grid["value"],
        grid["width"],
        MEASURES[measure].better,
        (ordered[1], ordered[0]),
        max(chances) if guessing else None,
    )
    if place is None:
        return None, why
    row, column = divmod(place, shape[1])
    index = (row + min(rows)) * sweep.shape[0] + column + min(columns)
    return next(point for point in there if point.index == index), ""


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def with_point(
    point: SweepPoint, sweep: SweepSettings, settings: SessionSettings
) -> SessionSettings:
    """Return the settings in which a point is what one looks at.

    Everything that was chosen since stays, but for another kernel: a value of one
    means nothing to another, and what was seen is wanted. So are its signs.
    """
    if settings.kernel.family != point.settings.kernel.family:
        settings = replace(settings, kernel=point.settings.kernel)
    turned = point.flipped
    flipped = {j for j in settings.view.flipped if j not in turned}
    flipped |= {axis for axis, turn in turned.items() if turn}
    view = replace(settings.view, flipped=tuple(sorted(flipped)))
    return sweep.apply(replace(settings, view=view), point.index)
