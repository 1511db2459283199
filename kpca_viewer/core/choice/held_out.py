"""How well held-out rows are predicted by the first 1 … k scores, all k at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

RIDGE = 1e-9
"""Components with scores of zero would make the scatter singular."""


def discriminant_accuracy(
    known: Array, codes: Array, new: Array, new_codes: Array
) -> Array:
    """Return the balanced accuracy of linear discriminants on 1 … k scores, (k,).

    That is the mean of the shares of every class that are found: with a rare class,
    a guess is right for most rows. With the Cholesky factor of the scatter within
    classes, what a discriminant says of a row is a sum over components, of which each
    adds a term.

    Parameters
    ----------
    known : ndarray of shape (n, k)
    codes : ndarray of shape (n,)
        0, 1, …; each of them is there.
    new : ndarray of shape (m, k)
    new_codes : ndarray of shape (m,)
        Each of them is there, too.
    """
    known, new = _standardised(known, new)
    of = (codes[:, None] == np.arange(int(codes.max()) + 1)).astype(np.float64)
    counts = of.sum(axis=0)
    means = of.T @ known / counts[:, None]
    root = _root(known - means[codes])
    centres = np.linalg.solve(root, means.T)
    rows = np.linalg.solve(root, new.T)
    terms = rows[:, :, None] * centres[:, None, :] - centres[:, None, :] ** 2 / 2
    # One class is as probable as the other: else a rare one is given to hardly a row.
    said = np.cumsum(terms, axis=0)
    of_new = (new_codes[:, None] == np.arange(len(counts))).astype(np.float64)
    right = (said.argmax(axis=2) == new_codes).astype(np.float64)
    recalls: Array = right @ of_new / of_new.sum(axis=0)
    return recalls.mean(axis=1)


def explained_part(known: Array, target: Array, new: Array, new_target: Array) -> Array:
    """Return R² of least squares on the first 1 … k scores for new rows, (k,).

    Parameters
    ----------
    known : ndarray of shape (n, k)
    target : ndarray of shape (n,)
    new : ndarray of shape (m, k)
    new_target : ndarray of shape (m,)
        Measured around the mean of the known ones, as a guess without any score is.
    """
    known, new = _standardised(known, new)
    middle = target.mean()
    root = _root(known)
    slopes = np.linalg.solve(root, known.T @ (target - middle)) / len(known)
    guessed = np.cumsum(np.linalg.solve(root, new.T) * slopes[:, None], axis=0)
    off = new_target - middle
    left: Array = np.square(off - guessed).sum(axis=1)
    total = float(np.square(off).sum())
    return 1 - left / total if total > 0 else np.zeros(len(left))


def _standardised(known: Array, new: Array) -> tuple[Array, Array]:
    middle, spread = known.mean(axis=0), known.std(axis=0)
    spread = np.where(spread > 0, spread, 1)
    return (known - middle) / spread, (new - middle) / spread


def _root(centred: Array) -> Array:
    """Return the Cholesky factor of a scatter: that of fewer columns is part of it."""
    scatter = centred.T @ centred / len(centred)
    return np.linalg.cholesky(scatter + RIDGE * np.eye(len(scatter)))
