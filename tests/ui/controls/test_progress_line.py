"""Progress is shown when work lasts, and only then."""

import pytest
from PySide6.QtCore import Qt, QTimer, QVariantAnimation
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.widgets.controls import ProgressLine
from kpca_viewer.widgets.controls.progress_line import DELAY

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")


@pytest.fixture
def line(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    layout = QVBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    line = ProgressLine(host)
    layout.addWidget(line)
    content = QLabel("content")
    layout.addWidget(content, 1)
    host.resize(400, 200)
    host.show()
    qtbot.waitExposed(host)
    line.host, line.content = host, content
    line.findChild(QTimer).setInterval(0)
    yield line
    line.end()


def appear(line, qtbot):
    """Let the delay pass."""
    qtbot.waitUntil(line.is_shown)


def note(line):
    return line.host.findChild(QWidget, "progress_note")


def stage(line):
    return line.host.findChild(QLabel, "progress_stage").text()


def test_short_work_is_not_mentioned(line):
    line.begin("Centring")
    assert not line.is_shown()
    assert not note(line).isVisible()
    line.end()
    assert not line.findChild(QTimer).isActive()
    assert ProgressLine().findChild(QTimer).interval() == DELAY == 150


def test_long_work_is_named(line, qtbot):
    line.begin("Centring")
    appear(line, qtbot)
    assert line.is_shown()
    assert note(line).isVisible()
    assert stage(line) == "Centring"
    line.report("Decomposing", 0.42)
    assert stage(line) == "Decomposing 42 %"
    line.end()
    assert not line.is_shown()
    assert not note(line).isVisible()


def test_more_work_does_not_start_the_delay_again(line, qtbot):
    line.begin("One")
    appear(line, qtbot)
    line.begin("Two")
    assert line.is_shown()
    assert stage(line) == "Two"


def test_nothing_in_the_window_moves(line, qtbot):
    before = line.content.geometry()
    line.begin("Centring")
    appear(line, qtbot)
    qtbot.wait(0)
    assert line.content.geometry() == before


def test_note_stays_below_the_line(line, qtbot):
    line.report("A stage", 0.5)
    appear(line, qtbot)
    for width in (400, 600):
        line.host.resize(width, 200)
        qtbot.waitUntil(lambda w=width: line.width() == w)
        place = note(line).geometry()
        assert line.host.rect().contains(place)
        assert place.top() > line.geometry().bottom()
        assert place.right() <= width


def test_a_long_stage_is_cut_before_its_end(line, qtbot):
    text = "all rows, 1,000 landmarks, checking that none is missing, pass 2 of 3"
    line.report(text, 0.89)
    appear(line, qtbot)
    assert line.host.rect().contains(note(line).geometry())
    label = line.host.findChild(QLabel, "progress_stage")
    qtbot.waitUntil(lambda: label.shown_text().endswith("89 %"))
    assert label.shown_text() != label.text() == f"{text} 89 %"


def test_moves_only_while_nobody_knows_how_long(line, qtbot):
    running, sweep = QVariantAnimation.State.Running, line.findChild(QVariantAnimation)
    line.begin("Decomposing")
    appear(line, qtbot)
    assert sweep.state() == running
    line.report("Decomposing", 0.1)
    assert sweep.state() != running
    line.report("Decomposing", None)
    assert sweep.state() == running
    line.end()
    assert sweep.state() != running


def test_the_share_that_is_done_can_be_seen(line, qtbot):
    line.report("Decomposing", 0.25)
    idle = line.grab().toImage()
    appear(line, qtbot)
    image = line.grab().toImage()
    assert image != idle
    assert image.pixelColor(50, 1) != image.pixelColor(300, 1)


def test_cancel(line, qtbot):
    line.begin("Decomposing")
    appear(line, qtbot)
    button = line.host.findChild(QPushButton, "cancel_button")
    with qtbot.waitSignal(line.cancel_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isEnabled()
    assert stage(line) == "Stopping …"
    line.end()
    line.begin("Again")
    assert button.isEnabled()
