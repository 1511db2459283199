"""Random data that are like a table in all but its structure."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

Null = Literal["permuted", "gaussian"]
"""Columns permuted independently, which keeps each of them and nothing between them; or
a Gaussian, which keeps mean and covariance and nothing else."""

CONSTANT = 1e-12
"""Part of its largest value below which the spread of a column is rounding."""


def varying_columns(X: Array) -> Array:
    """Return which columns of a table (n, d) have more than one value, (d,)."""
    spread = X.std(axis=0)
    varying: Array = spread > CONSTANT * np.abs(X).max(axis=0, initial=0.0)
    return varying


def usable(null: Null, X: Array) -> Null:
    """Return the null that says something about a table (n, d).

    One column that is permuted has the same values as before: every picture of it is
    the picture of the data.
    """
    return null if varying_columns(X).sum() > 1 else "gaussian"


def draws_of(X: Array, null: Null, count: int, seed: int = 0) -> Iterator[Array]:
    """Draw tables (n, d) like another one, each by a generator of its own."""
    make = _permuted if null == "permuted" else _gaussian
    for child in np.random.SeedSequence(seed).spawn(count):
        yield make(X, np.random.default_rng(child))


def _permuted(X: Array, random: np.random.Generator) -> Array:
    return random.permuted(X, axis=0)


def _gaussian(X: Array, random: np.random.Generator) -> Array:
    """Draw rows with the mean and the covariance of X (n, d).

    Combinations of the centred rows have it, and no d × d matrix is needed.
    """
    centred = X - X.mean(axis=0)
    weights = random.standard_normal((len(X), len(X)))
    drawn: Array = X.mean(axis=0) + weights @ centred / np.sqrt(len(X))
    return drawn
