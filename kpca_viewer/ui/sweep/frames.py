"""Frames of a film: what playing a sweep shows, as pictures for a file."""

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.session.sweep_measures import MEASURES
from kpca_viewer.session.sweep_point import SweepResult
from kpca_viewer.ui.plots.text import draw_text, plot_font
from kpca_viewer.ui.sweep.curve import Curve, draw_curve
from kpca_viewer.ui.sweep.reel import Reel
from kpca_viewer.ui.sweep.thumbnails import Shades, Thumbnails
from kpca_viewer.ui.theme import LIGHT, Theme

HEADER = 30
CURVE = 70


def film_frames(
    result: SweepResult,
    measure: str = "",
    size: QSize | None = None,
    theme: Theme = LIGHT,
    shades: Shades | None = None,
    between: int = 3,
) -> Iterator[QImage]:
    """Draw the frames of a film, from the first value to the last.

    Parameters
    ----------
    result : SweepResult
        Of a grid, its first row.
    measure : str
        Of the curve below the picture.
    size : QSize, optional
    theme : Theme
    shades : Shades, optional
    between : int
        Frames from one value to the next; more make it smoother and larger.
    """
    size = size or QSize(480, 480)
    reel = Reel.of(result)
    described = MEASURES[measure or result.sweep.measure]
    thumbnails = Thumbnails(theme, shades)
    values, best = reel.curve(described.key), reel.best(described.key)
    steps = max(reel.count - 1, 0) * between
    for step in range(steps + 1):
        position = step / between
        point = reel.between(position)
        if point is None:
            continue
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.card))
        painter = QPainter(image)
        room = QSize(size.width(), size.height() - HEADER - CURVE)
        painter.drawImage(QPointF(0, HEADER), thumbnails.image(point, room))
        painter.setFont(plot_font(bold=True, pixels=14))
        painter.setPen(QColor(theme.text))
        value = described.text(point.measures.get(described.key))
        title = f"{reel.text(point)}   {described.title} {value}"
        draw_text(painter, QPointF(12, HEADER / 2), title, 0.0)
        area = QRectF(0, size.height() - CURVE, size.width(), CURVE - 6)
        draw_curve(painter, area, Curve(described, values, position, None, best), theme)
        painter.end()
        yield image
