"""Rows in parts: one pass with a bound, against Nystroem + IncrementalPCA in blocks.

Everything has one BLAS thread, and processor time is compared. The accuracy is the true
one: the largest error of the three leading eigenvalues relative to the largest, against
the same eigenvalues with a far tighter bound. Nystroem gets the smallest number of
landmarks with which it is as accurate as ours on the smallest table.

The largest size is ours alone, once: it shows how time and memory grow. Nystroem would
take minutes there, and a reference another one; the bound is known in any case.
"""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks import stream_methods, stream_workers
from benchmarks.rounds import Child, Here, in_turn
from benchmarks.spread import paired_ratio, rounded, spread, written
from benchmarks.stream_methods import TOLERANCE
from benchmarks.stream_tables import STREAMED

COMPONENTS = 3
SIZES = 100_000, 1_000_000, 10_000_000
LANDMARKS = 200, 300, 400, 600, 800
SEEDS = 0, 1, 2
MOST_COMPARED = 1_000_000
"""Rows beyond which nothing but ours runs."""
PATIENCE = 10.0
"""Seconds of a method after which it runs no more."""
OURS = "parquet", "array", "blocks"
MakeChild = Callable[[str], Child]
PROCESSES = 1, 2


def run(
    quick: bool = False,
    sizes: tuple[int, ...] = SIZES,
    tables: tuple[str, ...] = tuple(STREAMED),
    rounds: int = 3,
    apart: bool = True,
) -> list[dict[str, Any]]:
    """Compare on every table in every size.

    Parameters
    ----------
    apart : bool
        In processes of their own; memory is measured only there.

    Returns
    -------
    list of dict
        One row for each table.
    """
    print(
        f"\nRows in Parquet parts, {COMPONENTS} components, bound {TOLERANCE:g}, "
        "against Nystroem(m) + IncrementalPCA as accurate on the smallest table\n"
        "s of processor time, one BLAS thread; errors relative to the largest "
        "eigenvalue"
    )
    if quick:
        sizes, tables = sizes[:1], tables[:1]
        print(f"left out: n > {sizes[-1]:,}, all tables but {tables[0]}")
    print(
        f"{'table':14}{'n':>12}{'rank':>6}{'parquet':>22}{'array':>22}{'blocks':>22}"
        f"{'MB':>7}{'array MB':>10}{'error':>9}{'bound':>9}{'ref ±':>9}{'m':>6}"
        f"{'Nystroem':>22}{'error':>9}{'MB':>7}{'×':>20}"
        f"{'1 : 2 workers':>15}{'bytes a block':>15}"
    )
    return [_of_table(name, sizes, rounds, apart) for name in tables]


def _of_table(
    name: str, sizes: tuple[int, ...], rounds: int, apart: bool
) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    count: int | None = None
    for n in sizes:
        with TemporaryDirectory() as scratch:
            folder = Path(scratch) / f"{name}-{n}"
            STREAMED[name].write(n, folder)
            child = partial(_child if apart else _here, folder)
            if n > MOST_COMPARED:
                row = {"n": n, **_ours(child)}
            else:
                known = _reference(name, child)
                if not rows:
                    count = _landmarks(child, known)
                row = {"n": n, **_compared(child, known, count, rounds)}
                # Where one run takes long, workers are not asked more often.
                again = row["vs_nystroem"]["runs"]
                row |= stream_workers.compare(
                    folder, COMPONENTS, again, PROCESSES, apart
                )
        rows.append(row)
        print(f"{name:14}{_line(row)}", flush=True)
    found: dict[str, Any] = {"table": name, "landmarks": count, "sizes": rows}
    if len(sizes) > 1:
        found["exponents"] = {kind: _exponent(rows, kind) for kind in OURS}
        told = ", ".join(f"{k} {v:.3f}" for k, v in found["exponents"].items())
        print(f"time grows as n to the power of: {told}", flush=True)
    return found


def _child(folder: Path, method: str) -> Child:
    return Child(str(folder), method, COMPONENTS, 1, module="benchmarks.stream_methods")


