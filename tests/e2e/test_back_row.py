"""Seen from the last row, and on small screens."""

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QTableView, QWidget

from kpca_viewer.features.derivation.grid_painter import STRONG_TINTS
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.plots.coloring import diverging, diverging_index
from kpca_viewer.widgets.plots.text import FONT_PIXELS, plot_font
from kpca_viewer.widgets.theme import (
    DARK,
    LIGHT,
    font_sizes,
    presented,
    presenting_scale,
)
from kpca_viewer.window.main_window import FRAME, SIZE
from tests.e2e.program import CTRL
from tests.ui.look.test_theme import contrast

KEY = Qt.Key


@pytest.mark.parametrize("height", [720, 768, 1080, 1440, 2160])
def test_the_least_type_is_a_share_of_the_screen(qapp, height):
    scale = presenting_scale(height)
    least = min(font_sizes(scale).small, round(FONT_PIXELS * scale))
    assert least >= max(16, 0.022 * height)


def test_captions_tables_and_digits_are_that_large(program):
    program.present()
    program.board.compare.show_page("table")
    program.settle()
    least = 0.022 * program.window.screen().size().height()
    caption = program.board.embedding.findChild(QLabel, "panel_caption")
    table = program.board.compare.findChild(QTableView)
    sizes = [
        plot_font().pixelSize(),
        caption.fontInfo().pixelSize(),
        table.fontInfo().pixelSize(),
        table.horizontalHeader().fontInfo().pixelSize(),
    ]
    assert min(sizes) >= least


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_grid_and_strongest_tints_can_be_seen(theme):
    seen = presented(theme)
    depth, strength = STRONG_TINTS[theme.name]
    card = np.array(QColor(theme.card).getRgb()[:3])
    assert contrast(seen.border, theme.card) >= 3
    for sign in (-1, 1):
        index = diverging_index(np.array([sign * depth]), 1.0)
        tint = card + strength * (diverging(seen)[index][0] - card)
        color = QColor(*np.rint(tint).astype(int).tolist())
        assert contrast(color, theme.card) >= 3
        assert contrast(theme.text, color) >= 4


def test_the_class_sees_kernel_slider_and_verdict(program):
    program.present()
    assert program.find(QComboBox, "kernel_combo").isVisible()
    assert program.find(QLabel, "verdict_label").isVisible()
    slider = program.find(ValueSlider, "gamma_slider")
    before = program.result.kernel.values["gamma"]
    QTest.keyClick(slider, KEY.Key_PageUp)
    program.until(lambda: program.result.kernel.values["gamma"] > before)
    program.press(KEY.Key_C)
    program.settle()
    assert "Not centred" in program.board.embedding.strip()
    # A kernel without a parameter has its formula in that place.
    program.press(KEY.Key_1)
    program.settle()
    assert program.window.kernel_bar.findChild(ValueSlider) is None
    assert program.find(QWidget, "bar_formula").isVisible()


def test_control_and_plus_change_the_type_and_no_plot(program, restart):
    view = program.board.embedding.view
    caption = program.board.embedding.findChild(QLabel, "panel_caption")
    before, seen = caption.fontInfo().pixelSize(), view.view_range()
    digits = plot_font().pixelSize()
    for _ in range(3):
        program.press(KEY.Key_Plus, CTRL, on=view.canvas)
    assert caption.fontInfo().pixelSize() > before
    assert plot_font().pixelSize() > digits
    assert not view.zoomed
    again = restart(program)
    caption = again.board.embedding.findChild(QLabel, "panel_caption")
    assert caption.fontInfo().pixelSize() > before
    for _ in range(3):
        again.press(KEY.Key_Minus, CTRL)
    assert caption.fontInfo().pixelSize() == before
    again.press(KEY.Key_Equal, CTRL)
    again.press(KEY.Key_0, CTRL | Qt.KeyboardModifier.AltModifier)
    assert caption.fontInfo().pixelSize() == before
    assert seen is not None


def press_space(program) -> None:
    """Press Space as the window system does: the window gets it first."""
    QTest.keyClick(program.window.windowHandle(), KEY.Key_Space)


def test_space_plays_wherever_nobody_writes(program):
    strip = program.strip
    button = program.board.embedding.dimensions.button("3d")
    QTest.mouseClick(
        program.window.windowHandle(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        button.mapTo(program.window, button.rect().center()),
    )
    button.setFocus()
    program.settle()
    press_space(program)
    program.until(lambda: strip.state() in ("running", "done"))
    assert button.isChecked()


def test_space_is_written_in_fields_and_presses_what_tab_has_found(program):
    strip = program.strip
    program.find(QWidget, "gamma_field").setFocus()
    press_space(program)
    assert strip.state() == "idle"
    pages = program.board.compare.pages
    QTest.keyClick(program.window.windowHandle(), KEY.Key_Tab)
    pages.button("table").setFocus(Qt.FocusReason.TabFocusReason)
    press_space(program)
    assert program.board.compare.pages.value() == "table"
    assert strip.state() == "idle"


def test_the_first_window_is_no_larger_than_the_screen(program):
    window = program.window
    window.fit_screen()
    room = window.screen().availableGeometry().marginsRemoved(FRAME).size()
    expected = QSize(*SIZE).boundedTo(room).expandedTo(window.minimumSize())
    assert window.size() == expected
    # On a screen of 1440 × 900 at 150 % there are 960 × 600 points.
    assert window.minimumSize().width() <= 960 - FRAME.left() - FRAME.right()
    assert window.minimumSize().height() <= 600 - FRAME.top() - FRAME.bottom()
    assert window.minimumSizeHint().width() <= 960 - FRAME.left() - FRAME.right()
    assert window.minimumSizeHint().height() <= 600 - FRAME.top()


def test_starting_over_keeps_a_maximised_window(program):
    program.window.showMaximized()
    program.action("start_over").trigger()
    program.settle()
    assert program.window.isMaximized()
