"""What the colours of a sheet mean: one line of classes."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.shapes import shape_path
from kpca_viewer.ui.plots.sprites import Palette, point_brush
from kpca_viewer.ui.plots.text import draw_text, elided, plot_font, text_width

_SWATCH = 9.0
_LONGEST = 140.0
"""Pixels of one name, where not all of them fit in full."""


def draw_class_line(
    painter: QPainter,
    rect: QRectF,
    names: Sequence[str],
    drawn: Collection[int],
    theme: Theme,
) -> None:
    """Draw as many classes as fit into a line, and how many more there are.

    Parameters
    ----------
    names : sequence of str
        Of all classes.
    drawn : collection of int
        Codes of those that have rows; others are left out.
    """
    font = plot_font(pixels=11)
    painter.save()
    painter.setFont(font)
    palette = Palette.of("class", len(names), theme)
    x, y = rect.left(), rect.center().y()
    codes = sorted(drawn)
    whole = sum(text_width(names[c], font) + _SWATCH + 16 for c in codes) - 12
    longest = rect.width() if whole <= rect.width() else _LONGEST
    for number, code in enumerate(codes):
        text = elided(names[code], font, longest)
        rest = f"+ {len(codes) - number} more"
        room = rect.right() - x - _SWATCH - 4 - text_width(text, font)
        last = number == len(codes) - 1
        if room < (0 if last else 12 + text_width(rest, font)):
            painter.setPen(QColor(theme.muted))
            draw_text(painter, QPointF(x, y), elided(rest, font, rect.right() - x), 0.0)
            break
        shape = shape_path(int(palette.shapes[code]), _SWATCH / 2)
        painter.fillPath(
            shape.translated(x + _SWATCH / 2, y), point_brush(palette, code, 1.0)
        )
        x += _SWATCH + 4
        painter.setPen(QColor(theme.text))
        draw_text(painter, QPointF(x, y), text, 0.0)
        x += text_width(text, font) + 12
    painter.restore()
