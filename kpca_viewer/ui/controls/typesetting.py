"""LaTeX to SVG by ziamath, on a thread beside the running window.

Loading it takes a quarter of a second and a formula 25 milliseconds: more than a slider
that is being dragged can wait for.
"""

import logging
from functools import lru_cache
from threading import Lock, Thread
from types import ModuleType

from PySide6.QtCore import QObject, Signal

from kpca_viewer.ui.look.icons import INK

log = logging.getLogger(__name__)

SIZE = 24.0
"""The size at which formulas are set; drawing scales them."""


class Typesetter(QObject):
    """Sets one formula after the other; its thread ends when there is none left."""

    finished = Signal(object, object)
    """A formula that was asked for, and its SVG or None."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._waiting: list[str] = []
        self._thread: Thread | None = None

    def ask(self, latex: str) -> None:
        """Set a formula; `finished` follows."""
        with self._lock:
            if latex not in self._waiting:
                self._waiting.append(latex)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="typesetter")
                self._thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                latex = self._waiting.pop(0)
            self.finished.emit(latex, typeset(latex))


typesetter = Typesetter()


@lru_cache(maxsize=512)
def typeset(latex: str) -> str | None:
    """Return a formula as SVG with outlines in one grey; None if it cannot be set."""
    if not latex.strip():
        return None
    try:
        svg: str = _ziamath().Latex(latex, size=SIZE, color=INK).svg()
    except Exception:  # its parser raises whatever comes up
        log.warning("The formula %r cannot be typeset.", latex, exc_info=True)
        return None
    return svg


def _ziamath() -> ModuleType:
    import ziamath

    # Plain paths: symbols and their use are beyond the SVG that Qt knows.
    ziamath.config.svg2 = False
    return ziamath
