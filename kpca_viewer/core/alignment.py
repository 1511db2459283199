"""Match one result to the previous one, so that a sweep does not flicker.

The sign of an eigenvector is arbitrary, and inside a group of numerically equal
eigenvalues so is the whole basis. Both are chosen to stay as close as possible to the
picture that is on the screen.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.solvers.problem import Decomposition, column_signs

Array = NDArray[Any]


def tied_groups(eigenvalues: Array, bounds: Array | None = None) -> list[slice]:
    """Cut descending eigenvalues into runs that cannot be told apart.

    Neighbours belong together where they differ by less than 1e-8 of the largest, or
    where their bounds overlap: then the certificate itself does not separate them.

    Parameters
    ----------
    eigenvalues : ndarray of shape (k,)
    bounds : ndarray of shape (k, 2), optional
    """
    groups = []
    start = 0
    scale = float(np.abs(eigenvalues).max(initial=0.0))
    for j in range(1, len(eigenvalues) + 1):
        if j < len(eigenvalues):
            tied = eigenvalues[j - 1] - eigenvalues[j] <= 1e-8 * scale
            if bounds is not None:
                tied = tied or bool(bounds[j, 1] >= bounds[j - 1, 0])
            if tied:
                continue
        groups.append(slice(start, j))
        start = j
    return groups


def rotation_to(
    vectors: Array,
    eigenvalues: Array,
    previous: Array,
    bounds: Array | None = None,
) -> Array:
    """Orthogonal (k, k) matrix R so that ``vectors @ R`` is closest to ``previous``.

    R only mixes columns whose eigenvalues are tied, which leaves them eigenvectors; a
    column on its own can only change its sign. Components that the previous result did
    not have are left as they are.

    Parameters
    ----------
    vectors : ndarray of shape (n, k)
    eigenvalues : ndarray of shape (k,)
    previous : ndarray of shape (n, k')
    bounds : ndarray of shape (k, 2), optional
    """
    k = vectors.shape[1]
    R = np.eye(k)
    if previous.shape[0] != vectors.shape[0]:
        return R
    for group in tied_groups(eigenvalues, bounds):
        stop = min(group.stop, previous.shape[1])
        if stop <= group.start:
            break
        old = previous[:, group.start : stop]
        overlap = vectors[:, group].T.astype(np.float64) @ old
        U, _, Vt = np.linalg.svd(overlap, full_matrices=True)
        m = stop - group.start
        # Procrustes for the columns that were there; the rest completes the basis.
        block = U.copy()
        block[:, :m] = U[:, :m] @ Vt
        R[group, group] = block
    return R


def align(
    vectors: Array,
    eigenvalues: Array,
    previous: Array,
    bounds: Array | None = None,
) -> Array:
    """Return ``vectors`` with signs and tied bases matched to ``previous``, (n, k)."""
    return vectors @ rotation_to(vectors, eigenvalues, previous, bounds)


def procrustes(scores: Array, reference: Array) -> Array:
    """Rotate and reflect ``scores`` (n, k) as a whole onto ``reference`` (n, k).

    For laying two pictures over each other; not for labelling axes.
    """
    U, _, Vt = np.linalg.svd(scores.T @ reference)
    return scores @ (U @ Vt)


def signed_identity(signs: Sequence[int], k: int) -> Array:
    """Return the (k, k) matrix that flips columns whose sign is −1."""
    flips = np.ones(k)
    flips[: len(signs)] = np.where(np.asarray(signs[:k]) < 0, -1, 1)
    return np.diag(flips)


def leading(decomposition: Decomposition, k: int) -> Decomposition:
    """Return the first k components, as if no more had been asked for."""
    if k >= len(decomposition.eigenvalues):
        return decomposition
    map_ = decomposition.landmark_map
    if map_ is not None:
        map_ = replace(map_, directions=map_.directions[:, :k])
    spectrum = decomposition.spectrum
    if len(spectrum) == len(decomposition.eigenvalues):
        spectrum = spectrum if decomposition.complete else spectrum[:k]
    return replace(
        decomposition,
        eigenvalues=decomposition.eigenvalues[:k],
        eigenvectors=np.ascontiguousarray(decomposition.eigenvectors[:, :k]),
        bounds=decomposition.bounds[:k],
        spectrum=spectrum,
        landmark_map=map_,
    )


def orientation(vectors: Array) -> tuple[int, ...]:
    """Return the sign of the entry of largest magnitude in every column."""
    return tuple(int(sign) for sign in column_signs(vectors))


def rotate(decomposition: Decomposition, R: Array) -> Decomposition:
    """Return the same eigenspaces in the basis ``V R``, new points included."""
    map_ = decomposition.landmark_map
    if map_ is not None:
        map_ = replace(map_, directions=map_.directions @ R)
    vectors = decomposition.eigenvectors @ R.astype(decomposition.eigenvectors.dtype)
    return replace(decomposition, eigenvectors=vectors, landmark_map=map_)
