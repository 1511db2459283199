"""The two points whose kernel value is computed both ways."""

from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import Pair

Array = NDArray[Any]

STEPS = 100
"""Parts of the data's extent to which places are rounded at the beginning: few digits
are read more easily than many."""


def first_pair(dataset: Dataset) -> Pair:
    """Return two places to begin with: rows of two classes, nearly."""
    first, second = first_rows(dataset)
    decimals = _decimals(float(dataset.extents.max()) if dataset.n else 0.0)
    (x, y), (z, w) = np.round(dataset.points[[first, second]], decimals).tolist()
    return (x, y), (z, w)


def first_rows(dataset: Dataset, selection: Array | None = None) -> tuple[int, int]:
    """Return two rows: those selected, or of different classes, or the first and last.

    Parameters
    ----------
    selection : array of shape (n,), optional
        Mask; taken where it holds just two rows.
    """
    if selection is not None and np.count_nonzero(selection) == 2:
        first, second = np.flatnonzero(selection)
        return int(first), int(second)
    labels = dataset.labels
    if labels is not None:
        others = np.flatnonzero(labels != labels[0])
        if others.size:
            return 0, int(others[0])
    return 0, dataset.n - 1


def _decimals(extent: float) -> int:
    return 2 if extent <= 0 else max(0, floor(log10(STEPS / extent)) + 1)
