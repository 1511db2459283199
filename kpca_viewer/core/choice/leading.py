"""A few leading eigenpairs of many small matrices, each by the same fixed work.

Nobody needs their bounds: they are compared with each other. That the same is done to
every matrix, whatever it holds, is what makes the comparison fair.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.solvers.basis import Basis, orthonormal
from kpca_viewer.support.progress import ShouldStop, never

Array = NDArray[Any]

ALL_UP_TO = 120
"""Rows up to which all eigenvalues take no longer than a few."""

PASSES = 5
"""Blocks of the Krylov basis: errors stay below 10⁻³ of the largest eigenvalue, also
where the spectrum is flat."""

SPARE = 4
"""Vectors of a block beyond those that are wanted."""


@dataclass(frozen=True, eq=False)
class _Symmetric:
    """A symmetric matrix as the basis wants it."""

    A: Array

    @property
    def n(self) -> int:
        return len(self.A)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64)

    def dot(self, V: Array, should_stop: ShouldStop) -> Array:
        product: Array = self.A @ V
        return product


def centred(K: Array) -> Array:
    """Return ``HKH``, in the place of K (n, n)."""
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    return K


def leading_pairs(A: Array, k: int, *, definite: bool = True) -> tuple[Array, Array]:
    """Return the k largest eigenvalues (k,), descending, and their vectors (n, k).

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Symmetric.
    k : int
        1 … n.
    definite : bool
        Whether no eigenvalue is negative; else all of them are computed, because large
        negative ones would hide the positive.
    """
    n = len(A)
    if not definite or n <= max(ALL_UP_TO, 4 * (k + SPARE)):
        values, vectors = np.linalg.eigh(A)
        return values[::-1][:k], vectors[:, ::-1][:, :k]
    basis = _krylov(A, k)
    values, Y = basis.ritz_values()
    found = basis.combined(Y[:, :k])
    # Of a rank below k, there are no more: what is left is zero.
    missing = k - found.shape[1]
    return np.pad(values[:k], (0, missing)), np.pad(found, ((0, 0), (0, missing)))


def leading_values(A: Array, k: int, *, definite: bool = True) -> Array:
    """Return the k largest eigenvalues (k,), descending; as `leading_pairs`."""
    if not definite or len(A) <= max(ALL_UP_TO, 4 * (k + SPARE)):
        return np.linalg.eigvalsh(A)[::-1][:k]
    values = _krylov(A, k).ritz_values()[0][:k]
    return np.pad(values, (0, k - len(values)))


def _krylov(A: Array, k: int) -> Basis:
    width = k + SPARE
    basis = Basis(_Symmetric(A), width, PASSES)
    # The same start for every matrix: the image of random vectors, which has little of
    # what A takes to zero.
    start = np.random.default_rng(0).standard_normal((len(A), width))
    block = orthonormal(A @ start, None)
    for step in range(PASSES):
        if not block.shape[1]:
            break
        basis.add(block, never)
        if step + 1 < PASSES:
            block = basis.next_block()
    return basis
