"""What is said of a lift follows from numbers."""

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.features.lift.compute import lifted_space, separation
from kpca_viewer.features.lift.text import best_component, caption
from kpca_viewer.support.numerals import percent
from tests.core.reference import circles

X, LABELS = circles(200)


def made(lift, kernel=None, center=True, data=None):
    settings = SessionSettings(
        kernel=kernel or LIFTS[lift].settings, analysis=AnalysisSettings(center=center)
    )
    result = analyse(data or Dataset(X, LABELS), settings)
    return result, lifted_space(result, LIFTS[lift], (1, 2, 3))


def words(lift, height=1.0, **options):
    result, space = made(lift, **options)
    return caption(result, space, height, separation(result, space))


def test_the_rings_separate_along_the_component_that_is_measured():
    result, space = made("paraboloid")
    told = separation(result, space)
    alone = [found.balanced_accuracy for found in told.predictions]
    assert alone[2] == 1.0
    assert max(alone[:2]) < 0.8
    assert best_component(told) == (
        "PC 3 tells the classes apart best: 100 %, guessing 50 %."
    )


def test_without_classes_or_without_a_difference_nothing_is_said():
    assert separation(*made("paraboloid", data=Dataset(X))) is None
    mixed = np.random.default_rng(1).integers(0, 2, len(X))
    assert "apart" not in words("paraboloid", data=Dataset(X, mixed))
    one = Dataset(X, np.zeros(len(X), dtype=int))
    assert "apart" not in words("paraboloid", data=one)


@pytest.mark.journey
def test_whose_components_they_are():
    assert words("paraboloid").startswith(
        "Arrows: PC 1–3 of the paraboloid kernel, around the mean. PC 3"
    )
    assert words("paraboloid", kernel=KernelSettings("rbf")).startswith(
        "Arrows: PC 1–3 of these points, around the mean; the RBF kernel has another"
    )
    assert "Drawn: three of 6 coordinates." in words("offset_square")


@pytest.mark.journey
def test_directions_of_an_infinite_map_are_never_called_the_feature_space():
    result, space = made("components", KernelSettings("rbf", (("gamma", 2.0),)))
    told = caption(result, space, 1.0, None)
    share = percent(float(result.shares[:3].sum()), 0)
    assert told == f"Three of infinitely many directions, {share} of the variance."
    finite = words("components", kernel=KernelSettings("paraboloid"))
    assert finite.startswith("All 3 directions, 100 % of the variance.")
    cubic = KernelSettings("poly", (("coef0", 1.0), ("degree", 3.0), ("gamma", 1.0)))
    assert words("components", kernel=cubic).startswith("Three of 10 directions, ")


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize(
    ("height", "told"),
    [(0.0, "The plane itself."), (0.4, "40 % of the way from the plane to φ.")],
)
def test_on_the_way_up_it_says_so_and_claims_nothing(lift, height, told):
    kernel = KernelSettings("rbf") if lift == "components" else None
    said = words(lift, height, kernel=kernel)
    assert said.startswith(f"{told} Arrows: components of what is drawn.")
    assert "apart" not in said
    assert "kernel" not in said


def test_without_centring_the_arrows_start_elsewhere():
    told = words("paraboloid", center=False)
    assert "kernel, from the origin (not centred)." in told
    assert "origin" not in words("paraboloid")


def test_points_in_one_place():
    same = Dataset(np.ones((3, 2)))
    assert words("paraboloid", data=same).startswith("All points lie in one place")
