"""Kernel PCA of a table in parts: looks, preparation, fit; who works is given."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.core.estimator.streams import Stream, fit_seen, refuse_unfit
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.methods.density import Density, Plane, density
from kpca_viewer.core.methods.kernel_suggestion import suggested
from kpca_viewer.core.orientation import SPARE, towards
from kpca_viewer.core.projection import coefficient_factors, project
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.core.solvers.blocks import Each, Look, each_block, look
from kpca_viewer.core.solvers.row_stream import decompose
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.parts.blocks import Preparation
from kpca_viewer.data.parts.layout import (
    Layout,
    decided,
    learnt,
    sampled_labels,
    surveyed,
)
from kpca_viewer.data.parts.sampling import pieces_below
from kpca_viewer.data.preparation import ColumnScalings, Scaler, Scaling
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.data.table import Table
from kpca_viewer.engine.forecast import LARGE_TOLERANCE, tolerance, usual_tolerance
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stage import StageInputs
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import ClusterError, DataError


@dataclass(frozen=True, eq=False)
class SeenParts:
    """Parts after the first look at all their rows."""

    layout: Layout
    seen: Look
    """Its sample is scaled."""


@dataclass(frozen=True, eq=False)
class FittedParts:
    """A model of parts."""

    model: KernelPCA
    passes: int
    """Over all rows, after the first look."""


def look_at(
    layout: Layout,
    scaling: Scaling | None,
    each: Each,
    columns: ColumnScalings = (),
) -> SeenParts:
    """Look at all rows, and learn how they are scaled.

    Raises `KpcaError` with the part and the row that cannot be used.
    """
    layout = surveyed(decided(layout, each), each)
    seen = look(layout.blocks, each=each)
    return SeenParts(*learnt(layout, seen, scaling, columns))


def fit_parts(
    parts: SeenParts, settings: SessionSettings, each: Each, tol: float | None = None
) -> FittedParts:
    """Fit the model that the settings ask for, without holding all rows."""
    n, analysis, kernel = parts.seen.n, settings.analysis, settings.kernel
    values: dict[str, Any] = {
        **_suggested_values(parts, settings, each),
        **dict(kernel.values),
    }
    model = KernelPCA(
        min(analysis.components, n),
        kernel=kernel.family,
        eigen_solver=analysis.solver,
        tol=tol or usual_tolerance(n),
        center=analysis.center,
        **as_keywords(values),
    )
    refuse_unfit(model)
    stream = Stream(parts.layout.blocks, each)
    return FittedParts(model, fit_seen(model, stream, parts.seen))


def _suggested_values(
    parts: SeenParts, settings: SessionSettings, each: Each
) -> Mapping[str, float]:
    """Suggest values by the rows of the sample, as for a file that has no others."""
    kernel, seen = settings.kernel, parts.seen
    known = dict(kernel.values)
    parameters = FAMILIES[kernel.family].parameters
    if all(p.name in known or p.follows is None for p in parameters):
        return {}
    order = seen.in_order
    labels, target = sampled_labels(parts.layout, seen.places[order], each)
    return suggested(kernel.family, seen.sample[order], labels, target).values


# All rows of a table in parts, of which the window holds a sample.
#
# The model is that of all rows, block by block; its scores are shown of the rows that
# were drawn, and all of them are counted behind these. Landmarks are rows of the
# sample, so that the sample and the decomposition are enough to project anything.


T = TypeVar("T")

CELLS = 256
"""Of the histogram, along each axis."""

ROOM = 0.15
"""How far it reaches beyond the rows that were drawn, as a share of their extent."""


@dataclass(frozen=True, eq=False)
class FullFit:
    """What a result knows of rows that are not in memory."""

    n: int
    """How many there are."""
    left_out: int
    """Rows that are no part of it because of gaps."""
    axes: tuple[int, int] | None = None
    density: Density | None = None
    """Where they lie on these axes; None until it is there, and in space."""
    why_no_density: str = ""
    """A sentence, where a part cannot be read any more; the model is right all the
    same."""

    @property
    def words(self) -> str:
        """How many rows there are, and which are missing: "all 1,200 rows"."""
        if not self.left_out:
            return f"all {self.n:,} rows"
        return f"all {self.n:,} rows without gaps ({self.left_out:,} left out)"

    @property
    def density_words(self) -> str:
        """What the picture behind the points is, or why it is not there."""
        found = self.density
        if found is None:
            why = self.why_no_density
            return f"How densely all rows lie is not known: {why}" if why else ""
        text = f"Behind the points, how densely all {self.n:,} rows lie"
        if found.outside:
            text += f"; {found.outside:,} are beyond it"
        return f"{text}."


@dataclass(frozen=True, eq=False)
class FittedRows:
    """A model of all rows, as the rows of the sample see it."""

    layout: Layout
    n: int
    scaler: Scaler
    points: Points
    """The sample, scaled as all rows are."""
    decomposition: Decomposition
    """Its eigenvectors have the rows of the sample, its landmarks are some of them."""


def why_not(dataset: Dataset, kernel: Kernel | None) -> str:
    """Return why all rows cannot be computed, one sentence; empty where they can."""
    if dataset.sampled_from is None or kernel is None:
        return "All rows are here already."
    if dataset.excluded:
        return (
            "Rows were left out by hand, which can only be done among those that were "
            "drawn; take all rows back first."
        )
    if not kernel.psd:
        return (
            f"The {kernel.family.title.lower()} kernel may be indefinite with these "
            "values, which needs all rows at once; choose another kernel or values."
        )
    return ""


def fitted_rows(
    inputs: StageInputs, sample: Decomposition, each: Each | None
) -> FittedRows:
    """Return the model of all rows, the way round that the sample's is.

    ``sample``: of the rows that were drawn, as it is shown; ``each``: what runs work on
    blocks; this process where there is none, or none any more.
    """
    dataset, kernel = inputs.prepared.dataset, inputs.prepared.kernel
    if reason := why_not(dataset, kernel):
        raise DataError(reason)
    assert kernel is not None
    seen = _seen(inputs, each)
    count = len(sample.eigenvalues)
    center = inputs.request.settings.analysis.center
    key = seen, kernel.family.name, *kernel.values.items(), center, count
    fitted: FittedRows = inputs.cache.get(
        "all rows",
        key,
        lambda: _here_too(lambda each: _fitted(inputs, seen, count, each), each),
    )
    R = _turn(fitted.decomposition, sample)
    found = inputs.cache.get(
        "all rows turned",
        (fitted, R.tobytes()),
        lambda: fitted.decomposition.oriented(R),
    )
    return replace(fitted, decomposition=found)


def with_density(
    known: FullFit,
    fitted: FittedRows,
    result: AnalysisResult,
    axes: tuple[int, int],
    inputs: StageInputs,
    each: Each | None,
) -> FullFit:
    """Count where all rows lie on two axes, or say why that is not possible.

    The scores of the rows that were drawn say how far it reaches.
    """
    kernel, center = result.kernel, result.settings.analysis.center
    assert kernel is not None

    def count(working: Each) -> Density:
        return density(
            fitted.layout.blocks,
            _plane(fitted, kernel, axes, center),
            *(_edges(result.scores[:, axis]) for axis in axes),
            each=working,
            should_stop=inputs.should_stop,
            progress=inputs.progress,
        )

    key = fitted.decomposition, axes
    try:
        found = inputs.cache.get("density", key, lambda: _here_too(count, each))
    except DataError as error:
        return replace(known, axes=axes, why_no_density=str(error))
    return replace(known, axes=axes, density=found)


def _here_too(make: Callable[[Each], T], each: Each | None) -> T:
    """Let others work; here, where they are gone."""
    if each is not None:
        try:
            return make(each)
        except ClusterError:
            pass
    return make(each_block)


@dataclass(frozen=True, eq=False)
class _Seen:
    """All rows after the first look."""

    layout: Layout
    n: int


def _seen(inputs: StageInputs, each: Each | None) -> _Seen:
    request, dataset = inputs.request, inputs.prepared.dataset
    data = request.settings.data
    table, importing = request.opened.get(data.source), data.importing
    if not isinstance(table, Table) or table.path is None or importing is None:
        raise DataError(
            "The other rows are in files that this session does not know; open their "
            "folder again."
        )
    path, options = table.path, table.options or ReadOptions()

    def make(working: Each) -> _Seen:
        inputs.progress("looking for parts", None)
        pieces, _ = pieces_below(path, options, inputs.should_stop)
        every = replace(importing, sample=None)
        raw = RawRows.of(dataset, every, Scaler.learn(dataset.points, "none"))
        plain = replace(options, parts=None, sample=None)
        prepared = Preparation(raw, plain)
        layout = Layout(tuple(pieces), prepared)
        found = look(
            layout.blocks,
            each=working,
            should_stop=inputs.should_stop,
            progress=inputs.progress,
        )
        all_rows, _ = learnt(layout, found, data.scaling, data.column_scaling)
        return _Seen(all_rows, found.n)

    scaling = data.scaling, data.column_scaling
    key: Hashable = (table.content_hash, importing.of_features(), scaling)
    seen: _Seen = inputs.cache.get("all rows seen", key, lambda: _here_too(make, each))
    return seen


def _fitted(inputs: StageInputs, seen: _Seen, count: int, each: Each) -> FittedRows:
    dataset, kernel = inputs.prepared.dataset, inputs.prepared.kernel
    assert kernel is not None
    scaler = seen.layout.preparation.rows.scaler
    center = inputs.request.settings.analysis.center
    points = Points.prepare(scaler.apply(dataset.points))
    found = decompose(
        seen.layout.blocks,
        seen.n,
        points.dense(),
        kernel,
        min(count + SPARE, dataset.n),
        center=center,
        tol=tolerance(seen.n),
        widens=False,
        each=each,
        should_stop=inputs.should_stop,
        progress=inputs.progress,
    )
    map_ = found.decomposition.landmark_map
    assert map_ is not None
    decomposition = replace(
        found.decomposition,
        landmark_map=replace(map_, landmarks=found.places),
        count=seen.n,
        place=str(getattr(each, "place", "")),
    )
    known = kernel.prepare_training(points, center=center)

    def cross(rows: slice, columns: Array | None) -> Array:
        landmarks = known if columns is None else known.take(columns)
        return kernel.block(known.take(rows), landmarks)

    scores = project(decomposition, cross, len(points), inputs.should_stop)
    vectors = scores * coefficient_factors(decomposition)
    decomposition = replace(decomposition, eigenvectors=vectors)
    return FittedRows(seen.layout, seen.n, scaler, points, decomposition)


def _turn(found: Decomposition, sample: Decomposition) -> Array:
    """Return what turns the model the way round that the sample's is (k, k)."""
    lengths = np.linalg.norm(found.eigenvectors, axis=0)
    unit = found.eigenvectors / np.where(lengths > 0, lengths, 1.0)
    bounds = found.bounds if found.error <= LARGE_TOLERANCE else None
    return towards(unit, found.eigenvalues, sample.eigenvectors, bounds)


def _plane(
    fitted: FittedRows, kernel: Kernel, axes: tuple[int, int], center: bool
) -> Plane:
    map_ = fitted.decomposition.landmark_map
    assert map_ is not None
    known = kernel.prepare_training(fitted.points, center=center)
    both = list(axes)
    return Plane(
        kernel,
        known.take(map_.landmarks),
        np.ascontiguousarray(map_.projection[:, both]),
        map_.offset[both],
    )


def _edges(scores: Array) -> Array:
    """Return where the cells along an axis end, a little beyond the scores (m,)."""
    low, high = float(scores.min()), float(scores.max())
    room = ROOM * (high - low) or 1.0
    return np.linspace(low - room, high + room, CELLS + 1)
