"""How the estimator makes kernel values: of its own points, and of new ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.metrics.pairwise import pairwise_kernels

from kpca_viewer.core.estimator.keywords import KEYWORDS
from kpca_viewer.core.estimator.parameter_checks import PRECOMPUTED
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.kernels.large_tables import held_points
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram, distances_to_kernel
from kpca_viewer.core.linalg.products import Gram
from kpca_viewer.core.projection import completed
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.core.solvers.choice import passed_once
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError

Array = NDArray[Any]

FEW_NUMBERS = 1 << 22
"""Of new rows that are prepared all at once; of more of them, block by block."""


class KernelMixin:
    """The kernel of `KernelPCA`: named, a callable, or a matrix that is given."""

    kernel: str | Callable[..., float]
    degree: float
    coef0: float
    kernel_params: dict[str, Any] | None
    n_jobs: int | None
    center: bool
    length_scale: float
    nu: float
    mixture: float
    tol: float
    gamma_: float
    X_fit_: Any
    _found: Decomposition
    """As the solver gave it, with eigenvectors of the landmarks only where those of all
    rows were not needed."""

    @property
    def _decomposition(self) -> Decomposition:
        """With the eigenvectors of all rows that are kept."""
        if self._lacks_vectors:
            self._found = completed(self._found, self._cross(self.X_fit_))
        return self._found

    @property
    def _lacks_vectors(self) -> bool:
        """Whether all rows are kept, and eigenvectors of the landmarks only."""
        count = self._found.count
        return count is not None and count == self.X_fit_.shape[0]

    def _prepare(self, X: Any) -> Gram:
        """Choose how the kernel matrix is made; keeps what new points will need."""
        self._points: Points | None = None
        self._kernel: Kernel | None = None
        if self.kernel in PRECOMPUTED:
            K = X.toarray() if sp.issparse(X) else X
            K = np.asarray(K, dtype=np.float64)
            if self.kernel == "precomputed":
                return MatrixGram.from_kernel(K)
            return MatrixGram.from_distances(K)
        if callable(self.kernel):
            n = X.shape[0]
            memory.require(
                4 * n * n * 8,
                f"A kernel function on {n:,} points",
                "choose a named kernel, which needs no n × n matrix, or fewer points",
            )
            K = self._kernel_between(X, None).astype(np.float64, copy=False)
            return MatrixGram.from_kernel(K)
        self._kernel, center = kernel_of(self), bool(self.center)
        # float64 inside whatever comes in: eigenvalues lose half their digits else.
        if sp.issparse(X) or not passed_once(len(X), self._kernel.psd, self.tol):
            points = self._kernel.points(
                X.astype(np.float64, copy=False), center=center
            )
        else:
            points = held_points(self._kernel, X, center=center)
        self._points = points
        return PointsGram(points, self._kernel)

    def _own_rows(self) -> Any:
        """Return the training rows, if they were kept."""
        if self._decomposition.count is not None:
            raise DataError(
                "The rows came in blocks, and the model keeps its landmarks only; say "
                "which rows are meant by X."
            )
        return self.X_fit_

    def _cross(self, X: Any) -> Callable[[slice, Array | None], Array]:
        """Return the kernel of new rows against training columns, block by block."""
        if self._kernel is not None:
            kernel, points = self._kernel, self._points
            assert points is not None
            X = like(X, points)
            all_at_once = None
            if sp.issparse(X) or kernel.family.normalise or X.size <= FEW_NUMBERS:
                all_at_once = kernel.prepare_new(
                    points, X.astype(np.float64, copy=False)
                )
                kernel.refuse_overflow(all_at_once)

            def of_points(rows: slice, columns: Array | None) -> Array:
                known = points.take(slice(None) if columns is None else columns)
                if all_at_once is not None:
                    return kernel.block(all_at_once.take(rows), known)
                new = kernel.prepare_new(points, X[rows].astype(np.float64, copy=False))
                kernel.refuse_overflow(new)
                return kernel.block(new, known)

            return of_points
        if callable(self.kernel):

            def of_callable(rows: slice, columns: Array | None) -> Array:
                return self._kernel_between(X[rows], self.X_fit_)

            return of_callable

        def of_matrix(rows: slice, columns: Array | None) -> Array:
            block = X[rows].toarray() if sp.issparse(X) else X[rows]
            block = np.asarray(block, dtype=np.float64)
            if self.kernel == "precomputed_distances":
                return distances_to_kernel(block)
            return block

        return of_matrix

    def _kernel_between(self, X: Any, Y: Any) -> Array:
        """Return the kernel of X and Y as one matrix, for scores and callables."""
        if callable(self.kernel):
            return pairwise_kernels(
                X,
                Y,
                metric=self.kernel,
                n_jobs=self.n_jobs,
                **(self.kernel_params or {}),
            )
        assert self._kernel is not None
        left = self._kernel.points(np.asarray(X, dtype=np.float64))
        right = left if Y is None else self._kernel.prepare_new(left, Y)
        return self._kernel.block(left, right)


def kernel_of(model: KernelMixin) -> Kernel:
    """Return the named kernel of an estimator with the values it was given."""
    family, values = FAMILIES[str(model.kernel)], dict(model.kernel_params or {})
    for parameter in family.parameters:
        if parameter.name in KEYWORDS:
            attribute = "gamma_" if parameter.name == "gamma" else parameter.name
            values[parameter.name] = getattr(model, attribute)
    return Kernel(family.name, **values)


def like(X: Any, points: Points) -> Any:
    """Make X sparse or dense as the training points are."""
    if sp.issparse(X) and points.is_dense:
        return X.toarray()
    if not (points.is_dense or sp.issparse(X)):
        return sp.csr_matrix(X)
    return X
