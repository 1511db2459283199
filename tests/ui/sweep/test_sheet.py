"""Sheets for paper, thumbnails and the curve, on bitmaps and as vectors."""

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.export.image import save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.sweep.curve import Curve, draw_curve, position_at, x_of
from kpca_viewer.features.sweep.sheet import SheetSource, ShownSweep, save_sheet
from kpca_viewer.features.sweep.text import sheet_title
from kpca_viewer.widgets.plots.coloring import coloring
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.theme import DARK, LIGHT
from kpca_viewer.widgets.thumbnails import Shades, Thumbnails


def ink(image, background=0):
    """Share of the pixels that are not background."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return float((pixels != background).mean())


def test_thumbnails_show_points_in_the_colours_of_the_plots(
    qapp, swept, analysis, settings
):
    shades = Shades.of(coloring(analysis, settings.view))
    image = Thumbnails(LIGHT, shades).image(swept.points[4], QSize(120, 90), 2.0)
    assert (image.width(), image.height()) == (240, 180)
    assert image.devicePixelRatio() == 2
    assert 0.02 < ink(image) < 0.7
    colors = {
        image.pixelColor(x, y).name().upper()
        for x in range(240)
        for y in range(180)
        if image.pixelColor(x, y).alpha() > 200
    }
    near = [QColor(c) for c in LIGHT.class_colors[:2]]
    for wanted in near:
        assert any(
            abs(QColor(c).red() - wanted.red()) + abs(QColor(c).blue() - wanted.blue())
            < 12
            for c in colors
        )


def test_other_rows_are_coloured_by_their_classes(swept):
    point = swept.points[0]
    kind, codes = Shades("continuous", np.zeros(3)).of_point(point)
    assert kind == "class"
    np.testing.assert_array_equal(codes, point.labels)
    bare = SweepPoint(0, (1.0,), swept.base, rows=np.arange(4))
    assert Shades().of_point(bare)[0] == "single"


def test_other_rows_have_a_colour_for_each_of_their_classes(qapp):
    point = SweepPoint(
        0,
        (1.0,),
        SessionSettings(),
        thumbnail=np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]]),
        rows=np.arange(3),
        labels=np.arange(3),
        n=3,
    )
    size, others = QSize(60, 60), Shades("continuous", np.linspace(0, 1, 7))
    known = Thumbnails(LIGHT, Shades("class", np.arange(3))).image(point, size)
    assert Thumbnails(LIGHT, others).image(point, size) == known


def test_pictures_of_a_sweep_keep_their_colours_beside_new_rows(analysis, settings):
    view = replace(settings.view, color_by="feature:0")
    scene = Scene().changed(settings=replace(settings, view=view), result=analysis)
    with_new = scene.changed(result=with_points(analysis, [(0.0, 0.0), (0.1, 0.2)]))
    assert len(with_new.colors.codes) == analysis.dataset.n + 2
    assert Shades.of_scene(with_new).is_like(Shades.of_scene(scene))


def test_a_point_without_picture_is_empty(qapp, swept):
    failed = SweepPoint(0, (1.0,), swept.base, error="no")
    assert ink(Thumbnails().image(failed, QSize(30, 30))) == 0


def drawn_on_paper(result, path, kind="grid", measure="", cell=90.0, theme=LIGHT):
    """Return the bytes of a sheet."""
    source = SheetSource(kind, lambda: ShownSweep(result, measure))
    source.set_theme(theme)
    spec = ImageSpec(path.suffix[1:], *source.size(cell), "px", 96, "theme")
    save_image(path, spec, source.render_to)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("kind", "ending"), [("grid", "png"), ("strip", "svg"), ("grid", "pdf")]
)
def test_sheets_in_every_format(qapp, swept, tmp_path, kind, ending):
    path = tmp_path / f"sheet.{ending}"
    content = drawn_on_paper(swept, path, kind, cell=60)
    if ending == "svg":
        assert b"<image" not in content
        assert content.count(b"<circle") + content.count(b"<path") > 9 * 80
        assert b"0.1" in content
    elif ending == "png":
        assert ink(QImage(str(path)), 0xFFFFFFFF) > 0.02


def test_a_narrow_strip_has_fewer_pictures_instead_of_specks(qapp, swept, tmp_path):
    source, shapes = SheetSource("strip", lambda: ShownSweep(swept)), []
    for width in (220, 900):
        path = tmp_path / f"{width}.svg"
        spec = ImageSpec("svg", width, 300, "px", 96, "theme")
        save_image(path, spec, source.render_to)
        shapes.append(path.read_bytes().count(b"<circle"))
    few, all_ = shapes
    assert all_ > len(swept.points) * 80
    assert 80 < few < all_ / 2


@pytest.mark.journey
def test_a_folder_has_sheets_with_title_and_classes(qapp, swept, grid, tmp_path):
    shades = Shades("class", np.arange(80) % 2, ("inner ring", "outer ring"))
    for result, kind in ((swept, "strip"), (grid, "grid")):
        plain, named = (tmp_path / f"{kind}_{i}.png" for i in range(2))
        save_sheet(plain, kind, ShownSweep(result), LIGHT)
        save_sheet(named, kind, ShownSweep(result, shades=shades), DARK)
        assert QImage(str(named)).pixelColor(1, 1) == QColor(DARK.card)
        assert QImage(str(plain)).width() >= 480


def test_failures_have_their_place_on_a_sheet(qapp, swept, tmp_path):
    failed = SweepPoint(1, swept.points[1].values, swept.base, error="Too large.")
    points = (swept.points[0], failed, *swept.points[2:])
    result = SweepResult(swept.sweep, swept.base, points)
    assert b"failed" in drawn_on_paper(result, tmp_path / "a.svg")


def test_titles_of_grids_and_of_their_rows(grid):
    assert "γ and p" in sheet_title(grid, "circles")
    assert sheet_title(grid.row(1), "circles") == (
        "circles, poly, p = 2: sweep of γ, 4 values"
    )


def test_a_sheet_says_which_steps_were_forgotten(qapp, swept):
    base = swept.base.with_normalisation(False).with_center(False)
    wrong = replace(swept, base=base)
    title = sheet_title(wrong, "circles")
    assert title.startswith("circles, rbf, not centred, 1/√μ forgotten: sweep of γ")
    shown = ShownSweep(wrong, "linear_accuracy", Shades(), "circles")
    assert SheetSource("grid", lambda: shown).warning() == (
        "Not centred · 1/√μ forgotten"
    )
    assert SheetSource("grid", lambda: None).warning() == ""


def test_a_grid_has_its_values_at_its_edges(qapp, grid, tmp_path):
    # A sweep that was stopped: what is missing leaves its place empty.
    part = replace(grid, points=grid.points[:3] + grid.points[7:])
    texts = {}
    for name, result in (("whole", grid), ("part", part)):
        texts[name] = drawn_on_paper(
            result, tmp_path / f"{name}.svg", measure="silhouette"
        ).decode()
        for text in ("γ = 0.1", "γ = 10", "p = 1", "p = 3", "Below each: Silhouette"):
            assert text in texts[name]
    places = re.compile(r'<text[^>]*y="([-\d.]+)"[^>]*>\s*p = (\d)')
    heights = {int(p): float(y) for y, p in places.findall(texts["whole"])}
    assert heights[3] < heights[2] < heights[1]


def test_positions_and_pixels():
    rect = QRectF(0, 0, 570, 50)
    for position in range(10):
        assert position_at(x_of(position, 10, rect), 10, rect) == position
    assert position_at(10, 10, rect) is None
    assert position_at(100, 0, rect) is None


def test_a_measure_that_is_not_defined_says_so(qapp):
    image = QImage(400, 60, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    nothing = Curve(MEASURES["silhouette"], np.full(5, np.nan))
    draw_curve(painter, QRectF(0, 0, 400, 60), nothing, LIGHT)
    painter.end()
    assert ink(image) > 0.005


def drawn(curve):
    image = QImage(600, 56, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw_curve(painter, QRectF(image.rect()), curve, LIGHT)
    painter.end()
    return image


def test_a_curve_is_seen_with_its_error_band_largest_class_and_linear_pca(qapp):
    measure = MEASURES["knn_accuracy"]
    held = Yardstick((0, 1), 80, 80, 0.5, {measure.key: 0.05}, {measure.key: 0.3})
    points = [
        SweepPoint(i, (float(i),), SessionSettings(), measures=given, yardstick=held)
        for i, given in enumerate(({measure.key: 0.8}, {measure.key: 0.9}, {}))
    ]
    curve = Curve.of([*points, None], measure)
    np.testing.assert_allclose(curve.values, [0.8, 0.9, np.nan, np.nan])
    np.testing.assert_allclose(curve.widths, [0.1, 0.1, 0.1, np.nan])
    assert set(curve.lines) == {"largest class", "linear PCA"}
    np.testing.assert_allclose(curve.lines["linear PCA"], [0.3, 0.3, 0.3, np.nan])
    extent = curve.extent()
    assert (np.nanmin(extent), np.nanmax(extent)) == pytest.approx((0.3, 1.0))
    bare = Curve(measure, curve.values)
    banded = replace(bare, widths=curve.widths)
    assert drawn(bare) != drawn(banded) != drawn(curve)
    # A class has no silhouette of its own.
    assert not Curve.of(points, MEASURES["silhouette"]).lines


def test_names_of_lines_stand_where_the_curve_is_not(qapp):
    """At one end the curve runs along the line of linear PCA."""
    lines = {"linear PCA": np.full(20, 0.5)}
    for values in (np.linspace(1.0, 0.55, 20), np.linspace(0.55, 1.0, 20)):
        image = drawn(Curve(MEASURES["trustworthiness"], values, lines=lines))
        # Between 3 and 11 pixels above the line, which is the lowest of all.
        bottom = image.height() - 12
        left, right = (
            sum(
                image.pixelColor(x, y).lightness() < 120
                for x in range(start, start + 60)
                for y in range(bottom - 11, bottom - 3)
            )
            for start in (62, image.width() - 80)
        )
        assert (left > right) == (values[0] > values[-1])


@pytest.mark.parametrize(("apart", "joined"), [(0.05, True), (0.6, False)])
def test_names_of_two_lines_do_not_meet(qapp, tmp_path, apart, joined):
    lines = {"largest class": np.full(3, 0.2), "linear PCA": np.full(3, 0.2 + apart)}
    curve = Curve(MEASURES["knn_accuracy"], np.array([1.0, 0.9, 1.0]), lines=lines)

    def paint(painter, area):
        draw_curve(painter, area, curve, LIGHT)

    path = tmp_path / "labels.svg"
    save_image(path, ImageSpec("svg", 600, 120, "px", 96, "theme"), paint)
    text = f"linear PCA {100 * (0.2 + apart):.1f} %, largest class 20.0 %"
    assert (text in path.read_text()) == joined


def test_a_sheet_names_the_sample_that_it_was_measured_on(qapp, swept, tmp_path):
    held = Yardstick((0, 1), 50, 60)
    sampled = tuple(replace(point, yardstick=held) for point in swept.points)
    result = replace(swept, points=sampled)
    content = drawn_on_paper(result, tmp_path / "a.svg", measure="trustworthiness")
    assert "Below each: Trustworthiness of 50 of 80 rows" in content.decode()
