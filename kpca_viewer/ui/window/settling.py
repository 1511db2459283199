"""Waiting until a widget looks as it will, for pictures that nobody waits for."""

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

from kpca_viewer.ui.board.board import Board
from kpca_viewer.ui.controls import FormulaLabel

LONGEST_WAIT = 5000
"""Milliseconds for which a formula is worth waiting."""


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
    QCoreApplication.processEvents()
