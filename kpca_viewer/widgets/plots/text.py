"""Text inside plots: always plain, never markup, sized in pixels of the scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

FONT_PIXELS = 12
"""Nine points at 96 dpi. Pixels scale with the painter; points would follow the
resolution of a PDF or SVG device a second time."""


_scale = 1.0
_printing: ContextVar[bool] = ContextVar("printing", default=False)
"""Of one thread: a film is drawn beside the window, which keeps its type."""


def set_type_scale(scale: float) -> None:
    """Scale the type of all plots: 1 is the usual size, presenting uses more."""
    global _scale
    _scale = scale


def type_scale() -> float:
    """Return how much larger than usual the type is."""
    return 1.0 if _printing.get() else _scale


@contextmanager
def printed_type() -> Iterator[None]:
    """Use the usual size of type: files are not scaled for presenting."""
    token = _printing.set(True)
    try:
        yield
    finally:
        _printing.reset(token)


def plot_font(*, bold: bool = False, pixels: int = FONT_PIXELS) -> QFont:
    """Return the font of axes, labels and captions."""
    font = QFont(QApplication.font())
    font.setPixelSize(round(pixels * type_scale()))
    font.setBold(bold)
    return font


def text_width(text: str, font: QFont) -> float:
    """Return the width of one line in pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def elided(text: str, font: QFont, width: float) -> str:
    """Return the text shortened in its middle so that it fits."""
    line = " ".join(text.split())
    return QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideMiddle, width)


def fitted_name(name: str, font: QFont, width: float) -> str:
    """Return a name that fits: with a rounded share, without it, or shortened.

    Only components have a share; what stands in brackets behind a column is its unit.
    """
    line = " ".join(name.split())
    names = [line]
    bare, _, added = line.partition(" (")
    if bare.startswith("PC ") and added.endswith("%)"):
        names += [_rounded_share(bare, added), bare]
    fitting = (each for each in names if text_width(each, font) <= width)
    return next(fitting, elided(names[-1], font, width))


def _rounded_share(bare: str, added: str) -> str:
    """Return "PC 2 (13 %)" for "PC 2 (12.6 %)"; what is no number is left out."""
    try:
        return f"{bare} ({float(added.removesuffix(' %)')):.0f} %)"
    except ValueError:
        return bare


def draw_text(
    painter: QPainter,
    at: QPointF,
    text: str,
    across: float = 0.5,
    down: float = 0.5,
    *,
    inside: QRectF | None = None,
    ground: str = "",
) -> None:
    """Draw one line in the painter's font, anchored at a share of its own box.

    Parameters
    ----------
    at : QPointF
        The anchor.
    across, down : float
        Where the anchor is in the box of the text: 0 left or top, 1 right or bottom.
    inside : QRectF or None
        Where the text must stay, even if that moves it.
    ground : str
        Colour behind it that fades points and lines which it lies over; none if empty.
    """
    metrics = QFontMetricsF(painter.font())
    width, height = metrics.horizontalAdvance(text), metrics.height()
    box = QRectF(at.x() - across * width, at.y() - down * height, width, height)
    if inside is not None:
        box.moveRight(min(box.right(), inside.right()))
        box.moveLeft(max(box.left(), inside.left()))
        box.moveBottom(min(box.bottom(), inside.bottom()))
        box.moveTop(max(box.top(), inside.top()))
    if ground:
        _draw_ground(painter, box.adjusted(-3, 0, 3, 0), QColor(ground))
    painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), text)


def _draw_ground(painter: QPainter, box: QRectF, color: QColor) -> None:
    color.setAlphaF(0.8)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(box, 3, 3)
    painter.restore()
