"""Frames of a film: what playing a sweep shows, as pictures for a file."""

from collections.abc import Sequence
from typing import overload

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.engine.pitfalls import strip_of
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepResult
from kpca_viewer.features.sweep.curve import Curve, draw_curve
from kpca_viewer.features.sweep.film import Reel
from kpca_viewer.features.sweep.view.strip.curve_context import CurveContext
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, printed_type
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails

HEADER = 30
CURVE = 70


class FilmFrames(Sequence[QImage]):
    """The frames of a film, each drawn when it is asked for.

    Parameters
    ----------
    measure : str
        Of the curve below the picture.
    between : int
        Frames from one value to the next; more make it smoother and larger.
    row : int
        Of a grid.
    """

    def __init__(
        self,
        result: SweepResult,
        measure: str = "",
        size: QSize | None = None,
        theme: Theme = LIGHT,
        shades: Shades | None = None,
        between: int = 3,
        row: int = 0,
    ) -> None:
        self._size = size or QSize(480, 480)
        self._theme = theme
        self._reel = Reel.of(result)
        self._reel.row = row
        self._warning = strip_of(result.base.analysis)
        self._measure = MEASURES[measure or result.sweep.measure]
        self._thumbnails = Thumbnails(theme, shades)
        self._values = self._reel.curve(self._measure.key)
        self._best = self._reel.best(self._measure.key)
        self._context = CurveContext.of(self._reel.shown(), self._measure)
        steps = range(max(self._reel.count - 1, 0) * between + 1)
        # Without a single picture there is nothing to show between.
        there = self._reel.nearest(0) is not None
        self._positions = [step / between for step in steps] if there else []

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, number: int) -> QImage: ...

    @overload
    def __getitem__(self, number: slice) -> list[QImage]: ...

    def __getitem__(self, number: int | slice) -> QImage | list[QImage]:
        if isinstance(number, slice):
            return [self._drawn(place) for place in self._positions[number]]
        return self._drawn(self._positions[number])

    @printed_type()
    def _drawn(self, position: float) -> QImage:
        size, theme, measure = self._size, self._theme, self._measure
        point = self._reel.between(position)
        assert point is not None
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.card))
        painter = QPainter(image)
        room = QSize(size.width(), size.height() - HEADER - CURVE)
        painter.drawImage(QPointF(0, HEADER), self._thumbnails.image(point, room))
        font = plot_font(bold=True, pixels=14)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        value = measure.text(point.measures.get(measure.key))
        title = f"{self._reel.text(point)} · {measure.title} {value}"
        if self._warning:
            title = f"{self._warning} · {title}"
        title = elided(title, font, size.width() - 24)
        draw_text(painter, QPointF(12, HEADER / 2), title, 0.0)
        area = QRectF(0, size.height() - CURVE, size.width(), CURVE - 6)
        curve = Curve(
            measure,
            self._values,
            position,
            best=self._best,
            joined=not self._reel.sweep.axes[0].is_of_kernels,
            context=self._context,
        )
        draw_curve(painter, area, curve, theme)
        painter.end()
        return image
