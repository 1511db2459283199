"""SweepPoint and SweepResult: what a sweep gives back, as frozen values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels import FAMILIES
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.sweep_measures import MEASURES, best_index, meter
from kpca_viewer.session.sweep_parameters import Value
from kpca_viewer.session.sweep_settings import SweepSettings, cell_text

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class SweepPoint:
    """One value of a sweep and its picture.

    Attributes
    ----------
    index : int
        Place in `SweepSettings.cells`.
    values : tuple
        Of the one or two parameters.
    settings : SessionSettings
        What adopting this point sets.
    rows : ndarray of shape (m,)
        Rows of the data in the thumbnail, at most 2,000.
    thumbnail : ndarray of shape (m, 2)
        Their coordinates on the shown axes, float32, aligned along the sweep.
    labels : ndarray of shape (m,) or None
        Their classes.
    film : ndarray of shape (n, 3) or None
        All rows on the three axes of the view, float32; None for large data.
    eigenvalues, shares : ndarray of shape (k,)
    bounds : ndarray of shape (k, 2)
    measures : mapping
        By the keys of `MEASURES`; None where one is not defined.
    n : int
        Rows of the data.
    solver : str
    seconds : float
    error : str
        Why there is no picture; empty if there is one.
    applies : bool
        Whether there could be one: a kernel without the parameter has none.
    """

    index: int
    values: tuple[Value, ...]
    settings: SessionSettings
    rows: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False)
    thumbnail: Array = field(
        default_factory=lambda: np.empty((0, 2), dtype=np.float32), repr=False
    )
    labels: Array | None = field(default=None, repr=False)
    film: Array | None = field(default=None, repr=False)
    eigenvalues: Array = field(default_factory=lambda: np.empty(0), repr=False)
    bounds: Array = field(default_factory=lambda: np.empty((0, 2)), repr=False)
    shares: Array = field(default_factory=lambda: np.empty(0), repr=False)
    measures: Mapping[str, float | None] = field(default_factory=dict, repr=False)
    n: int = 0
    solver: str = ""
    seconds: float = 0.0
    error: str = ""
    applies: bool = True

    @property
    def failed(self) -> bool:
        """Whether there should be a picture and is none."""
        return self.applies and bool(self.error)

    def mirrored(self, signs: Array) -> "SweepPoint":
        """Return the point with those of its axes (3,) turned round that are −1."""
        if self.error or (signs > 0).all():
            return self
        turn = signs.astype(self.thumbnail.dtype)
        thumbnail, film = self.thumbnail * turn[:2], self.film
        thumbnail.flags.writeable = False
        if film is not None:
            film = film * turn
            film.flags.writeable = False
        return replace(self, thumbnail=thumbnail, film=film)

    @property
    def value(self) -> Value:
        """The value of the first parameter."""
        return self.values[0]

    @property
    def meter(self) -> tuple[float, str]:
        """Where the picture stands between linear PCA and isolated points."""
        rank = self.measures.get("effective_rank") or 0.0
        return meter(rank, self.n, self.measures.get("linear_agreement"))


@dataclass(frozen=True, eq=False)
class SweepResult:
    """A whole sweep.

    Attributes
    ----------
    sweep : SweepSettings
    base : SessionSettings
        What all points share.
    points : tuple of SweepPoint
        In the order of `SweepSettings.cells`.
    """

    sweep: SweepSettings
    base: SessionSettings
    points: tuple[SweepPoint, ...]

    def best(self, measure: str) -> SweepPoint | None:
        """Return the best point by a measure; of a plateau, its middle."""
        return best_point(self.points, measure)

    def curve(self, measure: str) -> Array:
        """Return a measure of every point, NaN where there is none."""
        values = [point.measures.get(measure) for point in self.points]
        return np.array([np.nan if v is None else v for v in values], dtype=np.float64)

    def row(self, row: int) -> "SweepResult":
        """Return one row of a grid."""
        points = tuple(p for p in self.points if self.sweep.cell(p.index)[1] == row)
        return replace(self, points=points)

    def text(self, point: SweepPoint) -> str:
        """Return the values of a point: "γ = 0.32"."""
        return cell_text(self.sweep, point.values)


def ranked(points: Iterable[SweepPoint], measure: str) -> list[SweepPoint]:
    """Return points with the best first; those without the measure come last."""
    sign = 1 if MEASURES[measure].better == "low" else -1

    def rank(point: SweepPoint) -> tuple[bool, float]:
        value = point.measures.get(measure)
        return value is None, 0.0 if value is None else sign * value

    return sorted(points, key=rank)


def best_point(points: tuple[SweepPoint, ...], measure: str) -> SweepPoint | None:
    """Return the best of points in their order by a measure, or None."""
    values = [point.measures.get(measure) for point in points]
    # Kernels stand beside each other in no order; a grid has no single line.
    in_line = all(p.values[1:] == () and not isinstance(p.value, str) for p in points)
    index = best_index(values, MEASURES[measure].better, in_line=in_line)
    return None if index is None else points[index]


def adopted(
    point: SweepPoint, sweep: SweepSettings, settings: SessionSettings
) -> SessionSettings:
    """Return the settings in which a point is what one looks at.

    Everything that was chosen since stays, but for another kernel: a value of one
    means nothing to another, and what was seen is wanted.
    """
    if settings.kernel.family != point.settings.kernel.family:
        settings = replace(settings, kernel=point.settings.kernel)
    return sweep.apply(settings, point.index)


def seen_text(
    point: SweepPoint, sweep: SweepSettings, settings: SessionSettings
) -> str:
    """Say which value is seen, and of which kernel where another is chosen now."""
    text, family = cell_text(sweep, point.values), point.settings.kernel.family
    over_kernels = any(axis.parameter == "kernel" for axis in sweep.axes)
    if over_kernels or family == settings.kernel.family:
        return text
    return f"{FAMILIES[family].title}, {text}"
