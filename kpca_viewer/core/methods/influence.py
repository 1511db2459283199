"""Which columns move a component: exact gradients of the scores, and their size.

``∂zⱼ(x)/∂x_f = Σᵢ αⱼᵢ ∂k(x, xᵢ)/∂x_f``. Its root mean square over rows is the influence
of column f on component j; for the linear kernel that is the loading of PCA. Of several
components together it is the interpretable gradient of kernel PCA, KPCA-IG.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.kernels.gradients import (
    gradient_blocks,
    has_kinks,
    require_gradient,
)
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.projection import score_weights
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

Change = Callable[[slice, Array], Array]
"""``change(rows, gradient)``: the gradient (rows, k, d) by something else than the
columns that the kernel was given."""

LEAST_SHARE = 1e-9
"""Part of the steepest slope below which one is rounding and has no sign."""


@dataclass(frozen=True, eq=False)
class ScoreFunction:
    """The scores of some components as functions of a row: ``Σᵢ wᵢⱼ k(x, xᵢ) − bⱼ``."""

    kernel: Kernel
    anchors: Points
    """The r rows that carry the model: all of them, or its landmarks."""
    weights: Array
    """Shape (r, k)."""

    @classmethod
    def of(
        cls,
        decomposition: Decomposition,
        kernel: Kernel,
        points: Points,
        components: Sequence[int] | None = None,
    ) -> "ScoreFunction":
        """Return the scores of a model.

        ``points``: all rows, as the kernel sees them (`Kernel.prepare_training`);
        ``components``: which ones, from 0; None for all.
        """
        require_gradient(kernel)
        landmarks, weights, _ = score_weights(decomposition)
        anchors = points if landmarks is None else points.take(landmarks)
        whole = cls(kernel, anchors, weights.astype(np.float64, copy=False))
        return whole if components is None else whole.of_components(components)

    def of_components(self, components: Sequence[int]) -> "ScoreFunction":
        """Return some of these scores, numbered from 0."""
        count = self.weights.shape[1]
        for component in components:
            if not 0 <= component < count:
                raise DataError(
                    f"There is no component {component}; the model has {count}, "
                    f"numbered from 0 to {count - 1}."
                )
        return replace(self, weights=self.weights[:, list(components)])

    @property
    def has_kinks(self) -> bool:
        """Whether the mean of both sides stands for the gradient at the rows xᵢ."""
        return has_kinks(self.kernel)

    def blocks(
        self, X: Any, columns: Array | None = None, should_stop: ShouldStop = never
    ) -> Iterator[tuple[slice, Array]]:
        """Yield slices of the rows X (m, d) with their gradients (rows, k, c)."""
        return gradient_blocks(
            self.kernel, self.anchors, self.weights, X, columns, should_stop
        )

    def gradients(
        self, X: Any, columns: Array | None = None, should_stop: ShouldStop = never
    ) -> Array:
        """Gradients at rows X (m, d), as they are given to the kernel: (m, k, c)."""
        m, k = X.shape[0], self.weights.shape[1]
        count = X.shape[1] if columns is None else len(columns)
        memory.require(
            2 * 8 * m * k * count,
            f"The gradient of {k:,} components by {count:,} columns at {m:,} rows",
            "ask for fewer rows or components, or for the influence alone",
        )
        found = np.empty((m, k, count))
        for rows, gradient in self.blocks(X, columns, should_stop):
            found[rows] = gradient
        return found


@dataclass(frozen=True, eq=False)
class Influence:
    """How much every column moves every component, over some rows.

    ``rms`` (k, d): root mean square of the gradient: change of the score for a column
    that grows by one. What the kernel was given counts, scaled columns for example;
    ``mean`` (k, d): mean of the gradient, with its sign; ``rising``, ``falling`` (k,
    d): shares of the rows at which the score grows with the column, and falls;
    ``rows``: at how many rows that was measured; ``has_kinks``: whether the kernel has
    an edge at every row; there the mean of both sides was taken; ``correlations`` (k,
    d): of every score with every column over these rows, with its sign; None where they
    were not asked for.
    """

    rms: Array
    mean: Array
    rising: Array
    falling: Array
    rows: int
    has_kinks: bool = False
    correlations: Array | None = None

    @property
    def shares(self) -> Array:
        """Parts of the squared influence on a component, rows that sum to 1: (k, d).

        Zero for a component that no column moves.
        """
        return _shares(self.rms)

    @property
    def together(self) -> Array:
        """Influence on all of these components at once (KPCA-IG), shape (d,)."""
        return np.sqrt(np.square(self.rms).sum(axis=0))

    @property
    def shares_together(self) -> Array:
        """Parts of its square, which sum to 1: (d,)."""
        return _shares(self.together)

    @property
    def directions(self) -> Array:
        """Whether a component mostly grows (1) or falls (−1) with a column, or 0."""
        return np.sign(self.rising - self.falling).astype(int)

    @property
    def agreement(self) -> Array:
        """Share of the rows at which the score goes in that direction, (k, d)."""
        return np.maximum(self.rising, self.falling)

    @property
    def steadiness(self) -> Array:
        """``|mean| / RMS`` (k, d): 1 where the gradient is the same at all rows."""
        steady = np.zeros_like(self.rms)
        np.divide(np.abs(self.mean), self.rms, out=steady, where=self.rms > 0)
        return np.minimum(steady, 1.0)


def measure(
    function: ScoreFunction,
    X: Any,
    columns: Array | None = None,
    *,
    change: Change | None = None,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Influence:
    """Measure the influence of columns over rows X (m, d), in bounded memory.

    ``X`` (m, d): as they are given to the kernel; at least one; ``columns`` (c,): which
    ones; None for all; ``change``: by what else than these columns the gradient is
    wanted: see `Change`.
    """
    m = X.shape[0]
    if m == 0:
        raise DataError("There is no row to measure the influence at; give one.")
    shape = function.weights.shape[1], X.shape[1] if columns is None else len(columns)
    squares, sums, rising, falling = np.zeros((4, *shape))
    steepest = np.zeros((shape[0], 1))
    for rows, gradient in function.blocks(X, columns, should_stop):
        if change is not None:
            gradient = change(rows, gradient)
        squares += np.square(gradient).sum(axis=0)
        sums += gradient.sum(axis=0)
        largest = np.abs(gradient).max(axis=(0, 2), initial=0.0)[:, None]
        steepest = np.maximum(steepest, largest)
        rising += (gradient > LEAST_SHARE * steepest).sum(axis=0)
        falling += (gradient < -LEAST_SHARE * steepest).sum(axis=0)
        progress("influence of columns", rows.stop / m)
    rms = np.sqrt(squares / m)
    return Influence(rms, sums / m, rising / m, falling / m, m, function.has_kinks)


def correlations(X: Any, scores: Array) -> Array:
    """Correlation of every component with every column, 0 where either is constant.

    ``X`` (m, d); ``scores`` (m, k); Returns (k, d).
    """
    m = X.shape[0]
    around = scores - scores.mean(axis=0)
    if is_sparse(X):
        mean = np.asarray(X.mean(axis=0)).ravel()
        squares = np.asarray(X.multiply(X).mean(axis=0)).ravel() - mean**2
        # Their difference is known to so many digits only.
        squares[squares < 1e-12 * mean**2] = 0.0
        products = (X.T @ around).T
    else:
        mean = X.mean(axis=0)
        squares = X.var(axis=0)
        products = around.T @ (X - mean)
    lengths = np.sqrt(np.square(around).sum(axis=0))[:, None] * np.sqrt(
        m * np.maximum(squares, 0.0)
    )
    found = np.zeros(products.shape)
    # What rounding leaves of a constant column, or of no variance, is not related.
    size = np.sqrt(squares + mean**2)
    varies = np.sqrt(np.maximum(squares, 0.0)) > LEAST_SHARE * size
    np.divide(products, lengths, out=found, where=(lengths > 0) & varies)
    return np.clip(found, -1.0, 1.0)


def _shares(influence: Array) -> Array:
    """Return squares as parts of their sum along the last axis."""
    squares = np.square(influence)
    total = squares.sum(axis=-1, keepdims=True)
    return np.divide(squares, total, out=np.zeros_like(squares), where=total > 0)
