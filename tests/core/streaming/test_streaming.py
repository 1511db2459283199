"""Rows that nobody holds all at once: the same eigenvalues, within their bounds."""

import pickle
from dataclasses import dataclass
from itertools import cycle

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.projection import project, training_scores
from kpca_viewer.core.solvers import Problem, blocks, row_stream, solve
from kpca_viewer.core.solvers.blocks import array_blocks, look
from kpca_viewer.core.solvers.row_stream import Drawn, Terms, decompose, draws_of
from kpca_viewer.support.errors import Cancelled, DataError, SolverError

KERNELS = [
    Kernel("rbf", gamma=0.05),
    Kernel("laplacian", gamma=0.01),
    Kernel("matern", length_scale=8.0, nu=2.5),
    Kernel("rational_quadratic", length_scale=4.0, mixture=1.0),
    Kernel("poly", gamma=0.3, degree=2, coef0=1.0),
    Kernel("linear"),
    Kernel("cosine"),
    Kernel("paraboloid"),
]


def some_rows(n=700, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 3 * rng.integers(0, 3, size=(n, 1))


def fitted(X, kernel, k=5, rows=123, **options):
    blocks = array_blocks(X, rows)
    seen = look(blocks)
    return decompose(blocks, seen.n, seen.sample, kernel, k, **options)


def scores_of(found, kernel, X):
    """Project rows as a model does that knows its landmarks only."""
    new = kernel.prepare_new(found.points, X)

    def cross(rows, columns):
        return kernel.block(new.take(rows), found.points.take(columns))

    return project(found.decomposition, cross, len(X))


@pytest.mark.parametrize(
    ("kernel", "center"),
    [(KERNELS[0], False), *zip(KERNELS, cycle([True, True, False]), strict=False)],
)
def test_the_truth_lies_within_the_bounds(kernel, center):
    X = some_rows(500)
    gram = PointsGram(kernel.points(X, center=center), kernel)
    truth = solve(Problem(gram, 5, center=center), "dense")
    found = fitted(X, kernel, center=center)
    bounds = found.decomposition.bounds
    assert (bounds[:, 0] <= truth.bounds[:, 1]).all()
    assert (truth.bounds[:, 0] <= bounds[:, 1]).all()
    assert found.decomposition.error <= row_stream.TOLERANCE
    assert found.decomposition.n == len(X)
    # The first two are well apart from the others for all of these.
    Z, exact = scores_of(found, kernel, X), training_scores(truth)
    signs = np.sign((Z * exact).sum(axis=0))
    np.testing.assert_allclose(
        (Z * signs)[:, :2], exact[:, :2], atol=0.05 * np.abs(exact).max()
    )


def test_more_digits_are_had_for_the_asking():
    X, kernel = some_rows(400), KERNELS[0]
    gram = PointsGram(kernel.points(X, center=True), kernel)
    truth = solve(Problem(gram, 5), "dense").eigenvalues
    found = fitted(X, kernel, tol=1e-8).decomposition
    assert found.error <= 1e-8
    np.testing.assert_allclose(found.eigenvalues, truth, rtol=1e-7)


def test_how_rows_are_cut_changes_nothing_that_matters():
    X, kernel = some_rows(), KERNELS[0]
    whole, small = (fitted(X, kernel, rows=rows).decomposition for rows in (700, 31))
    assert (whole.bounds[:, 0] <= small.bounds[:, 1]).all()
    assert (small.bounds[:, 0] <= whole.bounds[:, 1]).all()


def test_the_same_seed_gives_the_same_digits():
    X, kernel = some_rows(), KERNELS[0]
    first, second = fitted(X, kernel), fitted(X, kernel)
    np.testing.assert_array_equal(first.landmarks, second.landmarks)
    np.testing.assert_array_equal(
        first.decomposition.eigenvalues, second.decomposition.eigenvalues
    )


def test_single_rows_are_added_up_in_double():
    X, kernel = some_rows(900).astype(np.float32), KERNELS[0]
    gram = PointsGram(kernel.points(X.astype(float), center=True), kernel)
    truth = solve(Problem(gram, 3), "dense").eigenvalues
    found = fitted(X, kernel, k=3).decomposition
    assert (found.bounds[:, 0] <= truth).all()
    assert (truth <= found.bounds[:, 1]).all()


@pytest.mark.journey
def test_rows_that_the_sample_missed_are_found_by_the_pass(monkeypatch):
    monkeypatch.setattr(blocks, "SAMPLE", 400)
    X = some_rows(12_000)
    # A lump of its own that few of the sampled rows come from.
    X[::500] = np.random.default_rng(1).normal(size=(24, 2)) * 30 + 200
    kernel = Kernel("rbf", gamma=0.3)
    gram = PointsGram(kernel.points(X, center=True), kernel)
    truth = solve(Problem(gram, 5, tol=1e-6), "auto")
    found = fitted(X, kernel, rows=5000, certificate="proven")
    assert found.passes > 1
    assert found.decomposition.error <= 2e-3
    assert (found.decomposition.bounds[:, 0] <= truth.bounds[:, 1]).all()
    assert (truth.bounds[:, 0] <= found.decomposition.bounds[:, 1]).all()


@pytest.mark.journey
def test_a_flat_spectrum_is_certified_by_drawn_rows():
    X = np.random.default_rng(3).normal(size=(800, 12))
    kernel = Kernel("rbf", gamma=0.05)
    gram = PointsGram(kernel.points(X, center=True), kernel)
    truth = solve(Problem(gram, 5), "dense").eigenvalues
    by_trace = fitted(X, kernel, certificate="proven", most_landmarks=150)
    by_sample = fitted(X, kernel, certificate="statistical", most_landmarks=150)
    assert by_sample.decomposition.certificate == "statistical"
    assert by_sample.decomposition.error < 0.5 * by_trace.decomposition.error
    assert (truth <= by_sample.decomposition.bounds[:, 1]).all()
    assert (by_sample.decomposition.bounds[:, 0] <= truth).all()


def test_one_look_tells_what_all_rows_tell():
    X = some_rows(1000)
    seen = look(array_blocks(X, 77))
    assert seen.n == 1000
    np.testing.assert_allclose(seen.mean, X.mean(axis=0))
    np.testing.assert_allclose(seen.spread, X.std(axis=0))
    np.testing.assert_array_equal(seen.low, X.min(axis=0))
    np.testing.assert_array_equal(seen.high, X.max(axis=0))
    assert len(seen.sample) == 1000


def test_a_look_leaves_the_rows_as_they_are():
    X = some_rows()
    by_columns = np.asfortranarray(X)
    look(array_blocks(by_columns))
    np.testing.assert_array_equal(by_columns, X)


@pytest.mark.journey
def test_every_row_has_the_same_chance_to_be_sampled(monkeypatch):
    monkeypatch.setattr(blocks, "SAMPLE", 100)
    X = np.arange(1000.0)[:, None]
    drawn = np.zeros(1000)
    for seed in range(100):
        seen = look(array_blocks(X, 250), seed=seed)
        drawn[seen.sample[:, 0].astype(int)] += 1
    assert drawn.sum() == 100 * 100
    # Binomial with mean 10 and deviation 3, a thousand times.
    assert drawn.max() < 26
    assert abs(drawn[:250].mean() - 10) < 1


def test_constant_columns_have_no_spread():
    X = np.column_stack((np.full(100, 0.1), np.arange(100.0)))
    spread = look(array_blocks(X, 7)).spread
    assert spread[0] == 0
    assert spread[1] > 0


def test_rows_are_drawn_in_proportion_to_what_is_left_of_them():
    def terms(left, value):
        rows = np.full((draws_of(0, 4000), 1), value)
        empty = np.zeros((0, 0))
        residual = np.full(len(rows), left)
        return Terms(empty, empty, left, 0.0, left, None, rows, residual)

    drawn = Drawn(4000, seed=5)
    for left, value in ((1.0, 0.0), (0.0, 9.0), (6.0, 1.0), (3.0, 2.0)):
        drawn.add(terms(left, value))
    assert drawn.is_fair
    shares = [np.mean(drawn.rows == value) for value in (0.0, 1.0, 2.0)]
    np.testing.assert_allclose(shares, (0.1, 0.6, 0.3), atol=0.03)
    assert not (drawn.rows == 9).any()


def test_too_few_draws_of_a_block_are_noticed():
    empty = np.zeros((0, 0))
    few = Terms(empty, empty, 1.0, 0.0, 1.0, None, np.ones((3, 1)), np.ones(3))
    drawn = Drawn(100, seed=0)
    drawn.add(few)
    assert not drawn.is_fair


@dataclass
class Part:
    rows: object
    title: str = "part 17 (measured.parquet)"

    def read(self):
        return self.rows


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([], "There is no block of rows; give one at least."),
        ([Part(np.zeros((0, 2)))], "No block has any row; give one row at least."),
        (
            [Part(np.array([[1.0, 2.0], [3.0, np.nan]]))],
            "Part 17 (measured.parquet) has no finite number in row 2, column 2; fill "
            "or drop such rows first.",
        ),
        (
            [Part(np.ones((2, 2)), "part 1"), Part(np.ones((2, 3)))],
            "Part 17 (measured.parquet) has 3 columns, those before it have 2; give "
            "blocks of the same table.",
        ),
        (
            [Part(np.array(["a", "b"]))],
            "Part 17 (measured.parquet) is no table of numbers (shape (2,), <U1); "
            "every block needs a row per point and a column per feature.",
        ),
    ],
)
def test_bad_blocks_are_named(parts, sentence):
    with pytest.raises(DataError) as caught:
        look(parts)
    assert str(caught.value) == sentence


