"""What rows are told apart by, and which rows and folds that leaves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.kernel_prediction import (
    HeldOut,
    held_out_classes,
    held_out_target,
)
from kpca_viewer.core.methods.quality import MOST_ROWS, sample_rows
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import counted

Array = NDArray[Any]


LARGEST = 1e100
"""Whose squares can be added up, many times over."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """Rows with folds, and what had to be left out for them."""

    rows: Array
    """Shape (m,). Which rows take part, ascending."""
    held_out: HeldOut | None
    """None where nothing can be predicted."""
    notes: tuple[str, ...] = ()
    """What could not be asked, a sentence each."""


def of_classes(y: Array, folds: int, repeats: int | None, seed: int) -> Outcome:
    """Return the folds of classes (n,), of which some rows may have none.

    Classes of one row are left out, and small ones make fewer folds. Where less than
    two classes are left, there is nothing to tell apart.
    """
    everybody = np.arange(len(y))
    rows = np.flatnonzero(_is_known(y))
    if y.dtype.kind == "O":
        # Numbers beside words have no order.
        y = np.array([str(one) for one in y])
    if not len(rows):
        return Outcome(everybody, None, ("No row has a class.",))
    names, codes, counts = _classes(y[rows])
    notes: list[str] = []
    alone = counts < 2
    if len(names) > 1 and alone.all():
        notes.append(
            "Every row has a class of its own, so that none can be held out; rows are "
            "compared without classes."
        )
        return Outcome(everybody, None, tuple(notes))
    if len(names) > 1 and alone.any():
        notes.append(_left_out(names[alone]))
        rows = rows[~alone[codes]]
        names, codes, counts = _classes(y[rows])
    if len(names) < 2:
        notes.append(
            "There is one class only, so that none can be told apart; rows are "
            "compared without classes."
        )
        return Outcome(everybody, None, tuple(notes))
    smallest = int(counts.min())
    if smallest < folds:
        notes.append(
            f"Class “{names[counts.argmin()]}” has {smallest} rows: "
            f"{smallest} folds in the place of {folds}."
        )
    if 2 * len(names) > MOST_ROWS:
        raise DataError(
            f"There are {counted(len(names))} classes, too many to be told apart by "
            f"{counted(MOST_ROWS)} rows; give a coarser column."
        )
    taken, told = _of_every_class(codes, counts, seed)
    rows, codes = rows[taken], codes[taken]
    smallest = int(np.bincount(codes).min())
    held_out = held_out_classes(codes, min(folds, smallest), repeats, seed)
    return Outcome(rows, held_out, (*notes, *told))


def of_target(y: Array, folds: int, repeats: int | None, seed: int) -> Outcome:
    """Return the folds of a quantity (n,), which some rows may not have."""
    try:
        y = np.asarray(y, dtype=np.float64)
    except ValueError:
        raise DataError(
            "The target holds words; give numbers, or the words as classes."
        ) from None
    rows = np.flatnonzero(np.isfinite(y))
    if not len(rows):
        raise DataError("No row has a finite target; give numbers.")
    if np.abs(y[rows]).max() > LARGEST:
        raise DataError(f"The target is too large, beyond {LARGEST:.0e}; divide it.")
    taken, told = _sampled(len(rows), seed)
    rows = rows[taken]
    most = len(rows) // 2
    if 2 <= most < folds:
        told = (*told, f"{len(rows)} rows make {most} folds in the place of {folds}.")
    held_out = held_out_target(y[rows], min(folds, max(most, 2)), repeats, seed)
    return Outcome(rows, held_out, told)


def _classes(y: Array) -> tuple[Array, Array, Array]:
    """Return the classes (c,), the code of every row and the rows of every class.

    In the order in which they come: whatever they are called, folds are the same.
    """
    names, first, codes, counts = np.unique(
        y, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    return names[order], np.argsort(order)[codes], counts[order]


def _sampled(count: int, seed: int) -> tuple[Array, tuple[str, ...]]:
    taken = sample_rows(count, MOST_ROWS, seed)
    if len(taken) == count:
        return taken, ()
    return taken, (_drawn(len(taken), count),)


def _drawn(taken: int, count: int) -> str:
    return (
        f"Scores are of {counted(taken)} rows, drawn at random from {counted(count)}."
    )


def _of_every_class(
    codes: Array, counts: Array, seed: int
) -> tuple[Array, tuple[str, ...]]:
    """Return a sample in which every class has its part, and two rows at least."""
    n = len(codes)
    if n <= MOST_ROWS:
        return np.arange(n), ()
    parts = np.clip(np.round(MOST_ROWS * counts / n), 2, counts)
    order = np.random.default_rng(seed).permutation(n)
    by_class = order[np.argsort(codes[order], kind="stable")]
    # How many of its class come before a row.
    first = np.cumsum(counts) - counts
    place = np.empty(n, dtype=np.int64)
    place[by_class] = np.arange(n) - first[codes[by_class]]
    taken = np.flatnonzero(place < parts[codes])
    return taken, (_drawn(len(taken), n),)


def _is_known(y: Array) -> Array:
    """Whether a row has a class: codes below 0, NaN, None and "" stand for none."""
    if y.dtype.kind in "iu":
        return y >= 0
    if y.dtype.kind == "f":
        return np.isfinite(y)
    return np.array([_is_name(one) for one in y], dtype=bool)


def _is_name(one: object) -> bool:
    try:
        return one is not None and bool(one == one) and one != ""
    except TypeError:
        # What pandas has in the place of a missing word is neither equal nor unequal.
        return False


def _left_out(names: Array) -> str:
    told = ", ".join(f"“{name}”" for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    if len(names) == 1:
        return f"Class {told} has one row, which cannot be held out and learnt from."
    return f"Classes {told}{more} have one row each and are left out."
