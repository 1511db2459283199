"""A composed picture: title, legend, plot and a caption of the settings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QLinearGradient,
    QPainter,
    QPainterPath,
)

from kpca_viewer.export.image import Paint, portions_of
from kpca_viewer.export.image_spec import ImageSpec

_PAD = 8.0
_TITLE, _TEXT, _SMALL = 14, 12, 10
_SWATCH = 9.0
_WIDEST_ENTRY = 180.0
_MOST_LINES = 4
_SCALE = (120.0, 8.0)


@dataclass(frozen=True, eq=False)
class PrintedLegendEntry:
    """One class: what its points look like, and its name."""

    name: str
    """Plain text."""
    color: QColor
    shape: QPainterPath
    """Around the origin, in a square of side 9."""


@dataclass(frozen=True, eq=False)
class PrintedLegend:
    """What colours mean: classes, or a scale of numbers from ``low`` to ``high``.

    Shapes that mean something of their own are entries too, below a scale.
    """

    entries: tuple[PrintedLegendEntry, ...] = ()
    colors: tuple[QColor, ...] = ()
    """Of the scale, from low to high; empty if there is none."""
    title: str = ""
    low: str = ""
    high: str = ""
    """Of the scale."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.colors)


@dataclass(frozen=True, eq=False)
class Composition:
    """What stands around a plot, and in which colours."""

    plot: Paint
    """Paints the plot itself, without a background, into a rectangle."""
    title: str = ""
    caption: str = ""
    """Plain text; empty ones take no room."""
    warning: str = ""
    """What the picture is not to be taken for; stands there whatever was asked for."""
    legend: PrintedLegend = field(default_factory=PrintedLegend)
    ink: QColor = field(default_factory=lambda: QColor("#1B1F24"))
    muted: QColor = field(default_factory=lambda: QColor("#5B6470"))
    """Of the title and the legend, and of the caption."""
    paper: QColor | None = None
    """Painted first; None leaves the background as it is."""

    def paint(self, painter: QPainter, rect: QRectF) -> Iterator[None]:
        """Paint everything into a rectangle of layout units, in portions."""
        painter.save()
        if self.paper is not None:
            painter.fillRect(rect, self.paper)
        top, bottom = rect.top(), rect.bottom()
        width = rect.width() - 2 * _PAD
        left = rect.left() + _PAD
        if self.title and width > 0:
            painter.setPen(self.ink)
            font = _font(_TITLE, bold=True)
            top += _PAD + _line(
                painter, QPointF(left, top + _PAD), self.title, font, width
            )
        if self.warning and width > 0:
            painter.setPen(self.ink)
            font = _font(_TEXT, bold=True)
            top += _PAD / 2 + _line(
                painter, QPointF(left, top + _PAD / 2), self.warning, font, width
            )
        if self.legend and width > 0:
            top += _PAD / 2 + self._draw_legend(painter, left, top + _PAD / 2, width)
        lines = wrapped(self.caption, _font(_SMALL), width) if width > 0 else []
        if lines:
            painter.setPen(self.muted)
            height = QFontMetricsF(_font(_SMALL)).height()
            bottom -= _PAD / 2 + height * len(lines)
            for number, line in enumerate(lines):
                at = QPointF(left, bottom + number * height)
                _line(painter, at, line, _font(_SMALL), width)
        painter.restore()
        room = QRectF(rect.left(), top, rect.width(), bottom - top)
        if room.height() > 0:
            painter.save()
            try:
                yield from portions_of(self.plot, painter, room)
            finally:
                painter.restore()

    def _draw_legend(
        self, painter: QPainter, left: float, top: float, width: float
    ) -> float:
        """Draw the legend and return its height."""
        legend, font = self.legend, _font(_TEXT)
        height = QFontMetricsF(font).height() + 2
        above = self._draw_scale(painter, left, top, width) if legend.colors else 0.0
        if not legend.entries:
            return above
        top += above
        x, y, drawn = left, top, 0
        widest = _widest_name([entry.name for entry in legend.entries], font, width)
        for entry in legend.entries:
            name = _elided(entry.name, font, widest)
            wide = min(_advance(name, font) + 3 * _PAD, width)
            if x > left and x + wide > left + width:
                if y + height >= top + _MOST_LINES * height:
                    break
                x, y = left, y + height
            painter.save()
            painter.translate(x + _SWATCH / 2, y + height / 2)
            painter.fillPath(entry.shape, entry.color)
            painter.restore()
            painter.setPen(self.ink)
            _line(painter, QPointF(x + 2 * _PAD - 2, y + 1), name, font, wide)
            x += wide
            drawn += 1
        if drawn < len(legend.entries):
            y += height
            painter.setPen(self.muted)
            rest = f"… and {len(legend.entries) - drawn} more"
            _line(painter, QPointF(left, y + 1), rest, font, width)
        return above + y + height - top

    def _draw_scale(
        self, painter: QPainter, left: float, top: float, width: float
    ) -> float:
        legend, font = self.legend, _font(_TEXT)
        height = QFontMetricsF(font).height() + 2
        painter.setPen(self.ink)
        title = _elided(legend.title, font, max(width - 260, width / 3))
        x = left
        for text in (title, legend.low):
            _line(painter, QPointF(x, top + 1), text, font, width)
            x += _advance(text, font) + _PAD
        side = min(_SCALE[0], max(left + width - x - 60, 24.0))
        bar = QRectF(x, top + (height - _SCALE[1]) / 2, side, _SCALE[1])
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        last = max(len(legend.colors) - 1, 1)
        for number, color in enumerate(legend.colors):
            gradient.setColorAt(number / last, color)
        painter.fillRect(bar, QBrush(gradient))
        at = QPointF(bar.right() + _PAD, top + 1)
        _line(painter, at, legend.high, font, width)
        return height


def composed(spec: ImageSpec, plot: Paint, **parts: object) -> Composition:
    """Return a composition of what the spec asks for; see `Composition`."""
    for name, wanted in (
        ("title", spec.title),
        ("legend", spec.legend),
        ("caption", spec.caption),
    ):
        if not wanted:
            parts.pop(name, None)
    return Composition(plot, **parts)  # type: ignore[arg-type]


def _widest_name(names: Sequence[str], font: QFont, width: float) -> float:
    """Return the room of a name: all of them in full, if the lines suffice for that."""
    x, lines = 0.0, 1
    for name in names:
        wide = min(_advance(name, font) + 3 * _PAD, width)
        if x and x + wide > width:
            x, lines = 0.0, lines + 1
        x += wide
    return (width if lines <= _MOST_LINES else _WIDEST_ENTRY) - 3 * _PAD


def wrapped(text: str, font: QFont, width: float, most: int = 3) -> list[str]:
    """Return a text as lines, broken at its dots; the last one may be shortened."""
    parts = [part for part in " ".join(text.split()).split(" · ") if part]
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]} · {part}" if lines else part
        if lines and (_advance(joined, font) <= width or len(lines) == most):
            lines[-1] = joined
        else:
            lines.append(part)
    return [_elided(line, font, width) for line in lines]


def _font(pixels: int, *, bold: bool = False) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(pixels)
    font.setBold(bold)
    return font


def _advance(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def _elided(text: str, font: QFont, width: float) -> str:
    line = " ".join(text.split())
    return QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideMiddle, width)


def _line(
    painter: QPainter, at: QPointF, text: str, font: QFont, width: float
) -> float:
    """Draw one line of plain text below a place and return its height."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    shown = _elided(text, font, width)
    painter.drawText(QPointF(at.x(), at.y() + metrics.ascent()), shown)
    return metrics.height()
