"""The window of both sides: typed, dragged, closed, of rows, of any kernel."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, KernelSettings, as_values
from kpca_viewer.widgets.controls import NumberField
from kpca_viewer.window.board import Board
from tests.ui.board.lifting import IRIS, SMALL, drag_marker

SQUARE = KernelSettings("poly", as_values({"gamma": 1, "coef0": 0, "degree": 2}))
PAIR = ((1.0, 2.0), (3.0, 4.0))


def said(window, name):
    return shown(window).findChild(QLabel, f"both_sides_{name}").text()


def shown(window):
    tool = window.board.both_sides
    assert tool.window is not None
    assert tool.window.isVisible()
    return tool.window


def test_a_press_opens_it_with_two_points_of_the_data(window):
    window.press("lift")
    QTest.mouseClick(window.bar.both_sides, Qt.MouseButton.LeftButton)
    a, b = window.view.pair
    points = window.board.scene.result.dataset.points
    for place in (a, b):
        assert np.abs(points - place).max(axis=1).min() < 0.02
    assert [m.label for m in window.plot.area.markers] == ["a", "b"]
    k = np.dot(a, b) + np.dot(a, a) * np.dot(b, b)
    assert said(window, "phi_a").startswith("(")
    assert "k(x, y) = xᵀy + ‖x‖²‖y‖²" in said(window, "kernel")
    assert float(plain(said(window, "value"))) == pytest.approx(k, rel=1e-12)
    assert float(plain(said(window, "product"))) == pytest.approx(k, rel=1e-12)
    assert "3 coordinates" in said(window, "size")


def plain(text):
    """Without the marks of digits that differ."""
    while "<" in text:
        head, _, rest = text.partition("<")
        text = head + rest.partition(">")[2]
    return text.replace("−", "-")


def test_the_numbers_of_the_lecture_text(window):
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    assert plain(said(window, "value")) == "121.00000000000000"
    assert said(window, "phi_a") == "(1, 2.828, 4)"
    assert said(window, "phi_b") == "(9, 16.97, 16)"
    assert said(window, "map_count") == "13 operations: 11 ×, 2 +"
    assert said(window, "kernel_count") == "4 operations: 3 ×, 1 +"
    assert said(window, "agreement").startswith("Equal")


def test_a_typed_number_moves_the_point(window):
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    field = shown(window).findChild(NumberField, "pair_b_y_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "-1.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.view.pair == ((1.0, 2.0), (3.0, -1.5))
    assert float(plain(said(window, "value"))) == 0.0
    field.selectAll()
    QTest.keyClicks(field, "nonsense")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "is not a number" in window.refusals[-1]
    assert window.view.pair == ((1.0, 2.0), (3.0, -1.5))


@pytest.mark.parametrize("lift", ["", "paraboloid", "components"])
def test_a_drag_in_the_plot_is_one_step(window, lift):
    window.with_view(lift=lift, pair=((0.5, -0.6), (-0.4, 0.2)))
    window.steps.clear()
    drag_marker(window, 1, QPoint(18, 6))
    a, b = window.view.pair
    assert a == (0.5, -0.6)
    assert b != (-0.4, 0.2)
    assert set(window.steps) == {"point 1 of both sides", None}
    assert window.steps[-1] is None
    assert window.steps.count(None) == 1
    k = np.dot(a, b) + np.dot(a, a) * np.dot(b, b)
    assert float(plain(said(window, "value"))) == pytest.approx(k, rel=1e-12)


def test_it_stands_beside_the_plot_whose_points_are_dragged(window):
    window.with_view(pair=PAIR)
    plot = window.plot
    edge = plot.mapToGlobal(plot.rect().topRight()).x()
    room = plot.screen().availableGeometry()
    opened = shown(window)
    assert opened.x() > edge or opened.geometry().right() >= room.right() - 1


def test_closing_it_takes_the_points_away(window):
    window.with_view(pair=PAIR)
    QTest.keyClick(shown(window), Qt.Key.Key_Escape)
    assert window.view.pair is None
    assert not window.board.both_sides.window.isVisible()
    assert window.plot.area.markers == ()


def test_undoing_the_opening_closes_it(window):
    window.with_view(pair=PAIR)
    opened = shown(window)
    window.steps.clear()
    window.with_view(pair=None)
    assert not opened.isVisible()
    assert window.steps == []


def test_an_infinite_map_is_not_written_out(window):
    window.with_view(replace(SMALL, kernel=KernelSettings("rbf")), pair=PAIR)
    assert "infinitely many coordinates" in said(window, "map")
    assert not shown(window).findChild(QLabel, "both_sides_product").isVisible()
    gamma = window.board.scene.result.kernel.values["gamma"]
    assert float(plain(said(window, "value")).split("·")[0]) > 0
    assert str(round(gamma, 3)) in said(window, "kernel")
    assert said(window, "agreement") == ""


def test_rows_of_any_data_are_compared_where_no_plane_is(window):
    cubic = KernelSettings("poly", as_values({"gamma": 1, "coef0": 1, "degree": 3}))
    window.show(replace(IRIS, kernel=cubic))
    window.board.both_sides.open()
    X = window.board.scene.result.points.X
    labels = window.board.scene.result.dataset.labels
    other = int(np.flatnonzero(labels != labels[0])[0])
    assert said(window, "size") == "φ has C(4 + 3, 3) = 35 coordinates."
    assert float(plain(said(window, "value"))) == pytest.approx(
        (1 + X[0] @ X[other]) ** 3, rel=1e-12
    )
    mask = np.zeros(len(X), dtype=bool)
    mask[[3, 70]] = True
    window.board.linking.apply_selection(mask, "replace")
    assert float(plain(said(window, "value"))) == pytest.approx(
        (1 + X[3] @ X[70]) ** 3, rel=1e-12
    )
    assert "select two rows" in said(window, "rows")
    # Plane data have their own points, which nobody has asked for.
    window.show(SMALL)
    assert not window.board.both_sides.window.isVisible()


def test_where_the_kernel_has_no_value_it_says_so(window):
    window.with_view(
        replace(SMALL, kernel=KernelSettings("cosine")), pair=((0.0, 0.0), (1.0, 1.0))
    )
    assert "all zeros" in said(window, "said")
    window.with_view(
        replace(SMALL, kernel=KernelSettings("cosine")), pair=((0.5, 0.0), (1.0, 1.0))
    )
    assert not shown(window).findChild(QLabel, "both_sides_said").isVisible()


def test_scaled_data_say_what_the_kernel_sees(window):
    scaled = replace(SMALL.data, scaling="standardise")
    window.with_view(replace(SMALL, data=scaled), pair=((0.5, -0.6), (-0.4, 0.2)))
    result = window.board.scene.result
    a, b = result.scaler.apply(np.array(window.view.pair))
    k = a @ b + (a @ a) * (b @ b)
    assert float(plain(said(window, "value"))) == pytest.approx(k, rel=1e-12)
    assert "Scaled, as the kernel sees them" in said(window, "rows")


def test_new_points_keep_their_numbers_beside_the_two(window):
    board = window.board
    board.show_scene(board.scene.changed(notes=Notes(new_points=((0.1, 0.2),))))
    window.with_view(pair=((0.5, -0.6), (-0.4, 0.2)))
    assert [m.label for m in window.plot.area.markers] == ["new 1", "a", "b"]
    drag_marker(window, 0, QPoint(10, 4))
    assert board.scene.notes.new_points != ((0.1, 0.2),)
    assert window.view.pair == ((0.5, -0.6), (-0.4, 0.2))


def test_a_board_that_nobody_sees_opens_nothing(qtbot, answer):
    board = Board()
    qtbot.addWidget(board)
    settings = replace(SMALL, view=replace(SMALL.view, pair=PAIR))
    board.show_scene(board.scene.changed(result=answer(SMALL), settings=settings))
    board.settle()
    assert board.both_sides.window is None
    assert [m.label for m in board.data.view.area.markers] == ["a", "b"]


def test_one_point_alone_meets_itself(window):
    window.show(replace(SMALL, data=DataSettings("three_points")))
    window.board.both_sides.open()
    assert window.view.pair is not None
    assert said(window, "agreement") == "Equal in all digits."
