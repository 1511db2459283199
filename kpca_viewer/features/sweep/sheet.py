"""A whole sweep on one sheet, for paper: all pictures, or a strip with the curve.

Pictures and curve are drawn as on the page and in the film; title and classes stand
around them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, sqrt
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepResult
from kpca_viewer.engine.text.remarks import strip_of
from kpca_viewer.export.compose import PrintedLegend, composed
from kpca_viewer.export.image import save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.sweep.cells import GAP, LINE, CellMarks, SweepPage, draw_cell
from kpca_viewer.features.sweep.curve import RIGHT, Curve, draw_curve, left_room
from kpca_viewer.features.sweep.text import key_text, sheet_title
from kpca_viewer.widgets.composed_picture import legend_of, paper_theme
from kpca_viewer.widgets.plots.coloring import Coloring, rare_classes
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, printed_type
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails

CURVE = 130.0
LEAST_CURVE = 60.0
NARROWEST = 28.0
"""Of a picture in a strip."""
TALLEST = 1.3
"""Height of a picture in a strip over its width, at most; the curve has the rest."""
KEY = 20.0
"""Heights of the curve, and of the line that says what the numbers are."""

SMALLEST_TYPE = 3.0
"""How many times smaller than other texts those of hundreds of pictures may be."""

LARGEST = 18_000.0
"""Pixels of a strip; beyond, its pictures become narrower."""


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
    """A sweep for the export panel; ``swept`` returns what is drawn, or None."""

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

    def size(self, cell: float) -> tuple[float, float]:
        """Return a width and a height in which pictures have about this side."""
        swept = self._swept()
        assert swept is not None
        count = len(self._shown(swept).points)
        if self._kind == "strip":
            return max(count * cell + 90, 480), cell + CURVE + 4 * LINE + KEY
        columns, rows = swept.result.sweep.shape
        if rows == 1:
            # A little wider than high, as screens and pages in landscape are.
            columns = max(1, min(columns, ceil(sqrt(1.6 * columns))))
            rows = ceil(max(count, 1) / columns)
        return columns * (cell + GAP) + 90, rows * (cell + 3 * LINE) + 40 + KEY

    @printed_type()
    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the sheet; title and classes stand around it."""
        swept = self._swept()
        if swept is None:
            return
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        result = self._shown(swept)
        page = SweepPage(result, MEASURES[swept.measure or result.sweep.measure])
        grown, key = 1.0, QSizeF(0, KEY)
        # Too many pictures are made smaller with their words, so that they have some.
        while self._kind == "grid" and grown < SMALLEST_TYPE:
            layout = page.layout(rect.size() * grown - key)
            if layout.caption and page.widest_line() <= layout.rect(0).width() + GAP:
                break
            grown += 0.1
        painter.save()
        painter.translate(rect.topLeft())
        painter.scale(1 / grown, 1 / grown)
        area = QRectF(QPointF(0, 0), rect.size() * grown)
        self._paint(painter, area, swept, page)
        painter.restore()

    def _paint(
        self, painter: QPainter, area: QRectF, swept: ShownSweep, page: SweepPage
    ) -> None:
        pictures = Thumbnails(self._theme, swept.shades)
        font = plot_font(pixels=11)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.muted))
        text = elided(key_text(page.result, page.measure), font, area.width() - 2 * GAP)
        draw_text(painter, QPointF(GAP, KEY / 2), text, 0.0)
        painter.translate(0, KEY)
        area.setHeight(area.height() - KEY)
        if self._kind == "grid":
            page.draw(painter, area.size(), pictures, self._theme)
        else:
            self._paint_strip(painter, area, page, pictures)

    def _paint_strip(
        self, painter: QPainter, area: QRectF, page: SweepPage, pictures: Thumbnails
    ) -> None:
        """Paint the curve of the measure above one row of pictures."""
        result, measure, best = page.result, page.measure, page.best
        curve = Curve.of(
            result.points,
            measure,
            best=None if best is None else result.points.index(best),
            joined=not result.sweep.axes[0].is_of_kernels,
        )
        width = (area.width() - left_room() - RIGHT) / max(len(result.points), 1)
        room = area.height() - 2 * LINE - GAP
        named = page.has_room_for_names(width)
        # Every second picture, or third, where they would vanish; words where they fit.
        step = max(1, ceil(NARROWEST / width))
        side = step * width
        each = 1 if named else max(1, ceil((page.widest_line() + GAP) / side))
        height = max(min(room - LEAST_CURVE, TALLEST * (side - 4)), 8.0)
        top = room - height
        draw_curve(painter, QRectF(0, 0, area.width(), top), curve, self._theme)
        for place, point in enumerate(result.points[step // 2 :: step]):
            cell = QRectF(left_room() + place * side + 2, top + GAP, side - 4, height)
            marks, ink = CellMarks(best=point is best), self._theme
            lines = () if place % each else page.lines(point, named=named)
            draw_cell(painter, cell, point, pictures, ink, marks, lines, each * side)

    def _shown(self, swept: ShownSweep) -> SweepResult:
        return swept.result if self._kind == "grid" else swept.result.row(swept.row)


def save_sheet(
    path: Path, kind: Literal["grid", "strip"], swept: ShownSweep, theme: Theme
) -> None:
    """Write a PNG of a size that suits the sweep, with its title and classes."""
    source = SheetSource(kind, lambda: swept)
    source.set_theme(theme)
    width, height = source.size(150.0 if kind == "grid" else 110.0)
    spec = ImageSpec("png", min(width, LARGEST), height + 60, "px", 96, "theme")
    shades, legend = swept.shades, PrintedLegend()
    if shades.kind == "class" and shades.codes is not None:
        others = rare_classes(shades.codes)
        colors = Coloring("class", shades.codes, shades.names, others=others)
        theme = paper_theme(theme, colors)
        source.set_theme(theme)
        legend = legend_of(colors, theme)
    composition = composed(
        spec,
        lambda painter, rect: source.render_to(painter, rect, background=False),
        title=source.title(),
        warning=source.warning(),
        legend=legend,
        ink=QColor(theme.text),
        muted=QColor(theme.muted),
        paper=QColor(theme.card),
    )
    save_image(path, spec, composition.paint)
