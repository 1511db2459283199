"""Kernel PCA against linear PCA, by the settings with which data open in the window."""

from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_circles

from claim_cases import Case
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.claims.verdict import verdict
from kpca_viewer.engine.comparison import compare

Draw = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]
Random = np.random.Generator


def said(draw: Draw, *keys: str) -> Callable[[Random], bool]:
    """Return whether one of these claims is made of what is drawn."""

    def is_made(random: Random) -> bool:
        result = analyse(Dataset(*draw(random)))
        claim = verdict(result.comparison)
        return claim is not None and claim.key in keys

    return is_made


def _size(random: Random) -> int:
    return int(random.integers(60, 401))


def noise(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Classes that have nothing to do with the columns."""
    n = _size(random)
    return random.normal(size=(n, 4)), random.integers(0, 2, n)


def rare_noise(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Draw the same, with 1 row of 10 in the second class."""
    n = _size(random)
    return random.normal(size=(n, 4)), (np.arange(n) % 10 == 0).astype(int)


def blobs(distance: float, share: float = 0.5) -> Draw:
    """Two Gaussian classes so many deviations apart: a line is as good as can be."""

    def draw(random: Random) -> tuple[np.ndarray, np.ndarray]:
        n = _size(random)
        y = (np.arange(n) < max(share * n, 10)).astype(int)
        X = random.normal(size=(n, 4))
        X[:, 0] += distance * y
        return X, y

    return draw


def small_centre(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Draw a quarter of the rows in the middle of a ring."""
    n = _size(random)
    y = (np.arange(n) < n // 4).astype(int)
    angle = random.uniform(0, 2 * np.pi, n)
    radius = np.where(y == 1, 0.2, 1.0)
    X = radius[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    return X + 0.07 * random.normal(size=(n, 2)), y


def circles(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Rings that no line separates."""
    seed = int(random.integers(2**31))
    return make_circles(_size(random), factor=0.3, noise=0.05, random_state=seed)


def near(make: Callable[[Random], tuple[np.ndarray, ...]], *keys: str) -> Callable:
    """Return whether a claim is made of rows without classes and two pictures."""

    def is_made(random: Random) -> bool:
        original, ours, theirs = make(random)
        claim = verdict(compare(ours, theirs, original, None))
        return claim is not None and claim.key in keys

    return is_made


def as_good(random: Random) -> bool:
    """Return whether one is called better of two pictures that find classes as well.

    A class of 4 %, two deviations apart; or three times as wide and 3.43 apart, of
    which fewer are found and fewer others taken for it: 84 % balanced accuracy of both.
    """
    n = int(random.integers(200, 601))
    y = (np.arange(n) % 25 == 0).astype(int)
    X = random.normal(size=(n, 2))
    ours, theirs = X + 2.0 * y[:, None] * (1, 0), X * (1 + 2 * y)[:, None]
    theirs[:, 0] += 3.43 * y
    claim = verdict(compare(ours, theirs, X, y))
    return claim is not None and claim.key in (BETTER, "linear better")


def exchanged(random: Random) -> tuple[np.ndarray, ...]:
    """Two columns each of four independent ones: neither picture is the better one."""
    X = random.normal(size=(_size(random), 4))
    return X, X[:, :2], X[:, 2:]


def blurred(random: Random) -> tuple[np.ndarray, ...]:
    """Draw the same two columns, blurred a little and by half of their spread."""
    X = random.normal(size=(_size(random), 4)) * (1, 1, 0.2, 0.2)
    noise = random.normal(size=(2, len(X), 2))
    return X, X[:, :2] + 0.1 * noise[0], X[:, :2] + 0.5 * noise[1]


def swapped(random: Random) -> tuple[np.ndarray, ...]:
    X, ours, theirs = blurred(random)
    return X, theirs, ours


def without_classes(draw: Callable[[Random], np.ndarray], *keys: str) -> Callable:
    """Return whether a claim is made of a table without classes, as it opens."""

    def is_made(random: Random) -> bool:
        claim = verdict(analyse(Dataset(draw(random))).comparison)
        return claim is not None and claim.key in keys

    return is_made


def plane(random: Random) -> np.ndarray:
    """Draw six columns of a plane with noise: PCA cannot be bettered."""
    X = random.normal(size=(_size(random), 2)) @ random.normal(size=(2, 6))
    return X + 0.3 * random.normal(size=X.shape)


BETTER, ENOUGH = "kernel better", "linear enough"
NEAR = "one keeps neighbourhoods better"
KEPT = "kernel neighbourhoods", "linear neighbourhoods"
ANY = (BETTER, ENOUGH, "linear better", "alike", "mixed")

CASES = (
    Case("kernel better", "random classes", False, said(noise, BETTER)),
    Case("classes are separated", "random classes", False, said(noise, *ANY)),
    Case("classes are separated", "random rare class", False, said(rare_noise, *ANY)),
    Case("kernel better", "blobs 2 apart", False, said(blobs(2), BETTER)),
    Case("kernel better", "blobs 2 apart, 1 : 9", False, said(blobs(2, 0.1), BETTER)),
    Case("one is better", "both as good, 1 : 24", False, as_good),
    Case("linear enough", "blobs 2 apart, 1 : 9", False, said(blobs(2, 0.1), ENOUGH)),
    Case("linear enough", "circles", False, said(circles, ENOUGH)),
    Case("linear enough", "centre of a ring, 1 : 3", False, said(small_centre, ENOUGH)),
    Case("kernel better", "circles", True, said(circles, BETTER)),
    Case("kernel better", "centre of a ring, 1 : 3", True, said(small_centre, BETTER)),
    Case("linear enough", "blobs 6 apart", True, said(blobs(6), ENOUGH)),
    Case("linear enough", "blobs 6 apart, 1 : 9", True, said(blobs(6, 0.1), ENOUGH)),
    Case(NEAR, "two of four columns, two others", False, near(exchanged, *KEPT)),
    Case(NEAR, "the kernel less blurred", True, near(blurred, KEPT[0])),
    Case(NEAR, "plain PCA less blurred", True, near(swapped, KEPT[1])),
    Case(NEAR, "a plane: the kernel", False, without_classes(plane, KEPT[0])),
)
