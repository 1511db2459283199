"""The page that compares two pins, A and B, side by side and in numbers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QObject,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.features.pins.compute import Difference, difference
from kpca_viewer.features.pins.pins import Pin, compared_by, subject
from kpca_viewer.features.pins.text import (
    FIRST_PIN,
    REMOVE_B,
    SECOND_PIN,
    TAKE_B,
    TWO_PINS,
    compared_lines,
    difference_text,
    measured_text,
    other_rows_text,
    pin_names,
    scale_text,
    side_titles,
    without_common,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import named_combo
from kpca_viewer.widgets.page_view import PageView
from kpca_viewer.widgets.picture_sources import PlotSource
from kpca_viewer.widgets.plots.axes import GAP
from kpca_viewer.widgets.plots.frame import fitted_ranges
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, printed_type
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import Shades

NARROW = 26
"""Lines of type in width below which names have no room beside each other."""

MOST_TIMES = 5
"""By which one picture may be wider than the other on one scale."""


class ScrolledText(QScrollArea):
    """Has the height of its text at most; where there is less, the text scrolls."""

    def __init__(self, text: QWidget) -> None:
        super().__init__()
        self.setObjectName("compare_text")
        self.setAccessibleName("Difference of the two pictures")
        self.setProperty("role", "page")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setMinimumHeight(2 * self.fontMetrics().height())
        self._text = text
        self.setWidget(text)
        text.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def _fit(self) -> None:
        width = self.viewport().width()
        frame = 2 * self.frameWidth()
        self.setMaximumHeight(max(self._text.heightForWidth(width) + frame, 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        handled = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest and watched is self._text:
            self._fit()
        return handled


class CompareView(QWidget):
    """Two pins of a list, and what is different about them."""

    adopted = Signal(object, object)
    """Settings that are wanted back, and no gesture."""
    removed = Signal(object)
    """The `Pin` that is not wanted any more."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("compare_view")
        self.setAccessibleName("Comparison of two pins")
        self._linking = linking
        self._pins: list[Pin] = []
        self._board: DataSettings | None = None
        self._shades = Shades()
        self._difference: Difference | None = None
        self._lay_out()
        linking.selection_changed.connect(self._on_selection_changed)
        linking.hovered_changed.connect(self._on_hovered_changed)
        self._refresh()

    def set_theme(self, theme: Theme) -> None:
        for view in self._views:
            view.set_theme(theme)

    def follow(self, data: DataSettings | None, shades: Shades) -> None:
        """Take note of the data that are open and of the colours of their rows."""
        if data == self._board and shades.is_like(self._shades):
            return
        self._board, self._shades = data, shades
        self._fill(*(combo.currentIndex() for combo in self._choices))

    def set_pins(self, pins: Sequence[Pin]) -> None:
        """Keep exactly these pictures; the two newest are compared. Emits nothing."""
        self._pins = list(pins)
        last = len(self._pins) - 1
        self._fill(max(last - 1, 0), max(last, 0))

    @property
    def pins(self) -> list[Pin]:
        return list(self._pins)

    @property
    def difference(self) -> Difference | None:
        return self._difference

    @property
    def words(self) -> str:
        return self._words.text()

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint A at the left and B at the right, each below its name."""
        half = QRectF(rect.left(), rect.top(), rect.width() / 2 - 4, rect.height())
        names = pin_names(self._pins, self._board)
        with printed_type():
            font = plot_font()
        line = QFontMetricsF(font).height()
        for place, view in enumerate(self._views):
            side = half.translated(place * (half.width() + 8), 0)
            if background:
                painter.fillRect(side, QColor(view.area.theme.card))
            index = self._choices[place].currentIndex()
            title = f"{'AB'[place]}: {names[index]}" if index >= 0 else "AB"[place]
            painter.setFont(font)
            painter.setPen(QColor(view.area.theme.text))
            at = QPointF(side.center().x(), side.top() + line / 2)
            draw_text(painter, at, elided(title, font, side.width() - 2 * GAP))
            side.setTop(side.top() + line)
            PlotSource(view, view).render_to(painter, side, background=False)

    def fitted(self, room: QSizeF) -> QSizeF:
        """Return what both pictures and their names need of a room."""
        line = QFontMetricsF(plot_font()).height()
        half = QSizeF(room.width() / 2 - 4, room.height() - line)
        heights = [view.fitted(half).height() for view in self._views]
        return QSizeF(room.width(), max(heights) + line)

    def _chosen(self, side: int) -> Pin | None:
        """Return the pin A (0) or B (1); there is no B without a second pin."""
        index = self._choices[side].currentIndex()
        if side and len(self._pins) < 2:
            return None
        return self._pins[index] if 0 <= index < len(self._pins) else None

    def _pair(self) -> tuple[Pin, Pin] | None:
        a, b = self._chosen(0), self._chosen(1)
        return None if a is None or b is None else (a, b)

    def _fill(self, first: int, second: int) -> None:
        names = pin_names(self._pins, self._board)
        for combo, index in zip(self._choices, (first, second), strict=True):
            with QSignalBlocker(combo):
                combo.clear()
                for number, name in enumerate(names, start=1):
                    combo.addItem(f"{number}  {name}")
                    tip = Qt.ItemDataRole.ToolTipRole
                    combo.setItemData(number - 1, plain_tip(name), tip)
                combo.setCurrentIndex(index if self._pins else -1)
        self._refresh()

    def _refresh(self) -> None:
        pair = self._pair()
        for side, view in enumerate(self._views):
            self._show_pin(view, self._chosen(side))
        self._shorten_names()
        wider = "" if pair is None else self._share_scale(pair)
        self._difference = None
        if pair is None:
            self._words.setText(TWO_PINS)
        elif not _same_rows(*pair):
            self._words.setText(other_rows_text(*pair))
        else:
            a, b = pair
            self._difference = difference(b.coordinates, a.coordinates)
            self._words.setText(difference_text(a, b, self._difference) + wider)
        self._show_numbers(pair)
        self._on_selection_changed(self._linking.selection)
        for button in (self._take, self._remove):
            button.setEnabled(pair is not None)

    def _shorten_names(self) -> None:
        """Let what tells A from B be read where whole names have no room."""
        texts = [combo.currentText() for combo in self._choices]
        names = [text.partition("  ")[2] for text in texts]
        apart = without_common((names[0], names[1]))
        for combo, text, name, short in zip(
            self._choices, texts, names, apart, strict=True
        ):
            number = text.removesuffix(name)
            combo.set_short_texts({text: f"{number}{short}"})

    def _share_scale(self, pair: tuple[Pin, Pin]) -> str:
        """Draw both pictures on one scale; where one would be a speck, say so."""
        if any(pin.coordinates.shape[1] != 2 for pin in pair):
            return ""
        spans = [float(np.ptp(pin.coordinates, axis=0).max()) for pin in pair]
        if min(spans) <= 0:
            return ""
        ratio = spans[1] / spans[0]
        if max(ratio, 1 / ratio) > MOST_TIMES:
            return scale_text(ratio)
        # Not of what the views show: one that is hidden may be low, and show far more.
        x, y = fitted_ranges(np.vstack([pin.coordinates for pin in pair]))
        for view in self._views:
            view.set_view_range(x, y)
        return ""

    def _show_pin(self, view: ScatterView, pin: Pin | None) -> None:
        if pin is None:
            view.set_empty_text(SECOND_PIN if self._pins else FIRST_PIN)
            view.set_points(np.empty((0, 2)), ["", ""])
            return
        view.set_aspect_locked(not self._shades.fills)
        view.set_points(pin.coordinates, pin.names)
        # Rows of other data have the colours that they had.
        coloured = self._shades.codes is not None and self._is_of_the_board(pin)
        shades = self._shades if coloured else pin.shades
        codes = np.zeros(pin.count) if shades.codes is None else shades.codes
        view.set_colors(codes[pin.rows], shades.kind, others=shades.others)

    def _is_of_the_board(self, pin: Pin) -> bool:
        """Whether the rows of a pin are those whose colours and selection are known."""
        shades = self._shades
        known = shades.subject in (None, subject(pin.settings.data, pin.content))
        return known and (shades.codes is None or len(shades.codes) == pin.count)

    def _show_numbers(self, pair: tuple[Pin, Pin] | None) -> None:
        lines = [] if pair is None else compared_lines(pair, self._difference)
        heads = ("", "") if pair is None else side_titles(pair)
        self._measured.setText("" if pair is None else measured_text(pair))
        self._measured.setVisible(bool(self._measured.text()))
        texts = [("", *heads, ""), *lines]
        for row, labels in enumerate(self._numbers):
            *cells, about = texts[row] if row < len(texts) else ("", "", "", "")
            for label, text in zip(labels, cells, strict=True):
                label.setText(text)
                label.setToolTip(about)
                label.setVisible(bool(cells[1] or cells[2]))
            # What is about both needs not fit into the column of one.
            self._grid.removeWidget(labels[2])
            first, columns = (2, 1) if cells[1] else (1, 2)
            self._grid.addWidget(labels[2], row, first, 1, columns)

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(8, 4, 8, 4)
        rows.setSpacing(4)
        bar = self._bar = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        beside = QHBoxLayout()
        self._choices, self._views = [], []
        for side in ("A", "B"):
            combo = named_combo(
                f"compare_{side.lower()}_combo", f"Pin {side}", f"The picture {side}"
            )
            combo.activated.connect(self._refresh)
            line = QHBoxLayout()
            line.addWidget(_label(side, "title"))
            line.addWidget(combo, 1)
            bar.addLayout(line, 1)
            self._choices.append(combo)
            view = ScatterView()
            view.setObjectName(f"compare_{side.lower()}_view")
            for part in (view, view.canvas):
                part.setAccessibleName(f"Picture {side}")
            view.setMinimumSize(140, 140)
            view.selected.connect(self._on_view_selected)
            view.hovered.connect(self._on_view_hovered)
            beside.addWidget(view)
            self._views.append(view)
        self._take = IconButton("check", TAKE_B, 18)
        self._take.setObjectName("compare_take_button")
        self._take.clicked.connect(self._on_take_clicked)
        self._remove = IconButton("bin", REMOVE_B, 18)
        self._remove.setObjectName("compare_remove_button")
        self._remove.clicked.connect(self._on_remove_clicked)
        line.addWidget(self._take)
        line.addWidget(self._remove)
        self._words = _label("", "title")
        self._words.setObjectName("compare_words_label")
        self._words.setWordWrap(True)
        below = QWidget()
        texts = QVBoxLayout(below)
        texts.setContentsMargins(0, 0, 4, 0)
        texts.setSpacing(4)
        texts.addWidget(self._words)
        numbers = self._grid = QGridLayout()
        # While it is empty: of what is in a layout that is added, PySide keeps the
        # places, also those that move later.
        texts.addLayout(numbers)
        numbers.setVerticalSpacing(1)
        numbers.setColumnStretch(0, 1)
        self._numbers = []
        # Titles, measures, the largest class, and three lines about the difference.
        for row in range(len(compared_by()) + 5):
            labels = [_label("", "muted"), _label(""), _label("")]
            labels[0].setWordWrap(True)
            for column, label in enumerate(labels):
                numbers.addWidget(label, row, column)
                if column:
                    label.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._numbers.append(labels)
        self._measured = _label("", "caption")
        self._measured.setObjectName("compare_measured_label")
        self._measured.setWordWrap(True)
        self._measured.hide()
        texts.addWidget(self._measured)
        rows.addLayout(bar)
        rows.addLayout(beside, 1)
        rows.addWidget(ScrolledText(below), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put A above B where names beside each other have no room."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW * self.fontMetrics().height()
        ways = QBoxLayout.Direction
        self._bar.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)

    def _on_take_clicked(self) -> None:
        pin = self._chosen(1)
        if pin is not None:
            self.adopted.emit(pin.settings, None)

    def _on_remove_clicked(self) -> None:
        pin = self._chosen(1)
        if pin is not None:
            self.removed.emit(pin)

    def _shown_pin(self, view: object) -> Pin | None:
        """Return the pin in a view, if its rows are those of the board.

        A selection of other data would mark any rows that have the same numbers.
        """
        pin = self._chosen(0 if view is self._views[0] else 1)
        return pin if pin is not None and self._is_of_the_board(pin) else None

    def _on_view_selected(self, mask: Array, mode: Any) -> None:
        pin = self._shown_pin(self.sender())
        if pin is not None:
            whole = np.zeros(pin.count, dtype=bool)
            whole[pin.rows[mask]] = True
            self._linking.apply_selection(whole, mode)

    def _on_view_hovered(self, row: int | None) -> None:
        pin = self._shown_pin(self.sender())
        if pin is not None:
            self._linking.set_hovered(None if row is None else int(pin.rows[row]))

    def _on_selection_changed(self, mask: Array | None) -> None:
        for view in self._views:
            pin = self._shown_pin(view)
            if pin is not None:
                known = mask is not None and len(mask) == pin.count
                view.area.cloud.set_selected(
                    mask[pin.rows] if known and mask is not None else None
                )

    def _on_hovered_changed(self, row: int | None) -> None:
        for view in self._views:
            pin = self._shown_pin(view)
            if pin is not None:
                found = [] if row is None else np.flatnonzero(pin.rows == row).tolist()
                view.set_hovered(found[0] if found else None)


def _same_rows(a: Pin, b: Pin) -> bool:
    """Whether row by row two pins are about the same."""
    first, second = (subject(pin.settings.data, pin.content) for pin in (a, b))
    return first == second and a.count == b.count and np.array_equal(a.rows, b.rows)


def _label(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    return label


class ComparePage(PageView):
    """Follows the colours of the board while it is in front."""

    content: Callable[[DataSettings], str] = staticmethod(lambda _data: "")
    """Returns the hash of the file behind some data."""

    def __init__(self, linking: Linking, _changes: Changes) -> None:
        self.view: CompareView = CompareView(linking)

    def shades(self) -> Shades:
        """Return what the colours of the rows mean now, and of which data they are."""
        result = self.scene.result
        if result is None:
            return Shades()
        data = result.settings.data
        shades = Shades.of_scene(self.scene)
        return replace(shades, subject=subject(data, self.content(data)))

    def draw(self, result: AnalysisResult) -> None:
        self.view.follow(result.settings.data, self.shades())
