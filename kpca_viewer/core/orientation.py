"""Orientation, which way round the components are: one rule, and one exception.

The sign of an eigenvector is arbitrary, and inside a group of equal eigenvalues so is
the whole basis. The rule, `canonical`, decides both from the eigenspace alone, so that
the same settings give the same picture whatever solver, start or history found it. The
exception, `towards`, stays as close as possible to a picture before, so that nothing
flickers while a slider is dragged or a sweep plays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from kpca_viewer.support.arrays import Array

EQUAL = 1e-4
"""Entries that differ by less than this part are equally large. Iterative solvers leave
errors of 1e-5 in eigenvectors, and symmetric data have entries that are equal."""

TIED = 1e-6
"""Eigenvalues without bounds that differ by less than this part of their size are one,
of a plane."""

NEARLY = 1e-4
"""The same for eigenvalues whose bounds overlap: a certificate of 1e-6 of the largest
leaves so much in the small ones. What the bounds tell apart is never turned."""

ENOUGH = 250
"""Rows by which two pictures are compared."""

MOST_TURNED = 50
"""Components of one eigenspace that get a basis by the rule; more are not looked at."""

SPARE = 2
"""Components that are found beyond those wanted, for a tied pair that is cut."""


def oriented(columns: Array, orientation: Array) -> Array:
    """Return columns (n, k) in another orientation, read-only.

    Parameters
    ----------
    columns : ndarray of shape (n, k)
    orientation : ndarray of shape (k, k) or (k,)
        An orthogonal matrix, or ±1 for every column.
    """
    R = orientation.astype(columns.dtype, copy=False)
    # Flipped columns keep all their digits, and a few that are turned leave the rest.
    result: Array = columns * (R if R.ndim == 1 else np.diagonal(R))
    if R.ndim == 2 and np.count_nonzero(R) > np.count_nonzero(np.diagonal(R)):
        beside = R != 0
        np.fill_diagonal(beside, False)
        turned = np.flatnonzero(beside.any(axis=0))
        by = np.flatnonzero(R[:, turned].any(axis=1))
        result[:, turned] = columns[:, by] @ R[np.ix_(by, turned)]
    result.flags.writeable = False
    return result


def is_same(orientation: Array) -> bool:
    """Return whether an orientation, (k, k) or (k,), leaves everything as it is."""
    signs = np.diagonal(orientation) if orientation.ndim == 2 else orientation
    if np.abs(signs - 1.0).max(initial=0.0) > 1e-9:
        return False
    beside = orientation - np.diag(signs) if orientation.ndim == 2 else signs - 1.0
    return bool(np.abs(beside).max(initial=0.0) <= 1e-9)


def canonical(vectors: Array, eigenvalues: Array, bounds: Array | None = None) -> Array:
    """Orthogonal (k, k) matrix R: the canonical orientation is ``vectors @ R``.

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
    R = np.diag(canonical_signs(vectors))
    for group in equal_groups(eigenvalues, bounds):
        if group.stop - group.start > 1:
            R[group, group] = _basis(vectors[:, group])
    return R


def _basis(V: Array) -> Array:
    """Orthogonal (m, m) matrix that turns the columns of V (n, m) by the rule."""
    m = V.shape[1]
    if m == 1 or not len(V):
        return np.diag(canonical_signs(V))
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
        basis = np.column_stack((basis, rest * canonical_signs(V @ rest)))
    return basis


def _farthest(lengths: Array) -> int:
    """Return the lowest row of those that are as long as any."""
    return int(np.argmax(lengths >= (1 - EQUAL) * lengths.max(initial=0.0)))


def canonical_signs(V: Array) -> Array:
    """±1 for every column (k,): the sign of its entry of largest magnitude."""
    if not len(V):
        return np.ones(V.shape[1])
    high, low = V.max(axis=0), -V.min(axis=0)
    signs = np.where(high < (1 - EQUAL) * low, -1.0, 1.0)
    for j in np.flatnonzero((low >= (1 - EQUAL) * high) & (high >= (1 - EQUAL) * low)):
        if V[_farthest(np.abs(V[:, j])), j] < 0:
            signs[j] = -1.0
    return signs


def equal_groups(eigenvalues: Array, bounds: Array | None) -> list[slice]:
    """Cut descending eigenvalues (k,) into those inside which `canonical` turns.

    They are nearly equal and cannot be told apart; bounds, if known, have the shape
    (k, 2).
    """
    sizes = np.abs(eigenvalues)
    noise = 1e-14 * float(sizes.max(initial=0.0))
    near = TIED if bounds is None else NEARLY
    apart = -np.diff(eigenvalues) > near * np.minimum(sizes[1:], sizes[:-1]) + noise
    if bounds is not None:
        apart |= bounds[1:, 1] < bounds[:-1, 0]
    return _runs(apart, len(sizes))


