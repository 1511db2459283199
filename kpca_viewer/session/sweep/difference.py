"""How far two pictures of the same rows are apart, in numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.orientation import procrustes
from kpca_viewer.core.quality import NEIGHBOURS, sample_rows

Array = NDArray[Any]

ROWS = 2000
"""Rows whose neighbours are compared at most."""


@dataclass(frozen=True)
class Difference:
    """Two pictures after one was laid over the other."""

    residual: float
    """Share of the spread that rotation and scaling cannot explain, 0 … 1."""
    moved: float
    """Median way from a row to the same row, relative to the radius of the picture."""
    neighbours: float
    """Share of the ten nearest neighbours that both have in common."""

    @property
    def words(self) -> str:
        """What that means."""
        if self.residual < 0.005:
            return "The pictures are the same."
        if self.residual < 0.05:
            return "The pictures differ in details only."
        if self.neighbours > 0.7:
            return "The shapes differ, but the same rows are neighbours."
        if self.residual < 0.4:
            return "The pictures are alike at large and differ in their parts."
        return "The pictures tell different stories."


def overlaid(moving: Array, fixed: Array) -> tuple[Array, Array]:
    """Lay one picture over another: centred, scaled, rotated and mirrored.

    Parameters
    ----------
    moving, fixed : ndarray of shape (n, k)
        The same rows.

    Returns
    -------
    tuple of (moving, fixed)
        Both with a mean square radius of one.
    """
    B = _standard(np.asarray(fixed, dtype=np.float64))
    A = procrustes(_standard(np.asarray(moving, dtype=np.float64)), B)
    # The best scale of A is at most one: what is not shared does not pull it apart.
    scale = float((A * B).sum() / max(float(np.square(A).sum()), 1e-300))
    return A * scale, B


def difference(a: Array, b: Array) -> Difference:
    """Measure how far two pictures (n, k) of the same rows are apart."""
    A, B = overlaid(a, b)
    total = max(float(np.square(B).sum()), 1e-300)
    residual = float(np.square(A - B).sum()) / total
    way = np.linalg.norm(A - B, axis=1)
    return Difference(
        residual=min(residual, 1.0),
        moved=float(np.median(way)),
        neighbours=_common_neighbours(A, B),
    )


def _standard(X: Array) -> Array:
    X = X - X.mean(axis=0)
    radius = float(np.sqrt(np.square(X).sum(axis=1).mean()))
    return X / radius if radius > 0 else X


def _common_neighbours(A: Array, B: Array) -> float:
    from scipy.spatial import cKDTree

    rows = sample_rows(len(A), ROWS)
    k = min(NEIGHBOURS, len(rows) - 1)
    if k < 1:
        return 1.0
    near = [cKDTree(X[rows]).query(X[rows], k=k + 1)[1] for X in (A, B)]
    common = [
        len(set(p) & set(q)) - 1
        for p, q in zip(*map(np.ndarray.tolist, near), strict=True)
    ]
    # Each row is among its own neighbours, except where many lie on one spot.
    return float(np.clip(np.mean(common) / k, 0, 1))
