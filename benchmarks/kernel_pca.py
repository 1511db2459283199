"""Kernel PCA against scikit-learn: time, accuracy and peak memory.

Every measurement runs in a process of its own, so that the peak memory is its own.
``python -m benchmarks.kernel_pca CASE METHOD`` prints one of them as JSON.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

COMPONENTS = 10
ACCURACY = 1e-6
SWEEP = np.geomspace(1, 100, 50)


def _circles(n: int) -> Any:
    from sklearn.datasets import make_circles

    return make_circles(n, factor=0.3, noise=0.05, random_state=0)[0]


def _swiss_roll(n: int) -> Any:
    from sklearn.datasets import make_swiss_roll

    return make_swiss_roll(n, random_state=0)[0]


def _digits() -> Any:
    from sklearn.datasets import load_digits

    return load_digits().data


CASES: dict[str, tuple[Callable[[], Any], float]] = {
    "circles n=2,000 γ=10": (lambda: _circles(2000), 10),
    "circles n=4,000 γ=10": (lambda: _circles(4000), 10),
    "circles n=10,000 γ=10": (lambda: _circles(10_000), 10),
    "Swiss roll n=4,000 γ=0.02": (lambda: _swiss_roll(4000), 0.02),
    "digits 1797 × 64 γ=0.001": (_digits, 1e-3),
    "sweep of 50 γ, n=2,000": (lambda: _circles(2000), 10),
    "circles n=100,000 γ=10": (lambda: _circles(100_000), 10),
    "circles n=1,000,000 γ=10": (lambda: _circles(1_000_000), 10),
}
COMPARED = list(CASES)[:5]
LARGE = list(CASES)[6:]
TARGETS = {
    COMPARED[0]: (8, 4),
    COMPARED[1]: (50, 8),
    COMPARED[2]: (300, 25),
    COMPARED[3]: (50, 6),
    COMPARED[4]: (6, 2.5),
    "sweep of 50 γ, n=2,000": (20, 8),
}

# The default of scikit-learn, and every setting of it that may be its fastest.
SKLEARN: dict[str, dict[str, Any]] = {
    "default": {},
    "arpack": {"eigen_solver": "arpack"},
    "arpack tol=1e-3": {"eigen_solver": "arpack", "tol": 1e-3},
    "randomized": {"eigen_solver": "randomized"},
    "randomized power=3": {"eigen_solver": "randomized", "iterated_power": 3},
}


def _fit(method: str, X: Any, gamma: float) -> tuple[Any, dict[str, Any]]:
    """Fit once; the eigenvalues and what else is worth noting."""
    if method == "nystroem":
        from sklearn.decomposition import PCA
        from sklearn.kernel_approximation import Nystroem

        features = Nystroem(gamma=gamma, n_components=300, random_state=0)
        pca = PCA(COMPONENTS).fit(features.fit_transform(X))
        return pca.explained_variance_ * (len(X) - 1), {}
    if method.startswith("ours"):
        from kpca_viewer import KernelPCA

        tol = 1e-3 if method == "ours tol=1e-3" else 0
        model = KernelPCA(COMPONENTS, kernel="rbf", gamma=gamma, tol=tol).fit(X)
        bounds = model.eigenvalue_bounds_
        width = float((bounds[:, 1] - bounds[:, 0]).max() / model.eigenvalues_[0])
        return model.eigenvalues_, {
            "solver": model.solver_,
            "rank": int(model.rank_),
            "bound": width,
        }
    from sklearn.decomposition import KernelPCA as Reference

    model = Reference(
        COMPONENTS, kernel="rbf", gamma=gamma, random_state=0, **SKLEARN[method]
    ).fit(X)
    return model.eigenvalues_, {}


def _sweep(method: str, X: Any) -> Any:
    """Eigenvalues for every γ; ours reuses what the last value left behind."""
    if method != "ours":
        return [_fit(method, X, gamma)[0] for gamma in SWEEP]
    from kpca_viewer.core.kernels.gram import PointsGram
    from kpca_viewer.core.kernels.kernel import Kernel
    from kpca_viewer.core.solvers import Problem, solve

    start = None
    values = []
    points = Kernel("rbf").points(X)
    for gamma in SWEEP:
        gram = PointsGram(points, Kernel("rbf", gamma=gamma))
        result = solve(Problem(gram, COMPONENTS, start=start))
        start = result.warm_start
        values.append(result.eigenvalues)
    return values


def measure(
    case: str, method: str, most: int = 7, patience: float = 20.0
) -> dict[str, Any]:
    """Median time of up to ``most`` runs within ``patience`` seconds."""
    make, gamma = CASES[case]
    X = make()
    _fit(method, X[:200], gamma)  # imports and thread pools are not what is measured
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times: list[float] = []
    while len(times) < most and (sum(times) < patience or not times):
        started = time.perf_counter()
        if case.startswith("sweep"):
            values, notes = _sweep(method, X), {}
        else:
            values, notes = _fit(method, X, gamma)
        times.append(time.perf_counter() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "case": case,
        "method": method,
        "seconds": median(times),
        "runs": len(times),
        "peak_mb": round(peak / 1024),
        "added_mb": round((peak - before) / 1024),
        "eigenvalues": np.asarray(values).tolist(),
        **notes,
    }


def in_own_process(case: str, method: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.kernel_pca", case, method]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def error(result: dict[str, Any], reference: dict[str, Any]) -> float:
    """Largest error of an eigenvalue relative to the largest (worst γ of a sweep)."""
    a, b = np.asarray(result["eigenvalues"]), np.asarray(reference["eigenvalues"])
    return float((np.abs(a - b).max(axis=-1) / b.max(axis=-1)).max())


def compare(case: str) -> dict[str, Any]:
    """Ours against scikit-learn's default and its fastest that is as accurate."""
    ours = in_own_process(case, "ours")
    theirs = {method: in_own_process(case, method) for method in SKLEARN}
    # arpack with tol=0 converges to machine precision: the reference.
    reference = theirs["arpack"]
    accurate = {m: r for m, r in theirs.items() if error(r, reference) <= ACCURACY}
    fastest = min(accurate, key=lambda m: accurate[m]["seconds"])
    default = theirs["default"]
    return {
        "case": case,
        "ours_ms": ours["seconds"] * 1e3,
        "solver": ours.get("solver", "auto"),
        "rank": ours.get("rank"),
        "error": error(ours, reference),
        "bound": ours.get("bound"),
        "peak_mb": ours["peak_mb"],
        "default_ms": default["seconds"] * 1e3,
        "default_peak_mb": default["peak_mb"],
        "fastest": fastest,
        "fastest_ms": accurate[fastest]["seconds"] * 1e3,
        "vs_default": default["seconds"] / ours["seconds"],
        "vs_fastest": accurate[fastest]["seconds"] / ours["seconds"],
        "target": TARGETS[case],
        "scikit_learn_ms": {m: r["seconds"] * 1e3 for m, r in theirs.items()},
    }


def large(case: str) -> dict[str, Any]:
    """Ours to a residual of 1e-3 against Nystroem(300) + PCA."""
    ours = in_own_process(case, "ours tol=1e-3")
    theirs = in_own_process(case, "nystroem")
    return {
        "case": case,
        "ours_ms": ours["seconds"] * 1e3,
        "rank": ours["rank"],
        "bound": ours["bound"],
        "peak_mb": ours["peak_mb"],
        "nystroem_ms": theirs["seconds"] * 1e3,
        "nystroem_peak_mb": theirs["peak_mb"],
        "vs_nystroem": theirs["seconds"] / ours["seconds"],
    }


def growth() -> dict[str, Any]:
    """Exponent of time in n for a smooth kernel, at the default tolerance."""
    sizes = [2000, 5000, 10_000, 20_000, 50_000, 100_000]
    times = []
    for n in sizes:
        X = _circles(n)
        runs = []
        for _ in range(3):
            started = time.perf_counter()
            _fit("ours", X, 10)
            runs.append(time.perf_counter() - started)
        times.append(median(runs))
    exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    return {"sizes": sizes, "seconds": times, "exponent": exponent}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], sys.argv[2])))
