"""LaTeX to SVG by ziamath, which is loaded beside the running window."""

import logging
import sys
import warnings
from functools import lru_cache
from threading import Thread
from types import ModuleType

from PySide6.QtCore import QObject, Signal

from kpca_viewer.ui.icons import INK

log = logging.getLogger(__name__)

SIZE = 24.0
"""The size at which formulas are set; drawing scales them."""


class Typesetter(QObject):
    """Loads ziamath on a thread: a quarter of a second that no window should wait.

    Attributes
    ----------
    ready : Signal
        Formulas can be set from now on.
    """

    ready = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._thread: Thread | None = None

    def is_ready(self) -> bool:
        """Return whether a formula can be set at once."""
        module = sys.modules.get("ziamath")
        return module is not None and hasattr(module, "Latex")

    def prepare(self) -> None:
        """Load it, once; `ready` follows."""
        if self._thread is None:
            self._thread = Thread(target=self._load, name="typesetter")
            self._thread.start()

    def _load(self) -> None:
        # The first formula reads the font as well.
        typeset("x")
        self.ready.emit()


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
    with warnings.catch_warnings():
        # Importing ziamath 0.13 calls what importlib.resources has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import ziamath
    # Plain paths: symbols and their use are beyond the SVG that Qt knows.
    ziamath.config.svg2 = False
    return ziamath
