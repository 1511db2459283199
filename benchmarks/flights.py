"""An imitation of the table of flights from New York: 336,776 rows of 14 columns.

The real one comes from the network. What matters for time is kept: numbers that
follow from each other (arrival from departure, air time from distance, delays from
delays), words with 16, 3, 105 and 4,043 different ones, heavy tails, and gaps that come
together.

The same rows and the same γ for both sides: numbers only, no row with a gap.
"""

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from benchmarks.corners import Corner

ROWS = 336_776
COMPONENTS = 10
LANDMARKS = 300
SUGGESTED = 0.0128386
"""The γ that ``embed`` takes where none is given: what tells the carriers apart."""


def flights(n: int = ROWS, seed: int = 0) -> Any:
    """Return the table as a data frame."""
    import pandas as pd

    random = np.random.default_rng(seed)
    month, day = random.integers(1, 13, n), random.integers(1, 29, n)
    dest = np.minimum(random.geometric(0.035, n) - 1, 104)
    distance = np.round(np.random.default_rng(1).gamma(3, 350, 105) + 80)[dest]
    origin, carrier = random.integers(0, 3, n), random.geometric(0.22, n) - 1
    carrier = (np.minimum(carrier, 15) + dest % 3) % 16
    tail = (carrier * 251 + random.integers(0, 250, n)) % 4043
    hour = np.clip(np.round(random.normal(13, 4.6, n)), 5, 23)
    minutes = 60 * hour + random.integers(0, 60, n)
    late = np.where(random.random(n) < 0.3, random.gamma(0.8, 45, n), 0)
    dep_delay = np.round(late + random.normal(-4, 4, n))
    air_time = np.round(distance / 7.6 + 22 + random.normal(0, 9, n))
    arr_delay = np.round(dep_delay + random.normal(-6, 15, n))
    departure = (minutes + dep_delay) % 1440
    arrival = (minutes + dep_delay + air_time + random.normal(25, 8, n)) % 1440
    clock = [np.floor(t / 60) * 100 + np.floor(t % 60) for t in (departure, arrival)]
    cancelled = random.random(n) < 0.0245
    diverted = cancelled | (random.random(n) < 0.0035)
    tailnum = np.array([f"N{100 + t}{'ABCDEFGH'[t % 8]}" for t in range(4043)])[tail]
    return pd.DataFrame(
        {
            "month": month,
            "day": day,
            "dep_time": np.where(cancelled, np.nan, clock[0]),
            "dep_delay": np.where(cancelled, np.nan, dep_delay),
            "arr_time": np.where(diverted, np.nan, clock[1]),
            "arr_delay": np.where(diverted, np.nan, arr_delay),
            "carrier": np.array([f"{a}{b}" for a in "ABDF" for b in "9AELV"])[carrier],
            "tailnum": np.where(random.random(n) < 0.0075, None, tailnum),
            "flight": 1 + (tail * 17 + dest * 3) % 6500,
            "origin": np.array(["EWR", "JFK", "LGA"])[origin],
            "dest": np.array([f"D{i:02}"[-3:] for i in range(105)])[dest],
            "air_time": np.where(diverted, np.nan, air_time),
            "distance": distance,
            "hour": hour,
        }
    )


def write(folder: Path, n: int = ROWS, parts: int = 12) -> tuple[Path, Path]:
    """Write a CSV file and a folder of Parquet parts; returns both."""
    frame = flights(n)
    path, pieces = folder / "flights.csv", folder / "parts"
    pieces.mkdir()
    frame.to_csv(path, index=False)
    for number, rows in enumerate(np.array_split(np.arange(n), parts)):
        frame.iloc[rows].to_parquet(pieces / f"part-{number:02}.parquet", index=False)
    return path, pieces


def prepared(source: Path) -> Any:
    """Return the rows that ``embed`` takes by itself, standardised, shape (n, d)."""
    import pandas as pd
    from sklearn.preprocessing import StandardScaler

    if source.is_dir():
        frame = pd.concat(
            [pd.read_parquet(p) for p in sorted(source.glob("*.parquet"))]
        )
    else:
        frame = pd.read_csv(source)
    numbers = frame.select_dtypes("number").dropna()
    return StandardScaler().fit_transform(numbers.to_numpy(np.float64))


