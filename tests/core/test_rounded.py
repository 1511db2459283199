"""K in float32 with products in float64: what it is off by, and when it will not do."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import products as grams
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, centred_operator, krylov
from kpca_viewer.core.solvers.centred_operator import Rounded
from tests.core.reference import centred, eigenvalues, gram_matrix, outside

FLAT = Kernel("rbf", gamma=1e-3)
X = load_digits().data[:600]
K = gram_matrix(FLAT, X)
V = np.linalg.qr(np.random.default_rng(0).normal(size=(600, 4)))[0]


def problem_of(points=X, kernel=FLAT, k=5, **options):
    return Problem(PointsGram(kernel.points(points), kernel), k, **options)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("alone", [100, 2500])
def test_it_is_the_matrix_but_for_its_rounding(monkeypatch, center, alone):
    monkeypatch.setattr(grams, "ALONE_UP_TO", alone)
    problem = problem_of(center=center)
    form = Rounded.form(problem.gram, problem)
    assert form.stored.matrix().dtype == np.float32
    assert not problem.gram.has_matrix()
    reference = centred(K) if center else K
    off = np.linalg.norm(form.dot(V) - reference @ V, 2)
    assert 0 < off <= form.rounding
    assert form.rounding < 1e-7 * np.linalg.norm(K)
    np.testing.assert_allclose(form.trace, np.trace(reference), rtol=1e-7)
    slack = form.squares_slack()
    assert abs(form.squares() - np.square(reference).sum()) <= slack
    if center:
        np.testing.assert_allclose(form.row_means, K.mean(axis=0), rtol=1e-6)
    else:
        assert not form.row_means.any()


def test_taking_a_constant_off_leaves_less_to_round():
    centred_ = problem_of()
    plain = problem_of(center=False)
    with_, without = (Rounded.form(p.gram, p) for p in (centred_, plain))
    assert with_.rounding < 0.8 * without.rounding
    rough = with_.rough
    np.testing.assert_allclose(rough.trace, with_.trace, rtol=1e-5)
    np.testing.assert_allclose(rough.squares(), with_.squares(), rtol=1e-4)


def test_no_entry_is_subnormal():
    points = np.arange(600.0)[:, None] * 10
    problem = problem_of(points, Kernel("rbf", gamma=1.0))
    S = Rounded.form(problem.gram, problem).stored.matrix()
    assert np.abs(S).min() > np.finfo(np.float32).tiny


def test_krylov_forms_nothing_else():
    problem = problem_of(tol=1e-6)
    found = krylov.solve(problem, "")
    assert not problem.gram.has_matrix()
    truth = eigenvalues(K)
    assert outside(found, truth) == 0
    assert found.error <= 1.01e-6


def test_where_its_rounding_is_too_much_the_matrix_is_formed(monkeypatch):
    monkeypatch.setattr(krylov, "MOST_ROUNDING", 1e-6)
    problem = problem_of(tol=1e-6)
    found = krylov.solve(problem, "")
    assert problem.gram.has_matrix()
    assert outside(found, eigenvalues(K)) == 0
    below = found.eigenvalues - found.bounds[:, 0]
    assert below.max() < 1e-11 * found.eigenvalues[0]


def test_a_tight_tolerance_has_no_use_for_it(monkeypatch):
    monkeypatch.setattr(centred_operator.Rounded, "form", None)
    problem = problem_of(tol=1e-9)
    assert krylov.solve(problem, "").error <= 1.01e-9
