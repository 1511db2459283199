"""Arrows and ellipses over points: where rows would move, and how far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from kpca_viewer.widgets.plots.axes import FramedItem
from kpca_viewer.widgets.plots.frame import Floats, Projection
from kpca_viewer.widgets.plots.linking import Mask
from kpca_viewer.widgets.plots.point_cloud import Ints, PointCloudItem
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, type_scale
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
    """Write words near their places where nothing stands; return where they are."""
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


_WIDEST = 150.0  # pixels of a name beside an arrow
_MANY = 12  # arrows beyond which they are drawn thinner


@dataclass(frozen=True, eq=False)
class Moves:
    """Arrows in data coordinates, from starts to ends (a, 2) or (a, 3).

    Names are written beyond their heads; words in a corner say what they are; transient
    ones belong to the mouse, and not on paper.
    """

    starts: Floats
    ends: Floats
    names: tuple[str, ...] = ()
    words: str = ""
    is_transient: bool = False


class MovesItem(FramedItem):
    """Draws arrows above the points, in 2-D and in 3-D."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: Moves | None = None
        self._projection = Projection()
        self.name_boxes: list[QRectF] = []
        self.words_box = QRectF()
        self.prints = False

    def set_moves(self, moves: Moves | None) -> None:
        if moves is not self.moves:
            self.moves = moves
            self.update()

    def set_projection(self, projection: Projection) -> None:
        self._projection = projection
        self.update()

    def pixels(self) -> tuple[Floats, Floats]:
        moves, frame = self.moves, self._frame
        columns = 2 if self._projection.flat else 3
        if moves is None or frame is None or moves.starts.shape[1] != columns:
            return np.empty((0, 2)), np.empty((0, 2))
        starts, ends = (
            frame.to_pixels(self._projection.project(self._projection.place(places))[0])
            for places in (moves.starts, moves.ends)
        )
        return starts, ends

    def paint(self, painter: QPainter, *args: object) -> None:
        moves, room = self.moves, self.boundingRect()
        if moves is None or (self.prints and moves.is_transient):
            return
        starts, ends = self.pixels()
        if not len(starts):
            return
        painter.save()
        painter.setClipRect(room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(plot_font())
        many = len(starts) > _MANY
        width, head = (1.2, 6.0) if many else (1.8, 9.0)
        names = moves.names or ("",) * len(starts)
        words: list[Word] = []
        for start, end, name in zip(starts, ends, names, strict=True):
            way = end - start
            seen = draw_arrow(painter, self._theme, start, way, width=width, head=head)
            if seen and name:
                text = elided(name, painter.font(), _WIDEST * type_scale())
                words.append(Word.beyond(start, way, text))
        avoid = [QRectF(x - 5, y - 5, 10, 10) for x, y in ends.tolist()]
        avoid.append(self._write_corner(painter, moves.words, room))
        painter.setFont(plot_font())
        self.name_boxes = write_words(painter, self._theme, words, room, avoid)
        painter.restore()

    def _write_corner(self, painter: QPainter, words: str, room: QRectF) -> QRectF:
        """Say what the arrows are; returns where, so that no name stands there."""
        painter.setFont(plot_font(pixels=11))
        painter.setPen(QColor(self._theme.muted))
        text = elided(words, painter.font(), room.width() - 12)
        corner = QPointF(room.left() + 6, room.top() + 4)
        draw_text(painter, corner, text, 0.0, 0.0, ground=self._theme.card)
        metrics = QFontMetricsF(painter.font())
        size = QSizeF(metrics.horizontalAdvance(text), metrics.height())
        self.words_box = QRectF(corner, size)
        return self.words_box


_CORNERS = 24
_ANGLES = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_LINE, _AREA, _FAINT = 0.55, 0.06, 0.2
"""Opacities of the line around an ellipse, of what is inside, and of a faint line."""


_ROOMY = 100
"""Ellipses whose lines have all of their opacity."""

Look = tuple[int, int, int, bool]
"""Red, green, blue, and whether it is faint."""


@dataclass(frozen=True, eq=False)
class Ellipses:
    """Ellipses of rows (m,) in data coordinates, around centres (m, 2).

    Roots (m, 2, 2) turn the unit circle into each; words in a corner say what they are.
    """

    rows: Ints
    centres: Floats
    roots: Floats
    words: str


class EllipsesItem(FramedItem):
    """Draws ellipses in the colours of a cloud, but for points that it hides."""

    def __init__(self, cloud: PointCloudItem) -> None:
        super().__init__()
        self._cloud = cloud
        self.ellipses: Ellipses | None = None
        self._drawn: tuple[object, ...] = ()
        self._paths: dict[Look, QPainterPath] = {}

    def set_ellipses(self, ellipses: Ellipses | None) -> None:
        if ellipses is not self.ellipses:
            self.ellipses = ellipses
            self.update()

    def outlines(self) -> tuple[Ints, Floats]:
        """Return the rows whose ellipses are drawn, and their corners (r, c, 2)."""
        shown, frame = self.ellipses, self._frame
        if shown is None or frame is None or not len(shown.rows):
            return np.empty(0, np.int64), np.empty((0, _CORNERS, 2))
        if shown.rows[-1] >= len(self._cloud.shown):
            return np.empty(0, np.int64), np.empty((0, _CORNERS, 2))
        seen: Mask = self._cloud.shown[shown.rows]
        corners = shown.centres[seen, None] + _CIRCLE @ shown.roots[seen].transpose(
            0, 2, 1
        )
        pixels = frame.to_pixels(corners.reshape(-1, 2)).reshape(-1, _CORNERS, 2)
        return shown.rows[seen], pixels

    def _paths_of(self, rows: Ints, outlines: Floats) -> dict[Look, QPainterPath]:
        """Return one path for all ellipses that look alike, made once for a frame."""
        colors, faint = self._cloud.colors_of(rows), self._cloud.faint
        pale = np.zeros(len(rows), dtype=bool) if faint is None else faint[rows]
        drawn = (
            self.ellipses,
            self._frame,
            *(array.tobytes() for array in (rows, colors, pale)),
        )
        if drawn != self._drawn:
            self._drawn, self._paths = drawn, {}
            for rgb, is_pale, corners in zip(
                colors.tolist(), pale.tolist(), outlines.tolist(), strict=True
            ):
                path = self._paths.setdefault((*rgb, is_pale), QPainterPath())
                path.setFillRule(Qt.FillRule.WindingFill)
                path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
                path.closeSubpath()
        return self._paths

    def paint(self, painter: QPainter, *args: object) -> None:
        shown, room = self.ellipses, self.boundingRect()
        rows, outlines = self.outlines()
        if shown is None or not len(rows):
            return
        painter.save()
        painter.setClipRect(room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Where there are many, lines must not become an area.
        light = min(1.0, (_ROOMY / len(rows)) ** 0.5)
        for (*rgb, is_faint), path in self._paths_of(rows, outlines).items():
            color = QColor(*rgb)
            color.setAlphaF(light * (_FAINT if is_faint else _LINE))
            painter.setPen(QPen(color, 1.0))
            # Many large ones would cover everything.
            color.setAlphaF(0.0 if is_faint else _AREA)
            painter.setBrush(color)
            painter.drawPath(path)
        painter.setFont(plot_font(pixels=11))
        painter.setPen(QColor(self._theme.muted))
        text = elided(shown.words, painter.font(), room.width() - 12)
        corner = QPointF(room.left() + 6, room.bottom() - 4)
        draw_text(painter, corner, text, 0.0, 1.0, ground=self._theme.card)
        painter.restore()
