"""What is computed only for whoever looks at it, after the picture can be seen.

Pages that show something of their own, and arrows in the embedding. All of it is put
off while a hand moves, and found again where it was computed before.
"""

from collections.abc import Callable
from dataclasses import replace

from kpca_viewer.session import rebuilding
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.meaning import drawn_arrows, found
from kpca_viewer.session.odd_rows import measuring, remembering
from kpca_viewer.session.reality import finding, moves
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.stages import Prepared
from kpca_viewer.support.progress import Progress, ShouldStop, check

Publish = Callable[[AnalysisResult], None]


def is_put_off(request: AnalysisRequest, n: int) -> bool:
    """Return whether something waits until the slider rests."""
    view = request.settings.view
    wanted = (
        found.is_wanted(request)
        or drawn_arrows.is_wanted(view)
        or moves.are_wanted(view)
        or finding.is_page(request)
    )
    later = rebuilding.is_put_off(request, n) or measuring.is_list_put_off(request, n)
    return later or (request.moving and wanted)


def shows_more(page: str) -> bool:
    """Return whether a page shows what is computed for nobody else."""
    pages = rebuilding.PAGE, found.PAGE, measuring.PAGE, measuring.TABLE, finding.PAGE
    return page in pages


def lacks(result: AnalysisResult, page: str) -> bool:
    """Return whether a page in front would show something that is not there yet."""
    if page == rebuilding.PAGE:
        return result.rebuilding is None
    if page == finding.PAGE:
        return result.reality is None
    if page in (measuring.PAGE, measuring.TABLE):
        return (result.odd_list if page == measuring.PAGE else result.odd) is None
    if page != found.PAGE or result.settings.view.columns != "influence":
        return False
    return result.columns is None or not result.columns.is_complete


def with_known(
    result: AnalysisResult,
    prepared: Prepared,
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
) -> AnalysisResult:
    """Return the result with what was computed before, and with what is quick.

    Raises
    ------
    Cancelled
    """
    if rebuilding.is_wanted(request):
        parts = rebuilding.known_rebuilding(prepared, request.settings, cache)
        result = replace(result, rebuilding=parts)
    if found.is_wanted(request):
        result = replace(result, columns=found.known_columns(result, cache))
    if drawn_arrows.is_wanted(request.settings.view):
        result = replace(result, arrows=drawn_arrows.known_arrows(result, cache))
    if measuring.are_wanted(request):
        result = remembering.with_odd_rows(result, cache, should_stop)
        if measuring.is_list_wanted(request):
            result = replace(result, odd_list=remembering.known_list(result, cache))
    if moves.are_wanted(request.settings.view):
        result = replace(result, moves=moves.known_moves(result, cache))
    if request.page:
        result = replace(result, reality=finding.known_reality(result, cache))
    return result


def completed(
    result: AnalysisResult,
    prepared: Prepared,
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
    publish: Publish,
) -> AnalysisResult:
    """Compute what is still missing, and publish every piece as it comes.

    Raises
    ------
    KpcaError
    Cancelled
    """
    if is_put_off(request, prepared.dataset.n):
        return result

    def show() -> None:
        publish(result)
        check(should_stop)

    if drawn_arrows.is_wanted(request.settings.view) and result.arrows is None:
        show()
        shown = drawn_arrows.find_arrows(result, cache, should_stop, progress)
        result = replace(result, arrows=shown)
    if rebuilding.is_wanted(request) and result.rebuilding is None:
        show()
        made = rebuilding.rebuilding(
            prepared, request.settings, cache, should_stop, progress
        )
        result = replace(result, rebuilding=made)
    if found.is_wanted(request) and lacks(result, found.PAGE):
        for columns in found.finding_columns(result, cache, should_stop, progress):
            show()
            result = replace(result, columns=columns)
    if measuring.is_list_wanted(request) and result.odd_list is None:
        show()
        listed = remembering.odd_list(result, cache, should_stop, progress)
        result = replace(result, odd_list=listed)
    if moves.are_wanted(request.settings.view) and result.moves is None:
        show()
        if moves.are_possible(result):
            moved = moves.find_moves(result, prepared, cache, should_stop, progress)
            result = replace(result, moves=moved)
    if result.reality is None and finding.is_wanted(request, result):
        if request.moving:
            # The caption may have to warn once the slider rests.
            return replace(result, at_rest=False)
        show()
        compared = finding.find_reality(result, cache, should_stop, progress)
        result = replace(result, reality=compared)
    return result
