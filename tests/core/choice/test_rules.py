"""Rules for γ: each is where its formula says; a decade between them is told."""

import numpy as np
import pytest
from sklearn.datasets import make_circles

from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.methods.bandwidth_rules import bandwidth_rules, disagreement
from tests.core.reference import gram_matrix

X = make_circles(60, factor=0.3, noise=0.05, random_state=0)[0]


def peak(measure):
    """Return the γ at which a measure of K is largest; there may be several peaks."""
    gammas = np.geomspace(0.3, 8, 150)
    found = [measure(gram_matrix(Kernel("rbf", gamma=gamma), X)) for gamma in gammas]
    return gammas[np.argmax(found)]


def off_diagonal_variance(K):
    return K[np.triu_indices(len(K), 1)].var()


def two_eigenvalues(K):
    H = np.eye(len(K)) - 1 / len(K)
    return np.linalg.eigvalsh(H @ K @ H)[-2:].sum()


def test_every_rule_is_the_peak_of_its_own_measure():
    rules = dict(bandwidth_rules(X))
    assert list(rules) == ["median", "max-variance", "CMSE"]
    assert rules["median"] == suggested_values("rbf", X)["gamma"]
    within = {"rel": 10**0.035 - 1}
    expected = peak(off_diagonal_variance)
    assert rules["max-variance"] == pytest.approx(expected, **within)
    assert rules["CMSE"] == pytest.approx(peak(two_eigenvalues), **within)


def test_rules_that_agree_are_not_talked_about():
    assert disagreement(bandwidth_rules(X)) == ""
    assert disagreement((("median", 1.0), ("CMSE", 9.9))) == ""
    assert disagreement(()) == ""


def test_two_scales_let_them_disagree():
    """Most pairs are near each other; what varies is which lump they are in."""
    random = np.random.default_rng(0)
    lumps = 0.01 * random.normal(size=(200, 2))
    lumps[160:] += 1
    rules = bandwidth_rules(lumps)
    told = disagreement(rules)
    assert told.startswith("Rules for γ differ by")
    assert all(name in told for name, _ in rules)
    assert told.endswith("distances alone do not decide it here.")


def test_equal_rows_have_no_rule():
    assert bandwidth_rules(np.ones((20, 3))) == ()


@pytest.mark.journey
def test_of_many_rows_a_fixed_sample_is_looked_at():
    many = make_circles(1500, factor=0.3, noise=0.05, random_state=0)[0]
    assert bandwidth_rules(many) == bandwidth_rules(many)
    ratio = dict(bandwidth_rules(many))["CMSE"] / dict(bandwidth_rules(X))["CMSE"]
    assert 0.5 < ratio < 2
