"""Two pictures of the same rows, as Compare tells how far they are apart."""

from collections.abc import Callable

import numpy as np

from claim_cases import Case
from kpca_viewer.features.pins.compute import difference
from kpca_viewer.features.pins.text import apart_text

Random = np.random.Generator
Pair = Callable[[Random], tuple[np.ndarray, np.ndarray]]


def said(draw: Pair, *words: str) -> Callable[[Random], bool]:
    """Return whether one of these phrases is in what is said of two pictures."""

    def is_made(random: Random) -> bool:
        text = apart_text(difference(*draw(random)))
        return any(word in text for word in words)

    return is_made


def blurred(noise: float) -> Pair:
    """Return a picture, turned, with noise of a part of its spread on every row."""

    def draw(random: Random) -> tuple[np.ndarray, np.ndarray]:
        A = random.normal(size=(int(random.integers(60, 401)), 2))
        turn = np.linalg.qr(random.normal(size=(2, 2)))[0]
        return A, A @ turn + noise * random.normal(size=A.shape)

    return draw


def independent(random: Random) -> tuple[np.ndarray, np.ndarray]:
    A, B = random.normal(size=(2, int(random.integers(60, 401)), 2))
    return A, B


def few(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Draw two pictures of a few rows that have nothing to do with each other."""
    A, B = random.normal(size=(2, int(random.integers(8, 21)), 2))
    return A, B


def moved(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Draw a picture, and the same with a tenth of the rows somewhere else."""
    A = random.normal(size=(int(random.integers(60, 401)), 2))
    B = A.copy()
    rows = random.random(len(A)) < 0.1
    B[rows] = random.normal(size=(int(rows.sum()), 2))
    return A, B


SAME, DETAILS, OTHER = "almost the same", "in details only", "show different things"
NEAR = "hardly who is near whom"
ALMOST, LITTLE = "pictures are almost the same", "pictures differ in details at most"

CASES = (
    Case(ALMOST, "noise of 0.1 % of the spread", True, said(blurred(0.001), SAME)),
    Case(ALMOST, "noise of 5 % of the spread", False, said(blurred(0.05), SAME)),
    Case(ALMOST, "a tenth of the rows elsewhere", False, said(moved, SAME)),
    Case(
        LITTLE, "noise of 1 % of the spread", True, said(blurred(0.01), SAME, DETAILS)
    ),
    Case(
        LITTLE, "noise of 20 % of the spread", False, said(blurred(0.2), SAME, DETAILS)
    ),
    Case(LITTLE, "a tenth of the rows elsewhere", False, said(moved, SAME, DETAILS)),
    Case(LITTLE, "other rows", False, said(independent, SAME, DETAILS)),
    Case(
        "pictures share neighbours",
        "8 to 20 other rows",
        False,
        said(few, NEAR, SAME, DETAILS),
    ),
    Case("pictures are different", "other rows", True, said(independent, OTHER)),
    Case(
        "pictures are different",
        "noise of 20 % of the spread",
        False,
        said(blurred(0.2), OTHER),
    ),
)