def has_ties(eigenvalues: Array, bounds: Array) -> bool:
    """Whether any of these eigenvalues (k,) cannot be told from the next."""
    live = eigenvalues > 0
    return len(equal_groups(eigenvalues[live], bounds[live])) < int(live.sum())


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
    groups: list[slice] | None = None,
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
    groups : list of slice, optional
        Of columns that are tied, if not by `tied_groups`.
    """
    k = vectors.shape[1]
    R = np.eye(k)
    if previous.shape[0] != vectors.shape[0]:
        return R
    for group in groups or tied_groups(eigenvalues, bounds):
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
    """±1 for each of k components (k,), −1 for those that are flipped by hand."""
    signs = np.ones(k)
    signs[[j for j in components if j < k]] = -1.0
    return signs


@dataclass(frozen=True, eq=False)
class Configuration:
    """A picture, as far as its orientation depends on it."""

    scores: Array
    """Shape (m, k). Of the rows that are kept, on all components."""
    eigenvalues: Array
    """Shape (k,)."""
    bounds: Array
    """Shape (k, 2)."""
    means: Array | None
    """Shape (c, k). Of the classes, which are comparable where rows are not."""
    n: int
    """Rows of the data."""
    places: Array | None = None
    """Shape (m, d). Where the kept rows lie in the data: rows of another sample are
    compared with those that lie nearest to them."""

    @classmethod
    def of(
        cls, scores: Array, eigenvalues: Array, bounds: Array, labels: Array | None
    ) -> "Configuration":
        """Describe scores (n, k) of all rows of some data."""
        means = None
        if labels is not None and labels.max(initial=-1) >= 1:
            classes = range(int(labels.max()) + 1)
            means = np.array(
                [
                    scores[labels == c].mean(axis=0)
                    if (labels == c).any()
                    else np.zeros(scores.shape[1])
                    for c in classes
                ]
            )
        return cls(scores, eigenvalues, bounds, means, len(scores))

    def oriented(self, orientation: Array) -> "Configuration":
        means = None if self.means is None else oriented(self.means, orientation)
        return replace(self, scores=oriented(self.scores, orientation), means=means)

    def towards(self, reference: "Configuration") -> Array:
        """Orthogonal (k, k) matrix that brings the picture closest to another.

        It flips axes, and turns them inside groups of eigenvalues that cannot be told
        apart; nothing else would leave the axes principal components.
        """
        pair = _same_rows(self, reference)
        if pair is not None:
            ours, theirs = pair
            if len(tied_groups(self.eigenvalues, self.bounds)) == ours.shape[1]:
                return np.diag(signs_towards(ours, theirs))
            return towards(_unit(ours), self.eigenvalues, _unit(theirs), self.bounds)
        a, b = self.means, reference.means
        if a is not None and b is not None and len(a) == len(b):
            return np.diag(signs_towards(a, b))
        return np.eye(self.scores.shape[1])


def _same_rows(
    picture: Configuration, reference: Configuration
) -> tuple[Array, Array] | None:
    """Scores (m, k) and (m, k') of rows that are the same, or lie side by side.

    Signs and tied planes are seen as well in a few hundred rows as in all.
    """
    ours = picture.scores[:: _step(picture)]
    theirs = reference.scores[:: _step(reference)]
    if picture.n == reference.n and len(ours) == len(theirs):
        return ours, theirs
    a, b = picture.places, reference.places
    if a is None or b is None or a.shape[1] != b.shape[1]:
        return None
    # Another number of samples: the same shape, drawn anew.
    from scipy.spatial import cKDTree

    near = cKDTree(b[:: _step(reference)]).query(a[:: _step(picture)])[1]
    return ours, theirs[near]


def _step(picture: Configuration) -> int:
    return max(1, len(picture.scores) // ENOUGH)


def along(
    pictures: Mapping[int, Configuration], columns: int, anchor: int | None = None
) -> dict[int, Array]:
    """Orient every picture by its left neighbour, first columns by the row above.

    While a sweep is computed, every picture follows the nearest one that is there; two
    halves may still disagree where they meet. This pass goes through them in order, so
    that every step of a film is as small as it can be.

    Parameters
    ----------
    pictures : mapping of int to Configuration
        By their place in the grid, row by row; failed ones are missing.
    columns : int
        Of the grid.
    anchor : int, optional
        The picture that should keep the signs that it has.

    Returns
    -------
    dict of int to ndarray of shape (k, k)
    """
    orientations: dict[int, Array] = {}
    first_of_row: Configuration | None = None
    before: Configuration | None = None
    row = -1
    for index in sorted(pictures):
        picture = pictures[index]
        starts_row, row = index // columns != row, index // columns
        reference = first_of_row if starts_row else before
        R = np.eye(picture.scores.shape[1])
        if reference is not None:
            R = picture.towards(reference)
        orientations[index] = R
        before = picture.oriented(R)
        if starts_row:
            first_of_row = before
    if anchor in orientations:
        back = tuple(np.flatnonzero(np.diagonal(orientations[anchor]) < 0).tolist())
        for index, R in orientations.items():
            orientations[index] = R * flips(back, R.shape[1])
    return orientations


def _unit(scores: Array) -> Array:
    """Columns of length one; a component without any variance stays zero."""
    norms = np.linalg.norm(scores.astype(np.float64), axis=0)
    return scores / np.where(norms > 0, norms, 1.0)


def procrustes(scores: Array, reference: Array) -> Array:
    """Rotate and reflect ``scores`` (n, k') as a whole onto ``reference`` (n, k).

    For laying two pictures over each other; not for labelling axes. Of more columns
    than the reference has, those directions are taken that come closest to it.
    """
    U, _, Vt = np.linalg.svd(scores.T @ reference, full_matrices=False)
    return scores @ (U @ Vt)
