"""Work in portions: all of it in the end, and the window lives in between."""

import pytest
from PySide6.QtCore import QObject, QTimer

from kpca_viewer.engine.event_loop import EventLoopSteps


class Log(QObject):
    """Three steps that note when they are taken, and for what."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 0
        self.taken: list[tuple[str, int]] = []
        self.turns = EventLoopSteps([lambda s=s: self.note(s) for s in "abc"], self)

    def note(self, step: str) -> None:
        self.taken.append((step, self.value))

    def begin(self, value: int) -> None:
        self.value = value
        self.turns.begin()


@pytest.fixture
def log(qtbot) -> Log:
    return Log()


def test_the_first_step_is_taken_at_once_and_the_others_later(log, qtbot):
    with qtbot.waitSignal(log.turns.ended):
        log.begin(1)
        assert log.taken == [("a", 1)]
        assert log.turns.running
    assert log.taken == [("a", 1), ("b", 1), ("c", 1)]
    assert not log.turns.running


def test_other_events_have_their_turn_between_two_steps(log, qtbot):
    seen = []
    QTimer.singleShot(0, log, lambda: seen.append(len(log.taken)))
    with qtbot.waitSignal(log.turns.ended):
        log.begin(1)
    assert seen
    assert seen[0] < 3


def test_a_new_beginning_reaches_every_step_and_starves_none(log, qtbot):
    with qtbot.waitSignal(log.turns.ended) as ended:
        log.begin(1)
        log.begin(2)
    assert ended.signal_triggered
    assert log.taken == [("a", 1), ("b", 2), ("c", 2), ("a", 2)]


def test_all_at_once_ends_what_was_begun(log, qtbot):
    log.begin(1)
    with qtbot.waitSignal(log.turns.ended):
        log.value = 2
        log.turns.take_all()
        assert log.taken[1:] == [("a", 2), ("b", 2), ("c", 2)]
    with qtbot.assertNotEmitted(log.turns.ended, wait=20):
        pass
    assert len(log.taken) == 4


def test_what_is_stopped_takes_no_step_any_more(log, qtbot):
    log.begin(1)
    log.turns.stop()
    assert not log.turns.running
    with qtbot.assertNotEmitted(log.turns.ended, wait=20):
        pass
    assert log.taken == [("a", 1)]
