"""The loop of a sweep: a request starts the runner, strip and gallery show points."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.core.orientation import is_same
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.forecast import LARGE_FROM
from kpca_viewer.engine.notes import Notes, SweepNote
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.sweep.parameters import sweepable
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepSettings, film_subject
from kpca_viewer.features.sweep.gallery import GalleryPage
from kpca_viewer.features.sweep.runner import PointBatches, SweepRunner
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.features.sweep.text import preview_text, stale_text
from kpca_viewer.support.errors import DataError, sentence_of
from kpca_viewer.widgets.point_preview import PointPreview
from kpca_viewer.widgets.scene import Scene

if TYPE_CHECKING:
    from kpca_viewer.window.board import Board


class SweepPresenter(QObject):
    """Connects strip and gallery with store, runners and board.

    A sweep waits while ``runner``, the interactive one, works. ``opened`` holds the
    data that settings may name, the same object that others fill.
    """

    started = Signal()
    played = Signal(object)
    """The `SweepPoint` that a film has come to, None where no film runs any more."""

    def __init__(
        self,
        strip: SweepStrip,
        gallery: GalleryPage,
        board: "Board",
        store: SessionStore,
        runner: Runner,
        sweeps: SweepRunner,
        opened: Mapping[str, Dataset | Table],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._strip = strip
        self._gallery = gallery
        self._board = board
        self._store = store
        self._sweeps = sweeps
        self._opened = opened
        self._scene = Scene()
        self._note: SweepNote | None = None
        self._starts_again = False
        self._orientation = np.ones(3)
        self._preview = PointPreview(board.embedding)
        self._played: int | None = None
        strip.start_requested.connect(self._on_start_requested)
        strip.cancel_requested.connect(self._on_cancel_requested)
        strip.value_requested.connect(self._on_value_requested)
        strip.preview.connect(self._on_preview)
        strip.measure_chosen.connect(self._on_measure_chosen)
        gallery.view.adopted.connect(strip.adopt)
        gallery.view.pointed.connect(strip.point_to)
        gallery.view.walked.connect(strip.walk)
        self._arrivals = PointBatches(self)
        self._arrivals.came.connect(self._on_points_came)
        sweeps.result_ready.connect(self._on_result_ready)
        sweeps.failed.connect(self._on_failed)
        sweeps.cancelled.connect(self._on_cancelled)
        sweeps.progressed.connect(self._on_progressed)
        runner.busy_changed.connect(self._on_busy_changed)
        self._on_busy_changed(runner.busy)
        board.shown.connect(self._on_shown)
        store.changed.connect(self._on_store_changed)
        store.notes_changed.connect(self._on_notes_changed)
        board.linking.selection_changed.connect(strip.set_selected)

    def close(self) -> None:
        self._sweeps.close()
        self._arrivals.clear()

    def start(self, sweep: SweepSettings) -> None:
        """Compute a sweep around the present settings."""
        self._compute(SweepNote(sweep, self._store.settings))
        self._amend_note()

    def _compute(self, note: SweepNote) -> None:
        self._take(note)
        self._strip.show_state("running")
        self.started.emit()
        self._sweeps.start(AnalysisRequest(note.base, dict(self._opened)), note.sweep)

    def _offer(self, note: SweepNote) -> None:
        """Describe a sweep that is computed when it is started."""
        self._sweeps.cancel()
        self._take(note)
        self._strip.show_state("idle")
        self._show_in_gallery()

    def _take(self, note: SweepNote) -> None:
        self._note = note
        self._orientation = np.ones(3)
        self._arrivals.clear()
        self._strip.show_sweep(note.sweep)

    def _put_away(self) -> None:
        self._note = None
        self._sweeps.cancel()
        self._arrivals.clear()
        self._strip.show_state("idle")
        self._show_in_gallery()

    def _amend_note(self) -> None:
        self._store.amend(replace(self._store.notes, sweep=self._note))

    @Slot()
    def _show_in_gallery(self) -> None:
        current = self._strip.film.current_point()
        self._gallery.show_result(self._strip.result(), self._strip.measure())
        self._gallery.view.set_current(None if current is None else current.index)

    # From the strip

    @Slot(object)
    def _on_start_requested(self, sweep: SweepSettings) -> None:
        """Compute a sweep; a step of the history, unless it is the same again."""
        if self._scene.known_dataset is None and not self._strip.setup.is_typed:
            # The range cannot know these data before their picture is there.
            self._starts_again = True
            return
        note, known = SweepNote(sweep, self._store.settings), self._note
        if known is not None and note == replace(known, cancelled=False):
            self.start(sweep)
        else:
            self._store.note(replace(self._store.notes, sweep=note))

    @Slot(str)
    def _on_measure_chosen(self, key: str) -> None:
        if self._note is not None:
            sweep = replace(self._note.sweep, measure=key)
            self._note = replace(self._note, sweep=sweep)
            self._amend_note()
        self._show_in_gallery()

    @Slot()
    def _on_cancel_requested(self) -> None:
        if self._note is not None:
            self._note = replace(self._note, cancelled=True)
        self._sweeps.cancel()
        self._amend_note()

    @Slot(object, object)
    def _on_value_requested(
        self, settings: SessionSettings, gesture: str | None
    ) -> None:
        self._preview.clear()
        self._tell_played(None)
        self._board.changes.request(settings, gesture)
        self._show_in_gallery()

    @Slot(object)
    def _on_preview(self, point: SweepPoint | None) -> None:
        if point is None:
            self._preview.clear()
            self._tell_played(None)
            return
        # A film moves by itself; a single picture is reached by a glide.
        shown = self._preview.show(
            point,
            preview_text(point, self._strip.points.sweep, self._store.settings),
            animate=not self._strip.playing,
        )
        self._tell_played(point if shown and self._strip.playing else None)

    def _tell_played(self, point: SweepPoint | None) -> None:
        """Tell which value a film is at, once for each."""
        index = None if point is None else point.index
        if index != self._played:
            self._played = index
            self._gallery.view.set_current(index)
            self.played.emit(point)

    # From the runners

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        """Let the picture be computed before the film."""
        self._sweeps.hold(busy)
        self._strip.waits = busy

    @Slot(object, object)
    def _on_progressed(self, _stage: str, _share: float | None) -> None:
        if self._strip.place != self._sweeps.place:
            self._strip.place = self._sweeps.place
            self._strip.show_progress()

    @Slot(object)
    def _on_result_ready(self, answer: SweepPoint | SweepResult) -> None:
        if isinstance(answer, SweepPoint):
            self._arrivals.add(answer)
            return
        self._arrivals.flush()
        points = tuple(p.oriented(self._orientation) for p in answer.points)
        self._strip.show_result(replace(answer, points=points))
        self._show_stale()
        self._show_in_gallery()

    @Slot(object)
    def _on_points_came(self, points: list[SweepPoint]) -> None:
        if not self._strip.points.done:
            self._orientation = points[0].signs_towards(self._scene.result)
        self._strip.show_points([p.oriented(self._orientation) for p in points])
        self._show_in_gallery()

    def _orient_film(self) -> None:
        """Orient the film by the board: an adopted picture stands as its thumbnail."""
        film = self._strip.film
        nearest = film.nearest_point()
        if nearest is None:
            return
        signs = nearest.signs_towards(self._scene.result)
        if not is_same(signs):
            self._orientation = self._orientation * signs
            for point in film.points.all():
                film.points.put(point.oriented(signs))
            film.update()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._arrivals.flush()
        self._strip.show_state("failed", sentence_of(error))

    @Slot()
    def _on_cancelled(self) -> None:
        self._arrivals.flush()
        if self._strip.state() == "running":
            self._strip.show_state("done")
            self._show_stale()

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        self._scene = scene
        self._strip.show_scene(scene)
        if scene.known_dataset is not None and self._starts_again:
            # Of other data, the range is proposed anew.
            self._starts_again = False
            try:
                self.start(self._strip.sweep())
            except DataError:
                self._put_away()
        if self._note is not None:
            self._orient_film()
            self._show_in_gallery()

    # From the store

    @Slot(object, object)
    def _on_store_changed(self, _old: SessionSettings, new: SessionSettings) -> None:
        note = self._note
        if note is None or note != self._store.notes.sweep:
            # Nothing to keep in step, or the step itself brings another sweep.
            return
        sweep, base, shown = note.sweep, note.base, self._scene.dataset
        names = sweepable(new, "points" if shown is None else shown.kind)
        if not all(axis.parameter in names for axis in sweep.axes):
            # Another kernel has other parameters: this film is about nothing any more.
            self._put_away()
            self._amend_note()
            return
        then, now = (sweep.apply(settings, 0).data for settings in (base, new))
        if then.ungrouped() == now.ungrouped():
            self._show_stale()
            return
        opened = self._opened.get(new.data.source)
        if note.cancelled or (opened is not None and opened.n >= LARGE_FROM):
            self._offer(replace(note, base=new))
            self._amend_note()
        elif film_subject(new) != film_subject(base):
            # Which range suits other data is known once their picture is there.
            self._starts_again = self._strip.state() != "idle"
            self._put_away()
            self._amend_note()
        else:
            self.start(sweep)

    def _show_stale(self) -> None:
        """Say what of the film does not belong to the present settings."""
        note = self._note
        if note is not None:
            now = self._store.settings
            self._strip.show_stale(stale_text(note.sweep, note.base, now))

    @Slot(object, object)
    def _on_notes_changed(self, _old: Notes, new: Notes) -> None:
        note = new.sweep
        if note == self._note:
            return
        if note is None:
            self._put_away()
        elif note.cancelled:
            self._offer(note)
        else:
            self._compute(note)
