"""MessageQueue: several messages for one bar, none of them lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Slot

from kpca_viewer.ui.controls import MessageBar
from kpca_viewer.ui.controls.message_bar import Severity

Answers = Sequence[tuple[str, Callable[[], None]]]
"""The buttons of a message: text and what they do."""

SERIOUS: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}
"""Which message is read first."""


@dataclass(frozen=True, eq=False)
class Message:
    """Something that a person has to know.

    Attributes
    ----------
    severity : {"info", "warning", "error"}
    text : str
    topic : str
        Of which there is one message at a time: the newest.
    answers : sequence of (label, callback)
    ends : {"closed", "change", "result"}
        What takes it away, besides being closed or answered.
    lasting : bool
        Whether it is still true when other data are opened.
    """

    severity: Severity
    text: str
    topic: str
    answers: Answers = ()
    ends: Literal["closed", "change", "result"] = "closed"
    lasting: bool = False


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
        self._shown: Message | None = None
        self._waiting: list[Message] = []
        bar.dismissed.connect(self._on_dismissed)
        bar.next_wished.connect(self._on_next_wished)

    def put(self, message: Message, *, in_front: bool) -> None:
        """Show a message now, or when it is its turn.

        Parameters
        ----------
        message : Message
        in_front : bool
            Whether it answers what a person has just done. Otherwise it takes the place
            of a less serious one only.
        """
        self._remove(lambda other: other.topic == message.topic)
        shown = self._shown
        if shown is None or in_front or _turn(message) < _turn(shown):
            if shown is not None:
                self._waiting.insert(0, shown)
            self._show(message)
        else:
            self._waiting.append(message)
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
        self._waiting = [m for m in self._waiting if not unwanted(m)]
        if self._shown is not None and unwanted(self._shown):
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

    def _show(self, message: Message) -> None:
        self._shown = message
        answers = [(label, self._answer(act)) for label, act in message.answers]
        self._bar.show_message(message.severity, message.text, answers)

    def _count(self) -> None:
        self._bar.set_waiting([message.text for message in self._waiting])

    def _answer(self, act: Callable[[], None]) -> Callable[[], None]:
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
        self._show_next()
        self._count()

    @Slot()
    def _on_next_wished(self) -> None:
        """Go round: what was shown is read again after all the others."""
        if self._shown is not None and self._waiting:
            following, *rest = self._waiting
            self._waiting = [*rest, self._shown]
            self._show(following)
            self._count()


def _turn(message: Message) -> int:
    return SERIOUS[message.severity]
