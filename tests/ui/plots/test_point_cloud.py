import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPicture

from kpca_viewer.engine.views import Camera
from kpca_viewer.widgets.plots import cloud_layer as layer_cache
from kpca_viewer.widgets.plots import point_cloud
from kpca_viewer.widgets.plots.cloud_drawing import OUTLINED, mark_look
from kpca_viewer.widgets.plots.frame import Projection
from kpca_viewer.widgets.plots.point_cloud import PointCloudItem
from kpca_viewer.widgets.plots.sprites import FADED, NORMAL, SELECTED
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.ui.plots.helpers import blended, rgb

# Nine places on a grid; the view box below shows 0…4 on 200 × 200 pixels.
GRID = np.array([[x, y] for y in (1.0, 2.0, 3.0) for x in (1.0, 2.0, 3.0)])
AREA = QRectF(0, 0, 200, 200)


class Stage:
    """A cloud in a bare view box, painted into images."""

    def __init__(self, qtbot) -> None:
        self.view = pg.GraphicsView(background=LIGHT.card)
        qtbot.addWidget(self.view)
        self.view.resize(200, 200)
        self.box = pg.ViewBox(enableMenu=False, defaultPadding=0)
        self.view.addItem(self.box)
        self.box.setGeometry(AREA)
        self.cloud = PointCloudItem()
        self.box.addItem(self.cloud, ignoreBounds=True)
        self.show(0, 4)

    def show(self, low, high) -> None:
        self.box.setRange(xRange=(low, high), yRange=(low, high), padding=0)

    def paint(self, ratio=1.0, *, vector=False) -> QImage:
        image = QImage(
            int(200 * ratio),
            int(200 * ratio),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(LIGHT.card))
        # A QPicture records shapes, as files of vectors do.
        record = QPicture()
        painter = QPainter(record if vector else image)
        self.view.scene().prepareForPaint()
        self.view.scene().render(painter, AREA, AREA)
        painter.end()
        painter = QPainter(image)
        record.play(painter)
        painter.end()
        return image


def pixel(x, y, ratio=1.0) -> QPoint:
    return QPointF(50 * x * ratio, 200 * ratio - 50 * y * ratio).toPoint()


@pytest.fixture
def stage(qtbot):
    stage = Stage(qtbot)
    stage.cloud.set_places(GRID)
    # Nine points are larger than they are set.
    stage.cloud.set_point_size(5.5)
    return stage


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_points_have_the_colour_of_their_class_where_they_stand(stage, ratio):
    stage.cloud.set_colors(np.arange(9) % 3)
    image = stage.paint(ratio)
    for row, (x, y) in enumerate(GRID):
        expected = blended(LIGHT.class_colors[row % 3], LIGHT.card, NORMAL.body)
        np.testing.assert_allclose(rgb(image, pixel(x, y, ratio)), expected, atol=4)
    np.testing.assert_array_equal(rgb(image, pixel(1.5, 1.5, ratio)), [255] * 3)


@pytest.mark.parametrize("vector", [False, True])
def test_sizes_tell_shares(stage, vector):
    def ink(row):
        at = pixel(*GRID[row])
        return sum(
            image.pixelColor(at.x() + dx, at.y() + dy) != QColor(LIGHT.card)
            for dx in range(-20, 21)
            for dy in range(-20, 21)
        )

    stage.cloud.set_sizes(np.linspace(0.0, 1.0, 9))
    image = stage.paint(vector=vector)
    covered = [ink(row) for row in range(9)]
    assert covered == sorted(covered)
    assert covered[8] > 8 * covered[0]
    assert stage.cloud.diameters[8] == pytest.approx(9.0 * 5**0.5)
    # What is not known is as small as can be; without meaning, all are alike.
    stage.cloud.set_sizes([np.nan, *[1.0] * 8])
    image = stage.paint(vector=vector)
    assert ink(0) == covered[0]
    stage.cloud.set_sizes(None)
    image = stage.paint(vector=vector)
    assert len({ink(row) for row in range(9)}) == 1


