"""The loop of a sweep: a request starts the runner, points come to the strip."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal, Slot

from kpca_viewer.core.orientation import is_same
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.event_loop import EventLoopSteps, wait
from kpca_viewer.engine.forecast import LARGE_FROM
from kpca_viewer.engine.notes import Notes, SweepNote
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.sweep.parameters import sweepable
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.settings import SweepSettings, film_subject, refit_ranges
from kpca_viewer.features.sweep.compare import CompareView
from kpca_viewer.features.sweep.compare_text import pin_names
from kpca_viewer.features.sweep.gallery import GalleryWindow
from kpca_viewer.features.sweep.pins import Pin, Pins, content_of, subject
from kpca_viewer.features.sweep.runner import PointBatches, SweepRunner
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.features.sweep.text import first_pin, preview_text, stale_text
from kpca_viewer.support.errors import sentence_of
from kpca_viewer.widgets.point_preview import PointPreview
from kpca_viewer.widgets.scene import LOOKS, Scene
from kpca_viewer.widgets.thumbnails import Shades

if TYPE_CHECKING:
    from kpca_viewer.window.board import Board


class SweepPresenter(QObject):
    """Connects strip, gallery and comparison with store, runners and board.

    A sweep waits while ``runner``, the interactive one, works. ``opened`` holds the
    data that settings may name, the same object that others fill.
    """

    export_requested = Signal(object)
    """The `SweepResult` to export."""
    played = Signal(object)
    """The `SweepPoint` that a film has come to, None where no film runs any more."""
    pinned = Signal(object)
    """A `Message`: the first picture is kept, and what to do next; None once that is
    done."""

    def __init__(
        self,
        strip: SweepStrip,
        board: "Board",
        store: SessionStore,
        runner: Runner,
        sweeps: SweepRunner,
        opened: Mapping[str, Dataset | Table],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._strip = strip
        self._board = board
        self._store = store
        self._sweeps = sweeps
        self._opened = opened
        self._scene = Scene()
        self._base: SessionSettings | None = None
        self._cancelled = False
        self._orientation = np.ones(3)
        self._preview = PointPreview(board.embedding)
        self._played: int | None = None
        self._fitted: tuple[SessionSettings, Mapping[str, float]] | None = None
        self.pins = Pins(store, opened, self)
        self.gallery = GalleryWindow(strip, board.linking, self)
        self.compare: CompareView | None = None
        # Each has a turn of its own, after those of the panels.
        self._windows = EventLoopSteps(
            [wait, self._follow_in_gallery, self._follow_in_compare], self
        )
        strip.start_requested.connect(self._on_start_requested)
        strip.cancel_requested.connect(self._on_cancel_requested)
        strip.value_requested.connect(self._on_value_requested)
        strip.preview.connect(self._on_preview)
        strip.gallery_requested.connect(self.show_gallery)
        for place in (strip, self.gallery):
            place.pin_requested.connect(self._on_pin_requested)
            place.export_requested.connect(self._on_export_requested)
        strip.unfold_requested.connect(self._on_unfold_requested)
        self.pins.pins_changed.connect(self._on_pins_changed)
        self._arrivals = PointBatches(self)
        self._arrivals.came.connect(self._on_points_came)
        sweeps.point_ready.connect(self._arrivals.add)
        sweeps.finished.connect(self._on_finished)
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
        """End the work and the windows."""
        self._sweeps.close()
        self._arrivals.clear()
        self._windows.stop()
        self.pins.close()
        self.gallery.close()
        if self.compare is not None:
            self.compare.close()

    @Slot(object)
    def start(self, sweep: SweepSettings) -> None:
        """Compute a sweep around the present settings."""
        self._compute(sweep, self._store.settings)
        self._amend_note()

    def _compute(self, sweep: SweepSettings, base: SessionSettings) -> None:
        self._take(sweep, base)
        self._strip.show_state("running", "")
        self._sweeps.start(AnalysisRequest(base, dict(self._opened)), sweep)

    def _offer(self, note: SweepNote) -> None:
        """Put a sweep away that is computed when it is unfolded."""
        self._sweeps.keep(AnalysisRequest(note.base, dict(self._opened)), note.sweep)
        self._take(note.sweep, note.base, cancelled=note.cancelled)
        if not self._strip.folded:
            self._strip.fold()

    def _take(
        self, sweep: SweepSettings, base: SessionSettings, *, cancelled: bool = False
    ) -> None:
        self._base, self._cancelled = base, cancelled
        self._orientation = np.ones(3)
        self._arrivals.clear()
        self._strip.show_sweep(sweep)

    def _amend_note(self) -> None:
        self._store.amend(replace(self._store.notes, sweep=self._note()))

    def _note(self) -> SweepNote | None:
        """Return what is on the strip as a note for history and session."""
        sweep, base = self._sweeps.sweep, self._base
        there = self._strip.state() != "idle" or self._strip.folded
        if sweep is None or base is None or not there:
            return None
        return SweepNote(sweep, base, self._cancelled)

    def result(self) -> SweepResult | None:
        """Return the sweep that is shown, as far as it is there."""
        return self._strip.result()

    @Slot()
    def show_gallery(self) -> None:
        self.gallery.open(self.shades())

    @Slot()
    def pin_current(self) -> None:
        """Pin what is on the board and show the comparison."""
        if self._scene.result is not None:
            self._add_pin(Pin.of_result(self._scene.result, self.shades()))

    @Slot()
    def show_compare(self) -> None:
        """Open the comparison of the pins."""
        view = self._compare_view()
        view.show()
        view.raise_()
        self._follow_in_compare()

    def _compare_view(self) -> CompareView:
        if self.compare is None:
            self.compare = CompareView(self._board.linking, self._strip.window())
            self.compare.setWindowFlag(Qt.WindowType.Window)
            self.compare.set_theme(self._scene.theme)
            self.compare.adopted.connect(self._board.changes.request)
            self.compare.removed.connect(self.pins.remove)
        return self.compare

    def shades(self) -> Shades:
        """Return what the colours of the rows mean now."""
        result = self._scene.result
        if result is None:
            return Shades()
        shades = Shades.of_scene(self._scene)
        data = result.settings.data
        content = content_of(self._opened, data)
        return replace(shades, subject=subject(data, content))

    def _add_pin(self, pin: Pin) -> None:
        self.pins.add(pin)
        if len(self._store.notes.pins) > 1:
            self.pinned.emit(None)
            self.show_compare()
        else:
            # A window with half of a comparison would only be in the way.
            self.pinned.emit(first_pin(pin_names([pin])[0]))

    @Slot(object)
    def _on_pins_changed(self, pins: list[Pin]) -> None:
        if pins or self.compare is not None:
            self._compare_view().set_pins(pins)

    # From the strip

    @Slot(object)
    def _on_start_requested(self, sweep: SweepSettings) -> None:
        """Compute a sweep; a step of the history, unless it is the same again."""
        shown, now = self._scene.result, self._store.settings
        if shown is None or film_subject(shown.settings) != film_subject(now):
            # The range cannot know these data before their picture is there.
            self._fitted = self._strip.setup.context
        note, known = SweepNote(sweep, now), self._note()
        if known is not None and note == replace(known, cancelled=False):
            self.start(sweep)
        else:
            self._store.note(replace(self._store.notes, sweep=note))

    @Slot()
    def _on_unfold_requested(self) -> None:
        """Show the film that was put away, or compute it if it is about other data."""
        note, film = self._note(), self._strip.film.points
        if note is not None and film.done:
            self._strip.show_state("done", "")
            self._show_stale()
        elif note is not None:
            self._compute(note.sweep, note.base)
            self._amend_note()

    @Slot()
    def _on_cancel_requested(self) -> None:
        self._cancelled = True
        self._sweeps.cancel()
        self._amend_note()

    @Slot(object, object)
    def _on_value_requested(
        self, settings: SessionSettings, gesture: str | None
    ) -> None:
        self._preview.clear()
        self._tell_played(None)
        self._board.changes.request(settings, gesture)

    @Slot(object)
    def _on_preview(self, point: SweepPoint | None) -> None:
        if point is None:
            self._preview.clear()
            self._tell_played(None)
            return
        points = self._strip.film.points
        # A film moves by itself; a single picture is reached by a glide.
        shown = self._preview.show(
            point,
            preview_text(point, points.sweep, self._store.settings),
            animate=not self._strip.playing,
        )
        self._tell_played(point if shown and self._strip.playing else None)

    def _tell_played(self, point: SweepPoint | None) -> None:
        """Tell which value a film is at, once for each."""
        index = None if point is None else point.index
        if index != self._played:
            self._played = index
            self.played.emit(point)

    @Slot(object)
    def _on_pin_requested(self, point: SweepPoint) -> None:
        result = self._scene.result
        suggested = None if result is None else result.suggested
        self._add_pin(Pin.of_point(point, suggested, self.shades()))

    @Slot()
    def _on_export_requested(self) -> None:
        result = self._strip.result()
        if result is not None:
            self.export_requested.emit(result)

    # From the runners

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        """Let the picture be computed before the film."""
        self._sweeps.hold(busy)
        self._strip.clock.waits = busy

    @Slot(object, object)
    def _on_progressed(self, _stage: str, _share: float | None) -> None:
        self._strip.show_place(self._sweeps.place)

    @Slot(object)
    def _on_points_came(self, points: list[SweepPoint]) -> None:
        if not self._strip.film.points.all():
            self._orientation = points[0].signs_towards(self._scene.result)
        self._strip.show_points([p.oriented(self._orientation) for p in points])
        self.gallery.refresh()

    @Slot(object)
    def _on_finished(self, result: SweepResult) -> None:
        self._arrivals.flush()
        points = tuple(p.oriented(self._orientation) for p in result.points)
        self._strip.show_result(replace(result, points=points))
        self._show_stale()
        self.gallery.refresh()

    def _orient_film(self) -> None:
        """Orient the film as a whole by the board.

        A picture that is adopted then stands as its thumbnail does.
        """
        film = self._strip.film
        nearest = film.nearest_point()
        if nearest is None:
            return
        signs = nearest.signs_towards(self._scene.result)
        if not is_same(signs):
            self._orientation = self._orientation * signs
            for point in film.points.all():
                film.points.put(point.oriented(signs))
            film.refresh()
            self.gallery.refresh()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._arrivals.flush()
        self._strip.show_state("failed", sentence_of(error))

    @Slot()
    def _on_cancelled(self) -> None:
        self._arrivals.flush()
        if self._strip.state() == "running":
            self._strip.show_state("done", "")
            self._show_stale()

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        before, self._scene = self._scene, scene
        self._strip.show_scene(scene)
        if LOOKS(scene) != LOOKS(before):
            self.gallery.set_theme(scene.theme)
            if self.compare is not None:
                self.compare.set_theme(scene.theme)
        if scene.result is not None:
            self._refit(scene.result)
        self._orient_film()
        self._windows.begin()

    def _follow_in_gallery(self) -> None:
        """Let the gallery follow the board, if it is open."""
        self.gallery.set_shades(self.shades())
        self.gallery.mark()

    def _follow_in_compare(self) -> None:
        """Let the comparison follow the board, if it is open."""
        view, result = self.compare, self._scene.result
        if view is not None and view.isVisible():
            data = None if result is None else result.settings.data
            view.follow(data, self.shades())

    # From the store

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        if old.data.source != new.data.source:
            self.pins.look_again()
        note = self._note()
        if note is None or note != self._store.notes.sweep:
            # Nothing to keep in step, or the step itself brings another sweep.
            return
        sweep, base = note.sweep, note.base
        shown = self._scene.dataset
        kind = "points" if shown is None else shown.kind
        names = sweepable(new, kind)
        if not all(axis.parameter in names for axis in sweep.axes):
            # Another kernel has other parameters: this film is about nothing any more.
            self._put_away()
            self._store.amend(replace(self._store.notes, sweep=None))
            return
        then, now = (sweep.apply(settings, 0).data for settings in (base, new))
        if then.ungrouped() == now.ungrouped():
            self._show_stale()
        elif self._strip.folded or note.cancelled or self._rows_of(new) >= LARGE_FROM:
            self._offer(replace(note, base=new))
            self._amend_note()
        else:
            self.start(sweep)
        # Which range suits other data is known once their picture is there.
        result = self._scene.result
        if result is not None and film_subject(new) != film_subject(base):
            self._fitted = (base, result.suggested)

    def _rows_of(self, settings: SessionSettings) -> int:
        """Return how many rows an opened file has; 0 for other data."""
        opened = self._opened.get(settings.data.source)
        return 0 if opened is None else opened.n

    def _refit(self, result: AnalysisResult) -> None:
        """Give a range that was proposed for other data to the present ones."""
        then, note, now = self._fitted, self._note(), self._store.settings
        if then is None or note is None or result.settings.data != now.data:
            return
        self._fitted = None
        sweep = refit_ranges(note.sweep, then, (now, result.suggested))
        if sweep == note.sweep:
            return
        if self._strip.folded:
            self._strip.setup.describe(sweep)
        else:
            self.start(sweep)

    def _show_stale(self) -> None:
        """Say what of the film does not belong to the present settings."""
        note = self._note()
        if note is not None:
            now = self._store.settings
            self._strip.show_stale(stale_text(note.sweep, note.base, now))

    @Slot(object, object)
    def _on_notes_changed(self, _old: Notes, new: Notes) -> None:
        note = new.sweep
        if note == self._note():
            return
        if note is None:
            self._put_away()
        elif note.cancelled:
            self._offer(note)
        else:
            self._compute(note.sweep, note.base)

    def _put_away(self) -> None:
        self._sweeps.forget()
        self._strip.show_state("idle", "")
