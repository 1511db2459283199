"""Columns beside themselves in random order, as the page and the report judge them."""

from collections.abc import Callable

import numpy as np

from claim_cases import Case
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.columns.compute import measure_columns
from kpca_viewer.features.columns.evidence import Comparison, halve
from kpca_viewer.features.columns.stages import TOLD_APART, find_columns
from kpca_viewer.features.columns.text import MORE, TOLD, what_moves
from kpca_viewer.support.progress import never, silent

Random = np.random.Generator
Draw = Callable[[Random], np.ndarray]


def any_said(
    draw: Draw, family: str, scaling: str = "standardise"
) -> Callable[[Random], bool]:
    """Return whether the sentence about the picture says that a column has more."""
    return lambda random: _claim(draw(random), family, scaling).key == TOLD


def none_said(draw: Draw, family: str) -> Callable[[Random], bool]:
    """Return whether that sentence says of any component that no column has more."""

    def is_made(random: Random) -> bool:
        return f"No column has {MORE}" in _claim(draw(random), family).text

    return is_made


def _claim(X: np.ndarray, family: str, scaling: str = "standardise") -> Claim:
    result = _analysed(X, family, scaling)
    *_, found = find_columns(result, StageCache(), never, silent)
    return what_moves(found.ranked(result.settings.view))


def said(
    draw: Draw, family: str, column: int, **values: float
) -> Callable[[Random], bool]:
    """Return whether a column has clearly more in the picture."""

    def is_made(random: Random) -> bool:
        result = _analysed(draw(random), family, **values)
        measured = measure_columns(result, units="spread")
        comparison = Comparison(result, measured.components)
        comparison.settle(measured, column)
        ranked = measured.ranked(None, comparison.null())
        return any(c.column == column and c.stands_out for c in ranked.columns)

    return is_made


def longer(draw: Draw, family: str) -> Callable[[Random], bool]:
    """Return whether the bar of the first column or the second is the longer one."""

    def is_made(random: Random) -> bool:
        kernel = KernelSettings(family)
        result = analyse(Dataset(draw(random)), SessionSettings(kernel=kernel))
        measured = measure_columns(result, [0], units="spread")
        halves = halve(result, (0,), np.arange(2))
        assert halves is not None
        _, between = halves.errors((0,), "spread")
        first, second = measured.influence.rms[0, :2]
        return bool(abs(first - second) >= TOLD_APART * between[0, 1])

    return is_made


def alike(weight: float) -> Draw:
    """Return four columns of one factor, of which the second has a weight."""

    def draw(random: Random) -> np.ndarray:
        n = _size(random)
        X = 0.5 * random.normal(size=(n, 5))
        X[:, :4] += random.normal(size=(n, 1)) * (1, weight, 1, 1)
        return X

    return draw


def _analysed(
    X: np.ndarray, family: str, scaling: str = "standardise", **values: float
) -> AnalysisResult:
    kernel = KernelSettings(family, as_values(values))
    data = DataSettings(scaling=scaling)
    return analyse(Dataset(X), SessionSettings(data, kernel))


def _size(random: Random) -> int:
    return int(random.integers(40, 161))


def factor(random: Random) -> np.ndarray:
    """Ten columns of one factor, five of noise: PC 1 carries it, PC 2 is noise."""
    n = _size(random)
    X = random.normal(size=(n, 15))
    X[:, :10] += random.normal(size=(n, 1))
    return X


def groups(random: Random) -> np.ndarray:
    """Three columns of two groups, one of these binary, and three of noise."""
    n = _size(random)
    y = random.integers(0, 2, n)
    X = random.normal(size=(n, 6))
    X[:, :2] += 2.5 * y[:, None]
    X[:, 2] = y ^ (random.random(n) < 0.1)
    return X


def species(random: Random) -> np.ndarray:
    """Three lumps in four columns, as bills, flippers and masses of penguins have."""
    centres = [(-0.9, 0.6, -0.8, -0.7), (0.9, 0.6, -0.4, -0.6), (0.6, -1.1, 1.1, 1.1)]
    n = 2 * _size(random)
    y = random.integers(0, 3, n)
    return np.array(centres)[y] + 0.5 * random.normal(size=(n, 4))


def normal(random: Random) -> np.ndarray:
    """Independent normal columns."""
    return random.normal(size=(_size(random), int(random.integers(2, 9))))


def unequal(random: Random) -> np.ndarray:
    """Independent normal columns, of which one is two to five times as wide."""
    X = normal(random)
    X[:, 0] *= random.uniform(2, 5)
    return X


def lumpy(random: Random) -> np.ndarray:
    """Independent columns, of which one has two lumps, six deviations apart."""
    X = normal(random)
    X[:, 0] += 6 * random.integers(0, 2, len(X))
    return X


def binary(random: Random) -> np.ndarray:
    """Two of six independent columns are binary, one of them mostly 0."""
    X = random.normal(size=(_size(random), 6))
    X[:, :2] = random.random((len(X), 2)) < (0.5, 0.15)
    return X


def counts(random: Random) -> np.ndarray:
    """Independent counts, of small means."""
    means = random.uniform(0.5, 4, 5)
    return random.poisson(means, (_size(random), 5)).astype(float)


def heavy(random: Random) -> np.ndarray:
    """Two of six independent columns have heavy tails, one of them to one side."""
    X = random.normal(size=(_size(random), 6))
    X[:, 0] = random.standard_t(2, len(X))
    X[:, 1] = random.lognormal(0, 1, len(X))
    return X


ANY = "any of the columns has clearly more"
ONE = "one of the columns has clearly more"
NONE = "no column has clearly more"
BAR = "one of two bars is longer"


def _of_family(family: str, title: str) -> tuple[Case, ...]:
    nothing = {"normal": normal, "binary": binary, "counts": counts}
    nothing["heavy tails"] = heavy
    beside = (
        ("noise beside ten of a factor", False, factor, 12),
        ("noise beside three of groups", False, groups, 4),
        ("one of ten of a factor", True, factor, 4),
        ("one of three of groups", True, groups, 0),
        ("a binary one of groups", True, groups, 2),
    )
    return (
        *(
            Case(ANY, f"independent {kind}, {title}", False, any_said(draw, family))
            for kind, draw in nothing.items()
        ),
        *(
            Case(ANY, f"{data}, {title}", False, any_said(draw, family, "none"))
            for data, draw in (
                ("independent, one 2 to 5 times as wide", unequal),
                ("independent, one of two lumps", lumpy),
            )
        ),
        *(
            Case(NONE, f"{data}, {title}", is_true, none_said(draw, family))
            for data, is_true, draw in (
                ("independent normal", True, normal),
                ("ten of a factor", False, factor),
                ("three lumps, as penguins", False, species),
            )
        ),
        *(
            Case(ONE, f"{data}, {title}", is_true, said(draw, family, column))
            for data, is_true, draw, column in beside
        ),
    )


CASES = (
    *_of_family("rbf", "RBF"),
    *_of_family("linear", "linear"),
    Case(ONE, "flipper, RBF γ = 0.274", True, said(species, "rbf", 2, gamma=0.274)),
    Case(ONE, "flipper, linear", True, said(species, "linear", 2)),
    *(
        Case(BAR, f"{data}, {title}", is_true, longer(alike(weight), family))
        for family, title in (("rbf", "RBF"), ("linear", "linear"))
        for data, weight, is_true in (("as long", 1, False), ("0.6 times", 0.6, True))
    ),
)