@pytest.mark.journey
def test_points_are_as_wide_on_dense_screens_and_sharper(stage):
    stage.cloud.set_places(GRID[4:5])
    stage.cloud.set_point_size(40.0)
    areas, edges = [], []
    for ratio in (1.0, 2.0):
        image = stage.paint(ratio)
        ink = np.array(
            [
                [255 - image.pixelColor(x, y).red() for x in range(image.width())]
                for y in range(image.height())
            ]
        )
        areas.append(np.count_nonzero(ink > 100) / ratio**2)
        edges.append(np.count_nonzero((ink > 10) & (ink <= 100)) / ratio**2)
    assert areas[1] == pytest.approx(areas[0], rel=0.15)
    assert edges[1] < 0.75 * edges[0]


def test_selection_fades_the_others_but_keeps_them_visible(stage):
    stage.cloud.set_colors(np.zeros(9, dtype=int))
    stage.cloud.set_selected(np.arange(9) == 4)
    image = stage.paint()
    blue = LIGHT.class_colors[0]
    chosen, other = rgb(image, pixel(2, 2)), rgb(image, pixel(1, 1))
    np.testing.assert_allclose(chosen, blended(blue, LIGHT.card, SELECTED.body), atol=3)
    faintly = FADED.body * FADED.hue
    np.testing.assert_allclose(other, blended(blue, LIGHT.card, faintly), atol=3)
    stage.cloud.set_selected(None)
    again = rgb(stage.paint(), pixel(1, 1))
    np.testing.assert_allclose(again, blended(blue, LIGHT.card, NORMAL.body), atol=3)


@pytest.mark.parametrize("vector", [False, True])
def test_selected_points_are_no_smaller_than_faded_ones(stage, vector):
    stage.cloud.set_colors(np.zeros(9, dtype=int))
    stage.cloud.set_selected(np.arange(9) == 4)
    image = stage.paint(4.0, vector=vector)
    card = QColor(LIGHT.card)
    widths = []
    for at in (pixel(2, 2, 4.0), pixel(1, 1, 4.0)):
        line = [image.pixelColor(at + QPoint(dx, 0)) for dx in range(-40, 41)]
        widths.append(sum(abs(color.red() - card.red()) > 10 for color in line))
    assert widths[0] >= widths[1] > 0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("vector", [False, True])
def test_a_crowd_of_faded_points_stays_pale(stage, theme, vector):
    stage.cloud.set_theme(theme)
    stage.cloud.set_places(np.vstack((np.full((200, 2), 1.0), [(2.0, 2.0)])))
    stage.cloud.set_colors(np.zeros(201, dtype=int))
    stage.cloud.set_selected(np.arange(201) == 200)
    image = stage.paint(vector=vector)
    blue = theme.class_colors[0]
    crowd = rgb(image, pixel(1, 1))
    np.testing.assert_allclose(crowd, blended(blue, theme.card, FADED.hue), atol=4)
    np.testing.assert_allclose(rgb(image, pixel(2, 2)), blended(blue, blue, 1), atol=3)


def test_selected_points_lie_on_top(stage):
    stage.cloud.set_places(np.full((2, 2), 2.0))
    stage.cloud.set_colors(np.array([0, 1]))
    stage.cloud.set_selected(np.array([True, False]))
    top = rgb(stage.paint(), pixel(2, 2))
    np.testing.assert_allclose(
        top, blended(LIGHT.class_colors[0], LIGHT.card, 1), atol=3
    )


def test_hidden_and_unplaceable_points_are_not_drawn(stage):
    points = GRID.copy()
    points[0] = np.nan, 1.0
    stage.cloud.set_places(points)
    stage.cloud.set_hidden(np.arange(9) == 4)
    image = stage.paint()
    assert rgb(image, pixel(1, 1)).tolist() == [255] * 3
    assert rgb(image, pixel(2, 2)).tolist() == [255] * 3
    assert rgb(image, pixel(3, 3)).tolist() != [255] * 3


