"""The simplest setting within one standard error of the best, and all lines in order.

Simple means: linear before curved, a kernel that is always definite before one that is
not, then fewer components, then a smoother kernel.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.choice.lines import simplicity
from kpca_viewer.core.choice.results import Line, Row, Tried


@dataclass(frozen=True, eq=False)
class Peak:
    """The highest score among some settings."""

    tried: Tried
    score: float
    error: float

    @property
    def floor(self) -> float:
        """What is within one standard error of it."""
        return self.score - self.error


def peak(tried: Iterable[Tried]) -> Peak | None:
    """Return the highest score of all; of equal ones, that of the smoothest kernel."""
    found: Peak | None = None
    for one in sorted(tried, key=lambda one: simplicity(one.line, one.value)):
        if not len(one.scores):
            continue
        k = int(np.argmax(one.scores))
        if found is None or one.scores[k] > found.score:
            found = Peak(one, float(one.scores[k]), float(one.errors[k]))
    return found


def by_line(tried: Iterable[Tried]) -> dict[Line, tuple[Tried, ...]]:
    """Return the settings of every line, in ascending order of their values."""
    found: dict[Line, list[Tried]] = {}
    for one in tried:
        found.setdefault(one.line, []).append(one)
    return {
        line: tuple(sorted(those, key=lambda one: one.value or 0.0))
        for line, those in found.items()
    }


def clearly_worse(one: Peak, best: Peak) -> bool:
    """Whether a line ends below the best by more than one standard error of either."""
    return one.score + one.error < best.floor


def ranked(tried: Sequence[Tried], refined: Iterable[Line] = ()) -> tuple[Row, ...]:
    """Return a row for every line that has a score, the one to take first.

    Parameters
    ----------
    refined : iterable of Line
        Those of which values around the best were tried.
    """
    best = peak(tried)
    if best is None:
        return ()
    finer = set(refined)
    enough: list[Row] = []
    others: list[Row] = []
    for line, those in by_line(tried).items():
        own = peak(those)
        if own is None:
            continue
        is_enough = own.score >= best.floor
        row = _simplest(those, best.floor if is_enough else own.floor, line in finer)
        (enough if is_enough else others).append(row)
    enough.sort(key=_plainness)
    others.sort(key=lambda row: -row.score)
    return (*enough, *others)


def _plainness(row: Row) -> tuple[bool, bool, int, float]:
    """Return what rows that are as good as the best are put in order by."""
    return not row.line.is_linear, not row.kernel.psd, row.components, -row.score


def _simplest(tried: tuple[Tried, ...], least: float, refined: bool) -> Row:
    """Return the simplest setting of a line that scores as much."""
    components, _, place = min(
        (k, simplicity(one.line, one.value), place)
        for place, one in enumerate(tried)
        for k in (np.flatnonzero(one.scores >= least) + 1).tolist()
    )
    one = tried[place]
    return Row(
        one.line,
        one.value,
        components,
        float(one.scores[components - 1]),
        float(one.errors[components - 1]),
        one.real,
        one.stability,
        seconds=one.seconds,
        tried=tried,
        refined=refined,
    )


def place_of_best(rows: Sequence[Row], best: Peak | None) -> int:
    """Return the place of the row whose line has the highest score."""
    if best is None:
        return 0
    return next(i for i, row in enumerate(rows) if row.line == best.tried.line)
