"""Classes that were predicted for held-out rows, beside the true ones."""

from dataclasses import dataclass
from functools import cached_property
from math import comb, erfc, sqrt

import numpy as np

from kpca_viewer.support.arrays import Array

RIDGE = 1e-9
"""Added to the mean scatter within classes, in squared spreads of a component."""

MOST_SCORES = 2_000_000
"""Discriminants of rows, folds and classes that are in memory at once: 16 MB."""

MOST_EXACT = 1000
"""Rows up to which binomial coefficients are added up."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """The true and the predicted class of every row, as codes 0 … C − 1.

    Predicted are (n,), or (r, n) where the rows were dealt into folds r times: a number
    that one dealing gives is as much luck as one row of the data.
    """

    true: Array
    predicted: Array
    labels: Array | None = None
    """What each code stands for, (C,)."""

    @cached_property
    def right(self) -> Array:
        """Whether each row was given its own class, or how often: a share, (n,)."""
        right: Array = self.true == self.predicted
        return right if right.ndim == 1 else right.mean(axis=0)

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
    def false_alarms(self) -> Array:
        """How many rows of other classes were given to each class, on average, (C,)."""
        given = np.bincount(self.predicted.ravel(), minlength=len(self.sizes))
        alarms: Array = given * (len(self.true) / self.predicted.size)
        return alarms - self.recalls * self.sizes

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
        counts = np.bincount(self.predicted.ravel(), minlength=classes)
        predicted = counts * (n / self.predicted.size)
        # weight[c, g] of a row of class c for which g is predicted, doubly centred.
        weight = np.diag(1 / (classes * self.sizes))
        rows, columns = self.sizes / n, predicted / n
        centred = weight - (weight @ columns)[:, None] - rows @ weight
        centred += rows @ weight @ columns
        variance = float(self.sizes @ np.square(centred) @ predicted) / max(n - 1, 1)
        gain = self.balanced_accuracy - self.balanced_guessing
        return gain / sqrt(variance) if variance > 0 else 0.0


def predict_repeatedly(
    Z: Array, codes: Array, folds: Array, *, balanced: bool = True
) -> Predictions:
    """Predict the class of every row (n, k) once in each of several dealings (r, n).

    By linear discriminants of the other folds: they take one small solve instead of an
    iteration, and unlike least squares to targets do not overlook a class that lies
    between two others. Dealings are solved together, as many as `MOST_SCORES` allows,
    from sums over the cells of class and fold: this is done while a slider is dragged.

    ``balanced``: whether one class is as probable as the other, or each as it is
    frequent: a rare class is then given to hardly a row.
    """
    classes, count = int(codes.max()) + 1, int(folds.max()) + 1
    spread = Z.std(axis=0)
    A = (Z - Z.mean(axis=0)) / np.where(spread > 0, spread, 1)
    together = max(1, MOST_SCORES // (len(A) * count * classes))
    parts = [
        _predicted(A, codes, folds[first : first + together], count, classes, balanced)
        for first in range(0, len(folds), together)
    ]
    return Predictions(codes, np.concatenate(parts))


def _predicted(
    A: Array, codes: Array, folds: Array, count: int, classes: int, balanced: bool
) -> Array:
    """Return the classes (r, n) that r dealings give to scaled scores (n, k)."""
    n, k = A.shape
    repeats = len(folds)
    # The fold of a row among those of all dealings, and its cell there.
    fold = folds + count * np.arange(repeats)[:, None]
    of_fold = np.zeros((n, repeats * count))
    of_cell = np.zeros((n, repeats * count * classes))
    rows = np.arange(n)
    of_fold[rows, fold] = 1
    of_cell[rows, fold * classes + codes] = 1
    shape = (repeats, count, classes)
    sizes = _of_others(of_cell.sum(axis=0).reshape(shape))
    sums = _of_others((of_cell.T @ A).reshape(*shape, k))
    del of_cell
    products = (A[:, :, None] * A[:, None, :]).reshape(n, k * k)
    squares = _of_others((of_fold.T @ products).reshape(repeats, count, k, k))
    means = sums / np.maximum(sizes, 1)[..., None]
    within = squares - np.einsum("rfck,rfcl->rfkl", sums, means)
    within /= sizes.sum(axis=2)[..., None, None]
    # Components with zero scores, or classes that are one point each, would make the
    # scatter singular.
    W = np.linalg.solve(within + RIDGE * np.eye(k), np.swapaxes(means, 2, 3))
    offsets = -np.einsum("rfck,rfkc->rfc", means, W) / 2
    if not balanced:
        offsets += np.log(sizes / sizes.sum(axis=2, keepdims=True))
    scores = A @ np.moveaxis(W, 2, 0).reshape(k, -1) + offsets.ravel()
    scores = scores.reshape(n, repeats * count, classes)
    predicted: Array = scores[rows, fold].argmax(axis=2)
    return predicted


def _of_others(values: Array) -> Array:
    """Return sums over all folds (r, f, …) but each."""
    others: Array = values.sum(axis=1, keepdims=True) - values
    return others


def mcnemar(ours: Array, theirs: Array) -> float:
    """Return the p-value of two classifiers that are right for as many rows, (n,) each.

    Exact and two-sided (McNemar, 1947): of the rows that only one of them gets right,
    either has half. Shares of repeated predictions that are right are tested by the
    normal law with the correction for continuity, as many rows are.
    """
    if ours.dtype == bool and theirs.dtype == bool:
        only_ours = int((ours & ~theirs).sum())
        only_theirs = int((theirs & ~ours).sum())
        n, few = only_ours + only_theirs, min(only_ours, only_theirs)
        if n <= MOST_EXACT:
            tail = sum(comb(n, k) for k in range(few + 1))
            return min(1.0, 2 * tail / 2**n)
    gains = ours.astype(np.float64) - theirs
    squares = float(np.square(gains).sum())
    apart = max(abs(float(gains.sum())) - 1, 0.0)
    return erfc(apart / sqrt(2 * squares)) if apart else 1.0


def balanced_p(ours: Predictions, theirs: Predictions) -> float:
    """Return the p-value of two classifiers of one balanced accuracy.

    By the normal law, where a row counts as its class does: a rare class of few rows
    has the largest part in what is not known. As if in every class one row more told
    them apart (Agresti and Min, 2005): that none of few does is no certainty.
    """
    gains = ours.right.astype(np.float64) - theirs.right
    by_class = np.bincount(ours.true, weights=gains) / ours.sizes
    squares = np.bincount(ours.true, weights=np.square(gains)) + 1
    spread = sqrt(2 * float((squares / np.square(ours.sizes)).sum()))
    return erfc(abs(float(by_class.sum())) / spread)
