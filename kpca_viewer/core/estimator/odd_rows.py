"""Which rows are odd to a fitted estimator."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca_viewer.core.diagnostics import RowDiagnostics, diagnosed
from kpca_viewer.core.estimator.kernel_values import KernelMixin, like
from kpca_viewer.core.feature_space import FeatureSpace, no_lengths, training_lengths
from kpca_viewer.core.projection import training_scores
from kpca_viewer.support.errors import KernelError

Array = NDArray[Any]


def _has_lengths(model: Any) -> bool:
    """Refuse an indefinite kernel; scikit-learn hides the method from its tools then.

    Raises
    ------
    KernelError
    """
    found = getattr(model, "_found", None)
    reason = "" if found is None else no_lengths(found)
    if reason:
        raise KernelError(reason)
    return True


class OddRowsMixin(KernelMixin):
    """`score_samples` and `diagnostics` of `KernelPCA`."""

    _kept: Array

    @available_if(_has_lengths)  # type: ignore[untyped-decorator]
    def score_samples(self, X: Any) -> Array:
        """Return how normal points are: higher is more normal, 0 is the highest.

        It is minus the squared distance to the model in feature space (Hoffmann's
        novelty score, kernel SPE), with all components of the model. An indefinite
        kernel has none.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features)

        Returns
        -------
        ndarray of shape (m,)
        """
        found = self.diagnostics(X)
        assert found.spe is not None
        return -found.spe

    def diagnostics(self, X: Any = None) -> RowDiagnostics:
        """Representation quality, leverage and distance to the model of every row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features), optional
            New points; by default the training points.

        Returns
        -------
        RowDiagnostics
            ``cos2``, ``t2`` and ``spe``, each of shape (m,). Of an indefinite kernel
            only ``t2``, and a sentence ``why_not``.
        """
        check_is_fitted(self)
        found = self._decomposition
        components = np.flatnonzero(self._kept)
        if X is None:
            rows = self._own_rows()
            own = self._diagonal(rows, training=True)
            cross = self._cross(rows)
            lengths = training_lengths(found, own, cross)
            return diagnosed(found, training_scores(found), lengths, components)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
        own = self._diagonal(X, training=False)
        scores, lengths = FeatureSpace.of(found).placed(self._cross(X), own)
        return diagnosed(found, scores, lengths, components)

    def _diagonal(self, X: Any, *, training: bool) -> Array:
        """``k(x, x)``, shape (m,)."""
        if self._kernel is not None and self._points is not None:
            if training:
                points = self._points
            else:
                rows = like(X, self._points).astype(np.float64, copy=False)
                points = self._kernel.meeting(self._points, rows)
            return self._kernel.diagonal(points).astype(np.float64)
        if callable(self.kernel):
            given = self.kernel_params or {}
            rows = X.toarray() if sp.issparse(X) else X
            return np.array([self.kernel(row, row, **given) for row in rows], float)
        if self.kernel == "precomputed_distances":
            return np.zeros(X.shape[0])
        if not training:
            raise KernelError(
                "Kernel values between new and training rows do not say k(x, x) of a "
                "new row, and without it there is no distance to the model; fit on the "
                "points themselves."
            )
        matrix = X.diagonal() if sp.issparse(X) else np.diagonal(X)
        return np.asarray(matrix, dtype=np.float64)
