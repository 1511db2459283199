"""The loop: a change reaches the store, the runner answers, the views show it."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.messages import refused
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult, Sketch
from kpca_viewer.engine.runner import Pacer, Runner
from kpca_viewer.engine.settings import (
    SessionSettings,
)
from kpca_viewer.engine.stage import has_stage, needs_stage, page_lacks
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.text.describe import stale_words
from kpca_viewer.features import registry
from kpca_viewer.widgets.controls import NumberField
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.window import messages
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.message_queue import Messages
from kpca_viewer.window.opened_data import OpenedData
from kpca_viewer.window.poses import show_views
from kpca_viewer.window.row_notes import RowNotes

STALE_AFTER = 150
"""Milliseconds of work after which the old picture is dimmed."""


class Presenter(QObject):
    """Connects store, runner and window; holds the last good result.

    Attributes
    ----------
    scene : Scene
        What is published.
    messages : Messages
        What the window says.
    data : OpenedData
        What was opened.
    stages : tuple of Stage
        What is computed after the picture, where something shows it.

    Parameters
    ----------
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
        self.messages = Messages(window.message_bar, store)
        self.data = OpenedData(store, self.messages, opened or {}, self)
        self._row_notes = RowNotes(
            window.board, store, self.messages, self.data.sources, self
        )
        self.scene = Scene()
        self._in_gesture = False
        self._page_waits = False
        self.stages = registry.stages()
        self._stale = QTimer(self, singleShot=True, interval=STALE_AFTER)
        self._stale.timeout.connect(self._on_stale)
        self._connect()
        self.dress(*looks)
        if not waits:
            self._submit()

    def _connect(self) -> None:
        window, store, runner = self._window, self._store, self._runner
        window.changes.settings_requested.connect(self._on_settings_requested)
        window.changes.gesture_ended.connect(self._on_gesture_ended)
        window.changes.refused.connect(self._on_refused)
        window.kernel_bar.suggest.taken.connect(self.messages.say_suggested)
        window.sidebar.suggestion_taken.connect(self.messages.say_suggested)
        for field in window.sweep_strip.findChildren(NumberField):
            field.refused.connect(self._on_refused)
        store.history_changed.connect(self._on_history_changed)
        self._on_history_changed()
        store.changed.connect(self._on_store_changed)
        store.notes_changed.connect(self._on_notes_changed)
        runner.result_ready.connect(self._on_result_ready)
        runner.sketched.connect(self._on_sketched)
        runner.failed.connect(self._on_failed)
        runner.cancelled.connect(self._on_cancelled)
        runner.progressed.connect(window.progress.report)
        runner.busy_changed.connect(self._on_busy_changed)
        window.progress.cancel_requested.connect(self._pacer.cancel)
        self.data.changed.connect(self._on_data_changed)
        for signal in (
            window.board.compare.page_turned,
            window.board.compare.page_needed,
        ):
            signal.connect(self._on_page_turned)

    def cancel(self) -> bool:
        """Compute nothing any more; returns whether anything was computed."""
        busy = self._runner.busy
        if busy:
            self._pacer.cancel()
        return busy

    def show_anything(self) -> None:
        """Compute what the settings say, where there is no picture yet."""
        if self.result is None and not self._runner.busy:
            self._submit()

    @Slot()
    def _on_history_changed(self) -> None:
        actions, store = self._window.actions_table, self._store
        for key, word, text in (
            ("undo", "Undo", store.undo_text),
            ("redo", "Redo", store.redo_text),
        ):
            actions[key].setEnabled(text is not None)
            # A & in the name of a file is no mnemonic.
            words = (text or "").replace("&", "&&")
            actions[key].setText(f"&{word} {words}".rstrip())

    # From a change to a request

    @Slot(object, object)
    def _on_settings_requested(
        self, settings: SessionSettings, gesture: str | None
    ) -> None:
        self.change(settings, gesture)

    def change(
        self,
        settings: SessionSettings,
        gesture: str | None = None,
        notes: Notes | None = None,
    ) -> None:
        """Go to other settings, as a change that a person makes.

        Parameters
        ----------
        gesture : str, optional
            While one lasts.
        notes : Notes, optional
            What is noted then; by default what other rows leave of it.
        """
        self._in_gesture = gesture is not None
        self.data.take(settings, gesture, notes)

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        """Say why a typed number is not taken, until another one is."""
        self.messages.show(refused(text))

    @Slot()
    def _on_gesture_ended(self) -> None:
        self._in_gesture = False
        self._store.end_gesture()
        self._pacer.flush()
        if not self._runner.busy:
            self._ask_at_rest()
        elif not self._answers():
            self._dim_later()

    def _ask_at_rest(self) -> None:
        """After a drag, move the points to where the settings alone put them."""
        moved = self.result is not None and not self.result.at_rest
        if moved and not self._in_gesture:
            self._submit(dims=not self._answers())

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        again, result = new.needs_analysis(old, self.stages), self.result
        only_view = replace(new, view=old.view) == old
        more = needs_stage(self.stages, new.view, old.view)
        if again and only_view and not more and result is not None:
            # The scores are there; only the verdict on other axes has to be awaited.
            result = replace(result, comparison=None)
        if new.data != old.data:
            self._window.board.embedding.end_sketch()
        self._publish(result=result)
        if again:
            self._submit()

    @Slot()
    def _on_notes_changed(self) -> None:
        self._publish()

    @Slot()
    def _on_data_changed(self) -> None:
        self._publish()
        self._submit()

    @property
    def result(self) -> AnalysisResult | None:
        return self.scene.result

    @property
    def settings(self) -> SessionSettings:
        return self._store.settings

    def request(self) -> AnalysisRequest:
        """Return what would be computed now."""
        # A copy: the worker reads it while another file may be opened here.
        return AnalysisRequest(
            self._store.settings,
            dict(self.data.sources),
            self.data.new_rows,
            self._in_gesture,
            self._window.board.compare.pages.value(),
            self.stages,
        )

    @Slot(str)
    def _on_page_turned(self, page: str) -> None:
        """Compute what only this page shows, unless it is there or on its way."""
        result = self.result
        has_it = result is not None and not page_lacks(self.stages, result, page)
        answers = result is not None and self.scene.stale is None
        self._page_waits = False
        if not has_stage(self.stages, page) or has_it:
            return
        if self._runner.busy and not self._in_gesture and not self._has_picture():
            # It needs the picture that is being computed, which may take minutes.
            self._page_waits = True
        elif answers or self._runner.busy:
            request = replace(self.request(), page=page)
            self._pacer.submit(request, in_gesture=self._in_gesture)

    def _ask_for_page(self) -> None:
        """Compute what a page adds that was turned to while its picture was not."""
        if self._page_waits and self._has_picture():
            self._on_page_turned(self._window.board.compare.pages.value())

    def _has_picture(self) -> bool:
        """Return whether the picture is that of the settings, of all rows if asked."""
        result = self.result
        if result is None or not self.is_complete():
            return False
        of_all = (
            self._store.settings.analysis.fit_full_table and result.dataset.sampled_from
        )
        return not of_all or result.full_fit is not None

    def _submit(self, *, dims: bool = True) -> None:
        self._page_waits = False
        if self._is_empty:
            self._show_empty()
            return
        self._pacer.submit(self.request(), in_gesture=self._in_gesture)
        if dims:
            self._dim_later()

    def _dim_later(self) -> None:
        """Dim what does not answer the settings, where the answer takes a while."""
        if self._in_gesture or not self._runner.busy:
            return
        if self.scene.stale is not None:
            self._on_stale()
        elif not self._stale.isActive():
            # Steps that follow each other do not put it off.
            self._stale.start()

    # From an answer to the picture

    def _show_empty(self) -> None:
        """Show a plane without points, which is no error; nothing is computed."""
        self._pacer.cancel()
        self._stale.stop()
        self._publish(result=None, stale=None)

    @property
    def _is_empty(self) -> bool:
        return self._store.settings.data.is_empty

    @Slot(object)
    def _on_result_ready(self, result: AnalysisResult) -> None:
        if self._is_empty:
            return
        first_look = self.result is None or self.result.dataset is not result.dataset
        settings = self._store.settings
        # Where there are fewer components than before, none is looked for in vain.
        view = settings.view.within(result.scores.shape[1])
        self._store.amend(settings=replace(settings, view=view))
        self.data.sources.use(result.settings.data.source)
        self._stale.stop()
        self.messages.result_came(result)
        returning = self.data.take_reopened()
        with self._row_notes.shown(result.dataset) if first_look else nullcontext():
            self._publish(result=result, stale=None)
        if returning is not None and returning.views is not None:
            self._window.board.settle()
            show_views(self._window.board, returning.views)
        if returning is not None and returning.finds_others(result.dataset):
            self.messages.show(messages.OTHER_DATA)
        self._ask_at_rest()
        self._ask_for_page()

    @Slot(object)
    def _on_sketched(self, sketch: Sketch) -> None:
        """Show some of the rows that are seen already, until all are there."""
        result = self.result
        same = result is not None and result.dataset is sketch.dataset
        if same and self.scene.played is None:
            self._window.board.show_sketch(sketch)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        """Keep the last good picture, dimmed, and say what to do."""
        if self._is_empty:
            return
        self._show_stale("{} could not be computed")
        self.messages.failed(error)

    def is_complete(self) -> bool:
        """Return whether the result answers the settings, but for what a page adds."""
        result = self.result
        return result is not None and result.comparison is not None and self._answers()

    def _answers(self) -> bool:
        """Return whether the result is that of the settings, quickly or in full."""
        result, settings = self.result, self._store.settings
        if result is None:
            return False
        return not settings.needs_analysis(result.settings, self.stages)

    @Slot()
    def _on_cancelled(self) -> None:
        if self._is_empty:
            return
        if not self.is_complete():
            self._show_stale("{} was cancelled")
        message = messages.cancelled(has_picture=self.result is not None)
        self.messages.show(message, self._submit)

    @Slot()
    def _on_stale(self) -> None:
        self._show_stale("computing {} …")

    def _show_stale(self, why: str) -> None:
        """Dim what is there; under the name of other data, say whose picture it is."""
        # What is said now is not to be followed by that it is still computed.
        self._stale.stop()
        if not self._runner.busy:
            self._window.board.embedding.end_sketch()
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

    def show_played(self, point: SweepPoint | None) -> None:
        """Show the values that a film is at; None shows what is set again."""
        self._publish(played=None if point is None else point.settings, film=point)

    def _publish(self, **changes: Any) -> None:
        """Show the present scene, with the parts that have changed."""
        scene = self.scene.changed(
            settings=self._store.settings,
            notes=self._store.notes,
            projects=self.data.new_rows is not None,
            **changes,
        )
        self.scene = scene
        self._window.show_scene(scene)
