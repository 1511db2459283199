"""What the window says about it: export panel."""

from pathlib import Path

from kpca_viewer.engine.messages import Message

NOTHING_TO_EXPORT = Message("warning", "There is nothing to export yet.")
COPYING = Message("info", "Copying the picture…")


def saving(path: Path) -> Message:
    return Message("info", f"Saving {path.name}…")


def not_saved(path: Path) -> Message:
    return Message("info", f"{path.name} was not written: it was cancelled.")


def saved_in(path: Path, folder: str) -> Message:
    return Message("info", f"Saved {path.name} in {folder}.")


def on_clipboard(what: str) -> Message:
    return Message("info", f"The {what} is on the clipboard.")
