"""Linear PCA beside the kernel, and one sentence on both."""

import re

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca_viewer.core.quality import Quality
from kpca_viewer.session.comparison import (
    ROWS,
    Comparison,
    compare,
    linear_pca,
    verdict,
)


def points(n, d, offset=0.0):
    random = np.random.default_rng(n + d)
    return random.normal(size=(n, d)) * np.arange(1, d + 1) + offset


@pytest.mark.parametrize(
    ("n", "d", "components"),
    [(50, 3, 2), (50, 3, 10), (10, 40, 5), (6, 1, 4), (30, 1200, 5), (1300, 20, 3)],
)
def test_linear_pca_is_that_of_scikit_learn(n, d, components):
    X = points(n, d, offset=7.0)
    ours = linear_pca(X, components)
    m = min(n, d, components)
    reference = PCA(m, svd_solver="full")
    scores = reference.fit_transform(X)
    assert ours.scores.shape == (n, m)
    assert np.abs(ours.scores) == pytest.approx(np.abs(scores), abs=1e-7)
    assert ours.shares == pytest.approx(reference.explained_variance_ratio_)
    assert ours.directions.shape == (d, m)
    assert not ours.scores.flags.writeable


def test_directions_point_where_their_largest_part_is_positive():
    V = linear_pca(points(40, 5), 5).directions
    assert (V[np.argmax(np.abs(V), axis=0), np.arange(5)] > 0).all()
    assert pytest.approx(np.eye(5), abs=1e-12) == V.T @ V


def test_far_from_the_origin_the_variance_is_still_seen():
    near, far = points(60, 3), points(60, 3, offset=2.0**30)
    assert linear_pca(far, 3).shares == pytest.approx(linear_pca(near, 3).shares)
    assert linear_pca(far, 3).scores == pytest.approx(
        linear_pca(near, 3).scores, abs=1e-5
    )


def test_the_points_are_not_changed():
    X = points(20, 3, offset=1.0)
    before = X.copy()
    linear_pca(X, 2)
    assert np.array_equal(X, before)


def test_identical_points_explain_nothing():
    result = linear_pca(np.ones((5, 3)), 2)
    assert not result.shares.any()
    assert not result.scores.any()


def test_both_pictures_are_measured_on_the_same_rows():
    X = points(ROWS + 200, 3)
    labels = (X[:, 0] > 0).astype(int)
    comparison = compare(X[:, :2], X[:, 1:], X, labels)
    assert comparison.kernel.rows == comparison.linear.rows == ROWS
    assert comparison.kernel.linear_accuracy > comparison.linear.linear_accuracy
    assert comparison.kernel.trustworthiness > 0.5


def test_what_no_kernel_changes_is_measured_once():
    X = points(60, 3)
    labels = (X[:, 0] > 0).astype(int)
    kept, made = {}, []

    def keep(name, make):
        if name not in kept:
            made.append(name)
            kept[name] = make()
        return kept[name]

    first = compare(X[:, :2], X[:, 1:], X, labels, keep=keep)
    second = compare(X[:, ::2], X[:, 1:], X, labels, keep=keep)
    assert sorted(made) == ["linear quality", "scorer of the picture"]
    assert first == compare(X[:, :2], X[:, 1:], X, labels)
    assert second == compare(X[:, ::2], X[:, 1:], X, labels)


def test_labels_that_say_nothing_are_left_out():
    X = points(30, 2)
    assert compare(X, X, X, np.full(30, -1)).kernel.linear_accuracy is None
    assert compare(X, None, None, None).linear is None


def quality(accuracy=None, trust=None):
    return Quality(accuracy, accuracy, None, trust, trust, 0.5, 100)


@pytest.mark.parametrize(
    ("kernel", "linear", "share", "sentence"),
    [
        (quality(0.99), quality(0.98), 0.5, "look linear: plain PCA is enough"),
        (quality(0.5), quality(0.98), 0.5, "look linear: plain PCA is enough"),
        (quality(0.99), quality(0.6), 0.5, "separates what plain PCA cannot"),
        (quality(0.57), quality(0.48), 0.5, "separates better .*, but not well"),
        (quality(0.42), quality(0.32), 0.5, "Neither separates the classes"),
        (quality(0.51), quality(0.54), 0.5, "Neither separates the classes"),
        (quality(0.7), quality(0.8), 0.5, "Plain PCA separates better; try another"),
        (quality(0.71), quality(0.7), 0.5, "Both separate the classes about equally"),
        (quality(0.99), quality(0.96), 0.5, "Both separate the classes about equally"),
        (quality(None, 0.9), quality(None, 0.8), 0.97, "plain PCA is enough"),
        (
            quality(None, 0.9),
            quality(None, 0.8),
            0.5,
            "The kernel keeps neighbourhoods",
        ),
        (quality(None, 0.8), quality(None, 0.9), 0.5, "Plain PCA keeps neighbourhoods"),
        (quality(None, 0.8), quality(None, 0.81), 0.5, "Both keep neighbourhoods"),
        (quality(), quality(), 0.5, "Both keep neighbourhoods"),
        (quality(0.9), quality(None, 0.9), 0.5, "Both keep neighbourhoods"),
    ],
)
def test_the_verdict(kernel, linear, share, sentence):
    comparison = Comparison(kernel, linear)
    text = verdict(comparison, 0.5, share)
    assert text.endswith(".")
    assert re.search(sentence, text)


def test_there_is_no_verdict_without_a_second_picture():
    assert verdict(Comparison(quality(0.9), None), 0.5, 0.0) == ""


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            {"source": "blobs", "values": {"noise": 0.05}, "seed": 1},
            "The data look linear: plain PCA is enough.",
        ),
        ({"gamma": 2}, "The kernel separates what plain PCA cannot."),
        ({"gamma": 1000}, "The kernel separates better than plain PCA, but not well."),
        (
            {"source": "swiss_roll"},
            "The kernel keeps neighbourhoods better than plain PCA.",
        ),
    ],
)
def test_the_verdict_on_known_shapes(analysed, wish, sentence):
    result = analysed(**wish)
    shares = result.shares[:2].sum(), result.linear.shares[:2].sum()
    assert verdict(result.comparison, *shares) == sentence
