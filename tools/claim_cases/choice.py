"""Which kernel and γ to take: what is recommended, and where it must not be."""

from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_wine, make_circles, make_moons

from claim_cases import Case
from kpca_viewer import choose
from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.core.methods.kernel_suggestion import suggested
from kpca_viewer.engine.claims.choice import verdict
from kpca_viewer.support.errors import DataError

Draw = Callable[[np.random.Generator], dict[str, np.ndarray]]
Random = np.random.Generator


def said(draw: Draw, *, curved: bool = False) -> Callable[[Random], bool]:
    """Return whether a setting, or a curved one, is recommended for what is drawn.

    By the full search, as the window runs it: all kernels, up to ten components.
    """

    def is_made(random: Random) -> bool:
        try:
            found: Choice = choose(**draw(random), threads=1)
        except DataError:
            # Refused, since no two halves of the rows agree.
            return False
        wanted = not (curved and found.chosen.line.is_linear)
        return wanted and verdict(found).key == "use"

    return is_made


def _size(random: Random) -> int:
    return int(random.integers(60, 101))


def noise(random: Random) -> dict[str, np.ndarray]:
    """Classes that have nothing to do with the columns."""
    n = _size(random)
    return {"X": random.normal(size=(n, 4)), "y": random.integers(0, 2, n)}


def rare_noise(random: Random) -> dict[str, np.ndarray]:
    """Draw the same, with 4 % of the rows in the second class."""
    n = 120 + _size(random)
    return {"X": random.normal(size=(n, 4)), "y": np.arange(n) % 25 == 0}


def target_noise(random: Random) -> dict[str, np.ndarray]:
    """Draw a target that has nothing to do with the columns."""
    n = _size(random)
    return {"X": random.normal(size=(n, 4)), "target": random.normal(size=n)}


def independent(random: Random) -> dict[str, np.ndarray]:
    """Columns without classes that have nothing to do with each other."""
    return {"X": random.normal(size=(_size(random), 4))}


def circles(random: Random) -> dict[str, np.ndarray]:
    """Rings that no line separates."""
    seed = int(random.integers(2**31))
    X, y = make_circles(_size(random), factor=0.3, noise=0.05, random_state=seed)
    return {"X": X, "y": y}


def moons(random: Random) -> dict[str, np.ndarray]:
    """Half-moons around each other."""
    seed = int(random.integers(2**31))
    X, y = make_moons(_size(random), noise=0.15, random_state=seed)
    return {"X": X, "y": y}


def wine(random: Random) -> dict[str, np.ndarray]:
    """Rows of wine, drawn again; any setting is right that is recommended."""
    X, y = load_wine(return_X_y=True)
    rows = random.permutation(len(X))[: _size(random)]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return {"X": X[rows], "y": y[rows]}


def by_classes(draw: Draw) -> Callable[[Random], bool]:
    """Return whether a γ is suggested by the classes of what is drawn."""
    return lambda random: suggested("rbf", **draw(random)).judged


BY_CLASSES = "γ by held-out classes"
USE, CURVED = "a choice is recommended", "a curved choice is recommended"
CASES = (
    Case(USE, "random classes, n 60 … 100", False, said(noise)),
    Case(CURVED, "choice of circles, n 60 … 100", True, said(circles, curved=True)),
    Case(USE, "independent columns, n 60 … 100", False, said(independent)),
    Case(USE, "choice of moons, n 60 … 100", True, said(moons)),
    Case(USE, "random target, n 60 … 100", False, said(target_noise)),
    Case(USE, "choice of wine, n 60 … 100", True, said(wine)),
    Case(USE, "random class of 4 %, n 180 … 220", False, said(rare_noise)),
    *(
        Case(BY_CLASSES, data, is_true, by_classes(draw))
        for data, draw, is_true in (
            ("random classes, n 60 … 100", noise, False),
            ("random class of 4 %, n 180 … 220", rare_noise, False),
            ("circles, n 60 … 100", circles, True),
            ("moons, n 60 … 100", moons, True),
        )
    ),
)
