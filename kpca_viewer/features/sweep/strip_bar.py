"""StripBar: the line of controls above the film of a sweep."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QStandardItemModel,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from kpca_viewer.engine.sweep.measures import MEASURES, defined_measure
from kpca_viewer.engine.sweep.scoring import WORDS
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.film_view import SPEEDS
from kpca_viewer.features.sweep.text import (
    AGAIN_TIP,
    BAR_BUTTONS,
    BAR_COMBOS,
    CANCEL_TIP,
    METER_TIP,
    STOP_TIP,
    row_texts,
    rows_tip,
    undefined_tip,
)
from kpca_viewer.widgets.controls import (
    ElidedLabel,
    FittingCombo,
    IconButton,
    ShrinkingRow,
    WheelGuard,
)
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme


class MeasureCombo(FittingCombo):
    """A list of measures by their keys."""

    def __init__(self) -> None:
        super().__init__()
        self._missing: dict[str, str] = {}
        for key, measure in MEASURES.items():
            self.addItem(measure.title, key)
            self.setItemData(self.count() - 1, measure.tip, Qt.ItemDataRole.ToolTipRole)
        WheelGuard(self)

    def key(self) -> str:
        return str(self.currentData())

    def set_missing(self, reasons: Mapping[str, str]) -> None:
        """Grey measures that the data do not have; a tooltip gives the reason.

        Emits nothing, and leaves what is chosen as it is.
        """
        if self._missing == reasons:
            return
        self._missing = dict(reasons)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, (key, measure) in enumerate(MEASURES.items()):
            item = model.item(place)
            item.setEnabled(key not in reasons)
            text = undefined_tip(reasons[key]) if key in reasons else measure.tip
            item.setData(text, Qt.ItemDataRole.ToolTipRole)

    def missing(self) -> dict[str, str]:
        return dict(self._missing)

    def choose(self, key: str) -> str:
        """Choose a measure, or one that the data have; returns it. Emits nothing."""
        key = defined_measure(key, self._missing)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))
        return key


BAR = 54
GAP = 6


class Meter(QWidget):
    """A small scale with a knob, and what its place means."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sweep_meter")
        self.setToolTip(METER_TIP)
        self._theme = LIGHT
        self._value: tuple[float, str] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_value(self, value: tuple[float, str] | None) -> None:
        """Show a place from 0 to 1 and its words; None shows nothing."""
        if value != self._value:
            self._value = value
            self.setAccessibleName("" if value is None else value[1])
            self.update()

    def text(self) -> str:
        return "" if self._value is None else self._value[1]

    def sizeHint(self) -> QSize:
        """Return room for the longest words, so that nothing moves."""
        widest = max(self.fontMetrics().horizontalAdvance(word) for word in WORDS)
        return QSize(BAR + GAP + widest + 10, 24)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the scale, the knob and the words."""
        if self._value is None:
            return
        position, words = self._value
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            track = QRectF(4, self.height() / 2 - 2, BAR, 4)
            shades = QLinearGradient(track.topLeft(), track.topRight())
            # Both ends are grey: what is worth looking at lies in the middle.
            shades.setColorAt(0.0, QColor(theme.groove))
            shades.setColorAt(0.5, QColor(theme.accent))
            shades.setColorAt(1.0, QColor(theme.groove))
            painter.setBrush(shades)
            painter.drawRoundedRect(track, 2, 2)
            painter.setBrush(QColor(theme.text))
            x = track.left() + position * track.width()
            painter.drawRoundedRect(QRectF(x - 2, track.center().y() - 6, 4, 12), 2, 2)
            painter.setPen(QColor(theme.text))
            room = self.rect().adjusted(4 + BAR + GAP, 0, 0, 0)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), words)


WIDEST_TEXT = 190
"""Pixels, in the usual size of type, up to which a text is not cut."""

LAST = 5
"""Importance of what only counts: it goes before any control does."""


class StripBar(ShrinkingRow):
    """What is swept, the measure, playing, and what can be done with the film."""

    row_chosen = Signal(int)
    """Of a grid, counted from the smallest value."""
    speed_chosen = Signal(float)
    """In values a second."""

    def __init__(self) -> None:
        super().__init__()
        self.meter = Meter()
        self._make_labels()
        self._make_choices()
        self._make_buttons()
        self.add(self.title, room=lambda: _room(self.title))
        # Folded away, a film can be given another range too.
        self.add(self.range, 4)
        self.add(self.row)
        self.add(self.measure)
        self.add(self.play)
        self.add(self.speed)
        self.add(self.meter, 6)
        self.add(self.progress, LAST, 100, lambda: _room(self.progress))
        self.add_gap()
        self.add(self.cancel)
        # All of these are in the menu too.
        self.add(self.again, 3)
        self.add(self.pin, 2)
        self.add(self.gallery)
        self.add(self.export, 1)
        self.add(self.fold)
        self.set_wanted(self.row, False)
        self.row.activated.connect(self._on_row_activated)
        self.speed.activated.connect(self._on_speed_activated)

    def set_title(self, text: str) -> None:
        self.title.set_text(text)
        self.refit()

    def set_progress(self, text: str, *, matters: bool) -> None:
        self.progress.set_text(text)
        self.set_importance(self.progress, 0 if matters else LAST)
        self.refit()

    def show_rows(self, points: SweepPoints) -> None:
        """Say which row of a grid is shown, the largest value at the top.

        One parameter has no rows, and nothing to choose. Emits nothing.
        """
        combo, measure = self.row, self.measure.key()
        texts = row_texts(points, measure)[::-1]
        if texts:
            combo.setToolTip(rows_tip(points, measure))
        with QSignalBlocker(combo):
            if combo.count() != len(texts):
                combo.clear()
                combo.addItems(texts)
            for place, text in enumerate(texts):
                combo.setItemText(place, text)
            # Where there is room it is as wide as its widest row: nothing moves then.
            combo.setCurrentIndex(len(texts) - 1 - points.row)
        self.set_wanted(combo, bool(texts))

    @Slot(int)
    def _on_row_activated(self, index: int) -> None:
        self.row_chosen.emit(self.row.count() - 1 - index)

    @Slot(int)
    def _on_speed_activated(self, index: int) -> None:
        self.speed_chosen.emit(float(self.speed.itemData(index)))

    def _make_labels(self) -> None:
        self.title = ElidedLabel()
        self.title.setObjectName("sweep_title_label")
        self.title.setProperty("role", "title")
        self.progress = ElidedLabel()
        self.progress.setObjectName("sweep_progress_label")
        self.progress.setProperty("role", "muted")
        self.progress.setAlignment(Qt.AlignmentFlag.AlignRight)

    def _make_choices(self) -> None:
        self.measure = MeasureCombo()
        self.row, self.speed = FittingCombo(), FittingCombo()
        for combo, (key, (title, tip)) in zip(
            (self.measure, self.row, self.speed), BAR_COMBOS.items(), strict=True
        ):
            combo.setObjectName(f"sweep_{key}_combo")
            combo.setAccessibleName(title)
            combo.setToolTip(tip)
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}/s", speed)
        self.speed.setCurrentIndex(1)
        for combo in (self.row, self.speed):
            WheelGuard(combo)

    def show_state(self, state: str, *, edited: bool) -> None:
        """Offer what can be done with a film that runs, is done or has failed."""
        self.set_wanted(self.cancel, state == "running")
        self.set_wanted(self.again, state in ("done", "failed"))
        self.range.setChecked(edited)

    def show_playing(self, playing: bool) -> None:
        self.play.set_icon("pause" if playing else "play")
        self.play.setToolTip(STOP_TIP if playing else BAR_BUTTONS["play"][1])

    def _make_buttons(self) -> None:
        self.range, self.play, self.pin, self.gallery, self.export, self.fold = (
            icon_button(f"sweep_{key}_button", icon, tip)
            for key, (icon, tip) in BAR_BUTTONS.items()
        )
        self.range.setCheckable(True)
        self.cancel, self.again = QPushButton("Cancel"), QPushButton("Again")
        self.cancel.setObjectName("sweep_cancel_button")
        self.cancel.setToolTip(CANCEL_TIP)
        self.again.setObjectName("sweep_again_button")
        self.again.setToolTip(AGAIN_TIP)


def icon_button(name: str, icon: str, tip: str) -> IconButton:
    """Return a button that tests can find."""
    button = IconButton(icon, tip, 18)
    button.setObjectName(name)
    return button


def _room(label: ElidedLabel) -> int:
    """Return the pixels that a text needs, or enough to know a long one by."""
    text = label.fontMetrics().horizontalAdvance(label.text()) + 4
    return int(min(text, WIDEST_TEXT * type_scale()))
