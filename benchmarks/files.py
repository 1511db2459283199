"""Opening a large CSV file, against polars where it is installed."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rounds import Measured, measured
from benchmarks.spread import paired_ratio, spread, written

COLUMNS = 10


def run(quick: bool = False, rows: int = 0, rounds: int = 5) -> list[dict[str, Any]]:
    """Open files of numbers as the window does, and as polars reads them into numpy.

    Returns
    -------
    list of dict
        One row for each file: the spreads of time by clock and processor.
    """
    rows = rows or (200_000 if quick else 1_000_000)
    print(
        f"\nOpening a CSV file of {rows:,} × {COLUMNS} numbers; s, median (quartiles)"
    )
    if quick:
        print("left out: 1,000,000 rows")
    readers = _readers()
    if len(readers) == 1:
        print("polars is not installed (pip install polars)")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for title, digits in (("6 decimals", 6), ("all digits", 17)):
            path = Path(folder, "numbers.csv")
            _write(path, rows, digits)
            found.append(_compare(title, path, readers, rounds))
    return found


def _write(path: Path, rows: int, digits: int) -> None:
    X = np.random.default_rng(0).normal(size=(rows, COLUMNS))
    form = f"%.{digits}f" if digits < 17 else "%.17g"
    names = ",".join(f"x{j}" for j in range(COLUMNS))
    np.savetxt(path, X, form, ",", header=names, comments="")


def _readers() -> dict[str, Callable[[Path], Any]]:
    readers: dict[str, Callable[[Path], Any]] = {"ours": _ours}
    try:
        import polars
    except ImportError:
        return readers

    readers["polars, rows together"] = lambda path: np.ascontiguousarray(
        polars.read_csv(path).to_numpy()
    )
    readers["polars, columns together"] = lambda path: polars.read_csv(path).to_numpy()
    return readers


def _ours(path: Path) -> Any:
    from kpca_viewer.data.files import read_table
    from kpca_viewer.data.importing import guess_import, to_dataset

    table = read_table(path)
    return to_dataset(table, guess_import(table)).points


def _compare(
    title: str, path: Path, readers: dict[str, Callable[[Path], Any]], rounds: int
) -> dict[str, Any]:
    times: dict[str, list[Measured]] = {name: [] for name in readers}
    # The first round reads the file from the disk and loads the libraries.
    for number in range(rounds + 1):
        for name, read in readers.items():
            run = measured(lambda read=read: read(path))
            if number:
                times[name].append(run._replace(result=None))
    row: dict[str, Any] = {
        "case": title,
        "megabytes": round(path.stat().st_size / 1e6),
    }
    for name, runs in times.items():
        wall, worked = (
            [r.seconds for r in runs],
            [r.processor_seconds for r in runs],
        )
        row[name] = {"wall_s": spread(wall), "processor_s": spread(worked)}
        against = ""
        if name != "ours":
            ratio = paired_ratio([r.processor_seconds for r in times["ours"]], worked)
            row[name]["ours_takes"] = ratio
            against = f"ours takes {written(ratio)} × its processor time"
        print(
            f"{title:12}{name:26}{written(spread(wall)):24}processor "
            f"{written(spread(worked)):24}{against}",
            flush=True,
        )
    return row
