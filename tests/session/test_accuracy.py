"""How exactly is computed: many rows in steps, and roughly while a hand moves."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kpca_viewer.core.solvers import Problem
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import generate
from kpca_viewer.engine import analysis, decomposition, forecast
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.grid import has_fine_grid
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from tests.many_rows import flat_rows, let_few_be_many


@pytest.fixture
def few_are_many(monkeypatch):
    let_few_be_many(monkeypatch)


def flat_request(**changes):
    data = Dataset(flat_rows(), name="flat")
    settings = SessionSettings(data=DataSettings("flat"))
    return AnalysisRequest(replace(settings, **changes), {"flat": data})


def rbf(gamma):
    return KernelSettings("rbf", as_values({"gamma": gamma}))


@pytest.mark.usefixtures("few_are_many")
def test_a_draft_comes_first_and_is_of_the_same_picture():
    published = []
    result = run(flat_request(), StageCache(), publish=published.append)
    draft, *_, scored = published
    assert (draft.decomposition.rank, result.decomposition.rank) == (96, 120)
    assert draft.decomposition.error > result.decomposition.error
    assert draft.scores.shape == result.scores.shape
    assert draft.linear is result.linear
    assert scored.decomposition is result.decomposition
    for axis in range(2):
        a, b = draft.scores[:, axis], result.scores[:, axis]
        assert abs(a @ b) > 0.98 * np.linalg.norm(a) * np.linalg.norm(b)


@pytest.mark.usefixtures("few_are_many")
def test_more_digits_are_offered_and_come_when_asked_for():
    request = flat_request()
    result = run(request, StageCache())
    assert result.decomposition.certificate == "statistical"
    assert "with probability 1 − 10⁻⁹" in result.certificate
    refinement = result.refinement
    assert refinement.solver == "krylov"
    assert refinement.cost.startswith("about ")
    settings = request.settings.with_refinement(True)
    refined = run(replace(request, settings=settings), StageCache())
    assert refined.decomposition.error <= 1e-6
    assert refined.refinement is None
    assert "probability" not in refined.certificate


@pytest.mark.usefixtures("few_are_many")
def test_what_a_hand_leaves_turns_at_once_and_stays_so_while_it_is_refined(monkeypatch):
    for module in (forecast, analysis, decomposition):
        monkeypatch.setattr(module, "MOVING_FROM", 2000)
    request, cache = flat_request(kernel=rbf(0.03)), StageCache()
    run(replace(request, settings=replace(request.settings, kernel=rbf(0.06))), cache)
    moved = run(replace(request, moving=True), cache)
    published = []
    result = run(request, cache, publish=published.append)
    left, *better = (*published, result)
    assert left.decomposition.rank == moved.decomposition.rank
    np.testing.assert_allclose(np.abs(left.scores), np.abs(moved.scores))
    assert (np.einsum("ij,ij->j", left.scores, moved.scores) < 0).any()
    for before, after in pairwise((left, *better)):
        assert before.pairs is after.pairs is moved.pairs
        assert (np.einsum("ij,ij->j", before.scores, after.scores) > 0).all()


def test_few_rows_have_all_digits():
    settings = SessionSettings(data=DataSettings("moons"))
    result = run(AnalysisRequest(settings), StageCache())
    assert result.refinement is None


def test_a_drag_of_many_rows_is_rough_until_the_hand_rests():
    values = as_values({"samples": 4000})
    settings = SessionSettings(data=DataSettings("circles", values))
    cache = StageCache()
    moving = run(AnalysisRequest(settings, moving=True), cache)
    assert not moving.at_rest
    assert 1e-6 < moving.decomposition.error <= 1e-2
    resting = run(AnalysisRequest(settings), cache)
    assert resting.at_rest
    assert resting.decomposition.error <= 1e-6
    # What is known already is not computed roughly once more.
    again = run(AnalysisRequest(settings, moving=True), cache)
    assert again.decomposition.error <= 1e-6


def test_what_is_asked_for():
    gram = type("Rows", (), {"n": forecast.LARGE_FROM})()
    problem = Problem(gram, 3)
    asked = forecast.asked(problem, refined=False, moving=False)
    assert (asked.tol, asked.most_landmarks) == (1e-3, forecast.PATIENT_RANK)
    refined = forecast.asked(problem, refined=True, moving=False)
    assert (refined.tol, refined.most_landmarks) == (1e-6, None)
    assert forecast.asked(problem, refined=True, moving=True).tol == 1e-2
    gram.n = 1000
    few = forecast.asked(problem, refined=False, moving=True)
    assert (few.tol, few.most_landmarks) == (1e-6, None)
    assert len(generate("circles").points) < forecast.MOVING_FROM


def test_plane_data_keep_their_landmarks_for_isolines():
    values = as_values({"samples": 2000})
    settings = SessionSettings(data=DataSettings("circles", values), kernel=rbf(10.0))
    result = run(AnalysisRequest(settings), StageCache())
    assert result.decomposition.landmark_map is not None
    assert has_fine_grid(result)
