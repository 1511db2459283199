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


COLUMNS = (("a", "log"), ("b", "none"), ("c", "robust"), ("d", "log1p"))
NAMES = ("a", "b", "c", "d", "e")


@pytest.fixture
def table():
    random = np.random.default_rng(1)
    values = random.normal(size=(60, 5))
    values[:, 0], values[:, 3] = np.exp(values[:, 0]), random.poisson(3, 60)
    return values


def test_each_column_has_its_own_scaling(table):
    a, b, c, d, e = Scaler.learn(table, "standardise", COLUMNS, NAMES).apply(table).T
    logs = np.log(table[:, 0])
    assert a == pytest.approx((logs - logs.mean()) / logs.std())
    assert np.array_equal(b, table[:, 1])
    assert np.median(c) == pytest.approx(0, abs=1e-12)
    assert np.subtract(*np.percentile(c, (75, 25))) == pytest.approx(1)
    assert np.corrcoef(d, np.log(1 + table[:, 3]))[0, 1] == pytest.approx(1)
    assert (d.std(), e.std()) == pytest.approx((1, 1))


def test_scaling_by_column_is_undone(table):
    scaler = Scaler.learn(table, "minmax", COLUMNS, NAMES)
    scaled_table = scaler.apply(table)
    assert scaler.undo(scaled_table) == pytest.approx(table)
    # What lies beyond all logarithms is still a value that can be scaled again.
    for far in (-1e6, 1e6):
        back = scaler.undo(np.full((1, 5), far))
        assert np.isfinite(back).all()
        assert scaler.takes(back).all()


def test_the_gradient_is_that_of_finite_differences(table):
    scaler = Scaler.learn(table, "standardise", COLUMNS, NAMES)
    weights = np.random.default_rng(2).normal(size=(len(table), 2, 5))
    for j, step in enumerate(1e-6 * np.eye(5)):
        # All values above 0 by more than the step, that both sides have a logarithm.
        at = table + (j == 3) * 1.0
        found = scaler.unscaled_gradient(at, weights)
        difference = (scaler.apply(at + step) - scaler.apply(at - step)) / 2e-6
        expected = np.einsum("mkd,md->mk", weights, difference)
        assert found[:, :, j] == pytest.approx(expected, rel=1e-5, abs=1e-8)


def test_a_column_like_all_others_changes_nothing(table):
    scaler = Scaler.learn(table, "standardise", (("a", "standardise"),), NAMES)
    assert scaler.how == "standardise"


@pytest.mark.parametrize(
    ("lowest", "how", "words"),
    [
        (0.0, "log", "values above 0, and its smallest is 0; choose log\\(1 \\+ x\\)"),
        (-2.5, "log", "values above 0, and its smallest is −2.5; choose another"),
        (-2.5, "log1p", "values from 0 on, and its smallest is −2.5"),
    ],
)
def test_values_without_a_logarithm_are_refused(table, lowest, how, words):
    columns = (("a", how),)
    scaler = Scaler.learn(table, "none", columns, NAMES)
    outside = table.copy()
    outside[7, 0] = lowest
    for refused in (
        lambda: Scaler.learn(outside, "none", columns, NAMES),
        lambda: scaler.apply(outside),
    ):
        with pytest.raises(DataError, match=f"“a” needs {words}"):
            refused()
    assert np.flatnonzero(~scaler.takes(outside)).tolist() == [7]


@pytest.mark.parametrize(
    ("how", "columns", "words"),
    [
        ("none", (("z", "log"),), "No feature is called “z”"),
        ("none", (("a", "cube"),), "“cube” is not a way to scale a column"),
        ("unit", (("a", "log"),), "unit length"),
    ],
)
def test_what_no_column_can_have_is_refused(table, how, columns, words):
    with pytest.raises(DataError, match=words):
        Scaler.learn(table, how, columns, NAMES)


def test_columns_of_their_own_scaling_are_named(table):
    scaler = Scaler.learn(table, "standardise", COLUMNS[:1], NAMES)
    words = "“a”: log, then standardise; other columns: standardise"
    assert scaler.describe() == words
