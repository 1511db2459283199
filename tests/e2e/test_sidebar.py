"""The sidebar under the hands: the wheel, undo and wrong numbers."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from tests.e2e.program import CTRL, SHIFT


def enter_number(program, name: str, text: str) -> QWidget:
    """Click into a field, type over what is there and press Enter."""
    field = program.find(QWidget, name)
    program.click(field)
    program.press(Qt.Key.Key_A, CTRL)
    program.type(text)
    program.press(Qt.Key.Key_Return)
    program.settle()
    return field


def test_scrolling_the_sidebar_changes_nothing(program):
    program.window.resize(1366, 600)
    sidebar, before = program.window.sidebar, program.settings
    combo = program.find(QComboBox, "kernel_combo")
    card = combo.parentWidget()
    while card.objectName() != "kernel_card":
        card = card.parentWidget()
    # Between the cards, from where the kernel slides under the pointer.
    at = card.mapTo(program.window, QPoint(card.width() - 60, -4))
    QTest.mouseMove(program.window.windowHandle(), at)
    for _ in range(12):
        QTest.wheelEvent(program.window.windowHandle(), QPointF(at), QPoint(0, -120))
    bar = sidebar.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    assert program.settings == before
    assert not combo.hasFocus()


def test_undo_after_a_number_was_typed(program):
    suggested = program.result.kernel.values["gamma"]
    field = enter_number(program, "gamma_field", "7.25")
    assert program.result.kernel.values["gamma"] == 7.25
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.result.kernel.values["gamma"] == suggested
    assert field.text() != "7.25"
    program.press(Qt.Key.Key_Z, CTRL | SHIFT)
    program.settle()
    assert field.text() == "7.25"


def test_undo_of_what_is_half_typed_stays_in_the_field(program):
    field = enter_number(program, "gamma_field", "7.25")
    program.type("8")
    program.press(Qt.Key.Key_Z, CTRL)
    assert field.text() == "7.25"
    assert dict(program.settings.kernel.values) == {"gamma": 7.25}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("gamma_field", "0", "Gamma γ must be between 1e-10 and 1e9; it stays 2."),
        ("gamma_field", "2/3", "“2/3” is not a number; Gamma γ stays 2."),
        (
            "samples_field",
            "50000",
            "Samples n must be between 3 and 20,000; it stays 400.",
        ),
        (
            "sweep_steps_field",
            "0",
            "Sweep steps must be between 1 and 500; it stays 30.",
        ),
        ("seed_field", "-1", "Seed must be between 0 and 999,999; it stays 0."),
    ],
)
def test_a_wrong_number_is_said(program, name, text, sentence):
    enter_number(program, "gamma_field", "2")
    before = program.settings
    enter_number(program, name, text)
    assert program.message() == sentence
    assert program.settings == before
    enter_number(program, "gamma_field", "3")
    assert program.message() == "", "the message outlived its reason"
