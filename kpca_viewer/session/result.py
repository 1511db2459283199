"""AnalysisResult: everything that the views show, as one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core import spectrum
from kpca_viewer.core.bases import Points
from kpca_viewer.core.kernels import Kernel
from kpca_viewer.core.projection import project
from kpca_viewer.core.quality import sample_rows
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.comparison import Comparison, LinearPCA
from kpca_viewer.session.settings import SessionSettings

Array = NDArray[Any]

PICTURE_ROWS = 400
"""Rows of the kernel matrix that are shown; more would be finer than a pixel."""


@dataclass(frozen=True, eq=False)
class KernelPicture:
    """A part of the kernel matrix that can be looked at.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Which points, sorted by class.
    raw, centred : ndarray of shape (m, m)
    sampled : bool
        Whether only some of the points are shown.
    """

    rows: Array
    raw: Array
    centred: Array
    sampled: bool


def kernel_picture(
    dataset: Dataset, points: Points, kernel: Kernel | None
) -> KernelPicture:
    """Evaluate the kernel on all points, or on an even sample of them."""
    rows = sample_rows(dataset.n, PICTURE_ROWS)
    if dataset.labels is not None:
        rows = rows[np.argsort(dataset.labels[rows], kind="stable")]
    if kernel is not None:
        chosen = points.take(rows)
        if kernel.family.normalise:
            chosen = kernel.points(chosen.X)
        raw = kernel.block(chosen, chosen)
    else:
        raw = dataset.points[np.ix_(rows, rows)]
    matrix = raw if dataset.kind != "distances" else -0.5 * np.square(raw)
    means = matrix.mean(axis=0)
    centred = matrix - means - means[:, None] + means.mean()
    return KernelPicture(rows, raw, centred, len(rows) < dataset.n)


@dataclass(frozen=True, eq=False)
class AnalysisResult:
    """What followed from one request.

    Attributes
    ----------
    settings : SessionSettings
        The request that this answers.
    dataset : Dataset
    points : Points
        The (scaled) points that the kernel saw.
    kernel : Kernel or None
        With the values that were used; None for a given matrix.
    suggested : mapping
        Suggested parameter values for these data.
    decomposition : Decomposition
    scores : ndarray of shape (n, k)
    shares : ndarray of shape (k,)
        Explained share of every component.
    mass : NegativeMass
    effective_rank : float
    linear : LinearPCA or None
    picture : KernelPicture
    comparison : Comparison or None
        None until the slower scores are there.
    seconds : float
        Until the result could be drawn.
    """

    settings: SessionSettings
    dataset: Dataset
    points: Points
    kernel: Kernel | None
    suggested: Mapping[str, float]
    decomposition: Decomposition
    scores: Array
    shares: Array
    mass: spectrum.NegativeMass
    effective_rank: float
    linear: LinearPCA | None
    picture: KernelPicture
    comparison: Comparison | None = None
    seconds: float = 0.0

    @property
    def certificate(self) -> str:
        """Error of the eigenvalues in words."""
        return spectrum.in_words(self.decomposition.error)

    def project(self, X: Array) -> Array:
        """Scores (m, k) of new points (m, d) in the coordinates that the kernel saw."""
        if self.kernel is None:
            return np.zeros((len(X), self.scores.shape[1]))
        return project(self.decomposition, self._cross(X), len(X))

    def nearness(self, X: Array) -> Array:
        """Largest kernel value of every new point with the data, shape (m,).

        Near zero the point is far from all data: its scores say nothing about it.
        """
        if self.kernel is None or not self.kernel.family.unit_diagonal:
            return np.ones(len(X))
        return self._cross(X)(slice(0, len(X)), None).max(axis=1)

    def _cross(self, X: Array) -> Any:
        kernel, known = self.kernel, self.points
        assert kernel is not None
        normalise = kernel.family.normalise
        if normalise:
            known = kernel.points(known.X)
        new = Points.prepare(X, normalise=normalise, shift=known.shift)

        def cross(rows: slice, columns: Array | None) -> Array:
            right = known if columns is None else known.take(columns)
            return kernel.block(new.take(rows), right)

        return cross
