"""What the window says about it: embedding."""

from kpca_viewer.engine.messages import Message

NOTHING_TO_COPY = Message(
    "warning",
    "There is no embedding on the screen to copy; the clipboard is as it was.",
)
EMBEDDING_COPIED = Message("info", "The embedding is on the clipboard.")
