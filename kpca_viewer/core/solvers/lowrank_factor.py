"""Cholesky's decomposition of a small matrix with pivots, by size or by chance.

LAPACK has the first (``dpstrf``), a millisecond faster for a few hundred pivots. But it
is reached through ``scipy.linalg``, whose import takes longer than all else that a
first picture is computed with.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from kpca_viewer.core.linalg.products import Gram, in_parallel, row_blocks
from kpca_viewer.support.arrays import Array


def pivoted_cholesky(A: Array, most: int, smallest: float) -> tuple[Array, Array]:
    """Return ``L`` and ``order`` with ``A[order][:, order] ≈ L Lᵀ``.

    Parameters
    ----------
    A : ndarray of shape (m, m)
        Symmetric, positive semi-definite up to rounding.
    most : int
        How many pivots to take.
    smallest : float
        The residual below which a row is no pivot any more.

    Returns
    -------
    L : ndarray of shape (q, q)
        Lower triangle.
    order : ndarray of shape (q,)
        The pivots, by falling residual.
    """
    most = min(most, len(A))
    rows = np.empty((most, len(A)))
    residual = A.diagonal().copy()
    order: list[int] = []
    for k in range(most):
        pivot = int(residual.argmax())
        left = float(residual[pivot])
        if not left > smallest:
            break
        root = left**0.5
        row = (A[pivot] - rows[:k, pivot].dot(rows[:k])) / root
        row[pivot] = root
        rows[k] = row
        row *= row
        residual -= row
        # Never again, whatever rounding has left of it.
        residual[pivot] = -np.inf
        order.append(pivot)
    pivots = np.array(order, dtype=np.intp)
    return np.tril(rows[: len(order), pivots].T), pivots


def sampled_cholesky(
    A: Array, most: int, smallest: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return the same for pivots that are drawn, one after the other.

    Each is taken with the part that those before it leave of its residual as its
    chance: as if every one had been drawn in proportion to what is left then (Epperly,
    Tropp and Webber, 2024).
    """
    rows = np.empty((min(most, len(A)), len(A)))
    residual = A.diagonal().copy()
    least = np.maximum(rng.random(len(A)) * residual, smallest)
    order: list[int] = []
    for pivot in range(len(A)):
        k = len(order)
        if k == len(rows):
            break
        if residual[pivot] > least[pivot]:
            root = float(residual[pivot]) ** 0.5
            rows[k] = (A[pivot] - rows[:k, pivot].dot(rows[:k])) / root
            rows[k, pivot] = root
            residual -= rows[k] ** 2
            order.append(pivot)
    pivots = np.array(order, dtype=np.intp)
    return np.tril(rows[: len(order), pivots].T), pivots


SHARED_FROM, PARTS = 10_000, 4
"""Rows of K from which the cores share a factor. Of fewer, a part is done so soon that
where another program has a core, waiting for it costs more than it saves."""

NEARLY_CONSTANT = 1e-3
"""Part of its squares that centring leaves of a feature which loses digits by it."""


