"""Messages wait for each other: each can be read, the most serious first."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from kpca_viewer.engine.messages import Message, noticed
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.features.sweep.text import NO_SWEEP
from kpca_viewer.widgets.controls import MessageBar
from kpca_viewer.window import messages
from kpca_viewer.window.message_queue import Messages

LEFT = Qt.MouseButton.LeftButton
CHANGED = noticed("warning", "“tea.csv” has changed.")
NO_PICTURE = noticed("warning", "The pin “a” has no picture.")
BY_THE_WAY = noticed("info", "By the way.")
SAVED = Message("info", "Saved a.kpca.")


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
    reader.messages.show(CHANGED)
    reader.messages.show(NO_PICTURE)
    reader.messages.show(BY_THE_WAY)
    assert reader.bar.text() == CHANGED.text
    assert reader.more() == "2 more"
    assert reader.read_all() == [CHANGED.text, NO_PICTURE.text, "By the way."]
    assert reader.more() == ""


def test_the_most_serious_comes_first(reader):
    for severity in ("info", "warning", "error"):
        reader.messages.show(noticed(severity, severity))
    assert reader.bar.text() == "error"
    assert reader.read_all() == ["error", "warning", "info"]


def test_all_can_be_read_without_closing_any(reader):
    for severity in ("error", "warning", "info"):
        reader.messages.show(noticed(severity, severity))
    seen = []
    for _ in range(4):
        seen.append(reader.bar.text())
        assert reader.more() == "2 more"
        reader.press("message_next")
    assert seen == ["error", "warning", "info", "error"]


def test_a_reply_is_seen_at_once_and_replaces_the_reply_before(reader):
    reader.messages.show(CHANGED)
    reader.messages.show(SAVED)
    reader.messages.show(Message("info", "Saved b.kpca."))
    assert reader.bar.text() == "Saved b.kpca."
    assert reader.read_all() == ["Saved b.kpca.", CHANGED.text]


def test_a_serious_notice_does_not_wait_behind_an_old_reply(reader):
    reader.messages.show(SAVED)
    reader.messages.show(CHANGED)
    assert reader.read_all() == [CHANGED.text, "Saved a.kpca."]


def test_a_failure_stays_true_behind_a_reply_until_there_is_a_picture(reader):
    reader.messages.failed(ValueError("odd"))
    failure = reader.bar.text()
    reader.messages.show(SAVED)
    assert reader.read_all() == ["Saved a.kpca.", failure]


def test_answering_goes_on_to_the_next(reader):
    answered = []
    question = noticed("warning", "Shall I?", "Yes")
    reader.messages.show(question, lambda: answered.append(1))
    reader.messages.show(BY_THE_WAY)
    reader.press("message_action")
    assert answered == [1]
    assert reader.read_all() == ["By the way."]


def test_what_an_answer_says_is_read_before_the_rest(reader):
    question = noticed("warning", "Shall I?", "Yes")
    reader.messages.show(
        question, lambda: reader.messages.show(Message("info", "Done."))
    )
    reader.messages.show(CHANGED)
    reader.press("message_action")
    assert reader.read_all() == ["Done.", CHANGED.text]


def test_one_message_on_a_topic(reader):
    reader.messages.show(messages.no_copy("full."))
    reader.messages.show(messages.no_copy("read-only."))
    assert reader.read_all() == ["No copy against a crash: read-only."]
    reader.messages.show(CHANGED)
    reader.messages.show(messages.no_copy("full."))
    reader.messages.withdraw(messages.no_copy(""))
    assert reader.read_all() == [CHANGED.text]


def test_with_other_data_only_what_lasts_is_left(reader):
    reader.messages.show(CHANGED)
    left = noticed("info", "A session was left behind.", lasting=True)
    reader.messages.show(left)
    reader.messages.forget()
    assert reader.read_all() == ["A session was left behind."]


def test_what_was_about_the_last_step_goes_from_the_queue_too(reader):
    reader.messages.show(Message("info", "Two rows are left out."))
    reader.messages.show(CHANGED)
    assert reader.more() == "1 more"
    reader.store.update(SessionSettings(kernel=KernelSettings("cosine")))
    assert reader.read_all() == [CHANGED.text]


def test_names_in_waiting_messages_are_plain(reader):
    reader.messages.show(CHANGED)
    reader.messages.show(noticed("warning", "<img src='file:///x'>"))
    tip = reader.bar.findChild(QPushButton, "message_next").toolTip()
    assert "&lt;img" in tip


def test_a_reply_is_taken_back_only_while_it_is_the_newest(reader):
    reader.messages.show(NO_SWEEP, lambda: None)
    reader.messages.show(SAVED)
    reader.messages.withdraw(NO_SWEEP)
    assert reader.messages.shown is SAVED
    reader.messages.show(NO_SWEEP, lambda: None)
    reader.messages.withdraw(NO_SWEEP)
    assert reader.messages.shown is None
    assert not reader.bar.isVisible()


def test_whoever_shows_a_message_is_told_that_it_was_closed(reader):
    closed = []
    reader.messages.show(SAVED, closed=lambda: closed.append(1))
    reader.messages.show(BY_THE_WAY)
    reader.press("message_close")
    assert closed == [1]
    reader.press("message_close")
    assert closed == [1]


def test_every_action_needs_an_answer(reader):
    with pytest.raises(ValueError, match="argument"):
        reader.messages.show(NO_SWEEP)


def test_what_lasts_stands_aside_while_a_lesson_runs(reader):
    left, later = (noticed("info", word, lasting=True) for word in ("Left.", "Later."))
    reader.messages.show(left)
    reader.messages.set_aside()
    assert not reader.bar.isVisible()
    reader.messages.show(later)
    assert not reader.bar.isVisible()
    reader.messages.show(SAVED)
    assert reader.bar.text() == SAVED.text
    assert reader.more() == ""
    reader.press("message_close")
    reader.messages.bring_back()
    assert reader.read_all() == [left.text, later.text]
