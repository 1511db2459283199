"""What the window says about it: export panel."""

from pathlib import Path

from kpca_viewer.engine.messages import Message

NOTHING_TO_EXPORT = Message("warning", "There is nothing to export yet.")
COPYING = Message("info", "Copying the picture…")


def saving(path: Path) -> Message:
    """Say in the export panel that a file is being written."""
    return Message("info", f"Saving {path.name}…")


def not_saved(path: Path) -> Message:
    """Say in the export panel that a file was cancelled."""
    return Message("info", f"{path.name} was not written: it was cancelled.")


def saved_in(path: Path, folder: str) -> Message:
    """Say in the export panel where a file is."""
    return Message("info", f"Saved {path.name} in {folder}.")


def on_clipboard(what: str) -> Message:
    """Say in the export panel what is on the clipboard."""
    return Message("info", f"The {what} is on the clipboard.")
