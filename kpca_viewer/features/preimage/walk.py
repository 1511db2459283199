"""The walk along a component: strip, controls, and the place that it leads through."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import (
    QEasingCurve,
    QObject,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    QTimeLine,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from kpca_viewer.engine.row_pictures import RowPictures, row_pictures
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import Array, Walk, WalkRequest, ends_of
from kpca_viewer.features.preimage.view import control_line, draw_words
from kpca_viewer.support.numerals import fixed, readable
from kpca_viewer.widgets.controls import IconButton, type_factor
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.plots.pixels import fitted, row_image
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme, theme_of

if TYPE_CHECKING:
    from kpca_viewer.features.preimage.probe import PreImageTools

DASHES = [3.0, 2.0]
"""Around what only lies near the walk."""


@dataclass(frozen=True, eq=False)
class WalkPicture:
    """All that is drawn of a walk."""

    walk: Walk
    images: Sequence[QImage] = ()
    """Its places as pictures; none where rows are no pictures."""
    lines: Sequence[tuple[str, Array]] = ()
    """The columns that move most, in standard deviations around their means."""


def draw_walk(
    painter: QPainter,
    rect: QRectF,
    shown: WalkPicture,
    theme: Theme,
    value: float | None = None,
) -> None:
    """Draw a walk into a rectangle, on the screen or on paper; on any thread.

    Parameters
    ----------
    value : float, optional
        Where the walk is now, which is marked.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.setFont(plot_font())
    draw = _draw_pictures if shown.images else _draw_lines
    draw(painter, rect, shown, theme, value)


def _draw_pictures(
    painter: QPainter,
    rect: QRectF,
    shown: WalkPicture,
    theme: Theme,
    value: float | None,
) -> None:
    walk, images = shown.walk, shown.images
    line = painter.fontMetrics().height() + 4
    width = rect.width() / len(images)
    now = None if value is None else walk.nearest(value)
    for index, image in enumerate(images):
        left = rect.left() + index * width
        room = QRectF(left + 3, rect.top() + 3, width - 6, rect.height() - line - 6)
        where = fitted(image, room)
        place = walk.places[index]
        painter.drawImage(where, image)
        chosen = index == now
        near = theme.border if place.lies_here else theme.warning
        pen = QPen(QColor(theme.accent if chosen else near))
        pen.setWidthF(2.5 if chosen else 1.0 if place.lies_here else 2.0)
        if not place.lies_here:
            pen.setDashPattern(DASHES)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(where)
        painter.setPen(QColor(theme.text if chosen else theme.muted))
        title = readable(float(walk.values[index]), 2)
        if value is None and index == 0:
            # On paper nothing else says which component it is.
            title = text.COMPONENT_VALUE.format(number=walk.component + 1, value=title)
        below = QPointF(where.center().x(), where.bottom() + line / 2 + 1)
        draw_text(painter, below, title)


