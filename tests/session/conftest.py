"""A short way to ask for an analysis, and a cache that counts what it makes."""

from collections import Counter

import pytest

from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)


class CountingCache(StageCache):
    """Counts how often every stage was made anew."""

    def __init__(self):
        super().__init__()
        self.made = Counter()

    def get(self, stage, key, make):
        def counted():
            self.made[stage] += 1
            return make()

        return super().get(stage, key, counted)

    def put(self, stage, key, value):
        if stage == "comparison":
            self.made[stage] += 1
        super().put(stage, key, value)


@pytest.fixture
def cache():
    return CountingCache()


@pytest.fixture
def request_for():
    """Build a request: values of kernel parameters by name, the rest by part."""

    def make(
        source="circles",
        family="rbf",
        *,
        opened=(),
        values=(),
        scaling="none",
        seed=0,
        analysis=None,
        view=None,
        moving=False,
        **parameters,
    ):
        settings = SessionSettings(
            DataSettings(source, as_values(dict(values)), seed, scaling),
            KernelSettings(family, as_values(parameters)),
            AnalysisSettings(**(analysis or {})),
            ViewSettings(**(view or {})),
        )
        opened = {data.name: data for data in opened}
        return AnalysisRequest(settings, opened, moving=moving)

    return make


@pytest.fixture
def analysed(request_for, cache):
    """Run a request through the cache of the test."""

    def analyse(*args, **kwargs):
        return run(request_for(*args, **kwargs), cache)

    return analyse
