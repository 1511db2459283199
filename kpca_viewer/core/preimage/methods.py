"""Which ways back there are for a kernel, and one sentence where there is none."""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.support.errors import DataError

Array = NDArray[Any]
Method = Literal["ridge", "fixed_point", "distances"]

METHODS: tuple[Method, ...] = get_args(Method)

_EUCLIDEAN = ("squared_distances", "distances", "dot_products")


def why_not(method: Method, kernel: Kernel, points: Points | None = None) -> str:
    """Say why a method has no pre-images for a kernel; empty if it has.

    Parameters
    ----------
    points : Points, optional
        The training points. Without them what depends on them is taken for granted.
    """
    if method == "fixed_point":
        return _no_fixed_point(kernel)
    if method == "distances":
        return _no_distances(kernel, points)
    return ""


def available(kernel: Kernel, points: Points | None = None) -> tuple[Method, ...]:
    """Return the methods that exist for a kernel, the best to remove noise first.

    Of noisy digits the closed form leaves the smallest error, over all γ and numbers of
    components; where it does not exist, neither does the iteration.
    """
    order: tuple[Method, ...] = ("distances", "fixed_point", "ridge")
    return tuple(method for method in order if not why_not(method, kernel, points))


def is_exact(kernel: Kernel) -> bool:
    """Whether feature space is that of the points: a projection is its pre-image."""
    family = kernel.family
    return family.bilinear and not (family.normalise or family.lift)


def _no_fixed_point(kernel: Kernel) -> str:
    if kernel.family.gaussian or is_exact(kernel):
        return ""
    return (
        "The fixed-point pre-image exists for the RBF kernel only, not for "
        f"{kernel.family.title}; choose pre_image='ridge'."
    )


def _no_distances(kernel: Kernel, points: Points | None) -> str:
    if is_exact(kernel):
        return ""
    family, title = kernel.family, kernel.family.title
    rest = "choose pre_image='ridge'."
    if family.normalise:
        return f"The {title} kernel forgets how long a row is; {rest}"
    if family.base not in _EUCLIDEAN:
        return (
            f"The {title} kernel measures no straight distances, from which a place "
            f"could be found; {rest}"
        )
    if family.inverse is None or not kernel.psd:
        return (
            f"A value of the {title} kernel does not say how far away a point is; "
            f"{rest}"
        )
    degree = kernel.values.get("degree", 1.0)
    negative = points is not None and _least(points) < 0
    if family.base == "dot_products" and degree % 2 == 0 and negative:
        return (
            f"An even degree of the {title} kernel does not tell a dot product from "
            f"its negative; choose an odd degree, or {rest.removeprefix('choose ')}"
        )
    return ""


def _least(points: Points) -> float:
    X = points.X
    return float(X.min()) if len(points) else 0.0


def checked_scores(X: Any, k: int) -> Array:
    """Return scores of k components that can have a pre-image, shape (m, k).

    Raises
    ------
    DataError
    """
    Z = np.asarray(X)
    if Z.dtype not in (np.float32, np.float64):
        Z = Z.astype(np.float64)
    if Z.ndim != 2 or Z.shape[1] != k:
        raise DataError(
            f"The scores have the shape {Z.shape}; this model has {k} components, so "
            f"that it must be (m, {k})."
        )
    odd = np.flatnonzero(~np.isfinite(Z).all(axis=1))
    if odd.size:
        raise DataError(
            f"Row {odd[0]} of the scores holds NaN or an infinite value, which no "
            "point has; leave such rows out."
        )
    return Z
