"""The first picture, and what of a kernel goes along to other data."""

from dataclasses import replace

import pytest

from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.session.analysis import AnalysisRequest, run
from kpca_viewer.session.beginning import (
    first_session,
    for_other_data,
    news_of_kernel,
)
from kpca_viewer.session.settings import DataSettings, KernelSettings, as_values
from kpca_viewer.session.words.verdict import verdict

FIRST = first_session()
MOONS = DataSettings("moons")


def test_the_first_picture_shows_what_plain_pca_cannot(cache):
    result = run(AnalysisRequest(FIRST), cache)
    assert result.comparison.kernel.linear_accuracy == 1
    assert result.comparison.linear.linear_accuracy < 0.6
    assert "what plain PCA cannot" in verdict(result.comparison, 1.0)


@pytest.mark.parametrize(
    ("family", "values", "kept"),
    [
        ("rbf", {"gamma": 3}, {}),
        ("poly", {"gamma": 3, "degree": 2, "coef0": 0}, {"degree": 2, "coef0": 0}),
        ("matern", {"length_scale": 3, "nu": 0.5}, {"nu": 0.5}),
        ("linear", {}, {}),
    ],
)
def test_what_measures_distances_is_suggested_anew(family, values, kept):
    kernel = KernelSettings(family, as_values(values))
    assert for_other_data(kernel) == KernelSettings(family, as_values(kept))


def test_what_was_left_behind_is_said():
    kernel = KernelSettings("rbf", (("gamma", 2.5),))
    old = replace(FIRST, kernel=kernel)
    new = replace(old, data=MOONS, kernel=for_other_data(kernel))
    assert news_of_kernel(old, new) == (
        "γ is the value suggested for Moons now; γ = 2.5 was for Circles."
    )
    columns = replace(new, data=replace(old.data, seed=3))
    assert "suggested for the new columns now" in news_of_kernel(old, columns)


def test_nothing_is_said_where_nobody_has_set_a_value():
    new = replace(FIRST, data=MOONS, kernel=KernelSettings("rbf"))
    assert news_of_kernel(FIRST, new) == ""
    assert news_of_kernel(replace(FIRST, kernel=KernelSettings("rbf")), new) == ""
    old = replace(FIRST, kernel=KernelSettings("rbf", (("gamma", 2.5),)))
    assert news_of_kernel(old, replace(old, data=replace(old.data, seed=3))) == ""
    matrix = DataSettings("k.csv", importing=ImportSettings(matrix="kernel"))
    assert news_of_kernel(old, replace(new, data=matrix)) == ""
