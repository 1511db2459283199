"""Classical scaling, PCA and the linear kernel: three ways to one picture."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA

from kpca_viewer.core.kernels.bases import pairwise
from kpca_viewer.core.methods import classical_scaling
from kpca_viewer.core.methods.classical_scaling import (
    double_centred,
    ways_from_distances,
    ways_from_points,
)
from kpca_viewer.support.errors import Cancelled

INDEFINITE = np.array([[0.0, 1, 10], [1, 0, 1], [10, 1, 0]])


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(3).normal(size=(40, 4)) * [5, 3, 2, 1] + 7


def test_double_centring_is_the_formula(X):
    D = cdist(X, X)
    H = np.eye(len(X)) - 1 / len(X)
    np.testing.assert_allclose(
        double_centred(D), -0.5 * H @ (D * D) @ H, rtol=0, atol=1e-11
    )


def test_the_three_ways_of_points_are_one(X):
    ways = ways_from_points(X, 3)
    theirs = PCA(3).fit_transform(X)
    for scores in (ways.mds, ways.pca, ways.linear):
        assert scores.shape == (40, 3)
        signs = np.sign((scores * theirs).sum(axis=0))
        np.testing.assert_allclose(scores * signs, theirs, atol=1e-11)
    pairs = [
        (ways.mds, ways.pca),
        (ways.mds, ways.linear),
        (ways.pca, ways.linear),
    ]
    measured = max(np.abs(a - b).max() for a, b in pairs)
    assert ways.difference == measured
    assert 0 < ways.difference < 1e-11
    np.testing.assert_allclose(
        ways.values, np.linalg.svd(X - X.mean(axis=0))[1][:3] ** 2
    )


def test_strain_is_measured_entry_by_entry(X):
    ways = ways_from_points(X, 4)
    B = double_centred(cdist(X, X))
    for p in range(5):
        Z = ways.mds[:, :p]
        assert ways.strain[p] == pytest.approx(
            np.linalg.norm(B - Z @ Z.T), rel=1e-9, abs=1e-9
        )
        left = np.sqrt((ways.values[p:] ** 2).sum())
        assert ways.strain[p] == pytest.approx(left, abs=1e-9)
    assert ways.norm == pytest.approx(np.linalg.norm(B))
    assert ways.negative == 0


def test_tied_components_are_turned_onto_each_other():
    angles = np.arange(8) * np.pi / 4
    ring = np.column_stack((np.cos(angles), np.sin(angles)))
    ways = ways_from_points(ring, 2)
    np.testing.assert_allclose(ways.values, [4, 4])
    assert ways.difference < 1e-13


CUBE = np.array(list(product((0.0, 1.0), repeat=4)))


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("copies", [1, 5])
def test_equal_eigenvalues_may_be_cut_apart(monkeypatch, k, copies):
    # With copies, by the solver that finds a few eigenvectors only.
    monkeypatch.setattr(classical_scaling, "DENSE_UP_TO", 20)
    corners = np.tile(CUBE, (copies, 1))
    for ways in (
        ways_from_points(corners, k),
        ways_from_distances(cdist(corners, corners), k),
    ):
        np.testing.assert_allclose(ways.values, [4 * copies] * k)
        assert ways.mds.shape == (16 * copies, k)
        assert ways.difference < 1e-12
        assert len(ways.strain) == k + 1


@pytest.mark.parametrize("gap", [1e-9, 1e-7, 1e-5])
def test_nearly_equal_eigenvalues_are_turned_alike(gap):
    angles = np.arange(8) * np.pi / 4
    ring = np.column_stack((np.cos(angles), (1 + gap) * np.sin(angles)))
    assert ways_from_points(ring, 2).difference < 1e-6


def test_distances_of_points_give_the_points_back(X):
    D = cdist(X, X)
    ways = ways_from_distances(D, 4)
    np.testing.assert_allclose(cdist(ways.mds, ways.mds), D, atol=1e-10)
    assert ways.difference < 1e-11
    assert ways.distance_error is not None
    assert ways.distance_error < 1e-10
    assert ways.negative == 0


def test_distances_that_no_points_have():
    ways = ways_from_distances(INDEFINITE, 2)
    np.testing.assert_allclose(ways.values, [50], atol=1e-12)
    np.testing.assert_allclose(np.abs(ways.mds[:, 0]), [5, 0, 5], atol=1e-12)
    assert ways.smallest == pytest.approx(-16)
    assert ways.negative == 1
    # The outer two are where they should be; the middle is 5 from both, not 1.
    assert ways.distance_error == pytest.approx(4)
    np.testing.assert_allclose(ways.strain, [np.hypot(50, 16), 16])
    assert ways.difference < 1e-12


@pytest.mark.parametrize("n", [1, 2, 5])
def test_points_in_one_place_have_no_component(n):
    ways = ways_from_points(np.full((n, 3), 0.1), 2)
    assert ways.mds.shape == ways.pca.shape == ways.linear.shape == (n, 0)
    assert ways.difference == 0
    assert ways.strain == pytest.approx([0], abs=1e-15)


def test_far_from_the_origin_the_ways_still_agree(X):
    assert ways_from_points(X + 1e6, 3).difference < 1e-6


def test_of_many_rows_the_first_components_are_the_same(monkeypatch):
    X = np.random.default_rng(8).normal(size=(120, 6)) * [6, 5, 4, 3, 2, 1]
    D = cdist(X, X)
    few, of_distances = ways_from_points(X, 4), ways_from_distances(D, 4)
    monkeypatch.setattr("kpca_viewer.core.methods.classical_scaling.DENSE_UP_TO", 5)
    for many in (ways_from_points(X, 4), ways_from_distances(D, 4)):
        np.testing.assert_allclose(many.mds, few.mds, atol=1e-11)
        np.testing.assert_allclose(many.pca, of_distances.pca, atol=1e-11)
        np.testing.assert_allclose(many.strain, few.strain, atol=1e-9)
        assert many.difference < 1e-11


def test_what_is_decomposed_already_is_taken(X):
    D = cdist(X, X)
    values, vectors = np.linalg.eigh(double_centred(D))
    ways = ways_from_distances(D, 3, known=(values, vectors))
    np.testing.assert_allclose(ways.mds, ways_from_distances(D, 3).mds, atol=1e-11)


def test_it_can_be_cancelled(X):
    with pytest.raises(Cancelled):
        ways_from_points(X, 2, lambda: True)
    with pytest.raises(Cancelled):
        ways_from_distances(INDEFINITE, 2, lambda: True)


def test_it_can_be_cancelled_between_two_parts_of_the_distances(monkeypatch):
    parts = []

    def part(*arguments):
        parts.append(pairwise(*arguments))
        return parts[-1]

    monkeypatch.setattr(classical_scaling, "pairwise", part)
    points = np.random.default_rng(0).normal(size=(900, 3))
    with pytest.raises(Cancelled):
        ways_from_points(points, 2, lambda: len(parts) == 2)
    assert sum(each.size for each in parts) < 900**2 / 2
