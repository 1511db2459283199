"""Low rank: when it stays, when it hands over and what, and which rows it asks for."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.projection import project, training_scores
from kpca_viewer.core.solvers import (
    Problem,
    WarmStart,
    choice,
    lowrank,
    lowrank_factor,
    lowrank_pairs,
    solve,
)
from kpca_viewer.core.solvers.choice import rank_per_root
from kpca_viewer.support import memory
from tests.core.reference import circles, decompose, eigenvalues, gram_matrix, outside

RBF = Kernel("rbf", gamma=2)
RNG = np.random.default_rng(0)


def test_a_flat_spectrum_is_handed_over():
    X = load_digits().data
    seen = []
    result = decompose(
        X, Kernel("rbf", gamma=1e-3), progress=lambda s, f: seen.append((s, f))
    )
    assert result.solver == "krylov"
    assert result.reason.startswith("flat spectrum: ")
    assert "landmarks leave" in result.reason
    given_up = max(int(s.split()[0]) for s, _ in seen if s.endswith("landmarks"))
    assert given_up < 200
    assert all(f is None or 0 <= f <= 1 for _, f in seen)


@pytest.mark.parametrize("name", ["cosine", "linear"])
def test_a_flat_spectrum_that_ends_is_followed_to_its_end(name):
    X = RNG.normal(size=(2000, 150))
    result = decompose(X, Kernel(name), 8)
    assert result.solver == "lowrank"
    assert result.rank <= 151
    assert outside(result, eigenvalues(gram_matrix(Kernel(name), X))) == 0
    assert result.error < 1e-9


def test_a_smooth_kernel_stays():
    X, _ = circles(1200)
    result = decompose(X, RBF)
    assert result.solver == "lowrank"
    assert result.rank < 200
    assert "landmarks leave" in result.reason


def test_it_hands_over_at_the_end_of_its_capacity():
    X, _ = circles(1100)
    gram = PointsGram(RBF.points(X), RBF)
    outcome = lowrank.solve(Problem(gram, 5), 12, may_give_up=True)
    assert isinstance(outcome, lowrank.GaveUp)
    assert outcome.rank <= 12
    assert 0 < outcome.residual < 1


def test_forced_it_reports_what_it_reached():
    X, _ = circles(300)
    gram = PointsGram(RBF.points(X), RBF)
    result = lowrank.solve(Problem(gram, 5), 12, may_give_up=False)
    assert result.rank == 12
    truth = eigenvalues(gram_matrix(RBF, X))
    assert result.error > 1e-6
    assert outside(result, truth) == 0


def test_no_room_for_krylov_means_low_rank_to_the_end(monkeypatch):
    X = RNG.normal(size=(1100, 10))
    monkeypatch.setattr(memory, "fits", lambda size: False)
    monkeypatch.setattr(lowrank, "OVERSAMPLING", 10)
    result = decompose(X, Kernel("rbf", gamma=0.001), tol=1e-3)
    assert result.solver == "lowrank"


def test_landmarks_of_a_neighbour_are_tried_first():
    X, _ = circles(400)
    first = decompose(X, Kernel("rbf", gamma=2.1), solver="lowrank")
    second = decompose(X, RBF, start=first.warm_start, solver="lowrank")
    shared = set(second.landmark_map.landmarks) & set(first.landmark_map.landmarks)
    assert len(shared) > 0.5 * first.rank
    assert outside(second, eigenvalues(gram_matrix(RBF, X))) == 0


def test_useless_landmarks_are_tried_once():
    X = RNG.normal(size=(50, 3))
    X[:5] = 0
    start = WarmStart(landmarks=np.arange(5))
    result = decompose(X, Kernel("linear"), 3, "lowrank", start=start)
    truth = eigenvalues(X @ X.T)
    np.testing.assert_allclose(result.eigenvalues, truth[:3], rtol=1e-10)
    X[:5] = 1e-9
    truth = eigenvalues(X @ X.T)
    result = decompose(X, Kernel("linear"), 3, "lowrank", start=start)
    assert outside(result, truth) == 0
    for landmarks in (np.arange(0), np.arange(1000, 1010)):
        start = WarmStart(landmarks=landmarks)
        result = decompose(X, Kernel("linear"), 3, "lowrank", start=start)
        np.testing.assert_allclose(result.eigenvalues, truth[:3], rtol=1e-10)


def test_rows_that_are_given_up_on_stay_in_the_bound():
    """Where rounding hides what the diagonal promises, it ends and says so."""

    class Hidden(MatrixGram):
        def block(self, rows, columns):
            return np.zeros((len(rows), len(columns)))

    gram = Hidden(np.eye(40), psd=True)
    result = lowrank.solve(Problem(gram, 3), 40, may_give_up=False)
    assert result.rank == 0
    assert outside(result, eigenvalues(np.eye(40))) == 0
    assert isinstance(
        lowrank.solve(Problem(gram, 3), 40, may_give_up=True), lowrank.GaveUp
    )


def test_a_draw_at_the_very_end_takes_the_largest():
    class Last:
        def random(self, size):
            return np.ones(size)

    factor = lowrank_factor.Factor(MatrixGram(np.diag([1.0, 3, 2])), 3, np.float64)
    index, _, _ = lowrank.choose_candidates(factor, 32, 6, 0, Last())
    assert list(index) == [1]


def test_a_residual_that_does_not_fall_is_hopeless():
    assert lowrank.is_hopeless([(0, 5.0), (32, 4.0), (64, 4.0)], 1e-3, 500)
    assert not lowrank.is_hopeless([(0, 5.0), (32, 1e-1), (64, 2e-3)], 1e-3, 500)


def test_more_components_than_rank():
    result = decompose(RNG.normal(size=(40, 2)), Kernel("linear"), 6, "lowrank")
    assert result.eigenvectors.shape == (40, 6)
    assert not result.eigenvalues[2:].any()
    assert not result.eigenvectors[:, 2:].any()


def test_never_all_rows_at_once(monkeypatch):
    X, _ = circles(2000)
    largest = []
    rows = PointsGram.rows

    def spy(self, index):
        largest.append(len(index))
        return rows(self, index)

    monkeypatch.setattr(PointsGram, "rows", spy)
    monkeypatch.setattr(PointsGram, "matrix", None)
    result = decompose(X, RBF, solver="lowrank")
    assert max(largest) <= 96
    assert sum(largest) == result.rank


def test_a_preview_is_single_precision():
    X, _ = circles(400)
    result = decompose(X, RBF, tol=1e-3, solver="lowrank", preview=True)
    assert result.eigenvectors.dtype == np.float32
    assert outside(result, eigenvalues(gram_matrix(RBF, X))) == 0


def test_a_preview_of_many_features_has_the_leading_pairs_of_them_alone(monkeypatch):
    X, _ = circles(900)
    narrow = Kernel("rbf", gamma=35)
    options = {"tol": 1e-3, "solver": "lowrank", "preview": True}
    quick = decompose(X, narrow, 10, **options)
    assert quick.rank >= lowrank.ROUGH_FROM
    assert len(quick.spectrum) == 11
    assert quick.error <= 1e-3
    assert outside(quick, eigenvalues(gram_matrix(narrow, X))) == 0
    monkeypatch.setattr(lowrank, "ROUGH_FROM", np.inf)
    whole = decompose(X, narrow, 10, **options)
    assert len(whole.spectrum) == whole.rank
    assert quick.effective_rank == pytest.approx(whole.effective_rank, rel=1e-9)
    np.testing.assert_allclose(quick.eigenvalues, whole.eigenvalues, rtol=1e-5)
    np.testing.assert_allclose(quick.eigenvectors, whole.eigenvectors, atol=1e-3)


@pytest.mark.journey
def test_a_preview_stays_longer_with_landmarks():
    """A factor in float32 takes half the time, block Krylov does not."""
    X, _ = circles(1500)
    flat = Kernel("rbf", gamma=40)
    preview = decompose(X, flat, 10, tol=1e-3, preview=True)
    assert preview.solver == "lowrank"
    assert preview.rank > 1.2 * rank_per_root(1e-3) * len(X) ** 0.5
    assert preview.error <= 1e-3
    assert outside(preview, eigenvalues(gram_matrix(flat, X))) == 0


@pytest.mark.journey
def test_what_was_found_is_handed_over():
    """Block Krylov starts from the eigenvectors of the factor, not from anywhere."""
    X = load_digits().data[:1200]
    flat = Kernel("rbf", gamma=1e-3)
    gram = PointsGram(flat.points(X), flat)
    outcome = lowrank.solve(Problem(gram, 5), 200, may_give_up=True)
    V = outcome.eigenvectors
    assert V.shape[1] >= 10
    np.testing.assert_allclose(V.T @ V, np.eye(V.shape[1]), atol=1e-8)
    truth = decompose(X, flat, 1, "dense").eigenvectors
    assert np.linalg.norm(V.T @ truth) > 0.99

    def passes(solver):
        seen = []
        watch = {"progress": lambda stage, _: seen.append(stage)}
        decompose(X, flat, 5, solver, tol=1e-8, **watch)
        passes = [stage for stage in seen if stage.startswith("eigenvalues, pass ")]
        return int(passes[-1].removeprefix("eigenvalues, pass "))

    assert passes("auto") < passes("krylov")


def test_eigenvectors_of_a_neighbour_come_before_what_was_found():
    found = np.arange(12.0).reshape(3, 4)
    known = np.ones((3, 2))
    joined = choice.joined(WarmStart(known), found).eigenvectors
    np.testing.assert_array_equal(joined, np.hstack((known, found[:, 2:])))
    for start in (None, WarmStart(), WarmStart(np.ones((5, 2)))):
        assert choice.joined(start, found).eigenvectors is found


def test_a_loose_tolerance_hands_over_sooner():
    ranks = [choice.rank_per_root(wanted) for wanted in (1e-10, 1e-6, 1e-3, 0.5)]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[1] > ranks[2] > ranks[3]


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_products_are_brought_up_when_asked_for(center, dtype):
    """Whenever they are asked for: after every block, or once at the end."""
    K = gram_matrix(RBF, RNG.normal(size=(80, 2)))
    asked, late = (lowrank_factor.Factor(MatrixGram(K), 40, dtype) for _ in range(2))
    for start in (0, 10, 20):
        for factor in (asked, late):
            factor.add(np.arange(start, start + 10), 10, 1e-6)
        asked.centred_gram(center)
    F = asked.F[: asked.rank].astype(np.float64)
    F -= F.mean(axis=1, keepdims=True) if center else 0
    for factor in (asked, late):
        np.testing.assert_allclose(factor.centred_gram(center), F @ F.T, atol=1e-5)


def test_the_last_block_is_as_large_as_it_needs_to_be():
    size = lowrank.block_size
    assert size([(0, 1.0)], 0.0) == 32
    assert size([(0, 1.0), (150, 1e-2)], 1e-9) == 75
    assert size([(0, 1.0), (400, 1e-2)], 1e-30) == 96
    # Ten times less for every 50 pivots, and a tenth is still to go.
    assert 50 <= size([(300, 1e-4), (350, 1e-5)], 1e-6) <= 55
    assert size([(300, 1e-4), (350, 1.01e-6)], 1e-6) == 8
    # Nothing is known of the decay, or nothing is left to do.
    assert size([(300, 1e-4), (350, 1e-4)], 1e-6) == 96
    assert size([(300, 1e-4), (350, 1e-7)], 1e-6) == 96


def test_a_neighbour_with_all_its_landmarks_needs_no_draw(monkeypatch):
    X, _ = circles(600)
    first = decompose(X, RBF, solver="lowrank", tol=1e-6)
    monkeypatch.setattr(lowrank, "LARGEST_BLOCK", 20)
    monkeypatch.setattr(lowrank, "choose_candidates", None)
    # A wider kernel is smoother: less than all of them is enough.
    wider = Kernel("rbf", gamma=1)
    second = decompose(X, wider, start=first.warm_start, solver="lowrank", tol=1e-6)
    assert second.rank < first.rank
    assert set(second.landmark_map.landmarks) <= set(first.landmark_map.landmarks)
    assert outside(second, eigenvalues(gram_matrix(wider, X))) == 0


SHARP = Kernel("rbf", gamma=10)
RINGS, _ = circles(500)


def leading(center=True, **options):
    """Low rank where only the first ten eigenpairs are asked for."""
    gram = PointsGram(SHARP.points(RINGS, center=center), SHARP)
    options = {"tol": 1e-6, "all_values": False, "center": center} | options
    return solve(Problem(gram, 10, **options), "lowrank")


@pytest.mark.parametrize("center", [True, False])
def test_leading_pairs_agree_with_all_of_them(center):
    truth = eigenvalues(gram_matrix(SHARP, RINGS), center=center)
    few, all_ = leading(center), leading(center, all_values=True)
    assert len(all_.spectrum) == all_.rank == few.rank
    assert 10 < len(few.spectrum) < few.rank / 1.4
    assert few.error <= 1e-6
    assert outside(few, truth) == 0
    np.testing.assert_allclose(few.eigenvalues, all_.eigenvalues, rtol=1e-9)
    np.testing.assert_allclose(few.spectrum[:20], truth[:20], atol=1e-4 * truth[0])
    np.testing.assert_allclose(few.eigenvectors, all_.eigenvectors, atol=1e-5)
    np.testing.assert_allclose([few.trace], [all_.trace])
    np.testing.assert_allclose([few.squares], [all_.squares], rtol=1e-4)
    found, known = few.angle_bounds, all_.angle_bounds
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(known))
    np.testing.assert_allclose(found, known, rtol=0.2)


def test_leading_pairs_project_rows_onto_their_own_scores():
    found = leading()
    K = gram_matrix(SHARP, RINGS)
    directions = found.landmark_map.directions
    np.testing.assert_allclose(directions.T @ directions, np.eye(10), atol=1e-12)
    scores = training_scores(found)
    again = project(
        found, lambda rows, _: K[rows][:, found.landmark_map.landmarks], 500
    )
    assert np.abs(again - scores).max() < 1e-7 * np.abs(scores).max()


def test_leading_pairs_that_are_not_good_enough_give_way(monkeypatch):
    """Of first features that leave more than the tenth eigenvalue, or too much."""
    expected = leading(all_values=True)
    for residual in (300.0, 25.0):
        monkeypatch.setattr(lowrank_pairs, "FIRST_RESIDUAL", residual)
        found = leading()
        assert len(found.spectrum) == found.rank
        np.testing.assert_array_equal(found.eigenvalues, expected.eigenvalues)
