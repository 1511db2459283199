"""Points by hand, with real mouse and keys on the real window."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from kpca_viewer.data.drawn import MOST, SOURCE, Drawn
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features.drawing.controller import DrawingController
from kpca_viewer.features.import_sheet.controller import Opening
from kpca_viewer.features.selection.controller import Selecting
from tests.left_over import discard, running
from tests.ui.stage import Stage

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key

# Isolines are drawn anew with every point, and nothing here is about them.
SMALL = SessionSettings(
    data=DataSettings("circles", as_values({"samples": 40})),
    view=ViewSettings(isolines=False),
)
EMPTY = replace(SMALL, data=DataSettings.of_source(SOURCE))


class Hand(Stage):
    """The window, and the hand in front of it."""

    def __init__(self, qtbot, settings):
        super().__init__(qtbot, settings)
        self.opening, self.drawing, _ = self.furnish(
            import_sheet=Opening, drawing=DrawingController, selection=Selecting
        )
        self.view = self.board.data.view
        self.paper = self.view.canvas.viewport()
        self.show()

    def close(self):
        self.opening.close()
        super().close()
        discard(self.window)

    def start(self, settings):
        """Go back to how the window was at first, on other settings."""
        QTest.mouseRelease(self.paper, LEFT)
        QTest.mouseMove(self.paper, QPoint(1, 1))
        self.drawing.take_pencil(False)
        self.choose("pencil")
        self.board.show_workspace("explore")
        self.board.compare.show_page("pca")
        self.board.linking.clear()
        self.store.reset(settings)
        self.settle()
        self.view.reset_view()

    @property
    def drawn(self):
        return self.store.settings.data.drawn

    def pixel(self, x, y):
        at = self.view.area.frame.to_pixels(np.array([[x, y]]))[0]
        return QPointF(*at).toPoint()

    def click(self, x, y):
        QTest.mouseMove(self.paper, self.pixel(x, y))
        QTest.mouseClick(self.paper, LEFT, NONE, self.pixel(x, y))
        self.settle()

    def point_at(self, x, y):
        QTest.mouseMove(self.paper, self.pixel(x, y) + QPoint(1, 0))
        QTest.mouseMove(self.paper, self.pixel(x, y))

    def drag(self, *places, release=True):
        path = [self.pixel(*place) for place in places]
        QTest.mousePress(self.paper, LEFT, NONE, path[0])
        for at in path[1:]:
            QTest.mouseMove(self.paper, at)
        if release:
            QTest.mouseRelease(self.paper, LEFT, NONE, path[-1])
            self.settle()

    def press(self, key, keys=NONE):
        QTest.keyClick(self.window.focusWidget() or self.window, key, keys)
        self.settle()

    def choose(self, tool):
        button = self.board.drawing.bar.tools.button(tool)
        QTest.mouseClick(button, LEFT, NONE, button.rect().center())

    def message(self):
        return self.window.message_bar.text()

    def answer(self, text):
        for button in self.window.message_bar.findChildren(QPushButton):
            if button.text() == text and not button.isHidden():
                button.click()
                self.settle()
                return
        raise AssertionError(f"no button {text}")

    def paste(self, text, key=Key.Key_V, keys=CTRL):
        QGuiApplication.clipboard().setText(text)
        self.press(key, keys)

    def undo(self):
        self.window.actions_table["undo"].trigger()
        self.settle()


@pytest.fixture(scope="module")
def shared(request, qapp, tmp_path_factory):
    """One window for all tests: to make it takes longer than most of them."""
    folder = str(tmp_path_factory.mktemp("drawing"))
    scope = QSettings.Scope.UserScope
    QSettings.setPath(QSettings.Format.IniFormat, scope, folder)
    hand = Hand(QtBot(request), EMPTY)
    yield hand
    hand.close()


@pytest.fixture
def hand(shared, qtbot):
    before = set(running())

    def start(settings=EMPTY):
        shared.qtbot = qtbot
        shared.start(settings)
        return shared

    yield start
    while shared.message():
        shared.window.message_bar.dismissed.emit("")
    qtbot.waitUntil(lambda: before.issuperset(running()))


def near(found, *wanted):
    return np.allclose(np.array(found), np.array(wanted), atol=0.02)


def test_three_points_are_drawn_by_clicks(hand):
    hand = hand()
    assert hand.drawing.on
    assert hand.board.data.caption().startswith("Click adds")
    text = hand.view.area.overlay.empty_text
    assert text == "Click into the plane to add points"
    hand.press(Key.Key_Escape)
    assert "Take the pencil" in hand.view.area.overlay.empty_text
    hand.press(Key.Key_D)
    assert hand.view.area.overlay.empty_text == text
    hand.click(1, 0)
    assert hand.board.data.caption() == "One point has no variance; add a second."
    hand.click(0, 1 - 0.05)
    assert hand.board.data.caption().startswith("Two points have one component")
    hand.click(-1, 0)
    assert near(hand.drawn.points, (1, 0), (0, 0.95), (-1, 0))
    assert hand.result.dataset.n == 3
    assert hand.view.point_count == 3
    assert hand.board.embedding.view.point_count == 3
    assert hand.store.undo_text == "drawn point"
    for count in (2, 1, 0):
        hand.undo()
        assert len(hand.drawn) == count
    assert hand.window.status_text() == "Nothing drawn yet"
    assert hand.drawing.on
    assert hand.message() == ""


def test_the_paper_does_not_move_under_the_hand(hand):
    hand = hand()
    before = hand.view.view_range()
    for place in ((0.1, 0.1), (0.2, 0.1), (-0.3, -0.2)):
        hand.click(*place)
        assert hand.view.view_range() == before


def test_a_drag_moves_a_point_and_is_one_step(hand):
    hand = hand()
    for place in ((0.5, 0), (0, 0.5), (-0.5, 0)):
        hand.click(*place)
    hand.drag((0.5, 0), (0.6, 0.1), (0.7, 0.2), (0.8, -0.5))
    assert near(hand.drawn.points[0], (0.8, -0.5))
    assert near(hand.view.area.placed[0], (0.8, -0.5))
    assert hand.result.dataset.points.tolist() == hand.drawn.array().tolist()
    assert hand.store.undo_text == "move of a point"
    hand.undo()
    assert near(hand.drawn.points[0], (0.5, 0))
    assert hand.store.undo_text == "drawn point"
    assert near(hand.view.area.placed[0], (0.5, 0))


def test_the_picture_follows_while_a_point_is_dragged(hand):
    hand = hand()
    for place in ((0.5, 0), (0, 0.5), (-0.5, 0)):
        hand.click(*place)
    before = hand.result
    hand.drag((0.5, 0), (0.6, 0.2), (0.9, 0.4), release=False)
    hand.qtbot.waitUntil(
        lambda: hand.result.dataset.points.tolist() == hand.drawn.array().tolist()
    )
    assert hand.result is not before
    assert near(hand.drawn.points[0], (0.9, 0.4))
    QTest.mouseRelease(hand.paper, LEFT, NONE, hand.pixel(0.9, 0.4))
    hand.settle()
    assert hand.result.at_rest


def test_escape_puts_a_dragged_point_back(hand):
    hand = hand()
    for place in ((0.5, 0), (0, 0.5)):
        hand.click(*place)
    hand.drag((0.5, 0), (0.6, 0.2), (0.9, 0.4), release=False)
    hand.press(Key.Key_Escape)
    assert near(hand.drawn.points[0], (0.5, 0))
    assert near(hand.view.area.placed[0], (0.5, 0))
    assert hand.drawing.on
    QTest.mouseRelease(hand.paper, LEFT, NONE, hand.pixel(0.9, 0.4))
    assert len(hand.drawn) == 2


@pytest.fixture
def dragged(hand):
    """Three points, the last of which is being dragged; and what was before."""
    hand = hand()
    for place in ((0.5, 0), (0, 0.5), (-0.5, 0)):
        hand.click(*place)
    before = hand.store.settings, hand.store.undo_text
    hand.drag((-0.5, 0), (-0.6, 0.2), (-0.9, 0.4), release=False)
    assert hand.store.undo_text == "move of a point"
    return hand, *before


def test_escape_where_a_drag_is_back_takes_no_other_step(dragged):
    hand, settings, step = dragged
    QTest.mouseMove(hand.paper, hand.pixel(*settings.data.drawn.points[2]))
    assert hand.store.undo_text == step
    hand.press(Key.Key_Escape)
    assert (hand.store.settings, hand.store.undo_text) == (settings, step)
    QTest.mouseRelease(hand.paper, LEFT, NONE, hand.pixel(-0.5, 0))
    hand.settle()
    assert hand.store.settings == settings
    assert hand.view.point_count == 3


def test_escape_after_an_undo_in_the_drag_takes_no_other_step(dragged):
    hand, settings, step = dragged
    hand.undo()
    assert hand.store.settings == settings
    hand.press(Key.Key_Escape)
    assert (hand.store.settings, hand.store.undo_text) == (settings, step)


@pytest.mark.parametrize("drags_on", [False, True])
def test_escape_takes_the_stroke_back_under_another_kernel(dragged, drags_on):
    hand, settings, _ = dragged
    hand.window.actions_table["kernel_linear"].trigger()
    if drags_on:
        QTest.mouseMove(hand.paper, hand.pixel(-0.9, -0.4))
    hand.press(Key.Key_Escape)
    assert hand.store.settings == replace(settings, kernel=KernelSettings("linear"))
    assert hand.result.dataset.points.tolist() == settings.data.drawn.array().tolist()


def test_a_stroke_that_was_given_up_is_no_step(dragged):
    hand, settings, step = dragged
    hand.press(Key.Key_Escape)
    assert (hand.store.settings, hand.store.undo_text) == (settings, step)
    assert hand.store.redo_text is None


def test_both_sides_of_an_empty_plane_are_not_there(hand):
    hand = hand(SMALL)
    actions = hand.window.actions_table
    actions["both_sides"].trigger()
    assert [m.label for m in hand.view.area.markers] == ["a", "b"]
    actions["empty_plane"].trigger()
    hand.settle()
    assert not actions["both_sides"].isEnabled()
    assert hand.view.area.markers == ()
    hand.undo()
    assert actions["both_sides"].isEnabled()


def test_both_sides_move_under_the_kernel_that_is_set(hand):
    hand = hand(SMALL)
    hand.window.actions_table["both_sides"].trigger()
    hand.settle()
    hand.window.actions_table["kernel_poly"].trigger()
    # The answer is not there yet.
    hand.board.compare.views["both_sides"].move(0, (0.25, 0.5))
    assert hand.store.settings.kernel.family == "poly"
    assert hand.store.settings.view.pair[0] == (0.25, 0.5)


def test_a_drag_from_an_empty_place_takes_a_new_point_along(hand):
    hand = hand()
    hand.drag((0, 0), (0.2, 0.2), (0.4, 0.4))
    assert near(hand.drawn.points, (0.4, 0.4))
    assert hand.store.undo_text == "drawn point"
    hand.undo()
    assert hand.store.settings.data.is_empty


def test_number_keys_are_classes_and_not_kernels(hand):
    hand = hand()
    hand.click(0.5, 0)
    hand.press(Key.Key_3)
    assert hand.drawn.classes == (2,)
    assert hand.store.undo_text == "class 3 of a point"
    hand.click(-0.5, 0)
    assert hand.drawn.classes == (2, 2)
    # Away from all points, a key is for what comes next.
    hand.point_at(0, 0.8)
    hand.press(Key.Key_1)
    assert hand.drawn.classes == (2, 2)
    hand.click(0, 0.5)
    assert hand.drawn.classes == (2, 2, 0)
    hand.press(Key.Key_0)
    assert hand.drawn.classes == (2, 2, -1)
    assert hand.store.settings.kernel.family == "rbf"
    assert hand.window.actions_table["kernel_poly"].shortcut().isEmpty()
    hand.press(Key.Key_Escape)
    assert not hand.drawing.on
    hand.press(Key.Key_2)
    assert hand.store.settings.kernel.family == "poly"


def test_delete_removes_what_is_pointed_at_or_selected(hand):
    hand = hand()
    for place in ((0.5, 0), (0, 0.5), (-0.5, 0), (0, -0.5)):
        hand.click(*place)
    hand.point_at(0, 0.5)
    hand.press(Key.Key_Delete)
    assert near(hand.drawn.points, (0.5, 0), (-0.5, 0), (0, -0.5))
    # A click on a point selects it; the name of a row goes with it.
    hand.store.note(hand.store.notes.with_name(2, "last"))
    hand.click(0.5, 0)
    assert hand.board.linking.selection.tolist() == [True, False, False]
    hand.point_at(0.9, 0.9)
    hand.press(Key.Key_Delete)
    assert near(hand.drawn.points, (-0.5, 0), (0, -0.5))
    assert hand.store.notes.row_names == ((1, "last"),)
    assert hand.board.linking.selection is None
    hand.undo()
    assert hand.board.linking.selection.tolist() == [True, False, False]
    assert hand.store.notes.row_names == ((2, "last"),)


def test_the_last_point_can_go_and_come_back(hand):
    hand = hand()
    hand.click(0.5, 0)
    hand.press(Key.Key_Backspace)
    assert hand.store.settings.data.is_empty
    assert hand.message() == ""
    hand.press(Key.Key_Delete)
    hand.click(0.1, 0.1)
    assert near(hand.drawn.points, (0.1, 0.1))


def test_keys_move_a_point(hand):
    hand = hand()
    hand.click(0.5, 0)
    hand.press(Key.Key_Up, CTRL)
    y0, y1 = hand.view.view_range()[1]
    assert hand.drawn.points[0][1] == pytest.approx((y1 - y0) / 60, abs=0.01)
    hand.press(Key.Key_Up, CTRL)
    assert hand.drawn.points[0][1] == pytest.approx((y1 - y0) / 30, abs=0.01)


def test_a_point_is_drawn_by_keys_alone(hand):
    hand = hand()
    hand.press(Key.Key_Insert)
    (x0, x1), (y0, y1) = hand.view.view_range()
    assert near(hand.drawn.points, ((x0 + x1) / 2, (y0 + y1) / 2))
    for _ in range(6):
        hand.press(Key.Key_Right, CTRL)
    assert hand.drawn.points[0][0] == pytest.approx(
        (x0 + x1) / 2 + (x1 - x0) / 10, abs=0.02
    )
    hand.press(Key.Key_2)
    hand.press(Key.Key_Insert)
    assert hand.drawn.classes == (1, 1)
    hand.press(Key.Key_Escape)
    hand.press(Key.Key_Insert)
    assert len(hand.drawn) == 2


def test_a_brush_sprays_and_an_eraser_takes_away(hand):
    hand = hand()
    hand.choose("brush")
    stroke = [(x, 0.5) for x in np.linspace(-1, 1, 30)]
    hand.drag(*stroke)
    count = len(hand.drawn)
    assert count > 20
    assert hand.store.undo_text == f"{count} drawn points"
    assert (hand.drawn.array()[:, 1] > 0).all()
    hand.choose("eraser")
    hand.drag(*[(x, 0.5) for x in np.linspace(-1.2, 0, 20)])
    left = hand.drawn.array()
    assert 0 < len(left) < count
    assert hand.store.undo_text.startswith("removal of")
    hand.undo()
    assert len(hand.drawn) == count
    hand.undo()
    assert hand.store.settings.data.is_empty
    hand.choose("brush")
    hand.click(0, 0)
    assert 0 < len(hand.drawn) <= 6


def test_the_open_set_is_edited_with_its_classes(hand):
    hand = hand(SMALL)
    button = hand.board.drawing.button
    QTest.mouseClick(button, LEFT, NONE, button.rect().center())
    assert hand.drawing.on
    assert button.isChecked()
    assert hand.store.settings == SMALL
    # Another kernel, or more noise, takes nothing out of the hand.
    hand.window.actions_table["kernel_linear"].trigger()
    hand.settle()
    hand.store.update(replace(SMALL, data=SMALL.data.with_value("noise", 0.2)))
    hand.settle()
    assert hand.drawing.on
    hand.undo()
    hand.undo()
    assert hand.store.settings == SMALL
    used = hand.result.kernel.values
    points, labels = hand.result.dataset.points, hand.result.dataset.labels
    hand.click(0.6, 0.05)
    data = hand.store.settings.data
    assert data.source == SOURCE
    assert np.array_equal(hand.result.dataset.points[:40], points)
    assert np.array_equal(hand.result.dataset.labels[:40], labels)
    assert hand.result.dataset.name == "Circles, edited"
    assert hand.result.kernel.values == used
    assert hand.store.undo_text == "data Circles → Drawn points"
    hand.undo()
    assert hand.store.settings == SMALL
    # The pencil is still in the hand; with other data it is not.
    assert hand.drawing.on
    hand.store.update(replace(SMALL, data=DataSettings("moons")))
    hand.settle()
    assert not hand.drawing.on


def test_a_point_of_the_open_set_is_dragged_and_put_back(hand):
    hand = hand(SMALL)
    hand.press(Key.Key_D)
    x, y = hand.result.dataset.points[7].tolist()
    hand.drag((x, y), (x / 2, y / 2), (0.6, 0.05), release=False)
    hand.settle()
    assert hand.drawn.points[7] == pytest.approx((0.6, 0.05), abs=0.03)
    assert hand.result.dataset.points[7] == pytest.approx((0.6, 0.05), abs=0.03)
    hand.press(Key.Key_Escape)
    assert hand.store.settings == SMALL
    assert hand.result.dataset.points[7].tolist() == [x, y]
    assert hand.drawing.on
    QTest.mouseRelease(hand.paper, LEFT, NONE, hand.pixel(0.6, 0.05))
    hand.drag((x, y), (x / 2, y / 2), (0.6, 0.05))
    assert hand.store.undo_text == "data Circles → Drawn points"
    hand.undo()
    assert hand.store.settings == SMALL
    assert hand.store.undo_text is None


def test_what_lies_in_no_plane_is_refused_with_a_way_out(hand):
    hand = hand(SessionSettings(data=DataSettings("iris")))
    hand.press(Key.Key_D)
    assert not hand.drawing.on
    assert not hand.window.actions_table["draw"].isChecked()
    assert hand.message().startswith("The pencil draws in a plane, and Iris has 4")
    hand.answer("Empty plane")
    assert hand.store.settings.data.is_empty
    assert hand.drawing.on


def test_drawing_keeps_new_points_and_does_not_drop_any(hand):
    hand = hand(SMALL)
    hand.window.actions_table["new_point"].trigger()
    places = hand.store.notes.new_points
    hand.press(Key.Key_D)
    hand.click(0.6, 0.05)
    assert hand.store.notes.new_points == places
    hand.point_at(0.9, -0.9)
    hand.press(Key.Key_Delete)
    assert hand.store.notes.new_points == places
    assert len(hand.drawn) == 41


def test_an_empty_plane_keeps_the_kernel(hand):
    kernel = KernelSettings("poly", as_values({"degree": 2}))
    hand = hand(replace(SMALL, kernel=kernel))
    gamma = hand.result.kernel.values["gamma"]
    hand.window.actions_table["empty_plane"].trigger()
    hand.settle()
    assert dict(hand.store.settings.kernel.values) == {"degree": 2, "gamma": gamma}
    hand.click(0.2, 0.2)
    hand.click(-0.2, 0.1)
    assert hand.result.kernel.values["gamma"] == gamma


def test_the_drawing_comes_back_among_the_sources(hand):
    hand = hand()
    hand.click(0.5, 0)
    hand.click(0, 0.5)
    drawn = hand.drawn
    combo = hand.window.sidebar.findChild(QComboBox, "source_combo")
    combo.setCurrentIndex(combo.findData("moons"))
    hand.settle()
    assert hand.drawn is None
    assert not hand.drawing.on
    combo.setCurrentIndex(combo.findData(SOURCE))
    hand.settle()
    assert hand.drawn == drawn
    assert hand.result.dataset.n == 2


def test_points_are_pasted_onto_the_paper(hand):
    hand = hand()
    hand.paste("(1,2),(3,4),(5,6)")
    assert hand.drawn.points == ((1, 2), (3, 4), (5, 6))
    assert hand.message() == "3 points were pasted."
    assert hand.store.undo_text == "3 drawn points"
    (x0, x1), (y0, y1) = hand.view.view_range()
    assert x0 < 1 < 5 < x1
    assert y0 < 2 < 6 < y1
    hand.paste("7 8 2; 9 9 3")
    assert hand.drawn.points[3:] == ((7, 8), (9, 9))
    assert hand.drawn.classes[3:] == (1, 2)
    before = hand.store.settings
    hand.paste("1 2; 3 x")
    assert hand.message() == ("“x” in point 2 is no number; write numbers such as 1.5.")
    assert hand.store.settings == before
    hand.paste("")
    assert hand.message().startswith("There are no points on the clipboard")


def test_points_of_any_dimension_begin_a_drawing(hand):
    hand = hand(SMALL)
    hand.paste(
        "1 2 3 4\n5 6 7 8\n9 1 2 3", Key.Key_V, CTRL | Qt.KeyboardModifier.ShiftModifier
    )
    assert hand.result.dataset.points.shape == (3, 4)
    assert not hand.drawing.on
    hand.press(Key.Key_D)
    assert "Drawn points has 4 features" in hand.message()
    hand.undo()
    assert hand.store.settings == SMALL


def test_too_many_points_are_refused_and_the_picture_stays(hand):
    points = np.random.default_rng(0).uniform(-0.1, 0.1, (MOST, 2)).tolist()
    crowd = Drawn().added(points, 0)
    hand = hand(replace(SMALL, data=DataSettings(SOURCE, drawn=crowd)))
    hand.press(Key.Key_D)
    hand.click(0.11, 0.10)
    assert hand.message().startswith("5,001 points are too many to draw")
    assert hand.drawn == crowd


def cell(hand, row, title):
    table = hand.board.compare.views["table"].view
    column = [c.title for c in table.model.columns].index(title)
    return table, table.model.index(row, column)


def field(hand):
    """Return where somebody types."""
    found = hand.window.focusWidget()
    assert isinstance(found, QLineEdit)
    assert found.objectName() == "cell_field"
    return found


def enter(hand, key=Key.Key_Return):
    """Press a key in the field of a cell, which Qt hears of a moment later."""
    table = hand.board.compare.views["table"].view.table
    QTest.keyClick(field(hand), key)
    editing = QAbstractItemView.State.EditingState
    hand.qtbot.waitUntil(lambda: table.state() != editing)
    hand.settle()


def type_into(hand, row, title, text, end=Key.Key_Return):
    table, index = cell(hand, row, title)
    at = table.table.visualRect(index).center()
    QTest.mouseClick(table.table.viewport(), LEFT, NONE, at)
    QTest.mouseDClick(table.table.viewport(), LEFT, NONE, at)
    field(hand).selectAll()
    QTest.keyClicks(field(hand), text)
    enter(hand, end)


def test_numbers_and_classes_are_typed_into_the_table(hand):
    hand = hand()
    hand.paste("(1,2),(3,4),(5,6)")
    hand.board.compare.show_page("table")
    hand.settle()
    assert (
        "double-click a value to type"
        in hand.board.compare.views["table"].view.caption()
    )
    type_into(hand, 1, "x2", "-7,5")
    assert hand.drawn.points[1] == (3, -7.5)
    assert hand.store.undo_text == "move of a point"
    type_into(hand, 2, "label", "cat")
    assert hand.result.dataset.class_text(2) == "cat"
    type_into(hand, 0, "x1", "9", Key.Key_Escape)
    assert hand.drawn.points[0] == (1, 2)
    type_into(hand, 0, "x1", "much")
    assert hand.message() == (
        "“much” is no number, so x1 of row 1 stays as it was; type a number such as "
        "1.5."
    )
    assert hand.drawn.points[0] == (1, 2)
    type_into(hand, 0, "x1", "1e999")
    assert "too far away" in hand.message()
    assert hand.drawn.points[0] == (1, 2)


def test_keys_type_into_the_table_too(hand):
    hand = hand()
    hand.paste("(1,2),(3,4),(5,6)")
    hand.board.compare.show_page("table")
    hand.settle()
    table, index = cell(hand, 0, "x1")
    table.table.setFocus()
    table.table.setCurrentIndex(index)
    # Digits are numbers here, neither classes nor kernels.
    for digit in ("7", "8"):
        QTest.keyClicks(table.table, digit)
        enter(hand)
    assert hand.drawn.points == ((7, 2), (8, 4), (5, 6))
    assert hand.drawn.classes == (0, 0, 0)


def test_data_that_were_not_drawn_offer_a_copy(hand):
    hand = hand(SessionSettings(data=DataSettings("iris")))
    hand.board.compare.show_page("table")
    hand.settle()
    table, index = cell(hand, 0, "sepal length (cm)")
    at = table.table.visualRect(index).center()
    QTest.mouseDClick(table.table.viewport(), LEFT, NONE, at)
    assert hand.message() == (
        "The numbers of Iris stay as they were opened; a copy can be typed into."
    )
    hand.answer("Edit a copy")
    assert hand.drawn.d == 4
    assert hand.result.dataset.name == "Iris, edited"
    type_into(hand, 0, "sepal length (cm)", "99")
    assert hand.result.dataset.points[0, 0] == 99
    assert not hand.drawing.on


def test_controls_have_names(hand):
    hand = hand()
    bar = hand.board.drawing.bar
    for control in (bar.tools, bar.classes, hand.board.drawing.button):
        assert control.objectName()
        assert control.accessibleName()
    assert bar.classes.toolTip()
    assert bar.isVisible()
    arrow = Qt.CursorShape.ArrowCursor
    shapes = []
    for tool in ("pencil", "brush", "eraser"):
        hand.choose(tool)
        assert hand.paper.cursor().shape() != arrow
        shapes.append(hand.paper.cursor().pixmap().toImage())
    assert shapes[0] != shapes[1] != shapes[2]
    hand.press(Key.Key_Escape)
    assert hand.paper.cursor().shape() == arrow
    assert not bar.isVisible()
    assert not hand.view.canvas.has_pointer_tool
