import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpca_viewer.widgets.plots import axes, point_cloud
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.ui.plots.helpers import (
    MIDDLE,
    RIGHT,
    click,
    drag,
    picture,
    pixel_at,
    pixel_of,
    rgb,
    shown_view,
)

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.5]])
KEYS = Qt.KeyboardModifier


@pytest.fixture
def view(qtbot):
    return shown_view(qtbot, SQUARE)


@pytest.fixture
def gestures(view):
    """Every selection the view emitted, as rows and mode."""
    heard = []
    view.selected.connect(
        lambda m, mode: heard.append((np.flatnonzero(m).tolist(), mode))
    )
    return heard


def around(at: QPoint, reach: int = 20) -> list[QPoint]:
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return [at + QPoint(reach * x, reach * y) for x, y in corners]


def wheel(view, at: QPoint, steps: int) -> None:
    target = view.canvas.viewport()
    event = QWheelEvent(
        QPointF(at),
        QPointF(target.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        KEYS.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(target, event)


def test_lasso_selects_what_it_encloses(view, gestures):
    drag(view, around(pixel_of(view, 4)))
    assert gestures == [([4], "replace")]


@pytest.mark.parametrize(
    ("keys", "mode"), [(KEYS.ShiftModifier, "add"), (KEYS.AltModifier, "remove")]
)
def test_keys_change_the_mode_of_a_lasso(view, gestures, keys, mode):
    drag(view, around(pixel_of(view, 0)), keys=keys)
    assert gestures == [([0], mode)]


def test_lasso_around_nothing_tells_an_empty_mask(view, gestures):
    drag(view, around(pixel_at(view, 0.25, 0.25), 10))
    assert gestures == [([], "replace")]


def test_lasso_is_not_a_rectangle(view, gestures):
    low, high = pixel_of(view, 0), pixel_of(view, 3)
    # A thin band from corner to corner leaves the other two corners out.
    path = [
        low + QPoint(-30, 0),
        low + QPoint(0, 30),
        high + QPoint(30, 0),
        high + QPoint(0, -30),
    ]
    drag(view, path)
    assert gestures == [([0, 3, 4], "replace")]


def test_rectangle_selects_between_its_corners(view, gestures):
    view.interaction.tool = "rectangle"
    start, end = pixel_of(view, 0) + QPoint(-15, 15), pixel_of(view, 4) + QPoint(9, -9)
    drag(view, [start, (start + end) / 2, end])
    assert gestures == [([0, 4], "replace")]


def test_hidden_points_cannot_be_selected(view, gestures):
    view.set_hidden(np.array([False, False, False, False, True]))
    drag(view, around(pixel_of(view, 4)))
    assert gestures == [([], "replace")]


def test_escape_cancels_a_lasso(view, gestures):
    path = around(pixel_of(view, 4))
    drag(view, path, release=False)
    assert not view.area.overlay.outline.isEmpty()
    QTest.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.area.overlay.outline.isEmpty()
    QTest.mouseRelease(
        view.canvas.viewport(), Qt.MouseButton.LeftButton, KEYS.NoModifier, path[-1]
    )
    assert gestures == []


def test_hover_finds_the_nearest_point_and_leaves_it(view, qtbot):
    rows = []
    view.hovered.connect(rows.append)
    view.set_hover_texts(lambda row: f"row {row}\n<b>plain</b>")
    target = view.canvas.viewport()
    QTest.mouseMove(target, pixel_of(view, 3) + QPoint(6, 5))
    assert rows == [3]
    assert view.area.cloud.hovered == 3
    assert view.area.overlay.label_lines == ["row 3", "<b>plain</b>"]
    QTest.mouseMove(target, pixel_at(view, 0.75, 0.4))
    assert rows == [3, None]
    assert view.area.overlay.label_lines == []


def test_hover_stays_within_reach(view):
    rows = []
    view.hovered.connect(rows.append)
    QTest.mouseMove(view.canvas.viewport(), pixel_of(view, 3) + QPoint(13, 0))
    assert rows == []


def test_hover_from_elsewhere_shows_no_label_and_emits_nothing(view):
    rows = []
    view.hovered.connect(rows.append)
    view.set_hover_texts(str)
    view.set_hovered(2)
    assert view.area.cloud.hovered == 2
    assert view.area.overlay.label_lines == []
    assert rows == []


def test_click_on_a_point_selects_it(view, gestures):
    click(view, pixel_of(view, 2), keys=KEYS.ShiftModifier)
    assert gestures == [([2], "add")]


def test_click_on_the_background_tells_where(view, qtbot, gestures):
    with qtbot.waitSignal(view.background_clicked) as told:
        click(view, pixel_at(view, 0.25, 0.75))
    assert told.args[0] == pytest.approx((0.25, 0.75), abs=0.01)
    assert gestures == []


def test_double_click_resets_the_range_and_drops_no_point(view, qtbot):
    home = view.view_range()
    at = pixel_at(view, 0.3, 0.7)
    wheel(view, at, 3)
    assert view.view_range() != home
    clicks = []
    view.background_clicked.connect(clicks.append)
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    np.testing.assert_allclose(view.view_range(), home)
    assert not view.findChild(QTimer, "click_timer").isActive()
    assert clicks == []


def test_wheel_zooms_around_the_mouse(view):
    at = pixel_at(view, 0.3, 0.7)
    (x0, x1), _ = view.view_range()
    ranges = []
    view.range_changed.connect(ranges.append)
    wheel(view, at, 2)
    (a0, a1), _ = view.view_range()
    assert a1 - a0 < 0.8 * (x1 - x0)
    assert (pixel_at(view, 0.3, 0.7) - at).manhattanLength() <= 2
    assert ranges == [view.view_range()]
    for _ in range(500):
        wheel(view, at, 5)
    (a0, a1), _ = view.view_range()
    assert a1 > a0


@pytest.mark.parametrize("button", [MIDDLE, RIGHT], ids=["middle", "right"])
def test_other_buttons_pan(view, gestures, button):
    before = pixel_of(view, 4)
    drag(view, [(200, 150), (220, 150), (240, 180)], button=button)
    moved = pixel_of(view, 4) - before
    assert abs(moved.x() - 40) <= 1
    assert abs(moved.y() - 30) <= 1
    assert gestures == []


def test_markers_can_be_dragged_and_removed(view, qtbot, gestures):
    view.set_markers([Marker((0.2, 0.2), "a"), Marker((0.8, 0.3), "b", warn=True)])
    moves = []
    view.marker_dragged.connect(lambda index, at: moves.append((index, at)))
    start, end = pixel_at(view, 0.8, 0.3), pixel_at(view, 0.7, 0.6)
    drag(view, [start, (start + end) / 2, end])
    assert {index for index, _ in moves} == {1}
    assert moves[-1][1] == pytest.approx((0.7, 0.6), abs=0.01)
    assert gestures == []
    with qtbot.waitSignal(view.marker_removed) as removed:
        click(view, end, button=RIGHT)
    assert removed.args == [1]
    with qtbot.assertNotEmitted(view.background_clicked):
        click(view, end)
        assert not view.findChild(QTimer, "click_timer").isActive()


def test_markers_are_drawn_in_their_colour(view):
    at = pixel_at(view, 0.75, 0.25)
    view.set_markers([Marker((0.75, 0.25), warn=True)])
    image = picture(view)
    ring = [rgb(image, at + QPoint(dx, 0)) for dx in range(5, 12)]
    assert min(color[2] for color in ring) < 60, "the warning colour has no blue"


def test_gliding_points_start_where_they_were_and_arrive(view, qtbot):
    before = view.pixels()
    view.set_points(SQUARE[::-1] * 100, ["x", "y"], animate=True)
    # The frame may have moved a little with the width of the numbers.
    np.testing.assert_allclose(view.pixels(), before, atol=1.0)
    final = view.area.frame.to_pixels(SQUARE[::-1] * 100)
    qtbot.waitUntil(lambda: np.allclose(view.pixels(), final))


def test_points_jump_when_there_are_too_many_or_others(view):
    view.set_points(SQUARE[:3], ["x", "y"], animate=True)
    np.testing.assert_allclose(view.area.placed, SQUARE[:3])


def test_range_is_fitted_to_the_points(view):
    view.set_points(SQUARE * 10, ["x", "y"])
    (x0, x1), _ = view.view_range()
    assert x0 < 0 < 10 < x1 < 12


def test_aspect_can_be_locked(view):
    view.set_aspect_locked(True)
    frame = view.area.frame
    (x0, x1), (y0, y1) = view.view_range()
    assert frame.width / (x1 - x0) == pytest.approx(frame.height / (y1 - y0), rel=1e-6)


def test_setters_never_emit(view, qtbot):
    signals = [
        view.hovered,
        view.selected,
        view.background_clicked,
        view.marker_dragged,
        view.marker_removed,
        view.range_changed,
    ]
    heard = []
    for signal in signals:
        signal.connect(lambda *args: heard.append(args))
    view.set_points(SQUARE * 2, ["x", "y"])
    view.set_colors(np.arange(5), "class", list("abcde"))
    view.area.cloud.set_selected(np.arange(5) < 2)
    view.set_hidden(np.arange(5) == 3)
    view.set_hovered(1)
    view.set_markers([Marker((0.1, 0.1))])
    view.set_view_range((0, 1), (0, 1))
    view.set_aspect_locked(True)
    view.set_theme(DARK)
    view.set_points(np.empty((0, 2)), ["x", "y"])
    assert heard == []


def test_empty_view_says_why(view):
    view.set_empty_text("Nothing here yet")
    view.set_points(np.empty((0, 2)), ["x", "y"])
    image = picture(view)
    middle = [
        rgb(image, QPoint(x, y)).sum() for x in range(190, 320) for y in range(185, 215)
    ]
    assert min(middle) < 600, "text in the middle"
    assert not view.pixels().size
    click(view, QPoint(250, 200))


def test_themes_paint_their_card(view):
    for theme in (LIGHT, DARK):
        view.set_theme(theme)
        card = picture(view).pixelColor(3, 3).name()
        assert card.lower() == theme.card.lower()
        assert view.grab().toImage().pixelColor(3, 3).name().lower() == card


def test_background_image_lies_under_the_points_right_way_up(view):
    image = QImage(1, 2, QImage.Format.Format_RGB32)
    image.setPixelColor(0, 0, Qt.GlobalColor.red)
    image.setPixelColor(0, 1, Qt.GlobalColor.green)
    view.area.underlay.set_image(image, QRectF(-1, -1, 3, 3))
    painted = picture(view)
    top, bottom = (rgb(painted, pixel_at(view, 0.3, y)) for y in (0.97, 0.05))
    assert top[0] > 200 > 60 > top[1]
    assert bottom[1] > 100 > 60 > bottom[0]


def test_isolines_are_drawn_under_the_points(view):
    line = np.array([[0.0, 0.75], [1.0, 0.75]])
    before = rgb(picture(view), pixel_at(view, 0.4, 0.75))
    view.area.underlay.set_isolines([(0.0, [line])])
    after = rgb(picture(view), pixel_at(view, 0.4, 0.75))
    assert after.sum() < before.sum() - 100


def test_caption_tells_of_density(qtbot, monkeypatch):
    monkeypatch.setattr(point_cloud, "DENSITY_LIMIT", 1000)
    view = shown_view(qtbot, np.random.default_rng(0).normal(size=(1234, 2)))
    picture(view)
    assert view.caption() == "density of 1,234 points"
    view.set_view_range((0.0, 0.1), (0.0, 0.1))
    picture(view)
    assert view.caption() == ""


def test_squeezed_views_survive(view):
    view.resize(4, 3)
    picture(view)
    view.resize(500, 400)
    assert view.area.frame.width > 300


def test_names_that_fit_not_are_shortened_and_never_markup(qtbot):
    view = shown_view(qtbot, SQUARE, ["<b>x</b>", "y" * 400])
    picture(view)
    frame = view.area.frame
    assert frame.left < 80
    assert frame.width > 350


def test_points_need_two_or_three_columns(view):
    with pytest.raises(ValueError, match="2 or 3 columns"):
        view.set_points(np.zeros((3, 4)), list("abcd"))
    with pytest.raises(ValueError, match="2 axes, but 1"):
        view.set_points(np.zeros((3, 2)), ["x"])


def test_the_label_of_a_new_point_stands_out_of_a_crowd(qtbot):
    view = shown_view(qtbot, np.random.default_rng(0).uniform(size=(6000, 2)))
    view.area.cloud.set_point_size(12)
    # In front of the first letter, behind the ring.
    at = pixel_at(view, 0.5, 0.5) + QPoint(14, 0)
    crowd = rgb(picture(view), at)
    view.set_markers([Marker((0.5, 0.5), "far from all data", warn=True)])
    assert rgb(picture(view), at).sum() > crowd.sum() + 100


def test_the_caption_stands_out_of_lines(qtbot, monkeypatch):
    view = shown_view(qtbot, np.random.default_rng(0).normal(size=(1234, 2)))
    frame = view.area.frame
    right, y = round(frame.left + frame.width) - 4, round(frame.top) + 10
    height = float(frame.to_data(np.array([[right, y]]))[0, 1])
    view.area.underlay.set_isolines(
        [(0.0, [np.array([[-9.0, height], [9.0, height]])])]
    )
    line = rgb(picture(view), QPoint(right, y))
    assert line.sum() < 3 * 250
    monkeypatch.setattr(point_cloud, "DENSITY_LIMIT", 1000)
    view.area.cloud.set_point_size(3)
    picture(view)
    assert view.caption()
    assert rgb(picture(view), QPoint(right, y)).sum() > line.sum() + 30


def test_the_card_of_a_row_is_docked_away_from_it(view):
    view.set_hover_texts(lambda row: f"row {row}\na rather long text about it")
    plot = QRectF(*view.area.frame.rect)
    boxes = []
    for row in range(len(SQUARE)):
        at = pixel_of(view, row)
        QTest.mouseMove(view.canvas.viewport(), at)
        box = view.area.overlay.label_box()
        assert plot.contains(box)
        assert not box.adjusted(-40, -40, 40, 40).contains(QPointF(at))
        boxes.append(box.topLeft().toTuple())
    # It stays where it is, but for the row in its own corner.
    assert len(set(boxes)) == 2


def test_points_nearly_on_a_line_have_room_for_their_marks_in_a_picture(qtbot):
    line = np.array([[0.0, 0.0], [50.0, 0.1], [100.0, 0.0]])
    view = shown_view(qtbot, line)
    view.set_aspect_locked(True)
    height = view.fitted(QSizeF(310, 230)).height()
    # Equal units alone would leave three pixels between the axes.
    assert 60 < height < 160


def test_points_that_glide_leave_the_numbers_of_the_axes_alone(view, monkeypatch):
    QApplication.processEvents()
    whole, painted = view.grab().toImage(), []
    draw = axes.draw_text
    monkeypatch.setattr(axes, "draw_text", lambda *a: painted.append(a) or draw(*a))
    monkeypatch.setattr(axes, "round_ticks", None)
    for places in (SQUARE[::-1] / 2, SQUARE):
        view.area.set_placed(places)
        QApplication.processEvents()
        assert not painted
    # The same points in the same frame.
    assert view.grab().toImage() == whole
    assert len(painted) > 4


class Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, _watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.mark.parametrize("columns", [2, 3])
def test_other_points_on_other_axes_are_painted_once(view, columns):
    paints = Paints()
    view.canvas.viewport().installEventFilter(paints)
    names = ["x", "y", "z"][:columns]
    points = np.random.default_rng(0).normal(size=(5, columns))
    for scale in (1.0, 20.0):
        for _ in range(5):
            QApplication.processEvents()
        paints.count = 0
        view.set_points(scale * points, names)
        for _ in range(5):
            QApplication.processEvents()
        assert paints.count == 1
