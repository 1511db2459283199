"""Noise taken out of rows, odd rows found, ellipses that hold fresh fits.

On several data sets, the first two beside what others do.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.covariance import EmpiricalCovariance, MinCovDet
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_moons,
    make_swiss_roll,
)
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.svm import OneClassSVM

from benchmarks.spread import rounded
from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.methods.bootstrap import RADIUS95, bootstrap
from kpca_viewer.core.methods.random_baseline import leading_scores
from kpca_viewer.core.orientation import procrustes
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

NOISES = (0.1, 0.25, 0.5, 1.0)
SIZES = (40, 100, 400)
PENALTIES = (1.0, 0.1, 0.01)
SHARE = 0.9
"""Of the variance of clean training rows: linear PCA says how many components."""

NOISY_SETS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "digits": (load_digits, 600, 200),
    "breast cancer": (load_breast_cancer, 400, 169),
    "wine": (load_wine, 120, 58),
}
"""How many rows are fitted, and how many denoised."""

NOVEL_COMPONENTS = 20


def run(
    quick: bool = False,
    splits: int = 20,
    noises: tuple[float, ...] = NOISES,
    sizes: tuple[int, ...] = SIZES,
) -> dict[str, Any]:
    """Make all tables."""
    if quick:
        print(f"left out: {max(splits - 2, 0)} of {splits} splits")
        splits = min(splits, 2)
    with one_blas_thread():
        return {
            "noise": noise_table(splits, noises),
            "novelty": novelty_table(splits),
            "ellipses": coverage_table((splits + 3) // 4, 10 if quick else 40, sizes),
        }


def noise_table(splits: int, noises: tuple[float, ...] = NOISES) -> dict[str, Any]:
    """Mean squared error in a cell of rows with noise that was added."""
    print(
        "\nNoise in standardised rows: mean squared error in a cell, over "
        f"{splits} splits, mean ± standard error"
    )
    found: dict[str, Any] = {}
    for name in NOISY_SETS:
        for noise in noises:
            errors: dict[str, list[float]] = {}
            for seed in range(splits):
                for method, error in noise_errors(name, noise, seed):
                    errors.setdefault(method, []).append(error)
            found[f"{name}, noise {noise}"] = _told(f"{name} {noise}", errors)
    return found


def noise_errors(name: str, noise: float, seed: int) -> Iterator[tuple[str, float]]:
    """Yield the error of every method on one split, and the part that ours changes."""
    load, fitted, kept = NOISY_SETS[name]
    X, rng = load().data, np.random.default_rng(seed)
    rows = rng.permutation(len(X))
    train, true = X[rows[:fitted]], X[rows[fitted : fitted + kept]]
    varies = train.std(axis=0) > 0
    mean, spread = train.mean(axis=0)[varies], train.std(axis=0)[varies]
    train, true = ((part[:, varies] - mean) / spread for part in (train, true))
    shares = np.cumsum(PCA().fit(train).explained_variance_ratio_)
    k = int(np.searchsorted(shares, SHARE)) + 1
    train = train + rng.normal(scale=noise, size=train.shape)
    noisy = true + rng.normal(scale=noise, size=true.shape)

    def error(points: Array) -> float:
        return float(np.square(points - true).mean())

    yield "as it is", error(noisy)
    pca = PCA(k).fit(train)
    yield "linear PCA", error(pca.inverse_transform(pca.transform(noisy)))
    options = {"n_components": k, "kernel": "rbf", **suggested_values("rbf", train)}
    ridges = []
    for alpha in PENALTIES:
        theirs = TheirKernelPCA(**options, alpha=alpha, fit_inverse_transform=True)
        Z = theirs.fit(train).transform(noisy)
        ridges.append(error(theirs.inverse_transform(Z)))
    # The best in hindsight, which is in its favour.
    yield "ridge", min(ridges)
    model = KernelPCA(**options).fit(train)
    cleaned, weights = model.denoise(noisy, return_weights=True)
    yield "ours", error(cleaned)
    yield "part", float(weights.mean())
    yield "ours, noise told", error(model.denoise(noisy, noise=noise))


def novelty_table(splits: int) -> dict[str, Any]:
    """Area under the curve of rows that are like none of those fitted."""
    print(
        f"\nOdd rows: area under the curve, over {splits} splits, mean ± standard error"
    )
    found: dict[str, Any] = {}
    for name, make in NOVEL_SETS.items():
        areas: dict[str, list[float]] = {}
        for seed in range(splits):
            rng = np.random.default_rng(seed)
            normal, odd = make(rng)
            rows = rng.permutation(len(normal))
            half = len(rows) // 2
            train, test = normal[rows[:half]], np.vstack((normal[rows[half:]], odd))
            is_normal = np.arange(len(test)) < len(rows) - half
            varies = train.std(axis=0) > 0
            mean, spread = train.mean(axis=0)[varies], train.std(axis=0)[varies]
            train, test = ((part[:, varies] - mean) / spread for part in (train, test))
            for method, scores in _novelty_scores(train, test):
                area = float(roc_auc_score(is_normal, scores))
                areas.setdefault(method, []).append(area)
        found[name] = _told(name, areas)
    return found


def _novelty_scores(train: Array, test: Array) -> Iterator[tuple[str, Array]]:
    gamma = suggested_values("rbf", train)
    k = min(NOVEL_COMPONENTS, len(train) - 1)
    yield "ours", KernelPCA(k, kernel="rbf", **gamma).fit(train).score_samples(test)
    yield "OneClassSVM", OneClassSVM(**gamma).fit(train).score_samples(test)
    forest = IsolationForest(random_state=0).fit(train)
    yield "IsolationForest", forest.score_samples(test)
    yield "Mahalanobis", -EmpiricalCovariance().fit(train).mahalanobis(test)
    # As many rows as MinCovDet asks for: more than five a column.
    if len(train) > 5 * train.shape[1]:
        yield "robust", -MinCovDet(random_state=0).fit(train).mahalanobis(test)


def _one_class(load: Callable[..., Any], normal: int) -> Callable[[Any], Any]:
    def rows(rng: Any) -> tuple[Array, Array]:
        X, y = load(return_X_y=True)
        return X[y == normal], X[y != normal]

    return rows


def _diabetes(rng: Any) -> tuple[Array, Array]:
    """Rows of patients, and rows whose columns are those of different patients."""
    X = load_diabetes().data
    return X, np.column_stack([rng.choice(column, 200) for column in X.T])


def _moons(rng: Any) -> tuple[Array, Array]:
    """Two moons, and rows drawn from the box around them."""
    X, _ = make_moons(400, noise=0.1, random_state=int(rng.integers(1 << 31)))
    return X, rng.uniform(X.min(axis=0), X.max(axis=0), (200, 2))


NOVEL_SETS: dict[str, Callable[[Any], tuple[Array, Array]]] = {
    "breast cancer, benign": _one_class(load_breast_cancer, 1),
    "wine, second cultivar": _one_class(load_wine, 1),
    "digits, zeros": _one_class(load_digits, 0),
    "iris, versicolor": _one_class(load_iris, 1),
    "diabetes, columns mixed": _diabetes,
    "moons": _moons,
}
"""Rows that are normal, and rows that are not; half of the first are fitted."""


def coverage_table(
    tables: int, fits: int, sizes: tuple[int, ...] = SIZES
) -> dict[str, Any]:
    """Part of fresh fits that put a row into its 95 % ellipse."""
    print(
        f"\nEllipses of 95 %: part of {fits} fresh fits to as many rows that put a row "
        f"into its ellipse, {tables} tables, mean ± standard error"
    )
    found: dict[str, Any] = {}
    for name, (draw, gamma) in DRAWN_SETS.items():
        parts: dict[str, list[float]] = {}
        for n in sizes:
            parts[f"n = {n}"] = [
                coverage(draw, gamma, n, table, fits) for table in range(tables)
            ]
        found[name] = _told(name, parts)
    return found


def coverage(
    draw: Callable[[Any, int], Array], gamma: float, n: int, seed: int, fits: int
) -> float:
    """Part of the rows of one table, over fresh fits, that lie in their ellipses."""
    rng = np.random.default_rng((seed, n))
    X, kernel = draw(rng, n), Kernel("rbf", gamma=gamma)
    points = kernel.points(X, center=True)
    picture = leading_scores(X, kernel, (0, 1))
    K = kernel.block(points, points)
    moved = bootstrap(K, np.arange(n), picture, (0, 1), components=2)
    picture = picture - picture.mean(axis=0)
    inverse = np.linalg.inv(moved.spreads)
    inside = []
    for _ in range(fits):
        # The shown components, and those that are spare, as for the ellipses.
        model = KernelPCA(4, kernel="rbf", gamma=gamma).fit(draw(rng, n))
        Z = model.transform(X)
        away = procrustes(Z - Z.mean(axis=0), picture) - picture
        squares = np.einsum("ni,nij,nj->n", away, inverse, away)
        inside.append(float((squares <= RADIUS95[2] ** 2).mean()))
    return float(np.mean(inside))


def _circles(rng: Any, n: int) -> Array:
    angle, radius = rng.uniform(0, 2 * np.pi, n), rng.choice((1.0, 0.3), n)
    ring = np.column_stack((np.cos(angle), np.sin(angle))) * radius[:, None]
    return np.asarray(ring + rng.normal(scale=0.05, size=(n, 2)))


def _two_moons(rng: Any, n: int) -> Array:
    angle, upper = rng.uniform(0, np.pi, n), rng.random(n) < 0.5
    x, y = np.cos(angle), np.sin(angle)
    moon = np.where(upper, (x, y), (1 - x, 0.5 - y)).T
    return np.asarray(moon + rng.normal(scale=0.15, size=(n, 2)))


def _clusters(rng: Any, n: int) -> Array:
    centres = np.random.default_rng(99).normal(scale=2, size=(4, 10))
    return np.asarray(centres[rng.integers(0, 4, n)] + rng.normal(size=(n, 10)))


def _drawn_digits(rng: Any, n: int) -> Array:
    X = load_digits().data / 16
    return np.asarray(X[rng.choice(len(X), n)] + rng.normal(scale=0.1, size=(n, 64)))


def _roll(rng: Any, n: int) -> Array:
    seed = int(rng.integers(1 << 31))
    return np.asarray(make_swiss_roll(n, noise=0.5, random_state=seed)[0] / 10)


DRAWN_SETS: dict[str, tuple[Callable[[Any, int], Array], float]] = {
    "circles": (_circles, 5.0),
    "moons": (_two_moons, 1.0),
    "four clusters, 10 columns": (_clusters, 0.02),
    "Swiss roll": (_roll, 1.0),
    "digits, noise 0.1": (_drawn_digits, 0.05),
    "three columns": (
        lambda rng, n: rng.normal(size=(n, 3)) * (3.0, 1.2, 0.5),
        0.05,
    ),
    "noise, 10 columns": (lambda rng, n: rng.normal(size=(n, 10)), 0.05),
}
"""Rows drawn at random, as many as are wanted, and γ."""


def _told(name: str, values: dict[str, list[float]]) -> dict[str, Any]:
    told = {
        method: (np.mean(of), np.std(of) / max(len(of) - 1, 1) ** 0.5)
        for method, of in values.items()
    }
    cells = "  ".join(f"{m} {mean:.4f} ± {e:.4f}" for m, (mean, e) in told.items())
    print(f"{name:26}{cells}", flush=True)
    return {method: rounded(pair) for method, pair in told.items()}
