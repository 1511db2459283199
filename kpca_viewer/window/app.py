"""Composition root: theme, store, runner, window, presenters. Nothing else wires."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

from PySide6.QtCore import QObject, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine import messages
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.files import open_data
from kpca_viewer.engine.document.recovery import (
    LastSession,
    last_session,
    state_folder,
)
from kpca_viewer.engine.event_loop import GarbageCollector
from kpca_viewer.engine.executors.backend import ComputeBackend
from kpca_viewer.engine.feature import load
from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.features.registry import FEATURES
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.plugins import take_problems
from kpca_viewer.support.progress import Progress, ShouldStop
from kpca_viewer.support.threads import cores
from kpca_viewer.widgets.style import apply_theme, set_palette_and_font
from kpca_viewer.widgets.theme import STEP, Theme, presented, presenting_scale
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window.application import application
from kpca_viewer.window.commands import Commands
from kpca_viewer.window.first_card import FirstCard
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.preferences import Preferences
from kpca_viewer.window.presenter import Presenter
from kpca_viewer.window.sessions import Sessions

LAST_SECONDS = 1.0
"""How long a process that is told to end waits for a computation to stop."""


class Viewer(QObject):
    """The running program.

    Parameters
    ----------
    settings : SessionSettings, optional
        What to show first; by default the last session, or circles.
    opened : mapping of str to Dataset or Table, optional
        Data that the settings may name.
    theme : Theme, optional
        By default the chosen one, or the one of the system.
    remembers : bool
        Whether the next start begins where this one ends. Data that another program
        has handed over are its own: they are never remembered.
    restores : bool
        Whether to begin with the last session where no settings are given.
    stages : StageCache, optional
        What is computed already; by default nothing is.

    Attributes
    ----------
    controllers : dict of str to QObject
        What connects features to the window, by their keys.
    """

    def __init__(
        self,
        settings: SessionSettings | None = None,
        opened: Mapping[str, Dataset | Table] | None = None,
        theme: Theme | None = None,
        *,
        remembers: bool = True,
        restores: bool = True,
        stages: StageCache | None = None,
    ) -> None:
        super().__init__()
        self._garbage = GarbageCollector(self)
        self.preferences = Preferences()
        self.theme = theme or self.preferences.theme()
        self._steps = self.preferences.type_steps()
        self._presents = False
        handed_over = any(isinstance(d, Dataset) for d in (opened or {}).values())
        self._remembers = remembers and not handed_over
        self._chosen = settings is not None
        folder = state_folder() if remembers else None
        last, trouble = None, ""
        if folder is not None and settings is None and restores:
            last, trouble = _last(folder)
        set_palette_and_font(application(), self.theme, self._scale())
        if last is not None and last.document.data.at_hand:
            settings = last.document.settings
        self.store = SessionStore(settings or first_session(), self)
        self.backend = ComputeBackend()
        self.runner = Runner(_work(stages or StageCache(), self.backend), self)
        self.window = MainWindow()
        self._looks = self.theme, self._scale()
        apply_theme(application(), *self._looks)
        self.presenter = Presenter(
            self.window,
            self.store,
            self.runner,
            opened,
            looks=self._looks,
            waits=last is not None,
        )
        self.workbench = Workbench(
            self.window,
            self.presenter,
            self.store,
            self.runner,
            self.preferences,
            self.backend,
            self,
        )
        self.controllers = self._make_controllers(folder)
        self.sessions: Sessions = self.controllers["sessions"]
        self.window.actions_table.connect_handlers(self.workbench)
        if last is not None:
            self._reopen(last)
        elif trouble:
            self.presenter.messages.show(messages.trouble(trouble))
        for problem in take_problems():
            self.presenter.messages.show(messages.trouble(problem))
        if remembers and self.preferences.wants_hint():
            self._show_first_card()
        self.window.closing.connect(self.close)

    def _make_controllers(self, folder: Path | None) -> dict[str, Any]:
        """Return what connects features to the window, by the features' keys."""
        found, workbench = self.workbench.controllers, self.workbench
        found["window"] = Commands(
            workbench, self.set_theme, self._enlarge, self.present, self._start_over
        )
        for feature in FEATURES.values():
            if feature.controller:
                found[feature.key] = load(feature.controller)(workbench)
        found["sessions"] = Sessions(workbench, folder)
        return found

    def _show_first_card(self) -> None:
        lessons = self.controllers["lessons"]
        card = FirstCard(self.window.actions_table["open"].trigger, lessons.open_first)
        lessons.began.connect(card.put_away)
        card.closed.connect(self.preferences.put_hint_away)
        self.window.board.embedding.add_beside(card)
        # It is about the rings: who opens other data has begun.
        self.store.changed.connect(lambda _old, new: card.follow(new.data.source))
        card.follow(self.store.settings.data.source)

    def show(self) -> None:
        """Open the window where it was last time."""
        self.window.recall(self.preferences.store)
        self.window.show()

    def _reopen(self, last: LastSession) -> None:
        """Show the last session; where its file has to be read, as soon as it is."""
        if last.document.data.at_hand:
            self.sessions.show(last.file, last.document, open_data(last.document))
        else:
            self.sessions.reopen(last.file, last.document)

    @Slot(object)
    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._dress()

    @Slot(bool)
    def present(self, on: bool) -> None:
        """Make everything large for presenting, or reset it to the usual size."""
        before, self._presents = self._scale(), on
        self._dress()
        self.window.make_room(self._scale() / before)

    def _scale(self) -> float:
        """Return how much larger than usual all type is."""
        scale = STEP**self._steps
        if self._presents:
            scale *= presenting_scale(self.window.screen().size().height())
        return scale

    def _dress(self) -> None:
        """Give every widget its colours and type, unless it has them already."""
        theme = presented(self.theme) if self._presents else self.theme
        looks = theme, self._scale()
        if looks != self._looks:
            self._looks = looks
            apply_theme(application(), *looks)
            self.presenter.dress(*looks)

    def _enlarge(self, step: int) -> None:
        steps = self._steps + step if step else 0
        self._steps = self.preferences.set_type_steps(steps)
        self._dress()

    @Slot()
    def close(self) -> None:
        """End the work and remember the state."""
        self.runner.close()
        for controller in self.controllers.values():
            if hasattr(controller, "close"):
                controller.close()
        self.window.board.close_asides()
        self._garbage.stop()
        if self._remembers:
            # First the session, which knows of a panel that fills the board.
            self.sessions.remember(chosen=self._chosen)
            self.window.remember(self.preferences.store)

    def interrupt(self, code: int) -> None:
        """Keep a copy of the work for the next start, and close.

        Parameters
        ----------
        code : int
            With which the process ends at once if the work cannot be stopped.
        """
        self._remembers = False
        self.sessions.keep_copy(chosen=self._chosen)
        patience = Timer(LAST_SECONDS, os._exit, [code])
        patience.daemon = True
        patience.start()
        self.window.close()
        patience.cancel()

    def _start_over(self) -> None:
        self.window.actions_table["letter_keys"].setChecked(True)
        self.preferences.reset()
        self._steps = self.preferences.type_steps()
        self.window.board.show_workspace("explore")
        self.window.reset_layout()
        self.window.sidebar.fold_again()
        self.set_theme(self.preferences.theme())
        first = first_session()
        if self.store.settings == first:
            self.store.note(Notes())
        else:
            # Sweep and pins are those of before, too; undo brings them back.
            self.store.update(first, notes=Notes())


def _last(folder: Path) -> tuple[LastSession | None, str]:
    """Return the last session, or why it cannot be shown."""
    try:
        return last_session(folder), ""
    except KpcaError as error:
        return None, str(error)


@cache
def _leave_a_core() -> None:
    """Keep one core for the window, once: BLAS by itself would take all of them."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=max(1, cores() - 1), user_api="blas")


def _work(stages: StageCache, backend: ComputeBackend) -> Callable[..., Any]:
    """Return the analysis with a cache that is kept for the life of the worker."""

    def work(
        request: AnalysisRequest,
        should_stop: ShouldStop,
        progress: Progress,
        publish: Callable[[Any], None],
    ) -> Any:
        # Imported by the worker, while the window is already on the screen.
        from kpca_viewer.engine.analysis import run

        _leave_a_core()
        return run(
            request,
            stages,
            should_stop,
            progress,
            publish,
            backend.each_rows(),
            backend.each_block(),
            publish,
        )

    return work