def test_nearer_points_are_drawn_over_farther_ones(stage):
    # The eye is on the first axis, and both points in its line of sight.
    seen = Projection(flat=False, camera=Camera(azimuth=0, elevation=0, pan=(2, 2)))
    places = np.array([[0.9, 0, 0], [-0.9, 0, 0]])
    stage.cloud.set_places(places, seen)
    stage.cloud.set_colors(np.array([0, 1]))
    red, _, blue = rgb(stage.paint(), pixel(2, 2))
    assert blue > red, "the vermillion point is behind the blue one"
    stage.cloud.set_places(places[::-1], seen)
    red, _, blue = rgb(stage.paint(), pixel(2, 2))
    assert red > blue


def test_hovered_point_grows_with_a_ring(stage):
    beside = pixel(2, 2) + QPoint(6, 0)
    before = rgb(stage.paint(), beside)
    stage.cloud.set_hovered(4)
    after = rgb(stage.paint(), beside)
    assert before.tolist() == [255] * 3
    assert after.sum() < 300


def test_theme_changes_colours_of_rims_and_neutral_points(stage):
    stage.cloud.set_colors(np.full(9, -1))
    light = rgb(stage.paint(), pixel(2, 2))
    stage.cloud.set_theme(DARK)
    dark = rgb(stage.paint(), pixel(2, 2))
    assert dark.sum() > light.sum() + 60


def test_layer_is_drawn_once_until_something_changes(stage, monkeypatch):
    drawn = []
    original = layer_cache.draw_sprites
    monkeypatch.setattr(
        layer_cache, "draw_sprites", lambda *a: (drawn.append(1), original(*a))
    )
    stage.paint()
    stage.cloud.set_hovered(2)
    stage.paint()
    assert len(drawn) == 1
    stage.show(0, 5)
    stage.paint()
    assert len(drawn) == 2


def test_density_replaces_points_until_few_are_in_view(stage, monkeypatch):
    monkeypatch.setattr(point_cloud, "DENSITY_LIMIT", 500)
    random = np.random.default_rng(0)
    points = np.column_stack([random.uniform(1, 3, 2000), random.uniform(1, 3, 2000)])
    stage.cloud.set_places(points)
    stage.cloud.set_colors((points[:, 0] > 2).astype(int))
    image = stage.paint()
    assert stage.cloud.density_count == 2000
    colors = np.array(
        [
            [rgb(image, pixel(x, y)) for x in (1.1, 2.9)]
            for y in np.linspace(1.2, 2.8, 30)
        ]
    ).mean(axis=0)
    assert colors[0, 2] > colors[0, 0] + 20, "the left half is blue"
    assert colors[1, 0] > colors[1, 2] + 20, "the right half is vermillion"
    assert rgb(image, pixel(0.5, 0.5)).tolist() == [255] * 3
    # Sizes that mean something are seen longer.
    stage.cloud.set_sizes(points[:, 0] / 3)
    stage.paint()
    assert stage.cloud.density_count == 0
    stage.cloud.set_sizes(None)
    stage.show(1.8, 2.2)
    stage.paint()
    assert stage.cloud.density_count == 0


@pytest.mark.journey
def test_colours_after_a_density_are_those_of_the_points(stage, monkeypatch):
    monkeypatch.setattr(point_cloud, "DENSITY_LIMIT", 20)
    crowd = np.repeat(GRID, 9, axis=0)
    # Palettes come and go, and the memory of one is soon that of another.
    for turn, classes in enumerate((2, 9, 3, 8) * 8):
        stage.cloud.set_places(crowd)
        stage.cloud.set_colors(np.arange(len(crowd)) % 5)
        stage.paint()
        stage.cloud.set_places(GRID)
        for _ in range(1 + turn % 7):
            stage.cloud.set_colors(np.arange(9) % classes)
        shown = rgb(stage.paint(), pixel(*GRID[classes - 1]))
        hue = LIGHT.class_colors[(classes - 1) % len(LIGHT.class_colors)]
        assert shown == pytest.approx(blended(hue, LIGHT.card, NORMAL.body), abs=2)


