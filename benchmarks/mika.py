"""The toy of Mika et al. (1999): eleven sources, linear beside kernel PCA."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from benchmarks.spread import rounded
from kpca_viewer import KernelPCA

Array = NDArray[Any]

SIGMAS = (0.05, 0.1, 0.2, 0.4, 0.8)
SOURCES, COLUMNS, MOST = 11, 10, 9


def sources(sigma: float, draw: int) -> tuple[Array, Array, Array]:
    """Return training rows, test rows, and these without noise: 100 and 33 a source."""
    rng = np.random.default_rng(draw)
    centres = rng.uniform(-1, 1, (SOURCES, COLUMNS))

    def drawn(count: int) -> tuple[Array, Array]:
        true = np.repeat(centres, count, axis=0)
        return true + rng.normal(scale=sigma, size=true.shape), true

    return drawn(100)[0], *drawn(33)


def error_ratios(
    sigma: float, draw: int = 0, counts: Sequence[int] = range(1, MOST + 1)
) -> Array:
    """Squared error of linear over that of kernel PCA, by numbers of components."""
    train, test, true = sources(sigma, draw)
    gamma = 1 / (2 * COLUMNS * sigma**2)
    model = KernelPCA(MOST, kernel="rbf", gamma=gamma).fit(train)
    found = []
    for k in counts:
        pca = PCA(k).fit(train)
        linear = pca.inverse_transform(pca.transform(test))
        ours = model.denoise(test, k)
        found.append(np.square(linear - true).sum() / np.square(ours - true).sum())
    return np.array(found)


def table(draws: int, sigmas: Sequence[float] = SIGMAS) -> dict[str, Any]:
    """Print and return medians of these ratios over so many draws of everything."""
    print(
        f"\nToy of Mika et al.: error of linear PCA : kernel PCA (default), by "
        f"components, median of {draws} draws"
    )
    print("σ     " + "".join(f"{k:9}" for k in range(1, MOST + 1)))
    found = {}
    for sigma in sigmas:
        ratios = [error_ratios(sigma, draw) for draw in range(draws)]
        medians = np.median(ratios, axis=0)
        print(f"{sigma:<6}" + "".join(f"{ratio:9.2f}" for ratio in medians), flush=True)
        found[f"{sigma}"] = rounded(medians.tolist())
    return found
