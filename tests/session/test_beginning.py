"""The first picture, and what of a kernel goes along to other data."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.claims.verdict import verdict
from kpca_viewer.engine.initial_session import (
    first_session,
    for_other_data,
    is_of_example,
    kept_words,
    kernel_for,
    kernel_of_example,
    kernel_of_family,
    news_of_kernel,
)
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)

FIRST = first_session()
MOONS = DataSettings("moons")


def test_the_first_picture_shows_what_plain_pca_cannot(cache):
    result = run(AnalysisRequest(FIRST), cache)
    assert result.comparison.kernel.linear_accuracy == 1
    assert result.comparison.linear.linear_accuracy < 0.6
    assert "what plain PCA cannot" in verdict(result.comparison).text


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


def test_the_polynomial_of_a_plane_example_is_the_one_of_lectures():
    square = KernelSettings("poly", as_values({"gamma": 1, "degree": 2, "coef0": 1}))
    assert kernel_of_family("poly", "circles") == square
    for source in ("wine", "swiss_roll", "wines.csv", "drawn"):
        assert kernel_of_family("poly", source) == KernelSettings("poly")
    assert kernel_of_family("rbf", "circles") == KernelSettings("rbf")
    on_rings = replace(FIRST, kernel=square)
    assert kernel_for("moons", on_rings) == square
    assert dict(kernel_for("wine", on_rings).values) == {"degree": 2, "coef0": 1}


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


def example(source):
    """Return the settings with which a worked example opens."""
    data = DataSettings.of_source(source)
    return SessionSettings(data=data, kernel=kernel_for(source, FIRST))


def gram(result):
    points = result.points
    return np.asarray(result.kernel.block(points, points))


def test_the_three_points_open_with_the_kernel_of_their_text(cache):
    result = run(AnalysisRequest(example("three_points")), cache)
    assert gram(result) == pytest.approx(np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]]))
    assert result.decomposition.eigenvalues[0] == pytest.approx(4 / 3)
    first = result.scores[:, 0] * np.sign(result.scores[0, 0])
    assert first == pytest.approx([0.4714, -0.9428, 0.4714], abs=5e-5)
    plain = run(AnalysisRequest(example("three_points").with_center(False)), cache)
    assert plain.decomposition.eigenvalues[:2] == pytest.approx([2, 1])


def test_the_rising_points_have_the_matrix_that_guides_print_wrongly(cache):
    result = run(AnalysisRequest(example("rising_points")), cache)
    wanted = [[36, 144, 324], [144, 676, 1600], [324, 1600, 3844]]
    assert gram(result) == pytest.approx(np.array(wanted))


def test_two_rings_of_four_points_have_their_eigenvalues(cache):
    result = run(AnalysisRequest(example("two_rings")), cache)
    wanted = [1.5314, 1.5314, 1.2157, 0.6722, 0.3329, 0.3329, 0.1476]
    assert result.decomposition.eigenvalues == pytest.approx(wanted, abs=5e-5)


def test_points_on_a_line_seem_to_have_two_halves(cache):
    result = run(AnalysisRequest(example("points_on_a_line")), cache)
    first = np.sort(result.scores[:, 0])
    assert np.diff(first).max() / np.ptp(first) == pytest.approx(0.333, abs=5e-4)


def test_an_example_takes_its_kernel_away_when_it_is_left():
    three = example("three_points")
    assert is_of_example(three)
    had = KernelSettings("laplacian", (("gamma", 3.0),))
    assert kernel_for("moons", three, had) == KernelSettings("laplacian")
    assert kernel_for("moons", three) == KernelSettings()
    # From example to example, and with a kernel that the person has chosen since.
    assert kernel_for("two_rings", three) == kernel_of_example("two_rings")
    chosen = replace(three, kernel=KernelSettings("poly", (("degree", 5.0),)))
    assert not is_of_example(chosen)
    assert kernel_for("moons", chosen, had) == chosen.kernel


def test_what_an_example_brings_is_said():
    three = example("three_points")
    assert news_of_kernel(FIRST, three) == (
        "Three points: an example with k(x, y) = (xᵀy)²."
    )
    assert kept_words(FIRST, three) == "RBF (Gaussian)"
    assert news_of_kernel(three, three) == ""
    assert news_of_kernel(three, replace(FIRST, data=MOONS)) == ""
    rings = example("two_rings")
    assert kept_words(FIRST, rings) == "γ = 4"
    assert kept_words(replace(FIRST, kernel=KernelSettings()), rings) == (
        "suggested values"
    )


def test_what_an_example_has_already_is_not_to_be_kept():
    three, rising = example("three_points"), example("rising_points")
    assert kept_words(three, rising) == "c = 0"
    assert kept_words(rising, three) == "c = 1"
    cubic = replace(three, kernel=KernelSettings("poly", (("coef0", 0.0),)))
    assert kept_words(cubic, three) == "suggested γ, p = 3"
    # Values that are left out are those that the family begins with.
    plain = replace(three, kernel=KernelSettings("poly", (("gamma", 1.0),)))
    three_too = replace(three, kernel=kernel_of_example("rising_points"))
    assert kept_words(plain, replace(rising, kernel=three_too.kernel)) == "p = 3"
    assert news_of_kernel(three_too, rising) == ""


def test_kernels_of_examples_can_be_made():
    for generator in GENERATORS.values():
        kernel = kernel_of_example(generator.key)
        if kernel is not None:
            data = DataSettings.of_source(generator.key)
            assert is_of_example(SessionSettings(data=data, kernel=kernel))
