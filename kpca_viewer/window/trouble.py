"""Faults of the program: a log, and a dialog after which work goes on."""

import logging
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from kpca_viewer import __version__
from kpca_viewer.window.main_window import MainWindow

LOG_BYTES = 500_000
OLD_LOGS = 3


class FaultDialog(QObject):
    """Takes exceptions that no other code takes, from any thread.

    Parameters
    ----------
    folder : Path
        Where the log lies, ``log.txt``.
    """

    found = Signal(str)

    def __init__(self, window: MainWindow, folder: Path) -> None:
        super().__init__(window)
        self.log = folder / "log.txt"
        self._window = window
        self._open = False
        self._logger = logging.Logger("kpca_viewer")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handler: logging.Handler = RotatingFileHandler(
                self.log, maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8"
            )
        except OSError:
            handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        self._logger.addHandler(handler)
        self.found.connect(self._show)

    def install(self) -> None:
        self._before = sys.excepthook, threading.excepthook
        sys.excepthook = self.take
        threading.excepthook = self._take_of_thread

    def remove(self) -> None:
        sys.excepthook, threading.excepthook = self._before
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
        if self._open:  # One is enough; the log has all of them.
            return
        self._open = True
        box = QMessageBox(self._window)
        box.setObjectName("fault_dialog")
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText("Something went wrong inside the program; your work is still here.")
        box.setInformativeText(
            f"{details.strip().splitlines()[-1][:200]}\nDetails are in {self.log}. "
            "Nothing is sent anywhere."
        )
        copy = box.addButton("Copy details", QMessageBox.ButtonRole.ActionRole)
        copy.clicked.disconnect()  # It copies, and the dialog stays.
        copy.clicked.connect(lambda: QApplication.clipboard().setText(details))
        save = box.addButton("Save session…", QMessageBox.ButtonRole.AcceptRole)
        save.clicked.connect(self._window.actions_table["save"].trigger)
        box.setDefaultButton(box.addButton("Go on", QMessageBox.ButtonRole.RejectRole))
        box.finished.connect(self._on_finished)
        box.open()

    @Slot()
    def _on_finished(self) -> None:
        self._open = False
