"""Rows as the first components see them: their noise is what the others hold."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.denoiser import Denoiser
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.preimage.finder import PlaceFinder
from kpca_viewer.support.numerals import percent
from kpca_viewer.support.progress import (
    Progress,
    ShouldStop,
    check,
    never,
    silent,
)

Array = NDArray[Any]

LOOKED_AT = 400
"""Rows that are denoised to be looked at; all of them for a new data set."""

BLOCK = 100
"""Rows between two looks at whether somebody still wants the rest."""


@dataclass(frozen=True, eq=False)
class DenoiseRequest:
    """Rows that are to be denoised."""

    finder: PlaceFinder
    components: int
    """From how many, the first ones."""
    whole: bool = False
    """Whether all rows are wanted, as a new data set."""


@dataclass(frozen=True, eq=False)
class Denoised:
    """Rows without what the first components leave out.

    Attributes
    ----------
    request : DenoiseRequest
    rows : ndarray of shape (m,)
        Which ones.
    points : ndarray of shape (m, d)
        In the units of the data.
    lost : float
        ``Σ‖x − x̂‖² / Σ‖x − x̄‖²`` over these rows, as the kernel sees them.
    shrunk : bool
        Whether the noise that the table tells of was taken from the scores before.
    part : float
        Of the change that is estimated to be noise, on average over these rows; 1 where
        nobody can tell.
    """

    request: DenoiseRequest
    rows: Array
    points: Array
    lost: float
    shrunk: bool = False
    part: float = 1.0

    @property
    def words(self) -> str:
        """What is left out, of which rows."""
        result, k = self.request.finder.result, self.request.components
        n, many = result.dataset.n, result.scores.shape[1]
        few = len(self.rows) < n
        which = f"rows (a sample of {len(self.rows):,} of {n:,})" if few else "rows"
        part = "the first component" if k == 1 else f"the first {k} components"
        shrunk = ", with scores shrunk by the noise of the table" if self.shrunk else ""
        return (
            f"Rebuilt from {part} of {many}{shrunk}, {which} differ from the data by "
            f"{percent(self.lost)} of their squared spread.{self._part_words}"
        )

    @property
    def _part_words(self) -> str:
        """How much of the change is worth making to take noise away."""
        if self.part == 1:
            return ""
        return (
            f" To remove noise, {percent(self.part, 0)} of that change is likely to be "
            "right: the rest is structure that the other components hold."
        )

    def dataset(self) -> Dataset:
        """Return the rows as data of their own, with all that is known of them."""
        known, k = self.request.finder.result.dataset, self.request.components
        return replace(
            known,
            points=self.points,
            name=f"{known.name}, denoised from {k}",
            left_out=0,
            filled=(0, 0),
            excluded=0,
        )


def denoised(
    request: DenoiseRequest,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Denoised:
    """Find the pre-images of rows from their scores along the first components."""
    finder, result = request.finder, request.finder.result
    rows = np.arange(result.dataset.n)
    if not request.whole:
        rows = sample_rows(result.dataset.n, LOOKED_AT)
    start = np.asarray(
        result.scaler.apply(result.dataset.points[rows]), dtype=np.float64
    )
    scores = np.asarray(result.scores[rows], dtype=np.float64) * finder.to_model
    clean = Denoiser(finder.images, np.arange(scores.shape[1]) < request.components)
    found = np.empty_like(start)
    for first in range(0, len(rows), BLOCK):
        check(should_stop)
        progress("Denoising", first / len(rows))
        block = slice(first, first + BLOCK)
        found[block] = clean.rebuilt(scores[block], start[block])
    spread = float(np.square(start - start.mean(axis=0)).sum())
    lost = float(np.square(start - found).sum()) / (spread or 1.0)
    points, part = result.scaler.undo(found), clean.weights(start, found - start)
    return Denoised(request, rows, points, lost, clean.shrinks, float(part.mean()))
