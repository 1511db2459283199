"""A setting by its held-out scores: the whole chain in every fold, on any thread.

Who is learnt from and who is held out, and what is to be predicted of them.

How well held-out rows are predicted by the first 1 … k scores, all k at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.fold_scores import common_start, fold_scores
from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Tried, ranked
from kpca_viewer.core.methods.predictions import RIDGE
from kpca_viewer.core.methods.quality import dealt, fold_errors, standardised
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import Cancelled, DataError, KpcaError
from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.support.threads import one_blas_thread

Learn = Callable[[Array], Callable[[Array], Array]]
"""Training rows → what is done to all rows before a kernel sees them."""


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

        ``scores`` (n, k); ``rows`` (n,): of `training`.
        """
        judge = discriminant_accuracy if self.is_classes else explained_part
        y = self.outcome
        return judge(scores[rows], y[rows], scores[~rows], y[~rows])

    def summed_up(self, judged: Array) -> tuple[Array, Array]:
        """Return mean and standard error, (k,) each, of (folds · repeats, k) scores."""
        sizes = np.bincount(self.outcome) if self.is_classes else None
        return judged.mean(axis=0), fold_errors(judged, self.folds, sizes)


@dataclass(frozen=True, eq=False)
class ByPrediction:
    """Tries settings by what their first components say about held-out rows."""

    X: Array
    """Shape (n, d)."""
    held_out: HeldOut
    k: int
    """Components that are tried, 1 … k."""
    learn: Learn | None = None
    """None where nothing is learnt from rows: all folds then share a matrix."""

    @property
    def facts(self) -> Choice:
        """What is known of all settings, without rows."""
        held_out = self.held_out
        return Choice(
            "classes" if held_out.is_classes else "target",
            (),
            chance=held_out.chance,
            folds=held_out.folds,
            repeats=held_out.repeats,
            seed=held_out.seed,
            n=len(self.X),
        )

    def corrected(self, tried: Sequence[Tried]) -> float:
        """Return the score of choosing: by all folds but one, judged by that one.

        Folds of other repeats hold the same rows out, and have no part in it.
        """
        held_out, found = self.held_out, []
        known = [one for one in tried if len(one.by_fold)]
        for first in range(0, len(held_out.training), held_out.folds):
            for fold in range(first, first + held_out.folds):
                others = np.delete(
                    np.arange(first, first + held_out.folds), fold - first
                )
                row = ranked([_by(one, others, held_out) for one in known])[0]
                own = next(
                    one
                    for one in known
                    if (one.line, one.value) == (row.line, row.value)
                )
                found.append(own.by_fold[fold, row.components - 1])
        return float(np.mean(found))

    def luck(self) -> None:
        """Return nothing: `corrected` counts what the search adds."""

    @cached_property
    def seen(self) -> Array:
        """The rows as a kernel sees them that learns from all of them, (n, d)."""
        return self.X if self.learn is None else self.learn(self.X)(self.X)

    @cached_property
    def _points(self) -> Points:
        return Points.prepare(self.seen)

    @cached_property
    def _points_by_fold(self) -> list[Points]:
        """Rows as a kernel sees them that learns from a fold, for every fold."""
        if self.learn is None:
            return []
        training = self.held_out.training
        return [Points.prepare(self.learn(self.X[rows])(self.X)) for rows in training]

    def of(self, line: Line, value: float | None, stop: ShouldStop = never) -> Tried:
        """Return a setting with its held-out scores, or with why there are none."""
        started = perf_counter()
        try:
            # However many there are, the last digits are those of one.
            with one_blas_thread():
                judged = self._judged(line.kernel(value), stop)
        except Cancelled:
            raise
        except KpcaError as error:
            return Tried(line, value, refusal=str(error))
        scores, errors = self.held_out.summed_up(judged)
        seconds = (perf_counter() - started) / len(judged)
        return Tried(line, value, scores, errors, judged, seconds=seconds)

    def _judged(self, kernel: Kernel, stop: ShouldStop) -> Array:
        """Shape (folds · repeats, k)."""
        training = self.held_out.training
        gram = _gram(kernel, self._points)
        # Where folds begin is no part of what they find.
        start = common_start(gram, self.k, stop)
        if self.learn is None:
            found = fold_scores(gram, training, self.k, start, stop)
        else:
            del gram
            found = [
                fold_scores(_gram(kernel, points), rows[None], self.k, start, stop)[0]
                for points, rows in zip(self._points_by_fold, training, strict=True)
            ]
        return np.array(
            [
                self.held_out.judged(scores, rows)
                for scores, rows in zip(found, training, strict=True)
            ]
        )


def _by(one: Tried, folds: Array, held_out: HeldOut) -> Tried:
    """Return a setting with its scores by some folds."""
    scores, errors = held_out.summed_up(one.by_fold[folds])
    return replace(one, scores=scores, errors=errors)


def _gram(kernel: Kernel, points: Points) -> PointsGram:
    points = kernel.prepare_training(points, center=True)
    kernel.refuse_overflow(points)
    return PointsGram(points, kernel)


FOLDS = 5

ENOUGH_ROWS = 2000
"""Held-out rows, all repeats together, from which on another repeat tells little."""

MOST_REPEATS = 5


def held_out_classes(
    codes: Array, folds: int = FOLDS, repeats: int | None = None, seed: int = 0
) -> HeldOut:
    """Deal rows (n,) with codes 0, 1, … into folds that have all classes alike."""
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
    """Deal rows (n,) into folds that predict a quantity."""
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
    """Return how often n rows are dealt anew by default."""
    return int(np.clip(ENOUGH_ROWS // n, 1, MOST_REPEATS))


def discriminant_accuracy(
    known: Array, codes: Array, new: Array, new_codes: Array
) -> Array:
    """Return the balanced accuracy of linear discriminants on 1 … k scores, (k,).

    That is the mean of the shares of every class that are found: with a rare class,
    a guess is right for most rows. With the Cholesky factor of the scatter within
    classes, what a discriminant says of a row is a sum over components, of which each
    adds a term.

    ``known`` (n, k); ``codes`` (n,): 0, 1, …; each of them is there; ``new`` (m, k);
    ``new_codes`` (m,): each of them is there, too.
    """
    known, new = standardised(known, new)
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

    ``known`` (n, k); ``target`` (n,); ``new`` (m, k); ``new_target`` (m,): measured
    around the mean of the known ones, as a guess without any score is.
    """
    known, new = standardised(known, new)
    middle = target.mean()
    root = _root(known)
    slopes = np.linalg.solve(root, known.T @ (target - middle)) / len(known)
    guessed = np.cumsum(np.linalg.solve(root, new.T) * slopes[:, None], axis=0)
    off = new_target - middle
    left: Array = np.square(off - guessed).sum(axis=1)
    total = float(np.square(off).sum())
    return 1 - left / total if total > 0 else np.zeros(len(left))


def _root(centred: Array) -> Array:
    """Return the Cholesky factor of a scatter: that of fewer columns is part of it."""
    scatter = centred.T @ centred / len(centred)
    return np.linalg.cholesky(scatter + RIDGE * np.eye(len(scatter)))
