"""Which way round: by a rule of its own, or in step with the picture before."""

from itertools import product

import numpy as np
import pytest

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.orientation import (
    SPARE,
    Configuration,
    along,
    canonical,
    equal_groups,
    is_same,
    oriented,
    procrustes,
    tied_groups,
    towards,
)
from kpca_viewer.core.projection import project, training_scores
from kpca_viewer.core.solvers import Problem, krylov, solve
from tests.core.reference import centred, circles, decompose, gram_matrix

RNG = np.random.default_rng(0)


def align(vectors, values, previous, bounds=None):
    return vectors @ towards(vectors, values, previous, bounds)


def orthonormal(n, k):
    return np.linalg.qr(RNG.normal(size=(n, k)))[0]


def put(V, values):
    return V @ canonical(V, np.asarray(values, dtype=float))


def test_columns_are_oriented_by_signs_or_by_a_matrix():
    V, signs = orthonormal(30, 3), np.array([1.0, -1.0, 1.0])
    by_signs = oriented(V, signs)
    np.testing.assert_array_equal(by_signs, V * signs)
    # A matrix of signs costs no digit, whatever the type of the columns.
    single = V.astype(np.float32)
    np.testing.assert_array_equal(oriented(single, np.diag(signs)), single * [1, -1, 1])
    assert oriented(single, np.diag(signs)).dtype == np.float32
    R = orthonormal(3, 3)
    np.testing.assert_allclose(oriented(V, R), V @ R, atol=1e-15)
    assert not oriented(V, R).flags.writeable
    assert V.flags.writeable
    assert [is_same(it) for it in (np.eye(3), np.ones(3))] == [True, True]
    assert [is_same(it) for it in (R, signs, np.diag(signs))] == [False] * 3


@pytest.mark.parametrize("n", [5, 200])
def test_the_entry_of_largest_magnitude_is_positive(n):
    V = orthonormal(n, 4)
    W = put(V, [4, 3, 2, 1])
    assert (W[np.abs(W).argmax(axis=0), range(4)] > 0).all()
    np.testing.assert_array_equal(np.abs(W), np.abs(V))
    assert canonical(np.empty((0, 2)), np.zeros(2)).shape == (2, 2)
    assert canonical(np.empty((3, 0)), np.zeros(0)).shape == (0, 0)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("noise", [0, 1e-9, -1e-9, 1e-6, -1e-6])
def test_of_entries_equally_large_the_lowest_row_is_positive(sign, noise):
    v = sign * np.array([[0.1], [-0.7], [0.7 + noise], [0.1]])
    assert put(v / np.linalg.norm(v), [1])[1] > 0
    # A difference that can be seen is none of rounding.
    v = np.array([[0.1], [-0.7], [0.701], [0.1]])
    assert put(sign * v / np.linalg.norm(v), [1])[2] > 0


@pytest.mark.parametrize("m", [2, 3, 60])
def test_a_tied_basis_depends_on_its_space_alone(m):
    V = orthonormal(80, m + 2)
    values = [3.0, *[2.0] * m, 1.0]
    expected = put(V, values)
    for _ in range(5):
        turn = np.eye(m + 2)
        turn[1:-1, 1:-1] = orthonormal(m, m)
        found = put(V @ turn, np.array(values) * (1 + 1e-8 * RNG.normal(size=m + 2)))
        # Of a very large group, nobody looks at the last ones.
        np.testing.assert_allclose(found[:, :51], expected[:, :51], atol=1e-9)
        np.testing.assert_allclose(found.T @ found, np.eye(m + 2), atol=1e-12)
        assert (found[np.abs(found).argmax(axis=0), range(m + 2)] > 0).all()


@pytest.mark.journey
@pytest.mark.parametrize(("gamma", "k"), [(2.0, 2), (20.0, 3)])
def test_every_solver_finds_the_same_picture_of_two_rings(gamma, k):
    """All components of the rings are pairs, and cut in two by every even k."""
    X, pictures = np.ascontiguousarray(np.repeat(RING, 6, axis=0)), []
    X += np.tile(np.linspace(0, 1e-3, 6), 200)[:, None] * X
    kernel = Kernel("rbf", gamma=gamma)
    gram = PointsGram(kernel.points(X), kernel)
    # The dense one has nothing to seed.
    for solver, seed in (("dense", 0), *product(("krylov", "lowrank"), (0, 1))):
        found = solve(Problem(gram, k + SPARE, tol=1e-6, seed=seed), solver)
        pictures.append(training_scores(found.leading(k)))
    for picture in pictures[1:]:
        np.testing.assert_allclose(
            picture, pictures[0], atol=1e-4 * np.abs(pictures[0]).max()
        )


