"""Messages: what a person is told in a bar, with buttons.

Every message of a feature is declared in its `text`; where it is shown, each of its
actions gets a callback, in their order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kpca_viewer.support.errors import sentence_of

Severity = Literal["info", "warning", "error"]

REPLY = "reply"
"""The topic of answers to what a person does: the newest one counts."""

Answers = Sequence[Callable[[], object]]
"""What the buttons of a message do."""

TREAT_AS_MISSING = "Treat as missing"


@dataclass(frozen=True)
class Message:
    """Something that a person has to know."""

    kind: Severity
    text: str
    """One sentence or a few; plain."""
    actions: tuple[str, ...] = ()
    """The texts of its buttons."""
    ends: Literal["closed", "change", "result"] = "closed"
    """What takes it away, besides being closed or answered: the next change of the
    settings, or the next result."""
    topic: str = REPLY
    """Of which there is one message at a time: the newest."""
    waits: bool = False
    """Whether the program noticed it by itself. It hides nothing that is as serious;
    other messages are shown at once."""
    lasting: bool = False
    """Whether it is still true when other data are opened."""

    @property
    def ends_with_change(self) -> bool:
        """Whether it goes with the next change: a mere note must not hide a verdict."""
        notes = self.kind == "info" and not self.actions and self.topic == REPLY
        return self.ends == "change" or (self.ends == "closed" and notes)

    def buttons(self, answers: Answers) -> list[tuple[str, Callable[[], object]]]:
        return list(zip(self.actions, answers, strict=True))


def noticed(
    kind: Severity, text: str, *actions: str, topic: str = "", lasting: bool = False
) -> Message:
    """Return a message that waits; by default its text is its topic."""
    return Message(
        kind, text, actions, topic=topic or text, waits=True, lasting=lasting
    )


def trouble(text: str) -> Message:
    return Message("warning", text)


def failure(error: Exception, *actions: str) -> Message:
    """Say what went wrong, with the ways out of it."""
    return Message("error", sentence_of(error), actions)


def refused(text: str) -> Message:
    """Say why a typed number is not taken, until another one is."""
    return Message("warning", text, ends="result")


def exported(path: Path) -> Message:
    """Say in the window what the export panel has written."""
    return Message("info", f"Saved {path}.")


def copied(what: str) -> Message:
    """Say in the window what was put onto the clipboard."""
    return Message("info", f"On the clipboard: {what}.")
