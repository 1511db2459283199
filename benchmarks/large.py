"""Many rows: ours against Nystroem + PCA at equal accuracy.

The accuracy is the true one: the largest error of the three leading eigenvalues
relative to the largest, against `benchmarks.reference`. Nystroem gets the smallest
number of landmarks with which it is as accurate as ours.
"""

from typing import Any, NamedTuple

import numpy as np
import psutil

from benchmarks.methods import certificates
from benchmarks.reference import reference
from benchmarks.rounds import Child, in_turn
from benchmarks.spread import paired_ratio, rounded, spread, written
from benchmarks.tables import LARGE, TABLES

COMPONENTS = 3
TOLERANCE = 1e-2
LANDMARKS = (100, 300, 600, 1200, 2400, 4800)
SEEDS = (0, 1, 2)
QUICK = ("circles 20,000 × 2",)
MEMORY_SHARE = 0.7
PATIENCE = 60.0
HOPELESS = 20.0
"""So many times our time; where Nystroem takes longer, no more landmarks are tried."""


def run(quick: bool = False, tables: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Compare on every large table.

    Returns
    -------
    list of dict
        One row for each table, kind of certificate and number of threads.
    """
    print(
        f"\nLarge tables, {COMPONENTS} components, tol = {TOLERANCE:g}, against "
        "Nystroem(m) + PCA with the least m that is as accurate\nerrors of the leading "
        "eigenvalues relative to the largest; s, median (quartiles)"
    )
    if quick:
        print(f"left out: all tables but {' and '.join(QUICK)}; more BLAS threads")
    print(
        f"{'case':26}{'threads':9}{'certificate':13}{'ours':20}{'rank':>6}{'error':>9}"
        f"{'bound':>9}{'ref ±':>9}{'MB':>7}  {'m':>5} {'Nystroem':20}{'error':>9}"
        f"{'MB':>7}  {'×':20}"
    )
    rows = []
    for table in tables or (QUICK if quick else tuple(LARGE)):
        for threads in (1,) if quick else (None, 1):
            for certificate in certificates():
                row = compare(table, threads, certificate, 3 if quick else 5)
                rows.append(row)
                print(_line(row), flush=True)
    return rows


def compare(
    table: str, threads: int | None, certificate: str, rounds: int
) -> dict[str, Any]:
    """Ours against the smallest Nystroem that reaches the same true error."""
    known = reference(table)
    n = len(TABLES[table].make())
    method = f"ours tol={TOLERANCE:g} {certificate}".strip()
    with Child(table, method, COMPONENTS, threads) as ours:
        ours.run()
        error = _typical_error(ours, known)
        # No difference below what the reference knows counts.
        wanted = max(error, known["error"])
        longest = HOPELESS * max(ours.seconds[0], 1.0)
        m, why = _landmarks(Search(table, threads, n, wanted, longest))
        row = {
            "case": table,
            "threads": threads or "default",
            "certificate": certificate or "the only one",
            "error": rounded(error, 2),
            "reference_error": known["error"],
            "nystroem_landmarks": m,
        }
        if m is None:
            in_turn([ours], rounds, PATIENCE)
            row["nystroem_left_out"] = why
        else:
            ours.answers.clear()
            with Child(table, f"Nystroem {m}", COMPONENTS, threads) as theirs:
                in_turn([ours, theirs], rounds, PATIENCE)
            row |= {
                "nystroem_s": spread(theirs.seconds),
                "nystroem_error": rounded(_typical_error(theirs, known), 2),
                "nystroem_peak_mb": round(theirs.answers[-1]["peak_mb"]),
                "vs_nystroem": paired_ratio(theirs.seconds, ours.seconds),
            }
    answer = ours.answers[-1]
    return row | {
        "ours_s": spread(ours.seconds),
        "ours_processor_s": spread(ours.processor_seconds),
        "solver": answer["solver"],
        "rank": answer["rank"],
        "bound": rounded(answer["bound"], 2),
        "peak_mb": round(answer["peak_mb"]),
    }


class Search(NamedTuple):
    """What Nystroem has to reach, and within which time."""

    table: str
    threads: int | None
    n: int
    wanted: float
    longest: float


def _landmarks(search: Search) -> tuple[int | None, str]:
    """Return the least number of landmarks that is as accurate, or why there is none.

    The landmarks are drawn at random: the median error of three draws counts.
    """
    known = reference(search.table)
    for m in LANDMARKS:
        if m > search.n:
            return None, "not as accurate with every row"
        # scikit-learn holds the features, and PCA a centred copy of them.
        if 2 * 8 * search.n * m > MEMORY_SHARE * psutil.virtual_memory().available:
            return None, f"{m:,} landmarks do not fit into memory"
        method = f"Nystroem {m}"
        with Child(search.table, method, COMPONENTS, search.threads) as child:
            for seed in SEEDS:
                child.run(seed)
                # The median cannot be small enough any more.
                if sum(e > search.wanted for e in _errors(child, known)) > 1:
                    break
        error = _typical_error(child, known)
        if error <= search.wanted:
            return m, ""
        if child.seconds[0] > search.longest:
            break
    return None, f"with {m:,} landmarks {child.seconds[0]:.0f} s, error {error:.0e}"


def _errors(child: Child, known: dict[str, Any]) -> list[float]:
    exact = np.array(known["eigenvalues"])
    return [
        float(np.abs(np.array(a["eigenvalues"]) - exact).max() / exact[0])
        for a in child.answers
    ]


def _typical_error(child: Child, known: dict[str, Any]) -> float:
    return float(np.median(_errors(child, known)))


def _line(row: dict[str, Any]) -> str:
    start = (
        f"{row['case']:26}{row['threads']!s:9}{row['certificate']:13}"
        f"{written(row['ours_s']):20}{row['rank']:6}{row['error']:9.0e}"
        f"{row['bound']:9.0e}{row['reference_error']:9.0e}{row['peak_mb']:7}  "
    )
    if row["nystroem_landmarks"] is None:
        return start + row["nystroem_left_out"]
    return start + (
        f"{row['nystroem_landmarks']:5} {written(row['nystroem_s']):20}"
        f"{row['nystroem_error']:9.0e}{row['nystroem_peak_mb']:7}  "
        f"{written(row['vs_nystroem']):20}"
    )
