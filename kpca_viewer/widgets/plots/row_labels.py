"""What rows are called beside their points, and which of them are."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.support.numerals import data_value
from kpca_viewer.widgets.plots.cloud_layer import LayerRequest
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.text import elided, plot_font
from kpca_viewer.widgets.theme import Theme

_SIDE = 2.0
_MOST_CELLS = 300_000
"""Points and labels are counted in cells of so many pixels, larger in a large plot."""

_AWAY = 3.0
"""Pixels between a point and its label, and those that letters leave free."""

_AROUND = (60.0, 24.0)
"""Width and height around a point in which others crowd it."""

# Right, left, above and below a point, then the corners: as shares of a box.
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


class Places:
    """Knows how many points every part of a plot holds, and which parts are taken."""

    def __init__(self, pixels: Floats, diameter: float, area: QRectF) -> None:
        self._radius = diameter / 2
        self._corner = np.array([area.left(), area.top()])
        self._size = np.array([area.width(), area.height()])
        side = math.sqrt(area.width() * area.height() / _MOST_CELLS)
        self._side = max(side, _SIDE)
        across = max(int(np.ceil(area.width() / self._side)), 1)
        down = max(int(np.ceil(area.height() / self._side)), 1)
        self._x, self._y = (pixels - self._corner).T
        x, y = (np.floor(at / self._side).astype(np.int64) for at in (self._x, self._y))
        inside = (x >= 0) & (x < across) & (y >= 0) & (y < down)
        counts = np.bincount(y[inside] * across + x[inside], minlength=down * across)
        # Sums over everything above and to the left: any box is four look-ups.
        self._sums = np.zeros((down + 1, across + 1), dtype=np.int64)
        self._sums[1:, 1:] = counts.reshape(down, across).cumsum(0).cumsum(1)
        self._taken = np.zeros((down, across), dtype=bool)

    def crowd(self) -> NDArray[np.int64]:
        """Return how many points are about where every point (m,) is."""
        width, height = _AROUND
        x, y = (np.floor(self._x / width), np.floor(self._y / height))
        x, y = x - x.min(initial=0.0), y - y.min(initial=0.0)
        parts = (y * (x.max(initial=0.0) + 1) + x).astype(np.int64)
        crowd: NDArray[np.int64] = np.bincount(parts)[parts]
        return crowd

    def boxes(
        self, points: Floats, sizes: Floats, covers: NDArray[np.bool_]
    ) -> list[QRectF | None]:
        """Return a free box beside each of some points (k, 2), the first ones first.

        Where ``covers``, a label may lie over other points if there is no better place.
        """
        # All places of all labels at once: one by one they would take a second.
        half = sizes[:, None] / 2
        away = half + np.array([self._radius + _AWAY, self._radius])
        low = points[:, None] + np.array(_SIDES) * away - half - self._corner
        high = low + 2 * half
        inside = ((low >= 0) & (high <= self._size)).all(axis=2)
        covered = self._covered(points[:, None] - self._corner, low, high)
        cells = np.floor(np.concatenate([low, high], axis=2) / self._side).astype(
            np.int64
        )
        found: list[QRectF | None] = []
        for k, best in enumerate(np.argsort(covered, axis=1, kind="stable")):
            sides = (
                side
                for side in best.tolist()
                if inside[k, side] and (covers[k] or not covered[k, side])
            )
            side = next((s for s in sides if self._take(*cells[k, s].tolist())), None)
            found.append(None if side is None else self._box(low[k, side], sizes[k]))
        return found

    def _take(self, left: int, top: int, right: int, bottom: int) -> bool:
        part = self._taken[top : bottom + 1, left : right + 1]
        if part.any():
            return False
        part[:] = True
        return True

    def _box(self, corner: Floats, size: Floats) -> QRectF:
        left, top = (corner + self._corner).tolist()
        return QRectF(left, top, *size.tolist())

    def _covered(self, own: Floats, low: Floats, high: Floats) -> NDArray[np.int64]:
        """Return how many points but their own (k, 1, 2) reach into boxes (k, 8, 2)."""
        # Above and below their line, letters leave some room.
        grow = np.array([self._radius, max(self._radius - _AWAY, 0.0)])
        first = np.floor((low - grow) / self._side).astype(np.int64)
        last = np.floor((high + grow) / self._side).astype(np.int64) + 1
        counts = self._count(first.reshape(-1, 2), last.reshape(-1, 2))
        cell = np.floor(own / self._side).astype(np.int64)
        itself = ((cell >= first) & (cell < last)).all(axis=2)
        return counts.reshape(itself.shape) - itself

    def _count(
        self, low: NDArray[np.int64], high: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the points in cells from ``low`` to before ``high``, both (m, 2)."""
        down, across = self._sums.shape
        last = np.array([across - 1, down - 1])
        (x0, y0), (x1, y1) = np.clip(low, 0, last).T, np.clip(high, 0, last).T
        sums = self._sums
        counted: NDArray[np.int64] = (
            sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        )
        return counted


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
    top: float = 0.0
    """Pixels below the upper edge of the plot that belong to something else."""

    def __bool__(self) -> bool:
        return self.others or bool(self.first) or self.chosen is not None


