"""A kernel or distance matrix takes the place of points."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import generate
from kpca_viewer.support.errors import KernelError


@pytest.fixture(scope="module")
def moons():
    return generate("moons", samples=80)


@pytest.fixture
def as_kernel(moons):
    K = np.exp(-2 * cdist(moons.points, moons.points, "sqeuclidean"))
    return Dataset(K, moons.labels, kind="kernel", name="K")


@pytest.fixture
def as_distances(moons):
    D = cdist(moons.points, moons.points)
    return Dataset(D, moons.labels, kind="distances", name="D")


def test_a_kernel_matrix_gives_what_the_points_give(analysed, moons, as_kernel):
    matrix = analysed("K", opened=[as_kernel])
    points = analysed("Moons", opened=[moons], gamma=2)
    assert matrix.kernel is None
    assert matrix.suggested == {}
    assert matrix.linear is None
    assert matrix.grid is None
    assert matrix.comparison.linear is None
    assert np.abs(matrix.scores) == pytest.approx(np.abs(points.scores), abs=1e-6)
    assert matrix.shares == pytest.approx(points.shares, abs=1e-9)
    assert matrix.picture.raw == pytest.approx(points.picture.raw)


def test_distances_give_classical_scaling(analysed, moons, as_distances):
    result = analysed("D", opened=[as_distances], analysis={"components": 2})
    linear = analysed("Moons", "linear", opened=[moons], analysis={"components": 2})
    assert np.abs(result.scores) == pytest.approx(np.abs(linear.scores), abs=1e-8)
    assert result.shares.sum() == pytest.approx(1)
    assert result.mass.high == pytest.approx(0, abs=1e-9)
    rows = result.picture.rows
    assert np.array_equal(result.picture.raw, as_distances.points[np.ix_(rows, rows)])
    assert result.picture.centred == pytest.approx(linear.picture.centred, abs=1e-9)


def test_the_kernel_and_the_scaling_do_not_matter(analysed, cache, as_kernel):
    before = analysed("K", opened=[as_kernel])
    after = analysed("K", "poly", opened=[as_kernel], scaling="unit", degree=7)
    assert np.array_equal(after.scores, before.scores)
    assert cache.made["gram"] == 1


def test_new_points_have_no_place(analysed, as_kernel):
    result = analysed("K", opened=[as_kernel])
    scores = result.project(np.zeros((3, 2)))
    assert scores.shape == (3, 10)
    assert np.isnan(scores).all()
    assert np.array_equal(result.nearness(np.zeros((3, 2))), np.ones(3))


def test_an_indefinite_matrix_shows_its_negative_mass(analysed):
    data = Dataset([[0.0, 1.0], [1.0, 0.0]], kind="kernel", name="K")
    result = analysed("K", opened=[data], analysis={"center": False})
    assert result.decomposition.eigenvalues == pytest.approx([1, -1])
    assert result.mass.low == result.mass.high == pytest.approx(0.5)
    assert not result.scores[:, 1].any()


@pytest.mark.parametrize(
    ("kind", "matrix", "message"),
    [
        ("kernel", [[1, 2], [3, 4]], "not symmetric: row 0, column 1 holds 2"),
        ("distances", [[0, 2], [3, 0]], "distance matrix is not symmetric"),
        ("distances", [[0, -1], [-1, 0]], "negative entry −1 at row 0, column 1"),
        ("distances", [[1, 2], [2, 0]], "1 on its diagonal .row 0"),
        ("kernel", [[1, np.nan], [np.nan, 1]], "NaN"),
        ("kernel", [[1e140, 1e160], [1e160, 1e140]], "too large"),
    ],
)
def test_what_is_no_such_matrix_is_refused(analysed, kind, matrix, message):
    data = Dataset(matrix, kind=kind, name="matrix")
    with pytest.raises(KernelError, match=message):
        analysed("matrix", opened=[data])
