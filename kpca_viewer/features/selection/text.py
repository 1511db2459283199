"""What the window says about it: selection."""

from kpca_viewer.engine.messages import Message


def too_few_left(count: int) -> Message:
    """Say that rows cannot be left out."""
    left = "Only one row" if count else "No row"
    return Message(
        "warning",
        f"{left} would be left, and kernel PCA compares rows; leave at least two.",
    )
