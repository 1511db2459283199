"""What rows are called, written beside their points: as many as there is room for."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from kpca_viewer.ui.plots.cloud.label_places import Places
from kpca_viewer.ui.plots.frame import Floats
from kpca_viewer.ui.plots.selection import Mask
from kpca_viewer.ui.plots.text import elided, plot_font

Rows = NDArray[np.intp]
Placed = list[tuple[QRectF, str]]

FEW_ROWS = 12
"""Up to so many rows with names of their own, all of them are written."""

MOST_TRIED = 300
MOST_PLACED = 100
"""Labels that are measured and written in one picture: a few milliseconds."""

_WIDEST, _LONGEST = 120.0, 80


def _nothing(_row: int) -> str:
    return ""


@dataclass(frozen=True, eq=False)
class RowLabels:
    """Which rows have their name beside them."""

    text: Callable[[int], str] = _nothing
    """From a row to what is written; nothing for an empty text."""
    first: tuple[int, ...] = ()
    """Rows that are labelled before all others, even over other points."""
    chosen: Mask | None = None
    """Shape (n,). Rows that follow, over other points too."""
    others: bool = False
    """Whether all other rows follow, where nothing is covered."""

    def __bool__(self) -> bool:
        return self.others or bool(self.first) or self.chosen is not None


def place_labels(
    labels: RowLabels, rows: Rows, pixels: Floats, diameter: float, area: QRectF
) -> Placed:
    """Find places for labels that cover neither each other nor, if possible, points.

    Parameters
    ----------
    rows : ndarray of shape (m,)
        That can be seen.
    pixels : ndarray of shape (m, 2)
    diameter : float
        Of a point.
    area : QRectF
        Where labels stay.
    """
    if not labels:
        return []
    places = Places(pixels, diameter, area)
    chosen, wanted = _candidates(labels, rows, places)
    texts, sizes = _measured([labels.text(row) for row in rows[chosen].tolist()])
    some = sizes[:, 0] > 0
    boxes = places.boxes(pixels[chosen[some]], sizes[some], wanted[some])
    written = zip(boxes, filter(None, texts), strict=True)
    return [(box, text) for box, text in written if box is not None][:MOST_PLACED]


def _measured(texts: list[str]) -> tuple[list[str], Floats]:
    """Return texts that are not too long, with their widths and heights (k, 2)."""
    font = plot_font()
    metrics, shown = QFontMetricsF(font), []
    sizes = np.full((len(texts), 2), metrics.height())
    for k, text in enumerate(texts):
        text = text[:_LONGEST]
        sizes[k, 0] = metrics.horizontalAdvance(text)
        if sizes[k, 0] > _WIDEST:
            text = elided(text, font, _WIDEST)
            sizes[k, 0] = metrics.horizontalAdvance(text)
        shown.append(text)
    return shown, sizes


def _candidates(labels: RowLabels, rows: Rows, places: Places) -> tuple[Rows, Mask]:
    """Return indices into the rows, and which of them are wanted most."""
    first = np.flatnonzero(np.isin(rows, labels.first)) if labels.first else rows[:0]
    rank = np.full(len(rows), 3)
    if labels.others:
        rank[:] = 2
    if labels.chosen is not None:
        known = rows < len(labels.chosen)
        rank[known] = np.where(labels.chosen[rows[known]], 1, rank[known])
    rank[first] = 0
    wanted = np.flatnonzero(rank < 3)
    # Those with most room around them come first: they are seen best, and they fit.
    keys = rank[wanted] * len(rows) + np.minimum(places.crowd()[wanted], len(rows) - 1)
    if len(wanted) > MOST_TRIED:
        # Sorting a hundred thousand would delay the window.
        part = np.argpartition(keys, MOST_TRIED)[:MOST_TRIED]
        wanted, keys = wanted[part], keys[part]
    best = wanted[np.lexsort((rows[wanted], keys))]
    return best, rank[best] < 2
