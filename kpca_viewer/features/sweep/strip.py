"""SweepStrip: a sweep under the board, one line while it is not used."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QVBoxLayout, QWidget

from kpca_viewer.engine.sweep.measures import missing_measures
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult, with_point
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.film_view import FilmView, Player
from kpca_viewer.features.sweep.runner import RunClock
from kpca_viewer.features.sweep.setup import SweepSetup
from kpca_viewer.features.sweep.strip_bar import StripBar
from kpca_viewer.features.sweep.text import range_text, state_text
from kpca_viewer.widgets.scene import LOOKS, Scene
from kpca_viewer.widgets.thumbnails import Shades

COLORS = attrgetter("colors", "settings.view.fills")
"""All of a scene that its pictures are coloured and stretched by."""

STEP_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_BracketLeft: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_BracketRight: 1,
}
# Up is the larger value of the second parameter, as in the gallery and the heat map.
ROW_KEYS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
END_KEYS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}

State = Literal["idle", "running", "done", "failed"]


class SweepStrip(QFrame):
    """Defines a sweep, shows it as it comes, and plays it."""

    start_requested = Signal(object)
    """A `SweepSettings` to compute."""
    cancel_requested = Signal()
    value_requested = Signal(object, object)
    """New settings and the gesture, as the cards of the sidebar do."""
    preview = Signal(object)
    """A `SweepPoint` to look at for a moment, or None for the real picture again."""
    gallery_requested = Signal()
    export_requested = Signal()
    pin_requested = Signal(object)
    """The `SweepPoint` to remember for a comparison."""
    unfold_requested = Signal()
    """The film that was folded away is wanted again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweep_strip")
        self.setAccessibleName("Sweep")
        self.setProperty("role", "card")
        self.scene = Scene()
        self._state: State = "idle"
        self._folded = self._editing = False
        self._plays_when_done = False
        self._setup_shown = True
        self._measure_chosen = False
        self._player = Player(self)
        self._player.moved.connect(self._on_player_moved)
        self._player.running_changed.connect(self._on_player_running_changed)
        self.clock = RunClock(self)
        self.clock.ticked.connect(self._show_progress)
        self.setup = SweepSetup()
        self.film = FilmView()
        self.bar = StripBar()
        self._lay_out()
        self._connect()
        self.show_state("idle", "")

    # What is shown

    def show_scene(self, scene: Scene) -> None:
        """Show what belongs to the scene that is on the board. Emits nothing."""
        before, self.scene = self.scene, scene
        if LOOKS(scene) != LOOKS(before):
            self.film.set_theme(scene.theme)
            self.bar.meter.set_theme(scene.theme)
        result = scene.result
        if result is not None or scene.is_empty:
            self.setup.show_scene(scene)
        if result is None:
            return
        if COLORS(scene) != COLORS(before):
            self.film.set_shades(Shades.of_scene(scene))
        dataset = result.dataset
        if dataset is not before.dataset:
            self.bar.measure.set_missing(missing_measures(dataset.labels, dataset.kind))
        if not self._player.running:
            self._show_current()

    def set_selected(self, mask: NDArray[np.bool_] | None) -> None:
        self.film.set_selected(mask)

    def show_sweep(self, sweep: SweepSettings) -> None:
        """Get ready for the points of a sweep. Emits nothing."""
        self._player.stop()
        self.clock.end()
        self._editing = False
        self.film.set_points(SweepPoints(sweep))
        self._player.set_count(self.film.points.count)
        self._choose_measure()
        self.bar.set_title(range_text(sweep.axes[0]))
        self._show_current()

    def show_points(self, points: Iterable[SweepPoint]) -> None:
        """Add points, or newer versions of some. Emits nothing."""
        for point in points:
            self.film.points.put(point)
        self.film.refresh()
        self.bar.show_rows(self.film.points)
        self._show_progress()
        self._show_meter()
        if self._plays_when_done and self.film.points.done == self.film.points.total:
            # Who wants to see the film need not wait for the slower measures.
            self._plays_when_done = False
            self.toggle_play()

    def show_result(self, result: SweepResult) -> None:
        """Show a whole sweep, such as that of a session file. Emits nothing."""
        if self.film.points.sweep != result.sweep:
            self.show_sweep(result.sweep)
        for point in result.points:
            self.film.points.put(point)
        self.film.refresh()
        plays = self._plays_when_done
        self.show_state("done", "")
        self._show_current()
        if plays:
            self.toggle_play()

    def show_state(self, state: State, text: str = "") -> None:
        """Say how far it is: "idle", "running", "done" or "failed"."""
        self._state = state
        if state == "running":
            self.clock.begin()
        else:
            self.clock.end()
        self._set_folded(False)
        self._plays_when_done = self._plays_when_done and state == "running"
        if state == "idle":
            self._player.stop()
        self._show_parts(film=state != "idle", setup=state == "idle" or self._editing)
        if self.parent() is not None:
            # Before it has its place, it would be a window of its own for a moment.
            self.setVisible(state != "idle" or self._setup_shown)
        self.bar.show_state(state, edited=self._editing)
        self._text = text
        self._show_progress()
        self._show_meter()

    def _show_parts(self, *, film: bool, setup: bool) -> None:
        """Show the film or its description; the keyboard goes to what is shown."""
        focused = QApplication.focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        self.bar.setVisible(film)
        self.film.setVisible(film)
        self.setup.setVisible(setup)
        if inside and focused is not None and not focused.isVisibleTo(self):
            (self.film if film else self.setup.start).setFocus()

    def set_setup_shown(self, shown: bool) -> None:
        """Show the description of a sweep, or nothing until one is there."""
        self._setup_shown = shown
        self.setVisible(shown or self._state != "idle")

    def show_place(self, place: str) -> None:
        """Say where a sweep that runs is computed; empty is here."""
        if place != self.clock.place:
            self.clock.place = place
            self._show_progress()

    def show_stale(self, text: str) -> None:
        """Say what the present settings have made untrue; empty for nothing."""
        if self._state == "done" and text != self._text:
            self._text = text
            self._show_progress()

    def state(self) -> State:
        return self._state

    def result(self) -> SweepResult | None:
        points = self.film.points.all()
        if self._state == "idle" or not points:
            return None
        # What the points share is theirs: the present settings may be others.
        return SweepResult(self.film.points.sweep, points[0].settings, points)

    def measure(self) -> str:
        return self.bar.measure.key()

    def current_point(self) -> SweepPoint | None:
        return self.film.current_point()

    # What a person does

    @Slot(object)
    def adopt(self, point: SweepPoint) -> None:
        """Take the value of a point, on top of everything that was chosen since."""
        self._player.stop()
        settings = with_point(point, self.film.points.sweep, self.scene.settings)
        position, row = self.film.points.place_of(point)
        self.film.points.row = row
        self.film.set_playhead(float(position))
        self._player.set_position(position)
        self.bar.show_rows(self.film.points)
        self._show_meter()
        self.value_requested.emit(settings, None)

    def step(self, by: int) -> None:
        self._player.stop()
        points, place = self.film.points, self.film.playhead
        start = round(place) if place is not None else points.count // 2 - by
        point = points.beyond(start, by)
        if point is not None:
            self.adopt(point)

    def start(self) -> None:
        """Compute what is described, or the film again with the present settings."""
        if self._state == "idle":
            self.setup.begin()
        else:
            self._on_again_clicked()

    def show_row(self, row: int) -> None:
        """Show a row of a grid and take its value at the playhead."""
        points = self.film.points
        if row == points.row or not 0 <= row < points.sweep.shape[1]:
            return
        points.row = row
        self.film.refresh()
        self.bar.show_rows(self.film.points)
        point = self.film.nearest_point()
        if point is not None and not self._player.running:
            self.adopt(point)

    def toggle_play(self) -> None:
        """Play, or stop and take the value that is reached; start what is not there."""
        if self._player.running:
            self._player.stop()
            point = self.film.points.nearest(self._player.position)
            if point is not None:
                self.adopt(point)
        elif self._folded:
            self.unfold()
            if self._state == "running":
                self._plays_when_done = True
            elif self._state == "done":
                self.toggle_play()
        elif self._state == "idle":
            self._plays_when_done = self.setup.begin()
        elif self._state == "running" and self.film.points.done < 2:
            self._plays_when_done = True
        elif self.film.points.done > 1 and self.film.points.nearest(0) is not None:
            if self.film.playhead is not None:
                self._player.set_position(self.film.playhead)
            self._player.play()

    @property
    def playing(self) -> bool:
        return self._player.running

    @Slot()
    def edit_range(self) -> None:
        """Show the range above the film, to change it; or hide it again."""
        self._editing = not self._editing
        if self._editing:
            self.setup.describe(self.film.points.sweep)
        self.show_state(self._state, self._text)

    def fold(self) -> None:
        """Put the film away until it is wanted again."""
        if self._state == "running":
            self.cancel_requested.emit()
        self.preview.emit(None)
        self._editing = False
        self.setup.describe(self.film.points.sweep)
        self.show_state("idle", "")
        self._set_folded(True)

    @property
    def folded(self) -> bool:
        return self._folded

    @Slot()
    def unfold(self) -> None:
        """Ask for the film that was put away."""
        if self._folded:
            self.unfold_requested.emit()

    def _set_folded(self, folded: bool) -> None:
        self._folded = folded
        self.setup.offer_film(folded)

    # Building

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(10, 3, 6, 3)
        rows.setSpacing(2)
        rows.addWidget(self.setup)
        rows.addWidget(self.bar)
        rows.addWidget(self.film)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _connect(self) -> None:
        self.setup.start_requested.connect(self.start_requested)
        self.setup.unfold.clicked.connect(self.unfold)
        self.bar.measure.activated.connect(self._on_measure_activated)
        self.bar.row_chosen.connect(self.show_row)
        self.bar.range.clicked.connect(self.edit_range)
        self.bar.play.clicked.connect(self.toggle_play)
        self.bar.speed_chosen.connect(self._player.set_speed)
        self.bar.cancel.clicked.connect(self.cancel_requested)
        self.bar.again.clicked.connect(self._on_again_clicked)
        self.bar.pin.clicked.connect(self._on_pin_clicked)
        self.bar.gallery.clicked.connect(self.gallery_requested)
        self.bar.export.clicked.connect(self.export_requested)
        self.bar.fold.clicked.connect(self.fold)
        self.film.adopted.connect(self.adopt)
        self.film.pointed.connect(self._on_film_pointed)

    # Showing

    def _show_current(self) -> None:
        """Put the playhead on the value of the settings, if the sweep has it."""
        points = self.film.points
        result = self.scene.result
        suggested = {} if result is None else result.suggested
        place, row = points.sweep.place_of(self.scene.settings, suggested)
        if row is not None:
            points.row = round(row)
        self.film.set_playhead(place)
        if place is not None:
            self._player.set_position(place)
        self.bar.show_rows(self.film.points)
        self._show_meter()

    @Slot()
    def _show_progress(self) -> None:
        text, matters = state_text(self.film.points, self._state, self._text)
        if self._state == "running":
            text += self.clock.text()
        self.bar.set_progress(text, matters=matters)

    def _show_meter(self) -> None:
        point = self.film.current_point() or self.film.nearest_point()
        self.bar.meter.set_value(None if point is None or point.error else point.meter)

    def _choose_measure(self) -> None:
        """Show the measure of the sweep, or one that these data have."""
        wanted = (
            self.measure() if self._measure_chosen else self.film.points.sweep.measure
        )
        self.film.set_measure(self.bar.measure.choose(wanted))

    # Slots

    @Slot(object)
    def _on_film_pointed(self, point: SweepPoint | None) -> None:
        if not self._player.running:
            self.preview.emit(point)

    @Slot(object)
    def _on_player_moved(self, position: float) -> None:
        self.film.set_playhead(position)
        point = self.film.points.between(position)
        if point is not None:
            self.bar.meter.set_value(point.meter)
            self.preview.emit(point)

    @Slot(bool)
    def _on_player_running_changed(self, running: bool) -> None:
        self.bar.show_playing(running)
        if not running:
            self.preview.emit(None)

    @Slot(int)
    def _on_measure_activated(self, index: int) -> None:
        self._measure_chosen = True
        self.film.set_measure(str(self.bar.measure.itemData(index)))
        self.bar.show_rows(self.film.points)

    @Slot()
    def _on_again_clicked(self) -> None:
        self.start_requested.emit(self.film.points.sweep)

    @Slot()
    def _on_pin_clicked(self) -> None:
        point = self.current_point()
        if point is not None and not point.error:
            self.pin_requested.emit(point)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, points = Qt.Key(event.key()), self.film.points
        if self._state == "idle":
            event.ignore()
        elif key in STEP_KEYS:
            self.step(STEP_KEYS[key])
        elif key in ROW_KEYS:
            self.show_row(points.row + ROW_KEYS[key])
        elif key in END_KEYS:
            point = points.nearest(END_KEYS[key] % points.count)
            if point is not None:
                self.adopt(point)
        elif key == Qt.Key.Key_Space:
            self.toggle_play()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._player.stop()
