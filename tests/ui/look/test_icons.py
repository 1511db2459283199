"""Every icon can be drawn, in the colour of the theme, sharp on every screen."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtSvg import QSvgRenderer

import kpca_viewer
from kpca_viewer.features.sweep.text import BAR_BUTTONS
from kpca_viewer.resources import asset
from kpca_viewer.widgets.controls.message_bar import Severity
from kpca_viewer.widgets.icons import INK, app_icon, icon, pixmap
from kpca_viewer.widgets.style import style_sheet
from kpca_viewer.widgets.theme import DARK, LIGHT
from kpca_viewer.window.feature import all_actions

NAMES = sorted(path.stem for path in asset("icons").glob("*.svg"))
DRAWING = {"IconButton": 0, "set_icon": 0, "icon": 0, "pixmap": 0, "icon_button": 1}
"""What is called with the name of an icon, and at which place."""


def colors_of(image):
    """Every colour of the opaque pixels."""
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def named_in_code() -> set[str]:
    """Return the names of icons that are written where something draws them."""
    found = set()
    calls = re.compile(rf"\b({'|'.join(DRAWING)})\(")
    for path in Path(kpca_viewer.__path__[0]).rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if not calls.search(source):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called in DRAWING:
                    place = DRAWING[called]
                    inside = (
                        n for a in node.args[place : place + 1] for n in ast.walk(a)
                    )
                    found |= {n.value for n in inside if isinstance(n, ast.Constant)}
    return found


@pytest.mark.journey
def test_every_icon_is_used_and_every_used_one_is_there(qapp):
    in_menus = {row.icon for _, row in all_actions()} - {""}
    in_sheet = set(re.findall(r":(\w+)\.svg", style_sheet(LIGHT)))
    in_bar = {name for name, _ in BAR_BUTTONS.values()}
    used = named_in_code() | in_menus | in_bar | in_sheet | set(get_args(Severity))
    assert sorted(used) == NAMES


def test_one_style():
    for name in NAMES:
        source = asset("icons", f"{name}.svg").read_text()
        assert 'viewBox="0 0 20 20"' in source, name
        assert 'stroke-width="1.6"' in source, name
        assert set(re.findall("#[0-9A-Fa-f]{6}", source)) == {INK}, name
        assert QSvgRenderer(source.encode()).isValid(), name


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ["play", "warning"])
def test_colour_of_the_theme(qapp, name, theme):
    image = icon(name, theme).pixmap(QSize(32, 32), 2.0).toImage()
    assert colors_of(image) == {theme.text}


def test_colour_of_choice(qapp):
    image = icon("play", LIGHT, LIGHT.error).pixmap(QSize(20, 20), 1.0).toImage()
    assert colors_of(image) == {LIGHT.error}


@pytest.mark.parametrize(("size", "ratio"), [(16, 2.0), (20, 1.0), (32, 2.0)])
def test_a_pixel_of_its_own_for_every_pixel_of_the_screen(qapp, size, ratio):
    drawn = icon("open", LIGHT).pixmap(QSize(size, size), ratio)
    assert drawn.size() == QSize(size, size) * ratio
    assert drawn.devicePixelRatio() == ratio
    assert drawn.toImage() == pixmap("open", LIGHT.text, size, ratio).toImage()


def test_disabled_is_fainter(qapp):
    shown = icon("play", LIGHT)
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