class Factor:
    """A growing factor F (r, n) with ``K̂ = FᵀF``, and what is left of the diagonal."""

    def __init__(self, gram: Gram, capacity: int, dtype: Any) -> None:
        self.gram = gram
        self.diagonal = gram.diagonal().astype(np.float64)
        self.residual = self.diagonal.copy()
        # Pages that are never written cost nothing, so the full capacity is reserved.
        self.F = np.empty((capacity, gram.n), dtype=dtype)
        self.pivots = np.empty(capacity, dtype=np.intp)
        self.products = np.empty((capacity, capacity))
        self.sums = np.empty(capacity)
        self.rank = 0
        # How many rows of F are in `products`; they are brought up when they are
        # needed, since one product of many rows is faster than many of few.
        self._multiplied = 0
        # Of the diagonal: what was given up on, and by how much rounding exceeds it.
        self.dropped = 0.0
        self.excess = 0.0
        # Columns that the cores share are cut by n alone: sums have the same digits
        # on any number of them. A pool starts its threads late, and ends with F.
        count = PARTS if gram.n >= SHARED_FROM else 1
        self._parts = list(row_blocks(gram.n, 1, -(-gram.n // count)))
        self._pool = ThreadPoolExecutor(PARTS)

    @property
    def left(self) -> float:
        """``tr(K − K̂)``."""
        return float(self.residual.sum()) + self.dropped

    def add(
        self,
        candidates: Array,
        most: int,
        smallest: float,
        rng: np.random.Generator | None = None,
    ) -> int:
        """Take at most ``most`` candidates, each with a residual above ``smallest``.

        Parameters
        ----------
        rng : numpy.random.Generator, optional
            Take each with the chance that the ones before it leave of its residual,
            instead of those with the largest: far rows, of which a flat spectrum has
            many, do not crowd out the others.

        Returns
        -------
        int
            How many were taken.
        """
        r = self.rank
        known = self.F[:r, candidates].astype(np.float64)
        small = self.gram.block(candidates, candidates) - known.T @ known
        small = (small + small.T) / 2
        # Near-duplicates among the candidates drop out before a single row of K is
        # computed for them.
        most = min(most, len(self.pivots) - r)
        if rng is None:
            L, order = pivoted_cholesky(small, most, smallest)
        else:
            L, order = sampled_cholesky(small, most, smallest, rng)
        q = len(order)
        if q == 0:
            # Nothing to gain here; out of the draw, but not out of the bound.
            self.dropped += float(self.residual[candidates].sum())
            self.residual[candidates] = 0
            return 0
        pivots = candidates[order]
        # Multiplying by the small inverse lets go of the interpreter lock.
        inverse = np.linalg.inv(L).astype(self.F.dtype)
        rows = self.gram.rows(pivots).astype(self.F.dtype, copy=False)
        known = self.F[:r, pivots].T
        new = self.F[r : r + q]

        def grow(columns: slice) -> None:
            if r:
                rows[:, columns] -= known @ self.F[:r, columns]
            np.matmul(inverse, rows[:, columns], out=new[:, columns])

        in_parallel(grow, self._parts, self._pool)
        self.pivots[r : r + q] = pivots
        self.sums[r : r + q] = new.sum(axis=1, dtype=np.float64)
        self.residual -= np.einsum("ij,ij->j", new, new, dtype=np.float64)
        self.excess -= float(np.minimum(self.residual, 0).sum())
        np.maximum(self.residual, 0, out=self.residual)
        self.residual[pivots] = 0
        self.rank = r + q
        return q

    def mean(self, center: bool) -> Array:
        """Of the features (r,); zero without centring."""
        r = self.rank
        return self.sums[:r] / self.gram.n if center else np.zeros(r)

    def centred_gram(self, center: bool, rank: int | None = None) -> Array:
        """``F H Fᵀ`` (r, r), of all features or of the first.

        Its eigenvalues are those of the centred ``K̂``.
        """
        r = rank or self.rank
        if self._multiplied < r:
            self._accumulate(self._multiplied, r)
            self._multiplied = r
        G: Array = self.products[:r, :r].copy()
        if center:
            G -= np.outer(self.sums[:r], self.sums[:r]) / self.gram.n
            self._sharpen(G)
        return G

    def _sharpen(self, G: Array) -> None:
        """Multiply anew what is nearly constant over all rows, without its mean.

        Centring takes almost all of these products away, and what it leaves of their
        rounding would pass for an eigenvalue of rows that are almost alike.
        """
        raw = self.products.diagonal()[: len(G)]
        constant = np.flatnonzero(G.diagonal() < NEARLY_CONSTANT * raw)
        if constant.size:
            F = self.F[constant].astype(np.float64)
            F -= F.mean(axis=1, keepdims=True)
            G[np.ix_(constant, constant)] = F @ F.T

    def _accumulate(self, start: int, stop: int) -> None:
        """Extend ``F Fᵀ``, in float64 whatever F is."""
        blocks = np.zeros((len(self._parts), stop, stop - start))

        def add(job: tuple[slice, Array]) -> None:
            F, block = self.F[:stop, job[0]], job[1]
            for columns in row_blocks(F.shape[1], stop * 8):
                part = F[:, columns].astype(np.float64, copy=False)
                new = part[start:]
                # A product with its own transpose costs half of what another one does.
                block[:start] += part[:start] @ new.T
                block[start:] += new @ new.T

        in_parallel(add, list(zip(self._parts, blocks, strict=True)), self._pool)
        block = blocks.sum(axis=0)
        self.products[:stop, start:stop] = block
        self.products[start:stop, :stop] = block.T


def largest_eigenvalue(factor: Factor, center: bool, vector: Array) -> float:
    """Lower bound of the largest eigenvalue: a few power steps, warm from last time."""
    G = factor.centred_gram(center)
    v = vector[: factor.rank]
    value = 0.0
    for _ in range(4):
        w = G @ v
        norm = float(np.linalg.norm(w))
        if norm == 0:
            return 0.0
        value = float(v @ w) / float(v @ v)
        v[:] = w / norm
    # Of rows that are almost alike rounding is left, which has any sign.
    return max(value, 0.0)


def slack(factor: Factor) -> float:
    """Return what rounding may have added to an eigenvalue of ``H K̂ H``."""
    total = float(factor.diagonal.sum())
    added = 8 * float(np.finfo(factor.F.dtype).eps)
    added += factor.gram.n**0.5 * float(np.finfo(np.float64).eps)
    return total * added + factor.excess + factor.gram.rounding(total)
