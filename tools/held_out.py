"""How far the accuracy that a suggested γ is told with is from that of new rows.

usage: python tools/held_out.py [DRAWS]

In every draw γ is suggested by classes; told is the accuracy in that sentence, true the
one of the same discriminants, learnt from the same rows, for 4,000 new rows. In draws
in which classes are no ground, nothing is told.
"""

import re
import sys
from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_circles, make_gaussian_quantiles
from sklearn.metrics import balanced_accuracy_score

from kpca_viewer import KernelPCA
from kpca_viewer.core.methods.kernel_suggestion import suggested
from kpca_viewer.core.methods.quality import discriminated

Rows = tuple[np.ndarray, np.ndarray]
Draw = Callable[[int, np.random.RandomState], Rows]

NEW = 4000


def circles(noise: float) -> Draw:
    return lambda n, random: make_circles(
        n, factor=0.5, noise=noise, random_state=random
    )


def quantiles(columns: int, classes: int = 2) -> Draw:
    return lambda n, random: make_gaussian_quantiles(
        n_samples=n, n_features=columns, n_classes=classes, random_state=random
    )


CASES: tuple[tuple[str, Draw, int], ...] = (
    ("circles, noise 0.2, n = 60", circles(0.2), 60),
    ("circles, noise 0.3, n = 60", circles(0.3), 60),
    ("Gaussian quantiles, 2 columns, n = 60", quantiles(2), 60),
    ("Gaussian quantiles, 10 columns, n = 60", quantiles(10), 60),
    ("Gaussian quantiles, 2 columns, 4 classes, n = 60", quantiles(2, 4), 60),
)


def told_and_true(draw: Draw, n: int, seed: int) -> tuple[float, float] | None:
    """Return both accuracies in per cent; None where none is told."""
    random = np.random.RandomState(seed)
    X, y = draw(n, random)
    new, classes = draw(NEW, random)
    mean, spread = X.mean(axis=0), X.std(axis=0)
    X, new = (X - mean) / spread, (new - mean) / spread
    found = suggested("rbf", X, y)
    told = re.search(r"(\d+) ± [^ ]+ % balanced accuracy", found.grounds)
    if told is None:
        return None
    model = KernelPCA(2, kernel="rbf", **found.values).fit(X)
    labels = discriminated(model.transform(X), y, model.transform(new), balanced=True)
    return float(told[1]), 100 * balanced_accuracy_score(classes, labels)


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print("| data | told in | told | true | told − true |\n|---|---|---|---|---|")
    for name, draw, n in CASES:
        found = [told_and_true(draw, n, seed) for seed in range(draws)]
        pairs = np.array([pair for pair in found if pair is not None])
        told, true = pairs.mean(axis=0)
        apart = pairs[:, 0] - pairs[:, 1]
        error = apart.std(ddof=1) / len(apart) ** 0.5
        print(
            f"| {name} | {len(pairs)} of {draws} | {told:.1f} % | {true:.1f} % | "
            f"{apart.mean():+.1f} ± {error:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
