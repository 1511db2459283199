"""Every icon can be drawn, in the colour of the theme, sharp on every screen."""

import re

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtSvg import QSvgRenderer

from kpca_viewer.resources import asset
from kpca_viewer.ui.look.icons import INK, app_icon, icon, pixmap
from kpca_viewer.ui.look.theme import DARK, LIGHT

NAMES = sorted(path.stem for path in asset("icons").glob("*.svg"))
EXPECTED = [
    "open",
    "save",
    "undo",
    "redo",
    "play",
    "pause",
    "stop",
    "copy",
    "export",
    "lesson",
    "controls",
    "present",
    "theme",
    "reset",
    "lasso",
    "rectangle",
    "dice",
    "pin",
    "close",
    "chevron_down",
    "bin",
    "chevron_right",
    "warning",
    "error",
    "info",
    "maximize",
    "restore",
    "camera_turn",
    "plus",
    "settings",
    "cancel",
]


def colors_of(image):
    """Every colour of the opaque pixels."""
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def test_the_set_is_complete():
    assert set(EXPECTED) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_one_style(name):
    source = asset("icons", f"{name}.svg").read_text()
    assert 'viewBox="0 0 20 20"' in source
    assert 'stroke-width="1.6"' in source
    assert set(re.findall("#[0-9A-Fa-f]{6}", source)) == {INK}
    assert QSvgRenderer(source.encode()).isValid()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ["stop", "warning"])
def test_colour_of_the_theme(qapp, name, theme):
    image = icon(name, theme).pixmap(QSize(32, 32), 2.0).toImage()
    assert colors_of(image) == {theme.text}


def test_colour_of_choice(qapp):
    image = icon("stop", LIGHT, LIGHT.error).pixmap(QSize(20, 20), 1.0).toImage()
    assert colors_of(image) == {LIGHT.error}


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("size", [16, 20, 24, 32])
def test_a_pixel_of_its_own_for_every_pixel_of_the_screen(qapp, size, ratio):
    drawn = icon("open", LIGHT).pixmap(QSize(size, size), ratio)
    assert drawn.size() == QSize(size, size) * ratio
    assert drawn.devicePixelRatio() == ratio
    assert drawn.toImage() == pixmap("open", LIGHT.text, size, ratio).toImage()


def test_disabled_is_fainter(qapp):
    shown = icon("stop", LIGHT)
    middle = [
        shown.pixmap(QSize(20, 20), 1.0, mode).toImage().pixelColor(10, 10)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    ]
    assert middle[0] == QColor(LIGHT.text)
    assert 0 < middle[1].alpha() < middle[0].alpha()


def test_unknown_icon(qapp):
    with pytest.raises(FileNotFoundError, match=r"icons/nothing.svg"):
        icon("nothing", LIGHT)


@pytest.mark.parametrize("size", [16, 32, 256])
def test_icon_of_the_application(qapp, size):
    image = app_icon().pixmap(QSize(size, size), 1.0).toImage()
    assert image.width() == size
    assert image.pixelColor(size // 2, round(0.9 * size)).alpha() == 255
