"""What is special about workers that we start ourselves; imports Dask."""

import signal
from threading import current_thread, main_thread
from typing import Any

from distributed import WorkerPlugin


class EndedByUs(WorkerPlugin):
    """Lets a worker ignore Ctrl+C, which all processes of a terminal are sent.

    Whoever has started it ends it, without a word.
    """

    name = "kpca-ended-by-us"

    def setup(self, worker: Any) -> None:
        """Do so when a worker begins, also in the place of another."""
        if current_thread() is main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
