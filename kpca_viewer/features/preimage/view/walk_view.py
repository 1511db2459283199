"""WalkView: along which component, how far, and the strip of what lies there."""

from PySide6.QtCore import (
    QEasingCurve,
    QRectF,
    QSignalBlocker,
    Qt,
    QTimeLine,
    Signal,
    Slot,
)
from PySide6.QtGui import QHideEvent, QPainter
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from kpca_viewer.features.preimage.view.paper import draw_words
from kpca_viewer.features.preimage.view.place_view import control_line
from kpca_viewer.features.preimage.view.walk_drawing import ShownWalk, draw_walk
from kpca_viewer.features.preimage.view.walk_strip import WalkStrip
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.controls import IconButton, type_factor
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.theme import Theme

STEPS = 200
"""Of the slider, from one end to the other."""

WIDEST = 92
"""Pixels of the name of a component; the slider has the rest."""

SECONDS = 4
"""That a walk takes from one end to the other when it is played."""


class WalkView(QWidget):
    """The controls of a walk above its strip. Setters emit nothing."""

    component_chosen = Signal(int)
    moved = Signal(float)
    """Score along the component."""
    save_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("walk_view")
        self._ends, self._own = (0.0, 1.0), 0.0
        self.component = named_combo(
            "walk_component_combo",
            "Component to walk along",
            "Along which component the kept place is moved.",
        )
        self.component.setMinimumContentsLength(3)
        self.component.setMaximumWidth(round(WIDEST * type_factor(self)))
        self.component.currentIndexChanged.connect(self._on_component_changed)
        self.slider = ValueSlider()
        self.slider.setObjectName("walk_slider")
        self.slider.setAccessibleName("Score along the component")
        self.slider.setToolTip(
            "Move the kept place along the component; a double click brings it back."
        )
        self.slider.setRange(0, STEPS)
        self.slider.valueChanged.connect(self._on_slider_moved)
        self.slider.reset_requested.connect(self._on_reset_requested)
        self.play = IconButton("play", "Walk forth and back", 18)
        self.play.setObjectName("walk_play_button")
        self.play.setCheckable(True)
        self.play.toggled.connect(self._on_play_toggled)
        self.save = IconButton("export", "Save the walk as a strip or a film", 18)
        self.save.setObjectName("walk_save_button")
        self.save.clicked.connect(self.save_requested)
        self._line = QTimeLine(1000 * SECONDS, self)
        self._line.setFrameRange(0, STEPS)
        self._line.setEasingCurve(QEasingCurve.Type.Linear)
        self._line.frameChanged.connect(self.slider.setValue)
        self._line.finished.connect(self._on_line_finished)
        self.strip = WalkStrip()
        self.words = QLabel()
        self.words.setObjectName("walk_words")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setProperty("role", "caption")
        self.words.setWordWrap(True)
        self.controls = control_line(self.component, self.slider, self.play, self.save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.strip, 1)
        layout.addWidget(self.words)
        self.say("")

    def show_components(self, count: int, chosen: int) -> None:
        """Offer so many components, one of them chosen."""
        names: list[tuple[str, object]] = [(f"PC {j + 1}", j) for j in range(count)]
        fill_combo(self.component, names, chosen)

    def set_ends(self, ends: tuple[float, float], own: float) -> None:
        """Let the slider lead from one score to another, and begin at the place."""
        self.stop()
        self._ends, self._own = ends, own
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position_of(own))
        self._show_value()

    def value(self) -> float:
        """Return where the slider is, as a score."""
        low, high = self._ends
        return low + (high - low) * self.slider.value() / STEPS

    def show_walk(self, shown: ShownWalk) -> None:
        """Draw what lies along the component."""
        self.strip.show_walk(shown)
        self.words.setText(shown.walk.words)
        self._enable(True)
        self._show_value()

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw the walk into a rectangle, or what is said instead of one."""
        left = draw_words(painter, rect, self.words.text(), theme.muted)
        if self.strip.shown is not None:
            draw_walk(painter, left, self.strip.shown, theme)

    def say(self, text: str) -> None:
        """Say why there is no walk, or what to do."""
        self.stop()
        self.strip.show_walk(None)
        self.words.setText(text)
        self._enable(False)

    def stop(self) -> None:
        self.play.setChecked(False)

    def _enable(self, possible: bool) -> None:
        for control in (self.component, self.slider, self.play, self.save):
            control.setEnabled(possible)

    def _position_of(self, value: float) -> int:
        low, high = self._ends
        return round((value - low) / ((high - low) or 1.0) * STEPS)

    def _show_value(self) -> None:
        value = self.value()
        self.strip.set_value(value)
        self.slider.setAccessibleDescription(readable(value, 3))

    def _on_component_changed(self, index: int) -> None:
        if index >= 0:
            self.component_chosen.emit(self.component.itemData(index))

    @Slot(int)
    def _on_slider_moved(self, _position: int) -> None:
        self._show_value()
        self.moved.emit(self.value())

    @Slot()
    def _on_reset_requested(self) -> None:
        self.slider.setValue(self._position_of(self._own))

    @Slot(bool)
    def _on_play_toggled(self, on: bool) -> None:
        self.play.set_icon("pause" if on else "play")
        if on:
            forth = self.slider.value() < STEPS
            way = QTimeLine.Direction.Forward if forth else QTimeLine.Direction.Backward
            self._line.setDirection(way)
            self._line.setCurrentTime(self.slider.value() * 1000 * SECONDS // STEPS)
            self._line.resume()
        else:
            self._line.setPaused(True)
            self._line.stop()

    @Slot()
    def _on_line_finished(self) -> None:
        if self.play.isChecked():
            self._line.toggleDirection()
            self._line.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()
