"""A composed picture: title, legend, plot and a caption of the settings."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF
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
from kpca_viewer.export.image_spec import ImageSpec, LegendSide
from kpca_viewer.export.short_names import elided, elided_apart

_PAD = 8.0
_TEXT = 12
"""Of every text in a picture: journals ask for one size."""
_SWATCH = 9.0
_NAME_WIDTHS = (1e9, 180.0, 130.0, 90.0, 60.0)
"""What a name may have at most, tried until a legend fits."""
_MOST_SHARE = 0.5
"""Of the width or the height of a picture, for its legend."""
_SHORTENED = 0.5
"""What a plot counts whose legend had to shorten names."""
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
    side: LegendSide = "auto"
    """Where the legend stands; by itself where it leaves the plot more room."""
    fitted: Callable[[QSizeF], QSizeF] = QSizeF
    """Returns what the plot needs of a room, if equal units leave some of it empty."""
    family: str = ""
    """Of the font; that of the program by default."""
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
        room, width = QRectF(rect), rect.width() - 2 * _PAD
        left, font = rect.left() + _PAD, self._font()
        height = QFontMetricsF(font).height()
        painter.setPen(self.ink)
        for text in (self.title, self.warning) if width > 0 else ():
            if text:
                at = QPointF(left, room.top() + _PAD / 2)
                _line(painter, at, text, self._font(bold=True), width)
                room.setTop(at.y() + height)
        lines = wrapped(self.caption, font, width) if width > 0 else []
        if lines:
            painter.setPen(self.muted)
            room.setBottom(room.bottom() - _PAD / 2 - height * len(lines))
            for number, line in enumerate(lines):
                at = QPointF(left, room.bottom() + number * height)
                _line(painter, at, line, font, width)
        if self.legend and width > 0:
            room = self._draw_legend(painter, room)
        painter.restore()
        if room.height() > 0:
            painter.save()
            try:
                yield from portions_of(self.plot, painter, room)
            finally:
                painter.restore()

    def _font(self, *, bold: bool = False) -> QFont:
        font = QFont(QGuiApplication.font())
        if self.family:
            font.setFamily(self.family)
        font.setPixelSize(_TEXT)
        font.setBold(bold)
        return font

    def _draw_legend(self, painter: QPainter, room: QRectF) -> QRectF:
        """Draw the legend beside or below the plot, and return the room of the plot."""
        legend, font = self.legend, self._font()
        line = QFontMetricsF(font).height()
        above = line if legend.colors else 0.0
        inner = QSizeF(room.width() - 2 * _PAD, room.height() - above - _PAD)
        sides = ("right", "below") if self.side == "auto" else (self.side,)
        choices = []
        # A scale is long: it stands below.
        for beside in (False,) if above else (side == "right" for side in sides):
            block = _block(legend.entries, font, inner, beside=beside)
            wide, high = block.size.width() + _PAD, block.size.height() + above + _PAD
            taken = QSizeF(wide, 0) if beside else QSizeF(0, high)
            size = self.fitted((room.size() - taken).expandedTo(QSizeF(1, 1)))
            area = size.width() * size.height()
            rank = -block.missing, area * (1.0 if block.whole else _SHORTENED)
            choices.append((rank, beside, block, size, taken))
        _, beside, block, size, taken = max(choices, key=lambda choice: choice[0])
        plot = QRectF(QPointF(), size)
        plot.moveCenter(room.center() - QPointF(taken.width(), taken.height()) / 2)
        at = room.center() - QPointF(block.size.width(), block.size.height()) / 2
        if beside:
            at.setX(plot.right())
        else:
            at.setY(plot.bottom() + _PAD / 2)
        if above:
            self._draw_scale(painter, room.left() + _PAD, at.y(), inner.width())
            at.setY(at.y() + line)
        painter.setFont(font)
        ascent = QFontMetricsF(font).ascent()
        for spot, name, entry in block.entries:
            corner = at + spot
            if entry is not None:
                swatch = corner + QPointF(_SWATCH / 2, line / 2)
                painter.fillPath(
                    entry.shape.translated(swatch.x(), swatch.y()), entry.color
                )
                corner.setX(corner.x() + 2 * _PAD - 2)
            painter.setPen(self.muted if entry is None else self.ink)
            painter.drawText(corner + QPointF(0, ascent), name)
        return plot

    def _draw_scale(
        self, painter: QPainter, left: float, top: float, width: float
    ) -> None:
        legend, font = self.legend, self._font()
        height = QFontMetricsF(font).height()
        painter.setPen(self.ink)
        title = elided(legend.title, font, max(width - 260, width / 3))
        x = left
        for text in (title, legend.low):
            _line(painter, QPointF(x, top), text, font, width)
            x += _advance(text, font) + _PAD
        side = min(_SCALE[0], max(left + width - x - 60, 24.0))
        bar = QRectF(x, top + (height - _SCALE[1]) / 2, side, _SCALE[1])
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        last = max(len(legend.colors) - 1, 1)
        for number, color in enumerate(legend.colors):
            gradient.setColorAt(number / last, color)
        painter.fillRect(bar, QBrush(gradient))
        at = QPointF(bar.right() + _PAD, top)
        _line(painter, at, legend.high, font, width)


class _Block(NamedTuple):
    """A legend as it is laid out."""

    entries: list[tuple[QPointF, str, PrintedLegendEntry | None]]
    """Top left corners and names as they fit; what is no entry says how many miss."""
    size: QSizeF
    whole: bool
    """Whether all names are written in full."""
    missing: int


def _block(
    entries: Sequence[PrintedLegendEntry], font: QFont, room: QSizeF, *, beside: bool
) -> _Block:
    """Lay out a legend in columns beside a plot, or in lines below it.

    Names are shortened where that lets all of them be there; a legend of hundreds of
    classes says how many it leaves out.
    """
    across, down = (_MOST_SHARE, 1.0) if beside else (1.0, _MOST_SHARE)
    most = QSizeF(room.width() * across, room.height() * down)
    line, count = QFontMetricsF(font).height(), len(entries)
    widths, shown = list(_NAME_WIDTHS), count
    while True:
        widest = min(widths[0], most.width() - 3 * _PAD)
        names = elided_apart([entry.name for entry in entries[:shown]], font, widest)
        whole = all(n == " ".join(e.name.split()) for n, e in zip(names, entries))  # noqa: B905
        if shown < count:
            names.append(f"… and {count - shown} more")
        wide = [_advance(name, font) + 3 * _PAD for name in names]
        spots = (_in_columns if beside else _in_lines)(wide, line, most)
        ends = [spot.x() + w - _PAD for spot, w in zip(spots, wide, strict=True)]
        lowest = max((spot.y() + line for spot in spots), default=0)
        size = QSizeF(max(ends, default=0), lowest)
        fits = size.width() <= most.width() and size.height() <= most.height()
        if fits or shown == 0:
            drawn = [*entries[:shown], *([None] if shown < count else [])]
            return _Block(
                list(zip(spots, names, drawn, strict=True)), size, whole, count - shown
            )
        if len(widths) > 1:
            del widths[0]
        else:
            shown = int(0.9 * shown)


def _in_lines(wide: Sequence[float], line: float, room: QSizeF) -> list[QPointF]:
    across = int((room.width() + _PAD) / max(wide, default=1.0))
    lines = _filled(wide, line, room)
    if lines and across and ceil(len(wide) / across) * line <= lines[-1].y() + line:
        # Names below each other read better, where they need no more lines.
        return [
            QPointF(n % across * max(wide), n // across * line)
            for n in range(len(wide))
        ]
    return lines


def _filled(wide: Sequence[float], line: float, room: QSizeF) -> list[QPointF]:
    spots, at = [], QPointF()
    for width in wide:
        if at.x() > 0 and at.x() + width - _PAD > room.width():
            at = QPointF(0, at.y() + line)
        spots.append(QPointF(at))
        at.setX(at.x() + width)
    return spots


def _in_columns(wide: Sequence[float], line: float, room: QSizeF) -> list[QPointF]:
    count = ceil(len(wide) / max(int(room.height() / line), 1))
    rows = ceil(len(wide) / max(count, 1))
    spots, left = [], 0.0
    for start in range(0, len(wide), max(rows, 1)):
        column = wide[start : start + rows]
        spots += [QPointF(left, row * line) for row in range(len(column))]
        left += max(column)
    return spots


def composed(spec: ImageSpec, plot: Paint, **parts: object) -> Composition:
    """Return a composition of what the spec asks for; see `Composition`."""
    for name, wanted in (
        ("title", spec.title),
        ("legend", spec.legend != "none"),
        ("caption", spec.caption),
    ):
        if not wanted:
            parts.pop(name, None)
    return Composition(plot, side=spec.legend, family=spec.family, **parts)  # type: ignore[arg-type]


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
    return [elided(line, font, width) for line in lines]


def _advance(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def _line(painter: QPainter, at: QPointF, text: str, font: QFont, width: float) -> None:
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    shown = elided(text, font, width)
    painter.drawText(QPointF(at.x(), at.y() + metrics.ascent()), shown)
