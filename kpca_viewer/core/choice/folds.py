"""Who is learnt from and who is held out, and what is to be predicted of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.choice.held_out import discriminant_accuracy, explained_part
from kpca_viewer.core.quality import dealt
from kpca_viewer.support.errors import DataError

Array = NDArray[Any]

FOLDS = 5

ENOUGH_ROWS = 2000
"""Held-out rows, all repeats together, from which on another repeat tells little."""

MOST_REPEATS = 5


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Repeated cross-validation of one outcome."""

    outcome: Array
    """Shape (n,). Classes 0, 1, …, or a quantity."""
    training: Array
    """Shape (folds · repeats, n). Which rows are learnt from."""
    folds: int
    repeats: int
    seed: int
    is_classes: bool

    @property
    def smallest(self) -> int:
        """The least number of rows that is learnt from."""
        return int(self.training.sum(axis=1).min())

    @property
    def chance(self) -> float | None:
        """Balanced accuracy of any guess that does not look at the rows."""
        return 1 / (int(self.outcome.max()) + 1) if self.is_classes else None

    def judged(self, scores: Array, rows: Array) -> Array:
        """Return how well 1 … k scores predict the held-out rows, shape (k,).

        Parameters
        ----------
        scores : ndarray of shape (n, k)
        rows : ndarray of shape (n,)
            Of `training`.
        """
        judge = discriminant_accuracy if self.is_classes else explained_part
        y = self.outcome
        return judge(scores[rows], y[rows], scores[~rows], y[~rows])

    def summed_up(self, judged: Array) -> tuple[Array, Array]:
        """Return mean and standard error, (k,) each, of (folds · repeats, k) scores.

        Training sets overlap, so that scores of folds depend on each other: the
        variance is that of Nadeau and Bengio (2003).
        """
        share = 1 / len(judged) + 1 / (self.folds - 1)
        return judged.mean(axis=0), judged.std(axis=0, ddof=1) * np.sqrt(share)


def held_out_classes(
    codes: Array, folds: int = FOLDS, repeats: int | None = None, seed: int = 0
) -> HeldOut:
    """Deal rows (n,) with codes 0, 1, … into folds that have all classes alike.

    Raises
    ------
    DataError
        If a class has fewer rows than there are folds.
    """
    counts = np.bincount(codes)
    if len(counts) < 2:
        raise DataError("All rows are of one class, so that none can be told apart.")
    if counts.min() < folds:
        raise DataError(
            f"The smallest class has {counts.min()} rows, fewer than {folds} folds; "
            "ask for fewer folds."
        )
    return _dealt(codes, codes, folds, repeats, seed, is_classes=True)


def held_out_target(
    target: Array, folds: int = FOLDS, repeats: int | None = None, seed: int = 0
) -> HeldOut:
    """Deal rows (n,) into folds that predict a quantity.

    Raises
    ------
    DataError
        If there are too few rows, or the quantity is the same for all of them.
    """
    if len(target) < 2 * folds:
        raise DataError(
            f"{len(target)} rows are too few for {folds} folds; ask for fewer folds."
        )
    if not np.ptp(target) > 0:
        raise DataError("The target is the same for all rows: nothing depends on it.")
    alike = np.zeros(len(target), dtype=np.int64)
    return _dealt(target, alike, folds, repeats, seed, is_classes=False)


def _dealt(
    outcome: Array,
    codes: Array,
    folds: int,
    repeats: int | None,
    seed: int,
    *,
    is_classes: bool,
) -> HeldOut:
    if folds < 2:
        raise DataError(f"{folds} folds hold nothing out; ask for 2 or more.")
    count = usual_repeats(len(codes)) if repeats is None else repeats
    if count < 1:
        raise DataError(f"{count} repeats are none; ask for 1 or more.")
    hands = [dealt(codes, folds, (seed, repeat)) for repeat in range(count)]
    training = np.array([hand != fold for hand in hands for fold in range(folds)])
    return HeldOut(outcome, training, folds, count, seed, is_classes)


def usual_repeats(n: int) -> int:
    """Return how often n rows are dealt anew if nobody says."""
    return int(np.clip(ENOUGH_ROWS // n, 1, MOST_REPEATS))