def _draw_lines(
    painter: QPainter,
    rect: QRectF,
    shown: WalkPicture,
    theme: Theme,
    value: float | None,
) -> None:
    walk, lines = shown.walk, shown.lines
    if not lines:
        return
    font, high = painter.font(), painter.fontMetrics().height()
    names = max(text_width(name, font) for name, _ in lines)
    names = min(names, 0.35 * rect.width())
    plot = rect.adjusted(40, 6, -names - 14, -high - 6)
    ways = np.array([way for _, way in lines])
    low, top = float(ways.min()), float(ways.max())
    if top - low < 1e-9:
        low, top = low - 1, top + 1
    x0, x1 = float(walk.values[0]), float(walk.values[-1])

    def at(x: float, y: float) -> QPointF:
        across = (x - x0) / ((x1 - x0) or 1.0)
        return QPointF(
            plot.left() + across * plot.width(),
            plot.bottom() - (y - low) / (top - low) * plot.height(),
        )

    painter.setPen(QColor(theme.border))
    painter.drawRect(plot)
    painter.setPen(QColor(theme.muted))
    for y, aside in ((low, 1.0), (top, 0.0)):
        corner = QPointF(plot.left() - 5, at(x0, y).y())
        draw_text(painter, corner, f"{fixed(y, 1)} σ", 1.0, aside)
    for x, side in ((x0, 0.0), (x1, 1.0)):
        corner = QPointF(at(x, low).x(), plot.bottom() + 3)
        draw_text(painter, corner, readable(x, 2), side, 0.0)
    middle = QPointF(plot.center().x(), plot.bottom() + 3)
    draw_text(
        painter, middle, text.COMPONENT.format(number=walk.component + 1), 0.5, 0.0
    )
    if value is not None:
        painter.setPen(QPen(QColor(theme.accent), 1.4))
        now = min(max(value, x0), x1)
        painter.drawLine(at(now, low), at(now, top))
    lies_here = [
        one.lies_here and other.lies_here for one, other in pairwise(walk.places)
    ]
    ends = _apart([at(x1, way[-1]).y() for _, way in lines], high, plot)
    for index, (name, way) in enumerate(lines):
        color = QColor(theme.class_colors[index % len(theme.class_colors)])
        whole, dashed = QPen(color, 2.0), QPen(color, 2.0)
        dashed.setDashPattern(DASHES)
        points = [at(float(x), float(y)) for x, y in zip(walk.values, way, strict=True)]
        for here, (start, end) in zip(lies_here, pairwise(points), strict=True):
            painter.setPen(whole if here else dashed)
            painter.drawLine(start, end)
        painter.setPen(whole)
        painter.drawLine(at(x1, way[-1]), QPointF(plot.right() + 8, ends[index]))
        painter.setPen(QColor(theme.text))
        title = elided(name, font, names)
        draw_text(painter, QPointF(plot.right() + 12, ends[index]), title, 0.0, 0.5)


