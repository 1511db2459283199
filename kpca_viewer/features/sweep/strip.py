"""SweepStrip: the set-up of a sweep, its controls and its film below the stage."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from time import monotonic
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from kpca_viewer.engine.sweep.measures import (
    MEASURES,
    defined_measure,
    missing_measures,
)
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult, with_point
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.film_view import SPEEDS, FilmView, Player
from kpca_viewer.features.sweep.setup import SweepSetup
from kpca_viewer.features.sweep.text import (
    BAR_BUTTONS,
    METER_TIP,
    STOP_TIP,
    row_texts,
    rows_tip,
    running_text,
    state_text,
)
from kpca_viewer.widgets.controls import (
    ElidedLabel,
    FittingCombo,
    IconButton,
    ShrinkingRow,
)
from kpca_viewer.widgets.joined_scatter import ARROWS
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.scene import LOOKS, Scene
from kpca_viewer.widgets.thumbnails import Shades

COLORS = attrgetter("colors", "settings.view.fills")
"""All of a scene that its pictures are coloured and stretched by."""

STEP_KEYS = {
    # Up is the larger value of the second parameter, as in the gallery.
    **ARROWS,
    Qt.Key.Key_BracketLeft: (-1, 0),
    Qt.Key.Key_BracketRight: (1, 0),
}
END_KEYS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}

State = Literal["idle", "running", "done", "failed"]

WIDEST_TEXT = 190
"""Pixels, in the usual size of type, up to which a text is not cut."""

LAST = 5
"""Importance of what only counts: it goes before any control does."""


class SweepStrip(QFrame):
    """Defines a sweep, shows it as it comes, and plays it."""

    start_requested = Signal(object)
    """A `SweepSettings` to compute."""
    cancel_requested = Signal()
    value_requested = Signal(object, object)
    """New settings and the gesture, as the cards of the sidebar do."""
    preview = Signal(object)
    """A `SweepPoint` to look at for a moment, or None for the real picture again."""
    measure_chosen = Signal(str)
    pin_requested = Signal()
    export_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sweep_strip")
        self.setAccessibleName("Sweep")
        self.setProperty("role", "card")
        self.scene = Scene()
        self._state: State = "idle"
        self._text = ""
        self._plays_when_done = False
        self._measure_chosen = False
        self._wanted = ""
        self._player = Player(self)
        self._player.moved.connect(self._on_player_moved)
        self._player.running_changed.connect(self._on_player_running_changed)
        self.place = ""
        """Where a sweep that runs is computed: "on 2 workers"; empty is here."""
        self.waits = False
        """Whether it stands still, because the picture comes first."""
        self._since = 0.0
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self.show_progress)
        self.setup = SweepSetup()
        self.film = FilmView()
        self.measure_combo = MeasureCombo()
        self.row = FittingCombo("sweep_row_combo", "Row of the grid")
        self.speed = FittingCombo("sweep_speed_combo", "Speed", "Values a second")
        self.meter, self.progress = ElidedLabel(), ElidedLabel()
        self.play, self.range, self.pin, self.export = (
            _button(key, *texts) for key, texts in BAR_BUTTONS.items()
        )
        self.range.setCheckable(True)
        self.cancel = QPushButton("Cancel")
        self.cancel.setObjectName("sweep_cancel_button")
        self.cancel.setToolTip("Stop here; what is there stays")
        self._lay_out()
        self._connect()
        self.show_state("idle")

    # What is shown

    def show_scene(self, scene: Scene) -> None:
        """Show what belongs to the scene that is on the board. Emits nothing."""
        before, self.scene = self.scene, scene
        if LOOKS(scene) != LOOKS(before):
            self.film.set_theme(scene.theme)
        result = scene.result
        if result is not None or scene.is_empty:
            self.setup.show_scene(scene)
        if result is None:
            return
        if COLORS(scene) != COLORS(before):
            self.film.set_shades(Shades.of_scene(scene))
        dataset = result.dataset
        if dataset is not before.dataset:
            missing = missing_measures(dataset.labels, dataset.kind)
            self.measure_combo.set_missing(missing)
            # A sweep of a session is there before its data are.
            self._show_measure()
        if self._state != "idle" and not self._player.running:
            self._show_current()

    def set_selected(self, mask: NDArray[np.bool_] | None) -> None:
        self.film.set_selected(mask)

    def show_sweep(self, sweep: SweepSettings) -> None:
        """Get ready for the points of a sweep. Emits nothing."""
        self._player.stop()
        self._clock.stop()
        self.film.set_points(SweepPoints(sweep))
        self._player.last = self.points.count - 1
        self.setup.describe(sweep)
        if not self._measure_chosen:
            self._wanted = sweep.measure
        self._show_measure()
        self._show_current()

    def show_points(self, points: Iterable[SweepPoint]) -> None:
        """Add points, or newer versions of some. Emits nothing."""
        for point in points:
            self.points.put(point)
        self.film.update()
        self._show_row()
        self.show_progress()
        if self._plays_when_done and self.points.done == self.points.total:
            # The film need not wait for the slower measures.
            self._plays_when_done = False
            self.toggle_play()

    def show_result(self, result: SweepResult) -> None:
        """Show a whole sweep, such as that of a session file. Emits nothing."""
        if self.points.sweep != result.sweep:
            self.show_sweep(result.sweep)
        for point in result.points:
            self.points.put(point)
        self.film.update()
        plays = self._plays_when_done
        self.show_state("done")
        self._show_current()
        if plays:
            self.toggle_play()

    def show_state(self, state: State, text: str = "") -> None:
        self._state, self._text = state, text
        if state == "running" and not self._clock.isActive():
            self.place, self._since = "", monotonic()
            self._clock.start()
        elif state != "running":
            self._clock.stop()
        self._plays_when_done = self._plays_when_done and state == "running"
        if state == "idle":
            self._player.stop()
        shown = state != "idle"
        if not shown or state == "running":
            self.range.setChecked(False)
        if not shown and (self.film.hasFocus() or self.play.hasFocus()):
            self.setup.start.setFocus()
        self._bar.setVisible(shown)
        self.film.setVisible(shown)
        if shown and self.setup.start.hasFocus():
            # Arrow keys go through the values as they come.
            self.film.setFocus()
        self._bar.set_wanted(self.cancel, state == "running")
        self._show_setup()
        self.show_progress()

    def show_stale(self, text: str) -> None:
        """Say what the present settings have made untrue; empty for nothing."""
        if self._state == "done" and text != self._text:
            self._text = text
            self.show_progress()

    @Slot()
    def _show_setup(self) -> None:
        """Show the range above a film only on request: the stage needs the height."""
        self.setup.setVisible(self._state == "idle" or self.range.isChecked())

    @Slot()
    def show_progress(self) -> None:
        text, matters = state_text(self.points, self._state, self._text)
        if self._state == "running":
            seconds = int(monotonic() - self._since)
            text += running_text(self.place, seconds, self.waits)
        self.progress.set_text(text)
        self._bar.set_importance(self.progress, 0 if matters else LAST)
        self._bar.refit()

    @property
    def points(self) -> SweepPoints:
        return self.film.points

    def state(self) -> State:
        return self._state

    def result(self) -> SweepResult | None:
        points = self.points.all()
        if self._state == "idle" or not points:
            return None
        # What the points share is theirs: the present settings may be others.
        return SweepResult(self.points.sweep, points[0].settings, points)

    def measure(self) -> str:
        return str(self.measure_combo.currentData())

    def sweep(self) -> SweepSettings:
        """Return what is set, with the measure; `DataError` where it makes no sense."""
        return replace(self.setup.sweep(), measure=self.measure())

    @property
    def playing(self) -> bool:
        return self._player.running

    # What a person does

    @Slot()
    def start(self) -> None:
        """Compute what is described around the present settings."""
        self.setup.begin()

    @Slot(object)
    def adopt(self, point: SweepPoint) -> None:
        """Take the value of a point, on top of everything that was chosen since."""
        self._player.stop()
        settings = with_point(point, self.points.sweep, self.scene.settings)
        position, self.points.row = self.points.place_of(point)
        self.film.set_playhead(float(position))
        self._player.position = float(position)
        self._show_row()
        self.value_requested.emit(settings, None)

    @Slot(int, int)
    def walk(self, across: int, up: int = 0) -> None:
        """Take the next value that has a picture, or that of another row of a grid."""
        points, place = self.points, self.film.playhead
        if self._state == "idle":
            return
        self._player.stop()
        if up:
            row = points.row + up
            if 0 <= row < points.sweep.shape[1]:
                self.show_row(row)
            return
        by = 1 if across > 0 else -1
        start = round(place) if place is not None else points.count // 2 - by
        point = points.beyond(start + across - by, by)
        if point is not None:
            self.adopt(point)

    def show_row(self, row: int) -> None:
        """Show a row of a grid and take its value at the playhead."""
        if row == self.points.row:
            return
        self.points.row = row
        self.film.update()
        self._show_row()
        point = self.film.nearest_point()
        if point is not None and not self._player.running:
            self.adopt(point)

    @Slot()
    def toggle_play(self) -> None:
        """Play, or stop and take the value that is reached; start what is not there."""
        points = self.points
        if self._player.running:
            self._player.stop()
            point = points.nearest(self._player.position)
            if point is not None:
                self.adopt(point)
        elif self._state == "idle":
            self._plays_when_done = self.setup.begin()
        elif self._state == "running" and points.done < 2:
            self._plays_when_done = True
        elif points.done > 1 and points.nearest(0) is not None:
            if self.film.playhead is not None:
                self._player.position = self.film.playhead
            self._player.play()

    # Building

    def _lay_out(self) -> None:
        self.meter.setObjectName("sweep_meter")
        self.meter.setToolTip(METER_TIP)
        self.progress.setObjectName("sweep_progress_label")
        self.progress.setAlignment(Qt.AlignmentFlag.AlignRight)
        for label in (self.meter, self.progress):
            label.setProperty("role", "muted")
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}/s", speed)
        self.speed.setCurrentIndex(1)
        bar = self._bar = ShrinkingRow()
        for widget in (self.play, self.speed, self.measure_combo, self.row):
            bar.add(widget)
        bar.add(self.meter, 6, room=lambda: _room(self.meter))
        bar.add(self.progress, LAST, 100, lambda: _room(self.progress))
        bar.add_gap()
        bar.add(self.cancel)
        bar.add(self.range)
        # Both are in the menu too.
        bar.add(self.pin, 2)
        bar.add(self.export, 1)
        bar.set_wanted(self.row, False)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(10, 2, 6, 2)
        rows.setSpacing(2)
        rows.addWidget(self.setup)
        rows.addWidget(bar)
        rows.addWidget(self.film)
        # Between splitters it has the height of what it shows.
        for part in (self.setup, bar):
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        rows.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)

    def _connect(self) -> None:
        self.setup.start_requested.connect(self._on_start_requested)
        self.cancel.clicked.connect(self.cancel_requested)
        self.range.toggled.connect(self._show_setup)
        self.measure_combo.activated.connect(self._on_measure_activated)
        self.row.activated.connect(self._on_row_activated)
        self.play.clicked.connect(self.toggle_play)
        self.speed.activated.connect(self._on_speed_activated)
        self.pin.clicked.connect(self.pin_requested)
        self.export.clicked.connect(self.export_requested)
        self.film.adopted.connect(self.adopt)
        self.film.pointed.connect(self.point_to)

    # Showing

    def _show_current(self) -> None:
        """Put the playhead on the value of the settings, if the sweep has it."""
        result = self.scene.result
        suggested = {} if result is None else result.suggested
        place, row = self.points.sweep.place_of(self.scene.settings, suggested)
        if row is not None:
            self.points.row = round(row)
        self.film.set_playhead(place)
        if place is not None:
            self._player.position = place
        self._show_row()

    def _show_measure(self) -> None:
        """Show the wanted measure, or another where these data do not have it."""
        if self._wanted:
            self.film.set_measure(self.measure_combo.choose(self._wanted))

    def _show_row(self) -> None:
        """Say which row of a grid is shown, the largest value at the top."""
        texts = row_texts(self.points, self.measure())[::-1]
        if texts:
            self.row.setToolTip(rows_tip(self.points, self.measure()))
        with QSignalBlocker(self.row):
            if self.row.count() != len(texts):
                self.row.clear()
                self.row.addItems(texts)
            for place, text in enumerate(texts):
                self.row.setItemText(place, text)
            self.row.setCurrentIndex(len(texts) - 1 - self.points.row)
        self._bar.set_wanted(self.row, bool(texts))
        self._show_meter(self.film.current_point() or self.film.nearest_point())

    def _show_meter(self, point: SweepPoint | None) -> None:
        self.meter.set_text("" if point is None or point.error else point.meter)
        # Settings beyond the film have no place between linear and isolated points.
        self._bar.set_wanted(self.meter, bool(self.meter.text()))

    # Slots

    @Slot()
    def _on_start_requested(self) -> None:
        self.start_requested.emit(self.sweep())

    @Slot(object)
    def point_to(self, point: SweepPoint | None) -> None:
        """Preview the point under the pointer, in the film or in the gallery."""
        if not self._player.running:
            self.preview.emit(point)

    @Slot(object)
    def _on_player_moved(self, position: float) -> None:
        self.film.set_playhead(position)
        point = self.points.between(position)
        if point is not None:
            self._show_meter(point)
            self.preview.emit(point)

    @Slot(bool)
    def _on_player_running_changed(self, running: bool) -> None:
        self.play.set_icon("pause" if running else "play")
        self.play.setToolTip(STOP_TIP if running else BAR_BUTTONS["play"][1])
        if not running:
            self.preview.emit(None)

    @Slot(int)
    def _on_measure_activated(self, _index: int) -> None:
        self._measure_chosen, self._wanted = True, self.measure()
        self.film.set_measure(self.measure())
        self._show_row()
        self.measure_chosen.emit(self.measure())

    @Slot(int)
    def _on_row_activated(self, index: int) -> None:
        self.show_row(self.row.count() - 1 - index)

    @Slot(int)
    def _on_speed_activated(self, index: int) -> None:
        self._player.speed = float(self.speed.itemData(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, points = Qt.Key(event.key()), self.points
        if self._state == "idle":
            event.ignore()
        elif key in STEP_KEYS:
            self.walk(*STEP_KEYS[key])
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


class MeasureCombo(FittingCombo):
    """What the curve shows, the map and the pictures say, and what is best."""

    def __init__(self) -> None:
        tip = "What the curve shows, and what is best"
        super().__init__("sweep_measure_combo", "Measure of the curve", tip)
        self._missing: dict[str, str] = {}
        for key, measure in MEASURES.items():
            self.addItem(measure.title, key)
            self.setItemData(self.count() - 1, measure.tip, Qt.ItemDataRole.ToolTipRole)

    def set_missing(self, reasons: Mapping[str, str]) -> None:
        """Grey measures that the data do not have, with the reason; emits nothing."""
        self._missing = dict(reasons)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, (key, measure) in enumerate(MEASURES.items()):
            item, why = model.item(place), reasons.get(key)
            item.setEnabled(why is None)
            text = measure.tip if why is None else f"Not defined: {why}."
            item.setData(text, Qt.ItemDataRole.ToolTipRole)

    def choose(self, key: str) -> str:
        """Choose a measure, or one that the data have; returns it. Emits nothing."""
        key = defined_measure(key, self._missing)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))
        return key


def _button(key: str, icon: str, tip: str) -> IconButton:
    button = IconButton(icon, tip, 18)
    button.setObjectName(f"sweep_{key}_button")
    return button


def _room(label: ElidedLabel) -> int:
    """Return the pixels that a text needs, or enough to know a long one by."""
    text = label.fontMetrics().horizontalAdvance(label.text()) + 4
    return int(min(text, WIDEST_TEXT * type_scale()))
