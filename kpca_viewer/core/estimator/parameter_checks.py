"""Which parameters the estimator takes, and in which words it refuses others."""

from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from reprlib import Repr
from typing import Any
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kpca_viewer.core.estimator.keywords import KEYWORDS
from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.methods.preimage_methods import METHODS
from kpca_viewer.core.solvers import Decomposition, Problem
from kpca_viewer.core.solvers.choice import MANY_ROWS
from kpca_viewer.support.errors import KernelError

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
    if not (isinstance(kernel, str) and kernel in names) and not callable(kernel):
        raise KernelError(
            f"There is no kernel {_SHORT.repr(kernel)}; choose one of "
            f"{', '.join(names)} or a function of two rows."
        )
    if not callable(kernel) and not (
        set(given["kernel_params"] or ()) <= _own_parameters(str(kernel))
    ):
        own = ", ".join(sorted(_own_parameters(str(kernel))))
        listed = f"{own} only" if own else "none; gamma and others are keywords"
        raise ValueError(
            f"kernel_params is {_SHORT.repr(given['kernel_params'])}, but the kernel "
            f"{kernel!r} takes {listed}."
        )
    if given["fit_inverse_transform"] and kernel in PRECOMPUTED:
        raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")


def _own_parameters(kernel: str) -> set[str]:
    """Return the parameters of a named kernel that are no keywords of the estimator."""
    known = FAMILIES[kernel].parameters if kernel in FAMILIES else ()
    return {each.name for each in known} - set(KEYWORDS)


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


_RULES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "n_components": (
        lambda k: k is None or (_whole(k) and k >= 1) or is_share(k),
        "None or 1 or more, or a share of the variance between 0 and 1",
    ),
    "gamma": (_number_or_none, "None or a number greater than 0"),
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

    The dense solver has no tolerance, and the randomised one none unless it is given;
    where rounding alone is wider, no solver would do better.
    """
    gram, largest = problem.gram, float(np.abs(found.eigenvalues).max(initial=0.0))
    unasked = found.solver == "randomized" and not problem.tol
    if found.solver == "dense" or unasked or found.error <= 1.05 * problem.wanted:
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
