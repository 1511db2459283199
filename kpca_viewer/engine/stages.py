"""The stages that an analysis and a sweep share, each remembered by its inputs.

dataset → points that the kernel sees → kernel → its matrix.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.kernels.pair_values import PairValues
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram, pairwise_base
from kpca_viewer.core.linalg.products import Gram
from kpca_viewer.core.methods.kernel_suggestion import Suggestion, by_median, suggested
from kpca_viewer.core.orientation import SPARE
from kpca_viewer.data.dataset import Dataset, without
from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.data.importing import (
    ImportSettings,
    guess_import,
    read_features,
    taken,
    to_dataset,
)
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.data.reading import EvictedTable
from kpca_viewer.data.table import Table
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.rows.groups import with_groups
from kpca_viewer.engine.rows.row_set import Excluded
from kpca_viewer.engine.settings import DataSettings, Rule, SessionSettings
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent

BASE_UP_TO = 3000
"""Points up to which the pairwise base is kept for the next value of γ."""

LARGEST_VALUE = 1e100
"""Beyond, squares of many such values overflow, those inside the scaling too."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that is known before the kernel matrix."""

    dataset: Dataset
    scaler: Scaler
    points: Points
    """The (scaled) points that the kernel sees."""
    suggestion: Suggestion
    """Parameter values that suit these data, and why."""
    kernel: Kernel | None
    """None for a given matrix."""
    keeps_suggestion: bool = False
    """Whether the suggestion is that of a moment ago, because a hand moves."""


@dataclass(frozen=True, eq=False)
class SameArray:
    """An array as part of a key: equal to itself alone."""

    array: Array | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameArray) and self.array is other.array

    def __hash__(self) -> int:
        return id(self.array)


def find_dataset(
    request: AnalysisRequest, cache: StageCache, should_stop: ShouldStop = never
) -> Dataset:
    """Return the data that are analysed; as `find_rows` does."""
    return find_rows(request, cache, should_stop)[1]


