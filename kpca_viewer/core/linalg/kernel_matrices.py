"""Kernel matrices of the same rows under several kernels, which share their bases."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points, pairwise
from kpca_viewer.core.kernels.kernel import Kernel

Array = NDArray[Any]

STACKED = 300_000
"""Entries of small matrices that are taken at once: about what a core has at hand."""


def kernel_matrices(
    X: Array, kernels: Sequence[Kernel], *, center: bool
) -> Iterator[tuple[int, Array]]:
    """Yield the place of every kernel and its matrix (n, n), owned by the caller.

    A base is computed once for all kernels that are a function of it.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    center : bool
        Whether the matrices will be centred.

    Raises
    ------
    KernelError
    """
    prepared = Points.prepare(X)
    bases: dict[object, Array] = {}
    for place, kernel in enumerate(kernels):
        points, family = kernel.prepare_training(prepared, center=center), kernel.family
        kernel.refuse_overflow(points)
        key = (
            family.base,
            family.normalise,
            family.lift,
            points.moved,
            points.by_differences,
        )
        if key not in bases:
            bases[key] = pairwise(family.base, points, points)
        yield place, kernel.of_base(bases[key].copy())


def kernel_stacks(
    X: Array, kernels: Sequence[Kernel], *, center: bool
) -> Iterator[tuple[list[int], Array]]:
    """Yield places of kernels and their matrices (b, n, n), several where n is small.

    Kernels of one stack are all definite or all indefinite; otherwise as
    `kernel_matrices`.
    """
    most = max(1, STACKED // len(X) ** 2)
    places: list[int] = []
    stack: list[Array] = []
    for place, K in kernel_matrices(X, kernels, center=center):
        alike = not places or kernels[places[-1]].psd == kernels[place].psd
        if len(places) == most or not alike:
            yield places, np.stack(stack)
            places, stack = [], []
        places.append(place)
        stack.append(K)
    if places:
        yield places, np.stack(stack)
