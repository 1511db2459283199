"""Opening large CSV files, against polars where it is installed, and a workbook."""

import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.rounds import Measured, measured
from benchmarks.spread import paired_ratio, spread, written

COLUMNS = 10

Readers = dict[str, Callable[[Path], Any]]


def run(quick: bool = False, rows: int = 0, rounds: int = 5) -> list[dict[str, Any]]:
    """Open files as the window does, and as polars or calamine reads them.

    Returns
    -------
    list of dict
        One row for each file: the spreads of time by clock and processor.
    """
    rows = rows or (200_000 if quick else 1_000_000)
    print(f"\nOpening CSV files of {rows:,} × {COLUMNS}; s, median (quartiles)")
    if quick:
        print("left out: 1,000,000 rows")
    if not _has_polars():
        print("polars is not installed (pip install polars)")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        for title, digits in (("6 decimals", 6), ("all digits", 17)):
            _write(path, rows, digits)
            found.append(_compare(title, path, _readers_of_numbers(), rounds))
        _write_mixed(path, rows)
        found.append(_compare("words, gaps", path, _readers_of_words(), rounds))
        path = Path(folder, "sheet.xlsx")
        _write_sheet(path)
        peers = {"ours": _ours, "calamine": _by_calamine}
        found.append(_compare("20,000 × 20", path, peers, rounds))
    return found


def _write(path: Path, rows: int, digits: int) -> None:
    X = np.random.default_rng(0).normal(size=(rows, COLUMNS))
    form = f"%.{digits}f" if digits < 17 else "%.17g"
    names = ",".join(f"x{j}" for j in range(COLUMNS))
    np.savetxt(path, X, form, ",", header=names, comments="")


def _write_mixed(path: Path, rows: int) -> None:
    """Write six columns of numbers, three of few words and one of 20,000; half gaps."""
    random = np.random.default_rng(0)

    def words(count: int, form: str) -> NDArray[Any]:
        return np.array([form % k for k in range(count)])[
            random.integers(count, size=rows)
        ]

    def numbers() -> NDArray[Any]:
        return np.char.mod("%.6f", random.normal(size=rows))

    prices = np.char.mod("%.2f", 100 * random.gamma(2, size=rows))
    counts = random.integers(0, 1000, rows).astype(str)
    columns = [
        *((numbers(), 0.0), (numbers(), 0.03), (prices, 0.1), (counts, 0.0)),
        *((numbers(), 0.01), (numbers(), 0.0), (words(4, "region %d"), 0.0)),
        *((words(12, "kind %d"), 0.05), (words(20_000, "town of %05d"), 0.02)),
        (words(3, "answer %d"), 0.0),
    ]
    cells = [
        np.where(random.random(rows) < gaps, "", column).tolist()
        for column, gaps in columns
    ]
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"x{j}" for j in range(COLUMNS)) + "\n")
        file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def _write_sheet(path: Path, rows: int = 20_000, columns: int = 20) -> None:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append([f"x{j}" for j in range(columns)])
    for row in np.random.default_rng(0).normal(size=(rows, columns)).tolist():
        sheet.append(row)
    book.save(path)


def _has_polars() -> bool:
    return find_spec("polars") is not None


def _readers_of_numbers() -> Readers:
    if not _has_polars():
        return {"ours": _ours}
    import polars

    return {
        "ours": _ours,
        "polars, rows together": lambda path: np.ascontiguousarray(
            polars.read_csv(path).to_numpy()
        ),
        "polars, columns together": lambda path: polars.read_csv(path).to_numpy(),
    }


def _readers_of_words() -> Readers:
    if not _has_polars():
        return {"ours": _ours}
    import polars

    def converted(column: Any) -> Any:
        """Return numbers with NaN, or codes and the words that they stand for."""
        if column.dtype != polars.String:
            return column.cast(polars.Float64).to_numpy()
        # Quicker than by a type of polars itself.
        coded = column.to_arrow().dictionary_encode()
        return coded.indices.fill_null(-1).to_numpy(), coded.dictionary.to_pylist()

    def read(path: Path) -> Any:
        return [converted(column) for column in polars.read_csv(path)]

    return {"ours": _ours, "polars, columns converted": read}


def _by_calamine(path: Path) -> Any:
    from python_calamine import CalamineWorkbook

    return CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()


def _ours(path: Path) -> Any:
    from kpca_viewer.data.files import read_table
    from kpca_viewer.data.importing import guess_import, to_dataset

    table = read_table(path)
    return to_dataset(table, guess_import(table))


def _compare(title: str, path: Path, readers: Readers, rounds: int) -> dict[str, Any]:
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
