"""What a spectrum says: numbers and names of its axes, 95 %, negative bars."""

from itertools import product

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from kpca_viewer.features.spectrum.drawing import (
    GAP,
    LEFT_NAME,
    TICK,
    SpectrumLayout,
    line_color,
)
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

RIGHT_NAMES = ("cumulative", "cum.")
"""What the right axis tells, with and without room."""

_AWAY = 8.0


def mark_box(layout: SpectrumLayout, cut: int) -> tuple[QRectF, str, str]:
    """Find a place for the words about 95 %.

    They stand in the row above the bars, beside the grip of the cut, where they cover
    neither bars nor lines.

    Returns
    -------
    box : QRectF
    text : str
        The words as they fit.
    right_name : str
        The name of the right axis as it fits beside them.
    """
    font, grip = plot_font(), layout.cut_grip(cut)[0]
    texts = (layout.bars.mark_text, *layout.bars.mark_shorter)
    for name, words in product(RIGHT_NAMES, texts):
        low, high = layout.top_ends(name)
        before, behind = grip.left() - low - 2 * _AWAY, high - grip.right() - 2 * _AWAY
        width = text_width(words, font)
        if width <= behind or (width <= before and grip.right() <= high):
            break
    else:
        width = max(before, behind, 0.0)
        words = elided(texts[-1], font, width)
    left = grip.right() + _AWAY if width <= behind else grip.left() - _AWAY - width
    return QRectF(left, grip.top(), width, grip.height()), words, name


def draw_words(
    painter: QPainter, layout: SpectrumLayout, theme: Theme, cut: int
) -> None:
    """Say what the axes tell, what is negative and where 95 % are reached."""
    box, text, right_name = mark_box(layout, cut)
    font = plot_font()
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    draw_text(painter, box.center(), text)
    bottom = layout.frame.top + layout.frame.height + TICK + GAP
    painter.setPen(QColor(theme.muted))
    for slot, number in slot_ticks(layout):
        draw_text(painter, QPointF(layout.x(slot), bottom), number, 0.5, 0.0)
    if layout.named:
        _draw_names(painter, layout, theme)
    else:
        draw_text(painter, QPointF(GAP, box.center().y()), LEFT_NAME, 0.0)
        painter.setPen(line_color(theme))
        if layout.cumulative:
            corner = QPointF(layout.size.width() - GAP, box.center().y())
            draw_text(painter, corner, right_name, 1.0)
    place = negative_box(layout)
    if place is not None:
        painter.setPen(QColor(theme.warning))
        draw_text(painter, place.center(), "negative")


def negative_box(layout: SpectrumLayout) -> QRectF | None:
    """Return a place above the negative bars for their name; None without room."""
    bars, frame = layout.bars, layout.frame
    negative = bars.slots[bars.values < 0]
    if not negative.size:
        return None
    font = plot_font()
    width, height = text_width("negative", font), QFontMetricsF(font).height()
    left = layout.x(float(negative[0])) - layout.slot_width / 2
    right = layout.x(float(negative[-1])) + layout.slot_width / 2
    bottom = layout.y(0.0) - 2
    if right - left < width or bottom - height < frame.top:
        return None
    return QRectF((left + right - width) / 2, bottom - height, width, height)


def _draw_names(painter: QPainter, layout: SpectrumLayout, theme: Theme) -> None:
    frame, font = layout.frame, painter.font()
    painter.setPen(QColor(theme.text))
    line = QFontMetricsF(font).height()
    below = frame.top + frame.height + TICK + GAP + line + GAP
    name = elided(layout.bars.axis_name, font, frame.width)
    draw_text(painter, QPointF(frame.left + frame.width / 2, below), name, 0.5, 0.0)
    sides = [(GAP, -90, LEFT_NAME)]
    if layout.cumulative:
        sides.append((layout.size.width() - GAP, 90, RIGHT_NAMES[0]))
    for x, angle, text in sides:
        painter.save()
        painter.translate(x, frame.top + frame.height / 2)
        painter.rotate(angle)
        draw_text(painter, QPointF(0, 0), elided(text, font, frame.height), 0.5, 0.0)
        painter.restore()


def slot_ticks(layout: SpectrumLayout) -> list[tuple[float, str]]:
    """Return numbers under the bars: 1 and round ones, as many as fit."""
    bars, font = layout.bars, plot_font()
    last = layout.frame.x_range[1] - 0.5
    head = int(last) if bars.head == len(bars.slots) else bars.head
    room = (text_width(f"{bars.total:,}", font) + 10) / layout.slot_width
    steps = (s * 10**p for p in range(7) for s in (1, 2, 5))
    # The first step is one shorter: from 1 to 10, or to 5.
    step = next(s for s in steps if s - 1 >= room or (s == 1 and room <= 1))
    numbers = [1, *range(max(step, 2), head + 1, step)]
    ticks = [(float(number), f"{number:,}") for number in numbers]
    if bars.head == len(bars.slots):
        return ticks
    # The last bar of the tail, and dots where bars are missing before it: they matter
    # more than round numbers, which go where they would be touched.
    end, gap = float(bars.slots[-1]), bars.head + 1.0
    number = f"{int(bars.components[-1]) + 1:,}"
    if end - gap < 0.8 * room:
        ticks = [tick for tick in ticks if end - tick[0] >= 1.8 * room]
        return [*ticks, (end, f"… {number}")]
    ticks = [t for t in ticks if gap - t[0] >= 0.8 * room and end - t[0] >= 1.5 * room]
    return [*ticks, (gap, "…"), (end, number)]
