"""A fault inside the program is logged, shown in one sentence, and work goes on."""

import sys
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from kpca_viewer.window import start
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.trouble import MOST_DIALOGS, FaultDialog


@pytest.fixture
def faults(qtbot, tmp_path):
    window = MainWindow()
    qtbot.addWidget(window)
    faults = FaultDialog(tmp_path / "state")
    faults.window = window
    faults.install()
    yield faults
    faults.remove()


def fail(text):
    try:
        raise ValueError(text)
    except ValueError:
        sys.excepthook(*sys.exc_info())


def dialogs(faults):
    boxes = faults.window.findChildren(QMessageBox, "fault_dialog")
    return [box for box in boxes if box.isVisible()]


def test_a_fault_is_logged_and_shown_once(faults, qtbot):
    fail("first")
    fail("second")
    (box,) = dialogs(faults)
    assert "ValueError: first" in box.informativeText()
    log = faults.log.read_text(encoding="utf-8")
    assert "ValueError: first" in log
    assert "ValueError: second" in log
    buttons = {button.text(): button for button in box.buttons()}
    qtbot.mouseClick(buttons["Copy details"], Qt.MouseButton.LeftButton)
    assert "in fail" in QApplication.clipboard().text()
    assert box.isVisible()
    qtbot.mouseClick(buttons["Go on"], Qt.MouseButton.LeftButton)
    assert dialogs(faults) == []


def test_a_fault_that_comes_back_without_end_can_be_left(faults, qtbot):
    for _ in range(MOST_DIALOGS):
        fail("paint")
        (box,) = dialogs(faults)
        box.reject()
    fail("paint")
    assert dialogs(faults) == []
    assert faults.log.read_text(encoding="utf-8").count("ValueError: paint") == 4
    fail("<b>other</b>")
    (box,) = dialogs(faults)
    assert "&lt;b&gt;other" in box.informativeText()


def test_a_start_that_fails_is_said_in_a_dialog(qtbot, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise ValueError("no window")

    def answer(box):
        told.append((box.text(), box.informativeText()))
        return 0

    told = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(start, "Viewer", broken)
    monkeypatch.setattr(QMessageBox, "exec", answer)
    assert start.run_viewer() == 1
    ((text, details),) = told
    assert text == "The program could not start."
    assert "ValueError: no window" in details
    log = tmp_path / "kpca_viewer" / "log.txt"
    assert "in broken" in log.read_text(encoding="utf-8")


def test_a_fault_of_a_thread_is_shown_too(faults, qtbot):
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(dialogs(faults)))
    assert "ZeroDivisionError" in faults.log.read_text(encoding="utf-8")
