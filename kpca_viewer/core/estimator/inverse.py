"""How the estimator goes back: from scores to points, from noisy points to clean."""

from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from kpca_viewer.core.estimator.kernel_values import KernelMixin
from kpca_viewer.core.preimage.denoiser import Denoiser
from kpca_viewer.core.preimage.methods import METHODS, Method, checked_scores
from kpca_viewer.core.preimage.prepared import PreImages
from kpca_viewer.core.preimage.ridge import ridge_coefficients
from kpca_viewer.support.errors import DataError, KernelError

Array = NDArray[Any]


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
        """Return scores with the components that were dropped, as zeros."""
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

    def _learn_inverse(self, X: Any, scores: Array) -> None:
        """Prepare `inverse_transform` from the training points and their scores."""
        if self.pre_image != "ridge":
            self._pre_images = self._prepared(self.pre_image)  # type: ignore[arg-type]
        else:
            self.dual_coef_ = ridge_coefficients(
                lambda: self._kernel_between(scores, None), X, self.alpha
            )
            self.X_transformed_fit_ = scores
        back = self.inverse_transform(scores)
        self.reconstruction_error_ = float(np.square(X - back).sum(axis=1).mean())
