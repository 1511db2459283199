"""Where one could wait longer than with the tool that one would use instead.

Every corner is a row of `CORNERS`: both sides run in turn on one BLAS thread, and their
processor times are compared. A *floor* is a third side that does only what cannot be
left out (so many exponentials and multiplications, one decomposition of that size), so
that it is measured under the same conditions.
"""

import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import psutil
from scipy.spatial.distance import pdist
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import scale

from benchmarks.rounds import Measured, measured, processor_time, run_process
from benchmarks.spread import paired_ratio, rounded, spread, written
from benchmarks.tables import circles, factors, median_gamma, rows_of_words
from kpca_viewer import KernelPCA
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run as analyse
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features import registry
from kpca_viewer.support.threads import one_blas_thread

COMPONENTS = 10
BATCH = 0.05
"""Seconds of repeated runs that are one measurement: a single one may be too short."""
ROUNDS, QUICK_ROUNDS = 9, 5
PATIENCE, QUICK_PATIENCE = 20.0, 0.7
"""Seconds of a side after which it runs no more."""
COUNTED_FROM = 2.0
"""Seconds of a first run that counts. Imports, and memory that the system has to find,
are a part of it: 0.6 s for matrices of 300 MB that take 0.02 s ever after."""
MEMORY_SHARE = 0.7
BLOCK = 10_000
PROGRAM = sys.executable, "-m", "kpca_viewer"

Work = Callable[[], Any]
"""Returns a fitted model, whatever else was made, or what it has measured of itself."""


class Sides(NamedTuple):
    """What is compared, with its data ready."""

    ours: Work
    theirs: Work | None = None
    floor: Callable[[Any], Work] | None = None
    """From what ours has returned."""


class Corner(NamedTuple):
    """A row of the table."""

    name: str
    against: str
    make: Callable[[], Sides]
    quick: bool = True
    gigabytes: float = 0.0
    """Of memory that the other side needs, where that is much."""


def fits(
    X: Any, floor: Any = None, *, scores: bool = False, theirs: Any = None, **model: Any
) -> Sides:
    """Compare fits of one kernel, or fits with the scores of all rows."""
    method = "fit_transform" if scores else "fit"

    def fitted(made: Any, **more: Any) -> Work:
        def work() -> Any:
            estimator = made(**model, **more)
            getattr(estimator, method)(X)
            return estimator

        return work

    return Sides(fitted(KernelPCA), fitted(Theirs, **(theirs or {})), floor)


ARPACK = "arpack tol=1e-3"
arpack = partial(
    fits, theirs={"eigen_solver": "arpack", "tol": 1e-3}, n_components=COMPONENTS
)


