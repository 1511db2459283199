"""The QApplication, set up once, and waiting until its windows are at rest."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import (
    QCoreApplication,
    QEventLoop,
    QMessageLogContext,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication, QLayout, QWidget

from kpca_viewer.widgets.controls import FormulaLabel
from kpca_viewer.window.board import Board

LONGEST_WAIT = 5000
"""Milliseconds for which a formula is worth waiting."""

NOISE = "This plugin does not support propagateSizeHints()"
"""What the offscreen platform writes to stderr about every window."""


@contextmanager
def unseen() -> Iterator[None]:
    """Surround the showing of a widget that is only drawn into a picture."""

    def tell(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if text == NOISE:
            return
        if before is None:
            sys.stderr.write(f"{text}\n")
        else:
            before(kind, context, text)

    before = qInstallMessageHandler(tell)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


def settle(widget: QWidget) -> None:
    """Let everything inside a widget be painted and typeset."""
    loop = QEventLoop()
    # Where formulas cannot be set, their plain text has to do.
    patience = QTimer(loop, singleShot=True, interval=LONGEST_WAIT)
    patience.timeout.connect(loop.quit)
    for board in widget.findChildren(Board):
        # The panels know a result some turns before the last of them is painted.
        while not board.is_settled():
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    for label in widget.findChildren(FormulaLabel):
        label.settled.connect(loop.quit)
        if label.isVisible() and not label.is_settled():
            patience.start()
            loop.exec()
            patience.stop()
        label.settled.disconnect(loop.quit)
    # Formulas have grown; what is not on a screen is not laid out anew for that.
    for layout in reversed(widget.findChildren(QLayout)):
        layout.invalidate()
        layout.activate()
    QCoreApplication.processEvents()


SWITCH_SECONDS = 2e-4


def application() -> QApplication:
    """Return the one QApplication, made if there is none."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    app = QApplication(sys.argv[:1])
    app.setApplicationName("kpca_viewer")
    app.setDesktopFileName("io.github.kpca_viewer")
    # The worker must release the interpreter quickly: drawing asks for it hundreds
    # of times a picture, and 5 ms each, the default, would be seen as a stutter.
    sys.setswitchinterval(SWITCH_SECONDS)
    return app
