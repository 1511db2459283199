"""A teacher lifts the rings, lets the map's kernel compute and compares two points."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.e2e.program import CTRL, Program

Key = Qt.Key


def test_the_rings_are_lifted_by_keys(program: Program):
    board, data = program.board, program.board.data
    program.focus(data.view.canvas)
    program.press(Key.Key_L)
    program.settle()
    assert program.settings.view.lift == "paraboloid"
    assert program.action("lift").isChecked()
    assert not data.view.is_flat
    assert "RBF kernel that computes has another map" in program.caption("data")
    # Its kernel computes from here on, and the third component tells the rings apart.
    board.lift.bar.use_kernel.click()
    program.settle()
    assert program.result.kernel.family.name == "paraboloid"
    assert "PC 3 alone tells the classes apart best: 100 %" in program.caption("data")
    # Without centring the cloud stands on the origin.
    program.press(Key.Key_C)
    program.settle()
    assert "from the origin (not centred)" in program.caption("data")
    program.press(Key.Key_B)
    program.settle()
    window = board.both_sides.window
    assert window is not None
    assert window.isVisible()
    said = window.findChild(QLabel, "both_sides_agreement").text()
    assert said.startswith("Equal")
    window.close()
    program.settle()
    assert program.settings.view.pair is None
    # Every step can be taken back.
    for _ in range(5):
        # Nobody gives the keys back here when the other window goes.
        program.activate()
        program.press(Key.Key_Z, CTRL)
        program.settle()
    assert program.settings.view.lift == ""
    assert program.settings.analysis.center
    assert program.settings.kernel.family == "rbf"
    assert data.view.is_flat
