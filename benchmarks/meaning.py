"""Pre-images under a cursor, noisy rows, and odd rows, against scikit-learn."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

from benchmarks import mika
from benchmarks.rounds import measured
from benchmarks.spread import paired_ratio, rounded, spread, written
from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.core.methods.preimage_methods import METHODS
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

ROWS, COLUMNS, PLACES = 2000, 64, 20
GAMMAS = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
COMPONENTS = 20

EXAMPLE = {"kernel": "rbf", "gamma": 1e-3, "alpha": 5e-3}
"""The kernel and the penalty of scikit-learn's example of denoising."""

NOISES, FEW = (0.1, 0.25, 0.4, 0.6), (8, 16, 32, 64)


def run(
    quick: bool = False,
    rows: int = ROWS,
    digits: int = 1000,
    splits: int = 100,
    draws: int = 5,
    sigmas: Sequence[float] = mika.SIGMAS,
    noises: Sequence[float] = NOISES,
) -> dict[str, Any]:
    """Measure all of them.

    Parameters
    ----------
    rows : int
        Of the model under the cursor.
    digits : int
        Training images.
    splits : int
        Of the cancer data.
    draws : int
        Of the toy of Mika et al.
    sigmas : sequence of float
        Its noise.
    noises : sequence of float
        Of the digits, where they are compared by noise.
    """
    if quick:
        print(
            f"left out: {max(splits - 3, 0)} of {splits} splits of the cancer data, "
            f"{draws - 1} of {draws} draws of the toy, 6 of 9 rounds"
        )
        splits, draws = min(splits, 3), 1
    with one_blas_thread():
        return {
            "cursor": cursor(rows, 3 if quick else 9),
            "digits": noisy_digits(digits),
            "noisier_digits": noisy_digits(digits, 0.4),
            "digits_by_noise": digits_by_noise(digits, noises),
            "mika": mika.table(draws, sigmas),
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


def _digits(n: int, noise: float) -> tuple[Array, Array, Array]:
    """Return noisy training rows, noisy test rows, and these without noise."""
    X, y = load_digits(return_X_y=True)
    train, test = train_test_split(
        X / 16, stratify=y, random_state=0, train_size=n, test_size=100
    )
    rng = np.random.RandomState(0)
    noisy = test + rng.normal(scale=noise, size=test.shape)
    return train + rng.normal(scale=noise, size=train.shape), noisy, test


def _regressed(options: dict[str, Any], train: Array, noisy: Array) -> Array:
    theirs = TheirKernelPCA(**options, fit_inverse_transform=True).fit(train)
    return np.asarray(theirs.inverse_transform(theirs.transform(noisy)))


def noisy_digits(n: int, noise: float = 0.25) -> dict[str, Any]:
    """Denoise as the example of scikit-learn does, on the digits that come with it."""
    train, noisy, test = _digits(n, noise)
    options = {**EXAMPLE, "n_components": min(400, n - 1)}
    model = KernelPCA(**options).fit(train)
    images = {
        "noisy": noisy,
        "scikit-learn": _regressed(options, train, noisy),
        "ours, default": model.denoise(noisy),
        **{f"ours, {name}": model.denoise(noisy, method=name) for name in METHODS},
    }
    print(f"\nNoisy digits (noise {noise}, {n:,} training images): mean squared error")
    errors = {name: float(np.square(x - test).mean()) for name, x in images.items()}
    for name, error in errors.items():
        print(f"{name:20}{error:8.4f}", flush=True)
    return {name: rounded(error) for name, error in errors.items()}


def digits_by_noise(n: int, noises: Sequence[float]) -> dict[str, Any]:
    """Compare the default with scikit-learn over noise, components and two kernels."""
    found: dict[str, Any] = {}
    for kernel in ("γ of the example", "median γ"):
        print(
            f"\nNoisy digits, {kernel}: mean squared error, ours : scikit-learn's\n"
            "noise " + "".join(f"{k:11} comp." for k in FEW)
        )
        for noise in noises:
            train, noisy, test = _digits(n, noise)
            options = dict(EXAMPLE)
            if kernel == "median γ":
                options |= suggested_values("rbf", train)
            pairs = []
            for k in FEW:
                options["n_components"] = k
                ours = KernelPCA(**options).fit(train).denoise(noisy)
                images = ours, _regressed(options, train, noisy)
                pairs.append([float(np.square(x - test).mean()) for x in images])
            told = "".join(f"{ours:8.4f} : {theirs:.4f}" for ours, theirs in pairs)
            print(f"{noise:<6}{told}", flush=True)
            found[f"{kernel}, noise {noise}"] = rounded(pairs)
    return found


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
        f"curve of {splits} splits, mean ± standard error. Splits share rows, so that "
        "errors are too small."
    )
    for name, found in areas.items():
        print(f"{name:36}{_mean(found)}", flush=True)
    pairs = _pairs(list(areas))
    for ours, theirs in pairs:
        differences = np.subtract(areas[ours], areas[theirs])
        ahead = int((differences > 0).sum())
        print(f"{ours} − {theirs}: {_mean(differences)}, ahead in {ahead}", flush=True)
    return {name: rounded(found) for name, found in areas.items()}


def _pairs(names: list[str]) -> list[tuple[str, str]]:
    """Ours beside each of theirs that chose its γ in the same way."""
    ours, plain, with_nu, ours_median, their_median = names
    return [(ours, plain), (ours, with_nu), (ours_median, their_median)]


def _mean(values: Any) -> str:
    error = np.std(values) / max(len(values) - 1, 1) ** 0.5
    return f"{np.mean(values):.4f} ± {error:.4f}"


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
