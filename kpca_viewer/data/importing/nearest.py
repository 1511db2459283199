"""Gaps filled by what the nearest rows hold."""

from collections.abc import Sequence

import numpy as np

from kpca_viewer.data.table import FloatArray
from kpca_viewer.support.errors import DataError

NEIGHBOURS = 5
"""Whose mean fills a gap; scikit-learn's default."""

MOST_COMPARISONS = 2e8
"""Gaps × rows at most, which takes about ten seconds: for every column with gaps the
nearest of the rows that have it are looked for."""


def fill_by_nearest(points: FloatArray, words: Sequence[slice] = ()) -> FloatArray:
    """Return points (n, d) with their gaps filled by scikit-learn's `KNNImputer`.

    Rows are near by the columns that both have, each divided by its standard deviation,
    lest the column of the largest unit decide.

    Parameters
    ----------
    words : sequence of slice
        Columns of 0 and 1 that stand for one column of words: the most frequent word
        of the neighbours fills the gap.

    Raises
    ------
    DataError
        If that would take too long.
    """
    gaps = np.isnan(points)
    count = int(gaps.sum())
    if count * len(points) > MOST_COMPARISONS:
        raise DataError(
            f"To look for the nearest of {len(points):,} rows for {count:,} gaps would "
            "take too long; fill them by the median, or draw a sample."
        )
    from sklearn.impute import KNNImputer

    spread = np.nanstd(points, axis=0)
    spread[~(spread > 0)] = 1.0
    imputer = KNNImputer(n_neighbors=NEIGHBOURS, keep_empty_features=True)
    filled: FloatArray = imputer.fit_transform(points / spread) * spread
    for part in words:
        rows = gaps[:, part.start]
        found = filled[rows, part].argmax(axis=1)
        filled[rows, part] = np.eye(part.stop - part.start)[found]
    # Multiplied back, a number would differ from that of the file in its last digit.
    return np.where(gaps, filled, points)
