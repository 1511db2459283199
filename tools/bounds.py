#!/usr/bin/env python3
"""Compare bounds on eigenvalues, directions and scores with the true ones, at random.

usage: tools/bounds.py [CASES] [SEED]      (10,000 cases from seed 0 by default)

Run it with the Python of the virtual environment. It prints what is wrong as it comes,
and at the end how many cases there were, by method, with the widest bound and the worst
residual of an eigenvector.
"""

import sys
from collections import defaultdict
from pathlib import Path
from time import perf_counter

from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.bounds import Case, random_case


def main() -> int:
    """Take so many cases, one after the other."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    cases: dict[str, list[Case]] = defaultdict(list)
    failures, started = 0, perf_counter()
    with threadpool_limits(1, user_api="blas"):
        while sum(map(len, cases.values())) < wanted:
            case = random_case(seed)
            seed += 1
            if case is None:
                continue
            cases[case.method].append(case)
            for beyond, what in (
                (case.beyond, "an eigenvalue"),
                (case.beyond_angle, "a direction or its scores"),
            ):
                if beyond > 0:
                    failures += 1
                    words = f"{case.where} ({case.method}): {what} {beyond:.1e} beyond"
                    print(words, flush=True)  # noqa: T201
    for method, group in sorted(cases.items()):
        widest = max(case.claimed for case in group)
        worst = max(case.residual for case in group)
        print(  # noqa: T201
            f"{len(group):,} by {method}: widest bound {widest:.0e}, worst residual "
            f"{worst:.0e}, {sum(case.told for case in group):,} bounded directions"
        )
    print(  # noqa: T201
        f"{wanted:,} cases in {perf_counter() - started:.0f} s: {failures} wrong"
    )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
