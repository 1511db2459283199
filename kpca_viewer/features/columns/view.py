"""The page Columns: a line of choices, bars, and one column beside a component."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.controls import FittingCombo, IconButton, Segmented
from kpca_viewer.widgets.controls.combos import text_room
from kpca_viewer.widgets.plots.axes import margins, round_ticks
from kpca_viewer.widgets.plots.bar_layout import BarList
from kpca_viewer.widgets.plots.bar_list import BarListView, ScrolledBars
from kpca_viewer.widgets.plots.chart import Chart
from kpca_viewer.widgets.plots.coloring import Coloring
from kpca_viewer.widgets.plots.frame import REACH, Frame, fitted_range
from kpca_viewer.widgets.plots.painted import PaintedPlot, as_large_as
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

MOST_DRAWN = 1500
"""Rows whose points are drawn; the curve is of all of them."""


@dataclass(frozen=True, eq=False)
class ColumnRows:
    """What is drawn.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Which rows the points are.
    places : ndarray of shape (m, 2)
        Value of the column and score of every one of them.
    curve : ndarray of shape (p, 2)
        The mean curve.
    names : tuple of str
        Of the column and of the component.
    colors : Coloring or None
        What the colours of these rows mean, as in all plots.
    """

    rows: Array
    places: Array
    curve: Array
    names: tuple[str, str]
    colors: Coloring | None = None


class ColumnPlot(PaintedPlot):
    """Points in the colours of all plots, and a line through their means."""

    row_hovered = Signal(object)
    """A row of the data, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("column_plot")
        self.setAccessibleName("Component against column")
        self.chart = Chart()
        self._shown: ColumnRows | None = None
        self._at: int | None = None

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.chart.set_theme(theme)

    @property
    def shown(self) -> ColumnRows | None:
        return self._shown

    def show_rows(self, shown: ColumnRows | None) -> None:
        """Draw rows, or nothing."""
        self._shown, self._at = shown, None
        self.update()

    def set_hovered(self, row: int | None) -> None:
        """Light up a row of the data where it is drawn. Emits nothing."""
        at = None
        if row is not None and self._shown is not None:
            found = np.flatnonzero(self._shown.rows == row)
            at = int(found[0]) if len(found) else None
        if at != self._at:
            self._at = at
            self.update()

    def frame(self, size: QSizeF | None = None) -> Frame:
        """Return where the axes stand."""
        size = size or QSizeF(self.size())
        assert self._shown is not None
        x, y = (fitted_range(column) for column in self._shown.places.T)
        around = margins(self._shown.names, y, size.height())
        width = max(size.width() - around.left() - around.right(), 16.0)
        height = max(size.height() - around.top() - around.bottom(), 16.0)
        return Frame(around.left(), around.top(), width, height, x, y)

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint axes, points and curve."""
        shown = self._shown
        if shown is None or not len(shown.rows):
            return
        frame = self.frame(size)
        self.chart.place(frame, size, round_ticks(frame), names=shown.names)
        self.chart.draw(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pixels = frame.to_pixels(shown.places)
        self._draw_points(painter, shown, pixels)
        line = QPolygonF([QPointF(*at) for at in frame.to_pixels(shown.curve)])
        # A halo in the colour of the card keeps it readable inside a crowd.
        for color, width in ((self.theme.card, 5.0), (self.theme.text, 2.0)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawPolyline(line)
        if live and self._at is not None:
            painter.setPen(QPen(QColor(self.theme.text), 1.6))
            painter.setBrush(QColor(self.theme.accent))
            painter.drawEllipse(QPointF(*pixels[self._at]), 6, 6)

    def _draw_points(self, painter: QPainter, shown: ColumnRows, pixels: Array) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        radius = (2.6 if len(pixels) > 300 else 3.4) * type_scale()
        colors, which = [QColor(self.theme.muted)], np.zeros(len(pixels), dtype=int)
        meant = shown.colors
        if meant is not None:
            palette = Palette.of(
                meant.kind, len(meant.names), self.theme, 0, meant.others
            )
            colors = [QColor(*color) for color in palette.colors.tolist()]
            which = np.asarray(palette.columns(meant.codes))
        for color in colors:
            color.setAlphaF(0.6)
        for at, code in zip(pixels.tolist(), which.tolist(), strict=True):
            painter.setBrush(colors[code])
            painter.drawEllipse(QPointF(*at), radius, radius)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        shown = self._shown
        if shown is None or not len(shown.rows):
            return
        at = event.position()
        pixels = self.frame().to_pixels(shown.places)
        away = np.hypot(*(pixels - (at.x(), at.y())).T)
        nearest = int(np.argmin(away))
        found = nearest if away[nearest] <= REACH else None
        if found != self._at:
            self._at = found
            self.update()
            self.row_hovered.emit(None if found is None else int(shown.rows[found]))

    def leaveEvent(self, event: QEvent) -> None:
        if self._at is not None:
            self._at = None
            self.row_hovered.emit(None)
        super().leaveEvent(event)


ROOM_FOR_PLOT = 420.0
"""Pixels of width below which the bars have all of it."""

PLOT_SHARE = 2 / 5
"""Of the width, what the plot has beside the bars."""

HIGH = 1.2
"""Height over width from which the plot stands below the bars."""

Choice = tuple[str, object]
"""What a person reads, and the value."""


class ColumnsView(QWidget):
    """Bars of all columns; setters never emit."""

    what_chosen = Signal(object)
    """"influence" or "groups"."""
    component_chosen = Signal(object)
    units_chosen = Signal(object)
    groups_chosen = Signal(object)
    text_copied = Signal(str)
    """What is on the clipboard now, in words."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("columns_view")
        self.setAccessibleName("Columns")
        self._theme = LIGHT
        self._has_plot = False
        self.what = Segmented(
            [
                ("influence", "Influence", "Which columns move a component"),
                ("groups", "Groups", "Which columns tell two groups of rows apart"),
            ],
            "Columns",
        )
        self.what.setObjectName("columns_tool")
        self.component = _Choices(
            "columns_component_combo",
            "Columns of",
            "Rank the columns by what they do to one component, or to all that the "
            "embedding shows.",
        )
        self.units = _Choices(
            "columns_units_combo",
            "A column grows by",
            "By how much every column grows: bars compare columns by one standard "
            "deviation, or by one unit.",
        )
        self.groups = _Choices(
            "columns_groups_combo",
            "Groups",
            "Which two groups of rows are compared, column by column.",
        )
        self.colors_back = IconButton("reset", "Colour by class again  (Esc)", 16)
        self.colors_back.setObjectName("columns_colors_button")
        self.bars = BarListView("column_bars", "Columns, the strongest first")
        self.plot = ColumnPlot()
        self._lay_out()
        self.what.value_changed.connect(self.what_chosen)
        self.component.chosen.connect(self.component_chosen)
        self.units.chosen.connect(self.units_chosen)
        self.groups.chosen.connect(self.groups_chosen)
        self.bars.copied.connect(self._on_copied)

    def _lay_out(self) -> None:
        self._tools = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._tools.setContentsMargins(12, 0, 12, 2)
        self._tools.setSpacing(8)
        self._tools.addWidget(self.what, 0, Qt.AlignmentFlag.AlignLeft)
        line = QHBoxLayout()
        line.setSpacing(8)
        self._tools.addLayout(line, 1)
        for combo in (self.component, self.units, self.groups):
            line.addWidget(combo)
        line.addWidget(self.colors_back)
        line.addStretch(1)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addWidget(ScrolledBars(self.bars), 3)
        self._body.addWidget(self.plot, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._tools)
        layout.addLayout(self._body, 1)
        self.plot.hide()
        self.colors_back.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.bars.set_theme(theme)
        self.plot.set_theme(theme)

    def show_what(self, what: str) -> None:
        """Show the choices of influence or of groups."""
        self.what.set_value(what)
        influence = what == "influence"
        self.component.setVisible(influence)
        self.units.setVisible(influence)
        self.groups.setVisible(not influence)

    def show_bars(
        self, shown: BarList, table: Callable[[], str], chosen: int | None
    ) -> None:
        """Show lines; see `BarListView.show_bars`."""
        self.bars.show_bars(shown, table, chosen)

    def say(self, words: str) -> None:
        self.bars.say(words)
        self.show_column(None)

    def show_column(self, rows: ColumnRows | None) -> None:
        """Show one column beside a component, or none."""
        self._has_plot = rows is not None
        self.plot.show_rows(rows)
        self._make_room()

    def _make_room(self) -> None:
        wide = self.width() >= ROOM_FOR_PLOT * type_scale()
        high = self.height() >= HIGH * self.width()
        self.plot.setVisible(self._has_plot and (wide or high))
        choices = (self.component, self.units, self.groups, self.colors_back)
        shown = [choice for choice in choices if choice.isVisibleTo(self)]
        needed = sum(choice.sizeHint().width() + 8 for choice in shown)
        needed += self.what.sizeHint().width() + 24
        directions = QBoxLayout.Direction
        self._tools.setDirection(
            directions.LeftToRight if needed <= self.width() else directions.TopToBottom
        )
        # A plot beside the bars would be a strip.
        self._body.setDirection(
            directions.TopToBottom if high else directions.LeftToRight
        )

    @Slot()
    def _on_copied(self) -> None:
        self.text_copied.emit("the columns as a table")

    def has_colors(self, width: float) -> bool:
        """Return whether a picture of a width has points whose colours mean classes."""
        return self._has_plot and width >= ROOM_FOR_PLOT

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint bars and plot side by side; paper has no choices."""
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        shown = self.has_colors(rect.width())
        share = 1 - PLOT_SHARE if shown else 1.0
        bars, plot = QRectF(rect), QRectF(rect)
        bars.setWidth(share * rect.width())
        plot.setLeft(bars.right())
        width, height = self.width(), self.height()
        with as_large_as(self.bars, QSize(round(share * width), height)):
            self.bars.render_to(painter, bars, background=False)
        if shown:
            size = QSize(round(PLOT_SHARE * width), height)
            with as_large_as(self.plot, size):
                self.plot.render_to(painter, plot, background=False)

    def event(self, event: QEvent) -> bool:
        """Follow choices that have become wider."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._make_room()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()


class _Choices(FittingCombo):
    """A combo box whose values may be anything."""

    chosen = Signal(object)

    def __init__(self, name: str, title: str, tip: str) -> None:
        super().__init__(name, title, tip)
        self._choices: list[Choice] = []
        self.activated.connect(self._on_activated)

    def show_choices(self, choices: list[Choice], value: object) -> None:
        """Show these choices with one of them chosen. Emits nothing."""
        if choices != self._choices:
            self._choices = choices
            self.clear()
            self.addItems([text for text, _ in choices])
        values = [value for _, value in choices]
        self.setCurrentIndex(values.index(value) if value in values else 0)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self.chosen.emit(self._choices[index][1])

    def sizeHint(self) -> QSize:
        """Return room for the line that is chosen: there are others beside it."""
        hint = super().sizeHint()
        return QSize(min(text_room(self), hint.width()), hint.height())
