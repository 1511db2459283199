"""A whole sweep on one sheet: small multiples with their values, for paper.

Pictures and curve are drawn as in gallery and film; here is where they stand.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.parameters import value_text
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.text.remarks import strip_of
from kpca_viewer.features.sweep.curve import Curve, CurveContext, draw_curve
from kpca_viewer.features.sweep.page_layout import (
    CAPTION,
    GRID_CAPTION,
    PictureCell,
    draw_cell,
    edge_texts,
    margin_for,
)
from kpca_viewer.features.sweep.text import absent_text, key_text, sheet_title
from kpca_viewer.widgets.plots.sprites import Palette, point_brush, shape_path
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    printed_type,
    text_width,
)
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails

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

    Only those whose codes are ``drawn``: others have no rows.
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


_GAP = 8.0
_KEY = 20.0
"""The line that says what numbers and colours mean."""


class Sheet:
    """Draws the grid of a sweep, or its strip: one row below the curve."""

    def __init__(
        self,
        result: SweepResult,
        measure: str = "",
        theme: Theme = LIGHT,
        shades: Shades | None = None,
        title: str = "",
    ) -> None:
        self._result = result
        self._measure = MEASURES[measure or result.sweep.measure]
        self._theme = theme
        self._thumbnails = Thumbnails(theme, shades)
        self._shades = shades or Shades()
        self._title = title
        self._best = result.best(self._measure.key)

    def grid_size(self, cell: float = 150.0) -> tuple[float, float]:
        columns, rows = self._columns_and_rows()
        left, top = self._edges()
        width = left + columns * (cell + _GAP) + 3 * _GAP
        height = top + rows * (cell + self._caption() + _GAP) + 3 * _GAP
        return width, height + self._header()

    def strip_size(self, cell: float = 110.0) -> tuple[float, float]:
        count = len(self._result.points)
        return max(count * cell + 90, 480), cell + CAPTION + 150 + self._header()

    def paint_grid(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint all pictures in rows; two parameters have theirs across and up."""
        painter.save()
        area = self._painted_header(painter, rect, background)
        columns, rows = self._columns_and_rows()
        left, top = self._edges()
        area.adjust(left, top, 0, 0)
        width = (area.width() - _GAP) / columns - _GAP
        height = (area.height() - _GAP) / rows - _GAP

        def cell(row: int, column: int) -> QRectF:
            return QRectF(
                area.left() + _GAP + column * (width + _GAP),
                area.top() + _GAP + row * (height + _GAP),
                width,
                height,
            )

        for place, point in enumerate(self._result.points):
            row, column = divmod(place, columns)
            if self._is_grid:
                # The second parameter grows upwards, as in every plot.
                column, row = self._result.sweep.cell(point.index)
                row = rows - 1 - row
            self._paint_cell(painter, cell(row, column), point, self._caption())
        if self._is_grid:
            self._paint_edges(painter, cell, left)
        painter.restore()

    def _paint_edges(
        self, painter: QPainter, cell: Callable[[int, int], QRectF], left: float
    ) -> None:
        font = plot_font(pixels=12, bold=True)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text))
        across, up = edge_texts(self._result.sweep)
        for column, text in enumerate(across):
            rect = cell(0, column)
            at = QPointF(rect.center().x(), rect.top() - 10)
            draw_text(painter, at, elided(text, font, rect.width()))
        for row, text in enumerate(reversed(up)):
            rect = cell(row, 0).adjusted(0, 0, 0, -self._caption())
            at = QPointF(rect.left() - _GAP, rect.center().y())
            draw_text(painter, at, elided(text, font, left), 1.0)

    def paint_strip(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the curve of the measure above one row of pictures."""
        painter.save()
        area = self._painted_header(painter, rect, background)
        values = self._result.curve(self._measure.key)
        best = None if self._best is None else self._result.points.index(self._best)
        curve = QRectF(area.left(), area.top(), area.width(), 130)
        joined = not self._result.sweep.axes[0].is_of_kernels
        context = CurveContext.of(self._result.points, self._measure)
        shown = Curve(self._measure, values, best=best, joined=joined, context=context)
        draw_curve(painter, curve, shown, self._theme)
        count = max(len(values), 1)
        width = (area.width() - 70) / count
        for place, point in enumerate(self._result.points):
            left = area.left() + 58 + place * width
            cell = QRectF(
                left + 2,
                curve.bottom() + 6,
                width - 4,
                area.bottom() - curve.bottom() - 8,
            )
            self._paint_cell(painter, cell, point, CAPTION)
        painter.restore()

    @property
    def _is_grid(self) -> bool:
        return len(self._result.sweep.axes) > 1

    def _columns_and_rows(self) -> tuple[int, int]:
        columns, rows = self._result.sweep.shape
        if self._is_grid:
            return columns, rows
        # A little wider than high, as screens and pages in landscape are.
        columns = max(1, min(columns, math.ceil(math.sqrt(1.6 * columns))))
        return columns, math.ceil(max(len(self._result.points), 1) / columns)

    def _edges(self) -> tuple[float, float]:
        """Return the room for the values of a grid, on the left and above."""
        if not self._is_grid:
            return 0.0, 0.0
        return float(margin_for(edge_texts(self._result.sweep)[1])) + 8, 14.0

    def _caption(self) -> float:
        """Return the room below a picture; a grid has its values at its edges."""
        return GRID_CAPTION if self._is_grid else CAPTION

    def _header(self) -> float:
        return (28.0 if self._title else 0.0) + _KEY

    def _painted_header(
        self, painter: QPainter, rect: QRectF, background: bool
    ) -> QRectF:
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        area = rect.adjusted(_GAP, _GAP, -_GAP, -_GAP)
        if self._title:
            font = plot_font(bold=True, pixels=14)
            painter.setFont(font)
            painter.setPen(QColor(self._theme.text))
            text = elided(self._title, font, area.width() - 2 * _GAP)
            at = QPointF(area.left() + _GAP, area.top() + 10)
            draw_text(painter, at, text, 0.0)
            area.setTop(area.top() + 24)
        self._paint_key(painter, QRectF(area.left(), area.top(), area.width(), _KEY))
        area.setTop(area.top() + _KEY)
        return area

    def _paint_key(self, painter: QPainter, line: QRectF) -> None:
        """Paint what the numbers below the pictures are, and what the colours mean."""
        font = plot_font(pixels=11)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.muted))
        line.adjust(_GAP, 0, -_GAP, 0)
        text = elided(key_text(self._result, self._measure), font, line.width())
        draw_text(painter, QPointF(line.left(), line.center().y()), text, 0.0)
        if self._shades.names:
            line.setLeft(line.left() + text_width(text, font) + 20)
            names, drawn = self._shades.names, self._shades.drawn
            draw_class_line(painter, line, names, drawn, self._theme)

    def _paint_cell(
        self, painter: QPainter, cell: QRectF, point: SweepPoint, caption: float
    ) -> None:
        value = self._measure.text(point.measures.get(self._measure.key))
        if point.error:
            value = absent_text(point) or "failed"
        first = (self._value_text(point, cell.width()),) if caption >= CAPTION else ()
        drawn = PictureCell(
            cell.adjusted(0, 0, 0, -caption),
            None if point.error else partial(self._thumbnails.draw, point=point),
            (*first, value),
            failed=point.failed,
            absent=not point.applies,
            best=point is self._best,
        )
        draw_cell(painter, drawn, self._theme)

    def _value_text(self, point: SweepPoint, width: float) -> str:
        full = self._result.text(point)
        axes = self._result.sweep.axes
        if len(axes) == 1 and (width >= 84 or axes[0].is_of_kernels):
            return full
        # In narrow cells the name is the same everywhere, the number is not.
        return value_text(axes[0].parameter, point.value)


CELL = 84.0
"""In less room than this for each picture, the whole sheet is made smaller: values
and measures are then still there in full."""


@dataclass(frozen=True, eq=False)
class ShownSweep:
    """A sweep as it is shown."""

    result: SweepResult
    measure: str = ""
    """By default that of the sweep."""
    shades: Shades = field(default_factory=Shades)
    name: str = "data"
    """Of the data."""
    row: int = 0
    """Of a grid, for a strip or a film."""


class SheetSource:
    """A sweep among the pictures of the export panel, in any size.

    ``swept`` returns what is drawn when a picture is made; None without a sweep.
    """

    def __init__(
        self, kind: Literal["grid", "strip"], swept: Callable[[], ShownSweep | None]
    ) -> None:
        self._kind = kind
        self._swept = swept
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    def title(self) -> str:
        swept = self._swept()
        return "" if swept is None else sheet_title(self._shown(swept), swept.name)

    def caption(self) -> str:
        return ""

    def warning(self) -> str:
        swept = self._swept()
        return "" if swept is None else strip_of(swept.result.base.analysis)

    @printed_type()
    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the sheet; title and classes stand around it."""
        swept = self._swept()
        if swept is None:
            return
        shades = replace(swept.shades, names=())
        sheet = Sheet(self._shown(swept), swept.measure, self._theme, shades)
        is_grid = self._kind == "grid"
        width, height = (sheet.grid_size if is_grid else sheet.strip_size)(CELL)
        grown = max(width / rect.width(), height / rect.height(), 1.0)
        painter.save()
        painter.translate(rect.topLeft())
        painter.scale(1 / grown, 1 / grown)
        whole = QRectF(0, 0, rect.width() * grown, rect.height() * grown)
        paint = sheet.paint_grid if is_grid else sheet.paint_strip
        paint(painter, whole, background=background)
        painter.restore()

    def _shown(self, swept: ShownSweep) -> SweepResult:
        return swept.result if self._kind == "grid" else swept.result.row(swept.row)
