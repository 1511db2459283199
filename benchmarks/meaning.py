"""Pre-images under a cursor, noisy digits, and odd rows, against scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

from benchmarks.rounds import measured
from benchmarks.spread import paired_ratio, rounded, spread, written
from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.core.preimage.methods import METHODS
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

ROWS, COLUMNS, PLACES = 2000, 64, 20
GAMMAS = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
COMPONENTS = 20


def run(
    quick: bool = False, rows: int = ROWS, digits: int = 1000, splits: int = 10
) -> dict[str, Any]:
    """Measure all three.

    Parameters
    ----------
    rows : int
        Of the model under the cursor.
    digits : int
        Training images.
    splits : int
        Of the cancer data.
    """
    if quick:
        print("left out: 7 of 10 splits of the cancer data, 6 of 9 rounds")
        splits = min(splits, 3)
    with one_blas_thread():
        return {
            "cursor": cursor(rows, 3 if quick else 9),
            "digits": noisy_digits(digits),
            "noisier_digits": noisy_digits(digits, 0.4),
            "odd_rows": odd_rows(splits),
        }


def cursor(n: int, rounds: int) -> dict[str, Any]:
    """One place at a time: ours with its distance left, scikit-learn's without."""
    X = np.random.default_rng(0).normal(size=(n, COLUMNS))
    X[:, :3] *= 4
    options = {"n_components": 10, "kernel": "rbf", "gamma": 1 / (2 * COLUMNS)}
    theirs = TheirKernelPCA(**options, fit_inverse_transform=True).fit(X)
    model = KernelPCA(**options).fit(X)
    Z = model.transform(X[:PLACES] + 0.1)
    print(
        f"\nPre-image of one place, n = {n:,}, d = {COLUMNS}; ms of processor time, "
        "one BLAS thread; × is inverse_transform of scikit-learn : ours"
    )
    found = {}
    for method in (None, *METHODS):
        finder = model._prepared(method)
        ours, other = [], []
        for _ in range(rounds):
            ours.append(_each(finder.at, Z))
            other.append(_each(lambda z: theirs.inverse_transform(z[None]), Z))
        name = method or "default"
        ratio = paired_ratio(other, ours)
        found[name] = {"ours_s": spread(ours), "ratio": ratio}
        print(f"{name:14}{written(spread(ours), 1e3):24}× {written(ratio)}", flush=True)
    return found


def _each(find: Callable[[Array], Any], Z: Array) -> float:
    """Return the processor seconds of one call."""

    def all_of_them() -> None:
        for z in Z:
            find(z)

    return measured(all_of_them).processor_seconds / len(Z)


def noisy_digits(n: int, noise: float = 0.25) -> dict[str, Any]:
    """Denoise as the example of scikit-learn does, on the digits that come with it."""
    X, y = load_digits(return_X_y=True)
    train, test = train_test_split(
        X / 16, stratify=y, random_state=0, train_size=n, test_size=100
    )
    rng = np.random.RandomState(0)
    noisy = test + rng.normal(scale=noise, size=test.shape)
    train = train + rng.normal(scale=noise, size=train.shape)
    options = {
        "n_components": min(400, n - 1),
        "kernel": "rbf",
        "gamma": 1e-3,
        "alpha": 5e-3,
    }
    theirs = TheirKernelPCA(**options, fit_inverse_transform=True).fit(train)
    model = KernelPCA(**options).fit(train)
    images = {
        "noisy": noisy,
        "scikit-learn": theirs.inverse_transform(theirs.transform(noisy)),
        "ours, default": model.denoise(noisy),
        **{f"ours, {name}": model.denoise(noisy, method=name) for name in METHODS},
    }
    print(f"\nNoisy digits (noise {noise}, {n:,} training images): mean squared error")
    errors = {name: float(np.square(x - test).mean()) for name, x in images.items()}
    for name, error in errors.items():
        print(f"{name:20}{error:8.4f}", flush=True)
    return {name: rounded(error) for name, error in errors.items()}


def odd_rows(splits: int) -> dict[str, Any]:
    """Malignant rows by models of 200 benign ones.

    Half of the other rows choose γ (and ν where that is said) among the same values,
    the area under the curve is that of the other half.
    """
    makers: dict[str, list[Callable[[Array], Any]]] = {
        f"KernelPCA({COMPONENTS}).score_samples": [
            lambda X, g=g: KernelPCA(COMPONENTS, kernel="rbf", gamma=g) for g in GAMMAS
        ],
        "OneClassSVM": [lambda X, g=g: OneClassSVM(gamma=g) for g in GAMMAS],
        "OneClassSVM, ν chosen too": [
            lambda X, g=g, nu=nu: OneClassSVM(gamma=g, nu=nu)
            for g in GAMMAS
            for nu in (0.05, 0.1, 0.5)
        ],
        f"KernelPCA({COMPONENTS}), median γ": [
            lambda X: KernelPCA(COMPONENTS, kernel="rbf", **suggested_values("rbf", X))
        ],
        "OneClassSVM, median γ": [lambda X: OneClassSVM(**suggested_values("rbf", X))],
    }
    areas = {
        name: [_area(models, seed) for seed in range(splits)]
        for name, models in makers.items()
    }
    print(
        f"\nBreast cancer (Wisconsin diagnostic), 200 benign rows: area under the "
        f"curve of {splits} splits, mean ± standard error"
    )
    for name, found in areas.items():
        error = np.std(found) / max(len(found) - 1, 1) ** 0.5
        print(f"{name:32}{np.mean(found):.4f} ± {error:.4f}", flush=True)
    return {name: rounded(found) for name, found in areas.items()}


def _area(models: list[Callable[[Array], Any]], seed: int) -> float:
    data, benign = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(seed)
    rows = rng.choice(np.flatnonzero(benign), 200, replace=False)
    others = rng.permutation(np.setdiff1d(np.arange(len(data)), rows))
    scaler = StandardScaler().fit(data[rows])
    train, test = scaler.transform(data[rows]), scaler.transform(data[others])
    normal, half = benign[others], len(others) // 2
    scores = [make(train).fit(train).score_samples(test) for make in models]
    best = max(scores, key=lambda score: roc_auc_score(normal[:half], score[:half]))
    return float(roc_auc_score(normal[half:], best[half:]))
