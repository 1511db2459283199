"""What a column of noise would have: planted structure is found, noise is not."""

from itertools import islice

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from kpca_viewer.core.influence import ScoreFunction, measure
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.null_influence import (
    ALL_ROWS,
    DRAWS,
    MOST_ROWS,
    Noise,
    NullDraws,
    NullInfluence,
    affordable_rows,
)
from kpca_viewer.core.refits import DENSE_UP_TO, GOAL
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support.errors import Cancelled, DataError
from tests.core.test_cancellation import StopAfter


def influence(X, kernel, components=(0,)):
    points = kernel.points(X, center=True)
    found = solve(Problem(PointsGram(points, kernel), max(components) + 1), "dense")
    return measure(ScoreFunction.of(found, kernel, points, components), X)


def null_influence(X, kernel, components, columns, draws=DRAWS, **options):
    made = NullDraws(X, kernel, components, **options)
    rms = tuple(np.array(list(islice(made.of_column(f), draws))) for f in columns)
    return NullInfluence(np.array(columns), rms, made.rows)


def planted(seed, n=30, d=20):
    """Two lumps along the first of twenty columns, noise in all others."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    X[:, 0] += random.choice([-3, 3], n)
    return X


def test_the_column_that_carries_the_structure_is_found():
    """In at least 95 of 100 tables; noise is inside of the band as often."""
    found = beyond = 0
    for seed in range(100):
        X = planted(seed)
        kernel = Kernel("rbf", **suggested_values("rbf", X))
        null = null_influence(X, kernel, [0], [0, 1], seed=seed + 1000)
        stands_out = influence(X, kernel).rms[0, :2] > null.upper[:, 0]
        found += stands_out[0]
        beyond += stands_out[1]
    assert found >= 95
    assert beyond <= 5


def test_columns_that_share_a_cause_stand_out_though_all_are_as_wide():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 10))
    X[:, :4] += 2 * random.normal(size=(60, 1))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    kernel = Kernel("rbf", gamma=0.05)
    null = null_influence(X, kernel, [0], range(10))
    stands_out = influence(X, kernel).rms[0] > null.upper[:, 0]
    assert stands_out[:4].all()
    assert stands_out[4:].sum() <= 1


def test_the_band_of_the_picture_is_that_of_its_components_together():
    X = planted(0)
    null = null_influence(X, Kernel("rbf", gamma=0.02), [0, 1], [2, 5], draws=9)
    assert null.columns.tolist() == [2, 5]
    rms = np.array(null.rms)
    assert rms.shape == (2, 9, 2)
    together = np.sqrt((rms**2).sum(axis=2)).max(axis=1)
    assert null.upper_together == pytest.approx(together)
    assert null.upper == pytest.approx(rms.max(axis=1))
    assert null.rows == 30
    second = null.of_places([1])
    assert second.upper_together == pytest.approx(rms[:, :, 1].max(axis=1))
    assert len(null_influence(X, Kernel("linear"), [0], [1]).rms[0]) == DRAWS == 39


def test_the_same_seed_gives_the_same_band_and_leaves_the_rows_alone():
    X = planted(0)
    before = X.copy()
    first, again, other = (
        null_influence(X, Kernel("laplacian"), [0], [3], draws=3, seed=seed).rms[0]
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


@pytest.mark.parametrize("n", [40, 569])
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
    """On all rows, with the noise in the table, to the digits of the solver."""
    X = load_breast_cancer().data[:n]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert n < DENSE_UP_TO or n > DENSE_UP_TO + 100
    kernel, column, components = Kernel(family, **values), 4, (0, 2, 9)
    made = NullDraws(X, kernel, components, seed=5)
    assert made.rows == n
    for number, found in enumerate(islice(made.of_column(column), 3)):
        drawn = Noise(X).draw(np.random.default_rng([5, column, number]))
        replaced = X.copy()
        replaced[:, column] = drawn
        # One unit of the column is as many of the noise as it is wider.
        wanted = influence(replaced, kernel, components).rms[:, column]
        wanted = wanted * (drawn.std() / X[:, column].std())
        assert found == pytest.approx(wanted, rel=10 * GOAL)


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
    assert null.upper.tolist() == [[0, 0]]
    X[:, 1] = [0, 0, 0, 0, 1]
    found = null_influence(X, Kernel("linear"), [0], [0], draws=4)
    assert np.isfinite(found.rms).all()


@pytest.mark.parametrize("d", [1, 2])
def test_components_that_are_not_there_have_no_influence(d):
    """Of fewer columns than components, and more rows than are decomposed at once."""
    X = np.random.default_rng(0).normal(size=(DENSE_UP_TO + 80, d))
    null = null_influence(X, Kernel("linear"), range(6), [0], draws=2)
    assert (null.upper[0, :d] > 0).all()
    assert null.upper[0, d:].max() == 0
    assert null_influence(X, Kernel("cosine"), [0], [0], draws=1).upper > 0


def test_it_stops_between_two_draws_and_in_one():
    made = NullDraws(planted(0), Kernel("rbf"), [0])
    for m in (0, 3):
        with pytest.raises(Cancelled):
            list(made.of_column(0, should_stop=StopAfter(m)))
