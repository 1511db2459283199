"""Every solver stops when nobody wants its result, and leaves nothing behind."""

import subprocess
import tempfile
import threading
import time

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import eigenpairs
from kpca_viewer.core.linalg.gram import pairwise_base
from kpca_viewer.core.solvers import dense
from kpca_viewer.support.errors import Cancelled
from kpca_viewer.support.progress import check, never, silent
from tests.core.reference import circles, decompose

RBF = Kernel("rbf", gamma=2)
X = np.random.default_rng(0).normal(size=(600, 6))
SOLVERS = ("dense", "krylov", "lowrank")


class StopAfter:
    """Wants to stop from the m-th time on that it is asked."""

    def __init__(self, m):
        self.left = m
        self.asked = 0
        self._lock = threading.Lock()

    def __call__(self):
        with self._lock:
            self.asked += 1
            return self.asked > self.left


@pytest.mark.parametrize("solver", SOLVERS)
def test_stops_at_every_place_where_it_asks(solver):
    asked = StopAfter(10**9)
    decompose(X, RBF, 5, solver, should_stop=asked, tol=1e-3)
    assert asked.asked > 3
    # The first, the last and a few between; asking again afterwards is allowed.
    for m in np.unique(np.linspace(0, asked.asked - 1, 6).astype(int)):
        stop = StopAfter(m)
        with pytest.raises(Cancelled, match="cancelled"):
            decompose(X, RBF, 5, solver, should_stop=stop, tol=1e-3)
        assert stop.asked >= m + 1


def test_low_rank_stops_while_it_grows():
    stages = []
    wanted = threading.Event()

    def progress(stage, fraction):
        stages.append(stage)
        if len(stages) == 2:
            wanted.set()

    with pytest.raises(Cancelled):
        decompose(
            X, RBF, 5, "lowrank", should_stop=wanted.is_set, progress=progress, tol=1e-9
        )
    assert len(stages) == 2


def test_krylov_stops_between_passes():
    stages = []
    wanted = threading.Event()

    def progress(stage, fraction):
        stages.append(stage)
        if stage.startswith("eigenvalues, pass"):
            wanted.set()

    with pytest.raises(Cancelled):
        decompose(
            X, RBF, 5, "krylov", should_stop=wanted.is_set, progress=progress, tol=1e-12
        )
    assert sum(stage.startswith("eigenvalues, pass") for stage in stages) == 1


def test_base_of_a_sweep_stops():
    with pytest.raises(Cancelled):
        pairwise_base(RBF, RBF.points(X), StopAfter(2))


def test_the_process_of_the_dense_solver_is_ended(monkeypatch, tmp_path):
    """The child waits for ever: only cancellation can end it."""
    monkeypatch.setattr(eigenpairs, "OWN_PROCESS_FROM", 0)
    monkeypatch.setattr(dense, "FEW_ROWS", 0)
    folder, program = tmp_path / "matrix", tmp_path / "program.py"
    folder.mkdir()
    monkeypatch.setattr(eigenpairs, "fast_folder", lambda: str(folder))
    program.write_text("import threading; threading.Event().wait()")
    monkeypatch.setattr(eigenpairs.eigh_child, "__file__", str(program))
    children = []
    popen = subprocess.Popen

    def spy(*args, **options):
        children.append(popen(*args, **options))
        return children[-1]

    monkeypatch.setattr(subprocess, "Popen", spy)
    small, _ = circles(40)

    def started():
        return bool(children)

    with pytest.raises(Cancelled):
        decompose(small, RBF, 3, "dense", should_stop=started)
    (child,) = children
    assert child.returncode is not None
    assert child.stderr.closed
    assert list(folder.iterdir()) == []


def test_the_process_leaves_no_folder_when_all_is_well(monkeypatch, tmp_path):
    monkeypatch.setattr(eigenpairs, "OWN_PROCESS_FROM", 0)
    monkeypatch.setattr(dense, "FEW_ROWS", 0)
    monkeypatch.setattr(eigenpairs, "fast_folder", lambda: str(tmp_path))
    small, _ = circles(40)
    decompose(small, RBF, 3, "dense")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_memory_where_there_is_one(monkeypatch):
    folder = eigenpairs.fast_folder()
    assert folder is None or folder == "/dev/shm"
    monkeypatch.setattr(eigenpairs.os, "access", lambda *_: False)
    assert eigenpairs.fast_folder() is None
    assert tempfile.gettempdir()


def test_nobody_stops_and_nobody_watches():
    assert not never()
    check(never)
    silent("anything", None)


@pytest.mark.parametrize("solver", SOLVERS)
def test_progress_is_told_in_fractions(solver):
    seen = []
    decompose(X, RBF, 3, solver, tol=1e-3, progress=lambda s, f: seen.append((s, f)))
    assert seen
    assert all(isinstance(stage, str) and stage for stage, _ in seen)
    assert all(f is None or 0 <= f <= 1 for _, f in seen)


def test_after_the_kernel_matrix_come_the_eigenvalues():
    seen = []
    decompose(X, RBF, 3, "krylov", progress=lambda *report: seen.append(report))
    done = seen.index(("kernel matrix", 1.0))
    assert seen[done + 1] == ("eigenvalues", None)


@pytest.mark.journey
@pytest.mark.watchdog
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_worker_does_not_hold_the_interpreter(solver):
    """A main thread that wakes every few milliseconds is not kept from it."""
    points = np.random.default_rng(0).normal(size=(1200, 6))
    done = threading.Event()

    def work():
        try:
            decompose(points, RBF, 5, solver, tol=1e-3)
        finally:
            done.set()

    worker = threading.Thread(target=work)
    gaps = []
    worker.start()
    last = time.perf_counter()
    while not done.wait(0.005):
        now = time.perf_counter()
        gaps.append(now - last)
        last = now
    worker.join()
    # scipy's eigh would be one gap of the whole decomposition, 200 ms and more.
    assert np.median(gaps or [0]) < 0.15
