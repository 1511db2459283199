"""The way of a file into the window, and of a session out of it and back."""

from pathlib import Path

import numpy as np
from PySide6 import __version_info__ as pyside_version
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTableView

from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.widgets.controls import MessageBar
from tests.e2e.program import LEFT, NO_KEY, Program

COPY = Qt.DropAction.CopyAction
SAVE_DIALOG = "kpca_viewer.window.sessions.QFileDialog.getSaveFileName"

PLACE = QPointF(50, 50)
# From Qt 6.12 on a drag enters in parts of a pixel, and whole ones are deprecated.
ENTERS = PLACE if pyside_version >= (6, 12) else QPoint(50, 50)


def write_rings(folder: Path, parts: int, rows: int) -> Path:
    """Write two rings in so many parts of so many rows; returns the folder."""
    folder.mkdir()
    for part in range(1, parts + 1):
        rng = np.random.default_rng(part)
        angle = rng.uniform(0, 2 * np.pi, rows)
        radius = np.where(rng.random(rows) < 0.5, 1.0, 0.3)
        radius = radius + 0.05 * rng.normal(size=rows)
        points = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
        np.save(folder / f"part{part}.npy", points)
    return folder


def drop(program: Program, *paths: Path) -> None:
    """Drop files onto the window as a file manager does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(ENTERS, COPY, mime, LEFT, NO_KEY)
    program.window.dragEnterEvent(enter)
    assert enter.isAccepted()
    program.window.dropEvent(QDropEvent(PLACE, COPY, mime, LEFT, NO_KEY))
    read(program)


def read(program: Program) -> None:
    """Wait until no file is read or looked at."""
    program.until(lambda: not program.viewer.controllers["import_sheet"].runner.busy)


def sheets(program: Program) -> list[ImportSheet]:
    return [s for s in program.window.findChildren(ImportSheet) if s.isVisible()]


def sheet(program: Program) -> ImportSheet:
    read(program)
    found = sheets(program)
    assert found, program.message()
    return found[-1]


def accept(program: Program) -> None:
    QTest.keyClick(sheet(program), Qt.Key.Key_Return)
    read(program)
    program.settle()


def refusal(program: Program) -> str:
    """Return why the sheet came back."""
    return sheet(program).findChild(MessageBar, "import_message").text()


def press_message_button(program: Program, text: str) -> None:
    """Press a button of the message on the sheet."""
    bar = sheet(program).findChild(MessageBar, "import_message")
    buttons = {b.text(): b for b in bar.findChildren(QPushButton, "message_action")}
    program.click(buttons[text])
    read(program)
    program.settle()


def press_on_column(program: Program, page: ImportSheet, row: int, key: Qt.Key) -> None:
    """Choose a column of the sheet and press a letter on it."""
    page.activateWindow()
    program.until(page.isActiveWindow)
    view = page.findChild(QTableView, "import_columns")
    view.setFocus()
    view.selectRow(row)
    QTest.keyClick(view, key)


def open_file(program: Program, path: Path) -> None:
    program.viewer.controllers["import_sheet"].open_path(path)
    read(program)


def again(start, path: Path) -> Program:
    """Start the program and open a session in it."""
    program = start(SessionSettings())
    open_file(program, path)
    program.settle()
    return program


def save_as(program: Program, monkeypatch, path: Path) -> None:
    monkeypatch.setattr(SAVE_DIALOG, lambda *args: (str(path), ""))
    program.action("save_as").trigger()
    assert f"Saved {path.name}" in program.message()


def save_with_data(program: Program, monkeypatch, path: Path) -> str:
    """Save a session with its data; returns the title of the dialog."""
    asked = []
    monkeypatch.setattr(
        SAVE_DIALOG, lambda *args: (asked.append(args[1]), (str(path), ""))[1]
    )
    program.action("save_with_data").trigger()
    return asked[0]
