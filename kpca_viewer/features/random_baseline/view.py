"""Small pictures on the same axes and scale, and the controls above them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.controls import ElidedLabel, Segmented
from kpca_viewer.widgets.plots.axes import hairline
from kpca_viewer.widgets.plots.cloud_drawing import DrawnPoints, draw_shapes
from kpca_viewer.widgets.plots.coloring import Coloring
from kpca_viewer.widgets.plots.frame import (
    Frame,
    Range,
    equal_ranges,
    fitted_ranges,
    nice_ticks,
)
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.sprites import NORMAL, STATES, Palette
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, type_scale
from kpca_viewer.widgets.theme import Theme

_GAP = 6.0
_INK = 0.1
"""Part of a picture that its points cover."""

_NAMED_HEIGHT = 110.0
"""Pixels below which names of axes would cover the points."""

_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
}


_BELOW = (
    Qt.AlignmentFlag.AlignHCenter
    | Qt.AlignmentFlag.AlignBottom
    | Qt.TextFlag.TextWordWrap
)
"""How the words stand below the pictures on paper."""


@dataclass(frozen=True, eq=False)
class Picture:
    """Points, and what stands above them."""

    scores: Array
    """Shape (m, 2)."""
    title: str
    codes: Array | None = None
    """Shape (m,). Colours as those of the other plots; None for grey points."""
    mark: str = ""
    """"right" or "wrong" after a guess."""


class PicturesPlot(PaintedPlot):
    """Pictures beside each other; one can be pointed at and chosen.

    The arrow keys walk from picture to picture, Enter chooses.
    """

    picture_chosen = Signal(int)
    """A place among them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("reality_view")
        self.setAccessibleName("The picture beside random data")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._pictures: tuple[Picture, ...] = ()
        self._colors: Coloring | None = None
        self._axes = ("", "")
        self._columns = 1
        self._below = ""
        self._why = ""
        self._can_choose = False
        self._at: int | None = None

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return self._pictures

    def show_pictures(
        self,
        pictures: Sequence[Picture],
        columns: int,
        axes: tuple[str, str],
        colors: Coloring | None,
        *,
        below: str = "",
        can_choose: bool = False,
    ) -> None:
        """Show pictures, so many in a line.

        Parameters
        ----------
        axes : tuple of str
            Names of the two axes, which all of them share.
        colors : Coloring or None
            What codes mean.
        below : str
            A line that belongs to them on paper; on the screen it is the caption.
        can_choose : bool
            Whether a click means one of them.
        """
        self._pictures, self._columns, self._axes = tuple(pictures), columns, axes
        self._colors, self._below, self._can_choose = colors, below, can_choose
        self._why = ""
        if self._at is not None and (self._at >= len(pictures) or not can_choose):
            self._at = None
        self.update()

    def point_at_none(self) -> None:
        """Frame no picture, until one is pointed at."""
        self._point_at(None)

    @property
    def pointed(self) -> int | None:
        """Place of the picture that is pointed at; None for none."""
        return self._at

    def show_nothing(self, why: str) -> None:
        self._pictures, self._why, self._at = (), why, None
        self.update()

    @property
    def why_nothing(self) -> str:
        """What is said in the place of pictures."""
        return self._why

    def boxes(self, size: QSizeF | None = None, foot: float = 0.0) -> list[QRectF]:
        """Return where the pictures stand, with their titles."""
        size = QSizeF(self.size()) if size is None else size
        lines = -(-len(self._pictures) // self._columns)
        width = (size.width() - _GAP * (self._columns + 1)) / self._columns
        height = (size.height() - foot - _GAP * (lines + 1)) / max(lines, 1)
        return [
            QRectF(
                _GAP + (k % self._columns) * (width + _GAP),
                _GAP + (k // self._columns) * (height + _GAP),
                max(width, 8.0),
                max(height, 8.0),
            )
            for k in range(len(self._pictures))
        ]

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint everything into an area from the origin."""
        painter.setFont(plot_font())
        line = QFontMetricsF(painter.font()).height()
        if not self._pictures:
            painter.setPen(QColor(self.theme.muted))
            room = QRectF(8, 0, size.width() - 16, size.height())
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, flags, self._why)
            return
        foot = 0.0 if live or not self._below else self._words_height(painter, size)
        x, y = fitted_ranges(np.vstack([p.scores for p in self._pictures]))
        for k, box in enumerate(self.boxes(size, foot)):
            frame = _frame_in(box, line, x, y)
            self._draw_box(painter, box, frame, self._pictures[k])
            if live and k == self._at and not self._pictures[k].mark:
                self._draw_border(painter, frame, QColor(self.theme.accent), 2.0)
            self._draw_points(painter, frame, self._pictures[k])
            if k == 0 and frame.height >= _NAMED_HEIGHT * type_scale():
                self._name_axes(painter, frame)
        if foot:
            painter.setPen(QColor(self.theme.text))
            room = QRectF(_GAP, 0, size.width() - 2 * _GAP, size.height() - _GAP / 2)
            painter.drawText(room, _BELOW, self._below)

    def _words_height(self, painter: QPainter, size: QSizeF) -> float:
        """Return what the words below the pictures take, on as many lines as it is."""
        room = QRectF(0, 0, size.width() - 2 * _GAP, size.height())
        metrics = QFontMetricsF(painter.font())
        return metrics.boundingRect(room, _BELOW, self._below).height() + _GAP

    def _draw_box(
        self, painter: QPainter, box: QRectF, frame: Frame, picture: Picture
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(hairline(self.theme.border, painter))
        (x0, x1), (y0, y1) = frame.x_range, frame.y_range
        for x in nice_ticks(x0, x1, 4):
            at = frame.left + frame.width * (x - x0) / (x1 - x0)
            painter.drawLine(
                QPointF(at, frame.top), QPointF(at, frame.top + frame.height)
            )
        for y in nice_ticks(y0, y1, 4):
            at = frame.top + frame.height * (y1 - y) / (y1 - y0)
            painter.drawLine(
                QPointF(frame.left, at), QPointF(frame.left + frame.width, at)
            )
        colors = {"right": self.theme.accent, "wrong": self.theme.warning}
        color = QColor(colors.get(picture.mark, self.theme.outline))
        self._draw_border(painter, frame, color, 3.0 if picture.mark else 1.0)
        painter.setPen(QColor(self.theme.text if picture.mark else self.theme.muted))
        title = elided(picture.title, painter.font(), box.width())
        draw_text(painter, QPointF(box.center().x(), box.top()), title, 0.5, 0.0)

    def _draw_border(
        self, painter: QPainter, frame: Frame, color: QColor, width: float
    ) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, width))
        painter.drawRect(QRectF(*frame.rect))

    def _draw_points(self, painter: QPainter, frame: Frame, picture: Picture) -> None:
        count = len(picture.scores)
        ink = _INK * frame.width * frame.height / max(count, 1)
        size = float(np.clip(ink**0.5, 2.2, 7.0))
        palette = Palette.of("single", 1, self.theme)
        # The last one is grey.
        columns = np.full(count, len(palette.colors) - 1)
        if picture.codes is not None and self._colors is not None:
            classes = len(self._colors.names)
            others = self._colors.others
            palette = Palette.of(self._colors.kind, classes, self.theme, 0, others)
            columns = palette.columns(picture.codes)
        painter.save()
        painter.setClipRect(QRectF(*frame.rect))
        draw_shapes(
            painter,
            DrawnPoints(
                pixels=frame.to_pixels(picture.scores),
                columns=columns,
                states=np.full(count, STATES.index(NORMAL)),
                levels=None,
                palette=palette,
                size=size,
                rim=0.6 if size >= 4.5 else 0.0,
            ),
        )
        painter.restore()

    def _name_axes(self, painter: QPainter, frame: Frame) -> None:
        """Name the axes in the first picture: all have the same."""
        painter.setFont(plot_font(pixels=11))
        painter.setPen(QColor(self.theme.muted))
        x, y = self._axes
        corner = QPointF(frame.left + frame.width - 4, frame.top + frame.height - 3)
        draw_text(painter, corner, x, 1.0, 1.0, ground=self.theme.card)
        corner = QPointF(frame.left + 4, frame.top + 3)
        draw_text(painter, corner, y, 0.0, 0.0, ground=self.theme.card)
        painter.setFont(plot_font())

    def _picture_at(self, at: QPointF) -> int | None:
        if not self._can_choose:
            return None
        found = (k for k, box in enumerate(self.boxes()) if box.contains(at))
        return next(found, None)

    def _point_at(self, place: int | None) -> None:
        if place != self._at:
            self._at = place
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._picture_at(event.position())
        self._point_at(at)
        if at is None:
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._picture_at(event.position())
        if at is not None and event.button() == Qt.MouseButton.LeftButton:
            self.picture_chosen.emit(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, count = Qt.Key(event.key()), len(self._pictures)
        steps = {
            **_STEPS,
            Qt.Key.Key_Up: -self._columns,
            Qt.Key.Key_Down: self._columns,
        }
        if not self._can_choose or not count:
            event.ignore()
        elif key in steps:
            self._point_at(0 if self._at is None else (self._at + steps[key]) % count)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at is not None:
            self.picture_chosen.emit(self._at)
        else:
            event.ignore()


def _frame_in(box: QRectF, line: float, x: Range, y: Range) -> Frame:
    """Return the part of a box below its title, with ranges around two others."""
    top = line + 2
    width, height = box.width(), max(box.height() - top, 8.0)
    ranges = equal_ranges(x, y, width, height)
    return Frame(box.left(), box.top() + top, width, height, *ranges)


MOST_BESIDE = 4
"""Pictures beside each other, the first of which is the data."""


class RealityView(QWidget):
    """Shows both; on paper there are the pictures alone."""

    draw_requested = Signal()
    """Another draw of random data, or another round of nine."""
    resized = Signal()
    """There is room for more pictures, or for fewer."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("reality_page")
        self.plot = PicturesPlot()
        self.what = Segmented(
            [
                ("beside", "Beside", "The same kernel on random data, beside yours"),
                (
                    "nine",
                    "Find yours",
                    "Nine pictures, of which one is the data: a click says whether "
                    "you have found it",
                ),
            ],
            "What the page shows",
        )
        self.what.setObjectName("reality_what")
        self.again = QPushButton()
        self.again.setObjectName("reality_again")
        self.again.setToolTip("Other random data of the same kind")
        self.again.clicked.connect(self.draw_requested)
        self.words = ElidedLabel()
        self.words.setObjectName("reality_words")
        self.words.setProperty("role", "caption")
        self.words.setContentsMargins(8, 0, 8, 2)
        self.words.hide()
        line = QHBoxLayout()
        line.setContentsMargins(8, 2, 8, 2)
        line.setSpacing(10)
        line.addWidget(self.what)
        line.addStretch()
        line.addWidget(self.again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(line)
        layout.addWidget(self.words)
        layout.addWidget(self.plot, 1)
        self.show_what("beside")

    def show_what(self, key: str) -> None:
        """Show which of the two is on, "beside" or "nine"."""
        self.what.set_value(key)
        self._fit()

    def _fit(self) -> None:
        """Give the button the longest of its names that there is room for."""
        nine = self.what.value() == "nine"
        self.again.setText("Another round" if nine else "Another draw")
        taken = self.what.room(short=False) + self.again.sizeHint().width()
        if taken + 36 > self.width():
            self.again.setText("Again")

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)

    def beside(self) -> int:
        """Return how many pictures have room beside each other, two at least."""
        size = self.plot.size()
        fits = size.width() // max(size.height(), 1)
        return max(2, min(int(fits), MOST_BESIDE))

    def say(self, words: str) -> None:
        self.words.set_text(words)
        self.words.setVisible(bool(words))

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        self.plot.render_to(painter, rect, background=background)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.resized.emit()
