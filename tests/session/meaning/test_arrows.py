"""Arrows: where a row would move if a column grew by one standard deviation."""

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.columns.arrows import arrows, mean_arrows, strongest_at
from kpca_viewer.support.errors import Cancelled, DataError


@pytest.mark.parametrize("scaling", ["none", "standardise", "unit"])
def test_an_arrow_ends_where_the_row_would_be(analysed, scaling):
    result = analysed("iris", gamma=0.3, scaling=scaling)
    X = result.dataset.points[:5]
    found = arrows(result, X, [2, 0])
    assert found.moves.shape == (5, 2, 2)
    assert found.starts == pytest.approx(result.scores[:5, :2], abs=1e-6)
    grown = X.copy()
    grown[:, 2] += result.dataset.points[:, 2].std()
    ends = found.starts + found.moves[:, 0]
    assert ends == pytest.approx(result.project(grown)[:, :2])


def test_mean_arrows_of_the_linear_kernel_are_a_biplot(analysed):
    result = analysed("iris", "linear")
    found = mean_arrows(result, range(4), [0, 1, 2])
    spread = result.dataset.points.std(axis=0)
    directions = result.linear.directions[:, :3]
    assert found.moves[0] == pytest.approx(directions * spread[:, None], abs=1e-6)
    assert found.starts == pytest.approx(np.zeros((1, 3)), abs=1e-8)
    assert found.steps == pytest.approx(spread)


def test_the_strongest_columns_at_a_row(analysed):
    result = analysed("iris", gamma=0.3, scaling="standardise")
    for row in (0, 70):
        point = result.dataset.points[row]
        best = strongest_at(result, point, 4)
        assert sorted(best) == [0, 1, 2, 3]
        # For a small step the arrows are in the same order.
        steps = 1e-4 * result.dataset.points.std(axis=0)
        moved = result.project(point + np.diag(steps)) - result.project(point[None])
        assert np.argsort(-np.linalg.norm(moved[:, :2], axis=1)).tolist() == list(best)
        assert strongest_at(result, point, 2) == best[:2]


def test_constant_columns_move_nothing(analysed):
    X = np.random.default_rng(0).normal(size=(20, 3))
    X[:, 1] = 0.1
    result = analysed("table", "linear", opened=[Dataset(X, name="table")])
    found = arrows(result, X[:2], [1])
    assert (found.moves == 0).all()
    assert sorted(strongest_at(result, X[0], 3)) == [0, 2]


def test_arrows_that_cannot_be_drawn(analysed):
    matrix = Dataset(np.eye(3), kind="kernel", name="table")
    result = analysed("table", opened=[matrix])
    with pytest.raises(DataError, match="has no columns"):
        arrows(result, np.eye(3), [0])
    with pytest.raises(DataError, match="has no columns"):
        strongest_at(result, np.ones(3), 1)
    with pytest.raises(Cancelled):
        mean_arrows(analysed(gamma=1), [0], should_stop=lambda: True)
