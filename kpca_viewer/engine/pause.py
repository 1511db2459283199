"""Hold: work in the background stands still while somebody waits for other work."""

from threading import Event

from kpca_viewer.support.progress import ShouldStop
from kpca_viewer.support.threads import blas_threads_given_back


class Hold:
    """Lets threads wait at the next block, and go on."""

    def __init__(self) -> None:
        self._may_go_on = Event()
        self._may_go_on.set()

    def set(self, held: bool) -> None:
        """Stand still, or go on."""
        if held:
            self._may_go_on.clear()
        else:
            self._may_go_on.set()

    def asked_by(self, should_stop: ShouldStop) -> ShouldStop:
        """Return the question that work asks between two blocks, and waits at."""

        def stopped() -> bool:
            if not should_stop() and not self._may_go_on.is_set():
                # Whoever is waited for may have all the BLAS threads.
                with blas_threads_given_back():
                    self._may_go_on.wait()
            return should_stop()

        return stopped
