"""A number that is typed and not entered belongs to its field, and goes with it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kpca_viewer.widgets.controls import NumberField
from tests.e2e.program import SMALL


def test_undo_takes_a_field_away_with_what_is_typed_in_it(start):
    program = start(SMALL)
    program.press(Qt.Key.Key_3)
    program.press(Qt.Key.Key_4)
    program.settle()
    program.press(Qt.Key.Key_C)
    program.settle()
    # A button of the toolbar does not take the focus.
    field = program.find(NumberField, "gamma_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7.5")
    steps = []
    for _ in range(2):
        program.action("undo").trigger()
        steps.append(program.settings)
        program.settle()
        assert program.settings == steps[-1]
    assert program.settings.kernel.values == ()
    for _ in range(2):
        program.action("redo").trigger()
    assert program.settings.kernel.values == ()
    assert not program.settings.analysis.center


def test_a_field_that_is_switched_off_takes_nothing(start):
    program = start(SMALL)
    field = program.find(NumberField, "gamma_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7.5")
    before = program.settings
    field.setEnabled(False)
    assert program.settings == before
    field.setEnabled(True)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7.5")
    program.window.sidebar.hide()
    assert program.settings == before
