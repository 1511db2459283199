"""How the estimator goes back: from scores to points, from noisy points to clean.

What the estimator says about columns: gradients of its scores, and their size.

Which rows are odd to a fitted estimator.
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca_viewer.core.estimator.parameters import KernelMixin, like
from kpca_viewer.core.estimator.streams import is_dask, samples_of_dask
from kpca_viewer.core.methods.denoiser import Denoiser
from kpca_viewer.core.methods.influence import (
    Influence,
    ScoreFunction,
    correlations,
    measure,
)
from kpca_viewer.core.methods.outliers import RowDiagnostics, diagnosed
from kpca_viewer.core.methods.preimage import PreImages
from kpca_viewer.core.methods.preimage_methods import (
    METHODS,
    Method,
    checked_scores,
    ridge_coefficients,
)
from kpca_viewer.core.projection import (
    FeatureSpace,
    no_lengths,
    project,
    training_lengths,
    training_scores,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.threads import one_blas_thread


class InverseMixin(KernelMixin):
    """`inverse_transform` and `denoise` of `KernelPCA`."""

    fit_inverse_transform: bool
    pre_image: str
    alpha: float
    n_components_: int
    dual_coef_: Array
    X_transformed_fit_: Array
    _kept: Array
    _pre_images: PreImages

    @one_blas_thread()
    def inverse_transform(self, X: Any) -> Array:
        """Approximate the points that have the scores X.

        Parameters
        ----------
        X : array-like of shape (m, k)

        Returns
        -------
        ndarray of shape (m, n_features)
        """
        check_is_fitted(self)
        if not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when "
                "instantiating and hence the inverse transform is not available."
            )
        Z = checked_scores(X, self.n_components_)
        if self.pre_image != "ridge":
            found = self._pre_images(self._of_all(Z)).points
            return found.astype(self.X_fit_.dtype, copy=False)
        return self._kernel_between(Z, self.X_transformed_fit_) @ self.dual_coef_

    @one_blas_thread()
    def denoise(
        self,
        X: Any,
        k: int | None = None,
        method: Method | None = None,
        noise: float | None = None,
        return_weights: bool = False,
    ) -> Any:
        """Return the points X with less noise, by the first k components.

        The pre-images of the scores have less noise, and lack what else the components
        leave out. By default only the part of the change from X to them is made that
        an estimate calls a gain: none of it in clean rows, all of it in noisy ones.
        ``fit_inverse_transform`` is not needed.

        Parameters
        ----------
        X : array-like of shape (m, n_features)
        k : int, optional
            How many components; by default all of the model.
        method : {"distances", "fixed_point", "ridge"}, optional
            By default the closed form from distances, with the fixed point where an
            RBF kernel is too narrow for it, and ridge regression for kernels that have
            neither. The fixed point begins at the points X. Scores of a centred RBF
            kernel are shrunk before, towards the mean, by the noise (16 columns or
            more), if an estimate of the error says that this helps. If a method is
            given, and for a linear kernel, the pre-images are returned as they are.
        noise : float, optional
            Standard deviation of the noise in every cell of X. By default the training
            rows tell it, at most too high: what is independent from cell to cell in
            clean rows counts as noise, too. A row noisier than all of them tells its
            own (docs/mathematics.md has the numbers).
        return_weights : bool
            Whether to return what part of the change was made, too.

        Returns
        -------
        ndarray of shape (m, n_features)
            And with ``return_weights`` an array of shape (m,): 0 where a row is that of
            X, 1 where it is the pre-image.
        """
        check_is_fitted(self)
        most = self.n_components_
        whole = isinstance(k, Integral) and not isinstance(k, bool)
        if k is not None and not (whole and 1 <= k <= most):
            raise DataError(
                f"k is {k!r:.40}; this model has {most} components, so that it must be "
                f"a whole number from 1 to {most}."
            )
        if method is not None and method not in METHODS:
            raise KernelError(
                f"There is no pre-image by {method!r:.40}; choose one of "
                f"{', '.join(METHODS)}."
            )
        if noise is not None and not (isinstance(noise, Real) and 0 <= noise < np.inf):
            raise DataError(
                f"noise is {noise!r:.40}; it is a standard deviation, so that it must "
                "be a finite number that is not below 0."
            )
        Z = self.transform(X).astype(np.float64)  # type: ignore[attr-defined]
        start = X.toarray() if sp.issparse(X) else np.asarray(X, dtype=np.float64)
        components = np.arange(most) < (most if k is None else int(k))
        clean = Denoiser(
            self._prepared(method), self._of_all(components[None])[0], noise
        )
        found, weights = clean(self._of_all(Z), start)
        found = found.astype(self.X_fit_.dtype, copy=False)
        return (found, weights) if return_weights else found

    def reconstruction_error(self, X: Any) -> Array:
        """Distance of every point to its reconstruction from the scores, shape (m,)."""
        back = self.inverse_transform(
            self.transform(X)  # type: ignore[attr-defined]
        )
        X = X.toarray() if sp.issparse(X) else np.asarray(X)
        return np.linalg.norm(X - back, axis=1)

    def _of_all(self, Z: Array) -> Array:
        full = np.zeros((len(Z), len(self._kept)))
        full[:, self._kept] = Z
        return full

    def _prepared(self, method: Method | None) -> PreImages:
        if self._kernel is None or self._points is None:
            words = "A pre-image" if method is None else f"The pre-image by {method}"
            if method == "fixed_point":
                words = "The fixed-point pre-image"
            needed = "the RBF kernel" if method == "fixed_point" else "a named kernel"
            raise KernelError(f"{words} needs {needed}.")
        return PreImages(
            self._decomposition, self._kernel, self._points, method, self.alpha
        )

    @one_blas_thread()
    def _learn_inverse(self, X: Any, scores: Array) -> None:
        if self.pre_image != "ridge":
            self._pre_images = self._prepared(self.pre_image)  # type: ignore[arg-type]
        else:
            self.dual_coef_ = ridge_coefficients(
                lambda: self._kernel_between(scores, None), X, self.alpha
            )
            self.X_transformed_fit_ = scores
        back = self.inverse_transform(scores)
        self.reconstruction_error_ = float(np.square(X - back).sum(axis=1).mean())


class InfluenceMixin(KernelMixin):
    _kept: Array

    @one_blas_thread()
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

    @one_blas_thread()
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
                what = "the derivative of a function is not known"
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


def _has_lengths(model: Any) -> bool:
    """Refuse an indefinite kernel: scikit-learn then hides the method."""
    found = getattr(model, "_found", None)
    reason = "" if found is None else no_lengths(found)
    if reason:
        raise KernelError(reason)
    return True


class OddRowsMixin(KernelMixin):
    """`score_samples` and `diagnostics` of `KernelPCA`."""

    _kept: Array

    @available_if(_has_lengths)  # type: ignore[untyped-decorator]
    def score_samples(self, X: Any) -> Any:
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
            Of a `dask.array` or `dask.dataframe` the same, computed when it is asked
            for.
        """
        if is_dask(X):
            return samples_of_dask(self, X)  # type: ignore[arg-type]
        found = self.diagnostics(X)
        assert found.spe is not None
        return -found.spe

    @one_blas_thread()
    def diagnostics(self, X: Any = None) -> RowDiagnostics:
        """Representation quality, leverage and distance to the model of every row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features), optional
            New points, which are held all at once; by default the training points.

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
                points = self._kernel.prepare_new(self._points, rows)
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
