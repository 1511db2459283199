"""What lies at a place of the embedding, against plain numpy and the rows."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features.preimage.compute import (
    MOST_COLUMNS,
    PlaceFinder,
    compared_columns,
    why_no_places,
)
from kpca_viewer.features.preimage.text import left_words, reach_words
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import percent
from tests.memory import memory

AXES = (0, 1)


@memory.remembering
def answer(source="wine", family="rbf", values=None, **others):
    data = replace(DataSettings.of_source(source), **others.pop("data", {}))
    kernel = KernelSettings(family, as_values(values or {}))
    settings = SessionSettings(data, kernel, **others)
    return run(AnalysisRequest(settings), StageCache())


@pytest.mark.parametrize("scaling", ["none", "standardise", "minmax"])
@pytest.mark.parametrize("center", [True, False])
def test_a_row_of_the_linear_kernel_comes_back_in_its_own_units(scaling, center):
    result = answer(
        "iris",
        "linear",
        data={"scaling": scaling},
        analysis=AnalysisSettings(components=4, center=center),
    )
    finder = PlaceFinder(result)
    for row in (0, 77):
        scores = result.scores[row]
        place = finder.at(finder.scores_at(AXES, tuple(scores[:2]), "row"), AXES)
        assert place.row == row or np.allclose(result.scores[place.row][:2], scores[:2])
        np.testing.assert_allclose(
            place.values, result.dataset.points[place.row], atol=1e-6
        )
        assert place.lies_here


def test_a_flipped_component_means_the_same_rows():
    result = answer("iris", "linear", view=ViewSettings(flipped=(0,)))
    plain = answer("iris", "linear")
    scores = result.scores[5]
    np.testing.assert_allclose(scores[0], -plain.scores[5][0])
    found = PlaceFinder(result).at(scores, AXES)
    np.testing.assert_allclose(found.values, result.dataset.points[5], atol=1e-6)


def test_scores_that_were_not_divided_mean_the_same_rows():
    analysis = AnalysisSettings(normalised=False)
    result = answer("iris", "linear", analysis=analysis)
    found = PlaceFinder(result).at(result.scores[5].astype(float), AXES)
    np.testing.assert_allclose(found.values, result.dataset.points[5], atol=1e-6)
    np.testing.assert_allclose(found.own, result.scores[5], atol=1e-6)


def test_components_that_are_not_shown_are_held():
    result = answer("wine")
    finder = PlaceFinder(result)
    axes = (2, 0)
    place = (float(result.scores[9, 2]) + 1e-6, float(result.scores[9, 0]))
    held = finder.scores_at(axes, place, "row")
    assert held[2] == place[0]
    assert held[0] == place[1]
    np.testing.assert_array_equal(held[3:], result.scores[9, 3:])
    assert held[1] == result.scores[9, 1]
    mean = finder.scores_at(axes, place, "mean")
    np.testing.assert_allclose(mean[3:], 0, atol=1e-9)
    assert (mean[2], mean[0]) == place


@pytest.mark.parametrize("method", ["auto", "distances", "fixed_point", "ridge"])
def test_values_found_in_a_blob_are_between_its_rows(method):
    result = answer("blobs", values={"gamma": 0.05})
    finder = PlaceFinder(result, method)
    code = result.dataset.labels[0]
    inside = result.dataset.labels == code
    scores = result.scores[inside].mean(axis=0)
    found = finder.at(scores, AXES)
    low, high = (f(result.dataset.points[inside], axis=0) for f in (np.min, np.max))
    assert np.all((found.values > low) & (found.values < high))
    np.testing.assert_allclose(
        found.own, result.project(found.values[None])[0], atol=1e-6
    )


def test_a_place_that_no_row_reaches_says_so():
    result = answer("circles", values={"gamma": 5.0})
    finder = PlaceFinder(result)
    far = finder.at(finder.scores_at(AXES, (3.0, 3.0), "mean"), AXES)
    assert not far.lies_here
    assert far.astray > 0.1 or not far.reachable
    words = reach_words(far, "row 1")
    assert words.startswith(("No row can lie here", "The values found do not lie here"))
    near = finder.at(result.scores[0].astype(float), AXES)
    assert near.reachable
    assert "lies here" in reach_words(near, "row 1")
    assert left_words(near).startswith(("0", "1", "2", "3", "4", "5", "6", "7", "8"))


def test_the_nearest_row_is_as_far_as_it_is_told():
    result = answer("circles", values={"gamma": 5.0})
    finder = PlaceFinder(result)
    place = np.array([0.1, 0.3])
    found = finder.at(finder.scores_at(AXES, tuple(place), "mean"), AXES)
    scores = result.scores[:, list(AXES)].astype(float)
    width = np.ptp(scores, axis=0).max()
    away = np.linalg.norm(scores - place, axis=1) / width
    assert found.row == np.argmin(away)
    assert found.row_away == pytest.approx(away.min())
    assert found.astray == pytest.approx(
        np.linalg.norm(found.own[list(AXES)] - place) / width
    )
    words = reach_words(found, "row 7")
    assert f"{percent(found.astray)} of the picture's width" in words
    assert f"the nearest row, row 7, {percent(away.min())}" in words


@pytest.mark.journey
def test_the_columns_that_differ_most_come_first():
    result = answer("breast_cancer")
    finder = PlaceFinder(result)
    place = finder.at(result.scores[3] * 0.5, AXES)
    compared = compared_columns(place, finder)
    assert len(compared) == MOST_COLUMNS
    X = result.dataset.points
    apart = np.abs(place.values - X[place.row]) / X.std(axis=0)
    assert [c.column for c in compared] == list(np.argsort(-apart)[:MOST_COLUMNS])
    first = compared[0]
    assert first.name == result.dataset.feature_names[first.column]
    assert first.here == place.values[first.column]
    assert first.there == X[place.row, first.column]


@pytest.mark.journey
def test_what_has_no_pre_images_says_so():
    rings = answer("circles", family="poly", values={"degree": 2})
    assert why_no_places(rings, "auto") == ""
    reason = why_no_places(rings, "fixed_point")
    assert "RBF kernel only" in reason
    assert "choose Ridge" in reason
    with pytest.raises(KernelError, match="choose Ridge"):
        PlaceFinder(rings, "fixed_point")
    matrix = replace(rings, kernel=None)
    assert "no columns" in why_no_places(matrix, "auto")
    with pytest.raises(DataError, match="no columns"):
        PlaceFinder(matrix)


@pytest.mark.journey
def test_few_numbers_are_answered_at_once():
    assert PlaceFinder(answer("digits", values={"gamma": 1e-3})).is_quick
