"""Keep the pictures of a sweep in step: no flip of an axis that nothing explains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.orientation import signs_towards, tied_groups, towards
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.sweep.point import SweepPoint

Array = NDArray[Any]

ENOUGH = 250
"""Rows by which two pictures are compared."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What alignment has to know about one point of a sweep.

    Attributes
    ----------
    scores : ndarray of shape (m, k)
        Of the rows that are kept, on all components.
    eigenvalues : ndarray of shape (k,)
    bounds : ndarray of shape (k, 2)
    means : ndarray of shape (c, k) or None
        Of the classes, which are comparable where rows are not.
    n : int
        Rows of the data.
    places : ndarray of shape (m, d) or None
        Where the kept rows lie in the data: rows of another sample are compared with
        those that lie nearest to them.
    """

    scores: Array
    eigenvalues: Array
    bounds: Array
    means: Array | None
    n: int
    places: Array | None = None

    @classmethod
    def of(
        cls, scores: Array, eigenvalues: Array, bounds: Array, labels: Array | None
    ) -> "Picture":
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


def rotation(picture: Picture, reference: Picture) -> Array:
    """Orthogonal (k, k) matrix that brings a picture closest to another.

    It flips axes, and turns them inside groups of eigenvalues that cannot be told
    apart; nothing else would leave the axes principal components.
    """
    pair = _same_rows(picture, reference)
    if pair is not None:
        ours, theirs = pair
        if len(tied_groups(picture.eigenvalues, picture.bounds)) == ours.shape[1]:
            return np.diag(signs_towards(ours, theirs))
        return towards(_unit(ours), picture.eigenvalues, _unit(theirs), picture.bounds)
    a, b = picture.means, reference.means
    if a is not None and b is not None and len(a) == len(b):
        return np.diag(signs_towards(a, b))
    return np.eye(picture.scores.shape[1])


def _same_rows(picture: Picture, reference: Picture) -> tuple[Array, Array] | None:
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


def _step(picture: Picture) -> int:
    return max(1, len(picture.scores) // ENOUGH)


def along(
    pictures: Mapping[int, Picture], columns: int, anchor: int | None = None
) -> dict[int, Array]:
    """Align every picture to its left neighbour, first columns to the row above.

    While a sweep is computed, every picture is aligned to the nearest one that is
    there; two halves may still disagree where they meet. This pass goes through them
    in order, so that every step of a film is as small as it can be.

    Parameters
    ----------
    pictures : mapping of int to Picture
        By their place in the grid, row by row; failed ones are missing.
    columns : int
        Of the grid.
    anchor : int, optional
        The picture that should keep the signs that it has.

    Returns
    -------
    dict of int to ndarray of shape (k, k)
    """
    turns: dict[int, Array] = {}
    turned: dict[int, Picture] = {}
    first_of_row: Picture | None = None
    before: Picture | None = None
    for index in sorted(pictures):
        picture = pictures[index]
        starts_row = not turned or index // columns != max(turned) // columns
        reference = first_of_row if starts_row else before
        R = np.eye(picture.scores.shape[1])
        if reference is not None:
            R = rotation(picture, reference)
        turns[index] = R
        before = turned[index] = _turned(picture, R)
        if starts_row:
            first_of_row = before
    if anchor in turns:
        signs = np.sign(np.diagonal(turns[anchor]))
        for index, R in turns.items():
            k = R.shape[1]
            flips = np.ones(k)
            common = min(k, len(signs))
            flips[:common] = np.where(signs[:common] < 0, -1, 1)
            turns[index] = R * flips
    return turns


def realigned(
    points: Sequence[SweepPoint], columns: int, anchor: int | None = None
) -> tuple[SweepPoint, ...]:
    """Align points that were computed apart, by what their thumbnails show.

    Parameters
    ----------
    points : sequence of SweepPoint
    columns : int
        Of the grid.
    anchor : int, optional
        The picture that should keep the signs that it has.
    """
    pictures = {
        point.index: Picture.of(point.thumbnail, *_shown_spectrum(point), point.labels)
        for point in points
        if not point.error
    }
    turns = along(pictures, columns, anchor)
    aligned = []
    for point in points:
        if point.index in turns:
            R = turns[point.index].astype(point.thumbnail.dtype)
            turned = point.thumbnail @ R
            turned.flags.writeable = False
            point = replace(point, thumbnail=turned)
        aligned.append(point)
    return tuple(aligned)


def towards_board(point: SweepPoint | None, result: AnalysisResult | None) -> Array:
    """Return ±1 for every axis (3,), −1 where a point shows it mirrored.

    A film as a whole is free to be either way round; it is as the board is.
    """
    signs = np.ones(3)
    if point is None or result is None or point.n != result.dataset.n:
        return signs
    coordinates, rows = point.thumbnail, point.rows
    if point.film is not None:
        coordinates, rows = point.film, np.arange(point.n)
    axes = point.settings.view.axes[: coordinates.shape[1]]
    for place, axis in enumerate(axes):
        if axis < result.scores.shape[1]:
            theirs = result.scores[rows, axis : axis + 1]
            signs[place] = signs_towards(coordinates[:, place : place + 1], theirs)[0]
    return signs


def _shown_spectrum(point: SweepPoint) -> tuple[Array, Array]:
    """Return eigenvalues (2,) and bounds (2, 2) of the two axes of a thumbnail."""
    values, bounds = np.zeros(2), np.zeros((2, 2))
    for position, axis in enumerate(point.settings.view.axes[:2]):
        if axis < len(point.eigenvalues):
            values[position] = point.eigenvalues[axis]
            bounds[position] = point.bounds[axis]
    return values, bounds


def _turned(picture: Picture, R: Array) -> Picture:
    scores = picture.scores @ R.astype(picture.scores.dtype)
    means = None if picture.means is None else picture.means @ R
    return replace(picture, scores=scores, means=means)


def _unit(scores: Array) -> Array:
    """Columns of length one; a component without any variance stays zero."""
    norms = np.linalg.norm(scores.astype(np.float64), axis=0)
    return scores / np.where(norms > 0, norms, 1.0)
