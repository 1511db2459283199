"""Run the parts, print their tables, write ``benchmarks/results.json``.

``make bench`` runs everything, ``make bench ARGS=quick`` less (two minutes), ``make
bench ARGS="large files"`` parts by name, ``make bench ARGS="quick trace"`` both.
``make bench ARGS=table`` runs nothing and prints tables of what is kept as Markdown.
"""

import argparse
import inspect
import json
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from benchmarks.markdown import tables
from benchmarks.spread import rounded

RESULTS = Path(__file__).with_name("results.json")
PARTS = (
    "corners",
    "compare",
    "large",
    "stream",
    "growth",
    "meaning",
    "gains",
    "drawing",
    "sweep",
    "choose",
    "flights",
    "trace",
    "waits",
    "stalls",
    "files",
    "peers",
)
NOT_QUICK = {
    "flights": "whole processes read large files",
    "stream": "it takes more than a minute",
    "stalls": "it drags for more than half a minute",
    "meaning": "it measures errors, not time",
    "gains": "it measures errors, not time",
    "sweep": "it takes more than a minute",
    "peers": "mlpack and kernlab take minutes",
}
"""Parts that the quick mode leaves out unless they are asked for, and why."""

WHOLE: dict[str, tuple[dict[str, Any], str]] = {
    "large": (
        {
            "tables": (
                "circles 20,000 × 2",
                "circles 100,000 × 2",
                "Swiss roll 20,000 × 3",
                "Swiss roll 200,000 × 3",
            )
        },
        "a million rows, which corners has; tables that take minutes to prove",
    ),
    "stream": ({"sizes": (100_000, 1_000_000)}, "10,000,000 rows"),
    "sweep": ({"names": ("gamma",)}, "other parameters than γ, the film"),
}
"""What a run of all parts measures of some, and what it leaves out of them."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "pyqtgraph", "pyarrow", "polars")


def main(
    arguments: list[str] | None = None,
    results: Path = RESULTS,
    sizes: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> None:
    """Run what is asked for.

    Parameters
    ----------
    arguments : list of str, optional
        By default those of the command line.
    results : Path
        The file that keeps the results; those of other parts stay in it.
    sizes : mapping of str to mapping
        Arguments of parts by their name, for sizes other than the usual ones.
    """
    wanted = _arguments(arguments)
    kept = json.loads(results.read_text()) if results.exists() else {}
    mode = "quick" if wanted.quick else "full"
    if wanted.table:
        print(tables(kept.get(mode, {})))
        return
    for name in wanted.parts or _parts(wanted.quick):
        started = perf_counter()
        of_part: Mapping[str, Any] = sizes.get(name, {})
        if name in WHOLE and not (wanted.quick or wanted.parts):
            less, what = WHOLE[name]
            of_part = {**less, **of_part}
            print(f"\nleft out of {name}: {what}; it runs whole by its name")
        found = _run(name, wanted, of_part)
        kept.setdefault(mode, {})[name] = {
            **_circumstances(),
            "seconds": round(perf_counter() - started, 1),
            "results": found,
        }
        results.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    print(f"\nwritten to {os.path.relpath(results)}")


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description=__doc__)
    words = "quick", "table", *PARTS
    parser.add_argument("words", nargs="*", help=", ".join(words))
    parser.add_argument("--only", default="", help="corners with this in their name")
    parser.add_argument("--runs", type=int, default=0, help="of stalls")
    parser.add_argument(
        "--busy", action="store_true", help="stalls beside a busy process"
    )
    found = parser.parse_args(arguments)
    # As choices, argparse of Python 3.11 would refuse no word at all.
    if unknown := set(found.words) - set(words):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    found.quick, found.table = "quick" in found.words, "table" in found.words
    found.parts = [name for name in PARTS if name in found.words]
    return found


def _parts(quick: bool) -> list[str]:
    if quick:
        for name, why in NOT_QUICK.items():
            print(f"left out: {name}, for {why}; it runs by its name")
    return [name for name in PARTS if not (quick and name in NOT_QUICK)]


def _run(name: str, wanted: argparse.Namespace, sizes: Mapping[str, Any]) -> Any:
    run = import_module(f"benchmarks.{name}").run
    known = inspect.signature(run).parameters
    options = vars(wanted)
    options = {key: value for key, value in options.items() if key in known}
    found = run(**options, **sizes)
    if name == "sweep":
        print("\nSweep with its strip drawn, against a loop over scikit-learn")
        print(json.dumps(found, indent=1, default=str, ensure_ascii=False), flush=True)
    return found


def _circumstances() -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "cores": os.cpu_count(),
        "load": rounded(os.getloadavg()[0], 2),
        "processor": platform.machine(),
        "python": platform.python_version(),
        **{name: told for name in LIBRARIES if (told := _version(name))},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    main()
