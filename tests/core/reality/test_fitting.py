"""The quick scores are those of kernel PCA, however they were found."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.random_baseline import DENSE_BELOW, leading_scores
from tests.core.reference import centred, gram_matrix, same_up_to_sign


@pytest.mark.parametrize("rows", [40, DENSE_BELOW + 5])
@pytest.mark.parametrize(
    "kernel",
    [
        Kernel("rbf", gamma=0.3),
        Kernel("linear"),
        Kernel("laplacian", gamma=0.5),
        Kernel("poly", gamma=0.2, degree=3, coef0=1),
    ],
    ids=lambda kernel: kernel.family.name,
)
@pytest.mark.parametrize("exact", [True, False])
def test_scores_are_those_of_kernel_pca(kernel, rows, exact):
    X = np.random.default_rng(2).normal(size=(rows, 3))
    scores = leading_scores(X, kernel, (0, 2), exact=exact)
    values, vectors = np.linalg.eigh(centred(gram_matrix(kernel, X)))
    known = vectors[:, [-1, -3]] * np.sqrt(values[[-1, -3]])
    assert same_up_to_sign(scores, known, 1e-7)


def test_not_centred_where_the_model_is_not():
    X = np.random.default_rng(2).normal(size=(40, 3))
    kernel = Kernel("rbf", gamma=0.3)
    scores = leading_scores(X, kernel, (0,), center=False)
    values, vectors = np.linalg.eigh(gram_matrix(kernel, X))
    assert same_up_to_sign(scores, vectors[:, -1:] * values[-1] ** 0.5)


def test_a_component_that_is_not_there_has_no_scores():
    X = np.arange(5.0)[:, None]
    scores = leading_scores(X, Kernel("linear"), (0, 7))
    assert np.ptp(scores[:, 0]) > 0
    assert not scores[:, 1].any()