def test_density_shows_the_selection(stage, monkeypatch):
    monkeypatch.setattr(point_cloud, "DENSITY_LIMIT", 3)
    stage.cloud.set_places(np.repeat(GRID[[0, 8]], 50, axis=0))
    stage.cloud.set_selected(np.arange(100) < 50)
    image = stage.paint()
    assert (
        rgb(image, pixel(1.01, 0.99)).sum() < rgb(image, pixel(3.01, 2.99)).sum() < 765
    )


def test_values_of_the_wrong_length_are_refused(stage):
    with pytest.raises(ValueError, match="9 points"):
        stage.cloud.set_colors(np.zeros(3))
    with pytest.raises(ValueError, match="9 points"):
        stage.cloud.set_selected(np.zeros(10, dtype=bool))


def test_new_points_drop_what_belonged_to_others(stage):
    stage.cloud.set_selected(np.zeros(9, dtype=bool))
    stage.cloud.set_hidden(np.ones(9, dtype=bool))
    stage.cloud.set_hovered(8)
    stage.cloud.set_places(GRID[:2])
    assert stage.cloud.shown.all()
    assert stage.cloud.hovered is None
    assert rgb(stage.paint(), pixel(1, 1)).tolist() != [255] * 3


def test_a_plain_pyqtgraph_plot_finds_the_range(qtbot):
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    cloud = PointCloudItem()
    plot.addItem(cloud)
    cloud.set_places(np.array([[10.0, -5.0], [20.0, 5.0], [np.nan, 100.0]]))
    plot.getViewBox().updateAutoRange()
    (x0, x1), (y0, y1) = plot.getViewBox().viewRange()
    assert 5 < x0 <= 10 < 20 <= x1 < 25
    assert -10 < y0 <= -5 < 5 <= y1 < 10


def test_marks_follow_the_points_per_pixel():
    area = 600 * 500
    looks = [mark_look(7, n, area) for n in (0, 3, 400, 5_000, 20_000, 1_000_000)]
    sizes, opacities = ([getattr(k, w) for k in looks] for w in ("size", "opacity"))
    assert sizes == sorted(sizes, reverse=True)
    assert opacities == sorted(opacities, reverse=True)
    assert (sizes[2], sizes[-1], opacities[-1]) == (7, 2, 0.5)
    # The same points in a small plot are a crowd; a person's size still counts.
    assert mark_look(7, 400, area / 20).size < 5
    assert mark_look(14, 5_000, area).size > mark_look(7, 5_000, area).size
    assert mark_look(7, 5_000, area, 0.9).opacity == 0.9


def test_only_few_points_are_outlined():
    vast = 1e7
    assert mark_look(7, OUTLINED - 1, vast).rim > 0
    assert mark_look(7, OUTLINED, vast).rim == 0


def test_a_lifted_class_stands_out_whatever_is_selected(stage):
    stage.cloud.set_colors(np.arange(9) % 3)
    stage.cloud.set_selected(np.arange(9) == 4)
    stage.cloud.set_lifted(np.arange(9) % 3 == 0)
    image = stage.paint()
    hue = LIGHT.class_colors[0]
    np.testing.assert_allclose(rgb(image, pixel(1, 1)), blended(hue, hue, 1), atol=3)
    faded = rgb(image, pixel(2, 2)).sum()
    stage.cloud.set_lifted(None)
    assert rgb(stage.paint(), pixel(2, 2)).sum() < faded - 100


def test_opacity_can_be_set(stage):
    stage.cloud.set_colors(np.zeros(9, dtype=int))
    stage.cloud.set_opacity(0.4)
    for vector in (False, True):
        seen = rgb(stage.paint(vector=vector), pixel(2, 2))
        expected = blended(LIGHT.class_colors[0], LIGHT.card, 0.4)
        np.testing.assert_allclose(seen, expected, atol=4)
