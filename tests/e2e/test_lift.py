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
    assert "RBF kernel has another map" in program.caption("data")
    # Its kernel computes from here on, and the third component tells the rings apart.
    board.lift.bar.use_kernel.click()
    program.settle()
    assert program.result.kernel.family.name == "paraboloid"
    assert "PC 3 tells the classes apart best: 100 %" in program.caption("data")
    # Without centring the cloud stands on the origin.
    program.press(Key.Key_C)
    program.settle()
    assert "from the origin (not centred)" in program.caption("data")
    program.press(Key.Key_B)
    program.settle()
    page = board.compare.views["both_sides"].view
    assert page.isVisible()
    said = page.findChild(QLabel, "both_sides_agreement").text()
    assert said.startswith("Equal")
    # Every step can be taken back.
    for _ in range(3):
        program.press(Key.Key_Z, CTRL)
        program.settle()
    assert program.settings.view.lift == ""
    assert program.settings.analysis.center
    assert program.settings.kernel.family == "rbf"
    assert data.view.is_flat
