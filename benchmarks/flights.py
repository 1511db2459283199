"""An imitation of the table of flights from New York: 336,776 rows of 14 columns.

The real one comes from the network. What matters for time is kept: numbers that
follow from each other (arrival from departure, air time from distance, delays from
delays), words with 16, 3, 105 and 4,043 different ones, heavy tails, and gaps that come
together.

``python -m benchmarks.flights`` compares ``kpca-viewer embed`` with what a person
writes who has pandas and scikit-learn, whole processes with their reading and writing,
and says what error the eigenvalues of both really have.
"""

import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import numpy as np

from benchmarks.methods import fit
from benchmarks.rounds import ROOT, THREADS, measured
from benchmarks.spread import paired_ratio, rounded, spread, written
from benchmarks.tables import median_gamma

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


def prepared(source: Path, *, alike: bool = False) -> Any:
    """Return the rows as columns of numbers, standardised, shape (n, d).

    Gaps become the median or the most frequent word, words of up to 20 kinds columns of
    their own.

    Parameters
    ----------
    alike : bool
        As ours are by default: numbers only, and no row with a gap.
    """
    import pandas as pd
    from sklearn.preprocessing import StandardScaler

    if source.is_dir():
        frame = pd.concat(
            [pd.read_parquet(p) for p in sorted(source.glob("*.parquet"))]
        )
    else:
        frame = pd.read_csv(source)
    numbers = frame.select_dtypes("number")
    if alike:
        table = numbers.dropna()
    else:
        words = [c for c in frame if c not in numbers and frame[c].nunique() <= 20]
        filled = numbers.fillna(numbers.median())
        table = pd.concat([filled, pd.get_dummies(frame[words])], axis=1)
    return StandardScaler().fit_transform(table.to_numpy(np.float64))


def theirs(source: Path, out: Path, *, alike: bool = False, gamma: float = 0.0) -> None:
    """Do what a person writes who has pandas and scikit-learn.

    Without a γ it is the median rule of 2,000 rows.
    """
    import pandas as pd
    from sklearn.decomposition import PCA
    from sklearn.kernel_approximation import Nystroem

    X = prepared(source, alike=alike)
    gamma = gamma or median_gamma(X)
    features = Nystroem(gamma=gamma, n_components=LANDMARKS, random_state=0)
    scores = PCA(COMPONENTS).fit_transform(features.fit_transform(X))
    pd.DataFrame(scores).to_csv(out, index=False)


def run(rounds: int = 3, folder: Path | None = None) -> dict[str, Any]:
    """Compare whole processes in turn, then the eigenvalues with a reference.

    Processor time of the user and of the system, one BLAS thread. Both sides get the
    same rows and the same γ, once the one of `SUGGESTED` and once theirs.

    Parameters
    ----------
    folder : Path, optional
        Where the tables are kept; by default they are made anew.
    """
    with TemporaryDirectory() as scratch:
        place = folder or Path(scratch)
        sources = place / "flights.csv", place / "parts"
        if not sources[0].exists():
            sources = write(place)
        return _compared(sources, Path(scratch), rounds)


def _compared(sources: tuple[Path, Path], out: Path, rounds: int) -> dict[str, Any]:
    X = prepared(sources[0], alike=True)
    rules = {
        "suggested by embed": SUGGESTED,
        "median rule": median_gamma(X),
    }
    results: dict[str, Any] = {}
    for rule, gamma in rules.items():
        print(f"\nflights, {len(X):,} rows × {X.shape[1]}, γ = {gamma:.4g} ({rule})")
        for source in sources:
            # To three digits the median rule takes ours a minute.
            told = _in_turn(source, out, gamma, rounds if gamma == SUGGESTED else 1)
            print(f"{source.name:12} ours {written(told['ours_s'])} s")
            print(f"{'':12} theirs {written(told['theirs_s'])} s")
            print(f"{'':12} × {written(told['ratio'])}", flush=True)
            results[f"{source.name}, {rule}"] = told
        results[rule] = _errors(X, gamma)
    return results


def _in_turn(source: Path, out: Path, gamma: float, rounds: int) -> dict[str, Any]:
    ours: list[float] = []
    others: list[float] = []
    options = ["--gamma", repr(gamma), "--scaling", "standardise", "--quiet"]
    for _ in range(rounds):
        # What is there already would not be computed again.
        scores = Path(mkdtemp(dir=out)) / f"scores{source.suffix}"
        ours.append(_spent("kpca_viewer", "embed", source, "--out", scores, *options))
        others.append(_spent("benchmarks.flights", source, out / "t.csv", gamma))
    ratio = paired_ratio(others, ours)
    return {"ours_s": spread(ours), "theirs_s": spread(others), "ratio": ratio}


def _spent(module: str, *arguments: object) -> float:
    """Run a process to its end; returns its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        check=True,
        cwd=ROOT,
        env=os.environ | dict.fromkeys(THREADS, "1"),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _errors(X: Any, gamma: float) -> dict[str, Any]:
    """Fit alone: processor time, and the largest error of all eigenvalues.

    Relative to the largest eigenvalue, against the reference; ours to the tolerance of
    ``embed`` and to one that is ten times looser.
    """
    from benchmarks.reference import computed

    known = computed(X, gamma, wanted=COMPONENTS)
    exact = np.array(known["eigenvalues"])
    told = {"reference": known["error"]}
    for method in ("ours tol=1e-2", "ours tol=1e-3", f"Nystroem {LANDMARKS}"):
        one = measured(lambda method=method: fit(method, X, gamma, COMPONENTS))
        values, notes = one.result
        error = float(np.abs(values - exact).max() / exact[0])
        told[method] = {
            "processor_s": rounded(one.processor_seconds, 3),
            "error": rounded(error, 2),
            **notes,
        }
        print(f"{method}: {told[method]}; reference ± {known['error']}", flush=True)
    return told


def run(
    quick: bool = False, sizes: tuple[int, ...] = (ROWS // 10, ROWS)
) -> list[dict[str, Any]]:
    """Compare whole processes, from the file to the text of the scores."""
    from benchmarks.corners import Corner
    from benchmarks.corners import run as compared

    if quick:
        print(f"left out: more than {sizes[0]:,} rows")
        sizes = sizes[:1]
    corners = []
    with TemporaryDirectory() as name:
        for rows in sizes:
            folder = Path(name, str(rows))
            folder.mkdir()
            for source, kind in zip(write(folder, rows), ("CSV", "parts"), strict=True):
                title = f"flights {rows:,} × 14, {kind}"
                sides = partial(_processes, source)
                corners.append(Corner(title, "Nystroem(300) + PCA", sides))
        return compared(quick=quick, corners=tuple(corners))


def _processes(source: Path) -> Any:
    from benchmarks.corners import PROGRAM, Sides
    from benchmarks.rounds import run_process

    # Scores of parts are parts as well.
    out = source.with_name(f"scores{source.suffix}")
    ours = *PROGRAM, "embed", source, "--out", out, "--force"
    beside = source.with_name("theirs.csv")
    theirs = sys.executable, "-m", "benchmarks.flights", source, beside
    commands = ([str(word) for word in side] for side in (ours, theirs))
    return Sides(*(partial(run_process, command, threads=1) for command in commands))


if __name__ == "__main__":
    if len(sys.argv) > 3:
        theirs(*map(Path, sys.argv[1:3]), alike=True, gamma=float(sys.argv[3]))
    elif len(sys.argv) > 2:
        theirs(*map(Path, sys.argv[1:]))
    else:
        run(folder=Path(sys.argv[1]) if len(sys.argv) > 1 else None)
