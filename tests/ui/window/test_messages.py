"""Messages wait for each other: each can be read, the most serious first."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.settings import KernelSettings, SessionSettings
from kpca_viewer.ui.controls import MessageBar
from kpca_viewer.ui.window.messages import Messages

LEFT = Qt.MouseButton.LeftButton
CHANGED = "“tea.csv” has changed."
NO_PICTURE = "The pin “a” has no picture."


class Reader:
    """Somebody in front of a bar."""

    def __init__(self, qtbot) -> None:
        self.host = QWidget()
        qtbot.addWidget(self.host)
        self.bar = MessageBar(self.host)
        self.store = SessionStore()
        self.messages = Messages(self.bar, self.store)
        self.host.show()

    def press(self, name: str) -> None:
        found = [w for w in self.bar.findChildren(QWidget, name) if w.isVisible()]
        QTest.mouseClick(found[0], LEFT)

    def more(self) -> str:
        button = self.bar.findChild(QPushButton, "message_next")
        return button.text() if button.isVisible() else ""

    def read_all(self) -> list[str]:
        read = []
        while self.bar.isVisible():
            read.append(self.bar.text())
            self.press("message_close")
        return read


@pytest.fixture
def reader(qtbot) -> Reader:
    return Reader(qtbot)


def test_what_is_noticed_later_hides_nothing(reader):
    reader.messages.tell("warning", CHANGED)
    reader.messages.tell("warning", NO_PICTURE)
    reader.messages.tell("info", "By the way.")
    assert reader.bar.text() == CHANGED
    assert reader.more() == "2 more"
    assert reader.read_all() == [CHANGED, NO_PICTURE, "By the way."]
    assert reader.more() == ""


def test_the_most_serious_comes_first(reader):
    for severity in ("info", "warning", "error"):
        reader.messages.tell(severity, severity)
    assert reader.bar.text() == "error"
    assert reader.read_all() == ["error", "warning", "info"]


def test_all_can_be_read_without_closing_any(reader):
    for severity in ("error", "warning", "info"):
        reader.messages.tell(severity, severity)
    seen = []
    for _ in range(4):
        seen.append(reader.bar.text())
        assert reader.more() == "2 more"
        reader.press("message_next")
    assert seen == ["error", "warning", "info", "error"]


def test_a_reply_is_seen_at_once_and_replaces_the_reply_before(reader):
    reader.messages.tell("warning", CHANGED)
    reader.messages.say("info", "Saved a.kpca.")
    reader.messages.say("info", "Saved b.kpca.")
    assert reader.bar.text() == "Saved b.kpca."
    assert reader.read_all() == ["Saved b.kpca.", CHANGED]


def test_a_serious_notice_does_not_wait_behind_an_old_reply(reader):
    reader.messages.say("info", "Saved a.kpca.")
    reader.messages.tell("warning", CHANGED)
    assert reader.read_all() == [CHANGED, "Saved a.kpca."]


def test_a_failure_stays_true_behind_a_reply_until_there_is_a_picture(reader):
    reader.messages.failed(ValueError("odd"))
    failure = reader.bar.text()
    reader.messages.say("info", "Saved a.kpca.")
    assert reader.read_all() == ["Saved a.kpca.", failure]


def test_answering_goes_on_to_the_next(reader):
    answered = []
    reader.messages.tell("warning", "Shall I?", [("Yes", lambda: answered.append(1))])
    reader.messages.tell("info", "By the way.")
    reader.press("message_action")
    assert answered == [1]
    assert reader.read_all() == ["By the way."]


def test_what_an_answer_says_is_read_before_the_rest(reader):
    done = [("Yes", lambda: reader.messages.say("info", "Done."))]
    reader.messages.tell("warning", "Shall I?", done)
    reader.messages.tell("warning", CHANGED)
    reader.press("message_action")
    assert reader.read_all() == ["Done.", CHANGED]


def test_one_message_on_a_topic(reader):
    reader.messages.tell("warning", "No copy: full.", topic="copy")
    reader.messages.tell("warning", "No copy: read-only.", topic="copy")
    assert reader.read_all() == ["No copy: read-only."]
    reader.messages.tell("warning", CHANGED)
    reader.messages.tell("warning", "No copy: full.", topic="copy")
    reader.messages.withdraw("copy")
    assert reader.read_all() == [CHANGED]


def test_with_other_data_only_what_lasts_is_left(reader):
    reader.messages.tell("warning", CHANGED)
    reader.messages.tell("info", "A session was left behind.", lasting=True)
    reader.messages.forget()
    assert reader.read_all() == ["A session was left behind."]


def test_what_was_about_the_last_step_goes_from_the_queue_too(reader):
    reader.messages.say_until_change("info", "Two rows are left out.")
    reader.messages.tell("warning", CHANGED)
    assert reader.more() == "1 more"
    reader.store.update(SessionSettings(kernel=KernelSettings("cosine")))
    assert reader.read_all() == [CHANGED]


def test_names_in_waiting_messages_are_plain(reader):
    reader.messages.tell("warning", CHANGED)
    reader.messages.tell("warning", "<img src='file:///x'>")
    tip = reader.bar.findChild(QPushButton, "message_next").toolTip()
    assert "&lt;img" in tip
