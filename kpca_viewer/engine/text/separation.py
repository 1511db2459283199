"""Axes that cannot be told from a neighbour: each alone may be turned."""

import numpy as np

from kpca_viewer.core.projection import positive_part
from kpca_viewer.engine.result import AnalysisResult

HARDLY_APART = 0.01
"""Part of itself by which an eigenvalue differs from its neighbour at most to be worth
a word: bounds of few digits overlap where more is between, and the picture is sound."""


def about_separation(result: AnalysisResult, axes: tuple[int, ...]) -> str:
    """Say which of the axes are badly separated; nothing where none is."""
    found = result.decomposition
    live, angles = positive_part(found), found.angle_bounds
    known = np.append(live, np.maximum(found.spectrum[len(live) :], 0.0))
    pairs = set()
    for j in axes:
        if not 0 <= j < len(live) or live[j] == 0 or np.isfinite(angles[j]):
            continue
        others = [i for i in (j - 1, j + 1) if 0 <= i < len(known)]
        near = min(others, key=lambda i: abs(known[i] - known[j]), default=j)
        if near != j and abs(known[near] - known[j]) <= HARDLY_APART * known[j]:
            pairs.add((min(j, near), max(j, near)))
    if not pairs:
        return ""
    told = "; ".join(f"PC {a + 1} and PC {b + 1}" for a, b in sorted(pairs))
    return (
        f"{told} are badly separated: their plane is known, not which way each lies "
        "in it."
    )
