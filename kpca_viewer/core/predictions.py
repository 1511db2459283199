"""Classes that were predicted for held-out rows, beside the true ones."""

from dataclasses import dataclass
from functools import cached_property
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Predictions:
    """The true and the predicted class of every row, as codes 0 … C − 1, each (n,)."""

    true: Array
    predicted: Array
    labels: Array | None = None
    """What each code stands for, (C,)."""

    @cached_property
    def right(self) -> Array:
        """Whether each row was given its own class, (n,)."""
        right: Array = self.true == self.predicted
        return right

    @cached_property
    def sizes(self) -> Array:
        """How many rows each class has, (C,)."""
        return np.bincount(self.true)

    @cached_property
    def recalls(self) -> Array:
        """Share of the rows of each class that were given it, (C,)."""
        recalls: Array = np.bincount(self.true, weights=self.right) / self.sizes
        return recalls

    @property
    def balanced_accuracy(self) -> float:
        """Mean of the recalls: 1 / C for any guess that does not look at the rows."""
        return float(self.recalls.mean())

    @property
    def balanced_guessing(self) -> float:
        return 1 / len(self.sizes)

    @property
    def deviations(self) -> float:
        """By how many standard deviations the balanced accuracy exceeds guessing.

        The deviation is that over all ways to deal the predictions out to the rows
        (Hoeffding, 1951): it counts how rare the classes and their predictions are.
        """
        n, classes = len(self.true), len(self.sizes)
        predicted = np.bincount(self.predicted, minlength=classes)
        # weight[c, g] of a row of class c for which g is predicted, doubly centred.
        weight = np.diag(1 / (classes * self.sizes))
        rows, columns = self.sizes / n, predicted / n
        centred = weight - (weight @ columns)[:, None] - rows @ weight
        centred += rows @ weight @ columns
        variance = float(self.sizes @ np.square(centred) @ predicted) / max(n - 1, 1)
        gain = self.balanced_accuracy - self.balanced_guessing
        return gain / sqrt(variance) if variance > 0 else 0.0


def mcnemar(ours: Array, theirs: Array) -> float:
    """Return the p-value of two classifiers that are right for as many rows, (n,) each.

    Exact and two-sided (McNemar, 1947): of the rows that only one of them gets right,
    either has half.
    """
    only_ours = int((ours & ~theirs).sum())
    only_theirs = int((theirs & ~ours).sum())
    n, few = only_ours + only_theirs, min(only_ours, only_theirs)
    if n > 1000:
        from math import erfc

        return erfc(max(abs(only_ours - only_theirs) - 1, 0) / sqrt(2 * n))
    tail = sum(comb(n, k) for k in range(few + 1))
    return min(1.0, 2 * tail / 2**n)
