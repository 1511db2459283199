"""How our time grows with the number of rows, for a smooth kernel.

Few rows to the default tolerance, by a factor in memory; many to three digits, by one
pass over them.
"""

from typing import Any, NamedTuple

import numpy as np

from benchmarks.methods import fit
from benchmarks.rounds import Measured, measured
from benchmarks.spread import rounded, spread, written
from benchmarks.tables import circles
from kpca_viewer.support.threads import one_blas_thread

GAMMA, COMPONENTS = 10.0, 10
MOST_ROWS = 10_000_000
"""Of all rounds of one size: the largest one is fitted once."""


class Range(NamedTuple):
    """Sizes that are worked on in the same way."""

    method: str
    sizes: tuple[int, ...]


FEW = Range("ours", (2000, 5000, 10_000, 20_000, 50_000, 100_000))
MANY = Range("ours tol=1e-3", (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000))


def run(
    quick: bool = False, sizes: tuple[int, ...] = (), rounds: int = 5
) -> dict[str, Any]:
    """Fit circles of every size in turn, on one BLAS thread.

    Parameters
    ----------
    sizes : tuple of int
        Of few rows, in place of the usual ones.

    Returns
    -------
    dict
        ``few`` and, but for the quick mode, ``many``: what `grown` returns.
    """
    print("\nGrowth with n: circles, one BLAS thread; ms of processor time")
    if quick:
        few = FEW._replace(sizes=sizes or FEW.sizes[:4])
        print(f"left out: n > {few.sizes[-1]:,}")
        return {"few": grown(few, min(rounds, 3))}
    few = FEW._replace(sizes=sizes or FEW.sizes)
    return {"few": grown(few, rounds), "many": grown(MANY, rounds)}


def grown(asked: Range, rounds: int) -> dict[str, Any]:
    """Measure one range.

    Returns
    -------
    dict
        ``sizes``, times and rank of each, and the ``exponent`` of processor time in n:
        of every step to the next size (``steps``), and of all of them.
    """
    sizes = asked.sizes
    tables = [circles(n) for n in sizes]
    runs: list[list[Measured]] = [[] for _ in sizes]
    with one_blas_thread():
        fit(asked.method, tables[0], GAMMA, COMPONENTS)
        for number in range(rounds):
            for X, told in zip(tables, runs, strict=True):
                if number == 0 or (number + 1) * len(X) <= MOST_ROWS:
                    told.append(
                        measured(lambda X=X: fit(asked.method, X, GAMMA, COMPONENTS))
                    )
    worked = [[one.processor_seconds for one in told] for told in runs]
    times = np.log([np.median(each) for each in worked])
    steps = (np.diff(times) / np.diff(np.log(sizes))).tolist()
    exponent = float(np.polyfit(np.log(sizes), times, 1)[0])
    ranks = [told[0].result[1]["rank"] for told in runs]
    print(f"{asked.method:>14}  {'ms':24}{'rank':>6}{'exponent':>10}")
    for n, each, rank, step in zip(sizes, worked, ranks, [None, *steps], strict=True):
        told = "" if step is None else f"{step:10.2f}"
        print(f"{n:>14,}  {written(spread(each), 1e3):24}{rank:>6}{told}")
    print(f"time grows as n to the power of {exponent:.2f}", flush=True)
    return {
        "sizes": list(sizes),
        "ranks": ranks,
        "processor_s": [spread(each) for each in worked],
        "wall_s": rounded(
            [float(np.median([one.seconds for one in told])) for told in runs]
        ),
        "steps": rounded(steps, 3),
        "exponent": rounded(exponent, 3),
    }
