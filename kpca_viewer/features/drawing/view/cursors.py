"""What the mouse looks like while it draws: unlike the one that selects."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QCursor, QPainter, QPen, QPixmap

from kpca_viewer.features.drawing.view.strokes import BRUSH, ERASER
from kpca_viewer.widgets.icons import pixmap
from kpca_viewer.widgets.theme import Theme

_SIZE = 22
_TIP = (4, 18)
"""Where the point of the pencil is in its picture."""


def cursor_of(tool: str, theme: Theme, ratio: float = 1.0) -> QCursor:
    """Return the cursor of "pencil", "brush" or "eraser"."""
    if tool == "pencil":
        return QCursor(pixmap("pencil", theme.text, _SIZE, ratio), *_TIP)
    radius = BRUSH if tool == "brush" else ERASER
    side = round(2 * radius) + 4
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    dashed = Qt.PenStyle.DotLine if tool == "brush" else Qt.PenStyle.SolidLine
    middle = QPointF(side / 2, side / 2)
    for color, width in ((theme.card, 3.0), (theme.text, 1.4)):
        # A rim of the other brightness is seen on any point.
        painter.setPen(QPen(QColor(color), width, dashed))
        painter.drawEllipse(middle, radius, radius)
    painter.end()
    return QCursor(picture, side // 2, side // 2)
