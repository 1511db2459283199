"""The bound on what low rank leaves, from a sample: true, and as often as it says."""

import numpy as np
import pytest

from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers.lowrank_result import drawn, norm_bound, sample_norm
from kpca_viewer.core.solvers.problem import Problem

RNG = np.random.default_rng(0)


def residuals():
    """What a few landmarks leave: smooth, clustered, with far rows, nearly diagonal."""
    for columns, far in ((1, 0), (3, 0), (3, 20), (30, 0)):
        X = RNG.normal(size=(300, columns))
        X[:far] *= 8
        K = np.exp(-np.square(X[:, None] - X).sum(axis=2) / (2 * columns))
        S = RNG.choice(300, 15, replace=False)
        E = K - K[:, S] @ np.linalg.solve(K[np.ix_(S, S)] + 1e-10 * np.eye(15), K[S])
        yield (E + E.T) / 2 + 1e-9 * np.eye(300)


def bounded(E, size, failure, seed):
    diagonal = np.diagonal(E)
    index = drawn(diagonal, size, np.random.default_rng(seed))
    part = E[np.ix_(index, index)].copy()
    trace = float(diagonal.sum())
    problem = Problem(MatrixGram(E, psd=True), 1)
    sampled = sample_norm(problem, part, diagonal[index], trace)
    return norm_bound(sampled, trace, len(index), failure)


@pytest.mark.journey
@pytest.mark.parametrize("failure", [0.5, 0.1])
def test_it_fails_no_more_often_than_it_says(failure):
    for E in residuals():
        norm = np.linalg.norm(E, 2)
        wrong = sum(bounded(E, 60, failure, seed) < norm for seed in range(25))
        assert wrong <= 25 * failure


@pytest.mark.journey
def test_it_is_far_below_the_trace_where_much_is_left():
    *_, flat = residuals()
    norm, trace = np.linalg.norm(flat, 2), np.trace(flat)
    assert norm <= bounded(flat, 3000, 1e-9, 1) <= min(3 * norm, trace / 4)


def test_the_bound_solves_chernoffs_equation():
    trace, size, failure, sampled = 7.0, 500, 1e-9, 0.3
    bound = norm_bound(sampled, trace, size, failure)
    x = sampled / bound
    exponent = size * bound / trace * (x * np.log(x) - x + 1)
    assert exponent == pytest.approx(np.log(1 / failure), rel=1e-9)


def test_few_rows_say_no_more_than_the_trace():
    assert norm_bound(0.5, 2.0, 3, 1e-9) == 2.0
    assert norm_bound(3.0, 2.0, 10_000, 1e-9) == 2.0
    assert 0 < norm_bound(0.0, 2.0, 10_000, 1e-9) < 0.01


def test_rows_are_drawn_in_proportion():
    weights = np.array([0.0, 1, 3, 0])
    index = drawn(weights, 4000, np.random.default_rng(0))
    assert set(index) == {1, 2}
    assert np.mean(index == 2) == pytest.approx(0.75, abs=0.03)
