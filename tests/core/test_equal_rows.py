"""Rows that are all equal have no variance, whatever rounding makes of them."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.methods.quality import Scorer
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.core.solvers.choice import rows_are_equal
from tests.core.reference import ALL_KERNELS, kernel_id

SAME = np.tile([0.3, 0.7], (30, 1))


def gram_of(X, kernel):
    return PointsGram(kernel.points(X), kernel)


@pytest.mark.parametrize(
    ("kernel", "solver"),
    [
        (kernel, solver)
        for kernel in ALL_KERNELS
        for solver in ("auto", "dense", "krylov", "lowrank")
        if kernel.psd or solver != "lowrank"
    ],
    ids=lambda value: value if isinstance(value, str) else kernel_id(value),
)
def test_every_eigenvalue_is_zero(kernel, solver):
    found = solve(Problem(gram_of(SAME, kernel), 3), solver)
    for numbers in (found.eigenvalues, found.bounds, found.spectrum):
        assert not numbers.any()
    assert (found.trace, found.squares, found.mass.share) == (0, 0, 0)
    assert not training_scores(found).any()


@pytest.mark.parametrize("solver", ["dense", "lowrank"])
def test_new_points_have_no_scores_either(solver):
    model = KernelPCA(2, kernel="rbf", gamma=1, eigen_solver=solver).fit(SAME)
    assert not model.transform([[2.0, -1.0], [0.3, 0.7]]).any()


def test_without_centring_the_mean_is_variance():
    found = solve(Problem(gram_of(SAME, Kernel("rbf", gamma=1)), 2, center=False))
    np.testing.assert_allclose(found.eigenvalues, [30, 0], atol=1e-12)


@pytest.mark.parametrize("row", [0, 1, 7, 15, 29])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_one_row_that_differs_is_enough(kind, row):
    kernel = Kernel("linear")
    assert rows_are_equal(gram_of(kind(SAME), kernel))
    other = SAME.copy()
    other[row, 1] += 1e-9
    assert not rows_are_equal(gram_of(kind(other), kernel))


def test_a_matrix_that_is_given():
    assert rows_are_equal(MatrixGram.from_distances(np.zeros((4, 4))))
    assert rows_are_equal(MatrixGram.from_kernel(np.full((4, 4), 0.7)))
    assert not rows_are_equal(MatrixGram.from_kernel(np.eye(4)))
    assert not rows_are_equal(MatrixGram.from_kernel(np.ones((4, 4)) + np.eye(4)))


def test_nobody_is_anybodys_neighbour_in_one_place():
    quality = Scorer(30, original=SAME).score(SAME)
    assert quality.trustworthiness is quality.continuity is quality.trusted is None
    other = SAME + np.arange(30)[:, None]
    assert Scorer(30, original=other).score(other).trustworthiness == 1
