"""What a column of noise would have: planted structure is found, noise is not."""

import numpy as np
import pytest

from kpca_viewer.core import null_influence as null_module
from kpca_viewer.core.influence import ScoreFunction, measure
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.null_influence import DRAWS, null_influence
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support.errors import Cancelled, DataError
from tests.core.test_cancellation import StopAfter


def influence(X, kernel, components=(0,)):
    points = kernel.points(X, center=True)
    found = solve(Problem(PointsGram(points, kernel), max(components) + 1), "dense")
    return measure(ScoreFunction.of(found, kernel, points, components), X)


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
    assert null.rms.shape == (2, 9, 2)
    together = np.sqrt((null.rms**2).sum(axis=2)).max(axis=1)
    assert null.upper_together == pytest.approx(together)
    assert null.upper == pytest.approx(null.rms.max(axis=1))
    assert (null.level, null.rows) == (0.1, 30)
    assert null_influence(X, Kernel("linear"), [0], [1]).level == 1 / (DRAWS + 1)


def test_the_same_seed_gives_the_same_band_and_leaves_the_rows_alone():
    X = planted(0)
    before = X.copy()
    first, again, other = (
        null_influence(X, Kernel("laplacian"), [0], [3], draws=3, seed=seed).rms
        for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()
    assert (before == X).all()


def test_a_draw_is_a_fit_like_any_other(monkeypatch):
    """Where the noise is the column twice as wide, the null is its influence."""
    X = planted(0)
    column = X[:, 4] - X[:, 4].mean()
    monkeypatch.setattr(null_module.Noise, "draw", lambda noise: 2 * column)
    for kernel in (Kernel("rbf", gamma=0.02), Kernel("sigmoid", gamma=0.02)):
        null = null_influence(X, kernel, [0, 2], [4], draws=1)
        wide = X.copy()
        wide[:, 4] = X[:, 4].mean() + 2 * column
        # One unit of the column is two of the noise.
        wanted = 2 * influence(wide, kernel, (0, 2)).rms[:, 4]
        assert null.rms[0, 0] == pytest.approx(wanted, rel=1e-6)


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


def test_it_stops_and_tells_how_far_it_is():
    X, told = planted(0), []
    null_influence(
        X,
        Kernel("rbf"),
        [0],
        [0, 1],
        draws=2,
        progress=lambda stage, part: told.append(part),
    )
    assert told == [0.5, 1]
    for m in (0, 3):
        with pytest.raises(Cancelled):
            null_influence(
                X, Kernel("rbf"), [0], [0, 1], draws=2, should_stop=StopAfter(m)
            )