def theirs(source: Path, out: Path, gamma: float) -> None:
    """Do what a person writes who has pandas and scikit-learn."""
    import pandas as pd
    from sklearn.decomposition import PCA
    from sklearn.kernel_approximation import Nystroem

    X = prepared(source)
    features = Nystroem(gamma=gamma, n_components=LANDMARKS, random_state=0)
    scores = PCA(COMPONENTS).fit_transform(features.fit_transform(X))
    pd.DataFrame(scores).to_csv(out, index=False)


def run(
    quick: bool = False, sizes: tuple[int, ...] = (ROWS // 10, ROWS)
) -> list[dict[str, Any]]:
    """Compare whole processes, from the file to the text of the scores.

    Behind them come fits alone of the largest table, with their true errors.
    """
    # Not at the top: the peer is this module as well, and loads no more than it needs.
    from benchmarks.corners import run as compared
    from benchmarks.tables import median_gamma

    if quick:
        print(f"left out: more than {sizes[0]:,} rows, and true errors")
        sizes = sizes[:1]
    corners = []
    with TemporaryDirectory() as name:
        for rows in sizes:
            folder = Path(name, str(rows))
            folder.mkdir()
            sources = write(folder, rows)
            for source, kind in zip(sources, ("CSV", "parts"), strict=True):
                title = f"flights {rows:,} × 14, {kind}"
                corners.append(_corner(title, source, SUGGESTED))
        if not quick:
            X = prepared(sources[0])
            wide = median_gamma(X)
            title = f"{title[: -len(kind)]}CSV, median γ, tol = 1e-2"
            corners.append(_corner(title, sources[0], wide, "--tol", "1e-2"))
        found = compared(quick=quick, corners=tuple(corners))
        return found if quick else found + _errors(X, SUGGESTED) + _errors(X, wide)


def _corner(title: str, source: Path, gamma: float, *options: str) -> "Corner":
    from benchmarks.corners import PROGRAM, Corner, Sides
    from benchmarks.rounds import run_process

    def ours() -> None:
        # Parts whose scores are there already would not be computed again.
        out = Path(mkdtemp(dir=source.parent), f"scores{source.suffix}")
        given = ["--gamma", str(gamma), "--scaling", "standardise", *options]
        run_process([*PROGRAM, "embed", str(source), "--out", str(out), *given], 1)

    def theirs() -> None:
        out = source.with_name("theirs.csv")
        peer = [sys.executable, "-m", "benchmarks.flights", str(source), str(out)]
        run_process([*peer, str(gamma)], 1)

    return Corner(title, f"Nystroem({LANDMARKS}) + PCA", lambda: Sides(ours, theirs))


def _errors(X: Any, gamma: float) -> list[dict[str, Any]]:
    """Return the largest error of all eigenvalues, relative to the largest one."""
    from benchmarks.methods import fit
    from benchmarks.reference import computed
    from benchmarks.rounds import measured
    from benchmarks.spread import rounded
    from kpca_viewer.support.threads import one_blas_thread

    known = computed(X, gamma, wanted=COMPONENTS)
    exact = np.array(known["eigenvalues"])
    rows = []
    for method in ("ours tol=1e-2", "ours tol=1e-3", f"Nystroem {LANDMARKS}"):
        with one_blas_thread():
            one = measured(partial(fit, method, X, gamma, COMPONENTS))
        values, notes = one.result
        row = {
            "fit": method,
            "gamma": rounded(gamma, 3),
            "processor_s": rounded(one.processor_seconds, 3),
            "error": rounded(float(np.abs(values - exact).max() / exact[0]), 2),
            "reference_error": rounded(known["error"], 2),
            **notes,
        }
        rows.append(row)
        print("; ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    return rows


if __name__ == "__main__":
    theirs(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
