"""Sums of kernel values with the root divided out at the end, and their rounding."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, onepass
from kpca_viewer.core.solvers.blocks import array_blocks
from kpca_viewer.core.solvers.landmarks import LandmarkFeatures
from kpca_viewer.core.solvers.row_stream import decompose
from kpca_viewer.core.solvers.row_sums import (
    PART,
    SEEN,
    RowSums,
    divided_out,
    most_additions,
)
from tests.core.reference import circles, eigenvalues, gram_matrix, outside

KERNELS = [
    Kernel("rbf", gamma=0.02),
    Kernel("rbf", gamma=3),
    Kernel("laplacian", gamma=0.3),
    Kernel("poly", gamma=0.5, degree=3, coef0=1),
]


def features_of(kernel, X, rank):
    """Return features by the first rows, around means that are a little off."""
    points = kernel.points(X)
    known = points.take(slice(0, rank))
    R = np.linalg.cholesky(kernel.block(known, known)).T
    around = kernel.block(points.take(slice(0, 20)), known).mean(axis=0)
    return points, LandmarkFeatures(kernel, known, np.linalg.inv(R), around)


def summed(features, points, step):
    """Return sums of all rows, and how many followed each other."""
    sums = RowSums(features)
    steps = range(0, len(points), step)
    for start in steps:
        sums.add(points.take(slice(start, start + step)))
    additions = most_additions(len(points), len(steps))
    return divided_out(features, sums.products, sums.sums, len(points), additions)


def exact(features, points):
    """Return ``FᵀF`` and ``ΣF`` of the same kernel values in long double."""
    K = features.kernel.block(points, features.known).astype(np.longdouble)
    F = K @ features.inverse.astype(np.longdouble)
    return F.T @ F, F.sum(axis=0)


def norm(E):
    return np.linalg.norm(E.astype(np.float64), 2)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.plain_formula())
def test_no_rounding_exceeds_its_bound(kernel):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, rank = int(rng.integers(40, 400)), int(rng.integers(2, 12))
        X = rng.normal(size=(n, 3)) * rng.choice([0.3, 1.0])
        points, features = features_of(kernel, X, rank)
        found = summed(features, points, int(rng.integers(30, 200)))
        products, sums = exact(features, points)
        E = found.products - products
        assert norm(E) <= found.moved
        assert abs(float(np.trace(E))) <= found.moved
        centred = found.products - np.outer(found.sums, found.sums) / n
        wanted = products - np.outer(sums, sums) / n
        assert norm(centred - wanted) <= found.moved


def test_the_bound_is_small_beside_the_products_and_grows_with_what_is_added():
    X = np.random.default_rng(0).normal(size=(3 * PART, 3))
    points, features = features_of(KERNELS[1], X, 12)
    found = summed(features, points, 2 * PART)
    assert 0 < found.moved < 1e-8 * np.trace(found.products)
    sums = np.zeros(12)
    few, many = (
        divided_out(features, np.eye(12), sums, 9, count).moved for count in (1, 10**6)
    )
    assert many > 100 * few


def test_one_of_several_rows_tells_what_its_features_explain():
    X = np.random.default_rng(0).normal(size=(50, 3))
    points, features = features_of(KERNELS[1], X, 8)
    explained = RowSums(features).add(points)
    squares = np.square(features.of(points)).sum(axis=1)
    np.testing.assert_allclose(explained[::SEEN], squares[::SEEN], rtol=1e-12)
    assert np.isnan(explained).sum() == len(X) - len(explained[::SEEN])


@pytest.mark.parametrize("center", [True, False])
def test_bounds_hold_where_the_root_is_divided_out(center):
    X, _ = circles(900)
    kernel = Kernel("rbf", gamma=2)
    truth = eigenvalues(gram_matrix(kernel, X), center=center)
    gram = PointsGram(kernel.points(X, center=center), kernel)
    problem = Problem(gram, 5, center=center, tol=1e-3)
    kinds = [onepass.solve(problem, 400)]
    streamed = decompose(array_blocks(X, 400), len(X), X, kernel, 5, center=center)
    kinds.append(streamed.decomposition)
    for found in kinds:
        assert found.certificate == "proven"
        assert found.error <= 1e-3
        assert outside(found, truth) == 0
        # The rounding of such sums is far above that of features, and is told.
        below = (found.eigenvalues - found.bounds[:, 0]) / found.eigenvalues[0]
        assert np.all(below > 1e-9)


def test_many_digits_are_added_up_as_features():
    X, _ = circles(900)
    kernel = Kernel("rbf", gamma=2)
    gram = PointsGram(kernel.points(X, center=True), kernel)
    found = onepass.solve(Problem(gram, 5, tol=1e-8, certificate="proven"), 900)
    assert found.error <= 1e-8
    below = (found.eigenvalues - found.bounds[:, 0]) / found.eigenvalues[0]
    assert np.all(below < 1e-9)
