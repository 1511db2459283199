"""Pictures of a sweep in cells: on the page, in the film and on paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from kpca_viewer.engine.sweep.measures import Measure
from kpca_viewer.engine.sweep.parameters import short_text, value_text
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepAxis, axis_texts
from kpca_viewer.features.sweep.text import absent_text
from kpca_viewer.widgets.plots.coloring import sequential, sequential_index
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import draw_failure

GAP = 6.0
LINE = 15.0
"""Pixels of a line of type in the usual size."""

SMALLEST = 38.0
"""A picture that is smaller has no words below it."""

WIDEST_MARGIN = 110.0
"""Pixels for the values of the rows of a grid at most; a kernel has a long name."""

SCALE = 90.0
"""Width of the scale of colours above a map."""


class Pictures(Protocol):
    """Draws the points of a sweep: `PictureStore` on the screen, or `Thumbnails`."""

    def draw(self, painter: QPainter, rect: QRectF, point: SweepPoint) -> None: ...


@dataclass(frozen=True)
class CellMarks:
    """What is remarkable about a cell."""

    best: bool = False
    current: bool = False
    hovered: bool = False

    def draw_frame(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        color, width = theme.border, 1.0
        if self.best:
            color, width = theme.warning, 2.0
        if self.hovered:
            color, width = theme.muted, 1.5
        if self.current:
            color, width = theme.accent, 2.0
        painter.setPen(QPen(QColor(color), width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)


def draw_cell(
    painter: QPainter,
    rect: QRectF,
    point: SweepPoint | None,
    pictures: Pictures,
    theme: Theme,
    marks: CellMarks,
    lines: Sequence[str] = (),
    room: float | None = None,
) -> None:
    """Draw a picture with its frame and lines below it; None is still to come.

    Lines have the width of the picture, or another ``room``.
    """
    marks.draw_frame(painter, rect, theme)
    if point is not None and point.error:
        draw_failure(painter, rect, theme, applies=point.applies)
    elif point is not None:
        pictures.draw(painter, rect, point)
    font = plot_font(bold=marks.best or marks.current, pixels=11)
    painter.setFont(font)
    for number, text in enumerate(lines):
        last = number == len(lines) - 1
        painter.setPen(QColor(theme.muted if last else theme.text))
        y = rect.bottom() + (number + 0.5) * LINE * type_scale() + 1
        at = QPointF(rect.center().x(), y)
        draw_text(painter, at, elided(text, font, room or rect.width() + GAP))


@dataclass(frozen=True)
class PageLayout:
    """Equal cells that fill an area, the first at the top left."""

    area: QRectF
    columns: int
    rows: int
    gap: float = GAP
    caption: float = 0.0
    """Height below every picture."""

    def rect(self, place: int) -> QRectF:
        """Return the picture at a place, without what stands below it."""
        row, column = divmod(place, self.columns)
        width = (self.area.width() + self.gap) / self.columns
        height = (self.area.height() + self.gap) / self.rows
        return QRectF(
            self.area.left() + column * width,
            self.area.top() + row * height,
            max(width - self.gap, 1.0),
            max(height - self.gap - self.caption, 1.0),
        )

    def place_under(self, at: QPointF) -> int | None:
        """Return the place under a pixel, its caption included."""
        first = self.rect(0)
        column = int((at.x() - first.left()) // (first.width() + self.gap))
        height = first.height() + self.gap + self.caption
        row = int((at.y() - first.top()) // height)
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        return row * self.columns + column


@dataclass(frozen=True, eq=False)
class SweepPage:
    """All pictures of a sweep, or the map of a measure over two parameters."""

    result: SweepResult
    measure: Measure
    as_map: bool = False
    current: int | None = None
    """Index of the point that is set."""
    hovered: int | None = None
    """The place under the pointer."""

    @property
    def is_grid(self) -> bool:
        return len(self.result.sweep.axes) > 1

    @property
    def is_map(self) -> bool:
        return self.as_map and self.is_grid

    @cached_property
    def places(self) -> list[SweepPoint | None]:
        """Points from the top left on; in a grid the second parameter grows upwards."""
        columns, rows = self.result.sweep.shape
        known = {point.index: point for point in self.result.points}
        return [
            known.get(row * columns + column)
            for row in reversed(range(rows))
            for column in range(columns)
        ]

    @cached_property
    def best(self) -> SweepPoint | None:
        return self.result.best(self.measure.key)

    @cached_property
    def colors(self) -> tuple[dict[int, QColor], float, float]:
        """The colour of every point by its index, and the ends of the scale."""
        values = self.result.curve(self.measure.key)
        finite = values[np.isfinite(values)]
        low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
        places = sequential_index(values, low, high)
        colors = {
            point.index: QColor(*map(int, sequential()[place]))
            for point, value, place in zip(
                self.result.points, values, places, strict=True
            )
            if np.isfinite(value)
        }
        return colors, float(low), float(high)

    def layout(self, size: QSizeF) -> PageLayout:
        """Return where pictures stand so that all of them are seen, as large as can be.

        The values of a grid stand at its edges, those of a line below its pictures.
        """
        line = LINE * type_scale()
        columns, rows = self.result.sweep.shape
        area = QRectF(QPointF(GAP, GAP), size - QSizeF(2 * GAP, 2 * GAP))
        if self.is_grid:
            font = plot_font(pixels=11)
            widest = max(text_width(t, font) for t in axis_texts(self._axes[1]))
            area.adjust(min(widest, WIDEST_MARGIN) + GAP, line + GAP, 0, 0)
        if self.is_map:
            area.setTop(area.top() + line)
            return PageLayout(area, columns, rows, 1.0)
        caption = line if self.is_grid else 2 * line

        def side(across: int) -> float:
            down = -(-columns // across)
            return min(area.width() / across, area.height() / down - caption)

        if not self.is_grid:
            count = columns
            # Words of neighbours stand apart.
            most = int(area.width() // (self.widest_line() + GAP))
            columns = max(range(1, max(min(count, most), 1) + 1), key=side)
            if side(columns) - GAP < SMALLEST:
                columns = max(range(1, count + 1), key=side)
                rows = -(-count // columns)
                return PageLayout(area, columns, rows, 2.0)
            rows = -(-count // columns)
        fits = PageLayout(area, columns, rows, GAP, caption)
        if min(fits.rect(0).width(), fits.rect(0).height()) < SMALLEST:
            return PageLayout(area, columns, rows, 2.0)
        return fits

    @property
    def _axes(self) -> tuple[SweepAxis, ...]:
        return self.result.sweep.axes

    def point_at(self, place: int | None) -> SweepPoint | None:
        if place is None or place >= len(self.places):
            return None
        return self.places[place]

    def draw(
        self, painter: QPainter, size: QSizeF, pictures: Pictures, theme: Theme
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layout = self.layout(size)
        named = self.has_room_for_names(layout.rect(0).width())
        for place, point in enumerate(self.places):
            rect = layout.rect(place)
            marks = CellMarks(
                point is not None and point is self.best,
                point is not None and point.index == self.current,
                place == self.hovered,
            )
            if self.is_map:
                self._draw_color(painter, rect, point, theme, marks)
            else:
                lines = self.lines(point, named=named) if layout.caption else ()
                draw_cell(painter, rect, point, pictures, theme, marks, lines)
        if self.is_grid:
            self._draw_edges(painter, layout, theme)
        if self.is_map:
            self._draw_scale(painter, layout, theme)

    def has_room_for_names(self, width: float) -> bool:
        """Return whether the name of the parameter fits below every picture."""
        texts = (self.result.text(point) for point in self.result.points)
        font = plot_font(pixels=11)
        return all(text_width(text, font) <= width for text in texts)

    def widest_line(self) -> float:
        """Return the width of the words below a picture, without names."""
        points, font = self.result.points, plot_font(bold=True, pixels=11)
        lines = (line for point in points for line in self.lines(point, named=False))
        return max((text_width(line, font) for line in lines), default=0.0)

    def lines(self, point: SweepPoint | None, *, named: bool) -> tuple[str, ...]:
        """Return value and measure of a point; in a grid, values are at the edges."""
        if point is None:
            return ()
        value = self.measure.text(point.measures.get(self.measure.key))
        value = absent_text(point) or ("failed" if point.error else value)
        if self.is_grid:
            return (value,)
        if named:
            return self.result.text(point), value
        # The name is the same everywhere, the number is not.
        return value_text(self._axes[0].parameter, point.value), value

    def _draw_color(
        self,
        painter: QPainter,
        rect: QRectF,
        point: SweepPoint | None,
        theme: Theme,
        marks: CellMarks,
    ) -> None:
        color = None if point is None else self.colors[0].get(point.index)
        if color is not None and point is not None:
            painter.fillRect(rect, color)
            text = self.measure.text(point.measures.get(self.measure.key))
            painter.setFont(plot_font(pixels=11))
            if text_width(text, painter.font()) + 4 <= rect.width():
                dark = color.lightness() > 110
                painter.setPen(QColor("#14161A" if dark else "#FFFFFF"))
                draw_text(painter, rect.center(), text)
        elif point is not None and point.error:
            draw_failure(painter, rect, theme, applies=point.applies)
        if marks.best or marks.current:
            # Light inside dark: one of them is seen on every colour of the map.
            line = "#FFFFFF" if marks.current else "#FFB000"
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for ink, width in (("#14161A", 5.0), (line, 2.0)):
                painter.setPen(QPen(QColor(ink), width))
                painter.drawRect(rect.adjusted(1, 1, -1, -1))

    def _draw_edges(self, painter: QPainter, layout: PageLayout, theme: Theme) -> None:
        """Draw the values of columns above a grid and those of rows beside it."""
        font = plot_font(pixels=11)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        first, second = self._axes
        across, up = axis_texts(first), axis_texts(second)
        room = layout.rect(0).width() + layout.gap
        if any(text_width(text, font) > room for text in across):
            across = [short_text(first.parameter, v) for v in first.values()]
        widest = max(text_width(text, font) for text in across)
        # As many as do not touch each other.
        step = max(1, int(np.ceil((widest + 8) / room)))
        line = LINE * type_scale()
        for column in range(0, len(across), step):
            rect = layout.rect(column)
            at = QPointF(rect.center().x(), rect.top() - line / 2 - 2)
            draw_text(painter, at, elided(across[column], font, step * room))
        height = layout.rect(0).height() + layout.gap + layout.caption
        step = max(1, int(np.ceil(line / height)))
        for row in range(0, len(up), step):
            rect = layout.rect((len(up) - 1 - row) * layout.columns)
            at = QPointF(rect.left() - GAP, rect.center().y())
            draw_text(painter, at, elided(up[row], font, rect.left() - GAP), 1.0)

    def _draw_scale(self, painter: QPainter, layout: PageLayout, theme: Theme) -> None:
        """Draw what the colours of a map mean, above its right end."""
        _, low, high = self.colors
        painter.setFont(plot_font(pixels=11))
        painter.setPen(QColor(theme.text))
        line, right = LINE * type_scale(), layout.area.right()
        y = layout.area.top() - 1.5 * line - GAP
        end = self.measure.text(high)
        draw_text(painter, QPointF(right, y), end, 1.0)
        right -= text_width(end, painter.font()) + GAP
        bar = QRectF(right - SCALE, y - 4, SCALE, 8)
        shades = QLinearGradient(bar.topLeft(), bar.topRight())
        for share in np.linspace(0, 1, 9):
            color = sequential()[round(share * (len(sequential()) - 1))]
            shades.setColorAt(float(share), QColor(*map(int, color)))
        painter.fillRect(bar, shades)
        start = f"{self.measure.title} {self.measure.text(low)}"
        at = QPointF(bar.left() - GAP, y)
        draw_text(painter, at, elided(start, painter.font(), at.x()), 1.0)