def test_blocks_without_rows_are_passed_over():
    X, kernel = some_rows(300), KERNELS[0]
    parts = [Part(X[:100]), Part(X[:0]), Part(X[100:])]
    seen = look(parts)
    found = decompose(parts, seen.n, seen.sample, kernel, 3)
    whole = fitted(X, kernel, k=3)
    assert (found.decomposition.bounds[:, 0] <= whole.decomposition.bounds[:, 1]).all()
    assert found.decomposition.n == 300


def test_equal_rows_have_no_variance():
    found = fitted(np.ones((50, 2)), KERNELS[0], k=2, rows=20)
    assert found.decomposition.eigenvalues.max() < 1e-9


def test_an_indefinite_kernel_is_refused():
    with pytest.raises(SolverError, match="may be indefinite"):
        fitted(some_rows(50), Kernel("sigmoid", gamma=1.0, coef0=0.0))


def test_it_can_be_stopped():
    X = some_rows(2000)
    with pytest.raises(Cancelled):
        fitted(X, KERNELS[0], should_stop=lambda: True)


def test_the_work_on_a_block_can_be_sent_elsewhere():
    X, kernel = some_rows(), KERNELS[0]
    blocks = array_blocks(X, 200)
    seen = look(blocks)

    def each(work, blocks, should_stop):
        for number, block in enumerate(blocks):
            sent = pickle.loads(pickle.dumps((work, block, number)))
            yield pickle.loads(pickle.dumps(sent[0](*sent[1:])))

    there = decompose(blocks, seen.n, seen.sample, kernel, 3, each=each)
    here = decompose(blocks, seen.n, seen.sample, kernel, 3)
    np.testing.assert_array_equal(
        there.decomposition.eigenvalues, here.decomposition.eigenvalues
    )


def test_blocks_that_change_between_passes_are_refused():
    X = some_rows(400)
    seen = look(array_blocks(X, 100))
    with pytest.raises(DataError, match=r"400 rows at the first look and 300 in a lat"):
        decompose(array_blocks(X[:300], 100), seen.n, seen.sample, KERNELS[0], 3)


def test_rows_of_the_same_seed_are_not_drawn_by_what_they_are():
    X = np.random.default_rng(0).random((60_000, 1))
    sample = look(array_blocks(X, len(X))).sample
    assert len(sample) < len(X) / 4
    # A mean of uniform numbers is within 5 of its standard errors.
    assert abs(sample.mean() - 0.5) < 5 * (1 / 12 / len(sample)) ** 0.5
