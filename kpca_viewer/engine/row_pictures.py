"""Rows as pictures: their size, and which value is how bright."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.image_rows import ImageSize, guess_image_size
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.support.arrays import Array

NO_PICTURES = (0, 0)

LOOKED_AT = 2000
"""Rows that say how dark and how bright pictures are, evenly spread."""

MIGHT_BE = 64
"""Columns from which on a table may consist of pixels, whatever they are called."""


@dataclass(frozen=True)
class RowPictures:
    """How rows of one data set become pictures."""

    size: ImageSize
    low: float
    high: float
    """Values that are as dark and as bright as can be."""

    def shades(self, row: Array) -> Array:
        """Return a row (d,) as shades from 0 to 255, shape (height, width), uint8."""
        width = (self.high - self.low) or 1.0
        shares = np.clip((self.size.picture(row) - self.low) / width, 0.0, 1.0)
        return np.rint(255 * np.nan_to_num(shares)).astype(np.uint8)


def row_pictures(dataset: Dataset, view: ViewSettings) -> RowPictures | None:
    """Return how the rows are seen as pictures; None where they are none.

    A size that does not fit the columns shows none: it belongs to other data.
    """
    size = view.image_size
    if dataset.kind != "points" or size == NO_PICTURES:
        return None
    known = _looked_at(dataset)
    if size is None:
        return known.guessed
    if size[0] * size[1] != dataset.d:
        return None
    return RowPictures(ImageSize(*size), known.low, known.high)


def image_sizes(columns: int) -> list[tuple[int, int]]:
    """Return every width and height that so many columns have, squares first."""
    sides = [side for side in range(2, columns // 2 + 1) if columns % side == 0]
    return sorted(
        ((side, columns // side) for side in sides),
        key=lambda size: (abs(np.log(size[0] / size[1])), size[0]),
    )


def may_be_pictures(dataset: Dataset, view: ViewSettings) -> bool:
    """Return whether a person may want to say how large the pictures are."""
    if dataset.kind != "points" or not image_sizes(dataset.d):
        return False
    known = view.image_size is not None or row_pictures(dataset, view) is not None
    return known or dataset.d >= MIGHT_BE


@dataclass(frozen=True)
class _Looked:
    guessed: RowPictures | None
    low: float
    high: float


@lru_cache(maxsize=2)
def _looked_at(dataset: Dataset) -> _Looked:
    points = dataset.points[sample_rows(dataset.n, LOOKED_AT)]
    low, high = float(np.nanmin(points)), float(np.nanmax(points))
    size = guess_image_size(points, dataset.feature_names)
    guessed = None if size is None else RowPictures(size, low, high)
    return _Looked(guessed, low, high)
