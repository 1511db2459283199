"""Stage: what is computed after the picture, for a page or a view that shows it."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import Progress, ShouldStop, check, never

if TYPE_CHECKING:
    from kpca_viewer.engine.request import AnalysisRequest
    from kpca_viewer.engine.result import AnalysisResult
    from kpca_viewer.engine.settings import ViewSettings
    from kpca_viewer.engine.stages import Prepared

T = TypeVar("T")
Publish = Callable[["AnalysisResult"], None]


@dataclass(frozen=True)
class RowValues:
    """A number of every row, for colour, size, table and export."""

    key: str
    """As in ``ViewSettings.color_by``; a name for files stands behind its colon."""
    symbol: str
    values: Array
    """Shape (n,)."""

    @property
    def name(self) -> str:
        """The name of its column in a file."""
        return self.key.partition(":")[2]


@dataclass(frozen=True, eq=False)
class Extra(Generic[T]):
    """The typed key of what a stage adds to a result, and where else it is shown."""

    name: str
    extend: "Callable[[T, AnalysisResult, Array, ShouldStop], T] | None" = None
    """From what holds for the rows of the data to what holds for new ones (m, d) behind
    them as well."""
    measure: "Callable[[AnalysisResult], T] | None" = None
    """Its value for an export, where no stage has computed it."""
    row_values: Callable[[T], Sequence[RowValues]] | None = None
    row_text: Callable[[T, int], str] | None = None
    """One line about a row, for its tooltip."""
    sentences: Mapping[str, Callable[[T], str]] = field(default_factory=dict)
    """By the key of the plot under which each stands; an empty one is left out."""


@dataclass(frozen=True)
class StageInputs:
    """What a stage is computed from, beside the result so far."""

    request: "AnalysisRequest"
    prepared: "Prepared"
    cache: StageCache
    should_stop: ShouldStop
    progress: Progress


@dataclass(frozen=True, eq=False)
class Stage(Generic[T]):
    """A step of the analysis that is done only where something shows its value."""

    extra: Extra[T]
    known: "Callable[[AnalysisResult, StageInputs], T | None]"
    """What the cache has, and what takes no time; called for every result."""
    compute: "Callable[[AnalysisResult, StageInputs], Iterator[T]] | None" = None
    """The value, perhaps after values that are less complete."""
    pages: tuple[str, ...] = ()
    """Keys of the pages that show it."""
    on_page: "Callable[[ViewSettings], bool]" = lambda view: True
    """Whether such a page shows it now."""
    in_view: "Callable[[ViewSettings], bool]" = lambda view: False
    """Whether something beside a page shows it now."""
    wanted: "Callable[[AnalysisRequest, AnalysisResult], bool] | None" = None
    """Decides instead, where that depends on the result."""
    view_inputs: "Callable[[ViewSettings], Hashable]" = lambda view: None
    """The part of the view that its value depends on."""
    is_complete: Callable[[T], bool] = lambda value: True
    follows: int = 0
    """Rows up to which it is computed while a slider is dragged."""

    def is_shown(self, request: "AnalysisRequest") -> bool:
        """Return whether a page in front or the view shows it."""
        view = request.settings.view
        return self.is_on_page(request.page, view) or self.in_view(view)

    def is_on_page(self, page: str, view: "ViewSettings") -> bool:
        return page in self.pages and self.on_page(view)

    def is_wanted(self, request: "AnalysisRequest", result: "AnalysisResult") -> bool:
        if self.wanted is not None:
            return self.wanted(request, result)
        return self.is_shown(request)

    def waits(self, request: "AnalysisRequest", n: int) -> bool:
        """Return whether it is put off until the slider rests."""
        return (
            self.compute is not None
            and request.moving
            and n > self.follows
            and self.is_shown(request)
        )

    def lacks(self, result: "AnalysisResult") -> bool:
        value = result.get(self.extra)
        return value is None or not self.is_complete(value)


Stages = tuple[Stage[Any], ...]


def needs_stage(stages: Stages, new: "ViewSettings", old: "ViewSettings") -> bool:
    """Return whether another view shows what has to be computed for it."""
    return any(
        stage.view_inputs(new) != stage.view_inputs(old)
        or (stage.in_view(new) and not stage.in_view(old))
        for stage in stages
    )


def page_lacks(stages: Stages, result: "AnalysisResult", page: str) -> bool:
    """Return whether a page would show something that is not there yet."""
    view = result.settings.view
    return any(stage.is_on_page(page, view) and stage.lacks(result) for stage in stages)


def has_stage(stages: Stages, page: str) -> bool:
    return any(page in stage.pages for stage in stages)


def is_put_off(request: "AnalysisRequest", n: int) -> bool:
    return any(stage.waits(request, n) for stage in request.stages)


def add_known(result: "AnalysisResult", inputs: StageInputs) -> "AnalysisResult":
    """Return the result with what was computed before, and with what is quick."""
    for stage in inputs.request.stages:
        value = stage.known(result, inputs)
        if value is not None:
            result = add_extra(
                result, stage.extra, value, inputs.cache, inputs.should_stop
            )
    return result


def complete(
    result: "AnalysisResult", inputs: StageInputs, publish: Publish
) -> "AnalysisResult":
    """Compute what is still missing, and publish every piece as it comes."""
    request = inputs.request
    if is_put_off(request, inputs.prepared.dataset.n):
        return result
    for stage in request.stages:
        if stage.compute is None or not stage.lacks(result):
            continue
        if not stage.is_wanted(request, result):
            continue
        if request.moving and inputs.prepared.dataset.n > stage.follows:
            # Wanted for what the picture shows: it is computed once the slider rests.
            result = replace(result, at_rest=False)
            continue
        publish(result)
        check(inputs.should_stop)
        for value in stage.compute(result, inputs):
            result = add_extra(
                result, stage.extra, value, inputs.cache, inputs.should_stop
            )
            if stage.lacks(result):
                # Before the next value is computed.
                publish(result)
                check(inputs.should_stop)
    return result


def add_row_values(result: "AnalysisResult", stages: Stages) -> "AnalysisResult":
    """Return the result with all numbers of rows that stages can add."""
    cache = StageCache()
    for stage in stages:
        extra = stage.extra
        if extra.measure is not None and result.get(extra) is None:
            result = add_extra(result, extra, extra.measure(result), cache, never)
    return result


def add_extra(
    result: "AnalysisResult",
    extra: Extra[T],
    value: T,
    cache: StageCache,
    should_stop: ShouldStop,
) -> "AnalysisResult":
    """Return the result with a value, for new rows behind those of the data too."""
    joined, new, extend = result.joined, result.new_rows, extra.extend
    if joined is not None and new is not None and extend is not None:
        extended = cache.get(
            f"{extra.name} of new rows",
            (value, new),
            lambda: extend(value, result, new.points, should_stop),
        )
        result = replace(result, joined=joined.with_extra(extra, extended))
    return result.with_extra(extra, value)
