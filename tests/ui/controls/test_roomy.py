"""Dialogs have room for larger type, but no more than the screen."""

import pytest
from PySide6.QtWidgets import QDialog

from kpca_viewer.widgets.controls import resize_for_type, type_factor
from kpca_viewer.widgets.controls.behaviour import MARGIN


@pytest.mark.parametrize(("pixels", "factor"), [(10, 1), (13, 1), (26, 2), (52, 4)])
def test_a_dialog_grows_with_its_type(qtbot, pixels, factor):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    font = dialog.font()
    font.setPixelSize(pixels)
    dialog.setFont(font)
    assert type_factor(dialog) == pytest.approx(factor, abs=0.05)
    resize_for_type(dialog, 300, 200)
    screen = dialog.screen().availableSize()
    assert dialog.width() == min(300 * factor, screen.width() - MARGIN)
    assert dialog.height() == min(200 * factor, screen.height() - MARGIN)


def test_a_dialog_is_never_larger_than_the_screen(qtbot):
    """Its page scrolls; the buttons below it would be out of reach."""
    dialog = QDialog()
    qtbot.addWidget(dialog)
    resize_for_type(dialog, 30_000, 20_000)
    screen = dialog.screen().availableSize()
    assert dialog.width() == screen.width() - MARGIN
    assert dialog.height() == screen.height() - MARGIN
