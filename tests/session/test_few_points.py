"""Every count that is too small for a picture has its sentence."""

import numpy as np
import pytest

from kpca_viewer.data.drawn import SOURCE, Drawn
from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.settings import AnalysisSettings, DataSettings, SessionSettings
from kpca_viewer.engine.text.remarks import about_equal, about_equal_linear, about_few
from kpca_viewer.features.derivation.compute import derive
from kpca_viewer.features.derivation.explanations import of_new_score
from tests.session.derivation.conftest import result_of


def words(cache, places, center=True):
    data = DataSettings(SOURCE, drawn=Drawn().added(places, 0))
    settings = SessionSettings(data, analysis=AnalysisSettings(center=center))
    return about_few(run(AnalysisRequest(settings), cache))


@pytest.mark.parametrize(
    ("places", "wanted"),
    [
        ([(1, 2)], "One point has no variance; add a second."),
        ([(1, 2), (3, 4)], "Two points have one component at most."),
        (
            [(1, 2)] * 2,
            "Both points are at one place: there is no variance; move one.",
        ),
        (
            [(1, 2)] * 4,
            "All 4 points are at one place: there is no variance; move one.",
        ),
        ([(1, 2), (3, 4), (5, 6)], ""),
    ],
)
def test_few_points_are_told(cache, places, wanted):
    assert words(cache, places) == wanted


def test_nothing_is_said_where_the_mean_counts(cache):
    assert words(cache, [(1, 2)], center=False) == ""


@pytest.mark.parametrize("family", ["linear", "paraboloid", "rbf"])
def test_equal_rows_have_no_share(family):
    result = result_of([(0.3, 0.7)] * 30, family)
    assert about_equal(result) == "No variance: all rows are equal"
    assert about_equal_linear(result.linear) == "No variance: all rows are equal"
    assert np.isnan(result.shares).all()
    assert not result.scores.any()
    assert result.comparison.kernel.trustworthiness is None


def test_one_row_and_rows_that_differ():
    one, two = result_of([(1, 2)]), result_of([(1, 2), (3, 4)])
    assert about_equal(one) == "No variance: there is one row"
    assert about_equal_linear(one.linear) == "No variance: there is one row"
    assert about_equal(two) == about_equal_linear(two.linear) == ""
    assert about_equal(result_of([(1, 2)] * 3, analysis={"center": False})) == ""


def test_the_kernel_may_not_see_how_rows_differ():
    result = result_of([(1, 0), (2, 0), (4, 0)], "cosine")
    assert about_equal(result) == "No variance: to the kernel all rows are equal"
    assert about_equal_linear(result.linear) == ""


def test_a_new_point_beside_equal_rows_has_the_score_that_is_explained():
    result = result_of([(0.3, 0.7)] * 30, gamma=1, analysis={"centers_new": False})
    explained = of_new_score(derive(result, (), ((2.0, -1.0),)), 0, 0)
    assert explained.title.endswith("= 0")
    assert "μ₁ is not above 0: every α is 0, and so is the score." in explained.lines
