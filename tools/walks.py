#!/usr/bin/env python3
"""Walk at random through the settings of the window, each step against plain numpy.

usage: tools/walks.py [PICTURES] [SEED]      (2,000 pictures and seed 1000 by default)

Run it with the Python of the virtual environment. It prints what is wrong as it comes,
and at the end how many pictures there were, by solver, and how near to its bound an
eigenvalue came.
"""

import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.walks import Walk

EACH = 12
"""Steps of one walk."""


def main() -> int:
    """Walk until there are enough pictures."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    solvers: Counter[str] = Counter()
    failures, worst, widest, started = 0, 0.0, 0.0, perf_counter()
    with threadpool_limits(1, user_api="blas"):
        while solvers.total() < wanted:
            for step in Walk(seed).steps(EACH):
                solvers[step.solver] += 1
                worst = max(worst, step.ratio)
                if step.wrong:
                    failures += 1
                    words = f"{step.where} ({step.solver}): {step.wrong}"
                    print(words, flush=True)  # noqa: T201
                elif "thumbnail" not in step.where:
                    widest = max(widest, step.claimed)
            seed += 1
    found = ", ".join(f"{count:,} {name}" for name, count in solvers.most_common())
    print(  # noqa: T201
        f"{solvers.total():,} pictures ({found}) in {perf_counter() - started:.0f} s: "
        f"{failures} wrong; an error is at most {worst:.2f} of its bound's width; the "
        f"widest bound outside of thumbnails is {widest:.0e}"
    )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
