"""Parameters of the estimator: what they may be, and the kernel that they make."""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from reprlib import Repr
from typing import Any
from warnings import warn

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels

from kpca_viewer.core.estimator.keywords import KEYWORDS
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import (
    FAMILIES,
    Kernel,
    named_kernel,
    suggested_values,
)
from kpca_viewer.core.kernels.large_tables import held_points
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram, distances_to_kernel
from kpca_viewer.core.linalg.products import Gram
from kpca_viewer.core.methods.preimage_methods import METHODS
from kpca_viewer.core.projection import completed
from kpca_viewer.core.solvers import Decomposition, Problem
from kpca_viewer.core.solvers.choice import MANY_ROWS, passed_once
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KernelError

PRECOMPUTED = ("precomputed", "precomputed_distances")
"""Kernels that are given as a matrix instead of points."""

CERTIFICATES = ("auto", "proven", "statistical")

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40


def check_parameters(given: Mapping[str, Any]) -> None:
    """Refuse what no solver would understand, before any work is done.

    Raises
    ------
    ValueError
        In one sentence that names the parameter, its value and what it may be.
    """
    for name, (takes, what) in _RULES.items():
        value = given[name]
        if not takes(value):
            if isinstance(value, Real) and not _finite(value):
                what = what.replace("a number", "a finite number")
            raise ValueError(f"{name} is {_SHORT.repr(value)}; it must be {what}.")
    kernel, names = given["kernel"], (*FAMILIES, *PRECOMPUTED)
    if not (isinstance(kernel, str | Kernel) or callable(kernel)) or (
        isinstance(kernel, str) and kernel.isidentifier() and kernel not in names
    ):
        raise KernelError(
            f"There is no kernel {_SHORT.repr(kernel)}; choose one of "
            f"{', '.join(names)} or a function of two rows."
        )
    known = set() if callable(kernel) else _own_parameters(kernel)
    if not callable(kernel) and not set(given["kernel_params"] or ()) <= known:
        own = ", ".join(sorted(known))
        listed = f"{own} only" if own else "none; gamma and others are keywords"
        raise ValueError(
            f"kernel_params is {_SHORT.repr(given['kernel_params'])}, but the kernel "
            f"{kernel!r} takes {listed}."
        )
    if given["fit_inverse_transform"] and kernel in PRECOMPUTED:
        raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")


def _own_parameters(kernel: str | Kernel) -> set[str]:
    """Return the parameters of a kernel that are given by ``kernel_params`` alone."""
    if kernel in PRECOMPUTED:
        return set()
    name, given = named_kernel(kernel)
    return {each.name for each in FAMILIES[name].parameters} - set(KEYWORDS) - {*given}


def is_share(n_components: Any) -> bool:
    """Whether the number of components is said as a share of the variance."""
    return _number(n_components) and not _whole(n_components) and 0 < n_components < 1


