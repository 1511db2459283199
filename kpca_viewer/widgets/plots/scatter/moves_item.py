"""Arrows from places of a plot to others: where rows would move."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from kpca_viewer.widgets.plots.axes import FramedItem
from kpca_viewer.widgets.plots.cloud.projection import Projection
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.scatter.arrow_drawing import (
    Word,
    draw_arrow,
    write_words,
)
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, type_scale

_WIDEST = 150.0  # pixels of a name beside an arrow
_MANY = 12  # arrows beyond which they are drawn thinner


@dataclass(frozen=True, eq=False)
class Moves:
    """Arrows in data coordinates.

    Attributes
    ----------
    starts, ends : ndarray of shape (a, 2) or (a, 3)
    names : tuple of str
        Written beyond their heads; empty for none.
    words : str
        What they are, in a corner.
    is_transient : bool
        Whether they belong to the mouse, and not on paper.
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
        self._moves: Moves | None = None
        self._projection = Projection()
        self._boxes: list[QRectF] = []
        self._corner = QRectF()
        self.prints = False

    @property
    def moves(self) -> Moves | None:
        return self._moves

    @property
    def name_boxes(self) -> list[QRectF]:
        """Where the names were written when it was last painted."""
        return self._boxes

    @property
    def words_box(self) -> QRectF:
        """Where it was said what the arrows are."""
        return self._corner

    def set_moves(self, moves: Moves | None) -> None:
        """Show arrows, or none."""
        if moves is not self._moves:
            self._moves = moves
            self.update()

    def set_projection(self, projection: Projection) -> None:
        self._projection = projection
        self.update()

    def pixels(self) -> tuple[Floats, Floats]:
        """Return where arrows begin and end on the screen, (a, 2) each."""
        moves, frame = self._moves, self._frame
        columns = 2 if self._projection.flat else 3
        if moves is None or frame is None or moves.starts.shape[1] != columns:
            return np.empty((0, 2)), np.empty((0, 2))
        starts, ends = (
            frame.to_pixels(self._projection.project(self._projection.place(places))[0])
            for places in (moves.starts, moves.ends)
        )
        return starts, ends

    def boundingRect(self) -> QRectF:
        frame = self._frame
        if frame is None:
            return QRectF()
        return QRectF(frame.left, frame.top, frame.width, frame.height)

    def paint(self, painter: QPainter, *args: object) -> None:
        moves, room = self._moves, self.boundingRect()
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
        self._boxes = write_words(painter, self._theme, words, room, avoid)
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
        self._corner = QRectF(corner, size)
        return self._corner
