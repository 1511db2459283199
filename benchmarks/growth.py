"""How our time grows with the number of rows, for a smooth kernel."""

from typing import Any

import numpy as np

from benchmarks.methods import fit
from benchmarks.rounds import Measured, measured
from benchmarks.spread import rounded, spread, written
from benchmarks.tables import circles
from kpca_viewer.support.threads import one_blas_thread

SIZES = (2000, 5000, 10_000, 20_000, 50_000, 100_000)
GAMMA, COMPONENTS = 10.0, 10


def run(
    quick: bool = False, sizes: tuple[int, ...] = SIZES, rounds: int = 5
) -> dict[str, Any]:
    """Fit circles of every size in turn, on one BLAS thread.

    Returns
    -------
    dict
        ``sizes``, ``seconds`` of each, and the ``exponent`` of processor time in n with
        its spread over the rounds.
    """
    if quick:
        sizes, rounds = sizes[:4], 3
    print("\nGrowth with n: circles, bound 1e-6, one BLAS thread; ms of processor time")
    if quick:
        print(f"left out: n > {sizes[-1]:,}")
    tables = [circles(n) for n in sizes]
    runs: list[list[Measured]] = []
    with one_blas_thread():
        fit("ours", tables[0], GAMMA, COMPONENTS)
        for _ in range(rounds):
            runs.append(
                [
                    measured(lambda X=X: fit("ours", X, GAMMA, COMPONENTS))
                    for X in tables
                ]
            )
    worked = np.array([[one.processor_seconds for one in row] for row in runs])
    exponents = [float(np.polyfit(np.log(sizes), np.log(row), 1)[0]) for row in worked]
    for n, times in zip(sizes, worked.T, strict=True):
        print(f"{n:>10,}  {written(spread(times.tolist()), 1e3)}")
    print(f"time grows as n to the power of {written(spread(exponents))}", flush=True)
    return {
        "sizes": list(sizes),
        "processor_s": [spread(times.tolist()) for times in worked.T],
        "wall_s": rounded(
            np.median([[one.seconds for one in row] for row in runs], axis=0).tolist()
        ),
        "exponent": spread(exponents),
    }
