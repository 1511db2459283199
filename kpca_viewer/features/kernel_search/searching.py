"""What the worker of the window does: the data of a request, and a search over them."""

from collections.abc import Callable

from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.stages import find_dataset
from kpca_viewer.features.kernel_search.choose import choose
from kpca_viewer.support.progress import Progress, ShouldStop


def search(
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
    publish: Callable[[Choice], None],
) -> Choice:
    """Compare all kernels on the data of a request; the same as in Python.

    Raises
    ------
    KpcaError
        A sentence about what is wrong with the data.
    Cancelled
    """
    progress("Data", None)
    dataset = find_dataset(request, cache, should_stop)
    return choose(
        dataset,
        scaling=request.settings.data.scaling,
        publish=publish,
        should_stop=should_stop,
        progress=progress,
    )