def low_rank(n: int, model: Any) -> Work:
    """Return the floor of n rows, r landmarks: entries, their products, an `eigh`."""
    r = int(model.rank_)
    random = np.random.default_rng(0)
    A = random.random((min(n, BLOCK), r))
    out, G = np.empty_like(A), A.T @ A

    def work() -> None:
        for _ in range(max(1, n // BLOCK)):
            np.exp(A, out=out)
            A.T @ A
        np.linalg.eigh(G)

    return work


def half_of(X: Any, entry: Callable[[Any], Any]) -> Callable[[Any], Work]:
    """Return the floor of one pass over K: half of its entries, times k columns."""
    V = np.random.default_rng(0).random((len(X), COMPONENTS))
    step = 500

    def work() -> None:
        for start in range(0, len(X), step):
            K = X[start : start + step] @ X[start:].T
            entry(K)
            K @ V[start:]
            K.T @ V[start : start + step]

    return lambda _model: work


def _exponential(K: Any) -> None:
    np.exp(K, out=K)


def _cube(K: Any) -> None:
    K *= K * K


def _laplacian(X: Any) -> Callable[[Any], Work]:
    def work() -> None:
        entries = pdist(X, "cityblock")
        np.exp(entries, out=entries)

    return lambda _model: work


def _all_pairs(X: Any, gamma: float) -> Callable[[Any], Work]:
    # How long it takes depends on the matrix.
    K = rbf_kernel(X, gamma=gamma)
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    half = half_of(X, _exponential)(None)

    def work() -> None:
        half()
        np.linalg.eigh(K)

    return lambda _model: work


def _small(X: Any, gamma: float) -> Sides:
    return fits(X, scores=True, n_components=COMPONENTS, kernel="rbf", gamma=gamma)


def _noise(n: int, d: int) -> Any:
    return np.random.default_rng(0).standard_normal((n, d))


def _breast_cancer() -> Any:
    return scale(load_breast_cancer().data)


def _flat(X: Any) -> Sides:
    return fits(X, n_components=COMPONENTS, kernel="rbf", gamma=median_gamma(X))


def _linear() -> Sides:
    X = _noise(20_000, 300)
    ours = KernelPCA(COMPONENTS, kernel="linear")
    return Sides(lambda: ours.fit(X), lambda: PCA(COMPONENTS).fit(X))


def _all_of(kernel: str) -> Sides:
    X = _noise(1200, 4)
    if kernel == "linear":
        return fits(X, scores=True, kernel="linear")
    return fits(X, _all_pairs(X, 0.25), scores=True, kernel="rbf", gamma=0.25)


def _thousand_circles() -> Sides:
    X = circles(1000)
    half = half_of(X, _exponential)(None)

    def floor(model: Any) -> Work:
        factor = low_rank(len(X), model)
        return lambda: (factor(), half())

    return arpack(X, floor, kernel="rbf", gamma=10)


def _dense(n: int, kernel: str, *, heavy: bool = False) -> Sides:
    X = factors(n, 300, heavy=heavy)
    if kernel == "poly":
        return arpack(X, half_of(X, _cube), kernel="poly", degree=3)
    if kernel == "rbf":
        return arpack(X, half_of(X, _exponential), kernel="rbf", gamma=median_gamma(X))
    gamma = 1 / X.shape[1]
    known = {"eigen_solver": "arpack", "tol": 1e-3, "kernel": "precomputed"}
    return Sides(
        lambda: KernelPCA(COMPONENTS, kernel="laplacian", gamma=gamma).fit(X),
        lambda: Theirs(COMPONENTS, **known).fit(laplacian_kernel(X, gamma=gamma)),
        _laplacian(X),
    )


def _sparse(n: int, d: int, *, topics: int = 0) -> Sides:
    return arpack(rows_of_words(n, d, 0.002, topics), kernel="cosine")


def _transform() -> Sides:
    X, new = circles(2000), circles(20_000)
    settings = {"kernel": "rbf", "gamma": 10}
    ours = KernelPCA(COMPONENTS, **settings).fit(X)
    theirs = Theirs(COMPONENTS, eigen_solver="arpack", tol=1e-3, **settings).fit(X)
    # New rows need those that the model kept of the others.
    carriers = len(X) if ours.landmarks_ is None else len(ours.landmarks_)
    K = np.random.default_rng(0).random((len(X), carriers))
    back, out = np.ones((carriers, COMPONENTS)), np.empty_like(K)

    def floor() -> None:
        for _ in range(len(new) // len(K)):
            np.exp(K, out=out)
            out @ back

    return Sides(
        lambda: ours.transform(new),
        lambda: theirs.transform(new),
        lambda _scores: floor,
    )


def many(n: int, method: str, landmarks: int = 200) -> Sides:
    """Compare with `Nystroem`, as fits or as fits with the scores of all rows."""
    X = circles(n)

    def ours() -> Any:
        model = KernelPCA(COMPONENTS, kernel="rbf", gamma=10, tol=1e-3)
        getattr(model, method)(X)
        return model

    def theirs() -> Any:
        features = Nystroem(gamma=10, n_components=landmarks, random_state=0)
        model = make_pipeline(features, PCA(COMPONENTS))
        getattr(model, method)(X)
        return model

    return Sides(ours, theirs, partial(low_rank, n))


def program(*arguments: str, out: str = "") -> Sides:
    """Measure a whole process of ours, which has no peer."""

    def ours() -> None:
        with TemporaryDirectory() as folder:
            written_to = ["--out", str(Path(folder, out))] if out else []
            run_process([*PROGRAM, *arguments, *written_to])

    return Sides(ours)


def _page(page: str, extra: str, d: int) -> Sides:
    """Return the time until a page has its first numbers, behind the picture itself."""
    X = circles(2000)
    if d > X.shape[1]:
        X = factors(2000, d)
    dataset = Dataset(X, name="rows")
    settings = SessionSettings(data=DataSettings(dataset.name))
    opened, stages = {dataset.name: dataset}, registry.stages()

    def ours() -> Measured:
        cache = StageCache()
        analyse(AnalysisRequest(settings, opened, stages=stages), cache)
        shown: list[Measured] = []
        wall, worked = perf_counter(), processor_time()

        def publish(result: Any) -> None:
            if any(known.name == extra for known in result.extras) and not shown:
                now = perf_counter() - wall, processor_time() - worked
                shown.append(Measured(*now, None))

        asked = AnalysisRequest(settings, opened, page=page, stages=stages)
        publish(analyse(asked, cache, publish=publish))
        return shown[0]

    return Sides(ours)


DEFAULT = "default"
NOTHING = "–"
NYSTROEM = "Nystroem(200) + PCA"

CORNERS = (
    Corner("iris 150 × 4", DEFAULT, lambda: _small(load_iris().data, 0.25)),
    Corner("wine 178 × 13", DEFAULT, lambda: _small(scale(load_wine().data), 1 / 13)),
    Corner("circles 400", DEFAULT, lambda: _small(circles(400), 2.0)),
    Corner("circles 900", DEFAULT, lambda: _small(circles(900), 2.0)),
    Corner("noise 300 × 10", DEFAULT, lambda: _flat(_noise(300, 10))),
    Corner("breast cancer 569 × 30", DEFAULT, lambda: _flat(_breast_cancer())),
    Corner("noise 900 × 10", DEFAULT, lambda: _flat(_noise(900, 10))),
    Corner("noise 20,000 × 300, linear", "PCA", _linear),
    Corner("all of 1,200 × 4, linear", DEFAULT, lambda: _all_of("linear")),
    Corner("all of 1,200 × 4, RBF", DEFAULT, lambda: _all_of("rbf")),
    Corner("circles 1,000", ARPACK, _thousand_circles),
    Corner("transform 20,000 rows, circles 2,000", ARPACK, _transform),
    Corner("2,000 × 300, RBF", ARPACK, lambda: _dense(2000, "rbf")),
    Corner(
        "2,000 × 300, RBF, heavy tails",
        ARPACK,
        lambda: _dense(2000, "rbf", heavy=True),
    ),
    Corner("2,000 × 300, polynomial", ARPACK, lambda: _dense(2000, "poly")),
    Corner("2,000 × 300, Laplacian", ARPACK, lambda: _dense(2000, "laplacian")),
    Corner("8,000 × 300, RBF", ARPACK, lambda: _dense(8000, "rbf"), quick=False),
    Corner(
        "8,000 × 300, RBF, heavy tails",
        ARPACK,
        lambda: _dense(8000, "rbf", heavy=True),
        quick=False,
    ),
    Corner(
        "8,000 × 300, polynomial", ARPACK, lambda: _dense(8000, "poly"), quick=False
    ),
    Corner(
        "3,000 × 300, Laplacian",
        ARPACK,
        lambda: _dense(3000, "laplacian"),
        quick=False,
    ),
    Corner(
        "sparse cosine 5,000 × 20,000, 0.2 %", ARPACK, lambda: _sparse(5000, 20_000)
    ),
    Corner(
        "sparse cosine 20,000 × 30,000, 20 topics",
        ARPACK,
        lambda: _sparse(20_000, 30_000, topics=20),
        quick=False,
        gigabytes=8,
    ),
    Corner(
        "sparse cosine 20,000 × 30,000",
        ARPACK,
        lambda: _sparse(20_000, 30_000),
        quick=False,
        gigabytes=8,
    ),
    Corner("circles 100,000, fit", NYSTROEM, lambda: many(100_000, "fit")),
    Corner(
        "circles 100,000, with scores",
        NYSTROEM,
        lambda: many(100_000, "fit_transform"),
    ),
    Corner(
        "circles 1,000,000, fit",
        NYSTROEM,
        lambda: many(1_000_000, "fit"),
        quick=False,
        gigabytes=5,
    ),
    Corner(
        "circles 1,000,000, with scores",
        NYSTROEM,
        lambda: many(1_000_000, "fit_transform"),
        quick=False,
        gigabytes=5,
    ),
    Corner("Rebuild, 2,000 rows", NOTHING, lambda: _page("rebuild", "rebuilding", 2)),
    Corner(
        "Is it real?, 2,000 × 10, first answer",
        NOTHING,
        lambda: _page("real", "reality", 10),
    ),
    Corner(
        "render circles", NOTHING, lambda: program("render", "circles", out="a.png")
    ),
    Corner("report wine", NOTHING, lambda: program("report", "wine", out="a.html")),
    Corner("choose wine", NOTHING, lambda: program("choose", "wine"), quick=False),
)


def run(
    quick: bool = False, only: str = "", corners: tuple[Corner, ...] = CORNERS
) -> list[dict[str, Any]]:
    """Measure corners, those whose name has a certain text in it or all.

    Returns
    -------
    list of dict
        One row for each corner.
    """
    print(
        "\nProcessor time in ms, one BLAS thread, median (quartiles); ratios of runs "
        "that followed each other\n× floor: so many times what cannot be left out"
    )
    if quick and not only:
        left_out = [corner.name for corner in corners if not corner.quick]
        print(f"left out: {'; '.join([*left_out, f'{ROUNDS - QUICK_ROUNDS} rounds'])}")
        corners = tuple(corner for corner in corners if corner.quick)
    print(
        f"{'corner':42}{'against':22}{'ours':26}{'theirs':26}{'ratio':22}{'× floor':20}"
        f"{'by the clock':22}{'bound':>8}"
    )
    rows = []
    for corner in corners:
        if only in corner.name:
            row = compare(corner, quick=quick)
            rows.append(row)
            print(_line(row), flush=True)
    return rows


def compare(corner: Corner, *, quick: bool) -> dict[str, Any]:
    """Measure all sides of a corner in turn."""
    row: dict[str, Any] = {"case": corner.name, "against": corner.against}
    if corner.gigabytes * 1e9 > MEMORY_SHARE * psutil.virtual_memory().available:
        return row | {"left_out": f"needs {corner.gigabytes:g} GB of memory"}
    with one_blas_thread(), warnings.catch_warnings():
        # Where bounds are wide, a warning says what the row says as well.
        warnings.simplefilter("ignore")
        sides = corner.make()
        first = {"ours": _once(sides.ours)}
        model = first["ours"].result
        works = {"ours": sides.ours}
        if sides.theirs is not None:
            works["theirs"] = sides.theirs
        if sides.floor is not None:
            works["floor"] = sides.floor(model)
        first |= {n: _once(work) for n, work in works.items() if n not in first}
        times = {
            name: [one] if one.processor_seconds > COUNTED_FROM else []
            for name, one in first.items()
        }
        _in_turn(works, times, quick=quick)
    worked = {name: [t.processor_seconds for t in runs] for name, runs in times.items()}
    row["ours_s"] = spread(worked["ours"])
    row["ours_wall_s"] = spread([t.seconds for t in times["ours"]])
    if "theirs" in worked:
        row["theirs_s"] = spread(worked["theirs"])
        row["ratio"] = paired_ratio(worked["theirs"], worked["ours"])
    if "floor" in worked:
        row["floor_s"] = spread(worked["floor"])
        row["floor_ratio"] = paired_ratio(worked["ours"], worked["floor"])
    return row | _notes(model)


def _in_turn(
    works: dict[str, Work], times: dict[str, list[Measured]], *, quick: bool
) -> None:
    """Run each side once a round; a slow one sits out once it has had its share."""
    rounds = QUICK_ROUNDS if quick else ROUNDS
    patience = QUICK_PATIENCE if quick else PATIENCE
    repeats: dict[str, int] = {}
    for number in range(rounds):
        for name, work in works.items():
            told = times[name]
            again = repeats.get(name, 1)
            if len(told) > number:
                continue
            if sum(one.processor_seconds for one in told) * again > patience:
                continue
            one = _once(work, again)
            if name not in repeats:
                again = repeats[name] = 1 + int(BATCH / max(one.seconds, 1e-6))
                if again > 1:
                    one = _once(work, again)
            told.append(one)


def _once(work: Work, repeats: int = 1) -> Measured:
    """Return the times of one of several runs, and the result of the last."""

    def all_of_them() -> Any:
        for _ in range(repeats - 1):
            work()
        return work()

    told = measured(all_of_them)
    if isinstance(told.result, Measured):
        return told.result
    return Measured(
        told.seconds / repeats, told.processor_seconds / repeats, told.result
    )


def _notes(model: Any) -> dict[str, Any]:
    """Return how a fit of ours was made and what it proves."""
    if not isinstance(model, KernelPCA):
        return {}
    bounds = model.eigenvalue_bounds_
    width = float((bounds[:, 1] - bounds[:, 0]).max() / model.eigenvalues_[0])
    return {
        "solver": model.solver_,
        "rank": int(model.rank_),
        "bound": rounded(width, 2),
    }


def _line(row: dict[str, Any]) -> str:
    start = f"{row['case']:42}{row['against']:22}"
    if "left_out" in row:
        return f"{start}left out: {row['left_out']}"

    def cell(name: str, width: int) -> str:
        unit = 1e3 if name.endswith("_s") else 1.0
        return f"{written(row[name], unit) if name in row else '–':{width}}"

    return (
        f"{start}{cell('ours_s', 26)}{cell('theirs_s', 26)}{cell('ratio', 22)}"
        f"{cell('floor_ratio', 20)}{cell('ours_wall_s', 22)}"
        + (f"{row['bound']:8.0e}" if "bound" in row else f"{'–':>8}")
    )