@pytest.mark.journey
@pytest.mark.parametrize("n", [400, 1050])
def test_every_solver_tells_apart_what_a_dense_one_does(n):
    """A ring whose coordinates are rounded has pairs that are not quite equal."""
    angles = 2 * np.pi * np.arange(n) / n
    X = np.round(np.column_stack((np.cos(angles), np.sin(angles))), 6)
    kernel = Kernel("rbf", gamma=2.0)
    expected = solve(Problem(PointsGram(kernel.points(X), kernel), 8), "dense")
    gaps = -np.diff(expected.eigenvalues[:6]) / expected.eigenvalues[0]
    assert ((gaps > 1e-9) & (gaps < 1e-6)).any()
    K, V = centred(gram_matrix(kernel, X)), expected.eigenvectors
    assert np.abs(K @ V - V * expected.eigenvalues).max() < 1e-13 * len(K)
    picture = training_scores(expected.leading(6))
    for solver in ("auto", "krylov", "lowrank"):
        gram = PointsGram(kernel.points(X), kernel)
        found = training_scores(solve(Problem(gram, 8), solver).leading(6))
        np.testing.assert_allclose(found, picture, atol=2e-3 * picture.max())


def test_a_model_projects_its_rows_where_they_are():
    angles = 2 * np.pi * np.arange(400) / 400
    X = np.round(np.column_stack((np.cos(angles), np.sin(angles))), 6)
    model = KernelPCA(6, kernel="rbf", gamma=2)
    np.testing.assert_allclose(model.fit_transform(X), model.transform(X), atol=1e-12)


def test_only_what_the_bounds_cannot_tell_apart_is_turned():
    values = np.array([3.0, 2 + 1e-7, 2.0])
    told = values[:, None] + np.array([-1e-9, 1e-9])
    assert len(equal_groups(values, told)) == 3
    assert len(equal_groups(values, values[:, None] + np.array([-1e-7, 1e-7]))) == 2


def test_groups_by_value():
    values = np.array([5, 3, 3 - 1e-9, 1, 1 - 4e-8, 0])
    assert tied_groups(values) == [slice(0, 1), slice(1, 3), slice(3, 5), slice(5, 6)]
    assert tied_groups(np.array([])) == []
    assert tied_groups(np.zeros(3)) == [slice(0, 3)]


def test_groups_by_overlapping_bounds():
    values = np.array([5.0, 3.0, 2.9])
    apart = np.array([[4.9, 5.1], [2.99, 3.01], [2.89, 2.91]])
    close = np.array([[4.9, 5.1], [2.90, 3.05], [2.80, 2.95]])
    assert len(tied_groups(values, apart)) == 3
    assert tied_groups(values, close) == [slice(0, 1), slice(1, 3)]


def test_a_column_on_its_own_changes_its_sign_only():
    V = orthonormal(30, 3)
    values = np.array([3.0, 2.0, 1.0])
    mixed = V * [1, -1, -1] + 0.05 * RNG.normal(size=V.shape)
    R = towards(V, values, mixed)
    np.testing.assert_allclose(R, np.diag([1, -1, -1]), atol=1e-12)


def test_a_tied_group_turns_back():
    V = orthonormal(30, 4)
    values = np.array([3.0, 2.0, 2.0, 1.0])
    turn = np.eye(4)
    turn[1:3, 1:3] = [[0.6, -0.8], [0.8, 0.6]]
    np.testing.assert_allclose(align(V @ turn, values, V), V, atol=1e-12)


def test_components_that_are_new_are_left_alone():
    V = orthonormal(30, 4)
    values = np.array([4.0, 3.0, 2.0, 1.0])
    R = towards(V, values, -V[:, :2])
    np.testing.assert_allclose(R, np.diag([-1, -1, 1, 1]), atol=1e-12)


def test_a_group_that_was_cut_is_completed():
    V = orthonormal(30, 3)
    values = np.array([3.0, 2.0, 2.0])
    turned = V.copy()
    turned[:, 1:] = V[:, 1:] @ [[0.6, -0.8], [0.8, 0.6]]
    aligned = align(turned, values, V[:, :2])
    np.testing.assert_allclose(aligned[:, :2], V[:, :2], atol=1e-12)
    np.testing.assert_allclose(aligned.T @ aligned, np.eye(3), atol=1e-12)


def test_other_points_have_nothing_to_follow():
    V = orthonormal(30, 3)
    np.testing.assert_array_equal(towards(V, np.arange(3.0), V[:20]), np.eye(3))


def test_turned_eigenvectors_are_eigenvectors():
    X = RING[::4]
    kernel = Kernel("rbf", gamma=2)
    result = decompose(X, kernel, 6, "dense")
    other = RNG.normal(size=result.eigenvectors.shape)
    V = align(result.eigenvectors, result.eigenvalues, other, result.bounds)
    K = centred(gram_matrix(kernel, X))
    np.testing.assert_allclose(K @ V, V * result.eigenvalues, atol=1e-10)
    np.testing.assert_allclose(V.T @ V, np.eye(6), atol=1e-12)
    assert np.abs(V - result.eigenvectors).max() > 0.01


RING = np.stack(
    [f(2 * np.pi * np.arange(200) / 200) for f in (np.cos, np.sin)], axis=1
) * np.repeat([1.0, 0.3], 100).reshape(2, 100).T.reshape(-1, 1)


