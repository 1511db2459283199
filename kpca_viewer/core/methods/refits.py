"""Kernel PCA of a table with one column replaced, again and again.

What the other columns add to the pairwise base is computed once. Of the eigenpairs only
the leading ones are found, by block Krylov from those of the table as it is. Their
bounds are not needed; random vectors in the block find what the table as it is lacks.
"""

from collections.abc import Sequence

import numpy as np

from kpca_viewer.core.kernels.bases import Points, pairwise
from kpca_viewer.core.kernels.gradients import refuse_infinite, slope_sums
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.eigenpairs import eigenpairs_by, pairs_by_tridiagonal
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.methods.influence import ScoreFunction, correlations, measure
from kpca_viewer.core.solvers import krylov
from kpca_viewer.core.solvers.centred_operator import SMALLEST_SIZE, Centred
from kpca_viewer.core.solvers.problem import Problem
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

DENSE_UP_TO = 220
"""Rows up to which a tridiagonal matrix has the leading eigenpairs sooner."""

DENSE_SHARE = 8
"""One component in so many rows, beyond which all of them are found."""

GOAL = 1e-6
"""Residual of the eigenvectors, relative to the largest eigenvalue."""

FIRST_LOOK = 4
"""Passes before convergence is looked for."""

MOST_PASSES = 40
"""Beyond, all eigenpairs are found sooner."""

SPARE = 6
"""Vectors in the block beyond the wanted ones; half of them are random."""

ROUNDING = 1e-12
"""Part of the largest below which an eigenvalue is none."""


class Refits:
    """Models of a table X (n, d), one column of which is replaced.

    ``X`` (n, d): the rows as they are given to the kernel; ``components``: whose
    influence is measured, from 0; ``center``: as in the model.
    """

    def __init__(
        self, X: Array, kernel: Kernel, components: Sequence[int], *, center: bool
    ) -> None:
        self.X = X
        self.kernel = kernel
        self.components = tuple(components)
        self.center = center
        self._start: Array | None = None

    def of_column(self, column: int) -> "ColumnRefits":
        return ColumnRefits(self, column)

    def weights(self, K: Array, should_stop: ShouldStop) -> Array:
        """Return the weights of the rows in the scores of the components, (n, k)."""
        start = None if self._is_small else self._known_start(should_stop)
        values, vectors = self._leading(K, start, should_stop)
        weights = np.zeros((len(K), len(self.components)))
        for place, component in enumerate(self.components):
            if component < len(K) and values[component] > ROUNDING * values[0]:
                weights[:, place] = vectors[:, component] / values[component] ** 0.5
        return weights

    def _known_start(self, should_stop: ShouldStop) -> Array:
        """Where the eigenvectors of another table are looked for, (n, w)."""
        if self._start is None:
            count = self._wanted
            random = np.random.default_rng(0)
            block = random.standard_normal((len(self.X), count + SPARE))
            points = self.kernel.points(self.X, center=self.center)
            K = self.kernel.block(points, points)
            known = self._leading(K, block, should_stop)[1][:, : count + SPARE // 2]
            block[:, : known.shape[1]] = known
            self._start = block
        return self._start

    @property
    def _wanted(self) -> int:
        return max(self.components) + 1

    @property
    def _is_small(self) -> bool:
        n = len(self.X)
        return n <= DENSE_UP_TO or self._wanted * DENSE_SHARE > n

    def _leading(
        self, K: Array, start: Array | None, should_stop: ShouldStop
    ) -> tuple[Array, Array]:
        """Return eigenvalues, descending, and vectors: those wanted, or all."""
        gram = MatrixGram(K, psd=self.kernel.psd)
        wanted = self._wanted
        problem = Problem(gram, wanted, self.center, should_stop=should_stop)
        centred = Centred.of(gram, problem)
        if start is not None and np.abs(gram.diagonal()).max() > SMALLEST_SIZE:
            found = krylov.iterate(
                problem, centred, start, wanted, GOAL, MOST_PASSES, FIRST_LOOK
            )
            if found.worst <= GOAL * found.scale:
                return found.values, found.block
        if centred.n <= DENSE_UP_TO and wanted * DENSE_SHARE <= centred.n:
            matrix = np.empty((centred.n, centred.n))
            centred.fill(matrix, should_stop)
            pairs = pairs_by_tridiagonal(matrix, wanted)
            if pairs is not None:
                return pairs
        return eigenpairs_by(centred.n, centred.fill, should_stop)


class ColumnRefits:
    """Models in which one column is replaced."""

    def __init__(self, table: Refits, column: int) -> None:
        self._table = table
        self._column = column
        self._kernel = table.kernel
        family = table.kernel.family
        # A row that is scaled or lifted changes as a whole with any of its columns.
        has_parts = isinstance(family.base, tuple)
        self._is_whole = family.normalise or family.lift or has_parts
        self._norms: Array = np.zeros(1)
        self._rest: Array = np.zeros((1, 1))
        if not self._is_whole:
            # Kept: new memory for every model costs as much as its numbers do.
            self._B, self._K = np.empty((2, len(table.X), len(table.X)))
        if table.X.shape[1] > 1 and not self._is_whole:
            others = np.delete(table.X, column, axis=1)
            points = self._kernel.points(others, center=table.center)
            self._norms = points.shifted_norms
            self._rest = self._rest_of(points)

    def influence(self, values: Array, should_stop: ShouldStop = never) -> Array:
        """Fit the model with these values (n,) in the column, and measure it.

        Returns (2, k): root mean square of the gradient of every component by the
        column, and the size of its correlation with the scores.
        """
        table, kernel = self._table, self._kernel
        check(should_stop)
        if self._is_whole:
            X = table.X.copy()
            X[:, self._column] = values
            points = kernel.points(X, center=table.center)
            K = kernel.block(points, points)
            weights = table.weights(K, should_stop)
            function = ScoreFunction(kernel, points, weights)
            rms = measure(function, X, np.array([self._column])).rms[:, 0]
            return _with_correlations(rms, values, weights)
        around = values - values.mean()
        moved = table.center and kernel.family.bilinear
        seen = around if moved or kernel.family.base != "dot_products" else values
        B = self._base(seen)
        np.copyto(self._K, B)
        weights = table.weights(kernel.of_base(self._K), should_stop)
        longest = float((self._norms + np.square(around)).max() ** 0.5)
        side = seen[:, None]
        slopes = slope_sums(
            kernel, B, side, side, weights, longest=longest, should_stop=should_stop
        )
        refuse_infinite(kernel, slopes)
        rms = np.sqrt(np.square(slopes[:, :, 0]).mean(axis=0))
        return _with_correlations(rms, values, weights)

    def _rest_of(self, points: Points) -> Array:
        base = self._kernel.family.base
        rest: Array = pairwise(base, points, points).astype(np.float64, copy=False)
        if base == "distances":
            rest *= rest
        return rest

    def _base(self, column: Array) -> Array:
        """Return the pairwise base of the table with a column, shape (n, n)."""
        base = self._kernel.family.base
        B = self._B
        if base == "dot_products":
            np.multiply(column[:, None], column, out=B)
        else:
            np.subtract(column[:, None], column, out=B)
            (np.abs if base == "l1_distances" else np.square)(B, out=B)
        B += self._rest
        if base == "distances":
            np.sqrt(B, out=B)
        return B


def _with_correlations(rms: Array, values: Array, weights: Array) -> Array:
    # The scores of the rows are their weights, each component by a factor of its own.
    return np.stack((rms, np.abs(correlations(values[:, None], weights)[:, 0])))
