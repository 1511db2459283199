"""Kernel search in the window: the search, its pictures, and the row that is taken."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Slot

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.choice_note import ChoiceNote, is_taken, kernel_words, with_row
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.kernel_search.panel import ChoicePanel
from kpca_viewer.features.kernel_search.runner import ChoiceRunner
from kpca_viewer.features.kernel_search.text import ChoiceState, Stage, outdated_words
from kpca_viewer.support.errors import sentence_of
from kpca_viewer.widgets.point_preview import PointPreview
from kpca_viewer.widgets.scene import LOOKS, Scene
from kpca_viewer.widgets.thumbnails import Shades
from kpca_viewer.widgets.workbench import Workbench

TOGETHER = 120
"""Milliseconds in which what comes is shown at once."""


class KernelSearchController(QObject):
    """Connects the panels of the workspace Decide; threads are made on first use."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, store = workbench.window, workbench.store
        self._window = window
        self._presenter = workbench.presenter
        self._store = store
        self._interactive = workbench.runner
        self._scene = Scene()
        self._state = ChoiceState()
        self._data: DataSettings | None = None
        self._used: Row | None = None
        self._session = store.session
        self._preview = PointPreview(window.board.embedding)
        self.view = ChoicePanel()
        window.board.add_panel(self.view, "decide", "left")
        window.board.add_panel(self.view.evidence, "decide", "side")
        self.runner: ChoiceRunner | None = None
        self._pending: Choice | None = None
        self._delay = QTimer(self, singleShot=True, interval=TOGETHER)
        self._delay.timeout.connect(self._show_pending)
        self.view.start_requested.connect(self.start)
        self.view.cancel_requested.connect(self._on_cancel_requested)
        self.view.row_pointed.connect(self._on_row_pointed)
        self.view.row_adopted.connect(self.adopt)
        window.sidebar.choice_requested.connect(self.open)
        window.board.shown.connect(self._on_shown)
        window.board.workspace_changed.connect(self._show_pictures)
        store.changed.connect(self._on_store_changed)
        store.notes_changed.connect(self._on_notes_changed)

    @property
    def state(self) -> ChoiceState:
        return self._state

    def close(self) -> None:
        self._delay.stop()
        if self.runner is not None:
            self.runner.close()

    @Slot()
    def open(self) -> None:
        """Show the panels; compare kernels where that is not yet done."""
        if self._state.stage == "empty":
            self._recall(self._store.notes.choice)
        self._window.board.show_workspace("decide")
        self.view.set_shades(Shades.of_scene(self._scene))
        self._show()
        if self._state.stage == "empty" or self._state.outdated:
            self.start()
        else:
            self._draw_missing()
        self.view.table.setFocus()

    @Slot()
    def start(self) -> None:
        request = self._presenter.request()
        if request.settings.data.is_empty:
            return
        self.view.let_go()
        self.view.table.forget()
        self._forget_pending()
        self._data = request.settings.data.ungrouped()
        self._go_to(ChoiceState("working"))
        self.view.show_progress("", None)
        self._make_runner().start(request)

    def _make_runner(self) -> ChoiceRunner:
        if self.runner is None:
            runner = self.runner = ChoiceRunner(self)
            runner.search.result_ready.connect(self._on_choice_ready)
            runner.search.failed.connect(self._on_failed)
            runner.search.cancelled.connect(self._on_cancelled)
            runner.search.progressed.connect(self.view.show_progress)
            runner.pictures.result_ready.connect(self._on_picture_ready)
            runner.pictures.busy_changed.connect(self._on_pictures_busy_changed)
            self._interactive.busy_changed.connect(runner.hold)
            runner.hold(self._interactive.busy)
        return self.runner

    # From the search

    @Slot(object)
    def _on_choice_ready(self, choice: Choice) -> None:
        self._pending = choice
        if choice.is_complete:
            self._show_pending()
            self._note(choice)
        elif not self._delay.isActive():
            self._delay.start()

    @Slot()
    def _show_pending(self) -> None:
        self._delay.stop()
        choice, self._pending = self._pending, None
        if choice is not None:
            stage: Stage = "done" if choice.is_complete else "working"
            self._go_to(replace(self._state, stage=stage, choice=choice))
            self._draw_missing()

    def _forget_pending(self) -> None:
        self._delay.stop()
        self._pending = None

    def _note(self, choice: Choice) -> None:
        """Keep the evidence for the session; looking is no step of the history."""
        assert self._data is not None
        note, before = ChoiceNote.of(choice, self._data), self._store.notes.choice
        row = self._in_use()
        if before is not None and before.taken is not None and row is not None:
            # Stopped before the end.
            note = replace(note, taken=choice.rows.index(row))
        self._store.amend(replace(self._store.notes, choice=note))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._forget_pending()
        self._go_to(
            replace(
                self._state, stage="failed", choice=None, trouble=sentence_of(error)
            )
        )

    @Slot()
    def _on_cancel_requested(self) -> None:
        if self.runner is not None:
            self.runner.search.cancel()

    @Slot()
    def _on_cancelled(self) -> None:
        self._show_pending()
        if self._state.stage == "working":
            self._go_to(replace(self._state, stage="cancelled"))

    # Pictures

    @Slot(bool)
    def _on_pictures_busy_changed(self, busy: bool) -> None:
        if not busy:
            self._draw_missing()

    def _draw_missing(self) -> None:
        """Ask for the pictures that rows lack, once the last ones are there."""
        choice, table = self._state.choice, self.view.table
        if choice is None or self._state.outdated or not table.isVisible():
            return
        runner = self._make_runner()
        missing = [row for row in choice.rows if table.picture(row) is None]
        if missing and not runner.pictures.busy:
            request = self._presenter.request()
            wanted = tuple(with_row(request.settings, row) for row in missing)
            runner.pictures.submit((request, wanted))

    @Slot(object)
    def _on_picture_ready(self, point: SweepPoint | None) -> None:
        if point is None or self._state.outdated:
            return
        self.view.table.show_picture(point)
        row = self.view.table.current_row() if self.view.is_previewed else None
        if row is not None and with_row(point.settings, row) == point.settings:
            # It was waited for.
            self._on_row_pointed(row)

    @Slot(object)
    def _on_row_pointed(self, row: Row | None) -> None:
        point = None if row is None else self.view.table.picture(row)
        if point is None or row is None or self._state.outdated:
            self._preview.clear()
        else:
            self._preview.show(point, kernel_words(row), animate=True, own_axes=True)

    @Slot(object)
    def adopt(self, row: Row) -> None:
        """Take a row: kernel, value, components and axes, with the evidence for it."""
        self._preview.clear()
        settings = with_row(self._store.settings, row)
        notes = replace(self._store.notes, choice=self._taken(row))
        if settings == self._store.settings:
            self._store.amend(notes)
        else:
            self._presenter.change(settings, notes=notes)

    def _taken(self, row: Row) -> ChoiceNote:
        choice = self._state.choice
        assert choice is not None
        assert self._data is not None
        note = ChoiceNote.of(choice, self._data)
        return replace(note, taken=choice.rows.index(row))

    # From store and board

    @Slot(object, object)
    def _on_store_changed(self, _old: SessionSettings, new: SessionSettings) -> None:
        self._follow_session()
        if self._data is None:
            return
        outdated = outdated_words(self._data, new.data)
        if outdated and self._state.stage == "working" and self.runner is not None:
            self.runner.search.cancel()
        if outdated != self._state.outdated:
            self._go_to(replace(self._state, outdated=outdated))
        elif self._in_use() is not self._used:
            self._show()

    @Slot(object, object)
    def _on_notes_changed(self, old: Notes, new: Notes) -> None:
        self._follow_session()
        if new.choice == old.choice:
            return
        if new.choice is not None:
            self._recall(new.choice)
        elif self._state.stage == "done" and self._state.choice is not None:
            # A step before the search was made knows nothing of it; the session does.
            self._note(self._state.choice)

    def _follow_session(self) -> None:
        """Forget the evidence of another session; this one may bring its own."""
        if self._session == self._store.session:
            return
        self._session = self._store.session
        if self.runner is not None:
            self.runner.search.cancel()
        self._forget_pending()
        self._data = None
        self._go_to(ChoiceState())
        self._recall(self._store.notes.choice)

    def _recall(self, note: ChoiceNote | None) -> None:
        """Show evidence that came with a session, or with a step of the history."""
        if note is None or self._state.stage == "working":
            return
        choice, data = self._state.choice, self._data
        if choice is not None and data is not None:
            known = replace(ChoiceNote.of(choice, data), taken=note.taken)
            if known == note:
                return
        self.view.table.forget()
        self._data = note.data
        outdated = outdated_words(note.data, self._store.settings.data)
        stage: Stage = "done" if note.is_complete else "cancelled"
        self._go_to(ChoiceState(stage, note.choice(), outdated=outdated))
        self._draw_missing()

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        before, self._scene = self._scene, scene
        view = self.view
        if LOOKS(scene) != LOOKS(before):
            view.set_theme(scene.theme)
        if (
            scene.result is not before.result
            and not self._window.board.embedding.shows_preview
        ):
            # What was seen for a moment has given way to the result.
            view.let_go()
        self._show_pictures()

    @Slot()
    def _show_pictures(self) -> None:
        if self.view.isVisible():
            self.view.set_shades(Shades.of_scene(self._scene))
            self._draw_missing()

    def _go_to(self, state: ChoiceState) -> None:
        self._state = state
        self._show()

    def _show(self) -> None:
        self._used = self._in_use()
        self.view.show_state(self._state, self._used)

    def _in_use(self) -> Row | None:
        """Return the row whose kernel and components are set now."""
        choice, settings = self._state.choice, self._store.settings
        if choice is None:
            return None
        rows = (row for row in choice.rows if is_taken(settings, row))
        return next(rows, None)
