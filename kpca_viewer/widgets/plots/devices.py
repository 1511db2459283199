"""What a plot is painted on, and the transforms of its points."""

import numpy as np
from PySide6.QtGui import QPaintEngine, QPainter, QTransform

from kpca_viewer.widgets.plots.frame import Floats


def affine(transform: QTransform) -> Floats:
    """Return a transform as (3, 2): the linear part and the shift of row vectors."""
    return np.array(
        [
            [transform.m11(), transform.m12()],
            [transform.m21(), transform.m22()],
            [transform.dx(), transform.dy()],
        ]
    )


def numbers(transform: QTransform) -> tuple[float, ...]:
    """Return the six numbers of `affine`, row by row."""
    return tuple(affine(transform).ravel().tolist())


_VECTOR_ENGINES = (
    QPaintEngine.Type.SVG,
    QPaintEngine.Type.Pdf,
    QPaintEngine.Type.Picture,
)


def is_vector(painter: QPainter) -> bool:
    """Whether what is painted can be enlarged without becoming coarse."""
    return painter.paintEngine().type() in _VECTOR_ENGINES
