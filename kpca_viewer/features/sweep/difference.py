"""How far two pictures of the same rows are apart, in numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.quality import NEIGHBOURS, sample_rows
from kpca_viewer.core.orientation import procrustes
from kpca_viewer.support.numerals import percent

Array = NDArray[Any]

TINY, LARGE = 0.005, 0.05
"""Residuals below which two shapes cannot be told apart, or hardly."""

SAME = 1e-6
"""Of the radius of a picture: a row that has moved less has not moved."""

MOST, ALL = 0.8, 0.95
"""Common neighbours from which only details differ, or hardly these."""

FEW = 5
"""Times as many other rows as neighbours, at least: of most rows of a table, most
would be common to any two pictures."""

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
    """Share of the nearest neighbours, ten at most, that both have in common."""

    @property
    def words(self) -> str:
        """What that means."""
        if self.moved < SAME:
            return "The pictures are the same."
        kept = f"{percent(self.neighbours, 0)} of nearest neighbours are the same"
        if self.residual < LARGE and self.neighbours >= MOST:
            same = self.residual < TINY and self.neighbours >= ALL
            what = "almost the same" if same else "different in details only"
            return f"The pictures are {what}: {kept}."
        if self.residual < LARGE:
            return f"The pictures are alike at large, not in detail: {kept}."
        if self.neighbours >= MOST:
            return f"The shapes differ, but hardly who is near whom: {kept}."
        if self.residual < 0.4:
            return f"The pictures are alike in part: {kept}."
        return f"The pictures show different things: {kept}."


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
    if len(rows) < 2:
        return 1.0
    k = min(NEIGHBOURS, max((len(rows) - 1) // FEW, 1))
    near = [cKDTree(X[rows]).query(X[rows], k=k + 1)[1] for X in (A, B)]
    common = [
        len(set(p) & set(q)) - 1
        for p, q in zip(*map(np.ndarray.tolist, near), strict=True)
    ]
    # Each row is among its own neighbours, except where many lie on one spot.
    return float(np.clip(np.mean(common) / k, 0, 1))
