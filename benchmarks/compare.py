"""Kernel PCA against scikit-learn where every pair of rows fits into memory."""

from contextlib import ExitStack
from typing import Any

import numpy as np

from benchmarks.methods import ACCURACY, SKLEARN
from benchmarks.rounds import Child, in_turn
from benchmarks.spread import paired_ratio, rounded, spread, written
from benchmarks.tables import COMPARED, TABLES

COMPONENTS = 10
QUICK = ("circles 2,000", "S-curve 3,000", "digits 1,797 × 64")
DENSE_UP_TO = 4000
"""Rows; beyond them scikit-learn's default takes a minute and runs once."""


def run(quick: bool = False, tables: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Compare on every table, with BLAS threads as they come and with one.

    Returns
    -------
    list of dict
        One row for each table and number of threads.
    """
    print(
        f"Kernel PCA, RBF, {COMPONENTS} components, error of an eigenvalue at most "
        f"{ACCURACY:g} of the largest\nms, median (quartiles); ratios of runs that "
        "followed each other"
    )
    if quick:
        print(
            "left out: n > 3,000, the randomized settings, scikit-learn's default "
            "beyond n = 2,000, BLAS threads as they come; 3 rounds instead of 7"
        )
    tables = tables or (QUICK if quick else tuple(COMPARED))
    print(
        f"{'case':20}{'threads':9}{'ours':22}{'default':22}{'fastest as accurate':42}"
        f"{'× default':20}{'× fastest':20}{'error':>8}{'bound':>8}{'MB':>6}"
    )
    rows = []
    for table in tables:
        for threads in (1,) if quick else (None, 1):
            row = compare(table, threads, quick=quick)
            rows.append(row)
            print(_line(row), flush=True)
    return rows


def compare(table: str, threads: int | None, *, quick: bool) -> dict[str, Any]:
    """Ours against scikit-learn's default and its fastest that is as accurate."""
    methods = ["ours", *_methods(len(TABLES[table].make()), threads, quick)]
    with ExitStack() as stack:
        children = {
            method: stack.enter_context(Child(table, method, COMPONENTS, threads))
            for method in methods
        }
        in_turn(list(children.values()), 3 if quick else 7, 5.0 if quick else 10.0)
    ours = children.pop("ours")
    # arpack with tol=0 converges to machine precision: the reference.
    exact = children["arpack"].answers[-1]["eigenvalues"]
    accurate = {m: c for m, c in children.items() if _error(c, exact) <= ACCURACY}
    fastest = min(accurate, key=lambda m: float(np.median(accurate[m].seconds)))
    answer = ours.answers[-1]
    row = {
        "case": table,
        "threads": threads or "default",
        "ours_s": spread(ours.seconds),
        "solver": answer["solver"],
        "rank": answer["rank"],
        "error": rounded(_error(ours, exact), 2),
        "bound": rounded(answer["bound"], 2),
        "peak_mb": round(answer["peak_mb"]),
        "fastest": fastest,
        "vs_fastest": paired_ratio(accurate[fastest].seconds, ours.seconds),
        "scikit_learn_s": {m: spread(c.seconds) for m, c in children.items()},
    }
    if "default" in children:
        row["vs_default"] = paired_ratio(children["default"].seconds, ours.seconds)
    return row


def _methods(n: int, threads: int | None, quick: bool) -> list[str]:
    methods = list(SKLEARN)
    if quick:
        methods = [m for m in methods if not m.startswith("randomized")]
    most = 2000 if quick else DENSE_UP_TO
    if n > most and (quick or threads is not None):
        methods.remove("default")
    return methods


def _error(child: Child, exact: list[float]) -> float:
    """Return the largest error of an eigenvalue relative to the largest eigenvalue."""
    values = np.asarray(child.answers[-1]["eigenvalues"])
    return float(np.abs(values - exact).max() / max(exact))


def _line(row: dict[str, Any]) -> str:
    theirs = row["scikit_learn_s"]
    default = written(theirs["default"], 1e3) if "default" in theirs else "–"
    ratio = written(row["vs_default"]) if "default" in theirs else "–"
    fastest = f"{written(theirs[row['fastest']], 1e3)} {row['fastest']}"
    return (
        f"{row['case']:20}{row['threads']!s:9}{written(row['ours_s'], 1e3):22}"
        f"{default:22}{fastest:42}{ratio:20}{written(row['vs_fastest']):20}"
        f"{row['error']:8.0e}{row['bound']:8.0e}{row['peak_mb']:6}"
    )
