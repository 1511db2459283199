"""Messages of the window itself; those of features are in their `text`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from kpca_viewer import __version__
from kpca_viewer.engine.messages import Message, failure, noticed

COMPUTE_AGAIN = "Compute again"
FORGET = "Forget it"
ALL_ROWS = "All rows"
REFINE = "Refine"
OPEN_IT = "Open it"
REPLACE_IT = "Replace it"
RESTORE = "Restore"
SAVE_AS = "Save as…"
STANDARDISE = "Standardise columns"
UNDO = "Undo"
NO_DATA_YET = Message("warning", "There are no data yet to be saved.")
PINS_UNREAD = noticed("warning", "Some pins of this session could not be read.")
OTHER_DATA = noticed(
    "warning",
    "The data are not those of the picture any more; they are shown as they are now.",
)


def about() -> Message:
    """Say what program this is."""
    return Message(
        "info",
        f"kpca_viewer {__version__}: look at data through kernel PCA. BSD licence.",
    )


def no_browser(address: str) -> Message:
    return Message("warning", f"No browser was found; the page is {address}.")


def not_computed(error: Exception, *actions: str) -> Message:
    """Say why there is no picture; true until there is one, whatever is said since."""
    return replace(failure(error, *actions), ends="result", topic="no picture")


def cancelled(*, has_picture: bool) -> Message:
    """Say what is seen after a computation was cancelled."""
    text = "Cancelled; the picture shows the last result."
    if not has_picture:
        text = "Cancelled; there is no picture yet."
    return Message("info", text, (COMPUTE_AGAIN,), ends="result")


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


def data_changed(note: str) -> Message:
    """Say what has become of the data of a session."""
    return noticed("warning", note)


def session_saved(path: Path, size: str) -> Message:
    """Say where a session is now, and how large."""
    return Message("info", f"Saved {path.name} ({size}).")


def file_has_changed(error: Exception) -> Message:
    """Say that another program has written the file of the session."""
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


def rows_of_groups_lost(name: str, lost: Sequence[str]) -> Message:
    """Say which rows of groups a file does not have any more."""
    text = f"Not in “{name}” any more: {' and '.join(lost)}."
    return noticed("warning", text, topic="lost rows of groups")


def noted_rows_lost(text: str) -> Message:
    """Say which named and selected rows a file does not have any more."""
    return noticed("warning", text, topic="lost rows")
