"""Sessions of programs that ended unexpectedly, offered one by one."""

from collections.abc import Callable
from pathlib import Path

from kpca_viewer.session.document.files import SessionFile
from kpca_viewer.session.document.model import Document
from kpca_viewer.session.document.recovery import AbandonedCopy, abandoned_copies
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.ui.window.messages import Messages
from kpca_viewer.ui.words import catalogue

Reopen = Callable[[SessionFile | None, Document, Callable[[], None]], None]
"""Shows a document as the session of a file, and then does something."""


def offer_abandoned(
    folder: Path, messages: Messages, reopen: Reopen, keep: Callable[[], bool]
) -> None:
    """Offer every session that ended without being closed, the newest first.

    Each stays on the disk until it was restored or is not wanted; one whose message is
    closed is offered again at the next start.

    Parameters
    ----------
    folder : Path
        Of the hidden copies.
    keep : callable
        Keeps a copy of what is shown; returns whether that is there.
    """
    for orphan in abandoned_copies(folder):
        _offer(orphan, messages, reopen, keep)


def _offer(
    orphan: AbandonedCopy, messages: Messages, reopen: Reopen, keep: Callable[[], bool]
) -> None:
    def restore() -> None:
        try:
            document = orphan.restore()
        except KpcaError as error:
            messages.show(catalogue.failure(error))
            return
        reopen(orphan.file, document, restored)

    def restored() -> None:
        # Not before there is another copy of it.
        if keep():
            orphan.discard()

    message = catalogue.session_left_behind(
        _named(orphan), orphan.saved, topic=str(orphan.swap)
    )
    messages.show(message, restore, orphan.discard)


def _named(orphan: AbandonedCopy) -> str:
    if orphan.path is None:
        return "An unsaved session"
    return f"The session “{orphan.path.name}”"
