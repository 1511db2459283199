"""Faults of the program: a log, and a dialog after which work goes on."""

import faulthandler
import html
import logging
import sys
import threading
import traceback
from collections import Counter
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from kpca_viewer import __version__
from kpca_viewer.window.main_window import MainWindow

LOG_BYTES = 500_000
OLD_LOGS = 3


MOST_DIALOGS = 3
"""Of one fault: a plot that cannot be painted would come back without end."""


class FaultDialog(QObject):
    """Takes exceptions that no other code takes, from any thread.

    Parameters
    ----------
    folder : Path
        Where the log lies, ``log.txt``; what ends the process at once is in
        ``crash.txt``.
    """

    found = Signal(str)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.log = folder / "log.txt"
        self.window: MainWindow | None = None
        self._open = False
        self._shown: Counter[str] = Counter()
        self._crash: TextIO | None = None
        self._logger = logging.Logger("kpca_viewer")
        handler: logging.Handler = logging.StreamHandler()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handler = RotatingFileHandler(
                self.log, maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8"
            )
            if not faulthandler.is_enabled():
                self._crash = (folder / "crash.txt").open("a", encoding="utf-8")
        except OSError:
            pass
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        self._logger.addHandler(handler)
        self.found.connect(self._show)

    def install(self) -> None:
        self._before = sys.excepthook, threading.excepthook
        sys.excepthook = self.take
        threading.excepthook = self._take_of_thread
        if self._crash is not None:
            faulthandler.enable(self._crash)

    def remove(self) -> None:
        sys.excepthook, threading.excepthook = self._before
        if self._crash is not None:
            faulthandler.disable()
            self._crash.close()
        for handler in self._logger.handlers:
            handler.close()

    def take(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        if not issubclass(kind, Exception):
            self._before[0](kind, error, trace)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        self._logger.error("kpca_viewer %s\n%s", __version__, details)
        self.found.emit(details)

    def _take_of_thread(self, arguments: Any) -> None:
        if arguments.exc_value is not None:
            self.take(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    @Slot(str)
    def _show(self, details: str) -> None:
        # The log has all of them.
        if self._open or self._shown[details] == MOST_DIALOGS:
            return
        self._open = True
        self._shown[details] += 1
        box = QMessageBox(self.window)
        box.setObjectName("fault_dialog")
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(
            "Something went wrong inside the program; your work is still here."
            if self.window
            else "The program could not start."
        )
        last = html.escape(details.strip().splitlines()[-1][:200])
        log = html.escape(str(self.log))
        box.setInformativeText(
            f"<p>{last}<br>Details are in {log}. Nothing is sent anywhere.</p>"
        )
        copy = box.addButton("Copy details", QMessageBox.ButtonRole.ActionRole)
        copy.clicked.disconnect()  # It copies, and the dialog stays.
        copy.clicked.connect(lambda: QApplication.clipboard().setText(details))
        box.finished.connect(self._on_finished)
        if self.window is None:
            box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
            box.exec()
            return
        save = box.addButton("Save session…", QMessageBox.ButtonRole.AcceptRole)
        save.clicked.connect(self.window.actions_table["save"].trigger)
        box.setDefaultButton(box.addButton("Go on", QMessageBox.ButtonRole.RejectRole))
        box.open()

    @Slot()
    def _on_finished(self) -> None:
        self._open = False
