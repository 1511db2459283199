"""Every message that a person can get, declared once: kind, text and buttons.

Whoever shows one gives a callback for each of its actions, in their order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from kpca_viewer import __version__
from kpca_viewer.support.errors import sentence_of
from kpca_viewer.widgets.controls.message_bar import MessageBar, Severity

REPLY = "reply"
"""The topic of answers to what a person does: the newest one counts."""

Answers = Sequence[Callable[[], object]]
"""What the buttons of a message do."""


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

    def buttons(self, answers: Answers) -> list[tuple[str, Callable[[], object]]]:
        """Return the buttons, each with what it does."""
        return list(zip(self.actions, answers, strict=True))

    def show_in(self, bar: MessageBar, *answers: Callable[[], object]) -> None:
        """Show it alone in a bar, instead of what was there."""
        bar.show_message(self.kind, self.text, self.buttons(answers))


def noticed(
    kind: Severity, text: str, *actions: str, topic: str = "", lasting: bool = False
) -> Message:
    """Return a message that waits; by default its text is its topic."""
    return Message(
        kind, text, actions, topic=topic or text, waits=True, lasting=lasting
    )


# Actions

CANCEL = "Cancel"
CHOOSE_SIZE = "Choose its size"
COMPUTE_AGAIN = "Compute again"
CONNECT_AGAIN = "Connect again"
EDIT_COPY = "Edit a copy"
EMPTY_PLANE = "Empty plane"
FILL_GAPS = "Fill gaps by median"
FORGET = "Forget it"
GOT_IT = "Got it"
LEAVE_OUT = "Leave out these rows"
LOCATE = "Locate…"
ALL_ROWS = "All rows"
REFINE = "Refine"
OPEN_IT = "Open it"
REPLACE_IT = "Replace it"
RESTORE = "Restore"
SAVE_AS = "Save as…"
STANDARDISE = "Standardise columns"
START = "Start"
TREAT_AS_MISSING = "Treat as missing"
TREAT_ALL_AS_MISSING = "All such cells"
UNDO = "Undo"


# Anything


def trouble(text: str) -> Message:
    """Say what did not work, though all else does."""
    return Message("warning", text)


def failure(error: Exception, *actions: str) -> Message:
    """Say what went wrong, with the ways out of it."""
    return Message("error", sentence_of(error), actions)


def refused(text: str) -> Message:
    """Say why a typed number is not taken, until another one is."""
    return Message("warning", text, ends="result")


def about() -> Message:
    """Say what program this is."""
    return Message(
        "info",
        f"kpca_viewer {__version__}: look at data through kernel PCA. BSD licence.",
    )


# Computing


def not_computed(error: Exception, *actions: str) -> Message:
    """Say why there is no picture; true until there is one, whatever is said since."""
    return replace(failure(error, *actions), ends="result", topic="no picture")


def cancelled(*, has_picture: bool) -> Message:
    """Say what is seen after a computation was cancelled."""
    text = "Cancelled; the picture shows the last result."
    if not has_picture:
        text = "Cancelled; there is no picture yet."
    return Message("info", text, (COMPUTE_AGAIN,), ends="result")


def hint(text: str) -> Message:
    """Say what to try in the first minute."""
    return Message("info", text, (GOT_IT,))


def scaling_advised(text: str) -> Message:
    return Message("info", text, (STANDARDISE,), ends="result")


def suggestion_taken(text: str) -> Message:
    """Say what a suggested value is based on."""
    return Message("info", text, (UNDO,), ends="change")


def kernel_follows(text: str, values: str) -> Message:
    return Message("info", text, (f"Keep {values}",), ends="change")


def refinement(certificate: str, cost: str) -> Message:
    """Say how many digits there are, and what more of them would cost."""
    certificate = certificate[0].upper() + certificate[1:]
    text = f"{certificate}; to 10⁻⁶ they take {cost}."
    return Message(
        "info", text, (REFINE,), ends="change", topic="refinement", waits=True
    )


def more_rows(rows: str) -> Message:
    """Say of which rows the picture is, and offer that of all of them."""
    text = f"The picture is of {rows}."
    return Message("info", text, (ALL_ROWS,), ends="change", topic="rows", waits=True)


def forecast(text: str) -> Message:
    return Message("info", text, ends="result")


# Opening

NO_MODEL = Message("error", "New rows need points and a kernel; open points first.")
EMPTY_CLIPBOARD = Message("error", "The clipboard holds no text; copy a table first.")


def gaps_left_out(text: str) -> Message:
    """Say how many rows were left out because of gaps."""
    return Message("info", text, (FILL_GAPS,), ends="change")


def gaps_filled(text: str) -> Message:
    return Message("info", f"{text}.", (LEAVE_OUT,), ends="change")


def new_rows_filled(text: str) -> Message:
    """Say which gaps of new rows were filled."""
    text = f"New rows: {text} by the median of the data."
    return Message("info", text, ends="change")


def new_rows_left_out(text: str) -> Message:
    """Say how many new rows were left out because of gaps."""
    return Message("info", text, ends="change")


def doubtful_numbers(question: str, other: str) -> Message:
    """Say how numbers of new rows were read, where another way is possible."""
    return Message("info", f"{question}.", (f"Read {other}",), ends="change")


def data_gone(path: Path) -> Message:
    """Say where the data of a session were."""
    return Message(
        "warning",
        f"The data of this session are not there any more; they were in {path}.",
        (LOCATE,),
    )


def data_outside(path: Path) -> Message:
    """Ask about data that a session names far from where it is."""
    return Message(
        "warning",
        f"This session wants to read {path}, which is not beside it and was not opened "
        "here before.",
        ("Read it",),
    )


def one_of_many_opened(count: int, first: Path) -> Message:
    """Say which of several dropped files is opened."""
    return Message("warning", f"{count} files were dropped; {first.name} is opened.")


# Sessions

NO_DATA_YET = Message("warning", "There are no data yet to be saved.")
PINS_UNREAD = noticed("warning", "Some pins of this session could not be read.")
OTHER_DATA = noticed(
    "warning",
    "The data are not those of the picture any more; they are shown as they are now.",
)


def data_changed(note: str) -> Message:
    """Say what has become of the data of a session."""
    return noticed("warning", note)


def session_saved(path: Path, size: str) -> Message:
    """Say where a session is now, and how large."""
    return Message("info", f"Saved {path.name} ({size}).")


def file_has_changed(error: Exception) -> Message:
    """Say that somebody else has written the file of the session."""
    return Message("warning", str(error), (REPLACE_IT, SAVE_AS, OPEN_IT))


def no_copy(text: str) -> Message:
    """Say that nothing is kept for the case of a crash."""
    return noticed(
        "warning",
        f"No copy against a crash: {text}",
        topic="no copy against a crash",
        lasting=True,
    )


def session_left_behind(name: str, saved: datetime, topic: str) -> Message:
    """Offer a session that ended without being closed."""
    return noticed(
        "info",
        f"{name} ended without being closed; it was kept as of "
        f"{saved.astimezone():%d %B, %H:%M}.",
        RESTORE,
        FORGET,
        topic=topic,
        lasting=True,
    )


# Rows


def too_few_left(count: int) -> Message:
    """Say that rows cannot be left out."""
    left = "Only one row" if count else "No row"
    return Message(
        "warning",
        f"{left} would be left, and kernel PCA compares rows; leave at least two.",
    )


def rows_of_groups_lost(name: str, lost: Sequence[str]) -> Message:
    """Say which rows of groups a file does not have any more."""
    text = f"Not in “{name}” any more: {' and '.join(lost)}."
    return noticed("warning", text, topic="lost rows of groups")


def noted_rows_lost(text: str) -> Message:
    """Say which named and selected rows a file does not have any more."""
    return noticed("warning", text, topic="lost rows")


# Drawing


def cannot_draw(text: str) -> Message:
    """Say why there is nothing to draw into, and where there is."""
    return Message("info", text, (EMPTY_PLANE,), ends="change")


def points_pasted(count: int) -> Message:
    """Say how many points came from the clipboard."""
    points = "1 point was" if count == 1 else f"{count:,} points were"
    return Message("info", f"{points} pasted.", ends="change")


def table_is_fixed(name: str) -> Message:
    """Say how numbers of data that were not drawn can be changed."""
    return Message(
        "info",
        f"The numbers of {name} stay as they were opened; a copy can be typed into.",
        (EDIT_COPY,),
        ends="change",
    )


# Clusters

NO_CLUSTER = Message(
    "info",
    "Computing on a cluster needs the extra: pip install 'kpca-viewer[cluster]'.",
)


def cluster_lost(error: Exception) -> Message:
    """Say that a cluster is gone, and who computes now."""
    text = f"{sentence_of(error)} Until then, this machine computes everything."
    return Message("warning", text, (CONNECT_AGAIN,), topic="cluster", lasting=True)


# Sweeps and pins

NO_SWEEP = Message(
    "info",
    "There is no sweep to step through yet; Start in the line below the plots computes "
    "one.",
    (START,),
)


def first_pin(name: str) -> Message:
    text = f"{name} is pinned. Pin another picture (P) to compare both."
    return Message("info", text)


def pin_failed(text: str) -> Message:
    return noticed("warning", text)


def sweep_being_written(path: Path, percent: int | None = None) -> Message:
    """Say how far the file of a sweep is."""
    far = " …" if percent is None else f": {percent} %"
    return Message("info", f"Writing {path.name}{far}", (CANCEL,))


def sweep_written(path: Path, *, has_size: bool) -> Message:
    """Say that the file of a sweep is there; a picture can have another size."""
    actions = (CHOOSE_SIZE,) if has_size else ()
    return Message("info", f"Saved {path.name}.", actions)


def sweep_not_written(path: Path) -> Message:
    """Say that the file of a sweep was given up."""
    return Message("info", f"{path.name} was not written.")


def sweep_still_written(path: Path) -> Message:
    text = f"{path.name} is still being written; wait for it, or cancel it."
    return Message("warning", text)


# Export

NOTHING_TO_EXPORT = Message("warning", "There is nothing to export yet.")
COPYING = Message("info", "Copying the picture…")
NOTHING_TO_COPY = Message(
    "warning",
    "There is no embedding on the screen to copy; the clipboard is as it was.",
)
EMBEDDING_COPIED = Message("info", "The embedding is on the clipboard.")


def exported(path: Path) -> Message:
    """Say in the window what the export panel has written."""
    return Message("info", f"Saved {path}.")


def copied(what: str) -> Message:
    """Say in the window what was put onto the clipboard."""
    return Message("info", f"On the clipboard: {what}.")


def saving(path: Path) -> Message:
    """Say in the export panel that a file is being written."""
    return Message("info", f"Saving {path.name}…")


def not_saved(path: Path) -> Message:
    """Say in the export panel that somebody did not want a file any more."""
    return Message("info", f"{path.name} was not written: it was cancelled.")


def saved_in(path: Path, folder: str) -> Message:
    """Say in the export panel where a file is."""
    return Message("info", f"Saved {path.name} in {folder}.")


def on_clipboard(what: str) -> Message:
    """Say in the export panel what is on the clipboard."""
    return Message("info", f"The {what} is on the clipboard.")


DENOISING_CANCELLED = Message(
    "info", "The rows were not denoised: it was cancelled. The data are as they were."
)


def denoised(name: str, words: str) -> Message:
    """Say which data are shown now, and how far they differ from those before."""
    return Message("info", f"“{name}” is open. {words} Undo brings the data back.")
