"""Rows with filled cells, as tables with gaps open in the window."""

from collections.abc import Callable

import numpy as np

from claim_cases import Case
from kpca_viewer.data.frames import of_arrays
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.claims.filled import about_filled
from kpca_viewer.engine.settings import DataSettings, SessionSettings

Random = np.random.Generator
Draw = Callable[[Random], np.ndarray]


def said(draw: Draw, missing: str = "median") -> Callable[[Random], bool]:
    """Return whether a claim is made of a table that is filled and standardised."""

    def is_made(random: Random) -> bool:
        dataset = of_arrays(draw(random), missing=missing)
        data = DataSettings(scaling="standardise")
        return about_filled(analyse(dataset, SessionSettings(data=data))) is not None

    return is_made


def table(random: Random, n: int = 418) -> np.ndarray:
    """Draw measurements with three common causes, half of them skewed."""
    causes = random.normal(size=(n, 3))
    X = causes @ random.normal(size=(3, 20)) + random.normal(size=(n, 20))
    X[:, ::2] = np.exp(X[:, ::2] / 2)
    return X


def at_random(share: float) -> Draw:
    """Draw a table of which cells are missing at random."""

    def draw(random: Random) -> np.ndarray:
        X = table(random, int(random.integers(100, 501)))
        X[random.random(X.shape) < share] = np.nan
        return X

    return draw


def few(random: Random) -> np.ndarray:
    """Draw a table with ten gaps."""
    X = table(random, int(random.integers(100, 501)))
    rows = random.choice(len(X), 10, replace=False)
    X[rows, random.integers(0, X.shape[1], 10)] = np.nan
    return X


def rows_at_random(random: Random) -> np.ndarray:
    """Draw a table of noise with two columns missing in a quarter of the rows."""
    X = random.normal(size=(int(random.integers(100, 501)), 20))
    rows = random.random(len(X)) < 0.25
    X[rows, :2] = np.nan
    return X


def clinic(random: Random) -> np.ndarray:
    """Draw 418 patients, of whom 106 lack signs and lab values that others have.

    As in a trial of liver disease: one severity, signs that are there or not, skewed
    lab values, and a treatment dealt out at random, for those who took part.
    """
    n = 418
    severity = random.normal(size=n)

    def lab(weight: float) -> np.ndarray:
        return np.exp(0.7 * (weight * severity + random.normal(size=n)))

    def sign(share: float, weight: float) -> np.ndarray:
        drawn = weight * severity + random.normal(size=n)
        return (drawn > np.quantile(drawn, 1 - share)).astype(float)

    always = [lab(w) for w in (-0.5, 1.2, 0.5, -0.3)]
    always += [sign(*how) for how in ((0.4, 0.8), (0.12, 0.0), (0.15, 0.8))]
    always += [w * severity + random.normal(size=n) for w in (0.1, -0.6, 0.4, 0.8)]
    trial = [sign(*how) for how in ((0.49, 0.0), (0.08, 0.8), (0.51, 0.6), (0.29, 0.5))]
    trial += [lab(w) for w in (0.4, 0.7, 0.2, 0.6, 0.4)]
    X = np.column_stack(always + trial)
    X[random.choice(n, 106, replace=False), 11:] = np.nan
    X[random.integers(0, n, 8), random.integers(0, 11, 8)] = np.nan
    return X


CASES = tuple(
    Case("filled rows", data, is_true, said(draw))
    for data, draw, is_true in (
        ("1 % of the cells missing at random", at_random(0.01), False),
        ("5 % of the cells missing at random", at_random(0.05), False),
        ("10 gaps", few, False),
        ("noise, 2 of 20 columns missing in 25 % of rows", rows_at_random, False),
        ("9 of 20 columns missing in 106 of 418 rows", clinic, True),
    )
)
