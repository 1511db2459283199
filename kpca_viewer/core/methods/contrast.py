"""Which columns tell two groups of rows apart: effect sizes with intervals."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import ShouldStop, check, never

HALVINGS = 60
"""Of an interval of length 1, beyond which nothing changes any more."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two groups of rows beside each other, column by column.

    ``means``, ``other_means`` (d,): of the first and of the second group; ``cohen``
    (d,): cohen's d: difference of the means in pooled standard deviations. Infinite
    where the groups differ and nothing varies inside them, NaN for two single rows;
    ``cohen_interval`` (d, 2); ``auc`` (d,): probability that a row of the first group
    has the larger value; equal values count half. 0.5 where a column says nothing;
    ``auc_interval`` (d, 2); ``clear`` (d,): whether the interval excludes 0.5 also if
    that is asked of all columns at once (Bonferroni); ``constant`` (d,): columns that
    are the same in all these rows; ``sizes``: how many rows each group has;
    ``confidence``: of the intervals.
    """

    means: Array
    other_means: Array
    cohen: Array
    cohen_interval: Array
    auc: Array
    auc_interval: Array
    clear: Array
    constant: Array
    sizes: tuple[int, int]
    confidence: float

    @property
    def cliff(self) -> Array:
        """Cliff's delta, ``2 AUC − 1``: from −1 (always smaller) to 1, shape (d,)."""
        return 2 * self.auc - 1

    @property
    def order(self) -> Array:
        """Columns from the most telling to the least, shape (d,).

        By how well they order the rows; among equals by the distance of the means.
        """
        distance = np.nan_to_num(np.abs(self.cohen), nan=0.0, posinf=np.inf)
        return np.lexsort((-distance, -np.abs(self.cliff), self.constant))


def contrast(
    X: Array,
    group: Array,
    other: Array | None = None,
    *,
    confidence: float = 0.95,
    should_stop: ShouldStop = never,
) -> Contrast:
    """Compare two groups of rows in every column.

    ``X`` (n, d); ``group`` (n,); ``other`` (n,): the second group; all other rows if
    not given.
    """
    other = ~group if other is None else other
    m, n = int(group.sum()), int(other.sum())
    if m == 0:
        raise DataError("No row is selected; select some to compare with the others.")
    if n == 0:
        raise DataError(
            "All rows are selected, and none is left to compare with; select fewer."
        )
    if (group & other).any():
        raise DataError(
            f"{int((group & other).sum())} rows are in both groups; a row can be in "
            "one of them only."
        )
    first, second = X[group], X[other]
    cohen, cohen_interval = _cohen(first, second, confidence)
    auc = np.empty(X.shape[1])
    for columns in row_blocks(X.shape[1], 8 * 3 * (m + n)):
        check(should_stop)
        auc[columns] = _auc(first[:, columns], second[:, columns])
    everywhere = 1 - (1 - confidence) / max(X.shape[1], 1)
    strict = _auc_interval(auc, m, n, everywhere)
    lowest = np.minimum(first.min(axis=0), second.min(axis=0))
    highest = np.maximum(first.max(axis=0), second.max(axis=0))
    return Contrast(
        first.mean(axis=0),
        second.mean(axis=0),
        cohen,
        cohen_interval,
        auc,
        _auc_interval(auc, m, n, confidence),
        (strict[:, 0] > 0.5) | (strict[:, 1] < 0.5),
        lowest == highest,
        (m, n),
        confidence,
    )


def _cohen(first: Array, second: Array, confidence: float) -> tuple[Array, Array]:
    m, n = len(first), len(second)
    difference = first.mean(axis=0) - second.mean(axis=0)
    d = np.full(len(difference), np.nan)
    if m + n > 2:
        squares = m * first.var(axis=0) + n * second.var(axis=0)
        pooled = np.sqrt(squares / (m + n - 2))
        # The mean of equal numbers is one of them but for its last digits.
        size = np.abs(first).max(axis=0) + np.abs(second).max(axis=0)
        difference = np.where(np.abs(difference) > 1e-13 * size, difference, 0.0)
        d = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
        np.divide(difference, pooled, out=d, where=pooled > 1e-13 * size)
    error = np.sqrt((m + n) / (m * n) + np.square(d) / (2 * (m + n)))
    reach = _quantile(confidence) * np.where(np.isinf(d), 0.0, error)
    return d, np.stack((d - reach, d + reach), axis=1)


def _auc(first: Array, second: Array) -> Array:
    """Return P(first > second) + ½ P(equal) of every column, by ranks."""
    from scipy.stats import rankdata  # which takes long to load

    m, n = len(first), len(second)
    ranks = rankdata(np.concatenate((first, second)), axis=0)
    auc: Array = (ranks[:m].sum(axis=0) - m * (m + 1) / 2) / (m * n)
    return auc


def _auc_interval(auc: Array, m: int, n: int, confidence: float) -> Array:
    """Return the interval of Newcombe (2006, method 5), shape (d, 2).

    Its ends are the θ from which the found value is z standard errors away, with the
    error that θ itself would have: like Wilson's for shares it stays inside of 0 … 1
    and has a width where the groups are apart altogether.
    """
    z, pairs = _quantile(confidence), (m + n) / 2

    def error(theta: Array) -> Array:
        inner = (1 - theta) / (2 - theta) + theta / (1 + theta)
        square = theta * (1 - theta) * (1 + (pairs - 1) * inner) / (m * n)
        return np.sqrt(np.maximum(square, 0.0))

    ends = []
    for edge in (0.0, 1.0):
        inside, outside = auc.copy(), np.full_like(auc, edge)
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            near = np.abs(auc - middle) <= z * error(middle)
            inside = np.where(near, middle, inside)
            outside = np.where(near, outside, middle)
        ends.append(inside)
    return np.stack(ends, axis=1)


def _quantile(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)
