"""How weighted sums of a kernel change with every column of a row.

``g(x) = Σᵢ wᵢ k(x, xᵢ)`` has the gradient ``Σᵢ wᵢ k'(Bᵢ) ∂Bᵢ/∂x``, where the base B of
the kernel is one of these:

==================  ==========================
base                ``∂B/∂x_f``
==================  ==========================
dot products        ``y_f``
squared distances   ``2 (x_f − y_f)``
distances           ``(x_f − y_f) / r``
L1 distances        ``sign(x_f − y_f)``
cosines             ``(y_f/‖y‖ − B x_f/‖x‖) / ‖x‖``
lifted products     ``y_f + 2 x_f ‖y‖²``
==================  ==========================

A kernel that has parts sums this over their bases. All but L1 distances are sums of
products, so that BLAS does them and no array of rows × anchors × columns is ever
formed.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import Base, Points, is_sparse, pairwise
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.products import BLOCK_BYTES, row_blocks
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import ShouldStop, check, never

TWINS = 1e-10
"""Part of the largest length below which a distance is none: two rows at one place."""


def require_gradient(kernel: Kernel) -> None:
    """Refuse a kernel whose slope is not known."""
    if kernel.family.slope is None:
        raise KernelError(
            f"The {kernel.family.title} kernel has no gradient, so it is not known "
            "how its components change with a column; choose another kernel."
        )


def refuse_infinite(kernel: Kernel, gradient: Array) -> None:
    """Refuse a gradient that is infinite for some rows."""
    if not np.isfinite(gradient).all():
        raise KernelError(
            f"The gradient of the {kernel.family.title.lower()} kernel is not "
            "finite for some rows; scale the data, or choose another degree or γ."
        )


def has_kinks(kernel: Kernel) -> bool:
    """Whether the kernel has an edge where two rows meet, without a gradient there.

    There the mean of both sides, 0, stands for it.
    """
    if kernel.family.split is not None:
        return any(map(has_kinks, kernel.parts))
    slope, base = kernel.family.slope, kernel.family.base
    if slope is None or base not in ("distances", "l1_distances"):
        return False
    return bool(slope(np.zeros(1), kernel.values)[0] != 0)


def gradient_blocks(
    kernel: Kernel,
    anchors: Points,
    weights: Array,
    X: Any,
    columns: Array | None = None,
    should_stop: ShouldStop = never,
) -> Iterator[tuple[slice, Array]]:
    """Yield the gradients of ``Σᵢ wᵢⱼ k(x, xᵢ)`` for a block of rows x after the other.

    ``anchors``: the r rows xᵢ, as the kernel sees them; ``weights`` (r, k); ``X`` (m,
    d): the rows at which it is asked, as they are given to the kernel; ``columns``
    (c,): by which columns; None for all; ``rows``: which of X; ``gradient`` (rows, k,
    c).
    """
    require_gradient(kernel)
    chosen = slice(X.shape[1]) if columns is None else np.asarray(columns)
    count = X.shape[1] if columns is None else len(columns)
    width = weights.shape[1] * (count + 1)
    # So many anchors that neither side of `_products` outgrows a block.
    step = max(1, min(len(weights), max(BLOCK_BYTES // (8 * width), count)))
    tiles = [slice(i, i + step) for i in range(0, len(weights), step)]
    for rows in row_blocks(X.shape[0], 8 * max(width, step)):
        block = Block(kernel, anchors, X[rows], chosen)
        total = np.zeros((len(block), weights.shape[1], count))
        for tile in tiles:
            check(should_stop)
            total += block.sums(tile, weights[tile], should_stop)
        if kernel.family.normalise:
            total = block.along_the_sphere(total, weights)
        if kernel.family.lift:
            total = block.along_the_paraboloid(total, weights)
        refuse_infinite(kernel, total)
        yield rows, total


class Block:
    """Some rows before all anchors."""

    def __init__(self, kernel: Kernel, anchors: Points, X: Any, columns: Any) -> None:
        self._kernel = kernel
        self._anchors = anchors
        self._columns = columns
        self._given = X.toarray() if is_sparse(X) else np.asarray(X, dtype=np.float64)
        if is_sparse(anchors.X) and not is_sparse(X):
            from scipy.sparse import csr_matrix  # which takes long to load

            X = csr_matrix(X)
        self._new = kernel.prepare_new(anchors, X)

    def __len__(self) -> int:
        return len(self._new)

    def sums(self, tile: slice, weights: Array, should_stop: ShouldStop) -> Array:
        """Sum over the anchors of a tile with their weights (t, k): (m, k, c)."""
        known, base = self._anchors.take(tile), self._kernel.family.base
        B = pairwise(base, self._new, known).astype(np.float64, copy=False)
        longest = self._longest(known)
        if isinstance(base, tuple):
            assert self._kernel.family.slope is not None
            with np.errstate(under="ignore"):
                S = self._kernel.family.slope(B, self._kernel.values)
            parts = [
                self._of_part(each, S[..., i], B[..., i], known, weights, longest)
                for i, each in enumerate(base)
            ]
            return np.asarray(sum(parts))
        return slope_sums(
            self._kernel,
            B,
            self._side(base, self._new),
            self._side(base, known),
            weights,
            longest=longest,
            should_stop=should_stop,
        )

    def _of_part(
        self,
        base: Base,
        S: Array,
        B: Array,
        known: Points,
        weights: Array,
        longest: float,
    ) -> Array:
        """Sum over anchors what one base of several contributes: (m, k, c)."""
        x, y = self._side(base, self._new), self._side(base, known)
        if base == "cosines":
            norms = self._new.squared_norms
            S = S / np.sqrt(np.outer(norms, known.squared_norms))
            inwards = (S * B * np.sqrt(known.squared_norms)) @ weights
            inwards /= np.sqrt(norms)[:, None]
            return _products(S, weights, y) - x[:, None, :] * inwards[:, :, None]
        if base == "lifted_products":
            upwards = (S * known.squared_norms) @ weights
            return _products(S, weights, y) + 2 * x[:, None, :] * upwards[:, :, None]
        return _base_sums(base, S, B, x, y, weights, longest, never)

    def along_the_sphere(self, gradient: Array, weights: Array) -> Array:
        """Turn the gradient by the unit row into that by the row itself.

        With ``u = x/‖x‖`` it is ``(g − u uᵀg) / ‖x‖``: along its own direction a row
        may move as it likes.
        """
        lengths = np.linalg.norm(self._given, axis=1)
        unit = self._given / lengths[:, None]
        # uᵀg = Σ wᵢ uᵀyᵢ, of all columns also where only some are asked for.
        outwards = np.asarray(unit @ (self._anchors.X.T @ weights))
        gradient = gradient - unit[:, None, self._columns] * outwards[:, :, None]
        return gradient / lengths[:, None, None]

    def along_the_paraboloid(self, gradient: Array, weights: Array) -> Array:
        """Add what the last column of a lifted row, ``‖x‖²``, grows by: ``2 x_f``."""
        heights = np.asarray(self._anchors.X[:, -1].T @ weights).ravel()
        return gradient + 2 * self._given[:, None, self._columns] * heights[:, None]

    def _longest(self, known: Points) -> float:
        """Return the largest length of a row on either side, around their mean."""
        squares = (
            points.shifted_norms.max(initial=0.0) for points in (self._new, known)
        )
        return float(max(squares) ** 0.5)

    def _side(self, base: Base, points: Points) -> Array:
        """Return the columns of some points, (p, c), in numbers that are small."""
        by_distance = base in ("squared_distances", "distances")
        if by_distance and points.shifted is not None:
            return points.shifted[:, self._columns]
        X = points.X[:, self._columns]
        return X.toarray() if is_sparse(X) else X


def slope_sums(
    kernel: Kernel,
    B: Array,
    x: Array,
    y: Array,
    weights: Array,
    *,
    longest: float,
    should_stop: ShouldStop = never,
) -> Array:
    """Sum ``wᵢ k'(Bᵢ) ∂Bᵢ/∂x_f`` over anchors, shape (m, k, c).

    ``B`` (m, t): the base of the kernel between rows and anchors; it may be
    overwritten; ``x``, ``y`` (m, c) and (t, c): columns of rows and anchors. Distances
    do not notice where both are moved to; ``weights`` (t, k); ``longest``: the largest
    length of a row, beside which a distance may be none.
    """
    base, slope = kernel.family.base, kernel.family.slope
    assert slope is not None
    assert isinstance(base, str)
    apart = B.copy() if base == "distances" else B
    with np.errstate(under="ignore"):
        S = slope(B, kernel.values)
    return _base_sums(base, S, apart, x, y, weights, longest, should_stop)


def _base_sums(
    base: Base,
    S: Array,
    B: Array,
    x: Array,
    y: Array,
    weights: Array,
    longest: float,
    should_stop: ShouldStop,
) -> Array:
    """Sum ``wᵢ S ∂Bᵢ/∂x_f`` over anchors for slopes S, which may be overwritten."""
    with np.errstate(under="ignore"):
        if base == "distances":
            S *= _inverses(B, TWINS * longest)
        if base == "l1_distances":
            return _by_signs(S, x, y, weights, should_stop)
        if base == "dot_products":
            return _products(S, weights, y)
        # Σ S (x_f − y_f) = x_f Σ S − Σ S y_f, of rows that are small numbers.
        along: Array = x[:, None, :] * (S @ weights)[:, :, None]
        along -= _products(S, weights, y)
    return along * 2 if base == "squared_distances" else along


def _inverses(distances: Array, least: float) -> Array:
    """Return ``1/r``, and 0 for rows at one place: nothing is to be said there."""
    apart = distances > least
    return np.divide(1.0, distances, out=np.zeros_like(distances), where=apart)


def _by_signs(
    S: Array, x: Array, y: Array, weights: Array, should_stop: ShouldStop
) -> Array:
    found = np.empty((len(S), weights.shape[1], x.shape[1]))
    for f in range(x.shape[1]):
        check(should_stop)
        signs = np.sign(x[:, f, None] - y[:, f])
        signs *= S
        found[:, :, f] = signs @ weights
    return found


def _products(S: Array, weights: Array, values: Array) -> Array:
    """``Σᵢ S_mi w_ij y_if`` as one product, shape (m, k, c).

    The weights join the side that is smaller: rows, or columns.
    """
    shape = len(S), weights.shape[1], values.shape[1]
    found: Array
    if len(S) < values.shape[1]:
        left = S[:, None, :] * weights.T
        found = left.reshape(-1, len(values)) @ values
    else:
        right = weights[:, :, None] * values[:, None, :]
        found = S @ right.reshape(len(values), -1)
    return found.reshape(shape)
