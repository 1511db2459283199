"""All ways back to points, and how far they miss in feature space."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import rbf_kernel

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods import preimage, preimage_methods
from kpca_viewer.core.methods.preimage import FromDistances, PreImages
from kpca_viewer.core.methods.preimage_methods import FixedPoint, available, why_not
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support.errors import KernelError
from tests.core.reference import circles, decompose

X, _ = circles(120, noise=0.02)

EUCLIDEAN = [
    Kernel("rbf", gamma=1.5),
    Kernel("matern", nu=0.5),
    Kernel("matern", nu=1.5),
    Kernel("matern", nu=2.5),
    Kernel("rational_quadratic"),
    Kernel("poly", gamma=0.7, degree=3),
]


def prepared_for(
    kernel, k=6, method=None, center=True, points=X, solver="auto", tol=0.0
):
    seen = kernel.points(points, center=center)
    problem = Problem(PointsGram(seen, kernel), k, center=center, tol=tol)
    found = solve(problem, solver)
    return found, PreImages(found, kernel, seen, method)


def left_by_numpy(kernel, found, Z, x, center, points=X):
    """‖φ(x) − P‖² from full matrices, with P as a vector of weights."""
    seen = kernel.points(points, center=center)
    K = kernel.block(seen, seen)
    n = len(points)
    mean = np.full(n, 1 / n if center else 0.0)
    values = found.eigenvalues
    c = Z @ (found.eigenvectors / np.sqrt(values)).T + mean
    new = kernel.prepare_new(seen, x)
    cross = kernel.block(new, seen)
    own = np.diagonal(kernel.block(new, new))
    return own - 2 * (c * cross).sum(axis=1) + np.einsum("ij,jk,ik->i", c, K, c)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("kernel", [*EUCLIDEAN, Kernel("linear"), Kernel("laplacian")])
def test_the_distance_left_is_that_of_full_matrices(kernel, center):
    k = 2 if kernel.family.name == "linear" else 5
    found, finder = prepared_for(kernel, k, center=center)
    Z = training_scores(found)[:4] * 1.2
    told = finder(Z)
    expected = left_by_numpy(kernel, found, Z, told.points, center)
    np.testing.assert_allclose(told.distances, np.maximum(expected, 0), atol=1e-8)
    # What is left is the distance of the point to the model, and beside the place.
    model = KernelPCA(k, kernel=kernel.family.name, center=center, **kernel.values)
    model.fit(X)
    beside = np.square(told.scores - Z).sum(axis=1)
    left = beside - model.score_samples(told.points)
    np.testing.assert_allclose(told.distances, left, atol=1e-7)


@pytest.mark.parametrize("kernel", EUCLIDEAN, ids=lambda kernel: kernel.plain_formula())
def test_distances_return_to_the_points(kernel):
    found, finder = prepared_for(kernel, 119, "distances")
    back = finder(training_scores(found))
    assert np.abs(back.points - X).max() < 1e-3
    assert back.reachable.all()


def test_distances_by_landmarks():
    kernel = Kernel("rbf", gamma=1.5)
    found, finder = prepared_for(kernel, 20, "distances", solver="lowrank", tol=1e-10)
    assert found.landmark_map is not None
    back = finder(training_scores(found)).points
    assert np.abs(back - X).max() < 0.05
    exact, reference = prepared_for(kernel, 20, "distances")
    Z = training_scores(exact)
    np.testing.assert_allclose(finder.farthest, reference.farthest, rtol=1e-5)
    np.testing.assert_allclose(
        finder(training_scores(found)).distances, reference(Z).distances, atol=2e-2
    )


def test_the_projection_of_a_linear_kernel_is_its_pre_image():
    points = np.random.default_rng(0).normal(size=(40, 5)) + 7
    pca = PCA(2).fit(points)
    expected = pca.inverse_transform(pca.transform(points))
    for method in (None, "distances", "fixed_point"):
        found, finder = prepared_for(Kernel("linear"), 2, method, points=points)
        told = finder(training_scores(found))
        np.testing.assert_allclose(told.points, expected, atol=1e-9)
        assert told.distances.max() < 1e-9
        assert "projection itself" in finder.told


def test_fixed_point_by_itself_refuses_other_kernels():
    kernel = Kernel("poly")
    with pytest.raises(KernelError, match="RBF kernel only"):
        FixedPoint(decompose(X, kernel, 2), kernel, kernel.points(X))


def test_even_degrees_need_positive_points():
    kernel = Kernel("poly", gamma=1, degree=2)
    with pytest.raises(KernelError, match="choose an odd degree"):
        prepared_for(kernel, 3, "distances")
    points = np.abs(X) + 0.1
    found, finder = prepared_for(kernel, 5, "distances", points=points)
    assert np.abs(finder(training_scores(found)).points - points).max() < 1e-3


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cosine", "forgets how long a row is"),
        ("laplacian", "no straight distances"),
        ("sigmoid", "does not say how far away"),
    ],
)
def test_kernels_without_a_closed_form_say_so(name, words):
    reason = why_not("distances", Kernel(name))
    assert words in reason
    assert reason.endswith("choose pre_image='ridge'.")
    assert available(Kernel(name)) == ("ridge",)
    with pytest.raises(KernelError, match=words):
        FromDistances(
            decompose(X, Kernel(name), 2), Kernel(name), Kernel(name).points(X)
        )


def test_ridge_says_its_kernel_and_stays_near():
    found, finder = prepared_for(Kernel("laplacian"), 20)
    assert finder.method == "ridge"
    assert "120 rows on their scores, RBF kernel with γ = " in finder.told
    back = finder(training_scores(found)).points
    assert np.square(back - X).mean() < 0.5 * X.var()


def test_ridge_learns_from_landmarks():
    kernel = Kernel("rbf", gamma=1.5)
    found, finder = prepared_for(kernel, 10, "ridge", solver="lowrank", tol=1e-6)
    assert f"of {found.rank} rows on their scores" in finder.told
    back = finder(training_scores(found)).points
    assert np.square(back - X).mean() < 0.5 * X.var()


def test_indefinite_kernels_have_points_but_no_distances():
    kernel = Kernel("sigmoid", gamma=2, coef0=-1)
    found, finder = prepared_for(kernel, 3)
    told = finder(training_scores(found)[:4])
    assert "negative eigenvalues" in finder.no_distance
    assert np.isfinite(told.points).all()
    assert np.isnan(told.distances).all()
    assert told.reachable.all()
    model = KernelPCA(3, kernel="sigmoid", gamma=2, coef0=-1).fit(X)
    np.testing.assert_allclose(told.scores, model.transform(told.points), atol=1e-8)


def test_places_that_no_data_reach():
    kernel = Kernel("rbf", gamma=5)
    found, finder = prepared_for(kernel, 30)
    Z = training_scores(found)
    assert finder(Z, start=X).reachable.all()
    # Between the rings, and far outside of all scores.
    assert not finder(np.vstack((np.zeros(30), 3 * Z[0]))).reachable.any()


def test_new_rows_of_the_same_kind_are_reachable():
    model = KernelPCA(20, kernel="rbf", gamma=2).fit(X)
    finder = model._prepared("fixed_point")
    new, _ = circles(200, noise=0.02, seed=9)
    assert finder(model.transform(new), start=new).reachable.mean() > 0.95


def test_one_place_agrees_with_many():
    for method in (None, "distances", "fixed_point", "ridge"):
        found, finder = prepared_for(Kernel("rbf", gamma=1.5), 5, method)
        Z = training_scores(found)[:6]
        for z, point in zip(Z, finder(Z).points, strict=True):
            assert np.abs(finder.at(z).points[0] - point).max() < 0.05


def test_the_default_mixes_row_by_row(monkeypatch):
    kernel = Kernel("rbf", gamma=1.5)
    found, mixed = prepared_for(kernel, 4)
    Z = training_scores(found)
    near = FromDistances(found, kernel, kernel.points(X)).located(Z).near
    monkeypatch.setattr(preimage, "NEAR_ENOUGH", float(np.median(near)))
    points, far = mixed(Z).points, near < np.median(near)
    by_distances = prepared_for(kernel, 4, "distances")[1](Z).points
    by_steps = prepared_for(kernel, 4, "fixed_point")[1](Z).points
    np.testing.assert_allclose(points[~far], by_distances[~far])
    np.testing.assert_allclose(points[far], by_steps[far])


def test_places_whose_neighbours_are_far_are_left_to_the_iteration():
    kernel = Kernel("rbf", gamma=1.5)
    found = decompose(X, kernel, 4)
    Z = training_scores(found)
    by_distances = FromDistances(found, kernel, kernel.points(X))
    everywhere = by_distances.located(Z)
    least = float(np.median(everywhere.near))
    some = by_distances.located(Z, least)
    near = everywhere.near >= least
    np.testing.assert_array_equal(some.near >= least, near)
    np.testing.assert_allclose(some.points[near], everywhere.points[near])
    np.testing.assert_array_equal(some.apart, everywhere.apart)
    assert (by_distances.located(Z, 2.0).near >= everywhere.near).all()


def test_few_and_equal_points():
    for points in (X[:1], X[:2], np.ones((6, 2))):
        found, finder = prepared_for(Kernel("rbf", gamma=1), 1, points=points)
        told = finder(np.zeros((2, 1)))
        assert np.isfinite(told.points).all()
        assert len(found.eigenvalues) == 1


def test_sparse_points_have_dense_pre_images():
    sparse = pytest.importorskip("scipy.sparse").csr_matrix(X)
    dense = KernelPCA(6, kernel="rbf", gamma=1).fit(X)
    model = KernelPCA(6, kernel="rbf", gamma=1).fit(sparse)
    for method in ("distances", "fixed_point", "ridge"):
        told, expected = (m.denoise(X[:5], method=method) for m in (model, dense))
        np.testing.assert_allclose(told, expected, atol=1e-5)


def test_fixed_point_begins_at_one_of_some_points(monkeypatch):
    kernel = Kernel("rbf", gamma=1.5)
    found = decompose(X, kernel, 8)
    finder = FixedPoint(found, kernel, kernel.points(X))
    monkeypatch.setattr(preimage_methods, "STARTS", 40)
    fewer = FixedPoint(found, kernel, kernel.points(X))
    Z = training_scores(found)
    assert len(np.unique(fewer(Z, iterations=0), axis=0)) <= 40
    np.testing.assert_allclose(fewer(Z), finder(Z), atol=1e-3)


def test_fixed_point_begins_where_it_is_told_to():
    kernel = Kernel("rbf", gamma=3)
    found = decompose(X, kernel, 4)
    finder = FixedPoint(found, kernel, kernel.points(X))
    Z = training_scores(found)[:9]
    start = X[:9] + 0.05
    c = Z @ (found.eigenvectors / np.sqrt(found.eigenvalues)).T + 1 / len(X)
    weights = c * rbf_kernel(start, X, gamma=3)
    expected = weights @ X / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(finder(Z, iterations=1, start=start), expected)


@pytest.mark.parametrize("center", [True, False])
def test_rows_that_were_lifted_come_back_as_they_were(center):
    X = np.random.default_rng(4).normal(size=(60, 2)) + 3
    model = KernelPCA(3, kernel="paraboloid", center=center).fit(X)
    back = model.denoise(X, method=None)
    assert back.shape == X.shape
    assert np.square(back - X).mean() < 0.2 * X.var(axis=0).mean()
    for method in ("distances", "fixed_point"):
        with pytest.raises(KernelError, match="Paraboloid"):
            model.denoise(X, method=method)
