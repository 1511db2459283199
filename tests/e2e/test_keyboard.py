"""The journeys without a mouse: every step by a key, and the eye can follow."""

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QTableView,
    QWidget,
    QWidgetItem,
)

from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.widgets.controls import Segmented, Switch
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.window.keyboard import stops
from tests.e2e.program import CTRL, NO_KEY, SHIFT, Program

Key = Qt.Key


def test_the_first_minute(program: Program):
    program.focus(program.find(QWidget, "first_card_close"))
    program.press(Key.Key_Space)
    assert program.window.findChild(QWidget, "first_card").isHidden()
    program.focus(program.find(ValueSlider, "gamma_slider"))
    program.press(Key.Key_Home)
    program.settle()
    assert "Neither separates the classes" in program.verdict()
    program.press(Key.Key_Z, CTRL)
    program.settle()
    assert ": kernel 100 %" in program.verdict()


def test_the_lesson(program: Program):
    program.present()
    assert program.action("present").isChecked()
    # What does linear PCA do?
    program.press(Key.Key_1)
    program.settle()
    assert program.result.kernel.family.name == "linear"
    program.press(Key.Key_3)
    program.settle()
    assert program.result.kernel.family.name == "rbf"
    # Without centring the first component is the mean, seen in the kernel matrix.
    program.press(Key.Key_2, CTRL | SHIFT)
    gram = program.find(GramView, "gram_view")
    program.press(Key.Key_F9)
    program.focus(program.find(Switch, "center_switch"))
    program.press(Key.Key_Space)
    program.settle()
    assert gram.matrix().min() >= 0
    assert program.result.mean.cosine > 0.9
    program.press(Key.Key_Space)
    program.settle()
    # A new point is dropped and dragged through the rings.
    program.press(Key.Key_N)
    program.focus(program.board.data.view.canvas)
    before = program.board.embedding.view.area.markers[0].position
    for _ in range(4):
        program.press(Key.Key_Right, CTRL)
    assert program.board.embedding.view.area.markers[0].position != before
    # The three-point example, an entry of K by hand.
    program.choose_by_keys("source_combo", "Three points")
    program.settle()
    program.choose_by_keys("kernel_combo", "Polynomial")
    program.settle()
    for name, text in (("gamma", "1"), ("degree", "2"), ("coef0", "0")):
        program.focus(program.find(QWidget, f"{name}_field"))
        program.type(text)
        program.press(Key.Key_Return)
    program.settle()
    program.focus(program.find(Segmented, "gram_centring").button("centred"))
    program.press(Key.Key_Left)
    program.focus(gram)
    program.press(Key.Key_Right)
    program.press(Key.Key_Right)
    assert gram.label_lines()[0] == "k(a, b) = 0"
    assert program.board.linking.hovered == 0
    assert program.board.linking.partner == 1
    assert program.board.data.view.area.cloud.lit == (1, 0)
    program.press(Key.Key_F11)
    assert not program.window.isFullScreen()


def test_tab_follows_the_eye_after_rows_have_changed(program: Program):
    program.choose_by_keys("source_combo", "Blobs")
    program.settle()
    program.action("kernel_poly").trigger()
    program.settle()
    names = [stop.objectName() for stop in stops(program.window)]
    rows = ["source_combo", "samples_slider", "samples_field", "seed_field"]
    extras = ["gamma_slider", "gamma_field", "coef0_field"]
    kernel = ["kernel_combo", "degree_slider", "degree_field"]
    plots = ["color_combo", "embedding_view_canvas", "data_view_canvas"]
    expected = [*rows, *extras, *kernel, *plots, "spectrum_view"]
    assert [name for name in names if name in expected] == expected


def test_tab_goes_around_in_both_directions(program: Program):
    reachable = stops(program.window)
    walked = []
    for _ in reachable:
        program.press(Key.Key_Tab)
        walked.append(program.window.focusWidget())
    assert set(walked) == set(reachable)
    program.press(Key.Key_Backtab)
    assert program.window.focusWidget() is walked[-2]


def test_tab_keeps_no_places_that_qt_will_delete(program: Program):
    def places() -> int:
        known = shiboken6.getAllValidWrappers()
        return sum(isinstance(each, QWidgetItem) for each in known)

    before = places()
    for _ in range(3):
        program.press(Qt.Key.Key_Tab)
    assert places() == before


def test_f6_goes_from_area_to_area(program: Program):
    seen = []
    for _ in range(7):
        program.press(Key.Key_F6)
        seen.append(program.window.focusWidget().objectName())
    at = seen.index("data_view_canvas")
    around = seen[at:] + seen[:at]
    assert around[:4] == [
        "data_view_canvas",
        "embedding_view_canvas",
        "spectrum_view",
        "pca_view_canvas",
    ]
    assert len(set(seen)) == 7
    program.press(Key.Key_F6, SHIFT)
    assert program.window.focusWidget().objectName() == seen[-2]


