"""Measurements in turn: A B A B …, each in a process of its own that waits for its go.

Every process makes its data once and answers one line a run, so that the peak memory
is its own and no run pays for imports. ``python -m benchmarks.rounds`` is such a
process; it is told what to do by lines of JSON.
"""

import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parents[1]
REST = 0.2
"""Seconds before every run: threads of BLAS spin on after the last product of the run
before, on the core that the next one wants."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class Child:
    """One method on one table, in a process of its own.

    Parameters
    ----------
    threads : int or None
        Of BLAS; None leaves it as it comes.
    module : str
        What the process runs.
    """

    def __init__(
        self,
        table: str,
        method: str,
        components: int,
        threads: int | None = None,
        module: str = "benchmarks.rounds",
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, table, method, str(components)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=_environment(threads),
            cwd=ROOT,
        )
        self.answers: list[dict[str, Any]] = []
        self._ready = False

    def wait(self) -> None:
        """Wait until it has loaded its libraries and data; others may do so as well."""
        if not self._ready:
            self._receive()
            self._ready = True

    def run(self, seed: int = 0) -> dict[str, Any]:
        """Fit once more; returns what `_answer` says about it."""
        self.wait()
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seed}\n")
        self._process.stdin.flush()
        self.answers.append(self._receive())
        return self.answers[-1]

    @property
    def seconds(self) -> list[float]:
        """The times of all runs."""
        return [answer["seconds"] for answer in self.answers]

    @property
    def processor_seconds(self) -> list[float]:
        """The processor times of all runs."""
        return [answer["processor_seconds"] for answer in self.answers]

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args} ended: {self._process.wait()}")
        return json.loads(line)

    def __enter__(self) -> "Child":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()


class Here(Child):
    """The same in this process: neither its memory nor its imports are its own."""

    def __init__(self, work: Callable[[int], tuple[Any, dict[str, Any]]]) -> None:
        self._work = work
        self.answers = []

    def wait(self) -> None:
        """Be ready at once."""

    def run(self, seed: int = 0) -> dict[str, Any]:
        """Fit once more; returns what `_answer` says about it."""
        self.answers.append(_answer(partial(self._work, seed)))
        return self.answers[-1]

    def __exit__(self, *_: object) -> None:
        pass


def in_turn(children: Sequence[Child], rounds: int, patience: float) -> None:
    """Run each child once a round; a slow one sits out once it has had its share.

    Parameters
    ----------
    patience : float
        Seconds after which a child runs no more.
    """
    for child in children:
        child.wait()
    for number in range(rounds):
        for child in children:
            if sum(child.seconds) < patience:
                time.sleep(REST)
                child.run(number)


def serve(read: Callable[[], str], table: str, method: str, components: int) -> None:
    """Answer lines until there are no more."""
    from benchmarks.methods import fit
    from benchmarks.tables import TABLES

    X, gamma = TABLES[table].points()
    with warnings.catch_warnings():
        # More landmarks than so few rows.
        warnings.simplefilter("ignore")
        fit(method, X[:300], gamma, components)  # imports and pools are not measured
    answer_lines(read, partial(fit, method, X, gamma, components))


def answer_lines(
    read: Callable[[], str], work: Callable[[int], tuple[Any, dict[str, Any]]]
) -> None:
    """Say that all is ready, then work once with the seed of every line."""
    _say({"ready": True})
    while line := read():
        _say(_answer(partial(work, int(line))))


class Measured(NamedTuple):
    """One run: its times and what it returned."""

    seconds: float
    processor_seconds: float
    result: Any


def measured(work: Callable[[], Any]) -> Measured:
    """Run something once, by the clock and by the processor."""
    started, worked = time.perf_counter(), processor_time()
    result = work()
    return Measured(time.perf_counter() - started, processor_time() - worked, result)


def processor_time() -> float:
    """Return that of this process and of those that it started and that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def run_process(command: Sequence[str], threads: int | None = None) -> None:
    """Run a whole process, with BLAS threads as they come or so many."""
    subprocess.run(
        command,
        check=True,
        cwd=ROOT,
        env=_environment(threads),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _environment(threads: int | None) -> dict[str, str]:
    # What is installed is compiled; from a checkout it would be anew in each process.
    left_out = (*THREADS, "PYTHONDONTWRITEBYTECODE")
    environment = {k: v for k, v in os.environ.items() if k not in left_out}
    if threads is not None:
        environment |= dict.fromkeys(THREADS, str(threads))
    return environment


def _answer(work: Callable[[], tuple[Any, dict[str, Any]]]) -> dict[str, Any]:
    run = measured(work)
    values, notes = run.result
    return {
        "seconds": run.seconds,
        "processor_seconds": run.processor_seconds,
        "peak_mb": _peak_mb(),
        "eigenvalues": np.asarray(values).tolist(),
        **notes,
    }


def _peak_mb() -> float:
    """Return the most memory that this process has held."""
    status = Path("/proc/self/status")
    if status.exists():
        # Beside this, Linux counts what whoever started the process had held.
        told = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(told["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _say(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(sys.stdin.readline, sys.argv[1], sys.argv[2], int(sys.argv[3]))
