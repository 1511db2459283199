"""Passes over many rows by a cluster: they find what passes in this process find."""

import os
import signal
from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.dask_backend import DaskBackend
from kpca_viewer.engine.executors.dask_executor import DaskRows
from kpca_viewer.engine.forecast import LARGE_FROM
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import Cancelled
from tests.cluster.processes import comes_to_rest, process_ids

pytestmark = pytest.mark.cluster

RBF = Kernel("rbf", gamma=0.3)


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(4)
    return rng.normal(size=(LARGE_FROM, 3)) + 3 * rng.integers(0, 2, (LARGE_FROM, 1))


def problem(X, kernel, each_rows=None, **how):
    gram = PointsGram(kernel.points(X, center=True), kernel)
    return Problem(gram, 3, tol=1e-3, most_landmarks=300, each_rows=each_rows, **how)


def the_same(here, there):
    landmarks = (found.landmark_map.landmarks for found in (here, there))
    assert np.array_equal(*landmarks)
    largest = here.eigenvalues[0]
    assert np.abs(here.eigenvalues - there.eigenvalues).max() <= 1e-6 * largest
    assert np.abs(here.bounds - there.bounds).max() <= 1e-6 * largest
    # In float32 what many rows add up to depends a little on how they are grouped.
    dot = np.einsum("ij,ij->j", here.eigenvectors, there.eigenvectors)
    assert np.abs(dot - 1).max() <= 1e-4
    assert here.certificate == there.certificate


@pytest.mark.parametrize("kernel", [RBF, Kernel("linear"), Kernel("cosine")])
def test_workers_find_what_this_process_finds(two_workers, X, kernel):
    here = solve(problem(X, kernel))
    there = solve(problem(X, kernel, DaskRows(two_workers)))
    assert (here.place, there.place) == ("", "on 2 workers")
    the_same(here, there)


def test_rows_are_sent_once_for_all_values_of_a_kernel(two_workers, X):
    asked = problem(X, RBF, DaskRows(two_workers))
    held = []
    for gamma in (0.2, 0.3):
        gram = PointsGram(asked.gram.points, Kernel("rbf", gamma=gamma))
        solve(replace(asked, gram=gram))
        keys = (key for keys in two_workers.client.has_what().values() for key in keys)
        held.append({key for key in keys if str(key).startswith("ArrayBlock")})
    assert held[0] == held[1]
    assert held[0]


def test_a_worker_that_is_killed_takes_no_rows_away(two_workers, X):
    each_rows = DaskRows(two_workers)
    killed = []

    def progress(stage, fraction):
        if stage.startswith("all rows") and not killed:
            killed.append(process_ids(two_workers)[0])
            os.kill(killed[0], signal.SIGKILL)

    there = solve(problem(X, RBF, each_rows, progress=progress))
    assert killed
    assert there.place
    the_same(solve(problem(X, RBF)), there)


def test_a_pass_can_be_stopped(two_workers, X):
    stopped = []

    def progress(stage, fraction):
        stopped.append(stage.startswith("all rows"))

    asked = problem(
        X,
        RBF,
        DaskRows(two_workers),
        progress=progress,
        should_stop=lambda: any(stopped),
    )
    with pytest.raises(Cancelled):
        solve(asked)
    assert comes_to_rest(two_workers)


MANY = SessionSettings(data=DataSettings(values=(("samples", float(LARGE_FROM)),)))


def test_few_rows_and_drags_stay_here(two_workers):
    each_rows = DaskRows(two_workers)
    few = AnalysisRequest(SessionSettings())
    assert run(few, StageCache(), each_rows=each_rows).decomposition.place == ""
    drag = AnalysisRequest(MANY, moving=True)
    assert run(drag, StageCache(), each_rows=each_rows).decomposition.place == ""


def test_whoever_has_left_is_told_of_nothing_and_all_is_computed_here(two_workers):
    told = []
    lent = DaskBackend(two_workers.client.scheduler.address, None, told.append)
    each_rows, make_points = lent.each_rows(), lent.make_points()
    lent.close()
    assert lent.state() is lent.each_rows() is lent.make_points() is None
    found = run(AnalysisRequest(MANY), StageCache(), each_rows=each_rows)
    assert found.decomposition.place == ""
    assert found.comparison is not None
    assert make_points.place == ""
    assert told == []
