"""Linear PCA beside the kernel, both by the same yardstick."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca_viewer.core.methods import classical_scaling
from kpca_viewer.core.methods.quality import MOST_ROWS
from kpca_viewer.engine.comparison import compare, linear_pca
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.support.errors import Cancelled


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


@pytest.mark.parametrize(("n", "d"), [(150, 90), (70, 1100), (90, 80)])
def test_of_many_columns_or_rows_the_first_components_are_the_same(monkeypatch, n, d):
    X = points(n, d, offset=7.0)
    # The last ones are less than full rank.
    X[:, 3:] *= n != 90
    every = linear_pca(X, 4)
    monkeypatch.setattr(classical_scaling, "DENSE_UP_TO", 60)
    monkeypatch.setattr(classical_scaling, "eigenpairs", None)
    few = linear_pca(X, 4)
    np.testing.assert_allclose(few.scores, every.scores, atol=1e-8)
    np.testing.assert_allclose(few.shares, every.shares, atol=1e-12)
    np.testing.assert_allclose(few.directions.T @ few.directions, np.eye(4), atol=1e-9)


def test_linear_pca_of_many_columns_can_be_cancelled(monkeypatch):
    monkeypatch.setattr(classical_scaling, "DENSE_UP_TO", 60)
    with pytest.raises(Cancelled):
        linear_pca(points(150, 90), 4, lambda: True)


def test_the_row_farthest_out_is_on_the_positive_side():
    found = linear_pca(points(40, 5), 5)
    V, Z = found.directions, found.scores
    assert (Z[np.argmax(np.abs(Z), axis=0), np.arange(5)] > 0).all()
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


@pytest.mark.journey
def test_both_pictures_are_measured_on_the_same_rows():
    X = points(MOST_ROWS + 200, 3)
    labels = (X[:, 0] > 0).astype(int)
    comparison = compare(X[:, :2], X[:, 1:], X, labels)
    assert comparison.kernel.rows == comparison.linear.rows == MOST_ROWS
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


@pytest.mark.parametrize(
    ("d", "axes", "three", "beside", "drawn"),
    [
        (5, (0, 1, 2), False, [0, 1], (0, 1)),
        (5, (0, 1, 2), True, [0, 1, 2], (0, 1)),
        (5, (3, 1, 0), False, [3, 1], (3, 1)),
        (2, (0, 4, 1), False, [0, 1], (0, 1)),
        (2, (0, 1, 2), True, [0, 1], (0, 1)),
        (1, (0, 1, 2), False, [0], (0, 1)),
    ],
)
def test_linear_pca_shows_the_same_components_and_as_many(
    d, axes, three, beside, drawn
):
    linear = linear_pca(points(30, d), 10)
    view = ViewSettings(axes=axes, embedding_3d=three)
    assert linear.axes_beside(view) == beside
    assert linear.plane_beside(view) == drawn


@pytest.mark.parametrize(
    ("n", "d", "axes", "only_turned"),
    [(40, 2, 2, True), (40, 3, 2, False), (40, 3, 3, True), (3, 9, 2, True)],
)
def test_as_many_axes_as_columns_only_turn_the_data(n, d, axes, only_turned):
    X = points(n, d)
    assert compare(X[:, :1], X[:, :axes], X, None).only_turned == only_turned


def test_the_mean_of_equal_rows_is_one_of_them():
    # Thirty times 0.3 over thirty is 0.3 but for rounding, which is no variance.
    result = linear_pca(np.tile([0.3, 0.7], (30, 1)), 2)
    assert not result.shares.any()
    assert not result.scores.any()
    np.testing.assert_array_equal(result.mean, [0.3, 0.7])
