"""How the spectrum is drawn: bars, whiskers, the cumulative line, the cut, words."""

from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kpca_viewer.features.spectrum.compute import MARK, SpectrumBars
from kpca_viewer.features.spectrum.layout import (
    SpectrumLayout,
    mark_box,
    negative_box,
)
from kpca_viewer.features.spectrum.text import (
    LEFT_NAME,
    NEGATIVE,
    RIGHT_NAMES,
    axis_name,
)
from kpca_viewer.widgets.plots.axes import GAP, TICK
from kpca_viewer.widgets.plots.chart import Chart, mixed
from kpca_viewer.widgets.plots.text import draw_text, is_printing, plot_font
from kpca_viewer.widgets.theme import Theme

# The role of a bar and whether it was kept.
Kind = tuple[str, bool]
_STRENGTHS = {
    ("warning", True): 1.0,
    ("warning", False): 0.75,
    ("accent", True): 1.0,
    ("muted", True): 0.6,
    ("muted", False): 0.28,
}


def bar_kind(bars: SpectrumBars, bar: int) -> Kind:
    """Return the role of a bar, negative or on an axis, and whether it was kept."""
    kept = bool(bars.components[bar] < bars.kept)
    if bars.values[bar] < 0:
        return "warning", kept
    return ("accent", True) if bars.on_axes[bar] else ("muted", kept)


def kind_color(kind: Kind, theme: Theme) -> QColor:
    """Return the colour of a role, lighter if it was not kept."""
    return mixed(getattr(theme, kind[0]), theme.card, _STRENGTHS[kind])


def line_color(theme: Theme, share: float = 0.8) -> QColor:
    """Return the colour of the cumulative line and of its axis."""
    return mixed(theme.text, theme.card, share)