def _flag(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not _flag(value)


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not _flag(value) and _finite(value)


def _finite(value: Real) -> bool:
    """Whether it is a number that a float can hold."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def _number_or_none(value: Any) -> bool:
    return value is None or _number(value)


def _seed(value: Any) -> bool:
    # Anything else that is no seed is refused by scikit-learn in its own words.
    return not _whole(value) or value >= 0


GAMMA_RULES = ("median", "scale")


def find_gamma(model: Any, X: Any) -> float:
    """Return the γ of an estimator for training rows of shape (n, d).

    Rows that are all equal have neither a scale nor a median: then it is ``1 / d``.
    """
    given: Any = model.gamma
    if isinstance(model.kernel, Kernel | str) and model.kernel not in PRECOMPUTED:
        given = named_kernel(model.kernel)[1].get("gamma", given)
    if given is not None and not isinstance(given, str):
        return given
    found: float | None = None
    if given == "scale":
        square = X.multiply(X).mean() if hasattr(X, "multiply") else np.square(X).mean()
        variance = float(square - X.mean() ** 2)
        found = 1 / (X.shape[1] * variance) if variance > 0 else None
    elif given == "median":
        family = "laplacian" if str(model.kernel).startswith("laplacian") else "rbf"
        found = suggested_values(family, X).get("gamma")
    return 1 / X.shape[1] if found is None else found


_RULES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "n_components": (
        lambda k: k is None or (_whole(k) and k >= 1) or is_share(k),
        "None or 1 or more, or a share of the variance between 0 and 1",
    ),
    "gamma": (
        lambda value: _number_or_none(value) or value in GAMMA_RULES,
        'None, "median", "scale" or a number greater than 0',
    ),
    "degree": (_number, "a number greater than 0"),
    "coef0": (_number, "a number"),
    "length_scale": (_number, "a number greater than 0"),
    "nu": (_number, "0.5, 1.5 or 2.5"),
    "mixture": (_number, "a number greater than 0"),
    "kernel_params": (
        lambda given: given is None or isinstance(given, Mapping),
        "None or a dict of keyword arguments",
    ),
    "tol": (lambda tol: _number(tol) and 0 <= tol < 1, "between 0 and 1"),
    "alpha": (lambda alpha: _number(alpha) and alpha >= 0, "0 or more"),
    "iterated_power": (
        lambda power: (
            (isinstance(power, str) and power == "auto")
            or (_whole(power) and power >= 0)
        ),
        "'auto' or 0 or more",
    ),
    "max_iter": (
        lambda limit: limit is None or (_whole(limit) and limit >= 1),
        "None or 1 or more",
    ),
    "n_jobs": (
        lambda jobs: jobs is None or (_whole(jobs) and jobs != 0),
        "None or a whole number other than 0, −1 for all cores",
    ),
    "random_state": (_seed, "None, 0 or more, or a RandomState"),
    "certificate": (
        lambda grade: isinstance(grade, str) and grade in CERTIFICATES,
        "'auto', 'proven' or 'statistical'",
    ),
    "pre_image": (
        lambda how: isinstance(how, str) and how in METHODS,
        "'ridge', 'fixed_point' or 'distances'",
    ),
    "center": (_flag, "True or False"),
    "fit_inverse_transform": (_flag, "True or False"),
    "remove_zero_eig": (_flag, "True or False"),
    "copy_X": (_flag, "True or False"),
}
"""For every parameter that stands by itself: what it takes, and that in words."""


def warn_if_missed(found: Decomposition, problem: Problem) -> None:
    """Say that the bounds of the eigenvalues are wider than was asked for.

    The dense solver has no tolerance; where rounding alone is wider, no solver would do
    better.
    """
    gram, largest = problem.gram, float(np.abs(found.eigenvalues).max(initial=0.0))
    if found.solver == "dense" or found.error <= 1.05 * problem.wanted:
        return
    size = float(np.abs(gram.diagonal()).sum(dtype=np.float64))
    rounding = float(np.finfo(gram.dtype).eps) * (8 + gram.n**0.5) * size
    rounding += gram.rounding(size)
    if (found.error - problem.wanted) * largest <= 4 * rounding:
        return
    # All of K is decomposed by passes over it, and not as a whole, if there are many.
    exact = "krylov" if gram.n >= MANY_ROWS else "dense"
    warn(
        f"The eigenvalues are known to {found.error:.1g} of the largest, not to "
        f"{problem.wanted:.1g} as is wanted; allow more iterations by max_iter or a "
        f"larger tol, or choose the {exact} solver.",
        ConvergenceWarning,
        stacklevel=4,
    )


FEW_NUMBERS = 1 << 22
"""Of new rows that are prepared all at once; of more of them, block by block."""


class KernelMixin:
    """The kernel of `KernelPCA`: named, a callable, or a matrix that is given."""

    kernel: str | Kernel | Callable[..., float]
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
    assert not callable(model.kernel)
    name, own = named_kernel(model.kernel)
    values = {**(model.kernel_params or {}), **own}
    for parameter in FAMILIES[name].parameters:
        # Where two parts of a kernel have a γ, the keyword is that of both.
        keyword = re.sub(r"_\d+$", "", parameter.name)
        if keyword in KEYWORDS:
            attribute = "gamma_" if keyword == "gamma" else keyword
            values.setdefault(parameter.name, getattr(model, attribute))
    return Kernel(name, **values)


def like(X: Any, points: Points) -> Any:
    """Make X sparse or dense as the training points are."""
    if sp.issparse(X) and points.is_dense:
        return X.toarray()
    if not (points.is_dense or sp.issparse(X)):
        return sp.csr_matrix(X)
    return X
