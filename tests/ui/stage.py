"""The window with the worker behind it, and nothing that a test does not ask for."""

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.backend import ComputeBackend
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window.commands import Commands
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.preferences import Preferences
from kpca_viewer.window.presenter import Presenter


class Stage:
    """Store, runner, window and presenter on some settings."""

    def __init__(self, qtbot, settings, opened=None):
        cache = StageCache()

        def work(request, should_stop, progress, publish):
            return run(request, cache, should_stop, progress, publish)

        self.qtbot = qtbot
        self.store = SessionStore(settings)
        self.runner = Runner(work)
        self.window = MainWindow()
        qtbot.addWidget(self.window)
        self.presenter = Presenter(self.window, self.store, self.runner, opened)
        self.board = self.window.board

    def furnish(self, **controllers):
        """Let the actions of the window and of some features act; returns those."""
        bench = Workbench(
            self.window,
            self.presenter,
            self.store,
            self.runner,
            Preferences(),
            ComputeBackend(),
            self.window,
        )
        bench.controllers["window"] = Commands(bench, print, print, print, print)
        for key, make in controllers.items():
            bench.controllers[key] = make(bench)
        self.window.actions_table.connect_handlers(bench)
        return [bench.controllers[key] for key in controllers]

    @property
    def result(self):
        return self.presenter.result

    def is_settled(self):
        return not self.runner.busy and self.board.is_settled()

    def settle(self):
        self.qtbot.waitUntil(self.is_settled)

    def show(self):
        """Bring the window to the front, for real keys and a real mouse."""
        with self.qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.qtbot.waitUntil(lambda: QApplication.activeWindow() is self.window)
        self.settle()

    def close(self):
        self.runner.close()


def makers(kind, qtbot, tmp_path, default=None):
    """Yield a function that makes stages of a kind; they are closed afterwards."""
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path)
    )
    made = []

    def make(settings=default):
        made.append(kind(qtbot, settings))
        return made[-1]

    yield make
    for each in made:
        each.close()
