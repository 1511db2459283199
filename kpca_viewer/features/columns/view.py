"""The page Columns: a line of choices, bars, and one column beside a component."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpca_viewer.features.columns.column_plot import ColumnPlot, ColumnRows
from kpca_viewer.widgets.controls import FittingCombo, IconButton, Segmented
from kpca_viewer.widgets.controls.behaviour import WheelGuard
from kpca_viewer.widgets.controls.combos import text_room
from kpca_viewer.widgets.plots.bar_layout import BarList
from kpca_viewer.widgets.plots.bar_list import BarListView, ScrolledBars
from kpca_viewer.widgets.plots.painted import as_large_as
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

ROOM_FOR_PLOT = 420.0
"""Pixels of width below which the bars have all of it."""

PLOT_SHARE = 2 / 5
"""Of the width, what the plot has beside the bars."""

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
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 2)
        line.setSpacing(8)
        line.addWidget(self.what)
        for combo in (self.component, self.units, self.groups):
            line.addWidget(combo)
        line.addWidget(self.colors_back)
        line.addStretch(1)
        self._body = QHBoxLayout()
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addWidget(ScrolledBars(self.bars), 3)
        self._body.addWidget(self.plot, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(line)
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
        self.plot.setVisible(self._has_plot and wide)

    @Slot()
    def _on_copied(self) -> None:
        self.text_copied.emit("the columns as a table")

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint bars and plot side by side; paper has no choices."""
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        share = 1 - PLOT_SHARE if self._has_plot else 1.0
        bars, plot = QRectF(rect), QRectF(rect)
        bars.setWidth(share * rect.width())
        plot.setLeft(bars.right())
        width, height = self.width(), self.height()
        with as_large_as(self.bars, QSize(round(share * width), height)):
            self.bars.render_to(painter, bars, background=False)
        if self._has_plot:
            size = QSize(round(PLOT_SHARE * width), height)
            with as_large_as(self.plot, size):
                self.plot.render_to(painter, plot, background=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()


class _Choices(FittingCombo):
    """A combo box whose values may be anything."""

    chosen = Signal(object)

    def __init__(self, name: str, title: str, tip: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setToolTip(tip)
        self._choices: list[Choice] = []
        WheelGuard(self)
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
