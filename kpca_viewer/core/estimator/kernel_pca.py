"""KernelPCA: a drop-in for scikit-learn's, certified and fast."""

from collections.abc import Callable
from dataclasses import replace
from numbers import Integral
from os import PathLike
from typing import Any, Literal

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca_viewer.core.estimator.mixins import InfluenceMixin, InverseMixin, OddRowsMixin
from kpca_viewer.core.estimator.parameters import (
    PRECOMPUTED,
    check_parameters,
    find_gamma,
    is_share,
    warn_if_missed,
)
from kpca_viewer.core.estimator.streams import (
    fit_stream,
    is_dask,
    is_walked,
    stream_of,
    transform_stream,
)
from kpca_viewer.core.estimator.variance_share import solve_for_share
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.products import Gram
from kpca_viewer.core.orientation import SPARE
from kpca_viewer.core.projection import in_type, project, training_scores
from kpca_viewer.core.solvers import Decomposition, Problem, solve
from kpca_viewer.core.solvers.problem import positive_part, score_bounds
from kpca_viewer.support.arrays import Array


class KernelPCA(
    InfluenceMixin,
    InverseMixin,
    OddRowsMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    BaseEstimator,
):
    """Kernel principal component analysis.

    The parameters up to ``n_jobs`` are those of `sklearn.decomposition.KernelPCA` and
    mean the same.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components; None keeps all with an eigenvalue above zero. A number
        between 0 and 1 is a share of the true variance: as few components as are
        *proven* to reach it by the lower ends of ``eigenvalue_bounds_``. A kernel that
        may be indefinite is decomposed as a whole for that.
    kernel : str, Kernel or callable, default="linear"
        "linear", "poly", "rbf", "laplacian", "matern", "rational_quadratic", "sigmoid",
        "cosine", "paraboloid", "precomputed", "precomputed_distances" or a function;
        or sums and products of kernels with their values, ``rbf(0.5) + 0.1 *
        linear()``, as an expression of `kpca_viewer.rbf` and others or as a text.
    gamma : float, "median", "scale" or None, default=None
        γ of poly, rbf, laplacian and sigmoid, greater than 0; None is 1 / n_features,
        "scale" 1 / (n_features · variance of all values), "median" 1 / median of the
        squared distances (of the L1 distances for laplacian) between up to 1,000 rows.
        ``gamma_`` is the value.
    degree : float, default=3
        Degree p of poly, greater than 0.
    coef0 : float, default=1
        Offset c of poly and sigmoid.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel, or parameters of a named one that have
        no keyword here.
    alpha : float, default=1.0
        Ridge penalty of the learnt inverse transform.
    fit_inverse_transform : bool, default=False
        Learn the inverse transform (not for precomputed kernels).
    eigen_solver : str, default="auto"
        "auto", "dense", "krylov" or "lowrank"; for "arpack" and "randomized" block
        Krylov does the work, and says so in ``solver_``.
    tol : float, default=0
        Wanted bound on the eigenvalues relative to the largest. 0 means full precision
        below 1,000 points and 1e-6 above (machine precision for arpack); 1e-3 for rows
        that come in blocks and are not joined (see `fit`).
    certificate : {"auto", "proven", "statistical"}, default="auto"
        Grade of the bounds, where there is a choice (low rank from 20,000 points on).
        Proven ones hold for certain; statistical ones come from a sample of rows and
        hold with a probability of at least 1 − 1e-9. "auto" is proven where that is
        quick.
    max_iter : int or None, default=None
        Limit on the iterations of krylov.
    iterated_power : int or "auto", default="auto"
        Not used: the passes of krylov end at the tolerance.
    remove_zero_eig : bool, default=False
        Drop components with zero eigenvalue.
    random_state : int, RandomState or None, default=None
        Seed of the iterative solvers; None is a fixed seed, so that every run agrees.
    copy_X : bool, default=True
        Keep a copy of the training points rather than the array itself.
    n_jobs : int or None, default=None
        Processes for a callable kernel.
    center : bool, default=True
        Centre in feature space. False shows what happens if that is forgotten.
    length_scale : float, default=1.0
        ℓ of matern and rational_quadratic.
    nu : {0.5, 1.5, 2.5}, default=1.5
        Smoothness ν of matern.
    mixture : float, default=1.0
        Exponent a of rational_quadratic.
    pre_image : {"ridge", "fixed_point", "distances"}, default="ridge"
        How `inverse_transform` works: kernel ridge regression of the points on their
        scores, with the kernel of the points as in scikit-learn; the fixed-point
        iteration for the RBF kernel; or the closed form from distances to neighbours,
        for kernels whose value says how far away a point is.

    Attributes
    ----------
    n_components_ : int
        How many components there are.
    eigenvalues_ : ndarray of shape (k,)
        Largest eigenvalues μ of the centred kernel matrix, descending.
    eigenvectors_ : ndarray of shape (n, k)
        Of an array that was passed over once (50,000 rows or more, a tol of 1e-4 or
        more) they are computed when they are first asked for.
    eigenvalue_bounds_ : ndarray of shape (k, 2)
        Lower and upper end for each eigenvalue.
    component_angle_bounds_ : ndarray of shape (k,)
        Bound on the angle between every component and the true one, in radians (Davis
        and Kahan); infinite where the eigenvalue cannot be told from its neighbours:
        then only their plane is known.
    score_bounds_ : ndarray of shape (k,)
        Bound on the norm of what the scores of all training points along a component
        are off by, signs apart; infinite where the angle is.
    certificate_ : {"proven", "statistical"}
        Grade of the bounds.
    explained_variance_ratio_ : ndarray of shape (k,)
        Shares of the true total variance; NaN where there is none to share out: all
        rows are equal to the kernel, or rounding may be all that it leaves.
    solver_ : str
        The solver that was used, and ``solver_reason_`` why.
    rank_ : int
        Rank of the approximation; n for an exact solver.
    landmarks_ : ndarray of shape (r,) or None
        Rows that carry a low-rank model; None where all rows carry it.
    n_rows_ : int
        Rows that it was fitted to. Where they came in blocks that were not joined,
        ``X_fit_`` and ``eigenvectors_`` have those of the landmarks only.
    negative_mass_ : float
        Share of the negative eigenvalues of an indefinite kernel; NaN where these
        cannot be told from rounding. Where not all are computed, from 2,000 points on,
        random vectors estimate it, and with it ``explained_variance_ratio_`` and
        ``effective_rank_``.
    negative_mass_bounds_ : ndarray of shape (2,)
        The interval in which it lies; five standard errors to both sides if estimated.
    effective_rank_ : float
        ``(Σ|μ|)² / Σμ²``.
    gamma_ : float
    X_fit_ : ndarray or CSR matrix of shape (n, n_features)
    dual_coef_, X_transformed_fit_ : ndarray
        Of the learnt inverse transform.
    reconstruction_error_ : float
        Mean squared distance between the training points and their reconstruction.
    n_features_in_ : int
    feature_names_in_ : ndarray of str

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> from kpca_viewer import KernelPCA
    >>> X, y = make_circles(400, factor=0.3, noise=0.05, random_state=0)
    >>> KernelPCA(2, kernel="rbf", gamma=2).fit_transform(X).shape
    (400, 2)

    See Also
    --------
    choose : which kernel held-out rows defend.
    plot : the embedding or the spectrum of a fitted model.
    load : a model with its preparation, as a pipeline.
    """

    _eigenvectors: Array | None
    """As they were asked for."""

    def __init__(
        self,
        n_components: float | None = None,
        *,
        kernel: str | Kernel | Callable[..., float] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | str = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        center: bool = True,
        length_scale: float = 1.0,
        nu: float = 1.5,
        mixture: float = 1.0,
        pre_image: str = "ridge",
        certificate: Literal["auto", "proven", "statistical"] = "auto",
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.center = center
        self.length_scale = length_scale
        self.nu = nu
        self.mixture = mixture
        self.pre_image = pre_image
        self.certificate = certificate

    def fit(self, X: Any, y: Any = None) -> "KernelPCA":
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
            For the precomputed kernels the (n, n) kernel or distance matrix. Rows may
            also come in blocks: a memory map that is larger than memory, a
            `dask.array`, a `dask.dataframe`, or tables that can be walked again and
            again. Up to 50,000 rows and 20,000,000 values are joined, and give what
            an array of them gives; more are never held all at once.
        y : ignored

        Returns
        -------
        self
        """
        # As they are: to ask for them by get_params takes as long as a small matrix.
        check_parameters(vars(self))
        stream = None if type(X) is np.ndarray else stream_of(X)
        if stream is not None:
            fit_stream(self, stream)
            return self
        return self._fit_table(X)

    def _fit_table(self, X: Any) -> "KernelPCA":
        X = validate_data(
            self,
            X,
            # A learnt inverse gives points, and dense points are not wanted back.
            accept_sparse=False if self.fit_inverse_transform else "csr",
            dtype=[np.float64, np.float32],
            copy=self.copy_X,
        )
        self.gamma_ = find_gamma(self, X)
        self.X_fit_ = X
        gram = self._prepare(X)
        self._keep(self._solved(gram), X.shape[0], X.dtype)
        if self.fit_inverse_transform:
            self._learn_inverse(X, self._training_scores())
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit the model and return the scores of the training points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n, k)
            Or, of rows in blocks, what `transform` returns of them.
        """
        self.fit(X)
        if stream_of(X) is not None:
            return self.transform(X)
        return self._training_scores()

    def transform(self, X: Any) -> Any:
        """Scores of new points, computed in blocks of bounded memory.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n_features)
            For the precomputed kernels the (m, n) kernel or distances between the new
            and the training points.

        Returns
        -------
        ndarray of shape (m, k)
            Of a `dask.array` or `dask.dataframe` the same, computed when it is asked
            for; of tables that can be walked, `Scores` that can be walked too, table
            by table, and that `numpy.asarray` joins.
        """
        check_is_fitted(self)
        if is_dask(X) or is_walked(X):
            return transform_stream(self, X)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
        scores = project(self._found, self._cross(X), X.shape[0])
        return in_type(self._of_kept(scores), X.dtype)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model to a file without pickle; see `load`."""
        from kpca_viewer.core.estimator.model_file import save_model

        save_model(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "KernelPCA":
        """Read a model that `save` wrote; it transforms to the same bits.

        A model of the program (``kpca-viewer embed --model``, *Fitted model* of the
        window) may know how raw rows are scaled. `transform` does not do that, and a
        warning says so; `kpca_viewer.load` reads the model with its preparation.
        """
        from kpca_viewer.core.estimator.model_file import load_model, warn_if_scaled

        warn_if_scaled(path)
        return load_model(path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.fit_inverse_transform
        tags.input_tags.pairwise = self.kernel in PRECOMPUTED
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def eigenvectors_(self) -> Array:
        """Of all rows, or where they came in blocks of the landmarks, shape (n, k)."""
        if not hasattr(self, "_kept"):
            raise AttributeError("There are no eigenvectors_ before fit.")
        if self._eigenvectors is None:
            vectors = self._decomposition.eigenvectors[:, self._kept]
            self._eigenvectors = vectors.astype(self._vector_type, copy=False)
        return self._eigenvectors

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def _seed(self) -> int:
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31))

    def _solved(self, gram: Gram) -> Decomposition:
        k = self.n_components
        count = gram.n if k is None or is_share(k) else min(gram.n, int(k))
        dimensions = self._dimensions() if k is None else np.inf
        few_dimensions = gram.psd and dimensions < count
        if few_dimensions:
            count = int(dimensions)
        problem = Problem(
            gram,
            # Where a tied pair is cut in two, the first of it depends on the second.
            count if few_dimensions else min(count + SPARE, gram.n),
            center=bool(self.center) or self.kernel == "precomputed_distances",
            tol=float(self.tol),
            certificate=self.certificate,
            seed=self._seed(),
            max_iter=self.max_iter,
            all_values=(k is None and not few_dimensions) or is_share(k),
            whole_range=few_dimensions,
            vectors_later=not (self.fit_inverse_transform or is_share(k)),
        )
        if k is not None and is_share(k):
            return solve_for_share(problem, self.eigen_solver, float(k))
        found = solve(problem, self.eigen_solver).leading(count)
        warn_if_missed(found, problem)
        return found

    def _dimensions(self) -> float:
        """Return how many dimensions feature space has; infinite if that is unknown."""
        if self._kernel is None:
            return np.inf
        return self._kernel.feature_dimension(self.n_features_in_)

    def _keep(self, decomposition: Decomposition, n: int, dtype: Any) -> None:
        # No fit starts from a fitted model.
        self._found = decomposition = replace(decomposition, spare=None)
        values = decomposition.eigenvalues
        live = positive_part(decomposition)
        if self.remove_zero_eig or self.n_components is None:
            self._kept = live > 0
        else:
            self._kept = np.ones(len(values), dtype=bool)
        # What is noise is zero; a negative eigenvalue is shown as it is.
        clear = np.abs(values) > 1e-12 * np.abs(values).max(initial=0.0)
        mass, bounds = decomposition.mass, decomposition.bounds.copy()
        bounds[~clear, 0] = np.minimum(bounds[~clear, 0], 0.0)
        bounds[~clear, 1] = np.maximum(bounds[~clear, 1], 0.0)
        self.eigenvalues_ = np.where(clear, values, 0.0)[self._kept]
        self.n_components_ = len(self.eigenvalues_)
        self._vector_type = np.dtype(dtype)
        self._eigenvectors = None
        self.eigenvalue_bounds_ = bounds[self._kept]
        self.component_angle_bounds_ = decomposition.angle_bounds[self._kept]
        self.score_bounds_ = score_bounds(decomposition)[self._kept]
        self.certificate_ = decomposition.certificate
        shares = np.where(clear, decomposition.shares, 0.0)
        if not decomposition.has_variance:
            shares[:] = np.nan
        self.explained_variance_ratio_ = shares[self._kept]
        self.effective_rank_ = decomposition.effective_rank
        self.negative_mass_ = mass.share
        self.negative_mass_bounds_ = np.array([mass.low, mass.high])
        self.solver_ = decomposition.solver
        self.solver_reason_ = decomposition.reason
        self.rank_ = decomposition.rank
        self.n_rows_ = decomposition.n
        map_ = decomposition.landmark_map
        self.landmarks_ = None if map_ is None else map_.landmarks

    def _training_scores(self) -> Array:
        X = self.X_fit_
        if self._lacks_vectors:
            scores = project(self._found, self._cross(X), X.shape[0])
        else:
            scores = training_scores(self._found)
        return in_type(self._of_kept(scores), X.dtype)

    def _of_kept(self, columns: Array) -> Array:
        """Return the columns of components that are kept, without a copy if all are."""
        return columns if self._kept.all() else columns[:, self._kept]
