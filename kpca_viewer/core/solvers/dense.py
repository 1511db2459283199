"""The full decomposition of a matrix in memory.

``numpy.linalg.eigh`` lets go of the interpreter lock (scipy's does not) but cannot be
stopped. Beyond a size where that would be felt it runs in a process of its own, which
can be ended at once.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.solvers.centred_operator import Centred, finish
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.support.errors import SolverError
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

OWN_PROCESS_FROM = 1600
"""Below, a decomposition ends within about 250 ms, and a process costs as much."""

_PROGRAM = """
import sys, numpy as np
n, path = int(sys.argv[1]), sys.argv[2]
K = np.memmap(path, dtype=np.float64, mode="r+", shape=(n + 1, n))
K[n], K[:n] = np.linalg.eigh(K[:n])
K.flush()
"""


def solve(problem: Problem, reason: str) -> Decomposition:
    """Compute all eigenvalues and keep the k largest pairs."""
    problem.gram.matrix(problem.should_stop, problem.progress)
    centred = Centred.of(problem.gram, problem)
    problem.progress("all eigenvalues", None)
    if problem.gram.n < OWN_PROCESS_FROM:
        values, vectors = np.linalg.eigh(centred.matrix(problem.should_stop))
    else:
        values, vectors = _in_own_process(centred.n, centred.fill, problem.should_stop)
    values = values[::-1]
    k = min(problem.k, len(values))
    return finish(
        problem,
        centred,
        values[:k],
        np.ascontiguousarray(vectors[:, ::-1][:, :k]),
        solver="dense",
        reason=reason,
        spectrum=values,
        complete=True,
    )


def eigenpairs(matrix: Array, should_stop: ShouldStop = never) -> tuple[Array, Array]:
    """Return all eigenvalues (n,), ascending, and eigenvectors of a matrix (n, n).

    Raises
    ------
    Cancelled
    """
    if len(matrix) < OWN_PROCESS_FROM:
        values, vectors = np.linalg.eigh(matrix)
        return values, vectors

    def fill(out: Array, _should_stop: ShouldStop) -> None:
        out[:] = matrix

    return _in_own_process(len(matrix), fill, should_stop)


def _in_own_process(
    n: int, fill: Callable[[Array, ShouldStop], object], should_stop: ShouldStop
) -> tuple[Array, Array]:
    """Decompose in a child process; end it as soon as nobody wants the result.

    Parameters
    ----------
    fill : callable
        Writes the matrix into an array (n, n).
    """
    with tempfile.TemporaryDirectory(
        prefix="kpca_viewer_", dir=fast_folder()
    ) as folder:
        path = Path(folder, "matrix")
        shared = np.memmap(path, dtype=np.float64, mode="w+", shape=(n + 1, n))
        fill(shared[:n], should_stop)
        command = [sys.executable, "-I", "-c", _PROGRAM, str(n), str(path)]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as child:
            try:
                while True:
                    try:
                        _, errors = child.communicate(timeout=0.05)
                        break
                    except subprocess.TimeoutExpired:
                        check(should_stop)
            finally:
                child.kill()
        if child.returncode != 0:
            lines = errors.decode(errors="replace").strip().splitlines() or [
                "no reason"
            ]
            raise SolverError(
                f"The dense solver ended early ({lines[-1]}); choose the low-rank or "
                "the Krylov solver."
            )
        return np.array(shared[n]), np.array(shared[:n])


def fast_folder() -> str | None:
    folder = Path("/dev/shm")
    return str(folder) if folder.is_dir() else None
