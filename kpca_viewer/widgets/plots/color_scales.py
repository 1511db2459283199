"""Colours of numbers: diverging around zero, or a scale from low to high."""

from functools import lru_cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from kpca_viewer.widgets.theme import Theme

Bytes = NDArray[np.uint8]

# Blue and vermillion can be told apart by everyone. The ends are dark on white and
# bright on dark: strength is always distance from the card, which stands for zero.
_NEGATIVE = {"light": ("#5AA6D8", "#08437A"), "dark": ("#2C78B8", "#A6D8FF")}
_POSITIVE = {"light": ("#F0975E", "#8F3300"), "dark": ("#BF5A1B", "#FFC79F")}

STEPS = 256
"""Colours on each side of zero, and of a scale."""


@lru_cache(maxsize=4)
def diverging(theme: Theme) -> Bytes:
    """Return ``2 · STEPS − 1`` colours (c, 3); zero, in the middle, is the card."""
    low, high = (
        _ramp((theme.card, *ends[theme.name])) for ends in (_NEGATIVE, _POSITIVE)
    )
    return _frozen(np.concatenate([low[:0:-1], high]))


@lru_cache(maxsize=1)
def sequential() -> Bytes:
    """Return the ``STEPS`` colours (c, 3) of numbers that have no sign."""
    table = pg.colormap.get("viridis").getLookupTable(nPts=STEPS)
    return _frozen(table[:, :3].astype(np.uint8))


def diverging_index(values: NDArray[np.float64], largest: float) -> NDArray[np.intp]:
    """Return the colour of every value, with ``±largest`` at the ends."""
    share = values / largest if largest > 0 else np.zeros_like(values)
    share = np.clip(np.nan_to_num(share), -1.0, 1.0)
    return np.rint((STEPS - 1) * (1 + share)).astype(np.intp)


def sequential_index(
    values: NDArray[np.float64], low: float, high: float
) -> NDArray[np.intp]:
    """Return the colour of every value, from ``low`` to ``high``."""
    extent = high - low
    share = (values - low) / extent if extent > 0 else np.ones_like(values)
    share = np.clip(np.nan_to_num(share), 0.0, 1.0)
    return np.rint((STEPS - 1) * share).astype(np.intp)


def _ramp(stops: tuple[str, ...]) -> NDArray[np.float64]:
    rgb = np.array([QColor(stop).getRgb()[:3] for stop in stops], dtype=np.float64)  # type: ignore[index]
    at = np.linspace(0.0, len(stops) - 1.0, STEPS)
    nodes = np.arange(len(stops))
    return np.column_stack([np.interp(at, nodes, channel) for channel in rgb.T])


def _frozen(colors: NDArray[np.float64] | Bytes) -> Bytes:
    result = np.rint(colors).astype(np.uint8)
    result.flags.writeable = False
    return result
