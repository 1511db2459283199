"""Which way round the components are: one rule, and one exception.

The sign of an eigenvector is arbitrary, and inside a group of equal eigenvalues so is
the whole basis. The rule, `canonical`, decides both from the eigenspace alone, so that
the same settings give the same picture whatever solver, start or history found it. The
exception, `towards`, stays as close as possible to a picture before, so that nothing
flickers while a slider is dragged or a sweep plays.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

EQUAL = 1e-4
"""Entries that differ by less than this part are equally large. Iterative solvers leave
errors of 1e-5 in eigenvectors, and symmetric data have entries that are equal."""

TIED = 1e-6
"""Eigenvalues that differ by less than this part of their size are one, of a plane."""

NEARLY = 1e-4
"""The same for eigenvalues whose bounds overlap: a certificate of 1e-6 of the largest
leaves so much in the small ones."""

MOST_TURNED = 50
"""Components of one eigenspace that get a basis by the rule; nobody looks at more."""

SPARE = 2
"""Components that are found beyond those wanted, for a tied pair that is cut."""


def canonical(vectors: Array, eigenvalues: Array, bounds: Array | None = None) -> Array:
    """Orthogonal (k, k) matrix R that brings eigenvectors the canonical way round.

    The row that is farthest out in an eigenspace, the lowest of those equally far, lies
    on the positive side of its first axis; the same holds for the next axis in what is
    left. So the entry of largest magnitude of every column of ``vectors @ R`` is
    positive, and for a column on its own that is all there is to decide.

    Parameters
    ----------
    vectors : ndarray of shape (n, k)
        With orthonormal columns.
    eigenvalues : ndarray of shape (k,)
        Descending.
    bounds : ndarray of shape (k, 2), optional
    """
    R = np.zeros((vectors.shape[1],) * 2)
    for group in _equal_groups(eigenvalues, bounds):
        R[group, group] = _basis(vectors[:, group])
    return R


def _basis(V: Array) -> Array:
    """Orthogonal (m, m) matrix that turns the columns of V (n, m) by the rule."""
    m = V.shape[1]
    if m == 1 or not len(V):
        return np.diag(largest_signs(V))
    V = V.astype(np.float64, copy=False)
    basis = np.zeros((m, 0))
    left = np.einsum("ij,ij->i", V, V)
    for _ in range(min(m, MOST_TURNED)):
        # Projected onto the eigenspace, no axis of the data is longer than that of
        # this row: its own entry is then the largest, and positive.
        row = V[_farthest(np.sqrt(np.maximum(left, 0)))].copy()
        for _again in range(2):
            row -= basis @ (basis.T @ row)
        length = float(np.linalg.norm(row))
        if length < 1e-6:
            break
        basis = np.column_stack((basis, row / length))
        left -= np.square(V @ basis[:, -1])
    done = basis.shape[1]
    if done < m:
        rest = np.linalg.qr(basis, mode="complete")[0][:, done:]
        basis = np.column_stack((basis, rest * largest_signs(V @ rest)))
    return basis


def _farthest(lengths: Array) -> int:
    """Return the lowest row of those that are as long as any."""
    return int(np.argmax(lengths >= (1 - EQUAL) * lengths.max(initial=0.0)))


def largest_signs(V: Array) -> Array:
    """±1 for every column (k,): the sign of its entry of largest magnitude."""
    signs = np.ones(V.shape[1])
    if not len(V):
        return signs
    for j, column in enumerate(V.T):
        high, low = float(column.max()), -float(column.min())
        if low < (1 - EQUAL) * high:
            continue
        if high < (1 - EQUAL) * low or column[_farthest(np.abs(column))] < 0:
            signs[j] = -1.0
    return signs


def _equal_groups(eigenvalues: Array, bounds: Array | None) -> list[slice]:
    """Cut descending eigenvalues where they are more than rounding apart."""
    sizes = np.abs(eigenvalues)
    noise = 1e-14 * float(sizes.max(initial=0.0))
    near = np.full(max(len(sizes) - 1, 0), TIED)
    if bounds is not None:
        near[bounds[1:, 1] >= bounds[:-1, 0]] = NEARLY
    apart = -np.diff(eigenvalues) > near * np.minimum(sizes[1:], sizes[:-1]) + noise
    return _runs(apart, len(sizes))


def tied_groups(eigenvalues: Array, bounds: Array | None = None) -> list[slice]:
    """Cut descending eigenvalues into runs that cannot be told apart.

    Neighbours belong together where they differ by less than 1e-8 of the largest, or
    where their bounds overlap: then the certificate itself does not separate them.

    Parameters
    ----------
    eigenvalues : ndarray of shape (k,)
    bounds : ndarray of shape (k, 2), optional
    """
    scale = float(np.abs(eigenvalues).max(initial=0.0))
    apart = -np.diff(eigenvalues) > 1e-8 * scale
    if bounds is not None:
        apart &= bounds[1:, 1] < bounds[:-1, 0]
    return _runs(apart, len(eigenvalues))


def _runs(apart: Array, k: int) -> list[slice]:
    """Cut k columns at the places j where j and j + 1 are apart."""
    ends = [0, *(np.flatnonzero(apart) + 1).tolist(), k] if k else [0]
    return [slice(a, b) for a, b in pairwise(ends)]


def towards(
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


def signs_towards(ours: Array, theirs: Array) -> Array:
    """±1 for every column of (m, k), so that it points where the other (m, k') does."""
    signs = np.ones(ours.shape[1])
    common = min(ours.shape[1], theirs.shape[1])
    dots = np.einsum("ij,ij->j", ours[:, :common], theirs[:, :common])
    signs[:common] = np.where(dots < 0, -1.0, 1.0)
    return signs


def flips(components: tuple[int, ...], k: int) -> Array:
    """±1 for each of k components (k,), −1 for those that somebody has flipped."""
    signs = np.ones(k)
    signs[[j for j in components if j < k]] = -1.0
    return signs


def procrustes(scores: Array, reference: Array) -> Array:
    """Rotate and reflect ``scores`` (n, k) as a whole onto ``reference`` (n, k).

    For laying two pictures over each other; not for labelling axes.
    """
    U, _, Vt = np.linalg.svd(scores.T @ reference)
    return scores @ (U @ Vt)
