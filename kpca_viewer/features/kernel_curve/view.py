"""The kernel against distance, angle or dot product, over those of the data."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.kernels.pair_values import PairValues, axis_of, curve
from kpca_viewer.features.kernel_curve.text import (
    NO_CURVE,
    MarkedPair,
    about,
    median_text,
    pair_text,
)
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots.chart import Chart
from kpca_viewer.widgets.plots.frame import Floats, Frame
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

STEPS = 160
"""Places at which the curve is computed; more would be finer than a pixel."""

HEIGHT = 84
_PIXELS = 11
_TOP, _GAP = 4.0, 5.0


class KernelCurve(PaintedPlot):
    """A small plot: bars for the pairs of the data, a line for the kernel."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("kernel_curve")
        self.setAccessibleName("Kernel over the pairs of the data")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._kernel: Kernel | None = None
        self._pairs: PairValues | None = None
        self._marked: MarkedPair | None = None
        self._x: Floats = np.empty(0)
        self._y: Floats = np.empty(0)
        self.chart = Chart(gap=3)
        self._bars = self.chart.bars("groove")
        self._guides = self.chart.line("muted", 1.0, dashes=(1, 2))
        self._line = self.chart.line("accent", 2.0)
        self._dot = self.chart.dots("text", "card", 1.5)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the room that its type needs."""
        super().set_theme(theme)
        self.chart.set_theme(theme)
        self._take_room()

    def _take_room(self) -> None:
        """Be as high as the type needs, although layouts know another height."""
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
        if self._kernel is not None and axis_of(self._kernel.family) is None:
            return NO_CURVE
        if self._kernel is None or self._pairs is None:
            return ""
        if self._marked is not None:
            return pair_text(self._pairs.axis, self._marked)
        return median_text(self._kernel, self._pairs)

    def _describe(self) -> None:
        if self._kernel is not None:
            self.setToolTip(self.words() if self._pairs is None else about(self._pairs))
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
        frame, pairs = self.frame(size), self._pairs
        font = plot_font(pixels=_PIXELS)
        if frame is None or pairs is None:
            self._write_words(painter, size, font)
            return
        if self.chart.is_new(frame, size, pairs, self._kernel, self._marked):
            self._place_axes(frame, size, pairs, font)
            self._bars.set_rects(_bar_rects(frame, pairs))
            pixels = frame.to_pixels(np.column_stack((self._x, self._y)))
            # Pixels far outside confuse the painter; the line leaves the plot anyway.
            self._line.set_places(*np.clip(pixels, -1e5, 1e5).T)
            self._place_marked(frame)
        self.chart.draw(painter)
        self._write_words(painter, size, font)

    def _write_words(self, painter: QPainter, size: QSizeF, font: QFont) -> None:
        painter.setFont(font)
        marked = self._marked is not None
        painter.setPen(QColor(self.theme.text if marked else self.theme.muted))
        words = elided(self.words(), font, size.width() - 4)
        draw_text(painter, QPointF(2, _TOP), words, 0.0, 0.0)

    def _place_axes(
        self, frame: Frame, size: QSizeF, pairs: PairValues, font: QFont
    ) -> None:
        """Write numbers beside the ends of both axes, and between them a name."""
        left, right = frame.left, frame.left + frame.width
        top, bottom = frame.top, frame.top + frame.height
        texts = [f"{ungrouped(v, 3)}{pairs.axis.unit}" for v in frame.x_range]
        first, last = (text_width(text, font) for text in texts)
        name = self.axis_words(frame.width - first - last)
        half = QFontMetricsF(font).height() / 2
        low, high = (ungrouped(value, 3) for value in frame.y_range)
        self.chart.place(
            frame,
            size,
            {
                "left": ((top + half - 1, high), (bottom - half, low)),
                "bottom": (
                    (left + first / 2, texts[0]),
                    ((left + first + right - last) / 2, name),
                    (right - last / 2, texts[1]),
                ),
            },
            font=font,
            grid=(),
            lines=[
                ("outline", [QLineF(left, bottom, right, bottom)]),
                ("outline", [QLineF(left, top, left, bottom)]),
            ],
        )

    def _place_marked(self, frame: Frame) -> None:
        places = np.empty((0, 2))
        right, bottom = frame.left + frame.width, frame.top + frame.height
        if self._marked is not None:
            places = frame.to_pixels(np.array([[self._marked.at, self._marked.value]]))
            # A pair that is no part of the sample may lie beyond its ends.
            places = places.clip((frame.left, frame.top), (right, bottom))
        self._dot.set_places(places, 4.5)
        lines = [((frame.left, y), (x, y), (x, bottom)) for x, y in places.tolist()]
        self._guides.set_places(*np.array(lines).reshape(-1, 2).T)

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

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(plot_font(pixels=_PIXELS)).height()
        # Two numbers stand above each other at the axis of values.
        plot = max(HEIGHT - 37.0, 2 * line + 2)
        return QSize(200, round(9 + 2 * line + plot))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())


def _bar_rects(frame: Frame, pairs: PairValues) -> list[QRectF]:
    """Return the bars of counts, the highest as high as the frame, none invisible."""
    counts = pairs.counts
    width, bottom = frame.width / len(counts), frame.top + frame.height
    heights = frame.height * counts / max(int(counts.max(initial=0)), 1)
    return [
        QRectF(frame.left + i * width, bottom - height, width + 0.5, height)
        for i, height in enumerate(np.maximum(heights, 1.0))
        if counts[i]
    ]
