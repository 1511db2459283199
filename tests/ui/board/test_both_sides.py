"""The page of both sides: typed, dragged, of rows, of any kernel."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, KernelSettings, as_values
from kpca_viewer.widgets.controls import NumberField
from tests.ui.board.lifting import IRIS, SMALL, drag_marker

SQUARE = KernelSettings("poly", as_values({"gamma": 1, "coef0": 0, "degree": 2}))
WRONG_MAP = "1, sqrt(2) x1, sqrt(2)*x2, x1^2, x2**2, x1 x2"
PAIR = ((1.0, 2.0), (3.0, 4.0))


@pytest.fixture
def window(window):
    window.board.compare.show_page("both_sides")
    return window


def label(window, name):
    view = window.board.compare.views["both_sides"].view
    return view.findChild(QLabel, f"both_sides_{name}")


def said(window, name):
    return label(window, name).text()


@pytest.mark.journey
def test_it_begins_with_two_points_of_the_data(window):
    markers = window.plot.area.markers
    assert [m.label for m in markers] == ["a", "b"]
    a, b = (marker.position for marker in markers)
    points = window.board.scene.result.dataset.points
    for place in (a, b):
        assert np.abs(points - place).max(axis=1).min() < 0.02
    k = np.dot(a, b) + np.dot(a, a) * np.dot(b, b)
    assert said(window, "phi_a").startswith("(")
    assert "k(x, y) = xᵀy + ‖x‖²‖y‖²" in said(window, "kernel")
    assert float(plain(said(window, "value"))) == pytest.approx(k, rel=1e-12)
    assert float(plain(said(window, "product"))) == pytest.approx(k, rel=1e-12)
    assert "3 coordinates" in said(window, "size")
    assert window.steps == []


def plain(text):
    """Without the marks of digits that differ."""
    while "<" in text:
        head, _, rest = text.partition("<")
        text = head + rest.partition(">")[2]
    return text.replace("−", "-")


@pytest.mark.journey
def test_the_numbers_of_the_lecture_text(window):
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    assert plain(said(window, "value")) == "121.00000000000000"
    assert said(window, "phi_a") == "(1, 2.828, 4)"
    assert said(window, "phi_b") == "(9, 16.97, 16)"
    assert said(window, "map_count") == "13 operations: 11 ×, 2 +"
    assert said(window, "kernel_count") == "4 operations: 3 ×, 1 +"
    assert said(window, "agreement").startswith("Equal")
    assert said(window, "cost") == ""
    window.with_view(replace(SMALL, kernel=KernelSettings("paraboloid")), pair=PAIR)
    assert "both ways cost the same" in said(window, "cost")


@pytest.mark.journey
def test_a_typed_number_moves_the_point(window):
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    view = window.board.compare.views["both_sides"].view
    field = view.findChild(NumberField, "pair_b_y_field")
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


@pytest.mark.journey
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


@pytest.mark.journey
def test_behind_another_page_there_are_no_points_to_drag(window):
    window.with_view(pair=PAIR)
    window.board.compare.show_page("gram")
    assert window.plot.area.markers == ()
    assert window.view.pair == PAIR
    window.board.compare.show_page("both_sides")
    assert [m.position for m in window.plot.area.markers] == list(PAIR)


def test_an_infinite_map_is_not_written_out(window):
    window.with_view(replace(SMALL, kernel=KernelSettings("rbf")), pair=PAIR)
    assert "infinitely many coordinates" in said(window, "map")
    assert not label(window, "product").isVisible()
    gamma = window.board.scene.result.kernel.values["gamma"]
    assert float(plain(said(window, "value")).split("·")[0]) > 0
    assert str(round(gamma, 3)) in said(window, "kernel")
    assert said(window, "agreement") == ""


@pytest.mark.journey
def test_rows_of_any_data_are_compared_where_no_plane_is(window):
    cubic = KernelSettings("poly", as_values({"gamma": 1, "coef0": 1, "degree": 3}))
    window.show(replace(IRIS, kernel=cubic))
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
    window.show(SMALL)
    assert said(window, "rows") == ""


@pytest.mark.journey
def test_where_the_kernel_has_no_value_it_says_so(window):
    window.with_view(
        replace(SMALL, kernel=KernelSettings("cosine")), pair=((0.0, 0.0), (1.0, 1.0))
    )
    assert "all zeros" in said(window, "said")
    window.with_view(
        replace(SMALL, kernel=KernelSettings("cosine")), pair=((0.5, 0.0), (1.0, 1.0))
    )
    assert not label(window, "said").isVisible()


@pytest.mark.journey
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


def test_one_point_alone_meets_itself(window):
    window.show(replace(SMALL, data=DataSettings("three_points")))
    assert said(window, "agreement") == "Equal in all digits."


@pytest.mark.journey
def test_a_typed_map_is_compared_digit_by_digit(window):
    kernel = KernelSettings("poly", as_values({"gamma": 1, "coef0": 1, "degree": 2}))
    window.with_view(replace(SMALL, kernel=kernel), pair=PAIR)
    page = window.board.compare.views["both_sides"]
    own = page.view.own
    assert own.collapsed()
    own.header.click()
    QTest.keyClicks(own.field, WRONG_MAP)
    assert window.view.own_map == WRONG_MAP
    assert "<u" in own.product.text()
    assert "120" in plain(own.product.text())
    assert own.words.text() == (
        "Not a φ of k yet: k(a, b) = 144, and they differ by 24."
    )
    own.field.setCursorPosition(WRONG_MAP.rindex("x1"))
    QTest.keyClicks(own.field, "sqrt(2) ")
    assert "<u" not in own.product.text()
    assert own.words.text().startswith("This is a φ of k")
    QTest.keyClicks(own.field, "$")
    assert "“$” is not read" in own.words.text()
    assert not own.product.isVisible()


@pytest.mark.journey
def test_sizes_follow_what_is_typed(window):
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    sizes = window.board.compare.views["both_sides"].view.sizes
    sizes.header.click()
    for name, text in (("d", "1000"), ("p", "5")):
        field = sizes.findChild(NumberField, f"size_{name}_field")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert "8,459,043,543,951" in sizes.size_words.text()
    assert sizes.sizes().m == 8_459_043_543_951


@pytest.mark.journey
def test_the_infinite_map_shows_its_first_coordinates(window):
    gaussian = KernelSettings("rbf", (("gamma", 0.5),))
    window.with_view(replace(SMALL, kernel=gaussian), pair=((1.0, 2.0), (0.5, 1.0)))
    words = said(window, "taylor")
    assert "φ(a) = (0.08208, 0.08208, 0.1642, …)" in words
    assert "3 coordinates: 0.1538, off by 0.38" in words
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    assert said(window, "taylor") == ""
    assert not label(window, "taylor").isVisible()


@pytest.mark.journey
def test_a_lesson_covers_a_number(window):
    window.with_view(replace(SMALL, kernel=SQUARE), pair=PAIR)
    page = window.board.compare.views["both_sides"]
    page.cover("side:value")
    assert said(window, "value") == "?"
    page.uncover("side:value")
    assert plain(said(window, "value")) == "121.00000000000000"
    with pytest.raises(KeyError):
        page.cover("side:nothing")
