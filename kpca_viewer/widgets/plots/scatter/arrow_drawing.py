"""Arrows of a plot, and words beside them that do not stand on each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.text import draw_text, type_scale
from kpca_viewer.widgets.theme import Theme

HEAD = 9.0
"""Pixels of an arrow's head."""
SHORTEST = 3.0
"""Pixels of an arrow that is drawn at all."""


@dataclass(frozen=True, eq=False)
class Word:
    """A text at a place (2,), anchored at a share of its own box."""

    text: str
    at: Floats
    across: float
    down: float

    @classmethod
    def beyond(cls, foot: Floats, way: Floats, text: str) -> "Word":
        """Return the name of an arrow, which stands beyond its head."""
        length = max(float(np.hypot(*way)), 1.0)
        across, down = (1 - way / length) / 2
        return cls(text, foot + way + 5 * way / length, float(across), float(down))


def draw_arrow(
    painter: QPainter,
    theme: Theme,
    foot: Floats,
    way: Floats,
    *,
    width: float = 1.8,
    head: float = HEAD,
) -> bool:
    """Draw an arrow from a pixel (2,) along a way (2,); returns whether it is seen."""
    length = float(np.hypot(*way))
    if not length > SHORTEST:
        return False
    tip, way = foot + way, way / length
    size = min(head * type_scale(), length)
    side, neck = 0.42 * size * np.array([-way[1], way[0]]), tip - size * way
    shaft = QPainterPath(QPointF(*foot))
    shaft.lineTo(QPointF(*neck))
    corners = QPolygonF([QPointF(*at) for at in (tip, neck + side, neck - side)])
    # A halo in the colour of the card keeps it readable inside a crowd.
    for color, more in ((theme.card, 3.0), (theme.text, 0.0)):
        cap = Qt.PenCapStyle.RoundCap
        pen = QPen(QColor(color), width + more, Qt.PenStyle.SolidLine, cap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shaft)
        painter.setPen(QPen(QColor(color), 0.6 + more))
        painter.setBrush(QColor(color))
        painter.drawPolygon(corners)
    return True


def write_words(
    painter: QPainter,
    theme: Theme,
    words: Sequence[Word],
    room: QRectF,
    avoid: Sequence[QRectF] = (),
) -> list[QRectF]:
    """Write words where they are, or the nearest above or below where nothing stands.

    Parameters
    ----------
    avoid : sequence of QRectF
        Where no word may stand if there is room elsewhere.

    Returns
    -------
    list of QRectF
        Where they stand.
    """
    metrics = QFontMetricsF(painter.font())
    height, taken = metrics.height(), list[QRectF]()
    inside = room.adjusted(4, 4, -4, -4)
    painter.setPen(QColor(theme.text))
    for word in words:
        width = metrics.horizontalAdvance(word.text)
        left = word.at[0] - word.across * width
        box = QRectF(left, word.at[1] - word.down * height, width, height)
        box.moveLeft(max(min(box.left(), inside.right() - width), inside.left()))
        box = _free(box, [*avoid, *taken], inside)
        taken.append(box)
        at = box.topLeft()
        draw_text(painter, at, word.text, 0.0, 0.0, ground=theme.card)
    return taken


def _free(box: QRectF, taken: Sequence[QRectF], inside: QRectF) -> QRectF:
    """Return the free place nearest to a box, above or below it."""
    places = [box]
    for other in taken:
        places.append(box.translated(0, other.bottom() + 1 - box.top()))
        places.append(box.translated(0, other.top() - 1 - box.bottom()))
    places.append(box.translated(0, inside.bottom() - box.bottom()))
    places.append(box.translated(0, inside.top() - box.top()))
    free = [
        place
        for place in places
        if inside.top() <= place.top()
        and place.bottom() <= inside.bottom()
        and not any(place.intersects(other) for other in taken)
    ]
    return min(free, key=lambda place: abs(place.top() - box.top()), default=box)
