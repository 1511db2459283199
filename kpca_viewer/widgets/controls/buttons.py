"""IconButton: a flat button with one of our icons, which follows the theme."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QActionGroup,
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
)

from kpca_viewer.widgets.icons import INK, icon
from kpca_viewer.widgets.theme import theme_of


class IconButton(QToolButton):
    """A tool button that shows an icon; the tip is also its accessible name."""

    # Under a style sheet Qt asks and tells while the button is still being made.
    _name = ""

    def __init__(self, name: str, tip: str, size: int = 20) -> None:
        super().__init__()
        self._name = name
        self.setObjectName(f"{name}_button")
        self.setIconSize(QSize(size, size))
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.set_icon(name)

    def set_icon(self, name: str) -> None:
        self._name = name
        self.setIcon(icon(name, theme_of(self.palette())))

    def icon_name(self) -> str:
        return self._name

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._name:
            self.set_icon(self._name)


TRACK = QSize(30, 16)
GAP = 8
EDGE = 3
"""Room around the track for the focus ring."""


class Switch(QCheckBox):
    """On or off, with effect at once, as QCheckBox; the text is plain."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setAccessibleName(text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        # Rounded down, the last letter would make way for three dots.
        metrics = QFontMetricsF(self.font())
        text = ceil(metrics.horizontalAdvance(self.text())) + GAP if self.text() else 0
        height = max(TRACK.height() + 2 * EDGE, ceil(metrics.height()), 24)
        return QSize(TRACK.width() + 2 * EDGE + text, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(TRACK.width() + 2 * EDGE, self.sizeHint().height())

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        on, enabled = self.isChecked(), self.isEnabled()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = (self.height() - TRACK.height()) / 2
            track = QRectF(EDGE, top, TRACK.width(), TRACK.height())
            radius = track.height() / 2
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.accent), 1.6))
                ring = track.adjusted(-2.2, -2.2, 2.2, 2.2)
                painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)

            painter.setPen(Qt.PenStyle.NoPen)
            if not enabled:
                painter.setBrush(QColor(theme.border))
            elif on:
                painter.setBrush(QColor(theme.accent))
            else:
                painter.setBrush(QColor(INK))
            painter.drawRoundedRect(track, radius, radius)
            knob = track.right() - radius if on else track.left() + radius
            painter.setBrush(QColor(theme.card if enabled else theme.disabled))
            painter.drawEllipse(
                QPointF(knob, track.center().y()), radius - 3, radius - 3
            )

            painter.setPen(QColor(theme.text if enabled else theme.disabled))
            left = TRACK.width() + 2 * EDGE + GAP
            room = self.rect().adjusted(left, 0, 0, 0)
            text = self.fontMetrics().elidedText(
                self.text(), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), text)


STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}

_RESTYLED = {QEvent.Type.Polish, QEvent.Type.StyleChange, QEvent.Type.FontChange}
"""What a button is told when it becomes wider or narrower with the same text."""


