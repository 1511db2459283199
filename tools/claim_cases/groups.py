"""What is claimed of groups, by the kernel that the window takes: RBF as suggested.

Columns are standardised. Numbers of rows are spread evenly over the logarithm.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_circles, make_moons

from claim_cases import Case
from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.methods.kernel_suggestion import suggested
from kpca_viewer.core.methods.random_baseline import compare
from kpca_viewer.engine.claims import Claim
from kpca_viewer.features.random_baseline.text import group_claims

Array = NDArray[Any]
Random = np.random.Generator
Draw = Callable[[Random, int], Array]

ROWS = 40, 500

FIRST = 19
"""Draws of random data that decide most tables."""


def claims(random: Random, draw: Draw, *, by_median: bool = False) -> tuple[Claim, ...]:
    """Return what is claimed of a table."""
    X = draw(random, round(np.exp(random.uniform(*np.log(ROWS)))))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    values = suggested_values("rbf", X) if by_median else suggested("rbf", X).values
    kernel = Kernel("rbf", **values)
    found = compare(X, kernel, (0, 1), draws=FIRST)
    # What is not beyond the first draws is not beyond all of them.
    if found.is_beyond.any() or found.columns.values.any():
        found = compare(X, kernel, (0, 1))
    return group_claims(found, [f"x{j + 1}" for j in range(X.shape[1])])


def keys(random: Random, draw: Draw, **how: bool) -> set[str]:
    """Return the keys of what is claimed of a table."""
    return {claim.key for claim in claims(random, draw, **how)}


def noise(random: Random, n: int) -> Array:
    """Two to five independent columns."""
    return random.normal(size=(n, random.integers(2, 6)))


def square(random: Random, n: int) -> Array:
    """Points all over a square."""
    return random.random((n, 2))


def correlated(random: Random, n: int) -> Array:
    """Two to five columns whose correlations are 0.9."""
    d = random.integers(2, 6)
    return random.normal(size=(n, 1)) * 0.9**0.5 + random.normal(size=(n, d)) * 0.1**0.5


def line(random: Random, n: int) -> Array:
    """Points anywhere on a line in the plane."""
    return np.outer(random.random(n), [1.0, 2.0])


def one_column(random: Random, n: int) -> Array:
    """Two groups ten standard deviations apart in the first of two to five columns."""
    X = random.normal(size=(n, random.integers(2, 6)))
    X[: n // 2, 0] += 10
    return X


def lumpy(random: Random, n: int) -> Array:
    """Two to five independent columns, one of two lumps, three to ten deviations."""
    X = random.normal(size=(n, random.integers(2, 6)))
    X[:, 0] += random.uniform(3, 10) * random.integers(0, 2, n)
    return X


def blobs(random: Random, n: int) -> Array:
    """Two groups six standard deviations apart along each of two to five columns."""
    X = random.normal(size=(n, random.integers(2, 6)))
    X[: n // 2] += 6
    return X


def ring(random: Random, n: int) -> Array:
    """Draw a circle with noise of a tenth of its radius."""
    angle = random.uniform(0, 2 * np.pi, n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return circle + 0.1 * random.normal(size=(n, 2))


def rings(random: Random, n: int) -> Array:
    """Two circles."""
    seed = int(random.integers(2**31))
    return make_circles(n, factor=0.4, noise=0.08, random_state=seed)[0]


def moons(random: Random, n: int) -> Array:
    """Two half circles."""
    seed = int(random.integers(2**31))
    return make_moons(n, noise=0.1, random_state=seed)[0]


def binary(random: Random, n: int) -> Array:
    """Two to five columns of 0 and 1."""
    return random.integers(0, 2, (n, random.integers(2, 6))).astype(float)


def counts(random: Random, n: int) -> Array:
    """Two columns of counts, 2 on average."""
    return random.poisson(2.0, (n, 2)).astype(float)


GROUPS = "beyond chance", "column", "grid"


def _claims_groups(draw: Draw, **how: bool) -> Callable[[Random], bool]:
    return lambda random: any(key in GROUPS for key in keys(random, draw, **how))


def _claims_alone(draw: Draw) -> Callable[[Random], bool]:
    def is_made(random: Random) -> bool:
        return any(
            claim.text.startswith("Two groups, in column “x1” alone (dip test, p")
            for claim in claims(random, draw)
        )

    return is_made


def _claims(key: str, draw: Draw, **how: bool) -> Callable[[Random], bool]:
    return lambda random: key in keys(random, draw, **how)


NOTHING = {
    "independent noise": noise,
    "uniform square": square,
    "correlated Gaussian, 0.9": correlated,
    "points on a line": line,
}
BEYOND = {
    "blobs, 6 sd along all columns": blobs,
    "ring, noise 0.1": ring,
    "two rings, noise 0.08": rings,
    "moons, noise 0.1": moons,
}
GRID = {"2 to 5 binary columns": binary, "2 columns of counts": counts}
ONE = "blobs, 10 sd in one of 2 to 5 columns"
LUMPY = "independent, one column of two lumps, 3 to 10 sd"
MEDIAN = ", γ by the median"

CASES = (
    *(
        Case("groups: any", data, False, _claims_groups(draw))
        for data, draw in NOTHING.items()
    ),
    Case("groups: in that column alone", ONE, True, _claims_alone(one_column)),
    Case("groups: chance", ONE, False, _claims("chance", one_column)),
    Case("groups: beyond chance", ONE, False, _claims("beyond chance", one_column)),
    Case("groups: beyond chance", LUMPY, False, _claims("beyond chance", lumpy)),
    *(
        Case("groups: beyond chance", data, True, _claims("beyond chance", draw))
        for data, draw in BEYOND.items()
    ),
    *(
        Case("groups: by the grid", data, True, _claims("grid", draw))
        for data, draw in GRID.items()
    ),
    *(
        Case("groups: any", data + MEDIAN, False, _claims_groups(draw, by_median=True))
        for data, draw in NOTHING.items()
    ),
    *(
        Case(
            "groups: beyond chance",
            data + MEDIAN,
            True,
            _claims("beyond chance", draw, by_median=True),
        )
        for data, draw in BEYOND.items()
    ),
)
