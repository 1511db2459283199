"""The basis of a block Krylov iteration, with the Ritz pairs that are in it."""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop

LARGEST_BASIS = 16
"""Blocks in the basis before it is condensed to its best Ritz vectors."""


class Operator(Protocol):
    """A symmetric matrix that is known by its products."""

    @property
    def n(self) -> int:
        """Number of rows."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the basis that it is given."""

    def dot(self, V: Array, should_stop: ShouldStop) -> Array:
        """Multiply by V of shape (n, w)."""


@dataclass(frozen=True, eq=False)
class Found:
    """Ritz pairs of a Krylov basis."""

    values: Array
    """Shape (m,). All Ritz values, descending."""
    block: Array
    """Shape (n, w). Leading Ritz vectors: the wanted ones and a few more."""
    residual: Array
    """Shape (n, w). ``A·block − block·Θ``."""
    worst: float
    """``‖residual‖₂`` of the wanted ones."""
    passes: int = 0
    """That it took."""
    known: Array = field(default_factory=lambda: np.zeros(0))
    """Ritz values of a larger basis, where there was one before."""

    def following(self, count: int) -> float:
        longer = max(self.values, self.known, key=len)
        return float(longer[min(count, len(longer) - 1)])

    @property
    def scale(self) -> float:
        return float(np.abs(self.values).max(initial=0.0))


class Basis:
    """Orthonormal Q (n, m) that grows by blocks, with ``W = AQ`` and ``T = QᵀW``."""

    def __init__(
        self, operator: Operator, width: int, blocks: int | None = None
    ) -> None:
        self.operator = operator
        self.width = width
        self.capacity = min(operator.n, max(blocks or LARGEST_BASIS, 3) * width)
        shape, dtype = (operator.n, self.capacity), operator.dtype
        # Column by column in memory: a block of columns is then contiguous.
        self._Q = np.empty(shape, dtype=dtype, order="F")
        self._W = np.empty(shape, dtype=dtype, order="F")
        self._T = np.empty((self.capacity, self.capacity))
        self._newest = slice(0, 0)
        self.size = 0

    @property
    def columns(self) -> Array:
        """Q."""
        return self._Q[:, : self.size]

    @property
    def is_full(self) -> bool:
        return self.capacity < min(self.operator.n, self.size + self.width)

    def add(self, block: Array, should_stop: ShouldStop) -> None:
        start, stop = self.size, self.size + block.shape[1]
        image = self.operator.dot(block, should_stop)
        self._Q[:, start:stop] = block
        self._W[:, start:stop] = image
        part = self._Q[:, :stop].T @ image
        self._T[:stop, start:stop] = part
        self._T[start:stop, :stop] = part.T
        self._newest = slice(start, stop)
        self.size = stop

    def next_block(self) -> Array:
        """Orthonormal basis of what the image of the newest block adds to Q."""
        new = self._newest
        known = self._T[: self.size, new].astype(self._Q.dtype, copy=False)
        return self._beyond(self._W[:, new], known)

    def ritz_values(self) -> tuple[Array, Array]:
        """All Ritz values, descending, and the coefficients of their vectors."""
        T = self._T[: self.size, : self.size]
        values, Y = np.linalg.eigh((T + T.T) / 2)
        return values[::-1], Y[:, ::-1]

    def ritz(self, k: int) -> tuple[Found, Array]:
        """Ritz pairs of which k are wanted, and the coefficients of all vectors."""
        values, Y = self.ritz_values()
        top = Y[:, : self.width].astype(self._Q.dtype)
        block = self._Q[:, : self.size] @ top
        residual = self._W[:, : self.size] @ top
        residual -= block * values[: block.shape[1]].astype(self._Q.dtype)
        return Found(values, block, residual, norm(residual[:, :k])), Y

    def unexplained(self) -> tuple[slice, Array]:
        """Return the newest columns of Q and what their image holds beyond Q."""
        new = self._newest
        known = self._T[: self.size, new].astype(self._Q.dtype, copy=False)
        return new, self._W[:, new] - self._Q[:, : self.size] @ known

    def combined(self, Y: Array) -> Array:
        return self._Q[:, : self.size] @ Y.astype(self._Q.dtype)

    def condense(self, values: Array, Y: Array) -> Array:
        """Keep the best Ritz vectors only; returns the block to go on with."""
        keep = Y[:, : 2 * self.width].astype(self._Q.dtype)
        m = keep.shape[1]
        self._Q[:, :m] = self._Q[:, : self.size] @ keep
        self._W[:, :m] = self._W[:, : self.size] @ keep
        self._T[:m, :m] = np.diag(values[:m])
        self.size = m
        w = self.width
        residual = self._W[:, :w] - self._Q[:, :w] * values[:w].astype(self._Q.dtype)
        return self._beyond(residual, None)

    def _beyond(self, V: Array, known: Array | None) -> Array:
        room = self.capacity - self.size
        return orthonormal(V, self._Q[:, : self.size], known)[:, :room]


def orthonormal(V: Array, Q: Array | None, known: Array | None = None) -> Array:
    """Orthonormal basis of the part of V that is orthogonal to Q.

    ``known`` is ``QᵀV`` where it is known already.
    """
    # Twice is enough: the second round removes what rounding left behind. A column
    # that shrinks to nothing in the first, or much in the second, lies in Q: what is
    # left of it is rounding noise, and scaled up it would not be orthogonal to Q.
    for least in (50 * float(np.finfo(V.dtype).eps), 0.5):
        before = column_norms(V)
        if Q is not None:
            V = V - Q @ (Q.T @ V if known is None else known)
            known = None
        norms = column_norms(V)
        live = norms > least * before
        V = V[:, live] / norms[live]
        # By the small Gram matrix: only products of tall matrices, all in BLAS.
        wide = V.astype(np.float64, copy=False)
        values, U = np.linalg.eigh(wide.T @ wide)
        if values.min(initial=1.0) > max(least**2, 1e-6):
            V = V @ (U / np.sqrt(values)).astype(V.dtype)
        else:
            # Nearly parallel columns: the Gram matrix squares what tells them apart,
            # and with it the small eigenvalues would go.
            V, R = np.linalg.qr(V)
            V = V[:, np.abs(np.diagonal(R)) > max(least, 1e-14)]
    return V


def column_norms(V: Array) -> Array:
    return np.sqrt(np.einsum("ij,ij->j", V, V))


def norm(V: Array) -> float:
    """``‖V‖₂`` of a tall matrix."""
    wide = V.astype(np.float64, copy=False)
    return float(np.linalg.norm(wide.T @ wide, 2)) ** 0.5
