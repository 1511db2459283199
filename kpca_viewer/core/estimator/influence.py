"""What the estimator says about columns: gradients of its scores, and their size."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca_viewer.core.estimator.kernel_values import KernelMixin, like
from kpca_viewer.core.influence import Influence, ScoreFunction, correlations, measure
from kpca_viewer.core.projection import project
from kpca_viewer.support.errors import KernelError

Array = NDArray[Any]


class InfluenceMixin(KernelMixin):
    """How the scores of `KernelPCA` change with the columns."""

    _kept: Array

    def influence(
        self, X: Any = None, components: Sequence[int] | None = None
    ) -> Influence:
        """How much every column moves every component.

        The root mean square, over rows, of the exact gradient of the score. For the
        linear kernel these are the absolute loadings of PCA.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features), optional
            The rows at which it is measured; the training points if not given.
        components : sequence of int, optional
            Which components, from 0; all if not given.

        Returns
        -------
        Influence
            With ``rms``, ``mean``, ``shares``, ``directions``, ``agreement``,
            ``steadiness`` and ``correlations`` of shape (k, n_features), and
            ``together`` and ``shares_together`` of shape (n_features,) for the
            components taken together.

        Raises
        ------
        KernelError
            For a callable kernel and for matrices that are given.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from kpca_viewer import KernelPCA
        >>> X = load_iris().data
        >>> model = KernelPCA(2, kernel="rbf", gamma=0.1).fit(X)
        >>> model.influence().shares[0].round(2)  # PC 1: petal length leads
        array([0.15, 0.03, 0.68, 0.13])
        """
        function = self._score_function(components)
        rows = self._rows(X)
        found = measure(function, rows)
        scores = project(self._found, self._cross(rows), rows.shape[0])[:, self._kept]
        if components is not None:
            scores = scores[:, list(components)]
        return replace(found, correlations=correlations(rows, scores))

    def score_gradients(
        self, X: Any = None, components: Sequence[int] | None = None
    ) -> Array:
        """Gradient of every score by every column, ``∂zⱼ(x)/∂x_f``.

        Where the kernel has an edge (Laplacian, and Matérn with ν = 1/2, at the
        training points) the mean of both sides stands for it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features), optional
            The rows at which it is asked; the training points if not given.
        components : sequence of int, optional
            Which components, from 0; all if not given.

        Returns
        -------
        ndarray of shape (m, k, n_features)

        Raises
        ------
        KernelError
            For a callable kernel and for matrices that are given.
        """
        function = self._score_function(components)
        return function.gradients(self._rows(X))

    def _score_function(self, components: Sequence[int] | None) -> ScoreFunction:
        check_is_fitted(self)
        if self._kernel is None or self._points is None:
            what = "a matrix that is given has no columns"
            if callable(self.kernel):
                what = "nobody knows the derivative of a function"
            raise KernelError(
                f"There is no gradient: {what}; choose a named kernel on points."
            )
        kept = np.flatnonzero(self._kept)
        function = ScoreFunction.of(
            self._decomposition, self._kernel, self._points, kept.tolist()
        )
        return function if components is None else function.of_components(components)

    def _rows(self, X: Any) -> Any:
        if X is None:
            X = self._own_rows()
        else:
            X = validate_data(
                self,
                X,
                accept_sparse="csr",
                dtype=[np.float64, np.float32],
                reset=False,
            )
        assert self._points is not None
        return like(X, self._points).astype(np.float64, copy=False)
