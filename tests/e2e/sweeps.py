"""A sweep in the strip: what is typed, pressed and waited for."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QPushButton

from tests.e2e.program import Program


def write(program: Program, name: str, text: str) -> None:
    """Type into "from", "to" or "steps"."""
    program.board.show_workspace("sweep")
    field = program.find(QAbstractSpinBox, f"sweep_{name}_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def sweep(program: Program, steps: int | None = None) -> None:
    """Type how many steps, press the button that starts, and wait for the end."""
    program.board.show_workspace("sweep")
    if program.strip.state() != "idle" and not program.strip.range.isChecked():
        program.click(program.strip.range)
    if steps is not None:
        write(program, "steps", str(steps))
    program.click(program.find(QPushButton, "sweep_start_button"))
    swept(program)


def swept(program: Program) -> None:
    """Wait until the sweep is done and its thread has put its work down."""
    program.until(lambda: program.strip.state() == "done")
    program.until(lambda: not program.viewer.controllers["sweep"].runner.busy)
