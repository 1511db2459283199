"""An imitation of the table of flights from New York: 336,776 rows of 14 columns.

The real one comes from the network. What matters for time is kept: numbers that
follow from each other (arrival from departure, air time from distance, delays from
delays), words with 16, 3, 105 and 4,043 different ones, heavy tails, and gaps that come
together.
"""

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ROWS = 336_776
COMPONENTS = 10


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


def theirs(source: Path, out: Path, landmarks: int = 300) -> Any:
    """Do what a person writes who has pandas and scikit-learn; return the eigenvalues.

    Gaps become the median or the most frequent word, words of up to 20 kinds columns of
    their own; γ is the median rule of 2,000 rows.
    """
    import pandas as pd
    from sklearn.decomposition import PCA
    from sklearn.kernel_approximation import Nystroem
    from sklearn.preprocessing import StandardScaler

    if source.is_dir():
        frame = pd.concat(
            [pd.read_parquet(p) for p in sorted(source.glob("*.parquet"))]
        )
    else:
        frame = pd.read_csv(source)
    numbers = frame.select_dtypes("number")
    words = [c for c in frame if c not in numbers and frame[c].nunique() <= 20]
    X = pd.concat(
        [numbers.fillna(numbers.median()), pd.get_dummies(frame[words])], axis=1
    )
    X = StandardScaler().fit_transform(X.to_numpy(np.float64))
    features = Nystroem(gamma=gamma(X), n_components=landmarks, random_state=0)
    pca = PCA(COMPONENTS).fit(H := features.fit_transform(X))
    pd.DataFrame(pca.transform(H)).to_csv(out, index=False)
    return pca.explained_variance_ * (len(X) - 1)


def gamma(X: Any) -> float:
    from benchmarks.tables import median_gamma

    return median_gamma(X)


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
    theirs(Path(sys.argv[1]), Path(sys.argv[2]))
