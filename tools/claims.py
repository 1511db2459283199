"""How often every claim is made where it is false, and where it is true.

usage: python tools/claims.py [DRAWS] [WORDS …]   (200 draws; only cases with all WORDS)
"""

import importlib
import pkgutil
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import claim_cases
from claim_cases import Case

FALSE_AT_MOST, TRUE_AT_LEAST = 0.05, 0.80


def all_cases() -> list[Case]:
    """Return the cases of all modules beside this one."""
    modules = sorted(found.name for found in pkgutil.iter_modules(claim_cases.__path__))
    return [
        case
        for name in modules
        for case in importlib.import_module(f"claim_cases.{name}").CASES
    ]


def count(case: Case, draws: int) -> int:
    """Return of how many draws the claim is made."""
    seeds = np.random.SeedSequence(25).spawn(draws)
    return sum(bool(case.is_made(np.random.default_rng(seed))) for seed in seeds)


def interval(made: int, draws: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for a share."""
    z, share = 1.96, made / draws
    middle = (share + z * z / (2 * draws)) / (1 + z * z / draws)
    half = z * np.sqrt(share * (1 - share) / draws + (z / (2 * draws)) ** 2)
    half /= 1 + z * z / draws
    return middle - half, middle + half


def main() -> int:
    """Print a table; 1 where a rate is outside of what it has to be."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    words = sys.argv[2:]
    wrong = 0
    print("| claim | data | true | made | 95 % interval |\n|---|---|---|---|---|")
    for case in all_cases():
        if not all(word in f"{case.claim} {case.data}" for word in words):
            continue
        made = count(case, draws)
        low, high = interval(made, draws)
        share = made / draws
        is_wrong = share < TRUE_AT_LEAST if case.is_true else share > FALSE_AT_MOST
        wrong += is_wrong
        print(
            f"| {case.claim} | {case.data} | {'yes' if case.is_true else 'no'} | "
            f"{made} of {draws}{' ✗' if is_wrong else ''} | "
            f"{100 * low:.1f} … {100 * high:.1f} % |",
            flush=True,
        )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
