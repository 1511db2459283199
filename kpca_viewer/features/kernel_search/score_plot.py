"""Scores of a kernel over its value or over components, with what they stand beside."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
)

from kpca_viewer.core.methods.kernel_ranking import (
    Choice,
    Evidence,
    Row,
    Tried,
    parameter_of,
)
from kpca_viewer.features.kernel_search.claims import DIGITS, score_text
from kpca_viewer.support.numerals import percent, readable, tick_labels
from kpca_viewer.widgets.plots.axes import hairline, row_ticks
from kpca_viewer.widgets.plots.frame import Floats, Frame, fitted_range, nice_ticks
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width, type_scale

Array = NDArray[Any]
Named = tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """Scores with their errors along one axis, and what they are held against."""

    title: str
    """Of the axis: a symbol, or "components"."""
    x: Array
    scores: Array
    errors: Array
    """Shape (m,), ascending in x."""
    evidence: Evidence
    current: float
    """Where the row stands."""
    is_log: bool = False
    is_whole: bool = False
    """Whether only whole numbers lie on the axis."""
    stable: tuple[float, float] | None = None
    """Between which values the picture persists."""
    rules: Named = ()
    """What cheap rules say, within the curve."""
    levels: Named = ()
    """What other ways score."""

    def nearest(self, x: float) -> int:
        """Return the place of the value that is nearest, as the axis shows it."""
        seen, at = (np.log(self.x), np.log(x)) if self.is_log else (self.x, x)
        return int(np.abs(seen - at).argmin())


def curve_over_values(row: Row, choice: Choice) -> ScoreCurve | None:
    """Return scores over the value that was varied; None for a kernel without one."""
    parameter, place = parameter_of(row.line), row.components - 1
    tried = [
        one
        for one in row.tried
        if len(one.scores) > place and np.isfinite(one.scores[place])
    ]
    if parameter is None or row.value is None or not tried:
        return None
    x = np.array([one.value for one in tried], dtype=np.float64)
    is_gamma = row.line.family == "rbf" and row.line.scanned == "gamma"
    known = choice.rules if is_gamma else ()
    return ScoreCurve(
        parameter.symbol,
        x,
        np.array([one.scores[place] for one in tried]),
        np.array([one.errors[place] for one in tried]),
        choice.evidence,
        row.value,
        is_log=parameter.scale == "log",
        stable=row.stable,
        rules=tuple((name, at) for name, at in known if x.min() <= at <= x.max()),
        levels=_levels(choice, place),
    )


def curve_over_components(row: Row, choice: Choice) -> ScoreCurve | None:
    """Return scores over the number of components, at the value of the row.

    None where only one of them has a score.
    """
    own = _own(row)
    if own is None or len(own.scores) < 2:
        return None
    return ScoreCurve(
        "components",
        np.arange(1, len(own.scores) + 1, dtype=np.float64),
        own.scores,
        own.errors,
        choice.evidence,
        row.components,
        is_whole=True,
        levels=() if choice.chance is None else (("guessing", choice.chance),),
    )


def _own(row: Row) -> Tried | None:
    return next((one for one in row.tried if one.value == row.value), None)


def _levels(choice: Choice, place: int) -> Named:
    """Return what guessing scores, and linear PCA with as many components."""
    levels = [] if choice.chance is None else [("guessing", choice.chance)]
    linear = next((row for row in choice.rows if row.line.is_linear), None)
    own = None if linear is None else _own(linear)
    if own is not None and len(own.scores) > place:
        levels.append(("linear PCA", float(own.scores[place])))
    return tuple(levels)


_GAP = 5.0
_STABLE = 0.12
_BAND = 0.18


class ScorePlot(PaintedPlot):
    """A curve with its error band; setters emit nothing.

    Parameters
    ----------
    name : str
        Of the widget.
    title : str
        For assistive technology.
    """

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._curve: ScoreCurve | None = None

    @property
    def curve(self) -> ScoreCurve | None:
        return self._curve

    def show_curve(self, curve: ScoreCurve | None) -> None:
        """Draw another curve; None for none."""
        self._curve = curve
        self.show_label(None)
        self.setAccessibleDescription(self._described())
        self.update()

    def _described(self) -> str:
        curve = self._curve
        if curve is None:
            return ""
        return f"{len(curve.x)} values; {self._told(curve.nearest(curve.current))}"

    def _told(self, place: int) -> str:
        curve = self._curve
        assert curve is not None
        x = curve.x[place]
        at = f"{x:.0f} {curve.title}" if curve.is_whole else ""
        at = at or f"{curve.title} = {readable(float(x), DIGITS)}"
        score, error = float(curve.scores[place]), float(curve.errors[place])
        told = f"{at}: {score_text(score, error, curve.evidence)}"
        guessing = dict(curve.levels).get("guessing")
        return told if guessing is None else f"{told}, guessing {percent(guessing, 0)}"

    def frame(self, size: QSizeF) -> Frame | None:
        """Return where the plot stands; None without a curve."""
        curve = self._curve
        if curve is None:
            return None
        font = plot_font()
        line = QFontMetricsF(font).height()
        low, high = self._extent(curve)
        numbers = tick_labels(row_ticks((low, high), size.height() - 3 * line))
        left = max((text_width(text, font) for text in numbers), default=0.0) + 2 * _GAP
        top = _GAP + line * (1 + len(curve.rules))
        ends = self._shown(curve, curve.x)
        return Frame(
            math.ceil(left),
            math.ceil(top),
            max(size.width() - left - 3 * _GAP, 8.0),
            max(size.height() - top - 2 * line - 2 * _GAP, 8.0),
            fitted_range(ends, 0.04),
            (low, high),
        )

    def _extent(self, curve: ScoreCurve) -> tuple[float, float]:
        numbers = [curve.scores - curve.errors, curve.scores + curve.errors]
        numbers += [np.array([level for _, level in curve.levels])]
        return fitted_range(self._unit(curve) * np.concatenate(numbers), 0.06)

    def _unit(self, curve: ScoreCurve) -> float:
        return 1.0 if curve.evidence == "target" else 100.0

    def _shown(self, curve: ScoreCurve, x: Floats) -> Floats:
        return np.log10(x) if curve.is_log else x

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint the window of stability, axes, marks, band and curve."""
        curve, frame = self._curve, self.frame(size)
        if curve is None or frame is None:
            return
        painter.setFont(plot_font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_rules(painter, frame, curve)
        self._draw_stable(painter, frame, curve)
        self._draw_axes(painter, frame, curve)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_band(painter, frame, curve)
        self._draw_levels(painter, frame, curve)
        self._draw_line(painter, frame, curve)

    def _pixels(self, frame: Frame, curve: ScoreCurve, scores: Floats) -> list[QPointF]:
        x = self._shown(curve, curve.x)
        points = np.column_stack((x, self._unit(curve) * scores))
        return [QPointF(*pair) for pair in frame.to_pixels(points).tolist()]

    def _x(self, frame: Frame, curve: ScoreCurve, value: float) -> float:
        at = np.array([[float(self._shown(curve, np.array(value))), 0.0]])
        return float(frame.to_pixels(at)[0, 0])

    def _draw_stable(self, painter: QPainter, frame: Frame, curve: ScoreCurve) -> None:
        if curve.stable is None:
            return
        right = frame.left + frame.width
        ends = [self._x(frame, curve, end) for end in curve.stable]
        first, last = (min(max(end, frame.left), right) for end in ends)
        if last - first < 1:
            return
        box = QRectF(first, frame.top, last - first, frame.height)
        color = QColor(self.theme.warning)
        color.setAlphaF(_STABLE)
        painter.fillRect(box, color)
        painter.setPen(QColor(self.theme.warning))
        for x in (first, last):
            painter.drawLine(QLineF(x, box.bottom() - 6, x, box.bottom()))
        above = QRectF(frame.left, 0, frame.width, frame.top)
        at = QPointF(box.center().x(), frame.top - 1)
        draw_text(painter, at, "stable", 0.5, 1.0, inside=above, ground=self.theme.card)

    def _draw_axes(self, painter: QPainter, frame: Frame, curve: ScoreCurve) -> None:
        right, bottom = frame.left + frame.width, frame.top + frame.height
        line = QFontMetricsF(painter.font()).height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        ticks = row_ticks(frame.y_range, frame.height)
        for value, text in zip(ticks, tick_labels(ticks), strict=True):
            y = float(frame.to_pixels(np.array([[0.0, value]]))[0, 1])
            painter.setPen(hairline(self.theme.border, painter))
            painter.drawLine(QLineF(frame.left, y, right, y))
            painter.setPen(QColor(self.theme.muted))
            draw_text(painter, QPointF(frame.left - _GAP, y), text, 1.0, 0.5)
        for x, text in self._columns(frame, curve):
            painter.setPen(hairline(self.theme.outline, painter))
            painter.drawLine(QLineF(x, bottom, x, bottom + 4))
            painter.setPen(QColor(self.theme.muted))
            draw_text(painter, QPointF(x, bottom + _GAP), text, 0.5, 0.0)
        painter.setPen(hairline(self.theme.outline, painter))
        painter.drawLine(QLineF(frame.left, bottom, right, bottom))
        painter.setPen(QColor(self.theme.text))
        below = QPointF(frame.left + frame.width / 2, bottom + _GAP + line)
        draw_text(painter, below, curve.title, 0.5, 0.0)
        unit = "R²" if curve.evidence == "target" else "%"
        draw_text(painter, QPointF(frame.left - _GAP, _GAP / 2), unit, 1.0, 0.0)

    def _columns(self, frame: Frame, curve: ScoreCurve) -> list[tuple[float, str]]:
        """Return pixels and texts of the numbers along the axis, of which none meet."""
        most = max(2, int(frame.width / (64 * type_scale())))
        low, high = frame.x_range
        if not curve.is_log:
            ticks = nice_ticks(low, high, most)
            if curve.is_whole:
                ticks = ticks[ticks == np.rint(ticks)]
            texts = tick_labels(ticks)
        else:
            ticks = _decades(low, high, most)
            texts = [readable(float(tick), DIGITS) for tick in ticks]
        return [
            (self._x(frame, curve, float(tick)), text)
            for tick, text in zip(ticks, texts, strict=True)
        ]

    def _draw_rules(self, painter: QPainter, frame: Frame, curve: ScoreCurve) -> None:
        """Mark what cheap rules say, each with its name in a line of its own."""
        line = QFontMetricsF(painter.font()).height()
        room = QRectF(frame.left, 0, frame.width + 2 * _GAP, frame.top)
        bottom = frame.top + frame.height
        # In this order no line goes through the name of another.
        ordered = sorted(curve.rules, key=lambda rule: rule[1])
        for place, (name, value) in enumerate(ordered):
            x, top = self._x(frame, curve, value), _GAP + place * line
            painter.setPen(QPen(QColor(self.theme.muted), 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(x, top + 2, x, bottom))
            painter.setPen(QColor(self.theme.muted))
            text = f"{name} {readable(value, 2)}"
            beyond = x + 4 + text_width(text, painter.font()) > room.right()
            at = QPointF(x - 4 if beyond else x + 4, top)
            across = 1.0 if beyond else 0.0
            draw_text(
                painter, at, text, across, 0.0, inside=room, ground=self.theme.card
            )

    def _draw_band(self, painter: QPainter, frame: Frame, curve: ScoreCurve) -> None:
        upper = self._pixels(frame, curve, curve.scores + curve.errors)
        lower = self._pixels(frame, curve, curve.scores - curve.errors)
        color = QColor(self.theme.accent)
        color.setAlphaF(_BAND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF(upper + lower[::-1]))

    def _draw_levels(self, painter: QPainter, frame: Frame, curve: ScoreCurve) -> None:
        """Draw what other ways score; two names that would meet share a line."""
        right, line = frame.left + frame.width, QFontMetricsF(painter.font()).height()
        said: list[tuple[float, str]] = []
        for name, score in sorted(curve.levels, key=lambda level: -level[1]):
            at = np.array([[0.0, self._unit(curve) * score]])
            y = float(frame.to_pixels(at)[0, 1])
            pen = Qt.PenStyle.DotLine if name == "linear PCA" else Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(self.theme.muted), 1.2, pen))
            painter.drawLine(QLineF(frame.left, y, right, y))
            if said and y - said[-1][0] < line:
                said[-1] = (said[-1][0], f"{said[-1][1]}, {name}")
            else:
                said.append((y, name))
        painter.setPen(QColor(self.theme.text))
        for y, text in said:
            above = y - line >= frame.top
            at_end = QPointF(right - 2, y - 1 if above else y + 1)
            draw_text(
                painter,
                at_end,
                text,
                1.0,
                1.0 if above else 0.0,
                ground=self.theme.card,
            )

    def _draw_line(self, painter: QPainter, frame: Frame, curve: ScoreCurve) -> None:
        accent = QColor(self.theme.accent)
        points = self._pixels(frame, curve, curve.scores)
        painter.setPen(QPen(accent, 1.8))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        for point in points:
            painter.drawEllipse(point, 2.4, 2.4)
        chosen = points[curve.nearest(curve.current)]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, width in ((self.theme.card, 4.0), (self.theme.warning, 2.2)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawEllipse(chosen, 6.5, 6.5)

    def sizeHint(self) -> QSize:
        return QSize(round(380 * type_scale()), round(210 * type_scale()))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(200 * type_scale()), round(120 * type_scale()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the nearest value has scored."""
        super().mouseMoveEvent(event)
        curve, frame = self._curve, self.frame(QSizeF(self.size()))
        if curve is None or frame is None:
            return
        points = self._pixels(frame, curve, curve.scores)
        away = [abs(point.x() - event.position().x()) for point in points]
        place = int(np.argmin(away))
        self.show_label(points[place], self._told(place))


def _decades(low: float, high: float, most: int) -> Floats:
    """Return powers of ten between two logarithms, or more where these are few."""
    first, last = math.floor(low), math.ceil(high)
    powers = np.arange(first, last + 1)
    for steps in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        ticks = np.array([step * 10.0**power for power in powers for step in steps])
        seen = np.log10(ticks)
        inside = ticks[(seen >= low) & (seen <= high)]
        if len(inside) <= most:
            return inside
    every = math.ceil(len(inside) / most)
    return inside[::every]
