"""Gestures and pictures for the tests of plots."""

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest

from kpca_viewer.widgets.plots.scatter_view import ScatterView

LEFT, RIGHT, MIDDLE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)
NO_KEY = Qt.KeyboardModifier.NoModifier


def shown_view(qtbot, points, names=None, size=(500, 400)) -> ScatterView:
    """Return a view of points on the (virtual) screen."""
    view = ScatterView()
    qtbot.addWidget(view)
    view.resize(*size)
    points = np.asarray(points, dtype=float)
    view.set_points(points, names or ["x", "y", "z"][: points.shape[1]])
    with qtbot.waitExposed(view):
        view.show()
    return view


def pixel_of(view: ScatterView, row: int) -> QPoint:
    """Return where a point is on the screen."""
    return QPointF(*view.pixels()[row]).toPoint()


def pixel_at(view: ScatterView, x: float, y: float) -> QPoint:
    """Return where data coordinates are on the screen."""
    return QPointF(*view.area.frame.to_pixels(np.array([[x, y]]))[0]).toPoint()


def drag(view: ScatterView, path, button=LEFT, keys=NO_KEY, *, release=True) -> None:
    """Press, move along pixels, release."""
    target = view.canvas.viewport()
    points = [point if isinstance(point, QPoint) else QPoint(*point) for point in path]
    QTest.mousePress(target, button, keys, points[0])
    for point in points[1:]:
        QTest.mouseMove(target, point)
    if release:
        QTest.mouseRelease(target, button, keys, points[-1])


def click(view: ScatterView, at: QPoint, button=LEFT, keys=NO_KEY) -> None:
    QTest.mouseClick(view.canvas.viewport(), button, keys, at)


def picture(view: ScatterView, scale: float = 1.0) -> QImage:
    """Return what an export paints, at a multiple of the view's size."""
    width, height = round(view.width() * scale), round(view.height() * scale)
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, width, height))
    painter.end()
    return image


def rgb(image: QImage, at: QPoint) -> np.ndarray:
    color = image.pixelColor(at)
    return np.array([color.red(), color.green(), color.blue()])


def blended(color: str, card: str, opacity: float) -> np.ndarray:
    """Return a colour at some opacity over the card."""
    top, below = (
        np.array([QColor(c).red(), QColor(c).green(), QColor(c).blue()])
        for c in (color, card)
    )
    return opacity * top + (1 - opacity) * below
