"""What a column has in random order: shared causes are found, width is not."""

from itertools import islice

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.influence import ScoreFunction, measure
from kpca_viewer.core.methods.null_influence import (
    ALL_ROWS,
    DRAWS,
    MOST_ROWS,
    NullDraws,
    NullInfluence,
    affordable_rows,
    is_beyond,
    is_known,
    least_deviations,
)
from kpca_viewer.core.methods.refits import DENSE_UP_TO, GOAL
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support.errors import Cancelled, DataError
from tests.core.test_cancellation import StopAfter


def influence(X, kernel, components=(0,)):
    points = kernel.points(X, center=True)
    found = solve(Problem(PointsGram(points, kernel), max(components) + 1), "dense")
    return measure(ScoreFunction.of(found, kernel, points, components), X)


def related(X, kernel, components):
    """Correlations of columns with the scores of a dense fit."""
    points = kernel.points(X, center=True)
    found = solve(Problem(PointsGram(points, kernel), max(components) + 1), "dense")
    scores = training_scores(found)[:, list(components)]
    return np.corrcoef(scores.T, X.T)[: len(components), len(components) :]


def null_influence(X, kernel, components, columns, draws=DRAWS, **options):
    made = NullDraws(X, kernel, components, **options)
    drawn = tuple(np.array(list(islice(made.of_column(f), draws))) for f in columns)
    return NullInfluence(np.array(columns), drawn, made.rows)


def beyond(X, kernel, columns, **options):
    """Which columns are told from noise in PC 1."""
    null = null_influence(X, kernel, [0], columns, **options)
    size = np.abs(related(X, kernel, [0]))
    evidence = np.stack((influence(X, kernel).rms, size))
    return np.array(
        [
            is_beyond(evidence[:, :, f], draws, X.shape[1])[0]
            for f, draws in zip(columns, null.draws, strict=True)
        ]
    )


