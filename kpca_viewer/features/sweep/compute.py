"""The points of a sweep as views read them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult, Why, best_of
from kpca_viewer.engine.sweep.settings import SweepSettings, cell_text


class SweepPoints:
    """The points of a sweep as they come.

    One row of a grid at a time is looked at, by position from left to right.
    """

    def __init__(self, sweep: SweepSettings) -> None:
        self.sweep = sweep
        self.row = 0
        self.version = 0
        self._points: dict[int, SweepPoint] = {}

    @classmethod
    def of(cls, result: SweepResult) -> "SweepPoints":
        found = cls(result.sweep)
        for point in result.points:
            found.put(point)
        return found

    @property
    def count(self) -> int:
        return self.sweep.shape[0]

    @property
    def total(self) -> int:
        return len(self.sweep.cells())

    @property
    def done(self) -> int:
        return len(self._points)

    def put(self, point: SweepPoint) -> None:
        self._points[point.index] = point
        self.version += 1

    def at(self, position: int) -> SweepPoint | None:
        if not 0 <= position < self.count:
            return None
        return self._points.get(self.row * self.count + position)

    def shown(self) -> list[SweepPoint | None]:
        return [self.at(position) for position in range(self.count)]

    def is_empty(self, row: int) -> bool:
        """Whether no point of a row can have a picture: its kernel has no γ, say."""
        first = row * self.count
        there = (self._points.get(index) for index in range(first, first + self.count))
        return not any(point is None or point.applies for point in there)

    def all(self) -> tuple[SweepPoint, ...]:
        return tuple(self._points[index] for index in sorted(self._points))

    def place_of(self, point: SweepPoint) -> tuple[int, int]:
        return self.sweep.cell(point.index)

    def text(self, point: SweepPoint) -> str:
        return cell_text(self.sweep, point.values)

    def curve(self, measure: str) -> NDArray[np.float64]:
        values = np.full(self.count, np.nan)
        for position in range(self.count):
            point = self.at(position)
            value = None if point is None else point.measures.get(measure)
            if value is not None:
                values[position] = value
        return values

    def best(self, measure: str) -> int | None:
        """Return the best position of the row by a measure, if one stands out."""
        found = self._best_of_row(measure)[0]
        return None if found is None else self.place_of(found)[0]

    def why_no_best(self, measure: str) -> Why:
        """Return why no position of the row stands out; empty if one does."""
        return self._best_of_row(measure)[1]

    def _best_of_row(self, measure: str) -> tuple[SweepPoint | None, Why]:
        there = [point for point in self.shown() if point is not None]
        return best_of(self.sweep, there, measure)

    def best_row(self, measure: str) -> int | None:
        found = best_of(self.sweep, self.all(), measure)[0]
        return None if found is None else self.place_of(found)[1]

    def extreme(self, measure: str) -> list[int]:
        """Return the positions of the row with the highest, or lowest, value."""
        values = self.curve(measure)
        if not np.isfinite(values).any():
            return []
        find = np.nanmin if MEASURES[measure].better == "low" else np.nanmax
        return [int(place) for place in np.flatnonzero(values == find(values))]

    def beyond(self, position: int, by: int) -> SweepPoint | None:
        """Return the next point in a direction (±1) that has a picture."""
        while 0 <= (position := position + by) < self.count:
            point = self.at(position)
            if point is not None and not point.error:
                return point
        return None

    def nearest(self, position: float) -> SweepPoint | None:
        """Return the point that is there nearest to a position, failed ones aside."""
        there = [
            point
            for place in range(self.count)
            if (point := self.at(place)) is not None and not point.error
        ]
        return min(
            there, key=lambda p: abs(self.place_of(p)[0] - position), default=None
        )

    def between(self, position: float) -> SweepPoint | None:
        """Return the picture at a place between two values.

        Both neighbours are in step, so that half-way between their coordinates is a
        picture half-way between them.
        """
        low = int(np.floor(position))
        a, b = self.at(low), self.at(low + 1)
        if a is None or b is None or a.error or b.error or position == low:
            return self.nearest(position)
        if a.thumbnail.shape != b.thumbnail.shape:
            return self.nearest(position)
        share = position - low
        film = None
        if a.film is not None and b.film is not None and a.film.shape == b.film.shape:
            film = a.film + np.float32(share) * (b.film - a.film)
        nearer = a if share < 0.5 else b
        return replace(
            nearer,
            thumbnail=a.thumbnail + np.float32(share) * (b.thumbnail - a.thumbnail),
            film=film,
        )
