"""Messages are complete, plain, and go away."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.widgets.controls import MessageBar
from kpca_viewer.widgets.style import style_sheet
from kpca_viewer.widgets.theme import DARK, LIGHT, palette

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bar(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    host.setStyleSheet(style_sheet(LIGHT))
    layout = QVBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    bar = MessageBar()
    layout.addWidget(bar)
    layout.addWidget(QLabel("content"), 1)
    host.resize(500, 400)
    host.show()
    qtbot.waitExposed(host)
    bar.host = host
    return bar


def label(bar):
    return bar.findChild(QLabel, "message_text")


def test_hidden_while_there_is_nothing_to_say(bar):
    assert not bar.isVisible()
    assert bar.objectName() == "message_bar"
    bar.show_message("info", "Ready.")
    assert bar.isVisible()
    assert (bar.text(), bar.severity()) == ("Ready.", "info")
    bar.clear()
    assert not bar.isVisible()
    assert bar.text() == ""
    bar.show_message("info", "")
    assert not bar.isVisible()


def test_names_from_files_are_plain_text(bar):
    bar.show_message("error", "<b>no</b>")
    assert label(bar).textFormat() == Qt.TextFormat.PlainText
    assert label(bar).text() == "<b>no</b>"


def test_close(bar, qtbot):
    bar.show_message("warning", "Look out.")
    close = bar.findChild(QWidget, "message_close")
    with qtbot.waitSignal(bar.dismissed):
        QTest.mouseClick(close, LEFT)
    assert not bar.isVisible()


def test_clearing_is_not_dismissing(bar, qtbot):
    bar.show_message("info", "Ready.")
    with qtbot.assertNotEmitted(bar.dismissed):
        bar.clear()


def test_actions(bar):
    called = []
    bar.show_message(
        "warning",
        "The columns differ in scale.",
        [("Standardise & go", lambda: called.append(bar.isVisible())), ("No", list)],
    )
    first, second = bar.findChildren(QPushButton, "message_action")
    assert [first.text(), second.text()] == ["Standardise && go", "No"]
    QTest.mouseClick(first, LEFT)
    # The bar was already free for a message of the action itself.
    assert called == [False]


def test_an_action_may_show_the_next_message(bar):
    def follow_up():
        bar.show_message("info", "Done.")

    bar.show_message("warning", "Shall I?", [("Yes", follow_up)])
    QTest.mouseClick(bar.findChild(QPushButton, "message_action"), LEFT)
    assert bar.text() == "Done."
    assert bar.isVisible()


def test_buttons_of_the_last_message_are_gone(bar, qtbot):
    bar.show_message("warning", "One.", [("A", list), ("B", list)])
    bar.show_message("warning", "Two.", [("C", list)])
    shown = [b for b in bar.findChildren(QPushButton) if b.isVisible()]
    assert [b.text() for b in shown] == ["C"]


@pytest.mark.parametrize(
    "text",
    [
        "The columns differ in scale. " * 12,
        "/home/someone/" + "a_folder_without_spaces/" * 20 + "wine.csv",
        "x" * 400,
    ],
)
def test_long_texts_wrap_and_are_never_cut(bar, qtbot, text):
    bar.show_message("error", text, [("Treat as missing", list)])
    qtbot.waitUntil(lambda: bar.height() > 60)
    shown = label(bar)
    assert bar.text() == text
    assert bar.host.width() == 500
    flags = int(Qt.TextFlag.TextWordWrap)
    needed = shown.fontMetrics().boundingRect(
        0, 0, shown.width(), 10_000, flags, shown.text()
    )
    assert needed.width() <= shown.width()
    assert needed.height() <= shown.height()


def test_severities_look_different_and_follow_the_theme(bar):
    icons = []
    for theme in (LIGHT, DARK):
        bar.host.setPalette(palette(theme))
        bar.host.setStyleSheet(style_sheet(theme))
        for severity in ("info", "warning", "error"):
            bar.show_message(severity, "Text.")
            icons.append(bar.findChild(QLabel, "message_icon").pixmap().toImage())
            assert bar.property("severity") == severity
    assert all(a != b for i, a in enumerate(icons) for b in icons[:i])
