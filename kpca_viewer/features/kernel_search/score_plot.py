"""Scores of a kernel over its value or over components, with what they stand beside."""

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter

from kpca_viewer.engine.choice_note import DIGITS
from kpca_viewer.features.kernel_search.curves import ScoreCurve
from kpca_viewer.features.kernel_search.text import STABLE, curve_text, score_at
from kpca_viewer.support.numerals import readable, tick_labels
from kpca_viewer.widgets.plots.axes import TICK, numbered, row_ticks
from kpca_viewer.widgets.plots.chart import Chart
from kpca_viewer.widgets.plots.frame import Floats, Frame, fitted_range, nice_ticks
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, plot_font, text_width, type_scale
from kpca_viewer.widgets.theme import Theme

_GAP = 5.0


class ScorePlot(PaintedPlot):
    """A curve with its error band; setters emit nothing."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._curve: ScoreCurve | None = None
        self.chart = Chart()
        self._rules = self.chart.line("muted", 1.0, dashes=(4, 2), over=True)
        # They begin above the frame, and lie behind what is inside.
        self._rules.setZValue(-0.5)
        self._stable = self.chart.band("warning", 0.12)
        self._ends = self.chart.line("warning", 1.0)
        self._band = self.chart.band("accent", 0.18)
        self._levels = {
            "guessing": self.chart.line("muted", 1.2, dashes=(4, 2)),
            "linear PCA": self.chart.line("muted", 1.2, dashes=(1, 2)),
        }
        self._line = self.chart.line("accent", 1.8)
        self._dots = self.chart.dots("accent")
        self._rings = [
            self.chart.dots("", "card", 4.0),
            self.chart.dots("", "warning", 2.2),
        ]

    @property
    def curve(self) -> ScoreCurve | None:
        return self._curve

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.chart.set_theme(theme)

    def show_curve(self, curve: ScoreCurve | None) -> None:
        self._curve = curve
        self.show_label(None)
        self.setAccessibleDescription("" if curve is None else curve_text(curve))
        self.update()

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
        return Frame(
            math.ceil(left),
            math.ceil(top),
            max(size.width() - left - 3 * _GAP, 8.0),
            max(size.height() - top - 2 * line - 2 * _GAP, 8.0),
            fitted_range(_shown(curve, curve.x), 0.04),
            (low, high),
        )

    def _extent(self, curve: ScoreCurve) -> tuple[float, float]:
        numbers = [curve.scores - curve.errors, curve.scores + curve.errors]
        numbers += [np.array([level for _, level in curve.levels])]
        return fitted_range(_unit(curve) * np.concatenate(numbers), 0.06)

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint the window of stability, axes, marks, band and curve."""
        curve, frame = self._curve, self.frame(size)
        if curve is None or frame is None:
            return
        stable, rules = (
            self._place_stable(frame, curve),
            self._place_rules(frame, curve),
        )
        levels = self._place_levels(frame, curve)
        self._place_axes(frame, size, curve)
        points = _pixels(frame, curve, curve.scores)
        upper = _pixels(frame, curve, curve.scores + curve.errors)
        self._band.set_edges(_pixels(frame, curve, curve.scores - curve.errors), upper)
        self._line.set_places(*points.T)
        self._dots.set_places(points, 2.4)
        chosen = curve.nearest(curve.current)
        for ring in self._rings:
            ring.set_places(points[chosen : chosen + 1], 6.5)
        self.chart.draw(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(plot_font())
        ground = self.theme.card
        painter.setPen(QColor(self.theme.text))
        for at, text, down in levels:
            draw_text(painter, at, text, 1.0, down, ground=ground)
        above = QRectF(frame.left, 0, frame.width + 2 * _GAP, frame.top)
        painter.setPen(QColor(self.theme.muted))
        for at, text, across in rules:
            draw_text(painter, at, text, across, 0.0, inside=above, ground=ground)
        if stable is not None:
            painter.setPen(QColor(self.theme.warning))
            within = QRectF(frame.left, 0, frame.width, frame.top)
            draw_text(painter, stable, STABLE, 0.5, 1.0, inside=within, ground=ground)
        painter.setPen(QColor(self.theme.text))
        unit = "R²" if curve.evidence == "target" else "%"
        draw_text(painter, QPointF(frame.left - _GAP, _GAP / 2), unit, 1.0, 0.0)

    def _place_axes(self, frame: Frame, size: QSizeF, curve: ScoreCurve) -> None:
        right, bottom = frame.left + frame.width, frame.top + frame.height
        columns = self._columns(frame, curve)
        ticks = [QLineF(x, bottom, x, bottom + TICK) for x, _ in columns]
        self.chart.place(
            frame,
            size,
            {
                "left": numbered(row_ticks(frame.y_range, frame.height), frame.y_pixel),
                "bottom": columns,
            },
            names=(curve.title,),
            grid=("left",),
            lines=[("outline", [*ticks, QLineF(frame.left, bottom, right, bottom)])],
        )

    def _columns(self, frame: Frame, curve: ScoreCurve) -> list[tuple[float, str]]:
        """Return pixels and texts of the numbers along the axis, of which none meet."""
        most = max(2, int(frame.width / (64 * type_scale())))
        low, high = frame.x_range
        if not curve.is_log:
            ticks = nice_ticks(low, high, most)
            if curve.is_whole:
                ticks = ticks[ticks == np.rint(ticks)]
            return numbered(ticks, frame.x_pixel)
        return [
            (_x(frame, curve, tick), readable(tick, DIGITS))
            for tick in _decades(low, high, most).tolist()
        ]

    def _place_stable(self, frame: Frame, curve: ScoreCurve) -> QPointF | None:
        """Place the window of stability; returns where its name stands."""
        right, bottom = frame.left + frame.width, frame.top + frame.height
        ends = [_x(frame, curve, end) for end in curve.stable or ()]
        inside = [min(max(end, frame.left), right) for end in ends]
        if not inside or inside[1] - inside[0] < 1:
            self._stable.set_edges(np.empty((0, 2)), np.empty((0, 2)))
            self._ends.set_places([], [])
            return None
        first, last = inside
        lower, upper = ([[first, y], [last, y]] for y in (bottom, frame.top))
        self._stable.set_edges(np.array(lower), np.array(upper))
        feet = [bottom - 6, bottom, np.nan, bottom - 6, bottom]
        self._ends.set_places([first, first, np.nan, last, last], feet)
        return QPointF((first + last) / 2, frame.top - 1)

    def _place_rules(
        self, frame: Frame, curve: ScoreCurve
    ) -> list[tuple[QPointF, str, float]]:
        """Place what cheap rules say, each with its name in a line of its own."""
        font = plot_font()
        line, bottom = QFontMetricsF(font).height(), frame.top + frame.height
        names, path = [], []
        # In this order no line goes through the name of another.
        ordered = sorted(curve.rules, key=lambda rule: rule[1])
        for place, (name, value) in enumerate(ordered):
            x, top = _x(frame, curve, value), _GAP + place * line
            path += [(x, top + 2), (x, bottom), (np.nan, np.nan)]
            text = f"{name} {readable(value, 2)}"
            room = frame.left + frame.width + 2 * _GAP
            beyond = x + 4 + text_width(text, font) > room
            names.append(
                (QPointF(x - 4 if beyond else x + 4, top), text, float(beyond))
            )
        self._rules.set_places(*np.array(path).reshape(-1, 2).T)
        return names

    def _place_levels(
        self, frame: Frame, curve: ScoreCurve
    ) -> list[tuple[QPointF, str, float]]:
        """Place what other ways score; two names that would meet share a line."""
        right, line = frame.left + frame.width, QFontMetricsF(plot_font()).height()
        for each in self._levels.values():
            each.set_places([], [])
        names: list[tuple[float, str]] = []
        for name, score in sorted(curve.levels, key=lambda level: -level[1]):
            y = frame.y_pixel(_unit(curve) * score)
            self._levels[name].set_places([frame.left, right], [y, y])
            if names and y - names[-1][0] < line:
                names[-1] = (names[-1][0], f"{names[-1][1]}, {name}")
            else:
                names.append((y, name))
        placed = []
        for y, text in names:
            # Below the line only where that is not over the numbers of the axis.
            below = y - line < frame.top and y + 1 + line <= frame.top + frame.height
            at = QPointF(right - 2, y + 1 if below else y - 1)
            placed.append((at, text, float(not below)))
        return placed

    def sizeHint(self) -> QSize:
        return QSize(round(380 * type_scale()), round(210 * type_scale()))

    def minimumSizeHint(self) -> QSize:
        """Return room for three rules, for both names of levels, and for the axis."""
        return QSize(round(200 * type_scale()), round(160 * type_scale()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        curve, frame = self._curve, self.frame(QSizeF(self.size()))
        if curve is None or frame is None:
            return
        points = _pixels(frame, curve, curve.scores)
        place = int(np.abs(points[:, 0] - event.position().x()).argmin())
        self.show_label(QPointF(*points[place]), score_at(curve, place))


def _unit(curve: ScoreCurve) -> float:
    return 1.0 if curve.evidence == "target" else 100.0


def _shown(curve: ScoreCurve, x: Floats) -> Floats:
    return np.log10(x) if curve.is_log else x


def _x(frame: Frame, curve: ScoreCurve, value: float) -> float:
    return frame.x_pixel(float(_shown(curve, np.array(value))))


def _pixels(frame: Frame, curve: ScoreCurve, scores: Floats) -> Floats:
    points = np.column_stack((_shown(curve, curve.x), _unit(curve) * scores))
    return frame.to_pixels(points)


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
