"""What a model file has to hold before anything is computed from it.

A file may have been cut, edited or written by another program. Whatever could fail
later from inside numpy fails here, in words that name the part.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple, get_args

import numpy as np

from kpca_viewer.core.estimator.parameters import PRECOMPUTED
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.preimage_methods import why_not
from kpca_viewer.core.solvers.choice import SOLVERS
from kpca_viewer.core.solvers.problem import Grade
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError

Json = Any


class Damage(Exception):
    """What is wrong with a file: half a sentence that follows “is damaged:”."""


class Sizes(NamedTuple):
    """Lengths that the arrays of a model share."""

    n: int
    d: int
    k: int


def check_model(description: Mapping[str, Json], arrays: Mapping[str, Array]) -> None:
    """Check shapes, types, values, and that all parts are of one model.

    The parameters of the estimator are not looked into; it knows them itself.
    """
    _check_types(description, _DESCRIPTION, "")
    found = description["decomposition"]
    _check_types(found, _DECOMPOSITION, "decomposition.")
    if found["solver"] not in SOLVERS:
        raise Damage(f"there is no solver {found['solver']!r:.40}")
    if found.get("certificate", "proven") not in get_args(Grade):
        raise Damage(f"there is no certificate {found['certificate']!r:.40}")
    n, d = _check_points(description, arrays)
    eigenvalues = _array(arrays, "eigenvalues", "f", (None,))
    sizes = Sizes(n, d, len(eigenvalues))
    rows = _check_stream(description, arrays, sizes)
    if not 1 <= sizes.k <= rows:
        raise Damage(f"it has {sizes.k} eigenvalues for {rows} points")
    _check_pairs(found, arrays, sizes)
    _check_landmarks(found, arrays, sizes)
    _check_inverse(description, arrays, sizes)


# Values


def _number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _finite(value: Json) -> bool:
    try:
        return _number(value) and isfinite(value)
    except OverflowError:
        return False


def _count(value: Json) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and 0 <= value < 2**48


def _names(value: Json) -> bool:
    return value is None or (
        isinstance(value, list) and all(isinstance(name, str) for name in value)
    )


def _shape(value: Json) -> bool:
    return value is None or (
        isinstance(value, list) and len(value) == 2 and all(map(_count, value))
    )


_DESCRIPTION = {
    "parameters": (lambda value: isinstance(value, dict), "a table"),
    "decomposition": (lambda value: isinstance(value, dict), "a table"),
    "gamma": (_finite, "a number"),
    "n_features": (_count, "a whole number"),
    "feature_names": (_names, "a list of names"),
    "sparse_shape": (_shape, "two whole numbers"),
    "fixed_point": (lambda value: isinstance(value, bool), "true or false"),
    "reconstruction_error": (
        lambda value: value is None or (_finite(value) and value >= 0),
        "a number from 0 up",
    ),
}

_STREAM = {
    "count": (_count, "a whole number"),
    "moved": (lambda value: isinstance(value, bool), "true or false"),
    "by_differences": (lambda value: isinstance(value, bool), "true or false"),
}

_DECOMPOSITION = {
    "trace": (_finite, "a number"),
    # Where K is not in memory, the sum of squares is not known.
    "squares": (
        lambda value: _number(value) and (value != value or _finite(value)),
        "a number",
    ),
    "rank": (_count, "a whole number"),
    "complete": (lambda value: isinstance(value, bool), "true or false"),
    "psd": (lambda value: isinstance(value, bool), "true or false"),
    "smallest": (_finite, "a number"),
    "solver": (lambda value: isinstance(value, str), "a text"),
    "reason": (lambda value: isinstance(value, str), "a text"),
}


def _check_types(values: Mapping[str, Json], rules: Mapping[str, Any], at: str) -> None:
    for name, (takes, what) in rules.items():
        if name not in values:
            raise Damage(f"“{at}{name}” is missing")
        if not takes(values[name]):
            raise Damage(f"“{at}{name}” is not {what}")


# Arrays


def _array(
    arrays: Mapping[str, Array],
    name: str,
    kind: str,
    shape: tuple[int | None, ...],
    *,
    nan: bool = False,
) -> Array:
    """Return an array of one kind and shape, without NaN; None takes any length."""
    if name not in arrays:
        raise Damage(f"the array “{name}” is missing")
    array = arrays[name]
    sound = array.dtype.isnative and array.dtype.kind == kind
    if not sound or (kind == "f" and array.dtype.itemsize not in (4, 8)):
        what = {"f": "numbers", "i": "whole numbers", "b": "flags"}[kind]
        raise Damage(f"the array “{name}” holds {array.dtype} instead of {what}")
    same = len(array.shape) == len(shape) and all(
        wanted is None or wanted == there
        for wanted, there in zip(shape, array.shape, strict=True)
    )
    if not same:
        wanted = " × ".join("any" if part is None else str(part) for part in shape)
        there = " × ".join(map(str, array.shape)) or "a single number"
        raise Damage(f"the array “{name}” is {there} instead of {wanted}")
    if kind == "f" and not nan and not np.isfinite(array).all():
        raise Damage(f"the array “{name}” holds NaN or infinite values")
    return array


def _check_points(
    description: Mapping[str, Json], arrays: Mapping[str, Array]
) -> tuple[int, int]:
    """Return the number of points and of features."""
    if description["sparse_shape"] is None:
        n, d = _array(arrays, "X", "f", (None, None)).shape
    else:
        n, d = description["sparse_shape"]
        _check_sparse(arrays, n, d)
    if n < 1 or d < 1:
        raise Damage(f"it has {n} points of {d} features")
    if description["n_features"] != d:
        raise Damage(
            f"it speaks of {description['n_features']} features, but has {d} of them"
        )
    names = description["feature_names"]
    if names is not None and len(names) != d:
        raise Damage(f"it has {len(names)} names for {d} features")
    if description["parameters"].get("kernel") in PRECOMPUTED and n != d:
        raise Damage(f"its matrix is {n} × {d} instead of square")
    return n, d


def _check_sparse(arrays: Mapping[str, Array], n: int, d: int) -> None:
    data = _array(arrays, "X_data", "f", (None,))
    indices = _array(arrays, "X_indices", "i", (len(data),))
    indptr = _array(arrays, "X_indptr", "i", (n + 1,))
    rises = indptr[0] == 0 and indptr[-1] == len(data) and (np.diff(indptr) >= 0).all()
    if not rises or (len(data) and not 0 <= indices.min() <= indices.max() < d):
        raise Damage("the places of its sparse values are beyond its points")


def _check_pairs(
    found: Mapping[str, Json], arrays: Mapping[str, Array], sizes: Sizes
) -> None:
    n, k = sizes.n, sizes.k
    _array(arrays, "eigenvectors", "f", (n, k))
    _array(arrays, "kept", "b", (k,))
    bounds = _array(arrays, "bounds", "f", (k, 2), nan=True)
    # An upper end may be infinite: then nothing is known.
    if np.isnan(bounds).any() or (bounds[:, 0] > bounds[:, 1]).any():
        raise Damage("the bounds of its eigenvalues are no intervals")
    if found.get("has_angles", False):
        angles = _array(arrays, "angles", "f", (k,), nan=True)
        if not (angles >= 0).all():
            raise Damage("the angles of its components are no bounds")
    if (np.diff(arrays["eigenvalues"]) > 0).any():
        raise Damage("its eigenvalues do not descend")
    spectrum = _array(arrays, "spectrum", "f", (n if found["complete"] else None,))
    if len(spectrum) < k:
        raise Damage(f"it knows {len(spectrum)} of {k} eigenvalues")


def _check_stream(
    description: Mapping[str, Json], arrays: Mapping[str, Array], sizes: Sizes
) -> int:
    """Return how many rows a model was fitted to; its points may be landmarks only."""
    stream = description.get("stream")
    if stream is None:
        return sizes.n
    if not isinstance(stream, dict):
        raise Damage("stream is no table")
    _check_types(stream, _STREAM, "stream.")
    kernel = _kernel(description["parameters"].get("kernel"))
    if kernel is None:
        raise Damage("its rows came in blocks, but its kernel is none of ours")
    _array(arrays, "shift", "f", (sizes.d + kernel.family.lift,))
    if not any(name.startswith("landmark_") for name in arrays):
        raise Damage("its rows came in blocks, but it has no landmarks")
    return int(stream["count"])


def _check_landmarks(
    found: Mapping[str, Json], arrays: Mapping[str, Array], sizes: Sizes
) -> None:
    """Refuse a model that has neither landmarks nor row means."""
    if not any(name.startswith("landmark_") for name in arrays):
        _array(arrays, "row_means", "f", (sizes.n,))
        return
    _array(arrays, "row_means", "f", (None,))
    r = found["rank"]
    landmarks = _array(arrays, "landmark_landmarks", "i", (r,))
    if r and not 0 <= landmarks.min() <= landmarks.max() < sizes.n:
        raise Damage(f"a landmark is none of its {sizes.n} points")
    _array(arrays, "landmark_corner", "f", (r, r))
    _array(arrays, "landmark_mean", "f", (r,))
    _array(arrays, "landmark_directions", "f", (r, sizes.k))


def _check_inverse(
    description: Mapping[str, Json], arrays: Mapping[str, Array], sizes: Sizes
) -> None:
    """Refuse a model that is to go back and does not know how."""
    parameters = description["parameters"]
    wanted = parameters.get("fit_inverse_transform", False)
    method = parameters.get("pre_image", "ridge")
    from_points = bool(wanted) and method in ("fixed_point", "distances")
    if description["fixed_point"] != from_points or (
        from_points and not _goes_back(method, parameters.get("kernel"))
    ):
        raise Damage("its parameters do not fit its inverse transform")
    if wanted and not from_points:
        kept = int(arrays["kept"].sum())
        _array(arrays, "dual_coef_", "f", (sizes.n, sizes.d))
        _array(arrays, "X_transformed_fit_", "f", (sizes.n, kept))


def _goes_back(method: Json, kernel: Json) -> bool:
    known = _kernel(kernel)
    return known is not None and not why_not(method, known)


def _kernel(text: Json) -> Kernel | None:
    """Return the kernel that a file names; None where it is a matrix, or none."""
    try:
        return Kernel.parse(text) if isinstance(text, str) else None
    except KernelError:
        return None
