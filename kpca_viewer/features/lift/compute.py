"""Where the plane, the rows and the components lie on the way into feature space."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kpca_viewer.core.methods.predictions import Predictions
from kpca_viewer.core.methods.quality import (
    deal,
    linear_predictions,
    sample_rows,
)
from kpca_viewer.core.projection import dual_coefficients
from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.lifts import Lift
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Axes
from kpca_viewer.engine.stages import centred
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import lowered

LINES, NODES = 13, 37
"""Of the mesh in each direction, and places along a line."""

ROOM = 0.06
"""How far the mesh reaches beyond the data, as a share of their extent."""

BEYOND = 0.15
"""How far above or below the rows the raised mesh goes on, as a share of their
extent."""

LEAST = 0.6
"""How far it goes on at least, as a share of the largest extent: rows may lie in a
line."""

MOST_VALUES = 1_000_000
"""Kernel values for a mesh of components; some ten milliseconds."""

FAR = 2.0
"""How many times larger a box may become so that it holds the cloud with and without
its mean; beyond, each has a box of its own."""

NOTHING = 1e-12
"""Variance, as a part of all, of a direction in which there is nothing."""

DEVIATIONS = 2.0
"""Length of an arrow, in standard deviations."""

LONGEST_NAME = 3
"""Letters of a feature that stands in formulas; longer ones are x and y there."""

_NUMBERED = re.compile(r"(\w)_?(\d)")


@dataclass(frozen=True, eq=False)
class Components:
    """Directions of largest variance among places in M dimensions."""

    base: Array
    """Shape (M,). Where they start: at the mean, or at the origin if not centred."""
    directions: Array
    """Shape (M, k). Of length 1."""
    variances: Array
    """Shape (k,). Largest first."""

    @classmethod
    def of(cls, places: Array, *, center: bool) -> "Components":
        """Find them among places (n, M) by the covariance; nothing is left out."""
        base = places.mean(axis=0) if center else np.zeros(places.shape[1])
        around = places - base
        variances, directions = np.linalg.eigh(around.T @ around / len(places))
        variances, directions = variances[::-1], directions[:, ::-1]
        kept = variances > NOTHING * max(float(variances.sum()), 0.0)
        return cls(base, directions[:, kept], variances[kept])

    def scores(self, places: Array) -> Array:
        scores: Array = (places - self.base) @ self.directions
        return scores

    def like(self, other: "Components") -> "Components":
        shared = min(self.directions.shape[1], other.directions.shape[1])
        turned = np.ones(self.directions.shape[1])
        agree = (self.directions[:, :shared] * other.directions[:, :shared]).sum(axis=0)
        turned[:shared] = np.where(agree < 0, -1.0, 1.0)
        return Components(self.base, self.directions * turned, self.variances)


@dataclass(frozen=True, eq=False)
class Raised:
    """What is drawn at one height: everything in the three coordinates shown."""

    points: Array
    """Shape (n + m, 3). The rows, and behind them those of a second file."""
    mesh: tuple[Array, ...]
    """Of shape (m, 3) each. Lines of equal x and of equal y; NaN where they end."""
    centroid: Array
    """Shape (3,)."""
    base: Array
    """Shape (3,). Where the arrows start."""
    arrows: Array
    """Shape (k, 3), k ≤ 3. Their ends, PC 1 first."""
    plane: Array
    """Shape (4, 3) or (0, 3). Corners of the plane of PC 1 and PC 2, as far as the
    scores reach; none where there are not two components."""


@dataclass(frozen=True, eq=False)
class LiftedSpace:
    """The plane and what it is raised into, in all M coordinates of the map."""

    lift: Lift
    axes: Axes
    """Which coordinates are drawn."""
    variables: tuple[str, str]
    """What the two features are called."""
    names: tuple[str, ...]
    """Of all coordinates."""
    centred: bool
    flat: Array
    high: Array
    """Shape (n, M). The rows in the plane and in feature space."""
    flat_mesh: Array
    high_mesh: Array
    """Shape (l, m, M). Lines over the plane, NaN where they would leave the data far
    behind; l = 0 where they would cost too much."""
    place: Callable[[Array], tuple[Array, Array]]
    """Rows in units of the data (m, 2) → flat and high places (m, M)."""
    exact: Components | None
    """Of the kernel that computes, at full height; None if it has another map."""
    new: tuple[Array, Array]
    """Shape (m, M) each. Rows of a second file, flat and high."""

    def axis_names(self, height: float) -> tuple[str, str, str]:
        """Return the names of the three axes: of the plane, of φ, or of the way."""
        x, y, z = (
            _way(flat, self.names[j], height)
            for flat, j in zip((*self.variables, "0"), self.axes, strict=True)
        )
        return x, y, z

    @cached_property
    def components(self) -> Components:
        """At full height: of the kernel that computes, or of the lifted rows."""
        if self.exact is not None:
            return self.exact
        return _the_right_way(Components.of(self.high, center=self.centred))

    def at(self, height: float) -> Raised:
        """Return what is drawn at a height: 0 is the plane, 1 is φ."""
        places = _between(self.flat, self.high, height)
        found = self.components
        if height < 1:
            found = Components.of(places, center=self.centred).like(found)
        mean = places.mean(axis=0)
        origin = mean if self.centred else np.zeros_like(mean)
        drawn, shown = list(self.axes), min(3, found.directions.shape[1])
        ways = found.directions.T[:shown]
        lengths = DEVIATIONS * np.sqrt(found.variances[:shown])
        arrows = found.base + lengths[:, None] * ways
        mesh = _between(self.flat_mesh, self.high_mesh, height) - origin
        rows = np.vstack((places, _between(*self.new, height)))
        return Raised(
            points=(rows - origin)[:, drawn],
            mesh=tuple(mesh[:, :, drawn]),
            centroid=(mean - origin)[drawn],
            base=(found.base - origin)[drawn],
            arrows=(arrows - origin)[:, drawn],
            plane=(_corners(found, places) - origin)[:, drawn],
        )

    def places_at(self, X: Array, height: float) -> Array:
        """Return where rows (m, 2) in units of the data are drawn, (m, 3)."""
        places = _between(*self.place(np.asarray(X, dtype=np.float64)), height)
        if self.centred:
            places = places - _between(self.flat, self.high, height).mean(axis=0)
        drawn: Array = places[:, list(self.axes)]
        return drawn

    @cached_property
    def reach(self) -> Array:
        """Ends (2, 3) of a box that holds every height, with and without the mean."""
        now, other = (self._ends(center) for center in (self.centred, not self.centred))
        both = np.array([np.minimum(now[0], other[0]), np.maximum(now[1], other[1])])
        own = np.maximum(now[1] - now[0], NOTHING)
        return both if bool((both[1] - both[0] <= FAR * own).all()) else now

    def _ends(self, center: bool) -> Array:
        drawn, ends = list(self.axes), []
        for rows, mesh in ((self.flat, self.flat_mesh), (self.high, self.high_mesh)):
            mean = rows.mean(axis=0) if center else np.zeros(rows.shape[1])
            for places in (rows, mesh.reshape(-1, rows.shape[1])):
                around = (places - mean)[:, drawn]
                around = around[np.isfinite(around).all(axis=1)]
                if len(around):
                    ends += [around.min(axis=0), around.max(axis=0)]
        ends.append(np.zeros(3))
        return np.array([np.min(ends, axis=0), np.max(ends, axis=0)])


def lifted_space(result: AnalysisResult, lift: Lift, axes: Axes) -> LiftedSpace:
    """Raise the plane of a result; `text.why_not` has said that it can be."""
    features, center = lift.features, centred(result.dataset, result.settings)
    if features is None:
        return _along_components(result, lift, center)
    drawn = axes if max(axes) < len(features) > 3 else (0, 1, 2)

    def place(X: Array) -> tuple[Array, Array]:
        scaled = result.scaler.apply_or_nan(X)
        flat = np.zeros((len(X), len(features)))
        flat[:, drawn[0]], flat[:, drawn[1]] = scaled.T
        return flat, features(scaled)

    flat, high = place(result.dataset.points)
    mesh = _mesh(*plane_ends(result))
    flat_mesh, high_mesh = (_lines(p, mesh) for p in place(mesh.reshape(-1, 2)))
    high_mesh = _near(high_mesh, high, drawn)
    exact = _of_kernel(result, high, center) if lift.is_of(result.kernel) else None
    variables = variables_of(result.dataset)
    names = tuple(features.plain(variables))
    return LiftedSpace(
        lift,
        drawn,
        variables,
        names,
        center,
        flat,
        high,
        flat_mesh,
        high_mesh,
        place,
        exact,
        place(_new_rows(result)),
    )


def _along_components(result: AnalysisResult, lift: Lift, center: bool) -> LiftedSpace:
    found = min(3, result.scores.shape[1])
    spreads = [
        float(np.linalg.norm(places - places.mean(axis=0)))
        for places in (result.points.dense(), result.scores[:, :found])
    ]
    # Scores have another unit than the plane: as large as them, it bends more than it
    # shrinks.
    size = spreads[1] / spreads[0] if min(spreads) > 0 else 1.0

    def in_plane(X: Array) -> Array:
        return np.column_stack((size * result.scaler.apply_or_nan(X), np.zeros(len(X))))

    def along(scores: Array) -> Array:
        three = np.zeros((len(scores), 3))
        three[:, :found] = scores[:, :found]
        return three

    def place(X: Array) -> tuple[Array, Array]:
        return in_plane(X), along(result.projected(X))

    new, scored = _new_rows(result), result.new_scores
    mesh, scores = _scored_mesh(result)
    high = along(result.scores)
    base = high.mean(axis=0) if center else np.zeros(3)
    around = high - base
    variances = (around**2).mean(axis=0)[:found]
    kept = variances > NOTHING * max(float(variances.sum()), 0.0)
    exact = Components(base, np.eye(3)[:, :found][:, kept], variances[kept])
    return LiftedSpace(
        lift,
        (0, 1, 2),
        variables_of(result.dataset),
        tuple(f"PC {j + 1}" for j in range(3)),
        center,
        in_plane(result.dataset.points),
        high,
        _lines(in_plane(mesh.reshape(-1, 2)), mesh),
        _near(_lines(along(scores), mesh), high, (0, 1, 2)),
        place,
        exact,
        (in_plane(new), along(np.empty((0, 3)) if scored is None else scored)),
    )


def _new_rows(result: AnalysisResult) -> Array:
    new = result.new_rows
    return np.empty((0, 2)) if new is None else new.points


def _of_kernel(result: AnalysisResult, high: Array, center: bool) -> Components | None:
    """Return ``uⱼ = Σᵢ αⱼᵢ φ̃(xᵢ)``; None where all rows lie in one place."""
    base = high.mean(axis=0) if center else np.zeros(high.shape[1])
    mu = positive_part(result.decomposition)
    kept = mu > NOTHING * float(mu.sum())
    if not kept.any():
        return None
    alpha = dual_coefficients(result.decomposition)[:, kept]
    return Components(base, (high - base).T @ alpha, mu[kept] / len(high))


def _the_right_way(found: Components) -> Components:
    """Turn every direction so that its largest coordinate is positive."""
    if not found.directions.size:
        return found
    largest = np.abs(found.directions).argmax(axis=0)
    signs = np.sign(found.directions[largest, np.arange(len(largest))])
    return Components(found.base, found.directions * signs, found.variances)


def _corners(found: Components, places: Array) -> Array:
    """Return the corners (4, M) of PC 1 and PC 2 as far as scores reach, or none."""
    if found.directions.shape[1] < 2:
        return np.empty((0, len(found.base)))
    scores = found.scores(places)[:, :2]
    (a0, b0), (a1, b1) = scores.min(axis=0), scores.max(axis=0)
    corners = np.array([(a0, b0), (a1, b0), (a1, b1), (a0, b1)])
    plane: Array = found.base + corners @ found.directions[:, :2].T
    return plane


def _way(flat: str, high: str, height: float) -> str:
    if height >= 1 or flat == high:
        return high
    return flat if height <= 0 else f"{flat} → {high}"


def _between(flat: Array, high: Array, height: float) -> Array:
    if height >= 1:
        return high
    mixed: Array = flat + height * (high - flat)
    return mixed


def plane_ends(result: AnalysisResult) -> tuple[Array, Array]:
    """Return the corners (2,) of the part of the plane that is drawn."""
    low, high = result.dataset.points.min(axis=0), result.dataset.points.max(axis=0)
    room = ROOM * np.where(high > low, high - low, 1.0)
    return np.minimum(low, result.scaler.within_domain(low - room)), high + room


def _mesh(low: Array, high: Array, lines: int = LINES, nodes: int = NODES) -> Array:
    """Return lines of equal y and of equal x over a rectangle, (2 lines, nodes, 2)."""
    t, s = np.linspace(0, 1, lines), np.linspace(0, 1, nodes)
    mesh = np.empty((2, lines, nodes, 2))
    mesh[0, :, :, 0], mesh[0, :, :, 1] = s, t[:, None]
    mesh[1, :, :, 0], mesh[1, :, :, 1] = t[:, None], s
    placed: Array = low + mesh.reshape(2 * lines, nodes, 2) * (high - low)
    return placed


def _scored_mesh(result: AnalysisResult) -> tuple[Array, Array]:
    """Return a mesh (l, m, 2) and the scores of its nodes, coarser for many rows."""
    map_ = result.decomposition.landmark_map
    columns = result.dataset.n if map_ is None else len(map_.landmarks)
    for lines, nodes in ((LINES, NODES), (LINES, LINES), (9, 9)):
        if 2 * lines * nodes * columns <= MOST_VALUES:
            mesh = _mesh(*plane_ends(result), lines, nodes)
            with suppress(KernelError):
                return mesh, result.projected(mesh.reshape(-1, 2))
    return np.empty((0, 0, 2)), np.empty((0, result.scores.shape[1]))


def _near(mesh: Array, high: Array, drawn: Axes) -> Array:
    """Return a mesh (l, m, M) that ends where it leaves the box of the rows (n, M)."""
    three = list(drawn)
    low, top = high[:, three].min(axis=0), high[:, three].max(axis=0)
    largest = float((top - low).max()) or 1.0
    half = np.maximum((0.5 + BEYOND) * (top - low), 0.5 * LEAST * largest)
    inside = (np.abs(mesh[:, :, three] - (low + top) / 2) <= half).all(axis=2)
    near: Array = np.where(inside[:, :, None], mesh, np.nan)
    return near


def _lines(places: Array, mesh: Array) -> Array:
    lines: Array = places.reshape(*mesh.shape[:2], places.shape[1])
    return lines


def variables_of(dataset: Dataset) -> tuple[str, str]:
    """Return what the two features are called in formulas: x₁ and x₂, or x and y."""
    names = dataset.feature_names[:2]
    if len(names) < 2 or any(len(name) > LONGEST_NAME for name in names):
        return "x", "y"
    first, second = (_with_subscript(name) for name in names)
    return first, second


def _with_subscript(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return name if found is None else found[1] + lowered(found[2])


@dataclass(frozen=True)
class Separation:
    """How well single components tell the classes apart."""

    predictions: tuple[Predictions, ...]
    """From PC 1, PC 2 and so on."""


def separation(result: AnalysisResult, space: LiftedSpace) -> Separation | None:
    """Measure the components at full height; None without classes to tell apart."""
    labels = result.dataset.labels
    if labels is None:
        return None
    rows = sample_rows(result.dataset.n)
    rows = rows[labels[rows] >= 0]
    codes = np.unique(labels[rows], return_inverse=True)[1]
    folds = deal(codes)
    scores = space.components.scores(space.high[rows])
    found = [
        linear_predictions(Z[:, None], codes, folds, balanced=True) for Z in scores.T
    ]
    predictions = tuple(one for one in found if one is not None)
    return Separation(predictions) if predictions else None
