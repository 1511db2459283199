"""The data of all benchmarks, the same in every run: a table of points with its γ."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class TableOfPoints:
    """Points (n, d) that can be made again, and the γ of an RBF kernel for them."""

    name: str
    make: Callable[[], Any]
    gamma: float | None
    """None takes 1 / (median of squared distances)."""

    def points(self) -> tuple[Any, float]:
        """Return the points and γ."""
        X = np.ascontiguousarray(self.make(), dtype=np.float64)
        return X, median_gamma(X) if self.gamma is None else self.gamma


def median_gamma(X: Any, rows: int = 2000) -> float:
    """Return 1 / (median squared distance) of a fixed sample of rows."""
    from scipy.spatial.distance import pdist

    random = np.random.default_rng(0)
    some = X[random.choice(len(X), min(rows, len(X)), replace=False)]
    return float(1 / np.median(pdist(some, "sqeuclidean")))


def circles(n: int) -> Any:
    from sklearn.datasets import make_circles

    return make_circles(n, factor=0.3, noise=0.05, random_state=0)[0]


def swiss_roll(n: int) -> Any:
    from sklearn.datasets import make_swiss_roll

    return make_swiss_roll(n, random_state=0)[0]


def s_curve(n: int) -> Any:
    from sklearn.datasets import make_s_curve

    return make_s_curve(n, random_state=0)[0]


def digits() -> Any:
    from sklearn.datasets import load_digits

    return load_digits().data


def noisy_digits(n: int) -> Any:
    """Return the digits again and again, (n, 64), each pixel with noise of its own."""
    random = np.random.default_rng(0)
    X = digits()
    return X[np.arange(n) % len(X)] + random.normal(scale=1.0, size=(n, X.shape[1]))


def heavy_tailed(n: int, d: int) -> Any:
    """Return correlated columns (n, d) with heavy tails, standardised.

    Student's t with three degrees of freedom on factors whose weights fall off, as in
    tables of measurements: some columns say nearly the same, some rows lie far outside.
    """
    random = np.random.default_rng(0)
    weights = random.normal(size=(d, d)) * (0.7 ** np.arange(d))
    X = random.normal(size=(n, d)) @ weights.T + 0.3 * random.normal(size=(n, d))
    X /= np.sqrt(random.chisquare(3, size=(n, 1)) / 3)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def _table(name: str, gamma: float | None, make: Callable[..., Any], *args: int) -> Any:
    return TableOfPoints(name, lambda: make(*args), gamma)


def factors(n: int, d: int, *, heavy: bool = False, count: int = 20) -> Any:
    """Return columns (n, d) that mix a few factors, standardised.

    Heavy tails are those of Student's t with two degrees of freedom: some rows lie far
    outside, and squared distances lose digits there.
    """
    random = np.random.default_rng(0)
    X = random.normal(size=(n, count)) @ random.normal(size=(count, d))
    X += random.normal(size=(n, d))
    if heavy:
        X /= np.sqrt(random.chisquare(2, size=(n, 1)) / 2)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def rows_of_words(n: int, d: int, share: float, topics: int = 0) -> Any:
    """Return sparse rows (n, d), so large a share of them not 0.

    Rows of a topic take half of their entries from columns of its own, a twentieth of
    all; without topics there is no structure.
    """
    from scipy import sparse

    random = np.random.default_rng(0)
    count = max(1, round(share * d))
    columns = random.integers(0, d, (n, count))
    if topics:
        own = d // topics
        topic = random.integers(0, topics, (n, 1))
        mine = topic * own + random.integers(0, own, (n, count))
        columns = np.where(random.random((n, count)) < 0.5, mine, columns)
    rows = np.repeat(np.arange(n), count)
    values = random.random(n * count)
    return sparse.csr_matrix((values, (rows, columns.ravel())), (n, d))


COMPARED = {
    table.name: table
    for table in (
        _table("circles 2,000", 10, circles, 2000),
        _table("circles 4,000", 10, circles, 4000),
        _table("circles 10,000", 10, circles, 10_000),
        _table("Swiss roll 4,000", 0.02, swiss_roll, 4000),
        _table("S-curve 3,000", 1, s_curve, 3000),
        _table("digits 1,797 × 64", 1e-3, digits),
    )
}
"""Small enough for every pair of rows."""

LARGE = {
    table.name: table
    for table in (
        _table("circles 20,000 × 2", 10, circles, 20_000),
        _table("circles 100,000 × 2", 10, circles, 100_000),
        _table("circles 1,000,000 × 2", 10, circles, 1_000_000),
        _table("Swiss roll 20,000 × 3", 0.02, swiss_roll, 20_000),
        _table("Swiss roll 200,000 × 3", 0.02, swiss_roll, 200_000),
        _table("Swiss roll 1,000,000 × 3", 0.02, swiss_roll, 1_000_000),
        _table("heavy-tailed 20,000 × 13", None, heavy_tailed, 20_000, 13),
        _table("heavy-tailed 140,000 × 13", None, heavy_tailed, 140_000, 13),
        _table("heavy-tailed 100,000 × 50", None, heavy_tailed, 100_000, 50),
        _table("heavy-tailed 20,000 × 100", None, heavy_tailed, 20_000, 100),
        _table("noisy digits 100,000 × 64", None, noisy_digits, 100_000),
    )
}
"""Too large for that, except by parts."""

TINY = {
    table.name: table
    for table in (
        _table("circles 150", 10, circles, 150),
        _table("heavy-tailed 200 × 5", None, heavy_tailed, 200, 5),
    )
}
"""For the tests of the benchmarks themselves."""

TABLES = COMPARED | LARGE | TINY