def path(X, gammas, *, aligned):
    """Scores along a sweep, (steps, n, 5): no pair is cut in two."""
    previous = None
    pictures = []
    for gamma in gammas:
        kernel = Kernel("rbf", gamma=gamma)
        # Every value of γ has a start of its own, as it would in a window.
        gram = PointsGram(kernel.points(X), kernel)
        start = int(1e6 * gamma)
        result = krylov.solve(Problem(gram, 5, tol=1e-9, seed=start), "as chosen")
        if aligned and previous is not None:
            R = towards(
                result.eigenvectors,
                result.eigenvalues,
                previous.eigenvectors,
                result.bounds,
            )
            result = result.oriented(R)
        previous = result
        pictures.append(training_scores(result))
    return np.array(pictures)


def largest_step(pictures):
    steps = np.linalg.norm(np.diff(pictures, axis=0), axis=1)
    return steps.max() / np.linalg.norm(pictures[0])


@pytest.mark.parametrize("noise", [0, 0.05])
def test_a_sweep_over_circles_is_continuous(noise):
    X = RING if noise == 0 else circles(200, noise=noise)[0]
    low, high = 0.5, 0.8
    steps = [
        largest_step(path(X, np.geomspace(low, high, m), aligned=True))
        for m in (5, 9, 17)
    ]
    # Half the step, half the change: nothing jumps.
    assert steps[1] < 0.65 * steps[0]
    assert steps[2] < 0.65 * steps[1]
    if noise == 0:
        unaligned = largest_step(path(X, np.geomspace(low, high, 17), aligned=False))
        assert unaligned > 5 * steps[2]


@pytest.mark.parametrize("solver", ["dense", "lowrank"])
def test_new_points_turn_with_the_picture(solver):
    X, kernel = RING, Kernel("rbf", gamma=2)
    points = kernel.points(X)
    result = decompose(X, kernel, 4, solver, tol=1e-12)
    R = towards(
        result.eigenvectors, result.eigenvalues, RNG.normal(size=(200, 4)), None
    )
    turned = result.oriented(R)

    def cross(rows, columns):
        known = points if columns is None else points.take(columns)
        return kernel.block(points.take(rows), known)

    np.testing.assert_allclose(
        project(turned, cross, 200), training_scores(turned), atol=1e-6
    )


# Pictures of a sweep


def test_a_flipped_axis_is_flipped_back():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(50, 2)) * (2, 1)
    values, bounds = np.array([4.0, 1.0]), np.array([[4.0, 4.0], [1.0, 1.0]])
    labels = (scores[:, 0] > 0).astype(int)
    pictures = {
        i: Configuration.of(scores * flip, values, bounds, labels)
        for i, flip in enumerate([(1, 1), (-1, 1), (1, -1)])
    }
    found = along(pictures, columns=3, anchor=1)
    np.testing.assert_allclose(found[0], np.diag([-1, 1]), atol=1e-12)
    np.testing.assert_allclose(found[1], np.eye(2), atol=1e-12)
    np.testing.assert_allclose(found[2], -np.eye(2), atol=1e-12)


def test_tied_axes_are_turned_back():
    rng = np.random.default_rng(0)
    scores, _ = np.linalg.qr(rng.normal(size=(40, 2)))
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    values, bounds = np.ones(2), np.ones((2, 2))
    a = Configuration.of(scores, values, bounds, None)
    b = Configuration.of(scores @ turn, values, bounds, None)
    np.testing.assert_allclose(b.scores @ b.towards(a), scores, atol=1e-12)


def test_first_of_a_row_follows_the_row_above():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(50, 1))
    values, bounds = np.array([1.0]), np.array([[1.0, 1.0]])
    flips = {0: 1, 1: 1, 2: -1, 3: -1}
    pictures = {
        i: Configuration.of(scores * flip, values, bounds, None)
        for i, flip in flips.items()
    }
    found = along(pictures, columns=2)
    assert [float(found[i][0, 0]) for i in range(4)] == pytest.approx([1, 1, -1, -1])


def test_rows_of_other_data_without_classes_are_left_alone():
    a = Configuration.of(np.ones((3, 1)), np.ones(1), np.ones((1, 2)), None)
    b = Configuration.of(-np.ones((4, 1)), np.ones(1), np.ones((1, 2)), None)
    assert b.towards(a) == np.eye(1)


def test_procrustes_lays_one_picture_over_another():
    Z = RNG.normal(size=(40, 3))
    turned = Z @ orthonormal(3, 3)
    np.testing.assert_allclose(procrustes(turned, Z), Z, atol=1e-12)


def test_columns_that_are_not_turned_keep_all_their_digits():
    columns = np.random.default_rng(0).standard_normal((9, 4))
    R = np.diag([1.0, 0.0, 0.0, -1.0])
    R[1:3, 1:3] = [[0.6, -0.8], [0.8, 0.6]]
    turned = oriented(columns, R)
    np.testing.assert_allclose(turned, columns @ R, rtol=1e-14, atol=1e-14)
    assert (turned[:, 0] == columns[:, 0]).all()
    assert (turned[:, 3] == -columns[:, 3]).all()
