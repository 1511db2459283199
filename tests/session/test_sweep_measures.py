"""Scores of a sweep, the best of them, and the meter."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import trustworthiness
from sklearn.metrics import pairwise, silhouette_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from kpca_viewer.core.methods import quality
from kpca_viewer.data.generators import generate
from kpca_viewer.engine.comparison import compare
from kpca_viewer.engine.sweep.measures import (
    MEASURES,
    defined_measure,
    measure_called,
    missing_measures,
    row_scores,
)
from kpca_viewer.engine.sweep.scoring import PictureScorer, agreement, meter


@pytest.fixture
def cloud():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    Z = X[:, :2] + 0.3 * rng.normal(size=(300, 2))
    return X, Z, (X[:, 0] > 0).astype(int)


def all_of(scorer, Z, axes=(0, 1)):
    """Return all measures of a picture at once."""
    return scorer.score(scorer.take(Z), axes)[0]


def test_scores_are_those_of_the_window(cloud):
    X, Z, y = cloud
    scores = all_of(PictureScorer(X, y, X[:, :2], len(X)), Z)
    known = compare(Z, None, X, y).kernel
    for key in set(scores) - {"linear_agreement"}:
        assert scores[key] == getattr(known, key)
    assert set(scores) < set(MEASURES)


def test_all_scores_are_those_of_the_window_for_large_data_too():
    X = np.random.default_rng(0).normal(size=(1500, 2))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)
    known = compare(X, None, X, y).kernel
    assert all_of(PictureScorer(X, y, X, 1500), X) == {
        **{key: getattr(known, key) for key in row_scores()},
        "linear_agreement": pytest.approx(1),
    }


@pytest.mark.parametrize(
    ("kernel", "source"),
    [
        ({"kernel": "rbf", "gamma": 5.0}, "moons"),
        ({"kernel": "rbf", "gamma": 200.0}, "circles"),
        ({"kernel": "poly", "degree": 3}, "iris"),
        ({"kernel": "cosine"}, "wine"),
        ({"kernel": "precomputed"}, "moons"),
    ],
    ids=str,
)
def test_scores_are_those_of_scikit_learn(kernel, source):
    few = {"samples": 150} if source in ("moons", "circles") else {}
    data = generate(source, **few)
    X, y = data.points, data.labels
    seen = X
    if kernel["kernel"] == "precomputed":
        seen = pairwise.laplacian_kernel(X, gamma=2.0)
    Z = KernelPCA(2, eigen_solver="dense", **kernel).fit_transform(seen)
    scores = all_of(PictureScorer(X, y, X[:, :2], len(X)), Z)
    assert scores["silhouette"] == pytest.approx(silhouette_score(Z, y), abs=1e-5)
    assert scores["trustworthiness"] == pytest.approx(
        trustworthiness(X, Z, n_neighbors=quality.NEIGHBOURS), abs=1e-4
    )
    # Rows of the iris data that are equal have no order among neighbours.
    assert scores["continuity"] == pytest.approx(
        trustworthiness(Z, X, n_neighbors=quality.NEIGHBOURS), abs=5e-4
    )
    held_out = PredefinedSplit(quality.deal(y))
    guess = cross_val_predict(KNeighborsClassifier(5), Z, y, cv=held_out)
    # Ties of a vote may be broken in another way.
    assert scores["knn_accuracy"] == pytest.approx(np.mean(guess == y), abs=0.02)
    linear = LinearDiscriminantAnalysis(solver="lsqr")
    scaled = StandardScaler().fit_transform(Z)
    guess = cross_val_predict(linear, scaled, y, cv=held_out)
    assert scores["linear_accuracy"] == pytest.approx(np.mean(guess == y), abs=1e-9)


@pytest.mark.journey
def test_all_rows_are_scored_up_to_two_thousand(cloud):
    X, Z, y = cloud
    for times, scored in ((6, 1800), (8, 2000)):
        many = (np.repeat(A, times, axis=0) for A in (X, y, Z))
        X_many, y_many, Z_many = many
        n = len(X_many)
        y_many[:100] = -1
        scorer = PictureScorer(X_many, y_many, X_many[:, :2], n)
        _, yardstick = scorer.score(scorer.take(Z_many), (0, 1))
        assert yardstick.rows == scored
        assert yardstick.rows_of(MEASURES["trustworthiness"]) == scored
        assert yardstick.rows_of(MEASURES["knn_accuracy"]) == min(n - 100, 2000)
        assert yardstick.rows_of(MEASURES["share_2"]) is None


def test_a_picture_is_held_against_chance_and_linear_pca(cloud):
    X, Z, y = cloud
    scorer = PictureScorer(X, y, X, len(X))
    _, yardstick = scorer.score(scorer.take(Z), (0, 3))
    known = quality.Scorer(len(X), y, X).score(X[:, :2])
    assert yardstick.axes == (0, 3)
    assert yardstick.chance == known.chance
    assert yardstick.linear == pytest.approx(
        {k: getattr(known, k) for k in row_scores()}
    )
    assert set(yardstick.errors) == set(row_scores())
    _, on_three = scorer.score(scorer.take(X[:, :3]), (0, 1, 2))
    three = quality.Scorer(len(X), y, X).score(X[:, :3])
    assert on_three.linear["trustworthiness"] == three.trustworthiness


def test_what_is_not_defined_is_none():
    nothing = all_of(PictureScorer(None, np.full(5, -1), None, 5), np.zeros((5, 2)))
    assert set(nothing.values()) == {None}
    few = all_of(PictureScorer(np.eye(3), None, None, 3), np.eye(3)[:, :2])
    assert few["trustworthiness"] is None


def test_agreement_does_not_mind_rotation_and_stretch(cloud):
    _, Z, _ = cloud
    turned = Z @ np.array([[0.6, -0.8], [0.8, 0.6]]) * (3, 0.1) + 5
    assert agreement(turned, Z) == pytest.approx(1)
    other = np.random.default_rng(1).normal(size=Z.shape)
    assert agreement(other, Z) < 0.3
    assert agreement(Z, None) is None
    assert agreement(np.zeros_like(Z), Z) is None


@pytest.mark.parametrize(
    ("rank", "like", "words"),
    [
        (2.0, 0.999, "almost linear"),
        (5.0, 0.9, "a little bent"),
        (10.0, 0.3, "structure"),
        (10.0, None, "structure"),
        (100.0, 0.3, "fine detail"),
        (900.0, 0.1, "every point for itself"),
        (0.0, None, "almost linear"),
    ],
)
def test_the_meter_in_words(rank, like, words):
    assert meter(rank, 1000, like) == words


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("linear_accuracy", 0.9876, "98.8 %"),
        ("silhouette", -0.25, "−0.250"),
        ("effective_rank", 4.26, "4.26"),
        ("effective_rank", 1234.5, "1,234"),
        ("effective_rank", 2.5e6, "2.5·10⁶"),
        ("certificate", 2.3e-7, "2·10⁻⁷"),
        ("certificate", 0.0, "0"),
        ("silhouette", None, "–"),
    ],
)
def test_measures_in_words(key, value, text):
    assert MEASURES[key].text(value) == text


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("accuracy", "linear_accuracy"),
        ("linear", "linear_accuracy"),
        ("knn", "knn_accuracy"),
        ("share-2", "share_2"),
    ],
)
def test_short_names_lead_to_measures(name, key):
    assert measure_called(name) is MEASURES[key]


def test_a_name_leads_to_one_measure():
    names = [n for row in MEASURES.values() for n in (row.key, *row.aliases)]
    assert len(set(names)) == len(names)
    assert measure_called("beauty") is None


def test_another_measure_takes_the_place_of_one_that_is_not_defined():
    two, none = np.array([0, 1]), None
    assert defined_measure("silhouette", missing_measures(two)) == "silhouette"
    without = missing_measures(none)
    assert defined_measure("silhouette", without) == "trustworthiness"
    assert defined_measure("silhouette", missing_measures(none, "kernel")) == "share_2"


def test_measures_that_are_not_defined_say_why():
    two = np.array([0, 1, 0, 1])
    of_classes = {key for key, m in MEASURES.items() if m.needs_classes}
    assert missing_measures(two) == {}
    for labels, why in (
        (None, "no classes"),
        (np.full(4, -1), "no classes"),
        (np.zeros(4, dtype=int), "one class only"),
    ):
        reasons = missing_measures(labels)
        assert set(reasons) == of_classes
        assert all(why in reason for reason in reasons.values())
    given = missing_measures(two, "kernel")
    assert set(given) == {"trustworthiness", "continuity", "linear_agreement"}


@pytest.mark.parametrize("labels", [None, np.zeros(30, dtype=int), np.arange(30) // 15])
@pytest.mark.parametrize("kind", ["points", "kernel"])
def test_what_is_missing_is_what_is_not_scored(labels, kind):
    X = np.random.default_rng(0).normal(size=(30, 3))
    given = X if kind == "points" else None
    linear = None if given is None else X[:, :2]
    scored = all_of(PictureScorer(given, labels, linear, 30), X[:, :2])
    undefined = {key for key, value in scored.items() if value is None}
    assert undefined == set(missing_measures(labels, kind))