def _apart(heights: list[float], least: float, plot: QRectF) -> list[float]:
    """Move texts at heights apart, so that none of them covers another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found = list(heights)
    edge = plot.top() - least
    for index in order:
        edge = found[index] = max(found[index], edge + least)
    edge = plot.bottom() + least / 2 + least
    for index in reversed(order):
        edge = found[index] = min(found[index], edge - least)
    return found


class WalkStrip(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("walk_strip")
        self.setAccessibleName(text.WALK_STRIP)
        self.shown: WalkPicture | None = None
        self.value = 0.0
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)

    def show_walk(self, shown: WalkPicture | None) -> None:
        self.shown = shown
        self.setToolTip("" if shown is None else text.walk_words(shown.walk))
        self.update()

    def set_value(self, value: float) -> None:
        self.value = value
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 64)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.shown is None:
            return
        with QPainter(self) as painter:
            theme = theme_of(self.palette())
            draw_walk(painter, QRectF(self.rect()), self.shown, theme, self.value)


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
            text.WALK_COMPONENT,
            text.WALK_COMPONENT_TIP,
        )
        self.component.setMinimumContentsLength(3)
        self.component.setMaximumWidth(round(WIDEST * type_factor(self)))
        self.component.currentIndexChanged.connect(self._on_component_changed)
        self.slider = ValueSlider()
        self.slider.setObjectName("walk_slider")
        self.slider.setAccessibleName(text.WALK_SLIDER)
        self.slider.setToolTip(text.WALK_SLIDER_TIP)
        self.slider.setRange(0, STEPS)
        self.slider.valueChanged.connect(self._on_slider_moved)
        self.slider.reset_requested.connect(self._on_reset_requested)
        self.play = IconButton("play", text.WALK_PLAY, 18)
        self.play.setObjectName("walk_play_button")
        self.play.setCheckable(True)
        self.play.toggled.connect(self._on_play_toggled)
        self.save = IconButton("export", text.WALK_SAVE, 18)
        self.save.setObjectName("walk_save_button")
        self.save.clicked.connect(self.save_requested)
        self._line = QTimeLine(1000 * SECONDS, self)
        self._line.setFrameRange(0, STEPS)
        self._line.setEasingCurve(QEasingCurve.Type.Linear)
        self._line.frameChanged.connect(self.slider.setValue)
        self._line.finished.connect(self._on_line_finished)
        self.strip = WalkStrip()
        self.words = plain_label("walk_words", "caption")
        self.controls = control_line(self.component, self.slider, self.play, self.save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.strip, 1)
        layout.addWidget(self.words)
        self.say("")

    def show_components(self, count: int, chosen: int) -> None:
        names: list[tuple[str, object]] = [
            (text.COMPONENT.format(number=j + 1), j) for j in range(count)
        ]
        fill_combo(self.component, names, chosen)

    def set_ends(self, ends: tuple[float, float], own: float) -> None:
        self.stop()
        self._ends, self._own = ends, own
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position_of(own))
        self._show_value()

    def value(self) -> float:
        low, high = self._ends
        return low + (high - low) * self.slider.value() / STEPS

    def show_walk(self, shown: WalkPicture) -> None:
        self.strip.show_walk(shown)
        self.words.setText(text.walk_words(shown.walk))
        self._enable(True)
        self._show_value()

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        left = draw_words(painter, rect, self.words.text(), theme.muted)
        if self.strip.shown is not None:
            draw_walk(painter, left, self.strip.shown, theme)

    def say(self, words: str) -> None:
        self.stop()
        self.strip.show_walk(None)
        self.words.setText(words)
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


class WalkTools(QObject):
    """Requests a walk while it is looked at, and shows it.

    Attributes
    ----------
    component : int
        Along which one, from 0.
    request : WalkRequest or None
        The walk that is shown or on its way.
    """

    requested = Signal(object)  # A `WalkRequest`

    def __init__(self, tools: "PreImageTools") -> None:
        super().__init__(tools)
        self.component = 0
        self.request: WalkRequest | None = None
        self._tools, self._page, self._view = tools, tools.page, tools.page.walk
        tools.changed.connect(self._look)
        self._page.modes.value_changed.connect(self._on_mode_changed)
        self._view.component_chosen.connect(self._on_component_chosen)
        self._view.moved.connect(self._on_moved)

    @property
    def on(self) -> bool:
        return self._page.modes.value() == "walk"

    @property
    def pictures(self) -> RowPictures | None:
        """How rows are seen as pictures; None where they are none."""
        scene = self._tools.scene
        dataset = scene.dataset
        return None if dataset is None else row_pictures(dataset, scene.settings.view)

    @property
    def shown(self) -> WalkPicture | None:
        return self._view.strip.shown

    @Slot(object)
    def show_walk(self, walk: Walk) -> None:
        dataset, pictures = self._tools.scene.dataset, self.pictures
        if dataset is None or self.request is None:
            return
        if pictures is None:
            shown = WalkPicture(walk, lines=walk.moving_columns(self.request.finder))
        else:
            rows = (place.values for place in walk.places)
            shown = WalkPicture(walk, [row_image(pictures.shades(row)) for row in rows])
        self._view.show_walk(shown)

    @Slot()
    def _look(self) -> None:
        """Request the walk through the kept place, while it is looked at."""
        if not self.on:
            return
        tools = self._tools
        why = tools.why_nothing()
        finder, scores = tools.finder, tools.kept_scores()
        if why or finder is None or scores is None:
            self.request = None
            self._view.say(why or text.KEEP_ONE)
            return
        count = len(scores)
        self.component = min(self.component, count - 1)
        axes = tools.scene.settings.view.shown_axes[:2]
        if self.request is None:
            self._view.say(text.WALK_COMPUTING)
        self._view.show_components(count, self.component)
        own = float(scores[self.component])
        self._view.set_ends(ends_of(finder, self.component), own)
        self.request = WalkRequest(finder, scores, self.component, axes)
        self.requested.emit(self.request)

    @Slot(object)
    def _on_mode_changed(self, _mode: str) -> None:
        self._tools.set_along(None)
        self._look()

    @Slot(int)
    def _on_component_chosen(self, component: int) -> None:
        self.component = component
        self._tools.set_along(None)
        self._look()

    @Slot(float)
    def _on_moved(self, value: float) -> None:
        self._tools.set_along((self.component, value))
