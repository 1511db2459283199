"""Text inside plots: always plain, never markup, sized in pixels of the scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

from kpca_viewer.export.short_names import elided as elided
from kpca_viewer.export.short_names import elided_apart as elided_apart

FONT_PIXELS = 12
"""Nine points at 96 dpi. Pixels scale with the painter; points would follow the
resolution of a PDF or SVG device a second time."""


_scale = 1.0
_printing: ContextVar[str | None] = ContextVar("printing", default=None)
"""The font of a file, "" for that of the program; None on the screen. Of one thread: a
film is drawn beside the window, which keeps its type."""


def set_type_scale(scale: float) -> None:
    """Scale the type of all plots: 1 is the usual size, presenting uses more."""
    global _scale
    _scale = scale


def type_scale() -> float:
    return 1.0 if is_printing() else _scale


def is_printing() -> bool:
    return _printing.get() is not None


@contextmanager
def printed_type(family: str = "") -> Iterator[None]:
    """Use one size of type: files are not scaled for presenting, nor by importance."""
    token = _printing.set(family or _printing.get() or "")
    try:
        yield
    finally:
        _printing.reset(token)


def plot_font(*, bold: bool = False, pixels: int = FONT_PIXELS) -> QFont:
    font, printed = QFont(QApplication.font()), _printing.get()
    if printed:
        font.setFamily(printed)
    font.setPixelSize(round(pixels * type_scale()) if printed is None else FONT_PIXELS)
    font.setBold(bold)
    return font


def text_width(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def shorter_names(name: str) -> list[str]:
    """Return a name, and for a component also with a rounded share and without it.

    Only components have a share; what stands in brackets behind a column is its unit.
    """
    line = " ".join(name.split())
    bare, _, added = line.partition(" (")
    if bare.startswith("PC ") and added.endswith("%)"):
        return [line, _rounded_share(bare, added), bare]
    return [line]


def fitted_name(name: str, font: QFont, width: float) -> str:
    """Return the longest of `shorter_names` that fits, or the last one shortened."""
    names = shorter_names(name)
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
) -> QRectF:
    """Draw one line in the painter's font, and return where it stands.

    ``across`` and ``down`` tell where the anchor is in the box of the text: 0 left or
    top, 1 right or bottom. The text stays ``inside``, even if that moves it. The colour
    of the ``ground`` fades points and lines which it lies over.
    """
    metrics = QFontMetricsF(painter.font())
    box = text_box(painter.font(), at, text, across, down, inside)
    if ground:
        _draw_ground(painter, box.adjusted(-3, 0, 3, 0), QColor(ground))
    painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), text)
    return box


def text_box(
    font: QFont,
    at: QPointF,
    text: str,
    across: float = 0.5,
    down: float = 0.5,
    inside: QRectF | None = None,
) -> QRectF:
    """Return where `draw_text` puts a text."""
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text), metrics.height()
    box = QRectF(at.x() - across * width, at.y() - down * height, width, height)
    if inside is not None:
        box.moveRight(min(box.right(), inside.right()))
        box.moveLeft(max(box.left(), inside.left()))
        box.moveBottom(min(box.bottom(), inside.bottom()))
        box.moveTop(max(box.top(), inside.top()))
    return box


def _draw_ground(painter: QPainter, box: QRectF, color: QColor) -> None:
    color.setAlphaF(0.8)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(box, 3, 3)
    painter.restore()
