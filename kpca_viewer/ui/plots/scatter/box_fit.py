"""How much of the picture plane is shown, so that a 3-D box fills its panel."""

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QMarginsF, QSizeF

from kpca_viewer.session.camera import Camera
from kpca_viewer.ui.plots.frame import Floats, Range

_ANGLES = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)
_LEAST = 0.3
"""Of the panel, the box has at least this share, however long the labels are."""


@dataclass(frozen=True)
class BoxExtent:
    """How far a box reaches from its middle while it turns around the upright axis.

    Turned, it keeps its size; seen from higher up, it changes it smoothly.
    """

    beside: float
    above: float
    below: float
    """In the picture plane, of its corners."""
    middle: float
    """Below, of the middles of its lower edges, where the names of axes stand."""

    @classmethod
    def of(cls, half_sides: Floats, camera: Camera) -> "BoxExtent":
        """Return the extent of a box (3,) at the height of a camera."""
        still = replace(camera, zoom=1.0, pan=(0.0, 0.0))
        ground, height = half_sides[:2], float(half_sides[2])
        corners = still.project(_rings(float(np.hypot(*ground)), height))[0]
        edges = still.project(_rings(float(ground.max()), height))[0]
        x, y = corners.T
        return cls(
            float(np.abs(x).max()), float(y.max()), -float(y.min()), -edges[:, 1].min()
        )


def plane_around(
    extent: BoxExtent, size: QSizeF, margins: QMarginsF, line: float
) -> tuple[Range, Range]:
    """Return the ranges of a plane that show a box as large as there is room.

    Parameters
    ----------
    size : QSizeF
        Of the panel, in pixels.
    margins : QMarginsF
        Of it, what labels need; at the bottom, below the middle of an edge.
    line : float
        What they need less below a corner.
    """
    left, right, top = margins.left(), margins.right(), margins.top()
    wide, high = size.width(), size.height()
    lower = ((extent.below, margins.bottom() - line), (extent.middle, margins.bottom()))
    scale = max(wide - left - right, _LEAST * wide) / (2 * extent.beside)
    for reach, labels in lower:
        room = max(high - top - labels, _LEAST * high)
        scale = min(scale, room / (extent.above + reach))
    used = max(scale * reach + labels for reach, labels in lower)
    spare = high - top - scale * extent.above - used
    x = -left / scale - (wide - left - right) / (2 * scale)
    y = -(used + spare / 2) / scale
    return (x, x + wide / scale), (y, y + high / scale)


def _rings(radius: float, height: float) -> Floats:
    """Return places (m, 3) around the upright axis, low and high."""
    x, y = radius * np.cos(_ANGLES), radius * np.sin(_ANGLES)
    return np.vstack(
        [np.column_stack([x, y, np.full(len(x), z)]) for z in (-height, height)]
    )
