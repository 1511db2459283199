"""The walk along a component: strip, controls, and the place that it leads through."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import (
    QObject,
    QPointF,
    QRectF,
    QSizeF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import Walk, WalkRequest
from kpca_viewer.features.preimage.view import PartView, control_line
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import fixed, readable
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.pixels import fitted, row_image
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

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


def _draw_pictures(
    painter: QPainter,
    rect: QRectF,
    shown: WalkPicture,
    theme: Theme,
) -> None:
    walk, images = shown.walk, shown.images
    line = painter.fontMetrics().height() + 4
    width = rect.width() / len(images)
    now = walk.nearest(walk.own)
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
        if index == 0:
            # On paper nothing else says which component it is.
            title = text.COMPONENT_VALUE.format(number=walk.component + 1, value=title)
        below = QPointF(where.center().x(), where.bottom() + line / 2 + 1)
        draw_text(painter, below, title)


def _draw_lines(
    painter: QPainter,
    rect: QRectF,
    shown: WalkPicture,
    theme: Theme,
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
    painter.setPen(QPen(QColor(theme.accent), 1.4))
    now = min(max(walk.own, x0), x1)
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


class WalkStrip(PaintedPlot):
    """What lies along a component; the kept place is marked."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("walk_strip")
        self.setAccessibleName(text.WALK_STRIP)
        self.shown: WalkPicture | None = None

    def show_walk(self, shown: WalkPicture) -> None:
        self.shown = shown
        self.setToolTip(text.walk_words(shown.walk))
        self.update()

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        if self.shown is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.setFont(plot_font())
        draw = _draw_pictures if self.shown.images else _draw_lines
        draw(painter, QRectF(QPointF(0, 0), size), self.shown, self.theme)


class WalkView(PartView):
    """The component of a walk above its strip."""

    def __init__(self) -> None:
        self.component = named_combo(
            "walk_component_combo",
            text.WALK_COMPONENT,
            text.WALK_COMPONENT_TIP,
        )
        self.strip = WalkStrip()
        super().__init__("walk", control_line(self.component), self.strip)

    def show_components(self, count: int, chosen: int) -> None:
        names: list[tuple[str, object]] = [
            (text.COMPONENT.format(number=j + 1), j) for j in range(count)
        ]
        fill_combo(self.component, names, chosen)

    def show_walk(self, shown: WalkPicture) -> None:
        self.strip.show_walk(shown)
        self.show_body(self.strip, text.walk_words(shown.walk))
        self.controls.setEnabled(True)

    def say(self, words: str) -> None:
        super().say(words)
        self.controls.setEnabled(False)


class WalkTools(QObject):
    """Requests a walk while it is looked at, and shows it.

    ``component``: along which one, from 0; ``request``: what is shown or on its way.
    """

    requested = Signal(object)  # A `WalkRequest`

    def __init__(self, tools: "PreImageTools") -> None:
        super().__init__(tools)
        self.component = 0
        self.request: WalkRequest | None = None
        self._tools, self._page, self._view = tools, tools.page, tools.page.walk
        tools.changed.connect(self._look)
        self._page.modes.value_changed.connect(self._on_mode_changed)
        self._view.component.value_chosen.connect(self._on_component_chosen)

    @property
    def on(self) -> bool:
        return self._page.modes.value() == "walk"

    @Slot(object)
    def show_walk(self, walk: Walk) -> None:
        scene = self._tools.scene
        if scene.dataset is None or self.request is None:
            return
        pictures = row_pictures(scene.dataset, scene.settings.view)
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
        self.request = WalkRequest(finder, scores, self.component, axes)
        self.requested.emit(self.request)

    @Slot(object)
    def _on_mode_changed(self, _mode: str) -> None:
        self._look()

    @Slot(object)
    def _on_component_chosen(self, component: int) -> None:
        self.component = component
        self._look()
