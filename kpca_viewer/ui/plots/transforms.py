"""A transform of Qt as numbers."""

import numpy as np
from PySide6.QtGui import QTransform

from kpca_viewer.ui.plots.frame import Floats


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
