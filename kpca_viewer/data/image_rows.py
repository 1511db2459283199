"""Rows that are pictures: width × height, guessed from the columns or given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError

SMALLEST = 4
"""Side of a picture; less shows nothing, and 4 or 9 columns are square by chance."""

_PLACES = re.compile(r"(?P<word>[a-z ]*?)[ _]?(\d+)[_x, ](\d+)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<word>pixel|px|pix|p|x|v|f)[ _]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class ImageSize:
    """Columns of a row as a picture, row by row from the top left."""

    width: int
    height: int

    def check(self, columns: int) -> None:
        """Refuse a size that does not fit the columns."""
        if self.width < 1 or self.height < 1:
            raise DataError(
                f"A picture of {self.width} × {self.height} has no pixels; width and "
                "height must be 1 or more."
            )
        if self.width * self.height != columns:
            raise DataError(
                f"A picture of {self.width} × {self.height} has "
                f"{self.width * self.height:,} pixels, but a row has {columns:,} "
                "columns; choose a width and a height whose product is that."
            )

    def picture(self, row: Array) -> Array:
        """Return one row (d,) as rows of pixels, shape (height, width)."""
        self.check(len(row))
        return np.asarray(row).reshape(self.height, self.width)


def guess_image_size(points: Array, names: Sequence[str]) -> ImageSize | None:
    """Guess whether rows (n, d), before scaling, are pictures; else None.

    Names like ``pixel_3_7`` say width and height. Else the number of columns is square,
    the smallest value is 0, and the columns are numbered: other tables have names.
    """
    told = told_size(names)
    if told is not None:
        return told
    side = isqrt(len(names))
    if side < SMALLEST or side * side != len(names):
        return None
    if not all(_NUMBERED.fullmatch(name) or name.isdigit() for name in names):
        return None
    known = points[np.isfinite(points)]
    # Pictures have black: a table that never reaches 0 holds other measurements.
    if not known.size or known.min() != 0:
        return None
    return ImageSize(side, side)


def told_size(names: Sequence[str]) -> ImageSize | None:
    """Return the size that names with two numbers tell, if they name every place."""
    found = [_PLACES.fullmatch(name) for name in names]
    if not names or not all(found):
        return None
    places = [(int(m[2]), int(m[3])) for m in found if m]
    if len({m["word"] for m in found if m}) > 1:
        return None
    first = min(row for row, _ in places), min(column for _, column in places)
    height = max(row for row, _ in places) - first[0] + 1
    width = max(column for _, column in places) - first[1] + 1
    if width * height != len(places):
        return None
    expected = [
        (first[0] + i, first[1] + j) for i in range(height) for j in range(width)
    ]
    if places != expected or min(width, height) < SMALLEST:
        return None
    return ImageSize(width, height)
