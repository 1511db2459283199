"""Our icons: one set of lines on a 20 × 20 grid, coloured by the theme."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kpca_viewer.resources import asset
from kpca_viewer.widgets.theme import Theme

INK = "#7A838E"
"""The colour in the files: a grey that can be seen on both themes, which is what style
sheets get (they cannot recolour); `icon` replaces it."""

SIZES = (16, 20, 24, 32)
DISABLED_OPACITY = 0.35


def icon(name: str, theme: Theme, color: str = "") -> QIcon:
    """Return an icon of ``assets/icons``, by default in the colour of the text."""
    # Pixmaps for the ratios of the screens present: a QIconEngine written in Python
    # would be sharp everywhere, but PySide 6.11 crashes when Qt clones it.
    ratios = {screen.devicePixelRatio() for screen in QGuiApplication.screens()}
    return _icon(name, color or theme.text, tuple(sorted(ratios | {1.0, 2.0})))


def pixmap(name: str, color: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Return an icon drawn for one size in logical pixels and one device ratio."""
    return _rendered(_renderer(name, color), size, ratio)


def app_icon() -> QIcon:
    return QIcon(str(asset("icon.svg")))


@cache
def _icon(name: str, color: str, ratios: tuple[float, ...]) -> QIcon:
    renderer = _renderer(name, color)
    result = QIcon()
    for size in SIZES:
        for ratio in ratios:
            drawn = _rendered(renderer, size, ratio)
            result.addPixmap(drawn, QIcon.Mode.Normal)
            result.addPixmap(_faint(drawn), QIcon.Mode.Disabled)
    return result


def _renderer(name: str, color: str) -> QSvgRenderer:
    source = asset("icons", f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(source.replace(INK, color).encode()))


def _rendered(renderer: QSvgRenderer, size: int, ratio: float) -> QPixmap:
    side = round(size * ratio)
    result = QPixmap(QSize(side, side))
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    result.setDevicePixelRatio(ratio)
    return result


def _faint(drawn: QPixmap) -> QPixmap:
    """Return a picture as it is shown of what is disabled."""
    result = QPixmap(drawn.size())
    result.setDevicePixelRatio(drawn.devicePixelRatio())
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    painter.setOpacity(DISABLED_OPACITY)
    painter.drawPixmap(0, 0, drawn)
    painter.end()
    return result
