"""Which parameters the estimator takes, and in which words it refuses others."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from kpca_viewer.core.errors import KernelError
from kpca_viewer.core.kernels import FAMILIES

PRECOMPUTED = ("precomputed", "precomputed_distances")
"""Kernels that are given as a matrix instead of points."""


def check_parameters(given: Mapping[str, Any]) -> None:
    """Refuse what no solver would understand, before any work is done."""
    k, tol, alpha = given["n_components"], given["tol"], given["alpha"]
    if k is not None and (not isinstance(k, Integral) or k < 1):
        raise ValueError(f"n_components is {k!r}; it must be None or 1 or more.")
    if not isinstance(tol, Real) or not 0 <= float(tol) < 1:
        raise ValueError(f"tol is {tol!r}; it must be between 0 and 1.")
    if not isinstance(alpha, Real) or alpha < 0:
        raise ValueError(f"alpha is {alpha!r}; it must be 0 or more.")
    power, limit = given["iterated_power"], given["max_iter"]
    if power != "auto" and (not isinstance(power, Integral) or power < 0):
        raise ValueError(f"iterated_power is {power!r}; it must be 'auto' or 0 up.")
    if limit is not None and (not isinstance(limit, Integral) or limit < 1):
        raise ValueError(f"max_iter is {limit!r}; it must be None or 1 or more.")
    pre_image = given["pre_image"]
    if pre_image not in ("ridge", "fixed_point"):
        raise ValueError(
            f"pre_image is {pre_image!r}; it must be 'ridge' or 'fixed_point'."
        )
    kernel, names = given["kernel"], (*FAMILIES, *PRECOMPUTED)
    if not (isinstance(kernel, str) and kernel in names) and not callable(kernel):
        raise KernelError(
            f"There is no kernel {kernel!r}; choose one of {', '.join(names)} or a "
            "function of two rows."
        )
    if given["fit_inverse_transform"] and kernel in PRECOMPUTED:
        raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
