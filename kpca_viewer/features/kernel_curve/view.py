"""The kernel against distance, angle or dot product, over those of the data."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.kernels.pair_values import PairValues, curve
from kpca_viewer.support.numerals import counted, ungrouped
from kpca_viewer.widgets.plots.axes import hairline
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

STEPS = 160
"""Places at which the curve is computed; more would be finer than a pixel."""

HEIGHT = 84
_PIXELS = 11
_TOP, _GAP = 4.0, 5.0


@dataclass(frozen=True)
class MarkedPair:
    """Two rows on the curve."""

    names: tuple[str, str]
    at: float
    """Along the axis."""
    value: float
    """Of the kernel."""


class KernelCurve(PaintedPlot):
    """A small plot: bars for the pairs of the data, a line for the kernel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("kernel_curve")
        self.setAccessibleName("Kernel over the pairs of the data")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._kernel: Kernel | None = None
        self._pairs: PairValues | None = None
        self._marked: MarkedPair | None = None
        self._x: Floats = np.empty(0)
        self._y: Floats = np.empty(0)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the room that type of now needs."""
        super().set_theme(theme)
        self._take_room()

    def _take_room(self) -> None:
        """Be as high as the type of now needs, whenever layouts have asked before."""
        self.setFixedHeight(self.sizeHint().height())

    def show_kernel(self, kernel: Kernel, pairs: PairValues | None) -> None:
        """Draw a kernel; without pairs, which are on their way, nothing."""
        if kernel == self._kernel and pairs is self._pairs:
            return
        self._kernel, self._pairs = kernel, pairs
        self._take_room()
        if pairs is not None:
            self._x = np.linspace(pairs.low, pairs.high, STEPS)
            self._y = np.asarray(curve(kernel, pairs.axis, self._x), dtype=np.float64)
            self._y[~np.isfinite(self._y)] = np.nan
        self._describe()
        self.update()

    def mark(self, pair: MarkedPair | None) -> None:
        """Mark two rows, or none."""
        if pair != self._marked:
            self._marked = pair
            self._describe()
            self.update()

    @property
    def marked(self) -> MarkedPair | None:
        return self._marked

    @property
    def points(self) -> tuple[Floats, Floats]:
        """The places and the values of the line."""
        return self._x, self._y

    def words(self) -> str:
        """Return the line above the plot: the marked pair, or the median one."""
        kernel, pairs = self._kernel, self._pairs
        if kernel is None or pairs is None:
            return ""
        axis = pairs.axis
        if self._marked is not None:
            at = f"{axis.symbol} = {ungrouped(self._marked.at, 3)}{axis.unit}"
            names = " and ".join(self._marked.names)
            return f"{names}: {at}, k = {ungrouped(self._marked.value, 4)}"
        if pairs.median is None:
            return "One row has no pairs"
        value = float(curve(kernel, axis, np.array([pairs.median]))[0])
        at = f"{axis.symbol} = {ungrouped(pairs.median, 3)}{axis.unit}"
        return f"Median pair: {at}, k = {ungrouped(value, 3)}"

    def _describe(self) -> None:
        pairs, kernel = self._pairs, self._kernel
        if pairs is None or kernel is None:
            return
        title = pairs.axis.title
        of = f"{counted(pairs.pairs)} pairs of {counted(pairs.rows)} rows"
        sample = " (a sample)" if pairs.sampled else ""
        self.setToolTip(
            f"Line: the kernel against the {title} of two rows, for the values above.\n"
            f"Bars: the {title}s of {of}{sample}. Where the line is flat over them, "
            "the kernel cannot tell pairs apart.\n"
            "Point at a cell of the kernel matrix to see its pair here."
        )
        self.setAccessibleDescription(self.words())

    def frame(self, size: QSizeF | None = None) -> Frame | None:
        """Return where the plot stands; None without pairs."""
        if self._pairs is None:
            return None
        size = QSizeF(self.size()) if size is None else size
        font = plot_font(pixels=_PIXELS)
        line = QFontMetricsF(font).height()
        low, high = self.value_range()
        numbers = (ungrouped(low, 3), ungrouped(high, 3))
        left = max(text_width(text, font) for text in numbers) + _GAP
        top = _TOP + line + 2
        return Frame(
            left,
            top,
            max(size.width() - left - 2, 8.0),
            max(size.height() - top - line - 3, 8.0),
            (self._pairs.low, self._pairs.high),
            (low, high),
        )

    def value_range(self) -> tuple[float, float]:
        """Return the kernel values at the lower and the upper end."""
        known = self._y[np.isfinite(self._y)]
        if not known.size:
            return 0.0, 1.0
        low, high = min(float(known.min()), 0.0), float(known.max())
        if self._kernel is not None and self._kernel.family.unit_diagonal:
            # Always the same ends: what γ does is seen against them.
            low, high = (-1.0 if low < 0 else 0.0), 1.0
        return (low, high) if high > low else (low, low + 1.0)

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint bars, line, ends of the axes and the marked pair."""
        frame, pairs = self.frame(size), self._pairs
        if frame is None or pairs is None:
            return
        self._draw_bars(painter, frame, pairs)
        self._draw_ends(painter, frame, pairs)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.accent), 2.0))
        painter.save()
        area = QRectF(frame.left, frame.top, frame.width, frame.height)
        painter.setClipRect(area.adjusted(0, -2, 2, 2))
        painter.drawPath(self._path(frame))
        painter.restore()
        if self._marked is not None:
            self._draw_marked(painter, frame, self._marked)
        font = plot_font(pixels=_PIXELS)
        painter.setFont(font)
        marked = self._marked is not None
        painter.setPen(QColor(self.theme.text if marked else self.theme.muted))
        words = elided(self.words(), font, size.width() - 4)
        draw_text(painter, QPointF(2, _TOP), words, 0.0, 0.0)

    def _path(self, frame: Frame) -> QPainterPath:
        path = QPainterPath()
        pixels = frame.to_pixels(np.column_stack((self._x, self._y)))
        # Pixels far outside confuse the painter; the line leaves the plot anyway.
        pixels = np.clip(pixels, -1e5, 1e5)
        begun = False
        for x, y in pixels.tolist():
            if y != y:  # no value there
                begun = False
            elif begun:
                path.lineTo(x, y)
            else:
                path.moveTo(x, y)
                begun = True
        return path

    def _draw_bars(self, painter: QPainter, frame: Frame, pairs: PairValues) -> None:
        most = int(pairs.counts.max(initial=0))
        if not most:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        color = QColor(self.theme.groove)
        width = frame.width / len(pairs.counts)
        bottom = frame.top + frame.height
        for index, count in enumerate(pairs.counts.tolist()):
            if count:
                height = max(frame.height * count / most, 1.0)
                left = frame.left + index * width
                bar = QRectF(left, bottom - height, width + 0.5, height)
                painter.fillRect(bar, color)

    def _draw_ends(self, painter: QPainter, frame: Frame, pairs: PairValues) -> None:
        """Write the numbers at the ends of both axes, and what is along them."""
        font = plot_font(pixels=_PIXELS)
        line = QFontMetricsF(font).height()
        bottom, right = frame.top + frame.height, frame.left + frame.width
        painter.setPen(hairline(self.theme.outline, painter))
        painter.drawLine(QPointF(frame.left, bottom), QPointF(right, bottom))
        painter.drawLine(QPointF(frame.left, frame.top), QPointF(frame.left, bottom))
        painter.setFont(font)
        painter.setPen(QColor(self.theme.muted))
        low, high = frame.y_range
        for value, y in ((high, frame.top + line / 2 - 1), (low, bottom - line / 2)):
            at = QPointF(frame.left - _GAP + 1, y)
            draw_text(painter, at, ungrouped(value, 3), 1.0, 0.5)
        below = bottom + 2
        unit = pairs.axis.unit
        texts = (
            f"{ungrouped(pairs.low, 3)}{unit}",
            f"{ungrouped(pairs.high, 3)}{unit}",
        )
        draw_text(painter, QPointF(frame.left, below), texts[0], 0.0, 0.0)
        draw_text(painter, QPointF(right, below), texts[1], 1.0, 0.0)
        low_end, high_end = (text_width(text, font) for text in texts)
        name = self.axis_words(frame.width - low_end - high_end)
        middle = (frame.left + low_end + right - high_end) / 2
        draw_text(painter, QPointF(middle, below), name, 0.5, 0.0)

    def axis_words(self, room: float) -> str:
        """Return what is along the axis, in so many pixels between its two ends."""
        if self._pairs is None:
            return ""
        axis, font = self._pairs.axis, plot_font(pixels=_PIXELS)
        both = (
            axis.title if axis.symbol == axis.title else f"{axis.title} {axis.symbol}"
        )
        fitting = (
            text
            for text in (both, axis.symbol)
            if text_width(text, font) + 2 * _GAP <= room
        )
        return next(fitting, "")

    def _draw_marked(self, painter: QPainter, frame: Frame, marked: MarkedPair) -> None:
        x, y = frame.to_pixels(np.array([[marked.at, marked.value]]))[0].tolist()
        right, bottom = frame.left + frame.width, frame.top + frame.height
        # A pair that is no part of the sample may lie beyond its ends.
        x = min(max(x, frame.left), right)
        y = min(max(y, frame.top), bottom)
        painter.setPen(QPen(QColor(self.theme.muted), 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, y), QPointF(x, bottom))
        painter.drawLine(QPointF(frame.left, y), QPointF(x, y))
        painter.setPen(QPen(QColor(self.theme.card), 1.5))
        painter.setBrush(QColor(self.theme.text))
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(plot_font(pixels=_PIXELS)).height()
        # Two numbers stand above each other at the axis of values.
        plot = max(HEIGHT - 37.0, 2 * line + 2)
        return QSize(200, round(9 + 2 * line + plot))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())
