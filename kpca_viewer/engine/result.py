"""AnalysisResult: everything that the views show, as one frozen value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kpca_viewer.core import spectrum
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.kernels.pair_values import PairValues
from kpca_viewer.core.methods.kernel_suggestion import Suggestion
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.projection import Scoring, project
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.data.dataset import Dataset, Kind
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.engine.comparison import Comparison, LinearPCA
from kpca_viewer.engine.feature import load
from kpca_viewer.engine.forecast import Forecast
from kpca_viewer.engine.grid import GridScores
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stage import Extra, RowValues
from kpca_viewer.engine.uncentred import MeanDirection
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, never

if TYPE_CHECKING:
    from kpca_viewer.engine.full_fit import FullFit

T = TypeVar("T")

PICTURE_ROWS = 400
"""Rows of the kernel matrix that are shown; more would be finer than a pixel."""


@dataclass(frozen=True, eq=False)
class KernelPicture:
    """A part of the kernel matrix that can be looked at."""

    rows: Array
    """Shape (m,). Which points, sorted by class."""
    raw: Array
    centred: Array
    """Shape (m, m)."""
    sampled: bool
    """Whether only some of the points are shown."""


def kernel_picture(
    dataset: Dataset, points: Points, kernel: Kernel | None
) -> KernelPicture:
    """Evaluate the kernel on all points, or on an even sample of them."""
    rows = sample_rows(dataset.n, PICTURE_ROWS)
    if dataset.labels is not None:
        rows = rows[np.argsort(dataset.labels[rows], kind="stable")]
    if kernel is not None:
        chosen = kernel.prepare_training(points.take(rows))
        raw = kernel.block(chosen, chosen)
    else:
        raw = dataset.points[np.ix_(rows, rows)]
    matrix = raw if dataset.kind != "distances" else -0.5 * np.square(raw)
    means = matrix.mean(axis=0)
    centred = matrix - means - means[:, None] + means.mean()
    for array in (rows, raw, centred):
        array.flags.writeable = False
    return KernelPicture(rows, raw, centred, len(rows) < dataset.n)


def kind_of_data(settings: SessionSettings, result: "AnalysisResult | None") -> Kind:
    """Return what the data of some settings are; the result may be of other data."""
    data = settings.data
    if data.importing is not None:
        return data.importing.matrix
    if result is not None and result.settings.data.source == data.source:
        return result.dataset.kind
    return "points"


@dataclass(frozen=True)
class NewAccuracy:
    """How many new rows are assigned to their class by what the data teach."""

    kernel: float
    """In the shown components, a share of one."""
    linear: float | None
    """In as many of linear PCA."""
    rows: int
    """New rows that have a class of the data."""
    chance: float
    """Share of them that the largest class of the data would be right for."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """Scores of some rows by a model of fewer: of no known error."""

    dataset: Dataset
    """All rows."""
    rows: Array
    """Shape (m,), ascending."""
    scores: Array
    """Shape (m, k)."""


@dataclass(frozen=True, eq=False)
class AnalysisResult:
    """What followed from one request."""

    settings: SessionSettings
    """Which this answers."""
    dataset: Dataset
    scaler: Scaler
    points: Points
    """The (scaled) points that the kernel saw."""
    kernel: Kernel | None
    """With the values that were used; None for a given matrix."""
    suggestion: Suggestion
    """Parameter values that suit these data, and why."""
    decomposition: Decomposition
    scores: Array
    """Shape (n, k)."""
    linear: LinearPCA | None
    picture: KernelPicture
    grid: GridScores | None = None
    """For the isolines of plane data."""
    new_rows: Dataset | None = None
    """Rows of a second file that were projected onto this model."""
    new_scores: Array | None = None
    """Shape (m, k)."""
    comparison: Comparison | None = None
    """None until the slower scores are there."""
    seconds: float = 0.0
    """Until the result could be drawn."""
    mean: MeanDirection | None = None
    """The first component beside the mean of the points; None where K was centred."""
    at_rest: bool = True
    """Whether this is the picture that the settings alone decide; during a drag,
    components follow those before, and isolines are coarser."""
    before_exclusion: Dataset | None = None
    """The data with the rows that are left out."""
    new_accuracy: NewAccuracy | None = None
    """None where new rows have no known class."""
    joined: "AnalysisResult | None" = None
    """The same with the new rows as rows behind those of the data; None without any."""
    refinement: Forecast | None = None
    """What the eigenvalues cost to all digits, where they have fewer."""
    pitfalls: tuple[str, ...] = ()
    """What follows from steps that were forgotten, a sentence each."""
    pairs: PairValues | None = None
    """What the kernel is a function of, over the pairs of rows; None until it is there,
    and for a given matrix."""
    extras: Mapping[Extra[Any], Any] = field(default_factory=dict)
    """What stages have added for the pages and views that show it; see `get`."""
    full_fit: "FullFit | None" = None
    """What is known of all rows of a table in parts, where the model is theirs; None
    where it is that of the rows that are here."""
    of_sample: "AnalysisResult | None" = None
    """The same of the rows that are here alone, where the model is that of all."""

    def __repr__(self) -> str:
        data, shares = self.dataset, self.shares
        kernel = f"given {data.kind}" if self.kernel is None else repr(self.kernel)
        return (
            f"<AnalysisResult of “{data.name}”: {data.n} × {data.d}, {kernel}, "
            f"{len(shares)} components with {shares.sum():.1%} of the variance>"
        )

    def _repr_html_(self) -> str | None:
        """Return the page to share for a notebook: no column leaves with it."""
        found: str | None = load("kpca_viewer.export.page:notebook_html")(self)
        return found

    def _repr_png_(self) -> bytes | None:
        """Return the embedding where a notebook shows no pages."""
        found: bytes | None = load("kpca_viewer.export.axes:embedding_png")(self)
        return found

    @cached_property
    def shares(self) -> Array:
        """Shape (k,). Explained share of every component."""
        return self.decomposition.shares

    @cached_property
    def mass(self) -> spectrum.NegativeMass:
        return self.decomposition.mass

    @property
    def effective_rank(self) -> float:
        return self.decomposition.effective_rank

    def get(self, extra: Extra[T]) -> T | None:
        """Return what a stage has added; None where it was not computed."""
        found: T | None = self.extras.get(extra)
        return found

    def with_extra(self, extra: Extra[T], value: T) -> "AnalysisResult":
        return replace(self, extras={**self.extras, extra: value})

    def row_values(self) -> Sequence[RowValues]:
        """Return the numbers that stages have added to every row."""
        return [
            values
            for extra, value in self.extras.items()
            if extra.row_values is not None
            for values in extra.row_values(value)
        ]

    def row_texts(self, row: int) -> list[str]:
        return [
            extra.row_text(value, row)
            for extra, value in self.extras.items()
            if extra.row_text is not None
        ]

    def sentences(self, plot: str) -> list[str]:
        """Return what stages have to say below a plot."""
        told = (
            extra.sentences[plot](value)
            for extra, value in self.extras.items()
            if plot in extra.sentences
        )
        return [text for text in told if text]

    @property
    def all_rows(self) -> "AnalysisResult":
        return self.joined or self

    @property
    def has_more_rows(self) -> bool:
        """Whether these rows were drawn from others, and a model of all can be made."""
        kernel, dataset = self.kernel, self.dataset
        drawn = dataset.sampled_from is not None and not dataset.excluded
        return drawn and kernel is not None and kernel.psd

    @property
    def suggested(self) -> Mapping[str, float]:
        return self.suggestion.values

    @property
    def is_drawn(self) -> bool:
        return self.settings.data.drawn is not None

    def has_rows_of(self, other: "AnalysisResult | None") -> bool:
        """Whether the rows are those of another result, perhaps in other classes.

        As many drawn points as before are the same points, some of them moved.
        """
        if other is None:
            return False
        if self.is_drawn and other.is_drawn:
            return self.dataset.n == other.dataset.n
        return self.dataset.points is other.dataset.points

    @property
    def certificate(self) -> str:
        found = self.decomposition
        return spectrum.in_words(found.error, found.probability)

    @property
    def scoring(self) -> Scoring:
        """Which steps have led from eigenvectors to scores."""
        chosen = self.settings.analysis
        # Without centring there is nothing of it to be forgotten for a new point.
        return replace(
            chosen.scoring, centers_new=chosen.centers_new or not chosen.center
        )

    def project(self, X: Array, should_stop: ShouldStop = never) -> Array:
        """Scores (m, k) of new points (m, d), given in the units of the data."""
        if self.kernel is None:
            return np.full((len(X), self.scores.shape[1]), np.nan)
        cross = self._cross(X, center=self.settings.analysis.center)
        return project(self.decomposition, cross, len(X), should_stop, self.scoring)

    def takes(self, X: Array) -> Array:
        """Whether the kernel has values for new points (m, d), shape (m,).

        The cosine has none where a point, scaled as the data are, has no length, and
        no kernel where a column has no logarithm.
        """
        if self.kernel is None:
            return np.ones(len(X), dtype=bool)
        X = np.asarray(X, dtype=np.float64)
        taken: Array = self.scaler.takes(X)
        if self.kernel.family.normalise:
            scaled = self.scaler.apply(X[taken])
            taken[taken] = np.square(scaled).sum(axis=1) > 0
        return taken

    def projected(self, X: Array, should_stop: ShouldStop = never) -> Array:
        """Scores as `project` has them; NaN for points that the kernel cannot take."""
        X, taken = np.asarray(X, dtype=np.float64), self.takes(X)
        scores = np.full((len(X), self.scores.shape[1]), np.nan)
        if taken.any():
            scores[taken] = self.project(X[taken], should_stop)
        return scores

    def project_linearly(self, X: Array) -> Array | None:
        """Scores of new points (m, d) in linear PCA, or None; NaN where unscalable."""
        scaled = self.scaler.apply_or_nan(X)
        return None if self.linear is None else self.linear.project(scaled)

    def nearness(self, X: Array) -> Array:
        """Largest kernel value of every new point with the data, shape (m,).

        Near zero the point is far from all data: its scores say nothing about it. NaN
        where the kernel cannot take it.
        """
        if self.kernel is None or not self.kernel.family.unit_diagonal:
            return np.ones(len(X))
        X, taken = np.asarray(X, dtype=np.float64), self.takes(X)
        found = np.full(len(X), np.nan)
        if taken.any():
            cross = self._cross(X[taken], center=False)
            found[taken] = cross(slice(0, int(taken.sum())), None).max(axis=1)
        return found

    def kernel_values(self, X: Array, row: int) -> Array:
        """``k(xᵢ, ·)`` of a row at points (m, d) as in the data; NaN for no value."""
        X, taken = np.asarray(X, dtype=np.float64), self.takes(X)
        found = np.full(len(X), np.nan)
        if taken.any():
            cross = self._cross(X[taken], center=False)
            found[taken] = cross(slice(0, int(taken.sum())), np.array([row]))[:, 0]
        return found

    def _cross(self, X: Array, *, center: bool) -> Any:
        kernel = self.kernel
        assert kernel is not None
        known = kernel.prepare_training(self.points, center=center)
        scaled = self.scaler.apply(np.asarray(X, dtype=np.float64))
        new = kernel.prepare_new(known, scaled)
        if center and not self.scoring.centers_new and known.moved:
            # Dot products are centred by moving the points: the new one stays.
            new = replace(new, X=new.X + known.shift)

        def cross(rows: slice, columns: Array | None) -> Array:
            right = known if columns is None else known.take(columns)
            return kernel.block(new.take(rows), right)

        return cross
