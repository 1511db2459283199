"""Rows that are all equal: centred, nothing is left of K, and rounding is no result."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import Gram, PointsGram, row_blocks
from kpca_viewer.core.solvers.problem import Decomposition

Array = NDArray[Any]


def rows_are_equal(gram: Gram) -> bool:
    """Whether no row of the points differs from another, nor an entry of a given K."""
    if isinstance(gram, PointsGram):
        points = gram.points
        first = points.take(np.array([0])).dense()
        # Hardly any data come farther than this.
        some = np.array([min(1, gram.n - 1), gram.n // 2, gram.n - 1])
        if (points.take(some).dense() != first).any():
            return False
        return all(
            (points.take(rows).dense() == first).all()
            for rows in row_blocks(gram.n, 8 * max(points.d, 1))
        )
    if not gram.has_matrix():
        return False
    K = gram.matrix()
    return bool(K[0, 0] == K[-1, -1] and (K[0, 0] == K).all())


def without_variance(found: Decomposition) -> Decomposition:
    """Return a decomposition of K̃ = 0: every eigenvalue is 0, and so is every score.

    What a solver has found instead is the rounding of K, and of its means.
    """
    map_ = found.landmark_map
    if map_ is not None:
        map_ = replace(map_, directions=np.zeros_like(map_.directions))
    return replace(
        found,
        eigenvalues=np.zeros_like(found.eigenvalues),
        bounds=np.zeros_like(found.bounds),
        angles=np.full(len(found.eigenvalues), np.inf),
        spectrum=np.zeros_like(found.spectrum),
        trace=0.0,
        squares=0.0,
        psd=True,
        smallest=0.0,
        negative=None,
        negative_error=0.0,
        certificate="proven",
        landmark_map=map_,
    )
