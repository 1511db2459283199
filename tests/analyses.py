"""A short way to a result with everything that features add to it."""

from dataclasses import replace
from typing import Any

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features import registry
from tests.memory import memory


@memory.remembering
def analysed(
    settings: SessionSettings,
    dataset: Dataset | None = None,
    cache: StageCache | None = None,
    **request: Any,
) -> AnalysisResult:
    """Analyse settings, or a data set under them; computed once without a cache."""
    opened = {}
    if dataset is not None:
        opened = {dataset.name: dataset}
        settings = replace(settings, data=DataSettings(dataset.name))
    asked = AnalysisRequest(settings, opened, **request, stages=registry.stages())
    return run(asked, cache or StageCache())
