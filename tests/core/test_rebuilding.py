"""A matrix from its largest parts, against the theorem of Eckart and Young."""

import numpy as np
import pytest

from kpca_viewer.core.methods.matrix_parts import MatrixParts
from kpca_viewer.support.errors import Cancelled

INDEFINITE = -0.5 * np.square([[0.0, 1, 10], [1, 0, 1], [10, 1, 0]])
H3 = np.eye(3) - 1 / 3


def symmetric(n, seed=0, *, definite=False):
    A = np.random.default_rng(seed).normal(size=(n, n))
    return A @ A.T if definite else A + A.T


@pytest.mark.parametrize("definite", [True, False])
@pytest.mark.parametrize("p", [0, 1, 3, 11, 12])
def test_the_residual_is_what_the_theorem_says(p, definite):
    K = symmetric(12, definite=definite)
    parts = MatrixParts.of(K)
    values = np.linalg.eigvalsh(K)
    sizes = np.sort(np.abs(values))[::-1]
    assert parts.theorem(p) == pytest.approx(np.sqrt((sizes[p:] ** 2).sum()), rel=1e-12)
    entry_by_entry = np.linalg.norm(K - parts.rebuilt(p))
    assert parts.residual(p) == pytest.approx(entry_by_entry, rel=1e-12)
    assert abs(parts.residual(p) - parts.theorem(p)) < 1e-13 * parts.norm
    assert parts.share(p) == pytest.approx(
        (sizes[:p] ** 2).sum() / (sizes**2).sum(), abs=1e-13
    )


def test_no_other_matrix_of_that_rank_comes_nearer():
    K = symmetric(8)
    parts = MatrixParts.of(K)
    random = np.random.default_rng(1)
    for _ in range(20):
        A, B = random.normal(size=(2, 8, 3))
        # The nearest matrix with the column space of A.
        Q = np.linalg.qr(A)[0]
        assert np.linalg.norm(K - Q @ Q.T @ K) >= parts.theorem(3)
        assert np.linalg.norm(K - A @ B.T) >= parts.theorem(3)


def test_parts_are_taken_by_size_whatever_their_sign():
    parts = MatrixParts.of(H3 @ INDEFINITE @ H3)
    np.testing.assert_allclose(parts.values, [50, -16, 0], atol=1e-12)
    assert parts.rank == 2
    assert parts.negative(1) == 0
    assert parts.negative(2) == 1
    assert not parts.definite
    assert parts.theorem(0) == pytest.approx(np.hypot(50, 16))
    assert parts.residual(1) == pytest.approx(16)
    assert parts.residual(2) < 1e-12


def test_all_parts_together_are_the_matrix_and_some_rows_are_enough():
    K = symmetric(9, definite=True)
    parts = MatrixParts.of(K)
    np.testing.assert_allclose(parts.rebuilt(9), K, atol=1e-12)
    rows = np.array([4, 0, 7])
    np.testing.assert_allclose(
        parts.rebuilt(2, rows), parts.rebuilt(2)[np.ix_(rows, rows)], atol=1e-13
    )


def test_the_residual_of_many_rows_comes_in_portions():
    K = symmetric(700, definite=True)
    parts = MatrixParts.of(K)
    assert len(list(parts.measuring(5))) > 1
    assert parts.residual(5) == pytest.approx(parts.theorem(5), rel=1e-11)


@pytest.mark.parametrize("n", [1, 4])
def test_a_matrix_of_nothing_has_no_parts(n):
    parts = MatrixParts.of(np.zeros((n, n)))
    assert parts.rank == 0
    assert parts.definite
    assert parts.residual(0) == parts.theorem(0) == 0
    assert parts.share(0) == 1


def test_it_can_be_cancelled():
    with pytest.raises(Cancelled):
        MatrixParts.of(np.eye(3), lambda: True)


@pytest.mark.journey
def test_a_large_matrix_is_decomposed_in_a_process_of_its_own(monkeypatch):
    K = symmetric(12)
    monkeypatch.setattr("kpca_viewer.core.linalg.eigenpairs.OWN_PROCESS_FROM", 10)
    there = MatrixParts.of(K)
    np.testing.assert_allclose(there.rebuilt(12), K, atol=1e-12)
    answers = iter([False])
    with pytest.raises(Cancelled):
        MatrixParts.of(K, lambda: next(answers, True))


def test_rounding_is_told_from_what_is_left():
    parts = MatrixParts.of(np.diag([3.0, 1e-3, 0.0]))
    assert parts.digits(0) >= 12
    assert 9 <= parts.digits(1) <= 13
    assert parts.digits(2) == 0
