"""SheetSource: a sweep among the pictures of the export panel, in any size."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kpca_viewer.engine.pitfalls import strip_of
from kpca_viewer.engine.sweep.point import SweepResult
from kpca_viewer.features.sweep.sheet import Sheet, sheet_title
from kpca_viewer.widgets.plots.text import printed_type
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades

CELL = 84.0
"""In less room than this for each picture, the whole sheet is made smaller: values
and measures are then still there in full."""


@dataclass(frozen=True, eq=False)
class Swept:
    """What there is to draw."""

    result: SweepResult
    measure: str
    shades: Shades
    name: str
    """Of the data."""
    row: int = 0
    """Of a grid, for the strip."""


class SheetSource:
    """Draws the pictures of a sweep, as they are when a picture is made.

    Parameters
    ----------
    kind : {"grid", "strip"}
    swept : callable
        Returns the sweep of now; None without one.
    """

    def __init__(
        self, kind: Literal["grid", "strip"], swept: Callable[[], Swept | None]
    ) -> None:
        self._kind = kind
        self._swept = swept
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    def title(self) -> str:
        """Return what is swept: data, kernel, parameters and how many values."""
        swept = self._swept()
        return "" if swept is None else sheet_title(self._shown(swept), swept.name)

    def caption(self) -> str:
        """Return nothing: that of the board is about a single value."""
        return ""

    def warning(self) -> str:
        """Return which steps all of its values have forgotten."""
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

    def _shown(self, swept: Swept) -> SweepResult:
        return swept.result if self._kind == "grid" else swept.result.row(swept.row)
