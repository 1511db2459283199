"""Scores of folds against a model that is fitted to their training rows alone."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.fold_scores import common_start, fold_scores
from kpca_viewer.core.methods.quality import dealt

K = 4


def folds_of(n: int) -> np.ndarray:
    hand = dealt(np.zeros(n, dtype=int), 5)
    return np.array([hand != fold for fold in range(5)])


def scores_of(kernel: Kernel, X: np.ndarray, training: np.ndarray) -> list[np.ndarray]:
    gram = PointsGram(kernel.points(X, center=True), kernel)
    return fold_scores(gram, training, K, common_start(gram, K))


@pytest.mark.journey
@pytest.mark.parametrize("n", [100, 400])
@pytest.mark.parametrize(
    ("name", "times", "fixed"),
    [
        ("linear", 1, {}),
        ("cosine", 1, {}),
        ("paraboloid", 1, {}),
        ("poly", 0.3, {"degree": 2}),
        ("poly", 1, {"degree": 3}),
        ("rbf", 0.02, {}),
        ("rbf", 1, {}),
        ("laplacian", 1, {}),
        ("matern", 2, {"nu": 1.5}),
        ("rational_quadratic", 1, {}),
        ("sigmoid", 0.3, {}),
    ],
)
def test_a_fold_is_a_model_of_its_training_rows(name, times, fixed, n):
    X, _ = make_classification(n, 6, n_informative=6, n_redundant=0, random_state=0)
    X += 3
    values = {key: times * value for key, value in suggested_values(name, X).items()}
    kernel = Kernel(name, **values, **fixed)
    training = folds_of(n)
    for Z, rows in zip(scores_of(kernel, X, training), training, strict=True):
        model = KernelPCA(K, kernel=name, **kernel.values).fit(X[rows])
        expected = model.transform(X)
        for j in range(K):
            alike = np.corrcoef(Z[:, j], expected[:, j])[0, 1]
            assert abs(alike) > 0.999
        np.testing.assert_allclose(Z.std(axis=0), expected.std(axis=0), rtol=0.01)


@pytest.mark.parametrize("name", ["poly", "rbf", "laplacian", "linear"])
def test_a_row_outside_of_a_fold_decides_on_nothing_inside(name):
    X, _ = make_classification(300, 5, n_informative=5, n_redundant=0, random_state=2)
    kernel = Kernel(name, **suggested_values(name, X))
    training = folds_of(300)[:1]
    outside = np.flatnonzero(~training[0])[0]
    before = scores_of(kernel, X, training)[0]
    X[outside] *= 50
    after = scores_of(kernel, X, training)[0]
    inside = training[0]
    for j in range(K):
        alike = np.corrcoef(before[inside, j], after[inside, j])[0, 1]
        assert abs(alike) > 0.999


def test_components_beyond_the_rank_have_no_scores():
    X = np.random.default_rng(0).standard_normal((60, 2))
    for Z in scores_of(Kernel("linear"), X, folds_of(60)):
        assert Z[:, :2].any(axis=0).all()
        assert not Z[:, 2:].any()


def test_components_that_float32_cannot_tell_from_rounding_have_none_either():
    X = np.random.default_rng(0).standard_normal((200, 1))
    # The k-th component of a wide kernel is about the k-th power of one column.
    kernel = Kernel("rbf", gamma=1e-5)
    for Z in scores_of(kernel, X, folds_of(200)):
        assert Z[:, 0].any()
        assert not Z[:, 2:].any()
