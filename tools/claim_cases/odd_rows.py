"""Columns behind odd rows: one cell of a table is wrong, and its column is named."""

from collections.abc import Callable

import numpy as np

from claim_cases import Case
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.outliers.compute import measure_rows
from kpca_viewer.features.outliers.stages import ODD_ROWS, list_rows

Random = np.random.Generator
Draw = Callable[[Random], np.ndarray]


def said(draw: Draw, share: float, *, is_wrong: bool) -> Callable[[Random], bool]:
    """Return whether a column is named first of the row that has a wrong cell in it.

    That is: of the row if it is listed; where it is not, nothing is claimed, and
    another table is drawn. The wrong cell is one of another row, from the other end.

    Parameters
    ----------
    share : float
        Of the oddness that has to be gone.
    is_wrong : bool
        Whether it is the column of the wrong cell, or any other.
    """

    def is_made(random: Random) -> bool:
        while True:
            X = draw(random)
            low, high = np.quantile(X[1:, 0], (0.1, 0.9))
            X[0, 0] = high if X[0, 0] < X[:, 0].mean() else low
            data = DataSettings(scaling="standardise")
            result = analyse(Dataset(X), SessionSettings(data))
            result = result.with_extra(ODD_ROWS, odd := measure_rows(result))
            for row in list_rows(result, odd).rows:
                if row.row == 0:
                    first = row.causes[:1]
                    named = any(c.fall >= share for c in first)
                    return named and (first[0].column == 0) == is_wrong

    return is_made


def lumps(random: Random) -> np.ndarray:
    """Two groups, six deviations apart along each of four columns."""
    n = int(random.integers(60, 201))
    return random.normal(size=(n, 4)) + 6 * random.integers(0, 2, (n, 1))


def correlated(random: Random) -> np.ndarray:
    """Four columns whose correlations are 0.9."""
    n = int(random.integers(60, 201))
    both = 0.9**0.5 * random.normal(size=(n, 1))
    return both + 0.1**0.5 * random.normal(size=(n, 4))


CASES = tuple(
    Case(f"odd rows: {claim}", data, is_wrong, said(draw, 0.5, is_wrong=is_wrong))
    for data, draw in (
        ("two lumps, one cell from the other", lumps),
        ("correlated, 0.9, one cell from the other end", correlated),
    )
    for claim, is_wrong in (
        ("the wrong cell takes half of it away", True),
        ("another one does", False),
    )
)
