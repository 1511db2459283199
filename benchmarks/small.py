"""Fits that take milliseconds, against scikit-learn's: its own default each time."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_iris, load_wine, make_circles
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.preprocessing import scale

from benchmarks.rounds import measured
from benchmarks.spread import paired_ratio, spread, written
from kpca_viewer import KernelPCA

COMPONENTS = 10
BATCH = 0.05
"""Seconds of repeated fits that are one measurement: a single one is too short."""


def cases() -> dict[str, tuple[np.ndarray, dict[str, Any]]]:
    """Return points and settings by name."""
    rbf = {"n_components": COMPONENTS, "kernel": "rbf"}
    cloud = np.random.default_rng(0).standard_normal((1200, 4))
    rings = {
        f"circles {n}": (
            make_circles(n, factor=0.3, noise=0.05, random_state=0)[0],
            rbf | {"gamma": 2.0},
        )
        for n in (400, 900)
    }
    return {
        "iris 150 × 4": (load_iris().data, rbf | {"gamma": 0.25}),
        "wine 178 × 13": (scale(load_wine().data), rbf | {"gamma": 1 / 13}),
        **rings,
        "all of 1,200 × 4, linear": (cloud, {"kernel": "linear"}),
        "all of 1,200 × 4, RBF": (cloud, {"kernel": "rbf", "gamma": 0.25}),
    }


def run(quick: bool = False) -> list[dict[str, Any]]:
    """Fit both in turn, and compare their processor times."""
    rounds = 7 if quick else 21
    print("Small fits, ms of processor time, median (quartiles)")
    print(f"{'case':28}{'ours':24}{'scikit-learn':24}{'ratio':24}")
    rows = []
    for name, (X, settings) in cases().items():
        sides = (KernelPCA(**settings), Theirs(**settings))
        times: tuple[list[float], list[float]] = ([], [])
        repeats = max(1, int(BATCH / _seconds(lambda m=sides[1], X=X: m.fit(X))))
        for _ in range(rounds):
            for model, told in zip(sides, times, strict=True):
                told.append(_seconds(lambda m=model, X=X: m.fit_transform(X), repeats))
        row = {
            "case": name,
            "ours_s": spread(times[0]),
            "scikit_learn_s": spread(times[1]),
            "ratio": paired_ratio(times[1], times[0]),
            "solver": sides[0].solver_,
        }
        rows.append(row)
        print(
            f"{name:28}{written(row['ours_s'], 1e3):24}"
            f"{written(row['scikit_learn_s'], 1e3):24}{written(row['ratio']):24}",
            flush=True,
        )
    return rows


def _seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """Return the processor time of one of several runs."""

    def all_of_them() -> None:
        for _ in range(repeats):
            work()

    return measured(all_of_them).processor_seconds / repeats