def place_labels(
    labels: RowLabels, rows: Rows, pixels: Floats, diameter: float, area: QRectF
) -> Placed:
    """Find places for labels that cover neither each other nor, if possible, points."""
    room = area.adjusted(0, labels.top, 0, 0)
    if not labels or not room.isValid():
        # A low window may leave nothing below what stands at the top.
        return []
    places = Places(pixels, diameter, room)
    chosen, wanted = _candidates(labels, rows, places)
    texts, sizes = _measured([labels.text(row) for row in rows[chosen].tolist()])
    some = sizes[:, 0] > 0
    boxes = places.boxes(pixels[chosen[some]], sizes[some], wanted[some])
    written = zip(boxes, filter(None, texts), strict=True)
    return [(box, text) for box, text in written if box is not None][:MOST_PLACED]


def _measured(texts: list[str]) -> tuple[list[str], Floats]:
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


Seen = tuple[NDArray[np.intp], Floats]
"""Rows (m,) and their places in the scene (m, 2)."""


_HALO = [(dx, dy) for dx in (-1.5, 0, 1.5) for dy in (-1.5, 0, 1.5) if dx or dy]
"""Where letters in the colour of the card stand around those that are read."""


def draw_labels(
    painter: QPainter, placed: Placed, theme: Theme, *, vector: bool = True
) -> None:
    """Write labels with a halo in the colour of the card, readable over lines.

    In a vector file the halo is an outline; on a screen it is letters around letters,
    which are there three times as fast.
    """
    font = plot_font()
    ascent = QFontMetricsF(font).ascent()
    halo = QPen(QColor(theme.card), 3.0)
    halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setFont(font)
    for box, text in placed:
        foot = QPointF(box.left(), box.top() + ascent)
        if vector:
            outline = QPainterPath()
            outline.addText(foot, font, text)
            painter.strokePath(outline, halo)
        else:
            painter.setPen(halo)
            for dx, dy in _HALO:
                painter.drawText(foot + QPointF(dx, dy), text)
        painter.setPen(QColor(theme.text))
        painter.drawText(foot, text)


class LabelLayer:
    """Labels, written again only when points, view or type change."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._picture = QPixmap()
        self.placed: Placed = []

    def draw(
        self,
        painter: QPainter,
        labels: RowLabels,
        request: LayerRequest,
        seen: Seen | None,
        diameter: float,
        theme: Theme,
    ) -> None:
        """Paint the labels of the points that a picture shows; None shows none yet."""
        if not labels or seen is None:
            self._key, self.placed = (), []
            return
        area = QRectF(*request.area)
        key = (request.key, labels, theme.name, plot_font().key())
        if key != self._key:
            self._key = key
            self.placed = place_labels(labels, *seen, diameter, area)
            self._picture = QPixmap(request.width, request.height)
            self._picture.setDevicePixelRatio(request.scale)
            self._picture.fill(Qt.GlobalColor.transparent)
            inner = QPainter(self._picture)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.translate(-area.topLeft())
            draw_labels(inner, self.placed, theme, vector=False)
            inner.end()
        painter.drawPixmap(area.topLeft(), self._picture)


MOST_SELECTED = 12
"""Selected rows that have labels; of more, the card of the selection tells."""


def row_labels(
    dataset: Dataset,
    view: ViewSettings,
    names: Mapping[int, str],
    selection: NDArray[np.bool_] | None,
) -> RowLabels:
    """Return labels of rows that are named or selected, and of others on request."""
    n = dataset.n
    called = text_of(dataset, view.label_by)
    first = tuple(row for row in sorted(names) if row < n)
    if selection is None and n <= FEW_ROWS and dataset.row_names is not None:
        first = tuple(range(n))

    def text(row: int) -> str:
        if row in names:
            return names[row]
        # Rows beyond the data were projected: nothing is known of them here.
        return " ".join(called(row).split()) if row < n else ""

    few = selection is not None and selection.sum() <= MOST_SELECTED
    # Beside a selection the others have stepped back; so have their labels.
    return RowLabels(
        text, first, selection if few else None, view.labels and selection is None
    )


def text_of(dataset: Dataset, by: str) -> Callable[[int], str]:
    """Return what tells a row by a key of `ViewSettings.label_by`."""
    kind, _, rest = by.partition(":")
    labels, column = dataset.labels, dataset.columns.get(rest)
    if kind == "label" and labels is not None:
        names = (*dataset.label_names, "")
        return lambda row: names[labels[row]]
    if kind == "column" and column is not None:
        if column.words is not None:
            return column.text
        return lambda row: _number(column.values[row])
    if kind == "feature" and int(rest) < dataset.d:
        return lambda row: _number(dataset.points[row, int(rest)])
    return dataset.row_text


def _number(value: float) -> str:
    return "" if np.isnan(value) else data_value(float(value), 6)
