"""A setting by its held-out scores: the whole chain in every fold, on any thread."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.choice.fold_scores import common_start, fold_scores
from kpca_viewer.core.choice.folds import HeldOut
from kpca_viewer.core.choice.ranking import ranked
from kpca_viewer.core.choice.results import Choice, Line, Tried
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.support.errors import Cancelled, KpcaError
from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.support.threads import one_blas_thread

Array = NDArray[Any]

Learn = Callable[[Array], Callable[[Array], Array]]
"""Training rows → what is done to all rows before a kernel sees them."""


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
        gram = _gram(kernel, self.seen)
        # Where folds begin is no part of what they find.
        start = common_start(gram, self.k, stop)
        if self.learn is None:
            found = fold_scores(gram, training, self.k, start, stop)
        else:
            del gram
            found = [
                fold_scores(
                    _gram(kernel, self.learn(self.X[rows])(self.X)),
                    rows[None],
                    self.k,
                    start,
                    stop,
                )[0]
                for rows in training
            ]
        return np.array(
            [
                self.held_out.judged(scores, rows)
                for scores, rows in zip(found, training, strict=True)
            ]
        )


def _by(one: Tried, folds: Array, held_out: HeldOut) -> Tried:
    """Return a setting with its scores by some folds; one fold has no error."""
    of = one.by_fold[folds]
    scores, errors = held_out.summed_up(of) if len(of) > 1 else (of[0], 0 * of[0])
    return replace(one, scores=scores, errors=errors)


def _gram(kernel: Kernel, X: Array) -> PointsGram:
    return PointsGram(kernel.points(X, center=True), kernel)
