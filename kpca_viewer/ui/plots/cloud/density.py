"""A picture of how many points fall where, for clouds too large to draw singly."""

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.ui.plots.frame import Floats

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

# A single point in the emptiest cell must still be seen on the card.
_FAINTEST = 0.22


def density_image(
    cells: Ints,
    shape: tuple[int, int],
    columns: Ints,
    palette: Bytes,
    *,
    ordered: bool,
    opacity: float = 1.0,
) -> Bytes:
    """Count points per cell and colour the cells.

    The opacity grows with the logarithm of the count, so that single points and
    crowds are both visible.

    Parameters
    ----------
    cells : array of shape (n,)
        Cell of each point, counted row by row.
    shape : tuple of int
        Rows and columns of the picture.
    columns : array of shape (n,)
        Colour of each point as a row of the palette.
    palette : array of shape (c, 3)
    ordered : bool
        Whether neighbouring colours mean neighbouring values: then a cell shows the
        mean, otherwise the most frequent colour.
    opacity : float
        Of the fullest cell.

    Returns
    -------
    array of shape (rows, columns, 4)
        RGBA, not premultiplied.
    """
    size = shape[0] * shape[1]
    image = np.zeros((size, 4), dtype=np.uint8)
    if not cells.size:
        return image.reshape(*shape, 4)
    if ordered:
        counts = np.bincount(cells, minlength=size)
        sums = np.bincount(cells, weights=columns, minlength=size)
        winners = np.rint(sums / np.maximum(counts, 1)).astype(np.int64)
    else:
        # Only colours in use get a table; np.unique would sort a million numbers.
        present = np.flatnonzero(np.bincount(columns))
        place = np.zeros(present[-1] + 1, dtype=np.int64)
        place[present] = np.arange(len(present))
        pairs = cells * len(present) + place[columns]
        table = np.bincount(pairs, minlength=size * len(present))
        table = table.reshape(size, len(present))
        counts, winners = table.sum(axis=1), present[table.argmax(axis=1)]
    image[:, :3] = palette[winners]
    image[:, 3] = np.rint(255 * opacity * _log_shares(counts))
    return image.reshape(*shape, 4)


def _log_shares(counts: Ints) -> Floats:
    """Return the opacity (size,) of cells with these counts."""
    shares = np.log1p(counts) / np.log1p(counts.max())
    visible: Floats = np.where(counts > 0, _FAINTEST + (1 - _FAINTEST) * shares, 0.0)
    return visible
