"""What the window says about it: embedding."""

from kpca_viewer.core.methods.bootstrap import Bootstrap
from kpca_viewer.engine.messages import Message
from kpca_viewer.support.numerals import counted

NOTHING_TO_COPY = Message(
    "warning",
    "There is no embedding on the screen to copy; the clipboard is as it was.",
)
EMBEDDING_COPIED = Message("info", "The embedding is on the clipboard.")


def moves_words(found: Bootstrap, n: int) -> str:
    """Say what ellipses are, in one line."""
    told = f"95 % between {found.draws} pairs of halves of the rows"
    if len(found.rows) < n:
        told += f", {counted(len(found.rows))} of {counted(n)} rows"
    faint = int(found.is_faint.sum())
    if faint:
        told += f" · {counted(faint)} faint"
    return told
