"""A result places new points, knows the far ones and pictures its kernel."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.grid import FINE, GRID, grid_scores
from kpca_viewer.engine.result import PICTURE_ROWS
from kpca_viewer.support.errors import Cancelled

UNIT = [name for name, family in FAMILIES.items() if family.unit_diagonal]


@pytest.mark.parametrize(
    ("solver", "scaling"),
    [
        ("dense", "none"),
        ("krylov", "standardise"),
        ("lowrank", "minmax"),
        ("lowrank", "unit"),
    ],
)
def test_training_points_land_where_they_are(analysed, solver, scaling):
    result = analysed(
        "moons",
        values={"samples": 120},
        gamma=5,
        scaling=scaling,
        analysis={"solver": solver, "components": 5},
    )
    assert result.decomposition.solver == solver
    assert (result.decomposition.landmark_map is not None) == (solver == "lowrank")
    projected = result.project(result.dataset.points)
    assert projected == pytest.approx(result.scores, abs=1e-4)


def test_new_points_are_given_in_the_units_of_the_data(analysed):
    result = analysed("wine", scaling="standardise")
    one = result.project(result.dataset.points[3:4].tolist())
    assert one == pytest.approx(result.scores[3:4], abs=1e-9)


def test_projecting_can_be_stopped(analysed):
    result = analysed(values={"samples": 50})
    with pytest.raises(Cancelled):
        result.project(result.dataset.points, lambda: True)


def test_no_new_points_give_no_scores(analysed):
    result = analysed(values={"samples": 50})
    assert result.project(np.empty((0, 2))).shape == (0, 10)
    assert result.nearness(np.empty((0, 2))).shape == (0,)


@pytest.mark.parametrize("family", [name for name in UNIT if name != "cosine"])
def test_a_far_point_is_near_nothing(analysed, family):
    result = analysed("moons", family, values={"samples": 60})
    far = np.array([[1e3, -1e3], [0.0, 1e4]])
    assert result.nearness(far) == pytest.approx([0, 0], abs=1e-4)
    assert result.nearness(result.dataset.points) == pytest.approx(np.ones(60))


@pytest.mark.parametrize("family", ["linear", "poly", "sigmoid"])
def test_kernels_that_grow_have_no_far_points(analysed, family):
    result = analysed("moons", family, values={"samples": 60})
    assert np.array_equal(result.nearness(np.full((2, 2), 1e3)), [1, 1])


def test_for_the_cosine_only_the_direction_is_near(analysed):
    result = analysed("iris", "cosine")
    along = 1e3 * result.dataset.points[:1]
    assert result.nearness(along) == pytest.approx([1])
    assert result.nearness(-along)[0] < 0


def test_the_grid_covers_the_data_in_their_units(analysed):
    result = analysed(values={"samples": 80}, scaling="standardise", gamma=1)
    grid, points = result.grid, result.dataset.points
    # At rest there is time for a finer one.
    assert [len(axis) for axis in (grid.x, grid.y)] == [
        FINE * (count - 1) + 1 for count in GRID
    ]
    assert grid.scores.shape == (len(grid.y), len(grid.x), 10)
    assert np.isfinite(grid.scores).all()
    for axis, values in ((grid.x, points[:, 0]), (grid.y, points[:, 1])):
        assert axis[0] < values.min() < values.max() < axis[-1]
    corner = result.project(np.array([[grid.x[5], grid.y[9]]]))[0]
    assert grid.scores[9, 5] == pytest.approx(corner)


@pytest.mark.parametrize("solver", ["dense", "lowrank"])
@pytest.mark.parametrize("scaling", ["none", "standardise", "minmax", "unit"])
def test_a_grid_has_the_scores_of_its_nodes(analysed, solver, scaling):
    gamma = 1e3 if (solver == "dense") == (scaling in ("none", "unit")) else 0.5
    result = analysed(
        "moons",
        values={"samples": 60},
        gamma=gamma,
        scaling=scaling,
        analysis={"solver": solver, "components": 5},
    )
    grid = grid_scores(result)
    nodes = np.stack(np.meshgrid(grid.x, grid.y), axis=-1)
    expected = result.project(nodes.reshape(-1, 2)).reshape(grid.scores.shape)
    assert expected.shape[:2] == GRID[::-1]
    np.testing.assert_allclose(grid.scores, expected, atol=1e-9)


def test_a_fine_grid_is_the_coarse_one_and_the_nodes_between(analysed):
    result = analysed("moons", "poly", values={"samples": 60}, scaling="minmax")
    grid, coarse = result.grid, grid_scores(replace(result, grid=None))
    np.testing.assert_array_equal(grid.scores[::FINE, ::FINE], coarse.scores)
    nodes = np.stack(np.meshgrid(grid.x, grid.y), axis=-1)
    expected = result.project(nodes.reshape(-1, 2)).reshape(grid.scores.shape)
    np.testing.assert_allclose(grid.scores, expected, rtol=1e-9, atol=1e-9)


def test_a_grid_can_be_stopped(analysed):
    result = analysed(values={"samples": 50})
    with pytest.raises(Cancelled):
        grid_scores(result, lambda: True)


def test_a_grid_for_the_cosine_may_cross_the_origin(analysed, monkeypatch):
    # An odd number of steps over data around zero: one of them hits it.
    monkeypatch.setattr("kpca_viewer.engine.grid.GRID", (7, 5))
    data = Dataset([[1, 1], [-1, 1], [1, -1], [-1, -1]], name="square")
    result = analysed("square", "cosine", opened=[data])
    assert result.grid.x[FINE * 3] == result.grid.y[FINE * 2] == 0
    assert np.isfinite(result.grid.scores).all()


def test_only_plane_data_have_a_grid(analysed):
    assert grid_scores(analysed("s_curve", values={"samples": 50})) is None


def test_a_kernel_that_ends_beyond_the_rows_has_a_picture_without_a_grid(analysed):
    data = Dataset([[1, 0], [0, 1], [-1, 0], [0, -1]], name="cross")
    fractional = {"degree": 2.5, "gamma": 1.0, "coef0": 1.2}
    result = analysed("cross", "poly", opened=[data], **fractional)
    assert result.grid is None
    assert np.isfinite(result.scores).all()


def test_constant_columns_leave_room_for_the_grid(analysed):
    data = Dataset([[0, 3], [1, 3], [2, 3]], name="line")
    grid = analysed("line", opened=[data]).grid
    assert grid.y[0] < 3 < grid.y[-1]


@pytest.mark.parametrize("family", ["rbf", "cosine"])
def test_the_picture_is_the_kernel_sorted_by_class(analysed, family):
    result = analysed("moons", family, values={"samples": 60})
    picture, labels = result.picture, result.dataset.labels
    assert not picture.sampled
    assert sorted(picture.rows) == list(range(60))
    assert (np.diff(labels[picture.rows]) >= 0).all()
    points = result.kernel.points(result.points.X)
    K = result.kernel.block(points, points)
    assert picture.raw == pytest.approx(K[np.ix_(picture.rows, picture.rows)])
    H = np.eye(60) - 1 / 60
    assert picture.centred == pytest.approx(H @ picture.raw @ H, abs=1e-12)


def test_the_picture_of_many_points_is_a_sample(analysed):
    result = analysed("s_curve", values={"samples": PICTURE_ROWS + 50})
    assert result.picture.sampled
    assert result.picture.raw.shape == (PICTURE_ROWS, PICTURE_ROWS)
    assert len(set(result.picture.rows)) == PICTURE_ROWS