def test_the_plot_that_has_the_keys_is_framed(program: Program):
    accent = program.viewer.theme.accent.lower()
    for name in ("data", "embedding", "pca", "spectrum", "gram"):
        if name == "gram":
            program.press(Key.Key_2, CTRL | SHIFT)
        plot = program.find(QWidget, f"{name}_view")
        target = getattr(plot, "canvas", plot)
        program.click(target)
        assert not target.focus_mark.shown, "a hand on the mouse knows where it is"
        program.focus(program.find(QComboBox, "source_combo"))
        plain = plot.grab().toImage()
        program.focus(target)
        framed = plot.grab().toImage()
        assert framed.pixelColor(plot.width() // 2, 2).name() == accent, name
        assert plain.pixelColor(plot.width() // 2, 2).name() != accent, name


def test_keys_move_zoom_and_turn_the_embedding(program: Program):
    view = program.board.embedding.view
    program.focus(view.canvas)
    (x0, x1), (y0, y1) = view.view_range()
    program.press(Key.Key_Right, SHIFT)
    program.press(Key.Key_Up, SHIFT)
    assert view.view_range()[0][0] > x0
    assert view.view_range()[1][0] > y0
    program.press(Key.Key_Plus)
    low, high = view.view_range()[0]
    assert high - low < x1 - x0
    program.press(Key.Key_0, CTRL)
    assert np.allclose(view.view_range(), ((x0, x1), (y0, y1)))
    program.press(Key.Key_T)
    before = view.camera
    program.press(Key.Key_Right, SHIFT)
    program.press(Key.Key_Minus)
    assert view.camera.azimuth > before.azimuth
    assert view.camera.zoom < before.zoom


def test_the_point_that_keys_were_at_is_left_with_the_plot(program: Program):
    program.focus(program.board.embedding.view.canvas)
    program.press(Key.Key_Right)
    assert program.board.linking.hovered is not None
    program.press(Key.Key_Tab)
    assert program.board.linking.hovered is None


def test_the_copied_picture_has_neither_focus_nor_hover(program: Program, qapp):
    view = program.board.embedding.view
    program.press(Key.Key_C, CTRL | SHIFT)
    plain = qapp.clipboard().pixmap().toImage()
    program.focus(view.canvas)
    program.press(Key.Key_Right)
    program.press(Key.Key_C, CTRL | SHIFT)
    assert qapp.clipboard().pixmap().toImage() == plain
    assert plain.size() == view.size() * view.devicePixelRatio()


@pytest.mark.parametrize("by_key", [False, True])
def test_the_keys_go_to_a_plot_when_what_had_them_is_gone(program: Program, by_key):
    button = program.find(QWidget, "first_card_close")
    if by_key:
        program.focus(button)
        program.press(Key.Key_Space)
    else:
        program.click(button)
    canvas = program.board.embedding.view.canvas
    assert program.window.focusWidget() is canvas
    assert not canvas.focus_mark.shown
    program.focus(program.board.spectrum.view)
    program.board.show_workspace("explain")
    assert program.window.focusWidget() is canvas


def test_tab_goes_on_from_where_a_click_was(program: Program):
    program.click(program.find(QWidget, "legend_entry_1"))
    program.press(Key.Key_Tab)
    # The next below the legend.
    assert program.window.focusWidget() is program.find(QWidget, "color_combo")


def test_letters_act_only_where_nothing_is_written_or_listed(program: Program):
    first = program.settings
    program.action("page_table").trigger()
    program.settle()
    table = program.find(QTableView, "table_cells")
    combo = program.find(QComboBox, "color_combo")
    chosen = combo.currentIndex()
    for widget, keys in (
        (table, (Key.Key_C, Key.Key_1, Key.Key_L)),
        (combo, (Key.Key_L, Key.Key_N, Key.Key_1)),
    ):
        widget.setFocus()
        if widget is table:
            table.setCurrentIndex(table.model().index(3, 0))
        for key in keys:
            program.press(key)
    assert program.settings == first
    assert combo.currentIndex() == chosen
    # And so does every other list of the window.
    lists = program.window.findChildren(QAbstractItemView)
    for each in [*lists, *program.window.findChildren(QComboBox)]:
        takes_keys = each.focusPolicy() != Qt.FocusPolicy.NoFocus
        if each.window() is program.window and takes_keys:
            letter = QKeyEvent(QEvent.Type.ShortcutOverride, Key.Key_C, NO_KEY, "c")
            letter.ignore()
            QApplication.sendEvent(each, letter)
            assert letter.isAccepted(), each.objectName()
    # Typed into a cell, a letter is the first of its name.
    table.setFocus()
    table.setCurrentIndex(table.model().index(3, 1))
    program.press(Key.Key_C)
    assert program.window.focusWidget().text() == "c"
    program.press(Key.Key_Escape)
    program.board.embedding.view.canvas.setFocus()
    program.press(Key.Key_C)
    assert not program.settings.analysis.center


def test_letters_can_be_switched_off(program: Program, restart):
    program.board.embedding.view.canvas.setFocus()
    program.action("letter_keys").trigger()
    program.press(Key.Key_C)
    assert program.settings.analysis.center
    program.press(Key.Key_F9)
    assert not program.action("controls").isChecked(), "other keys still act"
    again = restart(program)
    again.board.embedding.view.canvas.setFocus()
    again.press(Key.Key_C)
    assert again.settings.analysis.center
    again.action("letter_keys").trigger()
    again.press(Key.Key_C)
    assert not again.settings.analysis.center
