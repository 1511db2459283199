"""Random data that are like a table in all but its structure."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Draw = Callable[[np.random.Generator], Array]

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


def nulls_of(X: Array) -> tuple[Null, ...]:
    """Return the nulls that say something about a table (n, d).

    One column that is permuted has the same values as before: every picture of it is
    the picture of the data.
    """
    return ("permuted", "gaussian") if varying_columns(X).sum() > 1 else ("gaussian",)


def draws_of(
    X: Array, null: Null, count: int, seed: int = 0, *, grid: Array | None = None
) -> Iterator[Array]:
    """Draw tables (n, d) like another one, each by a generator of its own.

    The columns in ``grid`` (d,) keep their values in a Gaussian too, in its order: what
    a grid makes is no structure.
    """
    make = _permuting(X) if null == "permuted" else _gaussian(X)
    kept = () if grid is None else np.flatnonzero(grid)
    values = np.sort(X, axis=0)
    for child in np.random.SeedSequence(seed).spawn(count):
        drawn = make(np.random.default_rng(child))
        for j in kept:
            drawn[np.argsort(drawn[:, j], kind="stable"), j] = values[:, j]
        yield drawn


def _permuting(X: Array) -> Draw:
    return lambda random: random.permuted(X, axis=0)


def _gaussian(X: Array) -> Draw:
    """Draw rows with the mean and the covariance of X (n, d).

    ``R`` of the centred rows has their covariance, in as many rows as they have rank.
    """
    mean, n = X.mean(axis=0), len(X)
    R = np.linalg.qr(X - mean, mode="r") / np.sqrt(n)
    return lambda random: mean + random.standard_normal((len(R), n)).T @ R
