"""How long the window stalls, over many runs: the longest gap of each.

``python -m benchmarks stalls --runs 20 --busy`` runs it twenty times beside a process
that never rests.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.rounds import ROOT
from benchmarks.spread import spread, written

MEASURED = {
    "longest_gap_ms": "longest gap by the clock",
    "longest_work_ms": "longest gap by the window's own work",
    "median_gap_ms": "median gap",
    "gaps_over_50_ms": "gaps over 50 ms",
}


def run(quick: bool = False, runs: int = 0, busy: bool = False) -> dict[str, Any]:
    """Drag through 50 values of γ at n = 4,000, each time in a process of its own.

    Parameters
    ----------
    runs : int
        How often; 0 for five times, or once if it has to be quick.
    busy : bool
        Whether another process keeps one core busy meanwhile.

    Returns
    -------
    dict
        The spread of what every run says, by its name.
    """
    runs = runs or (1 if quick else 5)
    print(
        "\nStalls of the window while 50 values of γ are computed at n = 4,000; "
        f"runs: {runs}{', beside a busy process' if busy else ''}"
    )
    if quick:
        print("left out: more than one run")
    with _busy() if busy else _quiet():
        told = [_once() for _ in range(runs)]
    found = {name: spread([one[name] for one in told]) for name in MEASURED}
    for name, title in MEASURED.items():
        low, high = found[name]["range"]
        print(f"{title:38}{written(found[name]):22} range {low:g} … {high:g}")
    return {"runs": runs, "busy": busy, **found}


def _once() -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.watchdog"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    return json.loads(done.stdout)


@contextmanager
def _quiet() -> Iterator[None]:
    yield


@contextmanager
def _busy() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()
