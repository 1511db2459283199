"""A symmetric matrix from its largest parts, and how much is left of it.

Eckart and Young: of all matrices of rank p, ``K̃_p = Σ_{j≤p} μ_j v_j v_jᵀ`` with the p
largest ``|μ_j|`` is nearest to ``K̃``, and ``‖K̃ − K̃_p‖_F = √Σ_{j>p} μ_j²``. Both sides
are computed here without the help of the other.
"""

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import NOISE, eigenpairs
from kpca_viewer.core.linalg.products import row_blocks
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

PORTION_BYTES = 2 << 20
"""Of the rows that are rebuilt at once; a portion ends within a few milliseconds."""

MOST_DIGITS = 12
"""Of a norm that are worth comparing; the last of a double are rounding."""


@dataclass(frozen=True, eq=False)
class MatrixParts:
    """A symmetric matrix and all of its eigenpairs, those of largest ``|μ|`` first."""

    matrix: Array
    """Shape (n, n)."""
    values: Array
    """Shape (n,)."""
    vectors: Array
    """Shape (n, n). Column j belongs to ``values[j]``."""

    @classmethod
    def of(cls, matrix: Array, should_stop: ShouldStop = never) -> "MatrixParts":
        """Decompose a symmetric matrix (n, n)."""
        check(should_stop)
        values, vectors = eigenpairs(matrix, should_stop)
        # Of equal sizes the positive one first: its part is one of the embedding.
        order = np.lexsort((-values, -np.abs(values)))
        values, vectors = values[order], np.ascontiguousarray(vectors[:, order])
        for array in (matrix, values, vectors):
            array.flags.writeable = False
        return cls(matrix, values, vectors)

    @property
    def n(self) -> int:
        return len(self.values)

    @cached_property
    def norm(self) -> float:
        """``‖K̃‖_F``, from the entries."""
        return float(np.linalg.norm(self.matrix))

    @cached_property
    def rank(self) -> int:
        """Parts that are more than rounding."""
        sizes = np.abs(self.values)
        noise = NOISE[np.dtype(np.float64)] * float(sizes.max(initial=0.0))
        return int((sizes > noise).sum())

    @property
    def definite(self) -> bool:
        """Whether no eigenvalue is negative by more than rounding."""
        return self.negative(self.rank) == 0

    def negative(self, p: int) -> int:
        return int((self.values[: min(p, self.rank)] < 0).sum())

    def rebuilt(self, p: int, rows: Array | slice = slice(None)) -> Array:
        """``K̃_p``, all of it or the given rows and columns (m, m)."""
        V = self.vectors[rows, :p]
        result: Array = (V * self.values[:p]) @ V.T
        return result

    def theorem(self, p: int) -> float:
        """``√Σ_{j>p} μ_j²``, from the eigenvalues alone."""
        return float(np.linalg.norm(self.values[p:]))

    def residual(self, p: int) -> float:
        """``‖K̃ − K̃_p‖_F``, entry by entry."""
        portions = self.measuring(p)
        while True:
            try:
                next(portions)
            except StopIteration as end:
                return float(end.value)

    def measuring(self, p: int) -> Generator[None, None, float]:
        """Measure the residual in portions of rows; returns it at the end."""
        V, weighted = self.vectors[:, :p], self.vectors[:, :p] * self.values[:p]
        squares = 0.0
        for rows in row_blocks(self.n, 8 * max(self.n, p), PORTION_BYTES):
            left = weighted[rows] @ V.T
            left -= self.matrix[rows]
            squares += float(np.vdot(left, left))
            yield
        return math.sqrt(squares)

    def share(self, p: int) -> float:
        """Part of ``‖K̃‖²_F`` that p parts hold; all of a matrix that is zero."""
        squares = float(np.square(self.values).sum())
        return float(np.square(self.values[:p]).sum()) / squares if squares else 1.0

    def digits(self, p: int) -> int:
        """Return how many digits of what is left rounding has not touched; 0 for none.

        An entry of K̃ − K̃_p is a difference of numbers as large as those of K̃, so that
        rounding leaves about ``√n · 10⁻¹⁶ ‖K̃‖_F`` of it.
        """
        rounding = 4 * math.sqrt(self.n) * np.finfo(np.float64).eps * self.norm
        left = self.theorem(p)
        if p >= self.rank or left <= rounding:
            return 0
        return min(max(int(math.log10(left / rounding)), 1), MOST_DIGITS)
