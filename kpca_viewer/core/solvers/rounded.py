"""K in float32, formed at once, with what float64 has seen of it on the way.

Entries are computed in float64 and stored in float32, so that each is rounded once, by
a known part of itself. Centring takes a constant away, so a constant may be taken off
before: what is left is smaller, and so is its rounding. Products in float64 with these
entries are as good as those with K, but for that rounding; K itself, at twice the
memory, need not be formed.
"""

from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import Gram, MatrixGram, center_rows, dot, symmetric
from kpca_viewer.core.solvers.exact import Centred
from kpca_viewer.core.solvers.problem import Problem
from kpca_viewer.support.progress import ShouldStop, never

Array = NDArray[Any]

UNIT = float(np.finfo(np.float32).eps) / 2
"""Part of itself by which an entry is rounded at most."""

SAMPLE = 64
"""Rows by which the constant is chosen; any other one would do."""

SMALLEST = 1e-18
"""Added to entries from which nothing is taken off, relative to the diagonal. Far-away
pairs become so small in float32 that their products are subnormal, and each of those
takes as long as a hundred others; beside the diagonal this is not seen."""


@dataclass(frozen=True, eq=False)
class Rounded(Centred):
    """The operator K̃ by entries in float32 and products in float64."""

    stored: MatrixGram | None = None
    """``K − shift``, rounded."""
    shift: float = 0.0
    shifted_squares: float = 0.0
    """``‖K − shift‖²_F``."""

    @classmethod
    def form(cls, gram: Gram, problem: Problem) -> "Rounded":
        """Compute every entry once."""
        n = gram.n
        diagonal = gram.diagonal()
        off = _taken_off(gram, diagonal, problem.center)
        squares: list[float] = []

        def tile(rows: slice, columns: slice) -> Array:
            K = gram.tile(rows, columns) - off
            square = K[:, : max(rows.stop - columns.start, 0)]
            # What is right of the square on the diagonal is there twice.
            twice = 2 * float(np.vdot(K, K))
            squares.append(twice - float(np.square(square).sum()))
            return K.astype(np.float32)

        S = symmetric(tile, n, np.float32, problem.should_stop, problem.progress)
        np.fill_diagonal(S, diagonal - off)
        stored = MatrixGram(S, psd=True)
        ones = np.full((n, 1), 1 / n)
        means = dot(stored, ones, problem.should_stop)[:, 0]
        # The sum of floats in whatever order the cores have left them.
        shifted = fsum(squares)
        raw = shifted + 2 * n * off * float(means.sum()) + (n * off) ** 2
        means = means + off if problem.center else np.zeros(n)
        return cls(gram, problem.center, means, raw, stored, off, shifted)

    @property
    def rough(self) -> Centred:
        """The same with products in float32."""
        assert self.stored is not None
        means = self.row_means - self.shift if self.center else self.row_means
        return Centred(self.stored, self.center, means, self.shifted_squares)

    def dot(self, V: Array, should_stop: ShouldStop = never) -> Array:
        """``K̃ V`` for V of shape (n, k)."""
        assert self.stored is not None
        V = V.astype(np.float64, copy=False)
        if not self.center:
            return dot(self.stored, V, should_stop)
        return center_rows(dot(self.stored, center_rows(V), should_stop))

    @cached_property
    def rounding(self) -> float:
        """What floating point may have added to an eigenvalue."""
        own = self.noise + self.gram.rounding(float(np.sqrt(self._raw_squares)))
        return own + UNIT * float(np.sqrt(self.shifted_squares))

    def squares_slack(self) -> float:
        """Return what floating point may have taken from `squares`."""
        return (self._relative + 8 * UNIT) * self._raw_squares


def _taken_off(gram: Gram, diagonal: Array, center: bool) -> float:
    """Return the constant that is taken off every entry."""
    largest = float(np.abs(diagonal).max())
    if center:
        some = np.linspace(0, gram.n - 1, SAMPLE).astype(int)
        typical = float(np.median(gram.block(some, some)))
        if abs(typical) > 1e-9 * largest:
            return typical
    return -SMALLEST * largest