class SpectrumChart(Chart):
    """Draws a layout; items lie over each other in the order in which they are made."""

    def __init__(self) -> None:
        super().__init__()
        self._bars = {kind: self.bars(partial(kind_color, kind)) for kind in _STRENGTHS}
        self._whiskers = self.thin_lines()
        self._line = self.line(line_color, 1.5)
        self._dots = self.dots(line_color, "card", 1.0)
        self._guide = self.line(partial(line_color, share=0.45), 1.0, dashes=(2, 3))
        self._mark = self.dots("text", "card", 1.5)

    def draw_spectrum(
        self,
        painter: QPainter,
        layout: SpectrumLayout,
        cut: int,
        *,
        active: bool,
        marked: int | None,
        ring: bool,
    ) -> None:
        """Paint everything.

        Parameters
        ----------
        cut : int
            Number of components that are kept; `active` while it is dragged.
        marked : int or None
            The bar that is pointed at; by the keyboard with a `ring`.
        """
        if marked is not None:
            self._draw_focus(painter, layout.column(marked), ring=ring)
        if self.is_new(layout.bars, layout.frame, layout.size, layout.cumulative):
            self._place_axes(layout)
            self._place_bars(layout)
            self._place_cumulative(layout)
        self.draw(painter)
        self._draw_cut(painter, layout, cut, active=active)
        self._draw_words(painter, layout, cut)

    def _place_axes(self, layout: SpectrumLayout) -> None:
        frame, ticks = layout.frame, layout.ticks_of_axes()
        right, zero = frame.left + frame.width, round(layout.y(0.0))
        names = (axis_name(layout.bars), LEFT_NAME, RIGHT_NAMES[0])
        beside = [QLineF(right, y, right + TICK, y) for y, _ in ticks.get("right", [])]
        self.place(
            frame,
            layout.size,
            ticks,
            names=names[: 3 if layout.cumulative else 2] if layout.named else (),
            grid=("left",),
            lines=[
                ("outline", [QLineF(frame.left, zero, right, zero)]),
                (line_color, beside),
            ],
            # In the colour of the line that is read there.
            numbers=line_color,
        )

    def _place_bars(self, layout: SpectrumLayout) -> None:
        bars = layout.bars
        rects: dict[Kind, list[QRectF]] = {kind: [] for kind in self._bars}
        for bar, rect in enumerate(layout.bar_rects()):
            rects[bar_kind(bars, bar)].append(QRectF(rect))
        for kind, item in self._bars.items():
            item.set_rects(rects[kind])
        # Only kept components have bounds.
        kept = range(min(bars.kept, bars.head))
        known = [line for bar in kept for line in layout.whisker(bar, bars.bounds[bar])]
        drawn = [(QColor(self.theme.text), known)]
        if bars.moves is not None:
            moves = [
                line for bar in kept for line in layout.whisker(bar, bars.moves[bar])
            ]
            drawn.append((line_color(self.theme, 0.75), moves))
        frame = layout.frame
        self._whiskers.show_lines(QRectF(*frame.rect), drawn)

    def _place_cumulative(self, layout: SpectrumLayout) -> None:
        points, mark = layout.cumulative_points(), layout.bars.mark
        shown = points if layout.cumulative else points[:0]
        self._line.set_places(*shown.T)
        self._dots.set_places(shown if layout.slot_width >= 9 else shown[:0], 2.8)
        at = shown[mark : mark + 1] if mark is not None else shown[:0]
        y, end = layout.cumulative_y(MARK), layout.frame.left + layout.frame.width
        self._guide.set_places(*np.array([(x, y) for x in (*at[:, 0], end)]).T)
        self._guide.setVisible(len(at) > 0)
        self._mark.set_places(at, 4.5)

    def _draw_focus(self, painter: QPainter, column: QRectF, *, ring: bool) -> None:
        """Show which bar is meant: a soft column, with a ring for the keyboard."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        soft = QColor(self.theme.accent)
        painter.setPen(QPen(soft, 1.5) if ring else Qt.PenStyle.NoPen)
        soft.setAlphaF(0.10)
        painter.setBrush(soft)
        painter.drawRoundedRect(column, 3, 3)

    def _draw_cut(
        self, painter: QPainter, layout: SpectrumLayout, cut: int, *, active: bool
    ) -> None:
        """Paint the line behind the last component that is kept, and its grip.

        On paper there is nothing to hold: the line and its words.
        """
        frame, x = layout.frame, round(layout.cut_x(cut))
        grip, text = layout.cut_grip(cut)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        accent = QColor(self.theme.muted if is_printing() else self.theme.accent)
        painter.setPen(QPen(accent, 2.0 if active else 1.0))
        painter.drawLine(QLineF(x, grip.bottom(), x, frame.top + frame.height))
        if is_printing():
            painter.setFont(plot_font())
            draw_text(painter, grip.center(), text)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent, 1.0))
        painter.setBrush(accent if active else QColor(self.theme.card))
        painter.drawRoundedRect(grip, 6, 6)
        painter.setFont(plot_font(bold=True))
        painter.setPen(QColor(self.theme.on_accent if active else self.theme.accent))
        draw_text(painter, grip.center(), text)

    def _draw_words(self, painter: QPainter, layout: SpectrumLayout, cut: int) -> None:
        """Say where 95 % are reached, what is negative, and names without an axis."""
        box, text, right_name = mark_box(layout, cut)
        painter.setFont(plot_font())
        painter.setPen(QColor(self.theme.text))
        draw_text(painter, box.center(), text)
        if not layout.named:
            painter.setPen(QColor(self.theme.muted))
            draw_text(painter, QPointF(GAP, box.center().y()), LEFT_NAME, 0.0)
            painter.setPen(line_color(self.theme))
            if layout.cumulative:
                corner = QPointF(layout.size.width() - GAP, box.center().y())
                draw_text(painter, corner, right_name, 1.0)
        place = negative_box(layout)
        if place is not None:
            painter.setPen(QColor(self.theme.warning))
            draw_text(painter, place.center(), NEGATIVE)
