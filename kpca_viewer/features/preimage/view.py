"""PlaceView: what lies at a place, in pictures, values and words."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QStackedWidget,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)
from PySide6.QtWidgets import QTableWidgetItem as Item

from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.text.undo_titles import METHOD_TITLES
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import ComparedColumn
from kpca_viewer.support.numerals import data_value, fixed
from kpca_viewer.widgets.controls.behaviour import LetterGuard, plain_tip
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme, theme_of


@dataclass(frozen=True, eq=False)
class PlaceContent:
    """All that is shown of one place."""

    columns: Sequence[ComparedColumn]
    row_name: str
    words: str
    warns: bool
    """Whether nothing lies there."""
    image: QImage | None = None
    row_image: QImage | None = None
    """The place and the nearest row as pictures; None where rows are none."""


SIDE = 96
"""Pixels that a picture takes at least, in its longer direction."""


class RowPicture(QWidget):
    """One picture with its name below it."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.image: QImage | None = None
        self.title = ""
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)

    def show_row(self, image: QImage | None, title: str) -> None:
        self.image, self.title = image, title
        self.setToolTip(plain_tip(title))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(SIDE, SIDE + self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(56, 56 + self.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        with QPainter(self) as painter:
            room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            draw_row_picture(painter, room, self.image, self.title, theme)


def draw_row_picture(
    painter: QPainter, room: QRectF, image: QImage | None, title: str, theme: Theme
) -> None:
    """Draw a picture as large as there is room for, and its title below it."""
    line = painter.fontMetrics().height() + 2
    above = room.adjusted(0, 0, 0, -line)
    bottom = above.bottom()
    if image is not None and above.height() > 4:
        where = fitted(image, above)
        where.moveTop(above.top())
        painter.drawImage(where, image)
        painter.setPen(QColor(theme.border))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(where)
        bottom = where.bottom()
    painter.setPen(QColor(theme.muted))
    below = QRectF(room.left(), bottom + 1, room.width(), line)
    middle = Qt.TextElideMode.ElideMiddle
    shown = painter.fontMetrics().elidedText(title, middle, int(room.width()))
    painter.drawText(below, Qt.AlignmentFlag.AlignCenter, shown)


USUAL = "−0.0000", "row 0000", "Apart "
"""What numbers and titles of the columns behind the first take at least."""

AROUND = 20
"""Pixels beside the text of a cell."""

LEAST_NAME = 10
"""Characters that are left to names, before another column goes."""


class ValuesTable(QTableWidget):
    """Some columns, where they differ most first. Nothing in it can be edited."""

    def __init__(self) -> None:
        super().__init__(0, len(text.VALUE_HEADS))
        self.setObjectName("preimage_values")
        self.setAccessibleName(text.VALUES_NAME)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        # As far from the edge as the titles are.
        self.setStyleSheet("QTableView::item { padding: 0 6px; }")
        LetterGuard(self)
        self.verticalHeader().hide()
        for column, (head, tip) in enumerate(text.VALUE_HEADS.items()):
            item = Item(head)
            item.setToolTip(tip)
            item.setTextAlignment(_side(column))
            self.setHorizontalHeaderItem(column, item)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._pictured, self._row_name = False, text.ROW
        self._fit()

    def _fit(self) -> None:
        """Give numbers all the room they take; names, which can be cut, the rest.

        Where that leaves nothing to names, there are fewer columns.
        """
        metrics = self.fontMetrics()
        widths = {}
        for column, usual in enumerate(USUAL, start=1):
            # Numbers of a usual length do not move the others.
            texts = (usual, *(self._text(line, column) for line in self._lines))
            widths[column] = max(map(metrics.horizontalAdvance, texts)) + AROUND
            self.setColumnWidth(column, widths[column])
        left = self.viewport().width() - LEAST_NAME * metrics.averageCharWidth()
        for column, width in widths.items():
            left -= width
            wanted = column < 3 or not self._pictured
            self.setColumnHidden(column, column > 1 and (left < 0 or not wanted))
        head = self.horizontalHeaderItem(2)
        if head is not None:
            room = widths[2] - AROUND
            middle = Qt.TextElideMode.ElideMiddle
            head.setText(metrics.elidedText(self._row_name, middle, room))

    @property
    def _lines(self) -> range:
        return range(self.rowCount())

    def _text(self, line: int, column: int) -> str:
        item = self.item(line, column)
        return "" if item is None else item.text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_columns(
        self,
        columns: Sequence[ComparedColumn],
        row_name: str,
        *,
        pictured: bool = False,
    ) -> None:
        """Show values of columns, and of a row under its name.

        Parameters
        ----------
        pictured : bool
            Whether pictures stand beside it, which leave less room.
        """
        self._pictured, self._row_name = pictured, row_name
        head = self.horizontalHeaderItem(2)
        if head is not None:
            head.setToolTip(plain_tip(f"{row_name}: {text.VALUE_HEADS[text.ROW]}"))
        if self.rowCount() != len(columns):
            self.setRowCount(len(columns))
            height = self.fontMetrics().height() + 6
            for line in range(len(columns)):
                self.setRowHeight(line, height)
        for line, column in enumerate(columns):
            texts = (
                column.name,
                data_value(column.here),
                data_value(column.there),
                fixed(column.apart, 1),
            )
            for place, shown in enumerate(texts):
                item = self.item(line, place)
                if item is None:
                    item = Item()
                    item.setTextAlignment(_side(place))
                    self.setItem(line, place, item)
                if item.text() != shown:
                    item.setText(shown)
                    item.setToolTip(plain_tip(shown))
        self._fit()


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


GAP = 12.0
"""Pixels between parts and between columns."""

PAPER_NAME = 48.0
"""Pixels that are left to names of columns, before a column of numbers goes."""

WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


def draw_words(painter: QPainter, rect: QRectF, words: str, color: str) -> QRectF:
    """Write sentences at the lower end of a rectangle; returns what is left above."""
    painter.setFont(plot_font())
    painter.setPen(QColor(color))
    box = painter.boundingRect(rect, WRAPPED, words)
    box.moveBottom(rect.bottom())
    painter.drawText(box, WRAPPED, words)
    return rect.adjusted(0, 0, 0, -box.height() - GAP / 2)


def draw_place(
    painter: QPainter, rect: QRectF, place: PlaceContent, theme: Theme
) -> None:
    """Draw what lies at a place into a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    left = draw_words(
        painter, rect, place.words, theme.warning if place.warns else theme.muted
    )
    for image, title in (
        (place.image, text.HERE),
        (place.row_image, place.row_name),
    ):
        if image is not None:
            side = min(left.height() - painter.fontMetrics().height(), rect.width() / 4)
            room = QRectF(left.left(), left.top(), side, left.height())
            draw_row_picture(painter, room, image, title, theme)
            left.setLeft(left.left() + side + GAP)
    _draw_values(painter, left, place, theme)


def _draw_values(
    painter: QPainter, rect: QRectF, place: PlaceContent, theme: Theme
) -> None:
    """Draw as many columns and lines as there is room for; no number is cut."""
    font, line = painter.font(), painter.fontMetrics().height() + 4
    lines = max(int(rect.height() / line) - 1, 0)
    heads, numbers = _cells(place.columns[:lines], place.row_name)
    widths = [
        max(text_width(cell, font) for cell in (head, *texts)) + GAP
        for head, texts in zip(heads, numbers, strict=True)
    ]
    while widths and rect.width() - sum(widths) < PAPER_NAME:
        # The last column is worth least.
        widths.pop()
    names = rect.width() - sum(widths)
    edges = [rect.left() + names + sum(widths[: j + 1]) for j in range(len(widths))]
    painter.setPen(QColor(theme.muted))
    middle = rect.top() + line / 2
    draw_text(painter, QPointF(rect.left(), middle), text.COLUMN, 0.0, 0.5)
    for head, at in zip(heads, edges, strict=False):
        draw_text(painter, QPointF(at, middle), head, 1.0, 0.5)
    painter.setPen(QColor(theme.text))
    for index, column in enumerate(place.columns[:lines]):
        middle += line
        name = elided(column.name, font, names)
        draw_text(painter, QPointF(rect.left(), middle), name, 0.0, 0.5)
        for texts, at in zip(numbers, edges, strict=False):
            draw_text(painter, QPointF(at, middle), texts[index], 1.0, 0.5)


def _cells(
    columns: Sequence[ComparedColumn], row_name: str
) -> tuple[list[str], list[list[str]]]:
    return [text.HERE, row_name, text.APART_ON_PAPER], [
        [data_value(column.here) for column in columns],
        [data_value(column.there) for column in columns],
        [fixed(column.apart, 1) for column in columns],
    ]


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


class PlaceView(QWidget):
    """Pictures and values of a place beside those of a row. Setters emit nothing."""

    method_chosen = Signal(str)
    held_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("place_view")
        self.method = named_combo("preimage_method_combo", text.METHOD, text.METHOD_TIP)
        self.method.currentIndexChanged.connect(self._on_method_changed)
        self.held = named_combo(
            "preimage_held_combo", text.HELD, plain_tip(text.HELD_TIP)
        )
        self.held.currentIndexChanged.connect(self._on_held_changed)
        # On a line above all parts of the page.
        self.controls = control_line(self.method, self.held)
        self.here = RowPicture("preimage_picture", text.HERE_PICTURE)
        self.row = RowPicture("preimage_row_picture", text.ROW_PICTURE)
        self.values = ValuesTable()
        self.words = plain_label("preimage_words")
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._said = plain_label("preimage_said", "muted")
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._place: PlaceContent | None = None
        self._stack = QStackedWidget()
        self._stack.addWidget(self._said)
        self._stack.addWidget(self._lay_out_found())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.say("")

    def _lay_out_found(self) -> QWidget:
        found = QWidget()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.here, 2)
        line.addWidget(self.row, 2)
        line.addWidget(self.values, 5)
        layout = QVBoxLayout(found)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line, 1)
        layout.addWidget(self.words)
        return found

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

    def say(self, words: str) -> None:
        self._said.setText(words)
        self._said.setAccessibleName(words)
        self._stack.setCurrentIndex(0)

    def said(self) -> str:
        """Return what is said instead of a place; empty where one is shown."""
        return "" if self._stack.currentIndex() else self._said.text()

    def show_place(self, place: PlaceContent) -> None:
        self._place = place
        for picture, image, title in (
            (self.here, place.image, text.HERE),
            (self.row, place.row_image, place.row_name),
        ):
            picture.setVisible(image is not None)
            picture.show_row(image, title)
        pictured = place.image is not None
        self.values.show_columns(place.columns, place.row_name, pictured=pictured)
        if self.words.text() != place.words:
            self.words.setText(place.words)
        role = "warning" if place.warns else "caption"
        if self.words.property("role") != role:
            self.words.setProperty("role", role)
            self.words.style().polish(self.words)
        # Lines that came and went would move everything above them.
        self.words.setMinimumHeight(2 * self.words.fontMetrics().height())
        self._stack.setCurrentIndex(1)

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if self.said() or self._place is None:
            draw_words(painter, rect, self.said(), theme.muted)
        else:
            draw_place(painter, rect, self._place, theme)

    def _on_method_changed(self, index: int) -> None:
        if index >= 0:
            self.method_chosen.emit(self.method.itemData(index))

    def _on_held_changed(self, index: int) -> None:
        if index >= 0:
            self.held_chosen.emit(self.held.itemData(index))
