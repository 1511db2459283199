"""Other programs for kernel PCA, where they are installed.

mlpack (``pip install mlpack``) runs in this process, kernlab (``r-cran-kernlab`` of the
system) in a process of R that measures itself. The bindings of tapkee know the linear
kernel only, so that there is nothing to compare.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.methods import fit
from benchmarks.rounds import measured
from benchmarks.spread import paired_ratio, rounded, spread, written
from benchmarks.tables import TABLES

CASES = ("circles 2,000", "digits 1,797 × 64")
KERNLAB = """
library(kernlab)
x <- as.matrix(read.csv(commandArgs(TRUE)[1], header = FALSE))
gamma <- as.numeric(commandArgs(TRUE)[2]); k <- as.integer(commandArgs(TRUE)[3])
time <- system.time(
  found <- kpca(x, kernel = "rbfdot", kpar = list(sigma = gamma), features = k))
cat(time["elapsed"], eig(found) * nrow(x), "\\n")
"""

Timed = tuple[float, Any]
"""Seconds, and eigenvalues as far as the program tells them."""


def run(quick: bool = False, tables: tuple[str, ...] = CASES) -> list[dict[str, Any]]:
    """Compare with every program that is installed, in turn with ours."""
    print("\nOther programs for kernel PCA, RBF; ms, median (quartiles)")
    rounds = 1 if quick else 3
    rows = []
    for program, find in (("mlpack", _mlpack), ("kernlab", _kernlab)):
        found = find()
        if found is None:
            print(f"{program}: not installed")
            continue
        told, solve = found
        for table in tables:
            row = _compare(program, told, solve, table, rounds)
            rows.append(row)
            print(
                f"{table:20}{program} {told:10}{written(row['theirs_s'], 1e3):24}ours "
                f"{written(row['ours_s'], 1e3):24}{written(row['ratio'])} ×  "
                f"difference of eigenvalues {row['difference']}",
                flush=True,
            )
    return rows


Solve = Callable[[Any, float, int], Timed]


def _compare(
    program: str, told: str, solve: Solve, table: str, rounds: int
) -> dict[str, Any]:
    X, gamma = TABLES[table].points()
    # mlpack gives no more components than there are columns.
    components = min(10, X.shape[1])
    ours, theirs, difference = [], [], 0.0
    fit("ours", X, gamma, components)
    for _ in range(rounds):
        mine = measured(lambda: fit("ours", X, gamma, components))
        seconds, values = solve(X, gamma, components)
        ours.append(mine.seconds)
        theirs.append(seconds)
        exact = mine.result[0]
        difference = float(np.abs(values - exact).max() / exact[0])
    return {
        "case": table,
        "program": f"{program} {told}",
        "components": components,
        "ours_s": spread(ours),
        "theirs_s": spread(theirs),
        "ratio": paired_ratio(theirs, ours),
        "difference": rounded(difference, 2),
    }


def _mlpack() -> tuple[str, Solve] | None:
    try:
        told = version("mlpack")
    except PackageNotFoundError:
        return None
    from mlpack import kernel_pca

    def solve(X: Any, gamma: float, components: int) -> Timed:
        run = measured(
            lambda: kernel_pca(
                input_=X,
                kernel="gaussian",
                bandwidth=float(1 / np.sqrt(2 * gamma)),
                new_dimensionality=components,
            )["output"]
        )
        # The squares of the scores of a component add up to its eigenvalue.
        return run.seconds, np.square(np.asarray(run.result)).sum(axis=0)

    return told, solve


def _kernlab() -> tuple[str, Solve] | None:
    script = shutil.which("Rscript")
    if script is None:
        return None
    asked = [script, "-e", 'cat(as.character(packageVersion("kernlab")))']
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    if told.returncode:
        return None

    def solve(X: Any, gamma: float, components: int) -> Timed:
        with tempfile.TemporaryDirectory() as folder:
            table, program = Path(folder, "points.csv"), Path(folder, "kpca.R")
            np.savetxt(table, X, "%.17g", ",")
            program.write_text(KERNLAB)
            command = [script, program, table, repr(gamma), str(components)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds, *values = map(float, done.stdout.split())
        return seconds, np.array(values)

    return told.stdout.strip(), solve
