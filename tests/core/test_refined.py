"""Low rank with one exact pass: when it is made, what it gives, when it steps back."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_s_curve

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.projection import project, training_scores
from kpca_viewer.core.solvers import Problem, exact_pass, lowrank, lowrank_factor, solve
from tests.bounds import Always, Early, random_case
from tests.core.reference import circles, decompose, eigenvalues, gram_matrix, outside

RBF = Kernel("rbf", gamma=10)
X, _ = circles(1100)
K = gram_matrix(RBF, X)


def problem_of(points, kernel, k=6, **options):
    return Problem(PointsGram(kernel.points(points), kernel), k, **options)


@pytest.fixture(scope="module")
def passed():
    return decompose(X, RBF, 12)


def test_the_pass_takes_the_place_of_landmarks(passed):
    alone = decompose(X, RBF, 12, "lowrank")
    assert passed.solver == alone.solver == "lowrank"
    assert "exact pass" in passed.reason
    assert passed.rank < 0.6 * alone.rank
    assert passed.landmark_map is None


@pytest.mark.journey
def test_it_is_certified_and_more_precise_than_it_says(passed):
    truth = eigenvalues(K)
    assert outside(passed, truth) == 0
    assert passed.error <= 1e-6
    error = np.abs(passed.eigenvalues - truth[:12]).max() / truth[0]
    assert error < 1e-8
    np.testing.assert_allclose(passed.squares, np.square(truth).sum(), rtol=1e-10)
    np.testing.assert_allclose(passed.trace, truth.sum(), rtol=1e-10)
    # Those beyond are lower ends.
    beyond = passed.spectrum[12:]
    assert len(beyond) > 50
    assert (beyond <= truth[12 : 12 + len(beyond)] + 1e-9 * truth[0]).all()


def test_its_vectors_are_orthonormal_with_a_small_residual(passed):
    V = passed.eigenvectors
    np.testing.assert_allclose(V.T @ V, np.eye(12), atol=1e-12)
    image = K @ V
    image -= image.mean(axis=0)
    residual = np.linalg.norm(image - V * passed.eigenvalues, 2)
    assert residual < 2e-6 * passed.eigenvalues[0]


def test_training_rows_land_on_their_own_scores(passed):
    scores = training_scores(passed)
    again = project(passed, lambda rows, _: K[rows], len(X))
    assert np.abs(again - scores).max() < 1e-5 * np.abs(scores).max()


def test_without_centring():
    found = solve(problem_of(X, RBF, center=False))
    assert "exact pass" in found.reason
    assert outside(found, eigenvalues(K, center=False)) == 0
    assert not found.row_means.any()


def test_a_tighter_tolerance_takes_more_landmarks():
    shortcut = exact_pass.ExactPass()
    problem = problem_of(X, RBF)
    assert shortcut.residual(problem) == pytest.approx(0.005)
    tight = shortcut.residual(replace(problem, tol=1e-10))
    assert tight == pytest.approx(5e-5)
    # A loose one is not an excuse for bad vectors.
    assert shortcut.residual(replace(problem, tol=0.1)) == pytest.approx(0.005)
    ranks = [
        lowrank.solve(
            replace(problem, tol=tol), 500, may_give_up=False, shortcut=Always()
        ).rank
        for tol in (1e-6, 1e-10)
    ]
    assert ranks[0] < ranks[1]


def test_it_is_made_where_it_pays():
    shortcut = exact_pass.ExactPass()
    few, many = (problem_of(np.zeros((n, 2)), RBF, 12) for n in (2000, 20_000))
    assert shortcut.pays(few, 100, 260, 500)
    assert not shortcut.pays(many, 100, 260, 1000)
    assert not shortcut.pays(few, 100, 110, 500)
    # Low rank alone would not get there.
    assert shortcut.pays(many, 100, np.inf, 1000)
    laplacian = Kernel("laplacian", gamma=1)
    wide = problem_of(np.zeros((2000, 50)), laplacian, 12)
    assert not shortcut.pays(wide, 100, 260, 500)


def test_whose_entries_it_can_compute():
    assert exact_pass.may_pass(problem_of(X, RBF))
    assert not exact_pass.may_pass(problem_of(X, RBF, preview=True))
    assert not exact_pass.may_pass(problem_of(X.astype(np.float32), RBF))
    assert not exact_pass.may_pass(Problem(MatrixGram(np.eye(5), psd=True), 2))
    assert exact_pass.may_pass(problem_of(1e-40 * X, Kernel("linear")))
    assert not exact_pass.may_pass(problem_of(1e-60 * X, Kernel("linear")))


class Counted(Always):
    """The pass, and what came of it."""

    def __init__(self):
        self.outcomes = []

    def taken(self, problem, factor):
        found = super().taken(problem, factor)
        self.outcomes.append(found)
        return found


@pytest.mark.journey
def test_where_it_is_not_good_enough_low_rank_goes_on(monkeypatch):
    monkeypatch.setattr(exact_pass, "LARGEST_RESIDUAL", 1e-12)
    shortcut = Counted()
    problem = problem_of(X, RBF)
    found = lowrank.solve(problem, 500, may_give_up=False, shortcut=shortcut)
    assert shortcut.outcomes == [None]
    assert found.landmark_map is not None
    assert found.error <= 1.01e-6
    assert outside(found, eigenvalues(K)) == 0


def test_what_low_rank_cannot_tell_apart_is_left_to_it():
    """Too few vectors, and equal eigenvalues on both sides of the last one."""
    problem = Problem(MatrixGram(np.eye(60), psd=True), 6, center=False)
    for rank in (6, 40):
        factor = lowrank_factor.Factor(problem.gram, 60, np.float64)
        factor.add(np.arange(rank), rank, 0.0)
        assert exact_pass.decompose(problem, factor) is None


@pytest.mark.journey
def test_equal_eigenvalues_inside_are_no_trouble():
    t = np.linspace(0, 2 * np.pi, 1200, endpoint=False)
    ring = np.column_stack((np.cos(t), np.sin(t)))
    found = decompose(ring, Kernel("rbf", gamma=20), 6)
    truth = eigenvalues(gram_matrix(Kernel("rbf", gamma=20), ring))
    assert outside(found, truth) <= 1e-12 * truth[0]
    np.testing.assert_allclose(found.eigenvalues, truth[:6], rtol=1e-7)


@pytest.mark.journey
@pytest.mark.parametrize("family", ["rbf", "laplacian", "matern", "rational_quadratic"])
def test_other_kernels_at_full_size(family):
    points = make_s_curve(1100, random_state=0)[0]
    options = {"matern": {"nu": 2.5, "length_scale": 2.0}}.get(family, {})
    kernel = Kernel(family, **options)
    found = decompose(points, kernel, 8)
    truth = eigenvalues(gram_matrix(kernel, points))
    assert outside(found, truth) <= 1e-12 * truth[0]
    assert found.error <= 1.01e-6


def test_a_flat_spectrum_is_still_handed_over():
    found = decompose(load_digits().data[:1200], Kernel("rbf", gamma=1e-3), 5)
    assert found.solver == "krylov"


@pytest.mark.journey
def test_bounds_hold_for_matrices_at_random():
    """The long form is ``tools/bounds.py``."""
    methods, told = set(), 0
    for seed in (*range(150), 222):
        case = random_case(seed)
        if case is not None:
            methods.add(case.method)
            assert case.beyond == 0, case.where
            assert case.beyond_angle == 0, case.where
            told += case.told
            assert case.method != "exact pass" or case.residual < 2e-5, case.where
    passes = {"exact pass", "early pass", "one pass, proven", "one pass, statistical"}
    krylov = {"krylov", "sparse krylov", "krylov by a factor"}
    low_rank = {"lowrank", "leading pairs"}
    assert methods == {*passes, *krylov, *low_rank, "few rows", "near tie"}
    assert told > 180


def test_sums_of_products_that_would_underflow():
    """Kernel values of 1e-157, whose squares have hardly any digits left."""
    assert random_case(2003564).beyond == 0


def test_an_early_pass_says_how_little_it_knows():
    problem = problem_of(X, RBF)
    early = lowrank.solve(problem, 500, may_give_up=False, shortcut=Early(0.5))
    assert early.error > 1e-5
    assert outside(early, eigenvalues(K)) == 0
