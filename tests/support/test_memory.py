"""Memory: forecast, refused with an alternative, and used in bounded blocks."""

import tracemalloc

import numpy as np
import psutil
import pytest

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.linalg.products import BLOCK_BYTES
from kpca_viewer.core.projection import project
from kpca_viewer.core.solvers import Problem, choice, solve
from kpca_viewer.support import memory
from kpca_viewer.support.errors import Cancelled, TooLargeError
from tests.core.reference import circles, decompose

RBF = Kernel("rbf", gamma=2)
MEGABYTE = 1_000_000


@pytest.fixture
def small_machine(monkeypatch):
    def shrink(size):
        monkeypatch.setattr(memory, "available", lambda: size)
        monkeypatch.setattr(choice, "SMALL", 0)

    return shrink


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_refused_before_anything_is_allocated(small_machine, monkeypatch, solver):
    small_machine(100_000)
    monkeypatch.setattr(PointsGram, "matrix", None)
    monkeypatch.setattr(PointsGram, "rows", None)
    X, _ = circles(500)
    with pytest.raises(TooLargeError, match=r"500 points needs .* free; ") as caught:
        decompose(X, RBF, 5, solver)
    assert "choose the low-rank solver, which needs no n × n matrix" in str(
        caught.value
    )
    assert solver in str(caught.value)
    assert isinstance(caught.value, MemoryError)


def test_the_alternative_for_indefinite_kernels_is_not_low_rank(small_machine):
    small_machine(100_000)
    X, _ = circles(500)
    with pytest.raises(TooLargeError, match="fewer points or a positive definite"):
        decompose(X, Kernel("sigmoid"), 5, "dense")


def test_low_rank_fits_itself_to_the_memory(small_machine):
    X, _ = circles(1500)
    small_machine(3 * MEGABYTE)
    result = decompose(X, Kernel("rbf", gamma=100))
    assert result.solver == "lowrank"
    assert result.rank * 1500 * 8 <= 0.5 * 3 * MEGABYTE


def test_low_rank_without_any_room(small_machine):
    small_machine(100_000)
    X, _ = circles(1500)
    with pytest.raises(TooLargeError, match=r"1,500 points leave no room.*100 kB"):
        decompose(X, RBF)


def test_unknown_memory_is_no_reason_to_refuse(small_machine):
    small_machine(None)
    assert memory.fits(10**18)
    memory.require(10**18, "All of it", "nothing")
    X, _ = circles(1100)
    assert decompose(X, RBF).solver == "lowrank"


def test_krylov_without_room_for_the_matrix(small_machine):
    X, _ = circles(1500)
    small_machine(12 * MEGABYTE)
    gram = PointsGram(RBF.points(X), RBF)
    result = solve(Problem(gram, 2), "krylov")
    assert not gram.has_matrix()
    assert result.solver == "krylov"


def test_forecast_counts_a_matrix_once():
    X, _ = circles(300)
    gram = PointsGram(RBF.points(X), RBF)
    before = choice.forecast(Problem(gram, 3), "dense")
    gram.matrix()
    assert before - choice.forecast(Problem(gram, 3), "dense") == 300 * 300 * 8


def test_a_callable_kernel_is_refused_before_it_is_called(small_machine):
    small_machine(1000)

    def never(x, y):
        raise AssertionError("called before asking")

    with pytest.raises(TooLargeError, match="choose a named kernel"):
        KernelPCA(2, kernel=never).fit(np.zeros((50, 2)))


@pytest.mark.journey
def test_new_points_come_in_blocks():
    X, _ = circles(1000)
    result = decompose(X, RBF, 2, "dense")
    seen = []

    def cross(rows, columns):
        seen.append(rows.stop - rows.start)
        assert columns is None
        return np.ones((rows.stop - rows.start, 1000))

    scores = project(result, cross, 50_000)
    assert scores.shape == (50_000, 2)
    assert sum(seen) == 50_000
    assert max(seen) * 1000 * 8 <= BLOCK_BYTES


@pytest.mark.journey
@pytest.mark.parametrize("solver", ["dense", "lowrank"])
def test_transform_never_allocates_all_pairs(solver):
    X, _ = circles(1000)
    model = KernelPCA(2, kernel="rbf", gamma=2, eigen_solver=solver).fit(X)
    new = np.random.default_rng(0).normal(size=(40_000, 2))
    tracemalloc.start()
    try:
        model.transform(new)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40_000 * 1000 * 8 / 4


def test_projection_can_be_stopped():
    result = decompose(circles(50)[0], RBF, 2, "dense")
    with pytest.raises(Cancelled):
        project(result, lambda rows, columns: np.ones((1, 50)), 1, lambda: True)


def test_here_is_some_memory():
    assert MEGABYTE < memory.available() < psutil.virtual_memory().total


@pytest.mark.parametrize("error", [psutil.Error, OSError, RuntimeError])
def test_nobody_knows(monkeypatch, error):
    def fail():
        raise error

    monkeypatch.setattr(psutil, "virtual_memory", fail)
    assert memory.available() is None
