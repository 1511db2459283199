"""What the window says about it: large tables."""

from kpca_viewer.engine.messages import Message
from kpca_viewer.support.errors import sentence_of

CONNECT_AGAIN = "Connect again"
NO_CLUSTER = Message(
    "info",
    "Computing on a cluster needs the extra: pip install 'kpca-viewer[cluster]'.",
)


def cluster_lost(error: Exception) -> Message:
    """Say that a cluster is gone, and who computes now."""
    text = f"{sentence_of(error)} Until then, this machine computes everything."
    return Message("warning", text, (CONNECT_AGAIN,), topic="cluster", lasting=True)