def planted(seed, n=30, d=20):
    """Two lumps along the first of twenty columns, noise in all others."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    X[:, 0] += random.choice([-3, 3], n)
    return X


@pytest.mark.journey
def test_a_wide_column_is_not_told_from_noise_by_its_width():
    """Nor by its two lumps: in random order it has as much."""
    found = np.zeros(2)
    for seed in range(40):
        X = planted(seed)
        kernel = Kernel("rbf", **suggested_values("rbf", X))
        found += beyond(X, kernel, [0, 1], seed=seed + 1000)
    assert found.max() <= 2


@pytest.mark.journey
def test_columns_that_share_a_cause_stand_out_though_all_are_as_wide():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 10))
    X[:, :4] += 2 * random.normal(size=(60, 1))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    kernel = Kernel("rbf", gamma=0.05)
    stands_out = beyond(X, kernel, range(10))
    assert stands_out[:4].all()
    assert not stands_out[4:].any()


def test_columns_are_related_where_any_two_are_correlated():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    X[:, 3] = 0.9 * X[:, 2] + 0.4 * X[:, 3]
    made = NullDraws(X, Kernel("linear"), [0])
    assert made.are_related(np.arange(4))
    assert not made.are_related(np.arange(3))
    assert not made.are_related(np.arange(1))


@pytest.mark.journey
@pytest.mark.parametrize("family", ["rbf", "linear"])
def test_binary_noise_is_not_more_than_noise(family):
    found = 0
    for seed in range(20):
        random = np.random.default_rng(seed)
        X = random.normal(size=(50, 6))
        X[:, 0] = random.random(50) < 0.5
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        kernel = Kernel("linear") if family == "linear" else Kernel("rbf", gamma=0.08)
        found += beyond(X, kernel, [0], seed=seed)[0]
    assert found <= 1


def test_of_more_columns_more_is_asked_and_rounding_is_no_difference():
    assert 2 < least_deviations(1) < least_deviations(10) < least_deviations(1000) < 8
    draws = np.full((DRAWS, 2, 1), 0.5)
    assert not is_beyond(np.full((2, 1), 0.5 + 1e-9), draws, 1)[0]
    assert is_beyond(np.array([[0.5], [0.8]]), draws, 1)[0]
    assert not is_known(np.full((2, 1), 0.4), draws[:2])
    assert is_known(np.full((2, 1), 0.4), draws[:3])
    assert not is_known(np.array([[0.4], [0.6]]), draws[:-1])
    assert is_known(np.array([[0.4], [0.6]]), draws)


def test_the_same_seed_gives_the_same_band_and_leaves_the_rows_alone():
    X = planted(0)
    before = X.copy()
    first, again, other = (
        null_influence(X, Kernel("laplacian"), [0], [3], draws=3, seed=seed).draws[0]
        for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()
    assert (before == X).all()


def test_who_stops_goes_on_with_the_same_draws():
    made = NullDraws(planted(0), Kernel("rbf", gamma=0.02), [0])
    all_of_them = list(islice(made.of_column(3), 6))
    later = list(islice(made.of_column(3, first=4), 2))
    assert [each.tolist() for each in later] == [
        each.tolist() for each in all_of_them[4:]
    ]


@pytest.mark.journey
@pytest.mark.parametrize("n", [40, 260])
@pytest.mark.parametrize(
    ("family", "values"),
    [
        ("rbf", {"gamma": 0.02}),
        ("laplacian", {"gamma": 0.02}),
        ("matern", {"length_scale": 5.0, "nu": 1.5}),
        ("sigmoid", {"gamma": 0.01}),
        ("poly", {"gamma": 0.05, "degree": 3}),
        ("linear", {}),
        ("cosine", {}),
        ("paraboloid", {}),
    ],
)
def test_a_draw_is_a_dense_fit_like_any_other(family, values, n):
    """On all rows, with one column in random order, to the digits of the solver."""
    X = load_breast_cancer().data[:n]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert n < DENSE_UP_TO or n > DENSE_UP_TO + 20
    kernel, column, components = Kernel(family, **values), 4, (0, 2, 9)
    made = NullDraws(X, kernel, components, seed=5)
    assert made.rows == n
    for number, found in enumerate(islice(made.of_column(column), 3)):
        random = np.random.default_rng([5, column, number])
        replaced = X.copy()
        replaced[:, column] = random.permutation(X[:, column])
        wanted = influence(replaced, kernel, components).rms[:, column]
        assert found[0] == pytest.approx(wanted, rel=10 * GOAL)
        assert found[1] == pytest.approx(
            np.abs(related(replaced, kernel, components)[:, column]), abs=1e-4
        )


def test_all_rows_are_taken_up_to_a_thousand_and_more_of_few_columns():
    assert affordable_rows(5000) == affordable_rows(64) == ALL_ROWS == 1000
    assert 1000 < affordable_rows(13) < affordable_rows(2) == MOST_ROWS
    X = np.random.default_rng(0).normal(size=(1000, 40))
    assert NullDraws(X, Kernel("rbf"), [0]).rows == 1000


def test_many_rows_are_sampled_and_few_refused():
    X = np.random.default_rng(0).normal(size=(500, 3))
    null = null_influence(X, Kernel("rbf"), [0], [0], draws=2, most_rows=40)
    assert null.rows == 40
    with pytest.raises(DataError, match="2 rows are too few"):
        null_influence(X[:2], Kernel("rbf"), [0], [0])


def test_columns_without_any_spread():
    X = np.ones((5, 3))
    null = null_influence(X, Kernel("rbf"), [0, 9], [0], draws=2)
    assert (null.draws[0] == 0).all()
    X[:, 1] = [0, 0, 0, 0, 1]
    found = null_influence(X, Kernel("linear"), [0], [0], draws=4)
    assert np.isfinite(found.draws).all()


@pytest.mark.parametrize("d", [1, 2])
def test_components_that_are_not_there_have_no_influence(d):
    """Of fewer columns than components, and more rows than are decomposed at once."""
    X = np.random.default_rng(0).normal(size=(DENSE_UP_TO + 80, d))
    null = null_influence(X, Kernel("linear"), range(6), [0], draws=2)
    assert (null.draws[0][:, :, :d] > 0).all()
    assert null.draws[0][:, :, d:].max() == 0
    assert null_influence(X, Kernel("cosine"), [0], [0], draws=1).draws[0].min() > 0


def test_it_stops_between_two_draws_and_in_one():
    made = NullDraws(planted(0), Kernel("rbf"), [0])
    for m in (0, 3):
        with pytest.raises(Cancelled):
            list(made.of_column(0, should_stop=StopAfter(m)))
