"""Gradients of the scores against central differences, in blocks and by landmarks."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kpca_viewer.core.kernels import gradients as gradients_module
from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.core.kernels.gradients import gradient_blocks, has_kinks
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.influence import ScoreFunction
from kpca_viewer.core.projection import project
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.support.errors import Cancelled, DataError, KernelError
from tests.core.reference import ALL_KERNELS, entry, kernel_id
from tests.core.test_cancellation import StopAfter

every_kernel = pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)


def rows(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def differences(function, x, step=1e-5):
    """Central differences of the components of a function of one row."""
    found = [
        (function(x + move) - function(x - move)) / (2 * step)
        for move in step * np.eye(len(x))
    ]
    return np.stack(found, axis=-1)


def fitted(kernel, X, k=3, *, center=True, solver="dense", **options):
    points = kernel.points(X, center=center)
    problem = Problem(PointsGram(points, kernel), k, center=center, **options)
    return solve(problem, solver), points


def scores(kernel, decomposition, points, x):
    new = kernel.prepare_new(points, x[None])

    def cross(rows, columns):
        known = points if columns is None else points.take(columns)
        return kernel.block(new.take(rows), known)

    return project(decomposition, cross, 1)[0]


@every_kernel
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 5),
    n=st.integers(1, 9),
    size=st.sampled_from([0.3, 1.0, 2.0]),
    away=st.sampled_from([0.0, 3.0]),
)
def test_gradients_are_central_differences(kernel, seed, d, n, size, away):
    random = np.random.default_rng(seed)
    known = size * random.normal(size=(n, d)) + away
    new = size * random.normal(size=(2, d)) + away
    weights = random.normal(size=(n, 2))

    def total(x):
        return np.array([entry(kernel, x, y) for y in known]) @ weights

    step = 1e-6
    if has_kinks(kernel) and np.abs(new[:, None] - known).min() < 2 * step:
        return
    if kernel.family.normalise and np.linalg.norm(new, axis=1).min() < 0.01:
        return
    ((_, found),) = gradient_blocks(kernel, kernel.points(known), weights, new)
    wanted = np.array([differences(total, x, step) for x in new])
    scale = max(1.0, np.abs(wanted).max())
    assert np.abs(found - wanted).max() < 2e-6 * scale


@every_kernel
@pytest.mark.parametrize("center", [True, False])
def test_gradients_are_those_of_the_scores(kernel, center):
    X = rows(40, 3) + 0.7
    decomposition, points = fitted(kernel, X, center=center)
    function = ScoreFunction.of(decomposition, kernel, points)
    new = rows(4, 3, seed=1)
    found = function.gradients(new)
    assert found.shape == (4, 3, 3)
    wanted = [
        differences(lambda x: scores(kernel, decomposition, points, x), x) for x in new
    ]
    assert found == pytest.approx(np.array(wanted), abs=1e-6)


@every_kernel
def test_some_columns_and_components_are_a_part_of_all(kernel):
    decomposition, points = fitted(kernel, rows(30, 5))
    new = rows(6, 5, seed=1)
    whole = ScoreFunction.of(decomposition, kernel, points).gradients(new)
    part = ScoreFunction.of(decomposition, kernel, points, [2, 0])
    columns = np.array([4, 1])
    found = part.gradients(new, columns)
    assert found == pytest.approx(whole[:, [2, 0]][:, :, columns], abs=1e-12)


@every_kernel
def test_blocks_give_what_one_block_gives(kernel, monkeypatch):
    decomposition, points = fitted(kernel, rows(30, 4))
    function = ScoreFunction.of(decomposition, kernel, points)
    new = rows(11, 4, seed=1)
    whole = function.gradients(new)
    monkeypatch.setattr(gradients_module, "BLOCK_BYTES", 8 * 3 * 5 * 7)
    monkeypatch.setattr(
        gradients_module,
        "row_blocks",
        lambda n, size: (slice(i, i + 4) for i in range(0, n, 4)),
    )
    parts = list(function.blocks(new))
    assert [part.start for part, _ in parts] == [0, 4, 8]
    stitched = np.concatenate([gradient for _, gradient in parts])
    assert stitched == pytest.approx(whole, abs=1e-12)


@every_kernel
def test_nobody_waits_for_an_unwanted_gradient(kernel):
    decomposition, points = fitted(kernel, rows(30, 4))
    function = ScoreFunction.of(decomposition, kernel, points)
    asked = StopAfter(10**9)
    function.gradients(rows(5, 4), should_stop=asked)
    assert asked.asked
    for m in range(asked.asked):
        with pytest.raises(Cancelled):
            function.gradients(rows(5, 4), should_stop=StopAfter(m))


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize(
    "kernel",
    [
        k
        for k in ALL_KERNELS
        if k.psd and k.family.name in ("rbf", "poly", "cosine", "linear")
    ],
    ids=kernel_id,
)
def test_landmarks_give_the_gradients_of_all_rows(kernel, center):
    X = rows(300, 2)
    exact, points = fitted(kernel, X, 2, center=center)
    low, points = fitted(kernel, X, 2, center=center, solver="lowrank", tol=1e-9)
    assert low.landmark_map is not None
    new = rows(5, 2, seed=1)
    wanted = ScoreFunction.of(exact, kernel, points).gradients(new)
    function = ScoreFunction.of(low, kernel, points)
    assert len(function.anchors) < 300
    found = function.gradients(new)
    signs = np.sign((found * wanted).sum(axis=(0, 2)))
    assert found * signs[:, None] == pytest.approx(wanted, abs=2e-4)


@pytest.mark.parametrize("name", ["linear", "rbf", "cosine", "laplacian", "matern"])
def test_sparse_rows_have_the_gradients_of_dense_ones(name):
    kernel = Kernel(name)
    X = rows(20, 6) * (rows(20, 6, seed=2) > 0) + 0.01 * np.eye(20, 6)
    X[X.any(axis=1) == 0, 0] = 1
    weights = rows(20, 2, seed=3)
    wanted = [g for _, g in gradient_blocks(kernel, kernel.points(X), weights, X[:4])]
    known = kernel.points(sp.csr_matrix(X))
    for given_rows in (sp.csr_matrix(X)[:4], X[:4]):
        found = [g for _, g in gradient_blocks(kernel, known, weights, given_rows)]
        assert found[0] == pytest.approx(wanted[0], abs=1e-9)


def test_edges_are_where_rows_meet():
    kinked = {kernel_id(k) for k in ALL_KERNELS if has_kinks(k)}
    assert kinked == {"laplacian-0.4", "matern-0.5-1.3"}
    X = rows(8, 3)
    for kernel in (k for k in ALL_KERNELS if has_kinks(k)):
        # At a row itself, its own term counts with the mean of both sides: nothing.
        weights = np.zeros((8, 1))
        weights[2] = 1
        ((_, found),) = gradient_blocks(kernel, kernel.points(X), weights, X[2:3])
        assert found == pytest.approx(np.zeros((1, 1, 3)), abs=1e-12)


def test_smooth_kernels_have_a_gradient_at_their_rows():
    X = np.repeat(rows(6, 2), 2, axis=0)
    for kernel in (k for k in ALL_KERNELS if not has_kinks(k)):
        weights = rows(12, 1, seed=4)

        def total(x, kernel=kernel, weights=weights):
            return np.array([entry(kernel, x, y) for y in X]) @ weights

        ((_, found),) = gradient_blocks(kernel, kernel.points(X), weights, X[:1])
        assert found[0] == pytest.approx(differences(total, X[0]), abs=1e-6)


def test_far_from_the_origin_no_digits_are_lost():
    kernel, X, weights = Kernel("rbf", gamma=0.7), rows(20, 3), rows(20, 2, seed=1)
    ((_, near),) = gradient_blocks(kernel, kernel.points(X), weights, X)
    ((_, far),) = gradient_blocks(kernel, kernel.points(X + 1e6), weights, X + 1e6)
    assert far == pytest.approx(near, abs=1e-8)


def test_what_has_no_gradient_is_refused():
    family = replace(FAMILIES["rbf"], name="stepped", title="Stepped", slope=None)
    with FAMILIES.with_row(family):
        kernel = Kernel("stepped")
        decomposition, points = fitted(kernel, rows(10, 2))
        with pytest.raises(KernelError, match="The Stepped kernel has no gradient"):
            ScoreFunction.of(decomposition, kernel, points)
        assert not has_kinks(kernel)
    steep = Kernel("poly", degree=0.5, coef0=0, gamma=1)
    known = steep.points(np.array([[1.0, 2.0]]))
    with pytest.raises(KernelError, match="polynomial kernel is not finite"):
        list(gradient_blocks(steep, known, np.ones((1, 1)), np.zeros((1, 2))))
    decomposition, points = fitted(Kernel("rbf"), rows(10, 2))
    with pytest.raises(DataError, match="no component 3; the model has 3"):
        ScoreFunction.of(decomposition, Kernel("rbf"), points, [0, 3])


def test_every_degree_has_a_gradient():
    X = np.abs(rows(7, 2))
    weights = rows(7, 1, seed=1)
    for degree in (0.5, 1, 1.5, 4):
        kernel = Kernel("poly", degree=degree, coef0=1, gamma=1)

        def total(x, kernel=kernel):
            return np.array([entry(kernel, x, y) for y in X]) @ weights

        ((_, found),) = gradient_blocks(kernel, kernel.points(X), weights, X[:1])
        assert found[0] == pytest.approx(differences(total, X[0]), abs=1e-6)
