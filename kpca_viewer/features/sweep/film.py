"""The points of a sweep as they come, the player along them, and its clock."""

from dataclasses import replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult, Why, best_of
from kpca_viewer.engine.sweep.settings import SweepSettings, cell_text


class Reel:
    """One row of a sweep at a time, by position from left to right."""

    def __init__(self, sweep: SweepSettings) -> None:
        self.sweep = sweep
        self.row = 0
        self.version = 0
        self._points: dict[int, SweepPoint] = {}

    @classmethod
    def of(cls, result: SweepResult) -> "Reel":
        """Return the reel of a finished sweep."""
        reel = cls(result.sweep)
        for point in result.points:
            reel.put(point)
        return reel

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
        """Take a point, or a newer version of it."""
        self._points[point.index] = point
        self.version += 1

    def at(self, position: int) -> SweepPoint | None:
        """Return the point at a position of the row; None if it is not there."""
        if not 0 <= position < self.count:
            return None
        return self._points.get(self.row * self.count + position)

    def shown(self) -> list[SweepPoint | None]:
        """Return the points of the row, None where one is not there."""
        return [self.at(position) for position in range(self.count)]

    def is_empty(self, row: int) -> bool:
        """Whether no point of a row can have a picture: its kernel has no γ, say."""
        first = row * self.count
        there = (self._points.get(index) for index in range(first, first + self.count))
        return not any(point is None or point.applies for point in there)

    def points(self) -> tuple[SweepPoint, ...]:
        """Return all points that are there, in order."""
        return tuple(self._points[index] for index in sorted(self._points))

    def place_of(self, point: SweepPoint) -> tuple[int, int]:
        """Return the position and the row of a point."""
        return self.sweep.cell(point.index)

    def text(self, point: SweepPoint) -> str:
        """Return the values of a point: "γ = 0.32"."""
        return cell_text(self.sweep, point.values)

    def curve(self, measure: str) -> NDArray[np.float64]:
        """Return a measure along the row, NaN where there is none."""
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
        """Return the row of a grid that holds its best point by a measure."""
        found = best_of(self.sweep, self.points(), measure)[0]
        return None if found is None else self.place_of(found)[1]

    def best_of_others(self, measure: str) -> dict[int, list[str]]:
        """Return positions that are best by another measure, and by which.

        How exactly a picture was computed makes it no better.
        """
        places: dict[int, list[str]] = {}
        for key, described in MEASURES.items():
            told = key != measure and described.about_picture
            place = self.best(key) if told else None
            if place is not None:
                places.setdefault(place, []).append(described.title)
        return places

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


TICK_MS = 33
SPEEDS = (1.0, 2.0, 4.0, 8.0)
"""Values a second."""


class Player(QObject):
    """A position between 0 and the last value, and the time that moves it."""

    moved = Signal(object)
    """The position, a float."""
    running_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._position = 0.0
        self._last = 0
        self._direction = 1
        self._speed = SPEEDS[1]
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    @property
    def position(self) -> float:
        return self._position

    def set_speed(self, values_a_second: float) -> None:
        self._speed = values_a_second

    def set_count(self, count: int) -> None:
        self._last = max(count - 1, 0)
        self._position = min(self._position, float(self._last))

    def set_position(self, position: float) -> None:
        self._position = min(max(position, 0.0), float(self._last))

    def play(self) -> None:
        """Go on from where it is, towards the side with more room."""
        if self._last == 0 or self.running:
            return
        if self._position >= self._last:
            self._direction = -1
        elif self._position <= 0:
            self._direction = 1
        self._clock.start()
        self._timer.start()
        self.running_changed.emit(True)

    def stop(self) -> None:
        """Stay where it is."""
        if self.running:
            self._timer.stop()
            self.running_changed.emit(False)

    def advance(self, seconds: float) -> None:
        """Move on by so much time; at an end, turn round."""
        position = self._position + self._direction * self._speed * seconds
        while not 0 <= position <= self._last:
            # Reflected rather than cut: the speed is the same at the ends.
            if position < 0:
                position, self._direction = -position, 1
            else:
                position, self._direction = 2 * self._last - position, -1
        self._position = position
        self.moved.emit(position)

    @Slot()
    def _on_timeout(self) -> None:
        self.advance(self._clock.restart() / 1000.0)


TOLD_AFTER = 3
"""Seconds that need no explanation."""


class Running(QObject):
    """Knows what is known of a sweep that runs, besides its values."""

    ticked = Signal()
    """A second is over."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.place = ""
        """Where it is computed, in words: "on 2 workers"; empty is here."""
        self.waits = False
        """Whether it stands still, because the picture comes first."""
        self._since = 0.0
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self.ticked)

    def begin(self) -> None:
        """Count from now on, unless it counts."""
        if not self._clock.isActive():
            self.place, self._since = "", monotonic()
            self._clock.start()

    def end(self) -> None:
        self._clock.stop()

    def text(self) -> str:
        """Return what is known now, to stand behind the count of values."""
        return running_text(self.place, int(monotonic() - self._since), self.waits)


def running_text(place: str, seconds: int, waits: bool) -> str:
    """Return where a sweep is computed and for how long: " on 2 workers · 1:20"."""
    where = f" {place}" if place else ""
    if seconds < TOLD_AFTER:
        return where
    if waits:
        return " · waits for the picture"
    return f"{where} · {seconds // 60}:{seconds % 60:02d}"
