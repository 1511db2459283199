"""Scores of an embedding: right, fair, reproducible, None where undefined."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.manifold import trustworthiness
from sklearn.metrics import silhouette_score

from kpca_viewer import KernelPCA
from kpca_viewer.core import quality
from kpca_viewer.core.errors import Cancelled
from kpca_viewer.core.quality import (
    knn_accuracy,
    linear_accuracy,
    measure,
    neighbourhoods,
    sample_rows,
    silhouette,
)
from tests.core.reference import circles

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n", [25, 60, 200])
@pytest.mark.parametrize("neighbours", [1, 5, 10])
def test_neighbourhoods_are_those_of_scikit_learn(n, neighbours):
    X = RNG.normal(size=(n, 5))
    Z = X[:, :2] + 0.3 * RNG.normal(size=(n, 2))
    trust, continuity = neighbourhoods(X, Z, neighbours)
    assert trust == pytest.approx(trustworthiness(X, Z, n_neighbors=neighbours))
    assert continuity == pytest.approx(trustworthiness(Z, X, n_neighbors=neighbours))


def test_a_perfect_picture():
    X = RNG.normal(size=(50, 3))
    assert neighbourhoods(X, 2 * X + 1) == (1.0, 1.0)


def test_too_few_rows_for_neighbourhoods():
    X = RNG.normal(size=(3, 2))
    assert neighbourhoods(X, X) == (None, None)
    four = RNG.normal(size=(4, 2))
    assert neighbourhoods(four, four) == (1.0, 1.0)


def test_accuracy_of_separable_classes():
    Z, y = make_blobs(150, centers=3, cluster_std=0.2, random_state=0)
    assert linear_accuracy(Z, y) == 1
    assert knn_accuracy(Z, y) == 1
    assert silhouette(Z, y) == pytest.approx(silhouette_score(Z, y))


def test_accuracy_of_noise_is_chance():
    Z, y = RNG.normal(size=(600, 2)), RNG.integers(0, 2, 600)
    assert abs(linear_accuracy(Z, y) - 0.5) < 0.1
    assert abs(knn_accuracy(Z, y) - 0.5) < 0.1


def test_kernel_coordinates_beat_raw_ones_on_circles():
    X, y = circles(400)
    Z = KernelPCA(2, kernel="rbf", gamma=2).fit_transform(X)
    raw, kernel = measure(X, y, X), measure(Z, y, X)
    assert raw.linear_accuracy < 0.8
    assert kernel.linear_accuracy == 1
    assert raw.knn_accuracy == kernel.knn_accuracy == 1
    assert raw.trustworthiness == raw.continuity == 1
    assert 0.5 < kernel.trustworthiness < 1
    assert kernel.silhouette > raw.silhouette
    assert kernel.rows == 400


def test_names_serve_as_classes():
    Z, y = make_blobs(60, centers=2, cluster_std=0.1, random_state=0)
    names = np.array(["inner", "outer"])[y]
    assert linear_accuracy(Z, names) == knn_accuracy(Z, names) == 1


def test_components_without_scores_do_no_harm():
    Z, y = make_blobs(60, centers=2, cluster_std=0.1, random_state=0)
    padded = np.column_stack((Z, np.zeros((60, 3))))
    assert linear_accuracy(padded, y) == 1


def test_without_classes():
    Z = RNG.normal(size=(30, 2))
    scores = measure(Z)
    assert scores.linear_accuracy is None
    assert scores.knn_accuracy is None
    assert scores.silhouette is None
    assert scores.trustworthiness is None
    assert scores.continuity is None


@pytest.mark.parametrize(
    "y",
    [np.zeros(20), np.arange(20), np.r_[1, np.zeros(19)]],
    ids=["one class", "all different", "one alone"],
)
def test_classes_that_cannot_be_split(y):
    Z = RNG.normal(size=(20, 2))
    assert linear_accuracy(Z, y) is None
    assert knn_accuracy(Z, y) is None


def test_silhouette_needs_two_classes():
    Z = RNG.normal(size=(20, 2))
    assert silhouette(Z, np.zeros(20)) is None
    assert silhouette(Z, np.arange(20)) is None


def test_few_points_are_voted_on_by_those_there_are():
    Z = np.array([[0.0], [0.1], [5.0], [5.1]])
    assert knn_accuracy(Z, np.array([0, 0, 1, 1]), neighbours=1) == 1
    assert knn_accuracy(Z, np.array([0, 0, 1, 1]), neighbours=50) is not None


def test_large_data_are_sampled_the_same_way_every_time():
    assert list(sample_rows(5)) == [0, 1, 2, 3, 4]
    rows = sample_rows(5000)
    assert len(rows) == len(set(rows)) == quality.MOST_ROWS == 2000
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, sample_rows(5000))
    assert (sample_rows(5000, seed=1) != rows).any()


def test_measuring_twice_gives_the_same():
    Z, y = make_blobs(300, centers=4, cluster_std=3, random_state=0)
    first, second = measure(Z, y, Z, most=200), measure(Z, y, Z, most=200)
    assert first == second
    assert first.rows == 200


def test_measuring_stops_when_nobody_wants_it():
    Z, y = make_blobs(60, centers=2, random_state=0)
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) == 2

    with pytest.raises(Cancelled):
        measure(Z, y, Z, should_stop=should_stop)
