"""A setting by its held-out scores: the whole chain in every fold, on any thread."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.choice.fold_scores import common_start, fold_scores
from kpca_viewer.core.choice.folds import HeldOut
from kpca_viewer.core.choice.results import Choice, Line, Tried
from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.quality import GUESSING_ERRORS
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

    def notes(self, best: float, error: float) -> list[str]:
        """Return what a highest score means beside guessing."""
        # The best of dozens of settings is lucky, and folds share rows.
        if best - GUESSING_ERRORS * error > (self.held_out.chance or 0.0):
            return []
        guess = "the largest class" if self.held_out.is_classes else "the mean"
        return [
            f"No setting is better than guessing {guess} by more than three "
            "standard errors."
        ]

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
        return Tried(line, value, scores, errors, seconds=seconds)

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


def _gram(kernel: Kernel, X: Array) -> PointsGram:
    return PointsGram(kernel.points(X, center=True), kernel)