class Segmented(QFrame):
    """Small exclusive buttons, such as 2D and 3D; the first is pressed at first.

    An option is (key, text[, tooltip[, short text]]). Tab reaches the pressed button,
    arrow keys press its neighbours. One that ``folds`` shows the pressed button, as
    many others as there is room for, and all of them in a menu.
    """

    value_changed = Signal(object)
    """The person pressed another key."""

    def __init__(
        self, options: Sequence[tuple[str, ...]], name: str = "", *, folds: bool = False
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._keys = [option[0] for option in options]
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._texts: list[tuple[str, str]] = []
        self._rooms: dict[tuple[int, bool], int] = {}
        self.is_short = self.is_folded = False
        self._spare = 0
        for index, (key, text, *more) in enumerate(options):
            tip, short, *_ = (*more, "", "")[:2]
            self._texts.append((text, short or text))
            button = QToolButton()
            button.setObjectName(f"{key}_button")
            button.setText(text)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {text}" if name else text)
            button.setToolTip(tip)
            button.installEventFilter(self)
            self._group.addButton(button, index)
            layout.addWidget(button)
        self.unfold = self._unfold_button(name) if folds else None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._button(0).setChecked(True)
        self._reach_pressed_only()
        self._group.idToggled.connect(self._on_toggled)

    def value(self) -> str:
        return self._keys[self._group.checkedId()]

    def set_value(self, key: str) -> None:
        """Press a button. Emits nothing."""
        with QSignalBlocker(self._group):
            self._button(self._keys.index(key)).setChecked(True)
        self._reach_pressed_only()
        self._show_buttons()

    def set_option_enabled(self, key: str, enabled: bool) -> None:
        self._button(self._keys.index(key)).setEnabled(enabled)

    def set_short(self, short: bool, folded: bool = False, spare: int = 0) -> None:
        """Show short texts, or the pressed button and others in ``spare`` pixels."""
        folded = folded and self.unfold is not None
        spare = spare if folded else 0
        if (short, folded, spare) == (self.is_short, self.is_folded, self._spare):
            return
        self.is_short, self.is_folded, self._spare = short, folded, spare
        for index, texts in enumerate(self._texts):
            # What stands alone has room for its name.
            self._button(index).setText(texts[short and not folded])
        self._show_buttons()

    def room(self, short: bool, folded: bool = False) -> int:
        """Return how many pixels it takes with long or short texts, or folded."""
        around = 2 * self.frameWidth()
        if folded and self.unfold is not None:
            alone = self._room_of(self._group.checkedId(), short=False)
            return around + alone + self.unfold.sizeHint().width()
        texts = (self._room_of(i, short=short) for i in range(len(self._keys)))
        return around + sum(texts)

    def _room_of(self, index: int, *, short: bool) -> int:
        """Return how wide a button is with one of its texts, measured once a style."""
        known = self._rooms.get((index, short))
        if known is None:
            # Measuring may polish the button, which forgets what was known.
            known = self._measured(index, short=short)
            self._rooms[index, short] = known
        return known

    def _measured(self, index: int, *, short: bool) -> int:
        button = self._button(index)
        metrics = button.fontMetrics()

        def wide(text: str) -> int:
            # As buttons measure their texts; an advance may be rounded otherwise.
            return metrics.size(Qt.TextFlag.TextShowMnemonic, text).width()

        around = button.sizeHint().width() - wide(button.text())
        return around + wide(self._texts[index][short])

    def _unfold_button(self, name: str) -> QToolButton:
        button = IconButton("chevron_down", "Show another of them", 14)
        button.setObjectName("unfold_button")
        button.setAccessibleName(f"{name}: others")
        # A layout is never higher than the lowest of what has a fixed height.
        policy = QSizePolicy.Policy
        button.setSizePolicy(policy.Fixed, policy.Preferred)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setProperty("arrow", False)
        menu = QMenu(button)
        menu.aboutToShow.connect(self._fill_menu)
        button.setMenu(menu)
        button.hide()
        layout = self.layout()
        assert layout is not None
        layout.addWidget(button)
        return button

    def _fill_menu(self) -> None:
        menu = self.sender()
        assert isinstance(menu, QMenu)
        menu.clear()
        group = QActionGroup(menu)
        for key, text, tip in self.options():
            action = menu.addAction(text)
            action.setToolTip(tip)
            action.setCheckable(True)
            action.setChecked(key == self.value())
            action.setEnabled(self.button(key).isEnabled())
            action.triggered.connect(self.button(key).click)
            group.addAction(action)

    def _show_buttons(self) -> None:
        shown = (
            self._beside_pressed() if self.is_folded else set(range(len(self._keys)))
        )
        for index in range(len(self._keys)):
            self._button(index).setHidden(index not in shown)
        if self.unfold is not None:
            self.unfold.setHidden(not self.is_folded)

    def _beside_pressed(self) -> set[int]:
        shown, left = {self._group.checkedId()}, self._spare
        for index in range(len(self._keys)):
            if index in shown:
                continue
            left -= self._room_of(index, short=False)
            if left < 0:
                break
            shown.add(index)
        return shown

    def options(self) -> list[tuple[str, str, str]]:
        texts = zip(self._keys, self._texts, strict=True)
        return [(key, text, self.button(key).toolTip()) for key, (text, _) in texts]

    def button(self, key: str) -> QToolButton:
        return self._button(self._keys.index(key))

    def _button(self, index: int) -> QToolButton:
        button = self._group.button(index)
        assert isinstance(button, QToolButton)
        return button

    def _reach_pressed_only(self) -> None:
        """Make the group one stop of the Tab key, as radio buttons are."""
        for button in self._group.buttons():
            pressed = button.isChecked()
            policy = Qt.FocusPolicy.StrongFocus if pressed else Qt.FocusPolicy.NoFocus
            button.setFocusPolicy(policy)

    def _on_toggled(self, index: int, pressed: bool) -> None:
        if pressed:
            self._reach_pressed_only()
            self._show_buttons()
            self.value_changed.emit(self._keys[index])

    def _press_neighbour(self, step: int) -> None:
        index = self._group.checkedId() + step
        while 0 <= index < len(self._keys):
            button = self._button(index)
            if button.isEnabled():
                button.setChecked(True)
                button.setFocus(Qt.FocusReason.TabFocusReason)
                return
            index += step

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _RESTYLED:
            self._rooms.clear()
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = STEPS.get(Qt.Key(event.key()))
            if step is not None:
                self._press_neighbour(step)
                return True
        return super().eventFilter(watched, event)
