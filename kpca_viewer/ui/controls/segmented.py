"""Segmented: a few choices side by side, one of them pressed."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}


class Segmented(QFrame):
    """Small exclusive buttons, such as 2D and 3D.

    Tab reaches the pressed one, arrow keys press its neighbours.

    Parameters
    ----------
    options : sequence of (key, text), (key, text, tooltip) or one with a short text too
        The first is pressed at the beginning.
    name : str
        For assistive technology.
    """

    value_changed = Signal(object)
    """The person pressed another key."""

    def __init__(
        self,
        options: Sequence[tuple[str, ...]],
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._keys = [option[0] for option in options]
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._texts: list[tuple[str, str]] = []
        self.is_short = self.is_tight = False
        self._minor: frozenset[str] = frozenset()
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
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._button(0).setChecked(True)
        self._reach_pressed_only()
        self._group.idToggled.connect(self._on_toggled)

    def value(self) -> str:
        """Return the key of the pressed button."""
        return self._keys[self._group.checkedId()]

    def set_value(self, key: str) -> None:
        """Press a button. Emits nothing."""
        with QSignalBlocker(self._group):
            self._button(self._keys.index(key)).setChecked(True)
        self.set_tight(self.is_tight)
        self._reach_pressed_only()

    def set_option_enabled(self, key: str, enabled: bool) -> None:
        """Allow or forbid one option."""
        self._button(self._keys.index(key)).setEnabled(enabled)

    def set_short(self, short: bool) -> None:
        """Show the short texts, where room is short."""
        self.is_short = short
        for index, texts in enumerate(self._texts):
            if self._button(index).text() != texts[short]:
                self._button(index).setText(texts[short])

    def set_minor(self, keys: Iterable[str]) -> None:
        """Say which options may be left out where room is short, unless pressed."""
        self._minor = frozenset(keys)

    def set_tight(self, tight: bool) -> None:
        """Leave minor options out, or show all."""
        self.is_tight = tight
        left_out = self.left_out()
        for key in self._minor:
            button = self.button(key)
            if button.isHidden() != (key in left_out):
                button.setVisible(key not in left_out)

    def left_out(self) -> list[str]:
        """Return the keys of options that are not shown for want of room."""
        return [key for key in self._dropped() if self.is_tight]

    def dropped_width(self) -> int:
        """Return how many pixels are saved by leaving minor options out."""
        return sum(self.button(key).sizeHint().width() for key in self._dropped())

    def _dropped(self) -> list[str]:
        return [key for key in self._keys if key in self._minor - {self.value()}]

    def saved(self) -> int:
        """Return how many pixels the short texts save."""
        metrics = self._button(0).fontMetrics()

        def room(text: str) -> int:
            # As buttons measure their texts; an advance may be rounded otherwise.
            return metrics.size(Qt.TextFlag.TextShowMnemonic, text).width()

        return sum(room(long) - room(short) for long, short in self._texts)

    def options(self) -> list[tuple[str, str, str]]:
        """Return the key, the text and the tooltip of every button."""
        texts = zip(self._keys, self._texts, strict=True)
        return [(key, text, self.button(key).toolTip()) for key, (text, _) in texts]

    def button(self, key: str) -> QToolButton:
        """Return the button of a key."""
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
            self.set_tight(self.is_tight)
            self._reach_pressed_only()
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
        """Take the arrow keys from the buttons."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None:
                self._press_neighbour(step)
                return True
        return super().eventFilter(watched, event)
