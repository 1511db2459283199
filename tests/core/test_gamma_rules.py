"""γ by a rule: "scale" and "median" beside numbers."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import pdist
from sklearn.svm import SVC

from kpca_viewer import KernelPCA
from kpca_viewer.support.errors import KernelError

X = np.random.default_rng(0).normal(2.0, 3.0, (60, 4))


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_scale_is_that_of_support_vector_machines(kind):
    found = KernelPCA(2, kernel="rbf", gamma="scale").fit(kind(X)).gamma_
    svm = SVC(gamma="scale").fit(kind(X), np.arange(60) % 2)
    assert found == pytest.approx(svm._gamma)


@pytest.mark.parametrize(
    ("kernel", "metric"), [("rbf", "sqeuclidean"), ("laplacian", "cityblock")]
)
def test_median_is_that_of_the_distances(kernel, metric):
    model = KernelPCA(2, kernel=kernel, gamma="median").fit(X)
    assert model.gamma_ == pytest.approx(1 / np.median(pdist(X, metric)), rel=0.02)
    again = KernelPCA(2, kernel=kernel, gamma=model.gamma_).fit(X)
    np.testing.assert_array_equal(model.transform(X), again.transform(X))


@pytest.mark.parametrize("rule", ["scale", "median"])
def test_equal_rows_have_no_scale(rule):
    assert KernelPCA(1, kernel="rbf", gamma=rule).fit(np.ones((5, 4))).gamma_ == 1 / 4


def test_another_word_is_refused():
    with pytest.raises((KernelError, ValueError), match="median"):
        KernelPCA(kernel="rbf", gamma="mean").fit(X)
