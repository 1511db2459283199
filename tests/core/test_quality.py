"""Scores of an embedding: right, fair, reproducible, None where undefined."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import trustworthiness
from sklearn.metrics import silhouette_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from kpca_viewer import KernelPCA
from kpca_viewer.core.methods import neighbourhoods as neighbourhoods_of
from kpca_viewer.core.methods import quality
from kpca_viewer.core.methods.neighbourhoods import Nearest, voted
from kpca_viewer.core.methods.quality import Scorer, deal, linear_accuracy, sample_rows
from kpca_viewer.support.errors import Cancelled
from tests.core.reference import circles

RNG = np.random.default_rng(0)


def neighbourhoods(X, Z, neighbours=10):
    scores = Scorer(len(X), original=X, neighbours=neighbours).score(Z)
    return scores.trustworthiness, scores.continuity


def scored(Z, y=None, X=None):
    return Scorer(len(Z), y, X).score(Z)


@pytest.mark.parametrize("n", [25, 60, 200])
@pytest.mark.parametrize("neighbours", [1, 5, 10])
@pytest.mark.parametrize("columns", [1, 2, 3, 5])
def test_neighbourhoods_are_those_of_scikit_learn(n, neighbours, columns):
    X = RNG.normal(size=(n, 5))
    Z = X[:, :columns] + 0.3 * RNG.normal(size=(n, columns))
    trust, continuity = neighbourhoods(X, Z, neighbours)
    assert trust == pytest.approx(trustworthiness(X, Z, n_neighbors=neighbours))
    assert continuity == pytest.approx(trustworthiness(Z, X, n_neighbors=neighbours))


def test_many_columns_far_from_the_origin_have_the_same_neighbours():
    X = RNG.normal(size=(80, 300)) * RNG.lognormal(0, 1, 300) + 1e4
    Z = X[:, :2] + 0.3 * RNG.normal(size=(80, 2))
    trust, continuity = neighbourhoods(X, Z)
    assert trust == pytest.approx(trustworthiness(X, Z, n_neighbors=10))
    assert continuity == pytest.approx(trustworthiness(Z, X, n_neighbors=10))


def test_rows_at_equal_distances_are_not_nearer():
    # On a grid nearly all distances are shared, and these are exact. More axes have
    # another way to count.
    X = RNG.permutation(np.stack(np.divmod(np.arange(81), 9), axis=1).astype(float))
    Z = X * (1, 0.25)
    in_space = np.column_stack((Z, np.zeros((81, 3))))
    continuity = neighbourhoods(X, Z)[1]
    assert continuity == neighbourhoods(X, in_space)[1]
    near = np.argsort(np.linalg.norm(X[:, None] - X, axis=2), axis=1, kind="stable")
    D = np.linalg.norm(Z[:, None] - Z, axis=2)
    nearer = [(D[i] < D[i, j]).sum() for i in range(81) for j in near[i, 1:11]]
    missing = np.maximum(np.array(nearer) - 10, 0).sum()
    assert missing > 0
    assert continuity == pytest.approx(1 - 2 * missing / (81 * 10 * (162 - 31)))


@pytest.mark.parametrize("columns", [1, 2])
def test_whoever_is_among_rows_of_the_own_fold_asks_farther_away(columns):
    Z = RNG.normal(size=(90, columns))
    codes, folds = RNG.integers(0, 3, 90), np.arange(90) % 3
    Z[folds == 0] /= 1e3
    found = voted(Nearest(Z), codes, folds, 5)
    for row, right in enumerate(found):
        others = np.flatnonzero(folds != folds[row])
        away = np.linalg.norm(Z[others] - Z[row], axis=1)
        votes = np.bincount(codes[others[np.argsort(away)[:5]]], minlength=3)
        assert right == (votes.argmax() == codes[row])


@pytest.mark.parametrize("digits", [1, 15])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_few_rows_have_the_numbers_of_a_tree(digits, columns, monkeypatch):
    """Where rows are as near, too, and where they are so but for rounding."""
    X, Z = (np.round(RNG.normal(size=(120, d)), digits) for d in (2, columns))
    labels = RNG.integers(0, 3, 120)
    found = scored(Z, labels, X)
    monkeypatch.setattr(neighbourhoods_of, "FEW", 0)
    by_tree = scored(Z, labels, X)
    assert replace(found, trusted=None, predictions=None) == replace(
        by_tree, trusted=None, predictions=None
    )
    assert np.array_equal(found.trusted, by_tree.trusted)


def test_a_perfect_picture():
    X = RNG.normal(size=(50, 3))
    assert neighbourhoods(X, 2 * X + 1) == (1.0, 1.0)


def test_too_few_rows_for_neighbourhoods():
    X = RNG.normal(size=(3, 2))
    assert neighbourhoods(X, X) == (None, None)
    four = RNG.normal(size=(4, 2))
    assert neighbourhoods(four, four) == (1.0, 1.0)


@pytest.mark.parametrize("centers", [2, 3, 7])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_accuracies_are_those_of_scikit_learn(centers, columns):
    Z, y = make_blobs(
        [20 + 15 * j for j in range(centers)],
        columns,
        centers=None,
        cluster_std=3,
        random_state=centers,
    )
    held_out = PredefinedSplit(deal(y))
    linear = LinearDiscriminantAnalysis(solver="lsqr")
    guess = cross_val_predict(linear, Z, y, cv=held_out)
    assert linear_accuracy(Z, y) == pytest.approx(np.mean(guess == y), abs=1e-9)
    assert scored(Z, y).linear_accuracy == linear_accuracy(Z, y)
    nearest = KNeighborsClassifier(quality.VOTERS)
    guess = cross_val_predict(nearest, Z, y, cv=held_out)
    assert scored(Z, y).knn_accuracy == pytest.approx(np.mean(guess == y), abs=1e-9)
    assert scored(Z, y).silhouette == pytest.approx(silhouette_score(Z, y))


def test_a_class_between_two_others_is_not_overlooked():
    Z, y = PCA(2).fit_transform(load_iris().data), load_iris().target
    assert linear_accuracy(Z, y) > 0.94


def test_folds_are_dealt_within_the_classes():
    codes = np.r_[np.zeros(50, int), np.ones(23, int)]
    folds = deal(codes)
    assert np.bincount(folds[codes == 0]).tolist() == [10] * 5
    assert set(np.bincount(folds[codes == 1])) == {4, 5}


def test_accuracy_of_separable_classes():
    Z, y = make_blobs(150, centers=3, cluster_std=0.2, random_state=0)
    assert scored(Z, y).linear_accuracy == scored(Z, y).knn_accuracy == 1


def test_accuracy_of_noise_is_chance():
    Z, y = RNG.normal(size=(600, 2)), RNG.integers(0, 2, 600)
    scores = scored(Z, y)
    assert abs(scores.linear_accuracy - 0.5) < 0.1
    assert abs(scores.knn_accuracy - 0.5) < 0.1
    assert scores.chance == pytest.approx(0.5, abs=0.05)
    assert scored(Z, np.r_[np.zeros(150), np.ones(450)]).chance == 0.75


def test_kernel_coordinates_beat_raw_ones_on_circles():
    X, y = circles(400)
    Z = KernelPCA(2, kernel="rbf", gamma=2).fit_transform(X)
    raw, kernel = scored(X, y, X), scored(Z, y, X)
    assert raw.linear_accuracy < 0.8
    assert kernel.linear_accuracy == 1
    assert raw.knn_accuracy == kernel.knn_accuracy == 1
    assert raw.trustworthiness == raw.continuity == 1
    assert 0.5 < kernel.trustworthiness < 1
    assert kernel.silhouette > raw.silhouette
    assert kernel.rows == 400


def test_names_serve_as_classes():
    Z, y = make_blobs(60, centers=2, cluster_std=0.1, random_state=0)
    scores = scored(Z, np.array(["inner", "outer"])[y])
    assert scores.linear_accuracy == scores.knn_accuracy == 1


def test_components_without_scores_do_no_harm():
    Z, y = make_blobs(60, centers=2, cluster_std=0.1, random_state=0)
    padded = np.column_stack((Z, np.zeros((60, 3))))
    assert linear_accuracy(padded, y) == 1


def test_classes_that_are_one_point_each():
    y = np.arange(20) % 2
    assert linear_accuracy(y[:, None] * np.ones((20, 2)), y) == 1


def test_very_large_scores_do_not_overflow():
    Z, y = make_blobs(60, centers=2, cluster_std=0.1, random_state=0)
    huge, usual = (asdict(scored(scale * Z, y, Z)) for scale in (1e200, 1.0))
    for key in ("errors", "trusted"):
        assert huge.pop(key) == pytest.approx(usual.pop(key))
    for key, of_huge in huge.pop("predictions").items():
        np.testing.assert_array_equal(of_huge, usual["predictions"][key])
    del usual["predictions"]
    assert huge == usual


def test_without_classes():
    scores = scored(RNG.normal(size=(30, 2)))
    assert scores.linear_accuracy is None
    assert scores.knn_accuracy is None
    assert scores.silhouette is None
    assert scores.trustworthiness is None
    assert scores.continuity is None
    assert scores.chance is None


@pytest.mark.parametrize(
    "y",
    [np.zeros(20), np.arange(20), np.r_[1, np.zeros(19)]],
    ids=["one class", "all different", "one alone"],
)
def test_classes_that_cannot_be_split(y):
    scores = scored(RNG.normal(size=(20, 2)), y)
    assert scores.linear_accuracy is None
    assert scores.knn_accuracy is None
    assert (scores.silhouette is None) == (len(np.unique(y)) != 2)


def test_few_points_are_voted_on_by_those_of_other_folds():
    Z = np.array([[0.0], [0.1], [5.0], [5.1]])
    # Two folds of two rows: each row has one of either class to ask, and the first
    # class wins a tie.
    assert scored(Z, np.array([0, 0, 1, 1])).knn_accuracy == 0.5


def test_large_data_are_sampled_the_same_way_every_time():
    assert list(sample_rows(5)) == [0, 1, 2, 3, 4]
    rows = sample_rows(5000)
    assert len(rows) == len(set(rows)) == quality.MOST_ROWS == 2000
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, sample_rows(5000))
    assert (sample_rows(5000, seed=1) != rows).any()


def test_measuring_twice_gives_the_same():
    Z, y = make_blobs(300, centers=4, cluster_std=3, random_state=0)
    scorer = Scorer(300, y, Z)
    assert scorer.score(Z) == scorer.score(Z) == Scorer(300, y, Z).score(Z)
    assert scorer.score(Z).rows == scorer.score(Z).labelled == 300


@pytest.mark.journey
def test_errors_are_those_of_other_samples():
    """Scores of 60 samples lie around their mean as far as one of them has said."""
    rng = np.random.default_rng(3)
    y = np.arange(120) % 2
    samples = []
    for _ in range(60):
        X = rng.normal(size=(120, 3)) + 0.8 * y[:, None]
        samples.append(scored(X[:, :2], y, X))
    for key in ("linear_accuracy", "knn_accuracy", "silhouette", "trustworthiness"):
        spread = np.std([getattr(sample, key) for sample in samples])
        told = np.median([sample.errors[key] for sample in samples])
        assert 0.5 < told / spread < 2, key


def test_all_of_a_few_rows_right_is_no_certainty():
    Z, y = make_blobs(20, centers=2, cluster_std=0.1, random_state=0)
    scores = scored(Z, y)
    assert scores.linear_accuracy == 1
    assert 0.03 < scores.errors["linear_accuracy"] < 0.1


def test_measuring_stops_when_nobody_wants_it():
    Z, y = make_blobs(60, centers=2, random_state=0)
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) == 2

    with pytest.raises(Cancelled):
        Scorer(60, y, Z).score(Z, should_stop)


def test_rows_without_a_label_are_no_class():
    X, y = make_blobs(400, 3, centers=4, cluster_std=3, random_state=1)
    y = y.astype(np.int64) - 1
    some = y >= 0
    scores, known = scored(X[:, :2], y, X), scored(X[some, :2], y[some])
    for name in ("linear_accuracy", "knn_accuracy", "silhouette", "chance"):
        assert getattr(scores, name) == getattr(known, name) is not None
    # They are points of the picture all the same.
    assert scores.trustworthiness == scored(X[:, :2], None, X).trustworthiness
    assert scores.rows == 400


@pytest.mark.journey
@pytest.mark.parametrize("labelled", [0, 3])
def test_few_labels_among_many_rows(labelled):
    X = RNG.normal(size=(5000, 2))
    y = np.full(5000, -1)
    y[:labelled] = np.arange(labelled) % 2
    scores = Scorer(5000, y, X).score(X)
    assert scores.linear_accuracy is None
    assert scores.knn_accuracy is None
    assert scores.chance == (2 / 3 if labelled else None)
    assert scores.trustworthiness == 1.0
