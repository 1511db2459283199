"""MessageQueue: several messages for one bar, none of them lost."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from kpca_viewer.widgets.controls import MessageBar
from kpca_viewer.widgets.controls.message_bar import Severity
from kpca_viewer.window.messages_text import Answers, Message

SERIOUS: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}
"""Which message is read first."""


@dataclass(frozen=True, eq=False)
class _Entry:
    """A message with what its buttons do, and what closing it does."""

    message: Message
    answers: Answers
    closed: Callable[[], object] | None = None


class MessageQueue(QObject):
    """Shows one message and counts those that wait, the most serious first.

    Parameters
    ----------
    bar : MessageBar
        Shown by this queue alone.
    """

    def __init__(self, bar: MessageBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._shown: _Entry | None = None
        self._waiting: list[_Entry] = []
        bar.dismissed.connect(self._on_dismissed)
        bar.next_requested.connect(self._on_next_requested)

    @property
    def shown(self) -> Message | None:
        return None if self._shown is None else self._shown.message

    def put(
        self,
        message: Message,
        answers: Answers = (),
        closed: Callable[[], object] | None = None,
    ) -> None:
        """Show a message now, or after those that are as serious if it waits.

        Parameters
        ----------
        answers : sequence of callable
            One for each of its actions.
        closed : callable, optional
            Called when the person closes it unanswered.
        """
        self._remove(lambda other: other.topic == message.topic)
        shown, entry = self._shown, _Entry(message, answers, closed)
        if shown is None or not message.waits or _turn(entry) < _turn(shown):
            if shown is not None:
                self._waiting.insert(0, shown)
            self._show(entry)
        else:
            self._waiting.append(entry)
        self._waiting.sort(key=_turn)
        self._count()

    def drop(self, unwanted: Callable[[Message], bool]) -> None:
        """Forget messages that are not true any more."""
        before = self._shown
        self._remove(unwanted)
        if self._shown is None and before is not None:
            self._show_next()
        self._count()

    def _remove(self, unwanted: Callable[[Message], bool]) -> None:
        self._waiting = [e for e in self._waiting if not unwanted(e.message)]
        if self._shown is not None and unwanted(self._shown.message):
            self._shown = None

    def _show_next(self) -> None:
        """Show the most serious one that waits, or nothing."""
        self._shown = None
        if self._waiting:
            following = min(self._waiting, key=_turn)
            self._waiting.remove(following)
            self._show(following)
        else:
            self._bar.clear()

    def _show(self, entry: _Entry) -> None:
        self._shown = entry
        entry.message.show_in(self._bar, *map(self._answer, entry.answers))

    def _count(self) -> None:
        self._bar.set_waiting([entry.message.text for entry in self._waiting])

    def _answer(self, act: Callable[[], object]) -> Callable[[], None]:
        def answer() -> None:
            # What the answer has to say comes before those that wait.
            self._shown = None
            act()
            if self._shown is None:
                self._show_next()
            self._count()

        return answer

    @Slot(str)
    def _on_dismissed(self, _text: str) -> None:
        closed = None if self._shown is None else self._shown.closed
        self._show_next()
        self._count()
        if closed is not None:
            closed()

    @Slot()
    def _on_next_requested(self) -> None:
        """Go round: what was shown is read again after all the others."""
        if self._shown is not None and self._waiting:
            following, *rest = self._waiting
            self._waiting = [*rest, self._shown]
            self._show(following)
            self._count()


def _turn(entry: _Entry) -> int:
    return SERIOUS[entry.message.kind]
