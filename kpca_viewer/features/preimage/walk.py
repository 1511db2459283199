"""A walk along one component: what lies on the way through a place."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.features.preimage.finder import FoundPlace, PlaceFinder
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

STOPS = 9
"""Places of a walk that are shown."""

MOST_LINES = 5
"""Columns whose way is drawn: those that move most."""


@dataclass(frozen=True, eq=False)
class Walk:
    """What lies along one component, all others being held.

    Attributes
    ----------
    component : int
    values : ndarray of shape (m,)
        Scores along it.
    places : tuple of FoundPlace
    """

    component: int
    values: Array
    places: tuple[FoundPlace, ...]

    def nearest(self, value: float) -> int:
        """Return which place is nearest to a score."""
        return int(np.argmin(np.abs(self.values - value)))

    @property
    def words(self) -> str:
        """Where the walk leads, and how much of it there is."""
        low, high = (readable(float(v), 3) for v in (self.values[0], self.values[-1]))
        there, count = sum(place.lies_here for place in self.places), len(self.places)
        way = f"PC {self.component + 1} from {low} to {high}, all other components held"
        if there == count:
            return f"{way}: at all {count} places lies what is shown."
        return (
            f"{way}: at {there} of {count} places lies what is shown; dashed are the "
            "nearest that were found."
        )

    def moving_columns(self, finder: PlaceFinder) -> list[tuple[str, Array]]:
        """Return the columns that move most, each with its way (m,).

        In standard deviations around the mean of the column.
        """
        ways = np.array([place.values for place in self.places])
        ways = finder.in_spreads(ways - finder.mean)
        order = np.argsort(-np.ptp(ways, axis=0), kind="stable")[:MOST_LINES]
        names = finder.result.dataset.feature_names
        return [(names[j], ways[:, j]) for j in order]


@dataclass(frozen=True, eq=False)
class WalkRequest:
    """A walk that is to be made."""

    finder: PlaceFinder
    scores: Array
    """Shape (k,). Of the place through which it leads."""
    component: int
    axes: tuple[int, ...]
    """That the embedding shows."""
    stops: int = STOPS


def ends_of(finder: PlaceFinder, component: int) -> tuple[float, float]:
    """Return where the rows end along a component."""
    scores = finder.result.scores[:, component]
    return float(scores.min()), float(scores.max())


def walked(request: WalkRequest, should_stop: ShouldStop = never) -> Walk:
    """Find what lies along a component, from the first row to the last."""
    component = request.component
    values = np.linspace(*ends_of(request.finder, component), request.stops)
    axes = request.axes if component in request.axes else (*request.axes, component)
    places = []
    for value in values:
        check(should_stop)
        scores = request.scores.copy()
        scores[component] = value
        places.append(request.finder.at(scores, axes))
    return Walk(component, values, tuple(places))
