"""Compare: two pinned settings side by side or on top of each other, with numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.features.sweep.compare_text import (
    COMPARE_MODES,
    FIRST_PIN,
    OTHER_ROWS,
    REMOVE_RIGHT,
    SECOND_PIN,
    SIDES,
    TAKE_RIGHT,
    TWO_PINS,
    compared_lines,
    difference_text,
    measured_text,
    other_rows_text,
    pin_names,
    scale_text,
    side_titles,
)
from kpca_viewer.features.sweep.compute import Difference, difference, overlay
from kpca_viewer.features.sweep.overlay_plot import OverlayPlot
from kpca_viewer.features.sweep.pins import Pin, compared_by, subject
from kpca_viewer.features.sweep.strip_bar import icon_button
from kpca_viewer.widgets.controls import ElidedLabel, Segmented
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import named_combo
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import Shades

Array = NDArray[Any]

MOST_TIMES = 5
"""By which one picture may be wider than the other on one scale."""


class CompareView(QWidget):
    """Two pins of a list, and what is different about them."""

    adopted = Signal(object, object)
    """Settings that are wanted back, and no gesture."""
    removed = Signal(object)
    """The `Pin` that the person does not want any more; it is gone already."""

    def __init__(self, linking: Linking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compare_view")
        self.setWindowTitle("Comparison – kpca_viewer")
        self.resize(960, 620)
        QShortcut(Qt.Key.Key_Escape, self, self.close)
        self._linking = linking
        self._pins: list[Pin] = []
        self._board: DataSettings | None = None
        self._shades = Shades()
        self._difference: Difference | None = None
        self._make_controls()
        self._lay_out()
        linking.selection_changed.connect(self._on_selection_changed)
        linking.hovered_changed.connect(self._on_hovered_changed)
        self._refresh()

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        for view in self._views:
            view.set_theme(theme)
        self.overlay.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        if not shades.is_like(self._shades):
            self._shades = shades
            self._refresh()

    def set_board(self, data: DataSettings) -> None:
        """Take note of the data that are open: pins of others say of which."""
        self.follow(data, self._shades)

    def follow(self, data: DataSettings | None, shades: Shades) -> None:
        """Take note of the data that are open and of the colours of their rows."""
        if data == self._board:
            self.set_shades(shades)
            return
        self._board, self._shades = data, shades
        first, second = (combo.currentIndex() for combo in self._choices)
        self._fill(first, second)

    def set_pins(self, pins: Sequence[Pin]) -> None:
        """Keep exactly these pictures; the two newest are compared. Emits nothing."""
        self._pins = list(pins)
        last = len(self._pins) - 1
        self._fill(max(last - 1, 0), max(last, 0))

    def pins(self) -> list[Pin]:
        return list(self._pins)

    def difference(self) -> Difference | None:
        return self._difference

    def _chosen(self, side: int) -> Pin | None:
        """Return the pin on the left (0) or right (1)."""
        index = self._choices[side].currentIndex()
        return self._pins[index] if 0 <= index < len(self._pins) else None

    def _pair(self) -> tuple[Pin, Pin] | None:
        left, right = self._chosen(0), self._chosen(1)
        if len(self._pins) < 2 or left is None or right is None:
            return None
        return left, right

    def _fill(self, first: int, second: int) -> None:
        for combo, index in zip(self._choices, (first, second), strict=True):
            with QSignalBlocker(combo):
                combo.clear()
                names = pin_names(self._pins, self._board)
                for number, name in enumerate(names, start=1):
                    combo.addItem(f"{number}  {name}")
                    tip = Qt.ItemDataRole.ToolTipRole
                    combo.setItemData(number - 1, plain_tip(name), tip)
                combo.setCurrentIndex(index if self._pins else -1)
        self._refresh()

    def _refresh(self) -> None:
        pair = self._pair()
        self._show_pin(self._views[0], self._chosen(0))
        self._show_pin(self._views[1], None if pair is None else pair[1])
        wider = self._share_scale(pair)
        self._difference = None
        comparable = pair is not None and _same_rows(*pair)
        if pair is None:
            self.overlay.show_nothing(TWO_PINS)
            self._words.set_text(TWO_PINS)
        elif not comparable:
            self.overlay.show_nothing(OTHER_ROWS)
            self._words.set_text(other_rows_text(*pair))
        else:
            a, b = pair
            fixed, moved = _in_one_space(a.coordinates, b.coordinates)
            self._difference = difference(moved, fixed)
            moved, fixed = overlay(moved, fixed)
            shades = self._shades_of(a)
            if shades.codes is not None:
                shades = Shades(shades.kind, shades.codes[a.rows])
            self.overlay.show_pictures(fixed, moved, shades, pin_names(pair))
            self._words.set_text(difference_text(a, b, self._difference) + wider)
        self._numbers.show_pair(pair, self._difference)
        self._on_selection_changed(self._linking.selection)
        self._remove.setEnabled(bool(self._pins))
        self._take.setEnabled(bool(self._pins))

    def _share_scale(self, pair: tuple[Pin, Pin] | None) -> str:
        """Draw both pictures on one scale; where one would be a speck, say so."""
        if pair is None or any(pin.coordinates.shape[1] != 2 for pin in pair):
            return ""
        spans = [float(np.ptp(pin.coordinates, axis=0).max()) for pin in pair]
        if min(spans) <= 0:
            return ""
        ratio = spans[1] / spans[0]
        if max(ratio, 1 / ratio) > MOST_TIMES:
            return scale_text(ratio)
        ranges = zip(*(view.view_range() for view in self._views), strict=True)
        both = [(min(a[0], b[0]), max(a[1], b[1])) for a, b in ranges]
        for view in self._views:
            view.set_view_range(both[0], both[1])
        return ""

    def _show_pin(self, view: ScatterView, pin: Pin | None) -> None:
        if pin is None:
            view.set_empty_text(SECOND_PIN if self._pins else FIRST_PIN)
            view.set_points(np.empty((0, 2)), ["", ""])
            return
        view.set_aspect_locked(not self._shades.fills)
        view.set_points(pin.coordinates, pin.names)
        shades = self._shades_of(pin)
        codes = np.zeros(pin.count) if shades.codes is None else shades.codes
        view.set_colors(codes[pin.rows], shades.kind)

    def _shades_of(self, pin: Pin) -> Shades:
        """Return the colours of all rows; those of other data as they were."""
        coloured = self._shades.codes is not None
        return self._shades if coloured and self._is_of_the_board(pin) else pin.shades

    def _is_of_the_board(self, pin: Pin) -> bool:
        """Whether the rows of a pin are those whose colours and selection are known."""
        shades = self._shades
        known = shades.subject in (None, subject(pin.settings.data, pin.content))
        return known and (shades.codes is None or len(shades.codes) == pin.count)

    # Building

    def _make_controls(self) -> None:
        self._choices = []
        self._views: list[ScatterView] = []
        for side in SIDES:
            name, tip, picture = SIDES[side]
            combo = named_combo(f"compare_{side}_combo", name, tip)
            combo.activated.connect(self._refresh)
            self._choices.append(combo)
            view = ScatterView()
            view.setObjectName(f"compare_{side}_view")
            view.setAccessibleName(picture)
            view.setMinimumSize(160, 140)
            view.selected.connect(self._on_view_selected)
            view.hovered.connect(self._on_view_hovered)
            self._views.append(view)
        self.overlay = OverlayPlot()
        self._mode = Segmented(COMPARE_MODES, "How to compare")
        self._mode.setObjectName("compare_mode")
        self._mode.value_changed.connect(self._on_mode_changed)
        self._take = icon_button("compare_take_button", "check", TAKE_RIGHT)
        self._take.clicked.connect(self._on_take_clicked)
        # A cross would look as if it closed the window.
        self._remove = icon_button("compare_remove_button", "bin", REMOVE_RIGHT)
        self._remove.clicked.connect(self._on_remove_clicked)
        self._numbers = CompareNumbers()
        self._words = ElidedLabel()
        self._words.setObjectName("compare_words_label")
        self._words.setProperty("role", "title")

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 8, 8, 4)
        bar.setSpacing(8)
        for combo in self._choices:
            bar.addWidget(combo, 1)
        for widget in (self._mode, self._take, self._remove):
            bar.addWidget(widget)
        beside = QSplitter(Qt.Orientation.Horizontal)
        beside.setChildrenCollapsible(False)
        for view in self._views:
            beside.addWidget(view)
        self._stack = QStackedWidget()
        self._stack.addWidget(beside)
        self._stack.addWidget(self.overlay)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(bar)
        rows.addWidget(self._stack, 1)
        words = QHBoxLayout()
        words.setContentsMargins(12, 6, 12, 0)
        words.addWidget(self._words)
        rows.addLayout(words)
        rows.addWidget(self._numbers)

    # Slots

    def _on_mode_changed(self, key: str) -> None:
        self._stack.setCurrentIndex(1 if key == "overlay" else 0)

    def _on_take_clicked(self) -> None:
        pin = self._chosen(1)
        if pin is not None:
            self.adopted.emit(pin.settings, None)

    def _on_remove_clicked(self) -> None:
        pin = self._chosen(1)
        if pin is not None:
            index = self._choices[1].currentIndex()
            self.set_pins(self._pins[:index] + self._pins[index + 1 :])
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
            if pin is not None and view.point_count == len(pin.rows):
                view.set_selected(_rows_of(mask, pin))
        pair = self._pair()
        if pair is not None:
            known = self._is_of_the_board(pair[0])
            self.overlay.set_selected(_rows_of(mask, pair[0]) if known else None)

    def _on_hovered_changed(self, row: int | None) -> None:
        for view in self._views:
            pin = self._shown_pin(view)
            if pin is not None and view.point_count == len(pin.rows):
                found = [] if row is None else np.flatnonzero(pin.rows == row).tolist()
                view.set_hovered(found[0] if found else None)


def _rows_of(mask: Array | None, pin: Pin) -> Array | None:
    """Return what a mask of all rows says of those of a pin."""
    return mask[pin.rows] if mask is not None and len(mask) == pin.count else None


def _same_rows(a: Pin, b: Pin) -> bool:
    """Whether row by row two pins are about the same."""
    first, second = (subject(pin.settings.data, pin.content) for pin in (a, b))
    return first == second and a.count == b.count and np.array_equal(a.rows, b.rows)


def _in_one_space(a: Array, b: Array) -> tuple[Array, Array]:
    """Return two pictures with equally many axes: a plane lies flat in space."""
    count = max(a.shape[1], b.shape[1])
    both = (np.pad(Z, ((0, 0), (0, count - Z.shape[1]))) for Z in (a, b))
    return next(both), next(both)


class CompareNumbers(QWidget):
    """A table in two halves, as wide as the pictures above it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("compare_numbers")
        self.setAccessibleName("Differences in numbers")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 12, 10)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        self._labels: list[list[QLabel]] = []
        count = len(compared_by()) + 3
        half = (count + 1) // 2
        self._heads: list[QLabel] = []
        for place, text in ((1, "left"), (2, "right"), (5, "left"), (6, "right")):
            head = QLabel(text)
            head.setTextFormat(Qt.TextFormat.PlainText)
            head.setProperty("role", "caption")
            head.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(head, 0, place)
            self._heads.append(head)
        for row in range(count):
            labels = []
            for column in range(3):
                label = QLabel()
                label.setTextFormat(Qt.TextFormat.PlainText)
                if column == 0:
                    label.setProperty("role", "muted")
                else:
                    label.setAlignment(Qt.AlignmentFlag.AlignRight)
                place = column + (0 if row < half else 4)
                grid.addWidget(label, 1 + row % half, place)
                labels.append(label)
            self._labels.append(labels)
        self._measured = QLabel()
        self._measured.setObjectName("compare_measured_label")
        self._measured.setProperty("role", "caption")
        self._measured.setTextFormat(Qt.TextFormat.PlainText)
        self._measured.setWordWrap(True)
        grid.addWidget(self._measured, 1 + half, 0, 1, 8)
        grid.setColumnStretch(3, 1)
        grid.setColumnStretch(7, 2)

    @property
    def heads(self) -> list[str]:
        return [head.text() for head in self._heads]

    def show_pair(
        self, pair: tuple[Pin, Pin] | None, difference: Difference | None
    ) -> None:
        """Show what is known about two pins; nothing without them."""
        lines = [] if pair is None else compared_lines(pair, difference)
        self._measured.setText("" if pair is None else measured_text(pair))
        self._measured.setVisible(pair is not None)
        sides = ("left", "right") if pair is None else side_titles(pair)
        for head, text in zip(self._heads, sides, strict=False):
            head.setText(text)
        for head in self._heads:
            head.setVisible(pair is not None)
        for row, labels in enumerate(self._labels):
            *texts, about = lines[row] if row < len(lines) else ("", "", "", "")
            for label, text in zip(labels, texts, strict=True):
                label.setText(text)
                label.setToolTip(about)
                label.setVisible(row < len(lines))
