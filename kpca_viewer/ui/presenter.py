"""The loop: a wish changes the store, the runner answers, the views show it."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.table import Table
from kpca_viewer.runtime.pacer import Pacer
from kpca_viewer.runtime.runner import Runner
from kpca_viewer.runtime.store import SessionStore
from kpca_viewer.session.beginning import for_other_data
from kpca_viewer.session.document.model import Document
from kpca_viewer.session.document.reopening import Reopened, reopened
from kpca_viewer.session.request import AnalysisRequest
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.session.sources import Sources
from kpca_viewer.ui.actions.settings import SettingActions
from kpca_viewer.ui.board.poses import show_views
from kpca_viewer.ui.controls import NumberField
from kpca_viewer.ui.look.theme import LIGHT, Theme
from kpca_viewer.ui.scene import Scene
from kpca_viewer.ui.window.main_window import MainWindow
from kpca_viewer.ui.window.messages import Messages
from kpca_viewer.ui.window.row_notes import RowNotes
from kpca_viewer.ui.words.describe import stale_words

STALE_AFTER = 150
"""Milliseconds of work after which the old picture steps back."""


class Presenter(QObject):
    """Connects store, runner and window; holds the last good result.

    Attributes
    ----------
    scene : Scene
        What is published.
    messages : Messages
        What the window says.

    Parameters
    ----------
    window : MainWindow
    store : SessionStore
    runner : Runner
    opened : mapping of str to Dataset or Table, optional
        Data that the settings may name.
    looks : tuple of (Theme, float)
        Colours, and how much larger than usual all type is.
    waits : bool
        Whether a session is about to be opened, so that nothing is computed before.
    """

    def __init__(
        self,
        window: MainWindow,
        store: SessionStore,
        runner: Runner,
        opened: Mapping[str, Dataset | Table] | None = None,
        *,
        looks: tuple[Theme, float] = (LIGHT, 1.0),
        waits: bool = False,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._store = store
        self._runner = runner
        self._pacer = Pacer(runner, self)
        self._opened = Sources()
        self._opened.update(opened or {})
        self._new_rows: Dataset | None = None
        self._data: dict[str, DataSettings] = {}
        self.messages = Messages(window.message_bar, store)
        self._row_notes = RowNotes(
            window.board, store, self.messages, self._opened, self
        )
        self._reopened: Reopened | None = None
        self.scene = Scene()
        self._in_gesture = False
        self._kernels: dict[str, KernelSettings] = {}
        SettingActions(window.actions_table, store, self._kernels, self)
        self._stale = QTimer(self, singleShot=True, interval=STALE_AFTER)
        self._stale.timeout.connect(self._on_stale)
        self._connect()
        self.dress(*looks)
        if not waits:
            self._submit()

    def _connect(self) -> None:
        window, store, runner = self._window, self._store, self._runner
        window.wishes.settings_wished.connect(self._on_settings_wished)
        window.wishes.gesture_ended.connect(self._on_gesture_ended)
        window.wishes.refused.connect(self._on_refused)
        window.sidebar.suggestion_taken.connect(self.messages.say_suggested)
        for field in window.sweep_strip.findChildren(NumberField):
            field.refused.connect(self._on_refused)
        store.changed.connect(self._on_store_changed)
        store.notes_changed.connect(self._on_notes_changed)
        runner.result_ready.connect(self._on_result_ready)
        runner.failed.connect(self._on_failed)
        runner.cancelled.connect(self._on_cancelled)
        runner.progressed.connect(window.progress.report)
        runner.busy_changed.connect(self._on_busy_changed)
        window.progress.cancel_requested.connect(self._pacer.cancel)
        window.board.linking.selection_changed.connect(self._on_selection_changed)
        window.actions_table["escape"].triggered.connect(self._on_escape)

    def show_anything(self) -> None:
        """Compute what the settings say, where there is no picture yet."""
        if self.result is None and not self._runner.busy:
            self._submit()

    # Files

    def open_table(self, table: Table, importing: ImportSettings, scaling: Any) -> None:
        """Show a table as the sheet says; one step of the history."""
        key, settings = self._opened.free_key(table.key, table), self._store.settings
        # Opened again, or with other columns: its rows are still left out.
        again = settings.data.source == key
        data = DataSettings(
            source=key,
            scaling=scaling,
            importing=importing,
            excluded=settings.data.excluded if again else None,
            groups=settings.data.groups if again else (),
        )
        known = self._opened.get(key) is table
        known = known and data.of_points() == settings.data.of_points()
        self._opened[key] = table
        # The same points in other colours: who has chosen a label wants to see it.
        view = (
            replace(settings.view, color_by="label")
            if known
            else settings.view.for_source(key)
        )
        same = data == settings.data
        self._take_data(replace(settings, data=data, view=view), others=not known)
        if same:
            self._submit()

    @property
    def opened(self) -> Mapping[str, Dataset | Table]:
        """Everything that was opened, by the name that the settings use."""
        return self._opened

    def open_document(
        self,
        document: Document,
        sources: Mapping[str, Dataset | Table],
        title: str = "",
    ) -> None:
        """Show a session; its selection follows with the first result.

        Parameters
        ----------
        document : Document
        sources : mapping of str to Dataset or Table
        title : str
            Under which it can be undone; empty where there is nothing to go back to.
        """
        store = self._store
        found = reopened(document, store.settings, store.notes, self._opened, sources)
        self._reopened, settings, notes = found, found.settings, found.notes
        same = not settings.needs_analysis(self._store.settings)
        if title:
            self._store.open(settings, notes, title)
        else:
            self._store.reset(settings, notes)
        if document.unread:
            self.messages.tell(
                "warning", "Some pins of this session could not be read."
            )
        if same:
            self._submit()

    def present_table(self) -> tuple[Table, ImportSettings, Any] | None:
        """Return the table behind the picture with its import settings."""
        data = self._store.settings.data
        table = self._opened.get(data.source)
        if not isinstance(table, Table) or data.importing is None:
            return None
        return table, data.importing, data.scaling

    def present_model(self) -> tuple[ImportSettings, Dataset] | None:
        """Return what new rows need of the present model; None where it takes none."""
        result, importing = self.result, self._store.settings.data.importing
        if result is None or result.kernel is None:
            return None
        if importing is None:
            names = result.dataset.feature_names
            importing = ImportSettings(roles=tuple((name, "feature") for name in names))
        return importing, result.dataset

    def set_new_rows(self, rows: Dataset | None) -> None:
        """Project these rows beside the data, or none."""
        self._new_rows = rows
        self._publish()
        self._submit()

    # From a wish to a request

    @Slot(object, object)
    def _on_settings_wished(
        self, settings: SessionSettings, gesture: str | None
    ) -> None:
        self._in_gesture = gesture is not None
        family = settings.kernel.family
        if settings.data.source != self._store.settings.data.source:
            # A file that was open before comes back with its columns as they were.
            known = self._data.get(settings.data.source, settings.data)
            self._take_data(replace(settings, data=known), others=True)
            return
        if family != self._store.settings.kernel.family:
            # As it was left: off and on again is where one was.
            kernel = self._kernels.get(family, KernelSettings(family))
            settings = replace(settings, kernel=kernel)
        self._store.update(settings, gesture)

    def _take_data(self, settings: SessionSettings, *, others: bool) -> None:
        """Show data; other ones begin with what suits them, wherever they come from."""
        old = self._store.settings
        if others:
            settings = replace(settings, kernel=for_other_data(settings.kernel))
        self._store.update(settings)
        self.messages.say_left_behind(old, settings)

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        """Say why a typed number is not taken, until another one is."""
        self.messages.say_for_now("warning", text)

    @Slot()
    def _on_gesture_ended(self) -> None:
        self._in_gesture = False
        self._store.end_gesture()
        self._pacer.flush()
        if not self._runner.busy:
            self._come_to_rest()

    def _come_to_rest(self) -> None:
        """Let a picture that has followed the hand glide to where it belongs."""
        moved = self.result is not None and not self.result.at_rest
        if moved and not self._in_gesture:
            self._submit()

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        if new.data.importing is not None:
            self._data[new.data.source] = new.data
        if new.data.of_columns() != old.data.of_columns():
            self._new_rows = None
        if new.data.source != old.data.source:
            self._kernels.clear()
            # Advice and news were about the data before.
            self.messages.forget()
        else:
            self._kernels[old.kernel.family] = old.kernel
        again, result = new.needs_analysis(old), self.result
        if again and result is not None and replace(new, view=old.view) == old:
            # The scores are there; only the verdict on other axes has to be awaited.
            result = replace(result, comparison=None)
        self._publish(result=result)
        if again:
            self._submit()

    @Slot()
    def _on_notes_changed(self) -> None:
        self._publish()

    @property
    def result(self) -> AnalysisResult | None:
        """The last good result."""
        return self.scene.result

    @property
    def settings(self) -> SessionSettings:
        """The current settings."""
        return self._store.settings

    def wish(self, settings: SessionSettings, gesture: str | None = None) -> None:
        """Take a wish as the cards of the sidebar do."""
        self._on_settings_wished(settings, gesture)

    def request(self) -> AnalysisRequest:
        """Return what would be computed now."""
        # A copy: the worker reads it while another file may be opened here.
        return AnalysisRequest(
            self._store.settings,
            dict(self._opened),
            self._new_rows,
            self._in_gesture,
        )

    def _submit(self) -> None:
        self._pacer.submit(self.request(), in_gesture=self._in_gesture)
        if self._in_gesture or not self._runner.busy:
            return
        if self._window.board.embedding.is_dimmed():
            self._on_stale()
        elif not self._stale.isActive():
            # Steps that follow each other do not put it off.
            self._stale.start()

    # From an answer to the picture

    @Slot(object)
    def _on_result_ready(self, result: AnalysisResult) -> None:
        first_look = self.result is None or self.result.dataset is not result.dataset
        settings = self._store.settings
        # Where there are fewer components than before, none is looked for in vain.
        view = settings.view.within(result.scores.shape[1])
        self._store.amend(settings=replace(settings, view=view))
        self._opened.use(result.settings.data.source)
        self._stale.stop()
        self.messages.result_came(result)
        returning, self._reopened = self._reopened, None
        with self._row_notes.shown(result.dataset) if first_look else nullcontext():
            self._publish(result=result, stale=None)
        if returning is not None and returning.views is not None:
            self._window.board.settle()
            show_views(self._window.board, returning.views)
        if returning is not None and returning.finds_others(result.dataset):
            self.messages.tell(
                "warning",
                "The data are not those of the picture any more; they are shown as "
                "they are now.",
            )
        self._come_to_rest()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        """Keep the last good picture, dimmed, and say what to do."""
        self._step_back("{} could not be computed")
        self.messages.failed(error)

    @Slot()
    def _on_cancelled(self) -> None:
        self._step_back("{} was cancelled")
        text = "Cancelled; the picture shows the last result."
        if self.result is None:
            text = "Cancelled; there is no picture yet."
        self.messages.say_for_now("info", text, [("Compute again", self._submit)])

    @Slot()
    def _on_stale(self) -> None:
        self._step_back("computing {} …")

    def _step_back(self, why: str) -> None:
        """Dim what is there; under the name of other data, say whose picture it is."""
        if self.result is not None:
            words = stale_words(self.result, self._store.settings, why)
            self._publish(stale=words)

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        if busy:
            self._window.progress.begin("Working")
        else:
            self._stale.stop()
            self._window.progress.end()

    def dress(self, theme: Theme, type_scale: float) -> None:
        """Show everything in the colours of a theme, and in type of another size."""
        self._publish(theme=theme, type_scale=type_scale)

    def show_played(self, settings: SessionSettings | None) -> None:
        """Show the values that a film is at; None shows what is set again."""
        self._publish(played=settings)

    def _publish(self, **changes: Any) -> None:
        """Show the scene of now, with the parts that have changed."""
        scene = self.scene.changed(
            settings=self._store.settings,
            notes=self._store.notes,
            projects=self._new_rows is not None,
            **changes,
        )
        self.scene = scene
        self._window.show_scene(scene)

    @Slot(object)
    def _on_selection_changed(self, mask: Any) -> None:
        count = 0 if mask is None else int(mask.sum())
        self._window.set_selection_text(f"{count:,} selected" if count else "")

    @Slot()
    def _on_escape(self) -> None:
        """Cancel; or restore the board, close help, deselect, or stop presenting."""
        board, present = self._window.board, self._window.actions_table["present"]
        if self._runner.busy:
            self._pacer.cancel()
        elif board.restore() or self._window.close_help():
            pass
        elif board.linking.selection is not None:
            board.linking.clear()
        elif present.isChecked():
            present.trigger()
