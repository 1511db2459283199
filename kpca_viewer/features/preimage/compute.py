"""Places of the embedding and walks: pre-images of one result."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.preimage import FoundPreImages, PreImages
from kpca_viewer.core.methods.preimage_methods import why_not
from kpca_viewer.core.projection import FeatureSpace
from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import HeldScores, PreImageMethod
from kpca_viewer.features.preimage import text
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.progress import ShouldStop, check, never

QUICK = 500_000
"""Numbers that one answer reads up to which it takes less than 5 ms: a cursor looks in
between two pictures. Beyond, a worker answers."""

MOST_COLUMNS = 12
"""Columns that are compared with those of a row: where they differ most."""

ASTRAY = 0.1
"""Part of the width of the picture from which on a found point lies beside it."""


@dataclass(frozen=True, eq=False)
class FoundPlace:
    """What lies at one place of the embedding."""

    scores: Array
    """Shape (k,). The place along all components, in the units of the picture."""
    values: Array
    """Shape (d,). Of the columns, in the units of the data."""
    own: Array
    """Shape (k,). Where a row with these values lies."""
    row: int
    """The row that is nearest in the picture."""
    left: float
    """Squared distance in feature space that is left; NaN where there are none."""
    farthest: float
    """The same of the row that is farthest from the model."""
    reachable: bool
    """Whether no more is left than of some row."""
    astray: float
    """How far ``own`` is from the place in the picture, as a part of its width."""
    row_away: float
    """The same of the row that is nearest."""

    @property
    def lies_here(self) -> bool:
        """Whether the values found are those of a point at this place."""
        return self.reachable and self.astray <= ASTRAY


class PlaceFinder:
    """Answers for places in the embedding of one result; made once, used often.

    Raises `DataError` for a given matrix and for a single row, `KernelError` if there
    is no such method for the kernel.
    """

    def __init__(self, result: AnalysisResult, method: PreImageMethod = "auto") -> None:
        kernel = _kernel_of(result)
        points = kernel.prepare_training(
            result.points, center=result.settings.analysis.center
        )
        chosen = None if method == "auto" else method
        try:
            self.images = PreImages(result.decomposition, kernel, points, chosen)
        except KernelError as error:
            words = str(error).replace("pre_image='ridge'", "Ridge")
            raise KernelError(words) from error
        self.result, self.method = result, method
        carriers = FeatureSpace.of(result.decomposition).rows
        count = len(points) if carriers is None else len(carriers)
        self.is_quick = count * max(points.d, 16) + result.dataset.n <= QUICK
        """Whether an answer takes no longer than a frame may."""
        # Scores may be drawn without having been divided by √μ.
        roots = np.sqrt(positive_part(result.decomposition))
        inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
        plain = result.settings.analysis.normalised
        self.to_model = np.ones_like(roots) if plain else inverse
        """Shape (k,). What turns scores of the picture into those of the model."""
        self._to_picture = np.ones_like(roots) if plain else roots
        rows = result.dataset.points
        self.mean, self.spread = rows.mean(axis=0), rows.std(axis=0)
        """Shape (d,). Of the columns, in the units of the data."""
        self._scores = np.asarray(result.scores, dtype=np.float64)
        self._widths = np.ptp(self._scores, axis=0)
        self._shown: tuple[tuple[int, ...], Array] | None = None

    def in_spreads(self, differences: Array) -> Array:
        """Return differences (…, d) in deviations of columns, 0 of constant ones."""
        return np.divide(
            differences,
            self.spread,
            out=np.zeros_like(differences),
            where=self.spread > 0,
        )

    def nearest_row(self, axes: tuple[int, ...], place: Array) -> int:
        if self._shown is None or self._shown[0] != axes:
            self._shown = axes, np.ascontiguousarray(self._scores[:, list(axes)].T)
        away = sum(
            np.square(column - value)
            for column, value in zip(self._shown[1], place, strict=True)
        )
        return int(np.argmin(away))

    def scores_at(
        self, axes: tuple[int, ...], place: tuple[float, ...], held: HeldScores
    ) -> Array:
        """Return a place on some axes as scores (k,); the other ones are ``held``."""
        known = [(j, value) for j, value in zip(axes, place, strict=True)]
        known = [(j, value) for j, value in known if 0 <= j < self._scores.shape[1]]
        if held == "row" and known:
            row = self.nearest_row(
                tuple(j for j, _ in known), np.array([value for _, value in known])
            )
            scores = self._scores[row].copy()
        else:
            scores = self._scores.mean(axis=0)
        for j, value in known:
            scores[j] = value
        return scores

    def at(self, scores: Array, axes: tuple[int, ...]) -> FoundPlace:
        found = self.images.at(scores * self.to_model)
        return self._placed(found, scores, axes)

    def _placed(
        self, found: FoundPreImages, scores: Array, axes: tuple[int, ...]
    ) -> FoundPlace:
        shown = [j for j in axes if 0 <= j < len(scores)] or [0]
        own = found.scores[0] * self._to_picture
        width = float(self._widths[shown].max()) or 1.0
        row = self.nearest_row(tuple(shown), scores[shown])

        def away(place: Array) -> float:
            return float(np.linalg.norm((place - scores)[shown])) / width

        return FoundPlace(
            scores,
            self.result.scaler.undo(found.points)[0],
            own,
            row,
            float(found.distances[0]),
            float(self.images.farthest),
            bool(found.reachable[0]),
            away(own),
            away(self._scores[row]),
        )


@dataclass(frozen=True)
class ComparedColumn:
    """One column at a place and at a row."""

    column: int
    name: str
    here: float
    there: float
    apart: float
    """Difference in standard deviations of the column; 0 for a constant one."""


def compared_columns(place: FoundPlace, finder: PlaceFinder) -> list[ComparedColumn]:
    """Return the columns in which a place differs most from the row nearest to it."""
    dataset = finder.result.dataset
    there = dataset.points[place.row]
    apart = finder.in_spreads(place.values - there)
    order = np.argsort(-np.abs(apart), kind="stable")[:MOST_COLUMNS]
    return [
        ComparedColumn(
            int(j),
            dataset.feature_names[j],
            float(place.values[j]),
            float(there[j]),
            float(apart[j]),
        )
        for j in order
    ]


def why_no_places(result: AnalysisResult, method: PreImageMethod) -> str:
    """Return why places of a picture have no pre-images; empty if they may have."""
    try:
        kernel = _kernel_of(result)
    except DataError as error:
        return str(error)
    reason = "" if method == "auto" else why_not(method, kernel, result.points)
    return reason.replace("pre_image='ridge'", "Ridge")


def _kernel_of(result: AnalysisResult) -> Kernel:
    if result.kernel is None:
        what = "distances" if result.dataset.kind == "distances" else "kernel values"
        raise DataError(text.NO_COLUMNS.format(what=what))
    if result.dataset.n == 1:
        raise DataError(text.ONE_ROW)
    return result.kernel


STOPS = 9
"""Places of a walk that are shown."""

MOST_LINES = 5
"""Columns whose way is drawn: those that move most."""


@dataclass(frozen=True, eq=False)
class Walk:
    """What lies along one component, all others being held."""

    component: int
    own: float
    """Score of the place through which it leads."""
    values: Array
    """Shape (m,). Scores along it."""
    places: tuple[FoundPlace, ...]

    def nearest(self, value: float) -> int:
        return int(np.argmin(np.abs(self.values - value)))

    def moving_columns(self, finder: PlaceFinder) -> list[tuple[str, Array]]:
        """Return the columns that move most, with ways (m,) in standard deviations."""
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


def find_walk(request: WalkRequest, should_stop: ShouldStop = never) -> Walk:
    """Find what lies along a component, from the first row to the last."""
    component = request.component
    along = request.finder.result.scores[:, component]
    values = np.linspace(along.min(), along.max(), STOPS)
    axes = request.axes if component in request.axes else (*request.axes, component)
    places = []
    for value in values:
        check(should_stop)
        scores = request.scores.copy()
        scores[component] = value
        places.append(request.finder.at(scores, axes))
    own = float(request.scores[component])
    return Walk(component, own, values, tuple(places))
