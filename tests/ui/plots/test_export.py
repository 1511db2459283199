import re
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from kpca_viewer.widgets.plots import point_cloud
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.plots.underlay import (
    contours,
    fill_bands,
    fill_image,
    image_rect,
)
from kpca_viewer.widgets.theme import LIGHT
from tests.ui.plots.helpers import picture, pixel_at, rgb, shown_view

POINTS = np.random.default_rng(0).uniform(size=(40, 2))


def unshown_view(qtbot, points, names) -> ScatterView:
    """Return a view that was never on a screen."""
    view = ScatterView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.set_points(points, names)
    return view


def svg_of(view: ScatterView) -> str:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(500, 400))
    generator.setViewBox(QRectF(0, 0, 500, 400))
    painter = QPainter(generator)
    view.render_to(painter, QRectF(0, 0, 500, 400))
    painter.end()
    return bytes(data).decode()


@pytest.mark.parametrize("columns", [2, 3])
def test_svg_holds_one_circle_per_point_and_no_bitmap(qtbot, columns):
    points = np.random.default_rng(0).uniform(size=(40, columns))
    view = unshown_view(qtbot, points, ["first", "second", "third"][:columns])
    view.set_colors(np.zeros(40, dtype=int))
    svg = svg_of(view)
    assert len(re.findall(r"<(circle|ellipse)\b", svg)) == 40
    assert "<image" not in svg
    assert "second" in svg


def test_svg_of_other_shapes_holds_paths_in_their_colours(qtbot):
    view = unshown_view(qtbot, POINTS, ["x", "y"])
    view.set_colors(np.ones(40, dtype=int), shapes=np.arange(40) // 30)
    svg = svg_of(view)
    assert len(re.findall(r"<(circle|ellipse)\b", svg)) == 30
    assert svg.count("<path") >= 10
    assert LIGHT.class_colors[1].lower() in svg.lower()
    assert "<image" not in svg


def test_svg_leaves_out_what_the_view_does_not_show(qtbot):
    view = unshown_view(qtbot, POINTS, ["x", "y"])
    view.set_view_range((0.0, 0.5), (0.0, 0.5))
    view.set_hidden(np.arange(40) < 20)
    visible = (POINTS <= 0.5).all(axis=1) & (np.arange(40) >= 20)
    assert len(re.findall(r"<(circle|ellipse)\b", svg_of(view))) == visible.sum() > 0


def test_names_are_written_as_plain_text(qtbot):
    svg = svg_of(unshown_view(qtbot, POINTS, ["<b>bold</b>", "a & b"]))
    assert "&lt;b&gt;bold&lt;/b&gt;" in svg
    assert "a &amp; b" in svg


def test_hover_is_left_out(qtbot):
    view = unshown_view(qtbot, POINTS, ["x", "y"])
    plain = svg_of(view)
    view.set_hovered(3)
    assert svg_of(view) == plain
    assert view.area.cloud.hovered == 3


def test_pdf_is_vector(qtbot):
    view = unshown_view(qtbot, POINTS, ["x", "y"])
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    painter = QPainter(writer)
    view.render_to(painter, QRectF(painter.viewport()))
    painter.end()
    assert bytes(data).startswith(b"%PDF")
    assert b"/Subtype /Image" not in bytes(data)


def test_density_in_a_vector_file_is_one_bitmap(qtbot, monkeypatch):
    monkeypatch.setattr(point_cloud, "DENSITY_LIMIT", 10)
    svg = svg_of(unshown_view(qtbot, POINTS, ["x", "y"]))
    assert svg.count("<image") == 1
    assert "density of 40 points" in svg


def test_large_pictures_are_sharp_not_enlarged(qtbot):
    view = shown_view(qtbot, [[0.0, 0.0], [1.0, 1.0], [0.5, 0.5]])
    view.area.cloud.set_point_size(20.0)
    view.set_colors(np.zeros(3, dtype=int))
    small, large = picture(view), picture(view, 3.0)
    at = pixel_at(view, 0.5, 0.5)

    def edge(image, scale):
        reds = [
            rgb(image, QPoint(round(scale * at.x()) + dx, round(scale * at.y())))[0]
            for dx in range(int(16 * scale))
        ]
        return sum(70 < red < 235 for red in reds), sum(red <= 100 for red in reds)

    soft_small, solid_small = edge(small, 1)
    soft_large, solid_large = edge(large, 3)
    assert solid_large == pytest.approx(3 * solid_small, abs=3)
    assert soft_large <= soft_small + 1


def test_other_proportions_are_laid_out_anew(qtbot):
    view = shown_view(qtbot, POINTS)
    before = view.area.frame
    image = QImage(900, 300, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 900, 300))
    painter.end()
    # The grid reaches far to the right, where a stretched or centred copy would not.
    right = [rgb(image, QPoint(x, 150)).tolist() for x in range(700, 880)]
    assert any(color != [255, 255, 255] for color in right)
    assert view.area.frame == before


def test_background_can_be_left_out(qtbot):
    view = unshown_view(qtbot, POINTS, ["x", "y"])
    image = QImage(500, 400, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 500, 400), background=False)
    painter.end()
    assert image.pixelColor(2, 2).alpha() == 0


def with_field(view: ScatterView) -> None:
    """Put a field with one upright line at x = 0.5 under the points."""
    x = np.linspace(0, 1, 12)
    field = np.tile(x - 0.5, (12, 1))
    view.area.underlay.set_isolines(contours(field, x, x, [0.0]))
    view.area.underlay.set_image(
        fill_image(field, LIGHT),
        image_rect(x, x),
        partial(fill_bands, field, x, x, LIGHT),
    )


def test_the_field_under_the_points_is_shapes_in_a_vector_file(qtbot):
    view = unshown_view(qtbot, POINTS, ["x", "y"])
    plain = svg_of(view).count("<path")
    with_field(view)
    svg = svg_of(view)
    assert "<image" not in svg
    # Nine bands of each sign and the line itself.
    assert svg.count("<path") == plain + 19


@pytest.mark.parametrize("scale", [1.0, 3.0, 6.0])
def test_lines_are_as_wide_in_print_as_on_the_screen(qtbot, scale):
    view = shown_view(qtbot, [[0.0, 0.0], [1.0, 1.0]])
    x = np.linspace(0, 1, 12)
    # Upright, and between two lines of the grid.
    view.area.underlay.set_isolines(contours(np.tile(x - 0.47, (12, 1)), x, x, [0.0]))
    image = picture(view, scale)
    at = pixel_at(view, 0.47, 0.33)
    y = round(scale * at.y())
    middle = round(scale * at.x())
    reach = range(middle - int(8 * scale), middle + int(8 * scale))
    ink = [255 - rgb(image, QPoint(x, y))[0] for x in reach]
    darkest = 0.45 * (255 - QColor(LIGHT.muted).red())
    # How much ink there is across the line says how wide it is, wherever it stands.
    assert sum(ink) / darkest == pytest.approx(1.6 * scale, rel=0.25)
