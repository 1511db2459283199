"""Scaling does what its name says, and to new points the same as to the old."""

import numpy as np
import pytest

from kpca_viewer.data.preparation import SCALING_TITLES, Scaler, suggested_scaling
from kpca_viewer.support.errors import DataError


@pytest.fixture
def points():
    random = np.random.default_rng(0)
    return random.normal((5.0, -2.0, 100.0), (1.0, 0.1, 30.0), (50, 3))


def scaled(points, how):
    return Scaler.learn(points, how).apply(points)


def test_as_they_are_means_the_same_array(points):
    assert scaled(points, "none") is points


def test_standardised_columns_have_mean_zero_and_deviation_one(points):
    result = scaled(points, "standardise")
    assert result.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert result.std(axis=0) == pytest.approx(np.ones(3))


def test_minmax_fills_the_interval(points):
    result = scaled(points, "minmax")
    assert result.min(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert result.max(axis=0) == pytest.approx(np.ones(3))


def test_unit_rows_keep_their_direction(points):
    result = scaled(points, "unit")
    assert np.linalg.norm(result, axis=1) == pytest.approx(np.ones(50))
    ratio = points / result
    assert np.allclose(ratio, ratio[:, :1])


@pytest.mark.parametrize("how", ["standardise", "minmax"])
def test_new_points_are_scaled_by_what_was_learnt(points, how):
    scaler = Scaler.learn(points, how)
    assert np.array_equal(scaler.apply(points[7:9]), scaler.apply(points)[7:9])


@pytest.mark.parametrize("how", list(SCALING_TITLES))
def test_constant_columns_and_zero_rows_stay_finite(how):
    points = np.array([[0.0, 0.0], [0.0, 3.0], [0.0, -1.0]])
    before = points.copy()
    result = scaled(points, how)
    assert np.isfinite(result).all()
    assert not result[:, 0].any()
    assert np.array_equal(points, before)


def test_a_zero_row_has_no_direction_and_stays_zero():
    assert not scaled(np.zeros((2, 3)), "unit").any()


def test_an_unknown_scaling_is_refused_with_the_choices(points):
    with pytest.raises(DataError, match=r"“whiten” is not a way to scale.*standardise"):
        Scaler.learn(points, "whiten")


@pytest.mark.parametrize(
    ("spreads", "expected"),
    [
        ((1.0, 20.0), "standardise"),
        ((1.0, 5.0), "none"),
        ((0.0, 5.0), "none"),
        ((0.0, 1.0, 50.0), "standardise"),
    ],
)
def test_very_different_scales_suggest_standardising(spreads, expected):
    column = np.linspace(-1, 1, 30)
    points = np.column_stack([column * spread for spread in spreads])
    assert suggested_scaling(points) == expected


@pytest.mark.parametrize("how", ["none", "standardise", "minmax", "unit"])
def test_gradients_by_scaled_columns_become_those_of_the_data(how):
    X = np.random.default_rng(0).normal(size=(9, 3)) + 1
    scaler = Scaler.learn(X, how)
    w = np.array([0.3, -1.0, 2.0])

    def score(points):
        return np.sin(scaler.apply(points) @ w)

    scaled = np.cos(scaler.apply(X) @ w)[:, None, None] * w
    found = scaler.unscaled_gradient(X, scaled)
    for f, move in enumerate(1e-6 * np.eye(3)):
        wanted = (score(X + move) - score(X - move)) / 2e-6
        assert found[:, 0, f] == pytest.approx(wanted, abs=1e-7)


def test_a_row_of_zeros_keeps_its_gradient_finite():
    scaler = Scaler.learn(np.eye(2), "unit")
    gradient = np.ones((1, 1, 2))
    assert scaler.unscaled_gradient(np.zeros((1, 2)), gradient).tolist() == [[[1, 1]]]
