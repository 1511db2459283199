"""Parts of the page, and the first of them: what lies at a place."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.text.undo_titles import METHOD_TITLES
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import ComparedColumn
from kpca_viewer.support.numerals import data_value, fixed
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.painted import PaintedPlot, as_large_as
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

GAP = 12.0
"""Pixels between parts and between columns."""

LEAST_NAME = 48.0
"""Pixels that are left to names of columns, before a column of numbers goes."""

WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


class PartView(QWidget):
    """A plot with words below it, or words alone; on paper as on the screen.

    Its ``controls`` stand on a line above all parts of the page; of the bodies one is
    shown as ``body``, None where there are words alone. Setters emit nothing.
    """

    def __init__(
        self, name: str, controls: QWidget, *bodies: PaintedPlot | JoinedScatter
    ) -> None:
        super().__init__()
        self.setObjectName(f"{name}_view")
        self.controls = controls
        self.body: PaintedPlot | JoinedScatter | None = None
        self.words = plain_label(f"{name}_words", "caption")
        self._bodies = bodies
        self._stack = QStackedWidget()
        for body in bodies:
            self._stack.addWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.words)
        self.say("")

    def set_theme(self, theme: Theme) -> None:
        for body in self._bodies:
            body.set_theme(theme)

    def say(self, words: str) -> None:
        self._show(None, words, "muted")

    def said(self) -> str:
        """Return what is said instead of a plot; empty where one is shown."""
        return self.words.text() if self.body is None else ""

    def show_body(
        self, body: PaintedPlot | JoinedScatter, words: str, *, warns: bool = False
    ) -> None:
        self._stack.setCurrentWidget(body)
        self._show(body, words, "warning" if warns else "caption")

    def _show(
        self, body: PaintedPlot | JoinedScatter | None, words: str, role: str
    ) -> None:
        self.body = body
        self._stack.setVisible(body is not None)
        label, align = self.words, Qt.AlignmentFlag
        label.setAlignment(align.AlignCenter if body is None else align.AlignTop)
        if label.text() != words:
            label.setText(words)
        if label.property("role") != role:
            label.setProperty("role", role)
            label.style().polish(label)
        # Lines that came and went would move everything above them.
        label.setMinimumHeight(2 * label.fontMetrics().height())

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Paint the words at the lower end of a rectangle, and the plot above."""
        warns = self.words.property("role") == "warning"
        painter.setFont(plot_font())
        painter.setPen(QColor(theme.warning if warns else theme.muted))
        box = painter.boundingRect(rect, WRAPPED, self.words.text())
        box.moveBottom(rect.bottom())
        painter.drawText(box, WRAPPED, self.words.text())
        left = rect.adjusted(0, 0, 0, -box.height() - GAP / 2)
        if self.body is not None:
            with as_large_as(self.body, left.size().toSize()):
                self.body.render_to(painter, left, background=False)


def control_line(*controls: QWidget) -> QWidget:
    """Return controls on one line, the first of which takes the room that is left."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for control in controls:
        fixed = isinstance(control, QAbstractButton)
        layout.addWidget(control, 0 if fixed else 1)
    return line


@dataclass(frozen=True, eq=False)
class PlaceContent:
    """All that is shown of one place."""

    columns: Sequence[ComparedColumn]
    row_name: str
    image: QImage | None = None
    row_image: QImage | None = None
    """The place and the nearest row as pictures; None where rows are none."""

    def cells(self) -> list[tuple[str, str, str, str]]:
        """Return name, value here, value of the row and their distance."""
        return [
            (
                column.name,
                data_value(column.here),
                data_value(column.there),
                fixed(column.apart, 1),
            )
            for column in self.columns
        ]


class PlacePlot(PaintedPlot):
    """Pictures and values of a place beside those of the nearest row."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("preimage_place")
        self.setAccessibleName(text.VALUES_NAME)
        self.setToolTip(text.VALUES_TIP)
        self.place: PlaceContent | None = None

    def show_place(self, place: PlaceContent) -> None:
        self.place = place
        self.setAccessibleDescription("; ".join(map(", ".join, place.cells())))
        self.update()

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        place, left = self.place, QRectF(QPointF(0, 0), size)
        if place is None:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.setFont(plot_font())
        for image, title in (
            (place.image, text.HERE),
            (place.row_image, place.row_name),
        ):
            if image is not None:
                side = left.height() - painter.fontMetrics().height()
                side = min(side, size.width() / 4)
                room = QRectF(left.left(), left.top(), side, left.height())
                _draw_row_picture(painter, room, image, title, self.theme)
                left.setLeft(left.left() + side + GAP)
        _draw_values(painter, left, place, self.theme)


def _draw_row_picture(
    painter: QPainter, room: QRectF, image: QImage, title: str, theme: Theme
) -> None:
    """Draw a picture as large as there is room for, and its title below it."""
    line = painter.fontMetrics().height() + 2
    where = fitted(image, room.adjusted(0, 0, 0, -line))
    where.moveTop(room.top())
    painter.drawImage(where, image)
    painter.setPen(QColor(theme.border))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(where)
    painter.setPen(QColor(theme.muted))
    below = QPointF(where.center().x(), where.bottom() + 1 + line / 2)
    draw_text(painter, below, elided(title, painter.font(), room.width()))


def _draw_values(
    painter: QPainter, rect: QRectF, place: PlaceContent, theme: Theme
) -> None:
    """Draw as many columns and lines as there is room for; no number is cut."""
    font, line = painter.font(), painter.fontMetrics().height() + 4
    lines = place.cells()[: max(int(rect.height() / line) - 1, 0)]
    heads = text.HERE, elided(place.row_name, font, rect.width() / 4), text.APART
    widths = [
        max(text_width(cells[j], font) for cells in (("", *heads), *lines)) + GAP
        for j in (1, 2, 3)
    ]
    while widths and rect.width() - sum(widths) < LEAST_NAME:
        # The last column is worth least.
        widths.pop()
    names = rect.width() - sum(widths)
    edges = [rect.left() + names + sum(widths[: j + 1]) for j in range(len(widths))]
    for index, (name, *numbers) in enumerate(((text.COLUMN, *heads), *lines)):
        painter.setPen(QColor(theme.text if index else theme.muted))
        middle = rect.top() + (index + 0.5) * line
        shown = elided(name, font, names)
        draw_text(painter, QPointF(rect.left(), middle), shown, 0.0, 0.5)
        for number, at in zip(numbers, edges, strict=False):
            draw_text(painter, QPointF(at, middle), number, 1.0, 0.5)


class PlaceView(PartView):
    """A place beside a row, and how it is found."""

    def __init__(self) -> None:
        self.method = named_combo("preimage_method_combo", text.METHOD, text.METHOD_TIP)
        self.held = named_combo(
            "preimage_held_combo", text.HELD, plain_tip(text.HELD_TIP)
        )
        self.plot = PlacePlot()
        super().__init__("preimage", control_line(self.method, self.held), self.plot)

    def show_choices(self, view: ViewSettings) -> None:
        fill_combo(
            self.method,
            [(t, key) for key, t in METHOD_TITLES.items()],
            view.preimage,
        )
        self.method.setToolTip(plain_tip(text.METHOD_HELP[view.preimage]))
        fill_combo(
            self.held, [(t, key) for key, t in text.HELD_TITLES.items()], view.held
        )

    def show_place(self, place: PlaceContent, words: str, *, warns: bool) -> None:
        self.plot.show_place(place)
        self.show_body(self.plot, words, warns=warns)