def _here(folder: Path, method: str) -> Child:
    return Here(stream_methods.method(method, folder, COMPONENTS))


def _reference(name: str, child: MakeChild) -> dict[str, Any]:
    with child(f"parquet {STREAMED[name].reference}") as one:
        return one.run()


def _error(answer: dict[str, Any], known: dict[str, Any]) -> float:
    exact = np.array(known["eigenvalues"])
    return float(np.abs(answer["eigenvalues"] - exact).max() / exact[0])


def _landmarks(child: MakeChild, known: dict[str, Any]) -> int | None:
    """Return how many Nystroem needs; None if none of `LANDMARKS` is enough."""
    with child("parquet") as one:
        # No difference below what the reference knows counts.
        wanted = max(_error(one.run(), known), known["bound"])
    for count in LANDMARKS:
        with child(f"Nystroem {count}") as one:
            errors = [_error(one.run(seed), known) for seed in SEEDS]
        if np.median(errors) <= wanted:
            return count
    return None


def _ours(child: MakeChild) -> dict[str, Any]:
    """Run each of ours once, one after another: only one holds an array at a time."""
    children = {}
    for method in OURS:
        with child(method) as children[method]:
            children[method].run()
    return _told(children)


def _told(children: dict[str, Child]) -> dict[str, Any]:
    parquet = children["parquet"]
    return {
        "rank": parquet.answers[-1]["rank"],
        "passes": parquet.answers[-1]["passes"],
        "bound": rounded(parquet.answers[-1]["bound"], 2),
        "processor_s": {k: spread(children[k].processor_seconds) for k in OURS},
        "peak_mb": {k: round(children[k].answers[-1]["peak_mb"]) for k in OURS},
    }


def _compared(
    child: MakeChild, known: dict[str, Any], count: int | None, rounds: int
) -> dict[str, Any]:
    theirs = f"Nystroem {count or LANDMARKS[-1]}"
    with ExitStack() as stack:
        children = {
            method: stack.enter_context(child(method)) for method in (*OURS, theirs)
        }
        in_turn(list(children.values()), rounds, PATIENCE)
    parquet, nystroem = children["parquet"], children[theirs]
    return _told(children) | {
        "error": rounded(_error(parquet.answers[0], known), 2),
        "reference_error": rounded(known["bound"], 2),
        "nystroem_landmarks": count,
        "nystroem_s": spread(nystroem.processor_seconds),
        "nystroem_error": rounded(_error(nystroem.answers[0], known), 2),
        "nystroem_peak_mb": round(nystroem.answers[-1]["peak_mb"]),
        "vs_nystroem": paired_ratio(
            nystroem.processor_seconds, parquet.processor_seconds
        ),
    }


def _exponent(rows: list[dict[str, Any]], kind: str) -> float:
    times = [row["processor_s"][kind]["median"] for row in rows]
    slope = np.polyfit(np.log([row["n"] for row in rows]), np.log(times), 1)[0]
    return float(rounded(float(slope), 3))


def _line(row: dict[str, Any]) -> str:
    times = "".join(f"{written(row['processor_s'][kind]):>22}" for kind in OURS)
    start = (
        f"{row['n']:12,}{row['rank']:6}{times}{row['peak_mb']['parquet']:7}"
        f"{row['peak_mb']['array']:10}"
    )
    if "error" not in row:
        return f"{start}{'':9}{row['bound']:9.0e}  the others are left out"
    least = row["nystroem_landmarks"] or f">{LANDMARKS[-1]}"
    return start + (
        f"{row['error']:9.0e}{row['bound']:9.0e}{row['reference_error']:9.0e}"
        f"{least:>6}{written(row['nystroem_s']):>22}{row['nystroem_error']:9.0e}"
        f"{row['nystroem_peak_mb']:7}{written(row['vs_nystroem']):>20}"
        f"{row['speed_up_processor']['median']:15}{row['bytes_a_block']:15,.0f}"
    )
