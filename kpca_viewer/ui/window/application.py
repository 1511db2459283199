"""The QApplication, set up once."""

import sys

from PySide6.QtWidgets import QApplication

SWITCH_SECONDS = 2e-4


def application() -> QApplication:
    """Return the one QApplication, made if there is none."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    app = QApplication(sys.argv[:1])
    app.setApplicationName("kpca_viewer")
    app.setDesktopFileName("kpca_viewer")
    # The worker must release the interpreter quickly: drawing asks for it hundreds
    # of times a picture, and 5 ms each, the default, would be seen as a stutter.
    sys.setswitchinterval(SWITCH_SECONDS)
    return app
