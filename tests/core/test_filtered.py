"""A polynomial shows that a matrix ends below a limit, and never if it does not."""

import numpy as np
import pytest

from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import Problem, missed_eigenpairs
from kpca_viewer.core.solvers.centred_operator import Centred
from kpca_viewer.core.solvers.missed_eigenpairs import ends_below
from kpca_viewer.support.errors import Cancelled

ENOUGH = missed_eigenpairs.smallest_length(missed_eigenpairs.WIDTH)


class Diagonal:
    """A diagonal matrix, with rounding of a given size."""

    dtype = np.dtype(np.float64)

    def __init__(self, values, noise=0.0):
        self.values, self.noise = np.asarray(values, dtype=float), noise
        self.n = len(self.values)
        self.rng = np.random.default_rng(0)

    def dot(self, V, should_stop):
        image = self.values[:, None] * V
        if not self.noise:
            return image
        # As large as is said, and in the worst direction: against the image.
        size = np.linalg.norm(image, 2) or 1.0
        return image - image * (self.noise * np.linalg.norm(V, 2) / size)


def checked(matrix, limit, edge, most=20, noise=0.0, seed=1, **options):
    G = np.random.default_rng(seed).standard_normal((matrix.n, missed_eigenpairs.WIDTH))
    problem = Problem(MatrixGram(np.eye(2)), 1, **options)
    return ends_below(limit, problem, matrix, G, edge, ENOUGH, noise, most)


def test_what_ends_at_the_edge_is_soon_shown():
    matrix = Diagonal(np.linspace(0, 1, 500) ** 3)
    passes, shown = checked(matrix, 3.0, 1.0)
    assert shown
    assert passes <= 4
    # The farther away, the sooner.
    assert checked(matrix, 10.0, 1.0)[0] < passes
    assert checked(matrix, 1.5, 1.0) > (passes, False)


@pytest.mark.journey
def test_a_single_eigenvalue_above_is_never_passed_over():
    rng = np.random.default_rng(0)
    for seed in range(600):
        limit = rng.uniform(1.15, 4)
        values = np.append(rng.uniform(0, 1, 60) ** 2, limit * rng.uniform(1.0001, 3))
        assert not checked(Diagonal(values), limit, 1.0, seed=seed)[1]


def test_nor_under_rounding():
    rng = np.random.default_rng(0)
    for seed in range(200):
        noise = 10.0 ** rng.uniform(-6, -1)
        matrix = Diagonal(np.append(rng.uniform(0, 1, 60), 2.5), noise)
        assert not checked(matrix, 2.4, 1.0, noise=noise, seed=seed)[1]
    # What could be rounding shows nothing.
    matrix = Diagonal(np.linspace(0, 1, 60))
    assert checked(matrix, 2.4, 1.0)[1]
    assert not checked(matrix, 2.4, 1.0, noise=0.1)[1]


@pytest.mark.parametrize("edge", [0.0, -1.0, 1e-4, 0.95, 2.0, np.nan])
def test_an_edge_that_is_no_help_costs_no_pass(edge):
    assert checked(Diagonal(np.linspace(0, 1, 60)), 1.0, edge) == (0, False)


def test_a_wrong_edge_is_noticed():
    passes, shown = checked(Diagonal(np.linspace(0, 1, 300)), 1.1, 0.2)
    assert not shown
    assert passes <= 3


def test_an_edge_near_the_limit_is_given_time():
    # Its first pass gains less than half of what those that follow gain.
    for power in (1, 2, 3):
        assert checked(Diagonal(np.linspace(0, 1, 500) ** power), 1.18, 1.0)[1]


def test_a_limit_that_is_out_of_reach_costs_one_pass():
    assert checked(Diagonal(np.linspace(0, 1, 500)), 1.12, 1.0) == (1, False)


def test_it_ends_where_no_pass_is_left_and_when_nobody_waits():
    matrix = Diagonal(np.linspace(0, 1, 500))
    assert checked(matrix, 3.0, 1.0, most=2) == (2, False)
    with pytest.raises(Cancelled):
        checked(matrix, 3.0, 1.0, should_stop=lambda: True)


def test_a_look_takes_it_first():
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(300, 300)))
    mu = np.append([9.0, 8.0, 7.0], rng.uniform(0, 1, 297))
    K = (Q * mu) @ Q.T
    gram = MatrixGram((K + K.T) / 2, psd=True)
    problem = Problem(gram, 3, center=False)
    centred = Centred.of(gram, problem)

    def look(V, edge):
        return missed_eigenpairs.look(problem, centred, V, 7.0, 9.5, [0], 30, edge)

    quick, slow = look(Q[:, :3], 1.0), look(Q[:, :3], 0.0)
    assert quick.bound == slow.bound == 7.0
    assert quick.passes <= slow.passes
    # The eigenvalue 8 is missing: no polynomial hides it, and the basis finds it.
    found = look(Q[:, [0, 2]], 1.0)
    assert found.bound > 7.5
    assert np.linalg.norm(found.missed.T @ Q[:, 1]) > 0.9
