"""Scrolling past a control, or a letter meant for the window, must not turn it."""

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QFontInfo, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QComboBox,
    QFrame,
    QGraphicsOpacityEffect,
    QScrollArea,
    QWidget,
)

PAUSE = 350
"""Milliseconds without a turn after which a gesture of the wheel is over."""

TREMBLE = 6.0
"""Pixels that the pointer moves while only the wheel is turned."""


def is_letter(event: QKeyEvent) -> bool:
    """Return whether a key would write a letter, a digit or a sign."""
    plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    text = event.text()
    held = event.modifiers() & ~plain
    return not held and text.isprintable() and bool(text.strip())


class LetterGuard(QObject):
    """Keeps letters for a table or list that are keys of the rest of the window."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take a letter before it is looked up among the keys of the window."""
        if event.type() != QEvent.Type.ShortcutOverride:
            return False
        taken = isinstance(event, QKeyEvent) and is_letter(event)
        if taken:
            event.accept()
        return taken


class WheelGuard(QObject):
    """Leaves the wheel to the page, unless the control is meant.

    A closed list does not take letters either: they would choose a line that was not
    seen.

    A control is meant if it has the focus, which the wheel itself cannot give, and the
    pointer has been moved onto it. A page that scrolls brings controls under a pointer
    that rests, also the one with the focus: that gesture goes on scrolling the page.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        if isinstance(widget, QComboBox):
            LetterGuard(widget)
        if widget.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Refuse a wheel event that is not for the control."""
        if event.type() == QEvent.Type.Show:
            # The page has to be known before the wheel is first turned over it.
            _Page.around(self._widget)
        elif isinstance(event, QWheelEvent):
            page = _Page.around(self._widget)
            scrolling = page is not None and page.is_scrolled_by(event)
            if not self._widget.hasFocus() or scrolling:
                event.ignore()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return isinstance(self._widget, QComboBox) and is_letter(event)
        return False


class _Page(QObject):
    """Where and when the wheel last scrolled a page."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._at = QPointF()
        self._since = QElapsedTimer()
        area.viewport().installEventFilter(self)

    @classmethod
    def around(cls, widget: QWidget) -> "_Page | None":
        area = widget.parentWidget()
        while area is not None and not isinstance(area, QAbstractScrollArea):
            area = area.parentWidget()
        if area is None:
            return None
        known = area.findChildren(
            cls, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
        return known[0] if known else cls(area)

    def is_scrolled_by(self, event: QWheelEvent) -> bool:
        """Whether a turn of the wheel belongs to a gesture that scrolls the page."""
        if not self._since.isValid():
            return False
        way = event.globalPosition() - self._at
        return way.manhattanLength() < TREMBLE or self._since.elapsed() < PAUSE

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take note of every turn that no control on the page has wanted."""
        if isinstance(event, QWheelEvent):
            self._at = event.globalPosition()
            self._since.start()
        return False


DIM = 0.55


def set_dimmed(widget: QWidget, dimmed: bool) -> None:
    """Show that a control or text is about what was before; it can still be used."""
    if dimmed == is_dimmed(widget):
        return
    if dimmed:
        effect = QGraphicsOpacityEffect(widget)
        effect.setOpacity(1 - DIM)
        widget.setGraphicsEffect(effect)
    else:
        widget.setGraphicsEffect(None)  # type: ignore[arg-type]


def is_dimmed(widget: QWidget) -> bool:
    return widget.graphicsEffect() is not None


def plain_tip(text: str) -> str:
    """Return text as a tooltip shows it literally.

    Qt takes a tooltip that looks like markup for markup, also the one of an item in a
    list: a column named ``<img src="file://…">`` would load that picture. Labels can be
    told by their text format, tooltips cannot.
    """
    return text.replace("<", "‹").replace(">", "›")


USUAL = 13
"""Pixels of the type for which sizes are chosen."""

MARGIN = 64
"""Pixels of the screen that stay free around a dialog."""


def type_factor(widget: QWidget) -> float:
    """Return how much larger than usual the type of a widget is, at least 1."""
    return max(1.0, QFontInfo(widget.font()).pixelSize() / USUAL)


def resize_for_type(dialog: QWidget, width: int, height: int) -> None:
    factor, screen = type_factor(dialog), dialog.screen().availableSize()
    dialog.resize(
        min(round(width * factor), screen.width() - MARGIN),
        min(round(height * factor), screen.height() - MARGIN),
    )


def scrolled(page: QWidget) -> QScrollArea:
    """Return a page of a dialog with bars where the screen has no room for it."""
    area = QScrollArea()
    area.setProperty("role", "page")
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setWidget(page)
    page.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    return area
