"""Landmarks from a sample and one pass over all rows."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.projection import project, training_scores
from kpca_viewer.core.solvers import Problem, blocks, choice, landmark_growth, onepass
from kpca_viewer.core.solvers.landmarks import LandmarkSample
from kpca_viewer.core.solvers.lowrank_result import drawn
from kpca_viewer.core.solvers.problem import QUICK_RANK
from kpca_viewer.support.errors import Cancelled
from tests.core.reference import (
    ALL_KERNELS,
    circles,
    eigenvalues,
    gram_matrix,
    kernel_id,
    outside,
)

RBF = Kernel("rbf", gamma=2)
DEFINITE = [kernel for kernel in ALL_KERNELS if kernel.psd]


def heavy_tails(n, columns=10, seed=0):
    rng = np.random.default_rng(seed)
    mixed = rng.standard_t(4, size=(n, 4)) @ rng.normal(size=(4, columns))
    return mixed + 0.7 * rng.standard_t(4, size=(n, columns))


def problem_of(X, kernel, k=5, **options):
    center = options.get("center", True)
    points = kernel.points(X, center=center)
    return Problem(PointsGram(points, kernel), k, **options)


def block_of(points, rows, columns):
    return RBF.block(points.take(rows), points.take(columns))


@pytest.mark.journey
@pytest.mark.parametrize("kernel", DEFINITE, ids=kernel_id)
def test_bounds_hold_for_every_definite_kernel(kernel):
    X = heavy_tails(250, columns=4) / 4
    center = DEFINITE.index(kernel) % 2 == 0
    truth = eigenvalues(gram_matrix(kernel, X), center=center)
    for tol, certificate in ((1e-6, "proven"), (1e-2, "statistical")):
        problem = problem_of(X, kernel, center=center, tol=tol, certificate=certificate)
        found = onepass.solve(problem, 250)
        assert outside(found, truth) == 0


def test_a_smooth_kernel_is_proven_with_few_landmarks():
    X, _ = circles(800)
    truth = eigenvalues(gram_matrix(RBF, X))
    found = onepass.solve(problem_of(X, RBF, tol=1e-3), 3000)
    assert found.certificate == "proven"
    assert found.error <= 1e-3
    assert found.rank < 120
    assert outside(found, truth) == 0


def test_what_few_landmarks_prove_takes_no_rows_that_certify(monkeypatch):
    """Fewer landmarks and 10,000 rows beside them took eight times as long."""
    problem = problem_of(circles(5000)[0], RBF, tol=1e-2, certificate="statistical")
    proven = onepass.solve(replace(problem, certificate="proven"), 3000)
    monkeypatch.setattr(LandmarkSample, "foreseen_norms", None)
    found = onepass.solve(problem, 3000)
    assert found.certificate == "proven"
    assert found.error <= 1e-2
    assert found.rank <= 1.1 * proven.rank


@pytest.mark.journey
def test_a_flat_spectrum_is_certified_by_a_sample():
    X = heavy_tails(1200)
    kernel = Kernel("rbf", gamma=0.01)
    truth = eigenvalues(gram_matrix(kernel, X))
    settings = {"tol": 5e-2, "certificate": "statistical"}
    found = onepass.solve(problem_of(X, kernel, **settings), 2000)
    assert found.certificate == "statistical"
    assert found.error <= 5e-2
    assert outside(found, truth) == 0
    # The lower ends are proven, and near.
    assert np.all(found.eigenvalues >= truth[:5] - 5e-3 * truth[0])
    trace_left = np.trace(gram_matrix(kernel, X)) - found.spectrum.sum()
    assert trace_left > 5 * found.error * truth[0]


def test_what_is_reached_is_said_where_landmarks_are_few():
    X = heavy_tails(700)
    found = onepass.solve(problem_of(X, RBF, tol=1e-6, most_landmarks=40), 1500)
    assert found.rank == 40
    assert found.error > 1e-6
    assert outside(found, eigenvalues(gram_matrix(RBF, X))) == 0


def test_rows_that_the_sample_misses_become_landmarks(monkeypatch):
    """A small cluster far from the rest is seen in the pass over all rows."""
    monkeypatch.setattr("kpca_viewer.core.solvers.landmarks.ROWS", 150)
    monkeypatch.setattr("kpca_viewer.core.solvers.landmarks.HELD_OUT", 50)
    X, _ = circles(700)
    X[:3] += 100
    problem = problem_of(X, RBF, tol=1e-3, certificate="proven")
    found = onepass.solve(problem, 400)
    assert np.isin(found.landmark_map.landmarks, [0, 1, 2]).any()
    assert found.error <= 1e-3
    assert outside(found, eigenvalues(gram_matrix(RBF, X))) == 0


def test_it_gives_up_where_the_sample_says_so():
    X = np.random.default_rng(0).normal(size=(1000, 30))
    problem = problem_of(X, Kernel("rbf", gamma=0.1), tol=1e-6)
    assert onepass.solve(problem, 300, may_give_up=True) is None


def test_scores_are_those_of_new_points():
    X, _ = circles(700)
    for tol in (1e-6, 1e-2):
        problem = problem_of(X, RBF, tol=tol)
        found = onepass.solve(problem, 3000)
        cross = partial(block_of, problem.gram.points)
        again = project(found, cross, len(X))
        scores = training_scores(found)
        np.testing.assert_allclose(again, scores, atol=1e-4 * np.abs(scores).max())


def test_float32_only_where_its_rounding_is_small():
    X, _ = circles(700)
    narrow = onepass.solve(problem_of(X, RBF, tol=1e-6), 3000)
    flat = onepass.solve(problem_of(heavy_tails(1500), RBF, tol=0.3), 100)
    assert narrow.eigenvectors.dtype == np.float64
    assert flat.eigenvectors.dtype == np.float32


@pytest.mark.journey
def test_the_same_digits_on_one_core_and_on_several(monkeypatch):
    X = heavy_tails(3000)
    results = []
    for count in (1, 3):
        monkeypatch.setattr(blocks, "cores", lambda count=count: count)
        results.append(onepass.solve(problem_of(X, RBF, tol=0.1), 200))
    np.testing.assert_array_equal(*(found.eigenvalues for found in results))
    np.testing.assert_array_equal(*(found.bounds for found in results))


@pytest.mark.journey
def test_drafts_come_first_and_hold():
    X = heavy_tails(1000)
    kernel = Kernel("rbf", gamma=0.02)
    truth = eigenvalues(gram_matrix(kernel, X))
    drafts = []
    settings = {"tol": 1e-3, "publish": drafts.append, "most_landmarks": 600}
    found = choice.solve(problem_of(X, kernel, **settings), "auto")
    assert found.solver == "krylov"  # few rows: nobody waits for it
    assert not drafts
    found = onepass.solve(problem_of(X, kernel, **settings), 600)
    assert [draft.rank for draft in drafts] == [96, 384]
    # Rows that tell a smaller bound take longer than the draft.
    assert {draft.certificate for draft in drafts} == {"proven"}
    errors = [draft.error for draft in (*drafts, found)]
    assert errors == sorted(errors, reverse=True)
    assert all(outside(draft, truth) == 0 for draft in drafts)


def test_it_can_be_stopped():
    X = heavy_tails(3000)
    with pytest.raises(Cancelled):
        onepass.solve(problem_of(X, RBF, should_stop=lambda: True), 300)


def test_rows_that_are_all_alike():
    found = onepass.solve(problem_of(np.ones((2000, 3)), RBF), 100)
    assert not found.eigenvalues.any()
    assert not training_scores(found).any()


def noted(monkeypatch, owner, name):
    """Note the calls of a function that goes on as it is."""
    calls, function = [], getattr(owner, name)
    monkeypatch.setattr(
        owner,
        name,
        lambda *given, **more: calls.append(given) or function(*given, **more),
    )
    return calls


def test_many_rows_are_passed_over(monkeypatch):
    monkeypatch.setattr(choice, "ONE_PASS_FROM", 2000)
    passes = noted(monkeypatch, onepass, "solve")
    X, _ = circles(2500)
    assert choice.solve(problem_of(X, RBF)).solver == "lowrank"
    assert not passes, "many digits, and room for a factor"
    assert choice.solve(problem_of(X, RBF, tol=1e-3)).solver == "lowrank"
    assert len(passes) == 1
    monkeypatch.setattr(choice.memory, "fits", lambda size: False)
    choice.solve(problem_of(X, RBF))
    assert len(passes) == 2


@pytest.mark.journey
def test_a_flat_spectrum_of_many_rows_goes_by_the_digits_that_are_wanted(monkeypatch):
    monkeypatch.setattr(choice, "MANY_ROWS", 2000)
    passes = noted(monkeypatch, onepass, "solve")
    flat = np.random.default_rng(0).normal(size=(2200, 30))
    kernel = Kernel("rbf", gamma=0.1)
    assert choice.solve(problem_of(flat, kernel)).solver == "krylov"
    assert not passes
    found = choice.solve(problem_of(flat, kernel, most_landmarks=50))
    assert (found.solver, found.rank, found.certificate) == (
        "lowrank",
        50,
        "statistical",
    )
    monkeypatch.setattr(choice.memory, "fits", lambda size: False)
    monkeypatch.setattr(choice, "MOST_SAMPLED", 100)
    found = choice.solve(problem_of(flat, kernel, most_landmarks=None))
    assert found.solver == "lowrank"
    assert len(passes) == 2


def test_what_a_sample_cannot_do_is_handed_on(monkeypatch):
    monkeypatch.setattr(choice, "ONE_PASS_FROM", 2000)
    flat = np.random.default_rng(0).normal(size=(2200, 30))
    problem = problem_of(flat, Kernel("rbf", gamma=0.1), tol=1e-4)
    found = choice.solve(problem)
    assert found.solver == "krylov"
    assert found.reason.startswith("flat spectrum: ")
    assert found.reason.endswith("landmarks would not do")


def test_landmarks_that_rounding_makes_alike_are_not_divided_by():
    """A wide kernel has few directions, and more landmarks than those are noise."""
    rng = np.random.default_rng(0)
    for gamma in (1e-6, 1e-2):
        X = rng.normal(size=(600, 1))
        X[:3] *= 200
        kernel = Kernel("rbf", gamma=gamma)
        found = onepass.solve(problem_of(X, kernel, k=4, tol=1e-4), 1500)
        truth = eigenvalues(gram_matrix(kernel, X))
        assert outside(found, truth) <= 1e-12 * truth[0]
        assert found.error <= 1e-4


def test_rows_without_variance_need_no_landmarks(monkeypatch):
    monkeypatch.setattr(choice, "ONE_PASS_FROM", 1000)
    X = np.full((1200, 3), 7.0)
    found = choice.solve(problem_of(X, Kernel("linear"), tol=1e-2))
    assert found.solver == "lowrank"
    assert not found.eigenvalues.any()


@pytest.mark.journey
def test_drafts_and_the_end_are_the_same_way_round():
    X = heavy_tails(1000)
    drafts = []
    settings = {"tol": 1e-4, "publish": drafts.append, "most_landmarks": 600}
    kernel = Kernel("rbf", gamma=0.02)
    found = onepass.solve(problem_of(X, kernel, **settings), 600)
    alone = onepass.solve(problem_of(X, kernel, tol=1e-4, most_landmarks=600), 600)
    for other in (*drafts, alone):
        assert ((found.eigenvectors * other.eigenvectors).sum(axis=0)[:3] > 0.9).all()
    assert choice.solve(problem_of(X, kernel)).is_oriented is False


def test_points_that_float32_cannot_hold_stay_in_float64():
    X = heavy_tails(300) * 1e30
    kernel = Kernel("rbf", gamma=1e-62)
    found = onepass.solve(problem_of(X, kernel, tol=0.1), 300)
    assert found.eigenvectors.dtype == np.float64
    assert outside(found, eigenvalues(gram_matrix(kernel, X))) == 0


def grown(problem, rank):
    sample = LandmarkSample(problem.gram, 2000, np.random.default_rng(0))
    sample.grow_to(rank)
    return sample


@pytest.mark.journey
def test_more_rows_certify_where_some_are_not_quite_enough():
    kernel = Kernel("rbf", gamma=0.01)
    problem = problem_of(heavy_tails(2000), kernel, tol=1e-6, certificate="statistical")
    sample = grown(problem, 300)
    rows = onepass.ArrayRows(problem)
    passed = onepass.pass_over_rows(problem, rows, sample, 1000)

    def told(tol, certifying):
        """Return the error, and how many rows were drawn for it."""
        rng, counts = np.random.default_rng(1), []

        def draw(count):
            counts.append(count)
            index = drawn(rows.residual, count, rng)
            return problem.gram.points.take(index), rows.residual[index]

        sums = replace(passed.sums, problem=replace(problem, tol=tol))
        vectors = passed.vectors_of(passed.sums.features.known)
        found = sums.decomposed(passed.landmarks, vectors, draw, certifying, 2000)
        return found.error, counts

    few, once = told(1e-6, 1000)
    most, _ = told(1e-6, 2000)
    assert most < few
    assert once == [1000]  # more of them would not do
    between = (most * few) ** 0.5
    error, counts = told(1.1 * between, 1000)
    assert counts == [1000, 2000]
    assert error <= 1.1 * between
    assert told(1.1 * few, 1000)[1] == [1000]


def test_landmarks_of_an_earlier_pass_may_be_enough():
    X, _ = circles(1500)
    problem = problem_of(X, RBF, tol=1e-3)
    sample = grown(problem, 150)
    landmark_growth.grow_landmarks(problem, sample, 1e-3, len(X), lambda *_: None)
    assert sample.rank == 150
    # Where they are not, there is no jump to half as many again.
    left = sample.left / sample.largest(center=True)
    landmark_growth.grow_landmarks(problem, sample, left, len(X), lambda *_: None)
    assert 150 < sample.rank < 200


def test_landmarks_stop_where_rows_may_certify():
    X = np.random.default_rng(0).normal(size=(1500, 10))
    problem = problem_of(X, Kernel("rbf", gamma=0.02), tol=1e-9)
    sample, ranks = grown(problem, 300), []
    landmark_growth.grow_landmarks(
        problem, sample, 1e-9, len(X), lambda sample, _: ranks.append(sample.rank)
    )
    assert QUICK_RANK in ranks


def test_the_usual_certificate_is_one_of_those_that_are_weighed():
    for n, rank in ((500, 3), (2000, 300), (336_776, 400), (10**7, 1000)):
        sizes = landmark_growth.certifying_sizes(n, rank)
        usual = landmark_growth.usual_certifying(n, rank)
        assert usual in sizes
        assert sizes == sorted(set(sizes))
        assert 1 <= sizes[0] <= usual <= sizes[-1] <= n