def find_rows(
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> tuple[Dataset, Dataset]:
    """Return all rows of the data, and those kept; what was evicted is read again."""
    data, stamp = request.settings.data, ""
    source = None if data.drawn is not None else request.opened.get(data.source)
    if isinstance(source, EvictedTable):
        source = source.read(should_stop, progress)
    if isinstance(source, Dataset):
        whole = source
    elif source is not None:
        whole = _imported(source, data.importing or guess_import(source), cache)
        stamp = source.content_hash
    else:
        whole = _generated(data, cache)
    kept: Dataset = whole
    if (excluded := data.excluded) is not None:
        kept = cache.get(
            "rows", (whole, excluded, stamp), lambda: _without(whole, excluded, stamp)
        )
    if not data.groups:
        return whole, kept
    # Last of all: they leave the points as they are, and with them every later stage.
    shown: Dataset = cache.get(
        "groups",
        (whole, kept, data.groups, stamp),
        lambda: with_groups(whole, kept, data.groups, stamp),
    )
    return whole, shown


def _without(whole: Dataset, excluded: Excluded, stamp: str) -> Dataset:
    mask, missing = excluded.find(whole, stamp)
    kept = without(whole, mask)
    if not missing:
        return kept
    rows = "1 row that was" if missing == 1 else f"{missing:,} rows that were"
    todo = "kept" if excluded.only else "left out"
    return replace(kept, lost=(f"{rows} chosen to be {todo}",))


def _generated(data: DataSettings, cache: StageCache) -> Dataset:
    made: Dataset
    if data.drawn is not None:
        made = cache.get("dataset", data.drawn, data.drawn.dataset)
        return made
    if data.source not in GENERATORS:
        raise DataError(
            f"The data set “{data.source}” is not open; open it again or choose "
            "another."
        )
    key = (data.source, data.values, data.seed)
    made = cache.get(
        "dataset",
        key,
        lambda: generate(data.source, seed=data.seed, **dict(data.values)),
    )
    return made


def _imported(table: Table, importing: ImportSettings, cache: StageCache) -> Dataset:
    """Return a table as data; a label or a name more leaves the points as they are."""

    def make() -> Dataset:
        key, made = (table, importing.of_features()), taken(table, importing)
        if made is not None:
            cache.get("features", key, lambda: made.features)
            return made.dataset
        features = cache.get("features", key, lambda: read_features(table, importing))
        return to_dataset(table, importing, features)

    found: Dataset = cache.get("imported", (table, importing), make)
    return found


def prepare(
    dataset: Dataset,
    settings: SessionSettings,
    cache: StageCache,
    should_stop: ShouldStop = never,
    *,
    moving: bool = False,
) -> Prepared:
    """Return the points of some data, what suits them and the kernel that is chosen.

    ``moving``: whether a slider of the data is being dragged: what suited the same
    source a moment ago is kept until the hand rests.
    """
    scaler, points = _points(dataset, settings, cache)
    check(should_stop)
    about = _SuggestionKey.of(dataset, points, settings)
    kept = about.kept(cache) if moving else None
    suggestion = kept or _suggestion(about, cache, should_stop)
    kernel = None
    if dataset.kind == "points":
        values = {**suggestion.values, **dict(settings.kernel.values)}
        kernel = Kernel(settings.kernel.family, **values)
        if kernel.family.normalise:
            _refuse_rows_without_length(dataset, points, kernel, scaler)
    return Prepared(dataset, scaler, points, suggestion, kernel, kept is not None)


def _refuse_rows_without_length(
    dataset: Dataset, points: Points, kernel: Kernel, scaler: Scaler
) -> None:
    """Name the row as the window does: the kernel counts those it is given from 0."""
    zero = np.flatnonzero(points.squared_norms == 0)
    if zero.size:
        row = int(zero[0])
        name = str(dataset.row_number(row))
        if dataset.row_names is not None:
            name = f"{name} ({dataset.row_names[row]})"
        scaled = "" if scaler.how == "none" else " after scaling"
        raise KernelError(
            f"The {kernel.family.title.lower()} kernel is not defined for row {name}, "
            f"which is all zeros{scaled}; leave it out or choose another kernel."
        )


def suggested_for(
    dataset: Dataset, settings: SessionSettings, cache: StageCache
) -> Mapping[str, float]:
    """Return the parameter values that suit some data; none for no known kernel."""
    _, points = _points(dataset, settings, cache)
    try:
        about = _SuggestionKey.of(dataset, points, settings)
        return _suggestion(about, cache, never).values
    except KernelError:
        return {}


def find_gram(
    prepared: Prepared,
    solver: str,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
    *,
    center: bool = False,
) -> Gram:
    """Return the kernel matrix, with its base where the solver reads it all."""
    dataset, points, kernel = prepared.dataset, prepared.points, prepared.kernel
    if kernel is None:
        make = (
            MatrixGram.from_kernel
            if dataset.kind == "kernel"
            else MatrixGram.from_distances
        )
        key = SameArray(dataset.points)
        return cache.get("gram", key, lambda: make(dataset.points))
    seen = kernel.prepare_training(points, center=center)
    kernel.refuse_overflow(seen)
    base = None
    # Low rank asks for a few hundred rows only; a base would cost more than it saves.
    whole = solver not in ("auto", "lowrank") or not kernel.psd
    if whole and len(points) <= BASE_UP_TO:
        base = cache.get(
            "base",
            (
                points,
                kernel.family.base,
                kernel.family.normalise,
                kernel.family.lift,
                seen.moved,
                seen.by_differences,
            ),
            lambda: pairwise_base(kernel, seen, should_stop, progress),
        )
    return PointsGram(seen, kernel, base)


def rows_matrix(prepared: Prepared, rows: Array, *, center: bool) -> Array:
    """Return K of some rows (m, m), which is still to be centred if it will be."""
    dataset, kernel = prepared.dataset, prepared.kernel
    if kernel is None:
        K = np.array(dataset.points[np.ix_(rows, rows)], dtype=np.float64)
        return -0.5 * np.square(K) if dataset.kind == "distances" else K
    seen = kernel.prepare_training(prepared.points.take(rows), center=center)
    kernel.refuse_overflow(seen)
    return np.asarray(kernel.block(seen, seen), dtype=np.float64)


def find_pairs(prepared: Prepared, cache: StageCache) -> PairValues | None:
    """Return what the kernel is a function of, found once; None for a given matrix."""
    kernel, points = prepared.kernel, prepared.points
    if kernel is None:
        return None
    pairs = known_pairs(prepared, cache)
    if pairs is None:
        pairs = PairValues.of(kernel, points)
        # They are small, and one kernel is often tried after the other and again.
        cache.add("pairs", _pairs_key(prepared), pairs, len(FAMILIES))
    return pairs


def known_pairs(prepared: Prepared, cache: StageCache) -> PairValues | None:
    """Return the same if it was looked at already."""
    known: PairValues | None = cache.peek("pairs", _pairs_key(prepared))
    return known


def _pairs_key(prepared: Prepared) -> Hashable:
    kernel = prepared.kernel
    return prepared.points, None if kernel is None else kernel.family.name


def most_components(
    dataset: Dataset, kernel: Kernel | None, settings: SessionSettings
) -> int:
    """Return how many components the data have.

    n points around their mean leave one dimension empty. Where eigenvalues can be
    negative, the empty one lies among the others, and all of them are shown.
    """
    n = dataset.n
    empty = kernel is not None and kernel.psd and centred(dataset, settings)
    return max(1, n - 1 if empty else n)


def counts(prepared: Prepared, settings: SessionSettings) -> tuple[int, int]:
    """Return how many components are shown, and how many computed."""
    most = most_components(prepared.dataset, prepared.kernel, settings)
    shown = max(1, min(settings.analysis.components, most))
    return shown, min(shown + SPARE, prepared.dataset.n)


def centred(dataset: Dataset, settings: SessionSettings) -> bool:
    """Whether K is centred: classical scaling of distances is so by definition."""
    return settings.analysis.center or dataset.kind == "distances"


def refuse_large_values(dataset: Dataset) -> None:
    """Raise a `DataError` for values whose squares overflow."""
    largest = float(np.abs(dataset.points).max())
    if largest > LARGEST_VALUE:
        raise DataError(
            f"The values reach {largest:.0e}, too large to be squared; divide them by "
            "a power of ten, or remove the rows that hold them."
        )


def _points(
    dataset: Dataset, settings: SessionSettings, cache: StageCache
) -> tuple[Scaler, Points]:
    data = settings.data

    def make() -> tuple[Scaler, Points]:
        if dataset.kind != "points":
            nothing = np.empty((dataset.n, 0))
            return Scaler.learn(nothing, "none"), Points.prepare(nothing)
        refuse_large_values(dataset)
        scaler = Scaler.learn(
            dataset.points, data.scaling, data.column_scaling, dataset.feature_names
        )
        return scaler, Points.prepare(scaler.apply(dataset.points))

    # By the array rather than the data set: other labels of the same points leave
    # everything as it is.
    key: Hashable = SameArray(dataset.points), dataset.kind, data.scaling
    if data.column_scaling:
        key = key, data.column_scaling, dataset.feature_names
    return cache.get("points", key, make)


@dataclass(frozen=True)
class _SuggestionKey:
    """What a suggestion is made of, and the source that it is for."""

    points: Points
    family: str
    rule: Rule
    labels: SameArray
    target: SameArray
    is_table: bool
    source: Hashable = field(compare=False)

    @classmethod
    def of(
        cls, dataset: Dataset, points: Points, settings: SessionSettings
    ) -> "_SuggestionKey":
        data, family = settings.data, settings.kernel.family
        return cls(
            points,
            family,
            settings.kernel.rule,
            SameArray(dataset.labels),
            SameArray(dataset.target),
            dataset.kind == "points",
            (
                data.source,
                data.scaling,
                data.column_scaling,
                settings.kernel.rule,
                family,
            ),
        )

    def kept(self, cache: StageCache) -> Suggestion | None:
        """Return what suited the same source before, if nothing better is known."""
        if cache.peek("suggestion", self) is not None:
            return None
        known: Suggestion | None = cache.peek("latest suggestion", self.source)
        return known


def _suggestion(
    about: _SuggestionKey, cache: StageCache, should_stop: ShouldStop
) -> Suggestion:
    if not about.is_table:
        return Suggestion({})
    family, X = about.family, about.points.X
    if family not in FAMILIES:
        raise KernelError(
            f"There is no kernel “{family}”; choose one of {', '.join(FAMILIES)}."
        )
    labels, target = about.labels.array, about.target.array

    def make() -> Suggestion:
        if about.rule == "median":
            return by_median(family, X)
        return suggested(family, X, labels, target, should_stop)

    found: Suggestion = cache.get("suggestion", about, make)
    cache.put("latest suggestion", about.source, found)
    return found
