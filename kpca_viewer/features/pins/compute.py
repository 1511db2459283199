"""How far two pictures of the same rows are apart."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.methods.quality import NEIGHBOURS, sample_rows
from kpca_viewer.core.orientation import procrustes
from kpca_viewer.support.arrays import Array

TINY, LARGE = 0.005, 0.05
"""Residuals below which two shapes look the same, or almost."""

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


def difference(a: Array, b: Array) -> Difference:
    """Measure how far two pictures (n, k) of the same rows are apart.

    The first is laid over the second: scaled, rotated, mirrored. A picture with fewer
    axes lies flat in the space of the other.
    """
    count = max(a.shape[1], b.shape[1])
    A, B = (_standard(np.pad(Z, ((0, 0), (0, count - Z.shape[1])))) for Z in (a, b))
    A = procrustes(A, B)
    # The best scale of A is at most one: what is not shared does not pull it apart.
    A = A * float((A * B).sum() / max(float(np.square(A).sum()), 1e-300))
    total = max(float(np.square(B).sum()), 1e-300)
    return Difference(
        residual=min(float(np.square(A - B).sum()) / total, 1.0),
        moved=float(np.median(np.linalg.norm(A - B, axis=1))),
        neighbours=_common_neighbours(A, B),
    )


def _standard(X: Array) -> Array:
    """Return a picture that is centred and has a mean square radius of one."""
    X = np.asarray(X, dtype=np.float64)
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
