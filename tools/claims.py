"""How often every claim is made where it is false, and where it is true.

usage: python tools/claims.py [DRAWS] [WORDS …] [--keep FILE] [--processes N]

200 draws of all cases, or of those with all WORDS; `--keep` saves what every draw gave
and goes on from there when it is called again.
"""

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import claim_cases
from claim_cases import Case

FALSE_AT_MOST, TRUE_AT_LEAST = 0.05, 0.80
SEED = 25

Kept = dict[str, dict[str, bool]]
"""Whether the claim was made, by the name of a case and the number of a draw."""


def all_cases() -> list[Case]:
    modules = sorted(found.name for found in pkgutil.iter_modules(claim_cases.__path__))
    return [
        case
        for name in modules
        for case in importlib.import_module(f"claim_cases.{name}").CASES
    ]


def is_made(task: tuple[str, int]) -> bool:
    """Return whether the claim of a case is made in one draw."""
    name, draw = task
    case = next(case for case in all_cases() if case.name == name)
    seed = np.random.SeedSequence(SEED, spawn_key=(draw,))
    return bool(case.is_made(np.random.default_rng(seed)))


def count(case: Case, draws: int) -> int:
    """Return of how many draws the claim is made."""
    return sum(is_made((case.name, draw)) for draw in range(draws))


def run(tasks: list[tuple[str, int]], processes: int) -> Iterator[bool]:
    if processes == 1:
        yield from map(is_made, tasks)
        return
    with Pool(processes) as pool:
        yield from pool.imap(is_made, tasks)


def interval(made: int, draws: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for a share."""
    z, share = 1.96, made / draws
    middle = (share + z * z / (2 * draws)) / (1 + z * z / draws)
    half = z * np.sqrt(share * (1 - share) / draws + (z / (2 * draws)) ** 2)
    half /= 1 + z * z / draws
    return max(middle - half, 0.0), min(middle + half, 1.0)


def row(case: Case, made: int, draws: int) -> tuple[str, bool]:
    """Return a line of the table, and whether its rate misses its bound."""
    low, high = interval(made, draws)
    share = made / draws
    is_wrong = share < TRUE_AT_LEAST if case.is_true else share > FALSE_AT_MOST
    text = (
        f"| {case.claim} | {case.data} | {'yes' if case.is_true else 'no'} | "
        f"{made} of {draws}{' ✗' if is_wrong else ''} | "
        f"{100 * low:.1f} … {100 * high:.1f} % |"
    )
    return text, is_wrong


def main() -> int:
    """Print a table; 1 where a rate is outside of what it has to be."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("draws", nargs="?", type=int, default=200)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    cases = [
        case
        for case in all_cases()
        if all(word in f"{case.claim} {case.data}" for word in options.words)
    ]
    kept: Kept = {}
    if options.keep and options.keep.exists():
        kept = json.loads(options.keep.read_text())
    tasks = [
        (case.name, draw)
        # Draw by draw: whoever stops has as many of all cases.
        for draw in range(options.draws)
        for case in cases
        if str(draw) not in kept.get(case.name, {})
    ]
    for (name, draw), made in zip(tasks, run(tasks, options.processes), strict=True):
        kept.setdefault(name, {})[str(draw)] = made
        if options.keep:
            options.keep.write_text(json.dumps(kept))
    print("| claim | data | true | made | 95 % interval |\n|---|---|---|---|---|")
    wrong = False
    for case in cases:
        made = [kept[case.name][str(draw)] for draw in range(options.draws)]
        text, is_wrong = row(case, sum(made), options.draws)
        wrong |= is_wrong
        print(text)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
