"""Some of very many rows, before all of them are passed over."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine import sketch as module
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from kpca_viewer.support.progress import never, silent

MOONS = SessionSettings(DataSettings("moons", as_values({"samples": 900})))
WIDER = replace(MOONS, kernel=MOONS.kernel.with_value("gamma", 2.5))


@pytest.fixture(autouse=True)
def few_rows_are_many(monkeypatch):
    for name, rows in (("FROM_ROWS", 350), ("SHOWN", 300), ("FITTED", 150)):
        monkeypatch.setattr(module, name, rows)


def sketched(settings, cache, **request):
    """Return the sketches of an analysis, and its result."""
    found = []
    asked = AnalysisRequest(settings, **request)
    result = run(asked, cache, never, silent, publish_sketch=found.append)
    return found, result


def test_a_sketch_has_some_rows_about_where_all_rows_put_them():
    cache = StageCache()
    first, before = sketched(MOONS, cache)
    (found,), result = sketched(WIDER, cache, moving=True)
    # Which way round a first picture is, all of its rows decide.
    assert first == []
    assert found.dataset is before.dataset is result.dataset
    assert len(np.unique(found.rows)) == 300
    exact = result.scores[found.rows, :2]
    for some, every in zip(found.scores.T[:2], exact.T, strict=True):
        # Not the same: a model of other rows, of which no error is known.
        assert 0.95 < np.corrcoef(some, every)[0, 1] < 1 - 1e-9
        assert some.std() == pytest.approx(every.std(), rel=0.2)


def test_what_is_known_needs_no_sketch():
    cache = StageCache()
    sketched(MOONS, cache)
    sketched(WIDER, cache)
    assert sketched(MOONS, cache)[0] == []


@pytest.mark.parametrize(
    ("family", "scoring"), [("sigmoid", {}), ("rbf", {"normalised": False})]
)
def test_kernels_and_scores_without_a_model_of_few_rows_have_none(family, scoring):
    cache, analysis = StageCache(), replace(MOONS.analysis, **scoring)
    data = DataSettings("moons", as_values({"samples": 400}))
    settings = replace(MOONS, data=data, analysis=analysis)
    sketched(settings, cache)
    kernel = replace(WIDER.kernel, family=family, values=())
    if family == "rbf":
        kernel = WIDER.kernel
    assert sketched(replace(settings, kernel=kernel), cache)[0] == []
