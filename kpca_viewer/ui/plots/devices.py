"""What a plot is painted on: pixels, or shapes that stay shapes."""

from PySide6.QtGui import QPaintEngine, QPainter

_VECTOR_ENGINES = (
    QPaintEngine.Type.SVG,
    QPaintEngine.Type.Pdf,
    QPaintEngine.Type.Picture,
)


def is_vector(painter: QPainter) -> bool:
    """Whether what is painted can be enlarged without becoming coarse."""
    return painter.paintEngine().type() in _VECTOR_ENGINES
