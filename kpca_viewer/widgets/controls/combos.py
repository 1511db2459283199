"""Combo boxes with a name and items, and labels beside controls."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSignalBlocker,
    QSize,
    QStringListModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.widgets.controls.behaviour import WheelGuard, plain_tip
from kpca_viewer.widgets.plots.text import elided, elided_apart

ARROW = 44
"""Pixels of a combo box beside its text."""

FRAME = 28
"""Pixels of an open list beside its lines: a frame, and perhaps a scroll bar."""


class FittingCombo(QComboBox):
    """As wide as its widest line where there is room, else as the chosen one."""

    def __init__(self, name: str, title: str, tip: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setToolTip(tip)
        WheelGuard(self)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.currentTextChanged.connect(self.updateGeometry)

    def setCurrentIndex(self, index: int) -> None:
        """Choose a line; its width counts even where signals are blocked."""
        super().setCurrentIndex(index)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(text_room(self), hint.width()), hint.height())

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + FRAME)
        super().showPopup()


def text_room(combo: QComboBox) -> int:
    """Return the width at which a combo box shows its text in full."""
    return combo.fontMetrics().horizontalAdvance(combo.currentText()) + ARROW


_HEIGHT = 320


class SearchPopup(QFrame):
    """Names below a control; what is typed leaves those that hold it."""

    chosen = Signal(int)
    """The place of the name that the person picked, among all of them."""

    def __init__(self, below: QWidget) -> None:
        super().__init__(below, Qt.WindowType.Popup)
        self.setObjectName("search_popup")
        self.setProperty("role", "card")
        self._below = below
        self._texts: list[str] = []
        self._folded: list[str] = []
        self._places: list[int] = []
        self._model = QStringListModel(self)
        self._field = FindField("search_field", "Find", self)
        self._field.textChanged.connect(self._on_text_changed)
        self._field.left.connect(self._on_field_left)
        self._list = QListView(self)
        self._list.setObjectName("search_list")
        self._list.setModel(self._model)
        self._list.setUniformItemSizes(True)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.setMouseTracking(True)
        self._list.clicked.connect(self._on_picked)
        self._none = QLabel("Nothing is called so")
        self._none.setObjectName("search_none")
        self._none.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        for widget in (self._field, self._none):
            layout.addWidget(widget)
        layout.addWidget(self._list, 1)

    def open_below(self, texts: list[str], current: int, width: int) -> None:
        """Show names, one of them chosen, where the screen has room."""
        self._texts, self._folded = texts, [text.casefold() for text in texts]
        self._field.clear()
        self._on_text_changed("")
        if current >= 0:
            index = self._model.index(current)
            self._list.setCurrentIndex(index)
            self._list.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        below = self._below
        room = below.screen().availableGeometry()
        corner = below.mapToGlobal(QPoint(0, below.height()))
        height = min(_HEIGHT, room.height())
        if corner.y() + height > room.bottom():
            corner.setY(max(below.mapToGlobal(QPoint(0, 0)).y() - height, room.top()))
        corner.setX(max(min(corner.x(), room.right() - width), room.left()))
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.show()
        self._field.setFocus()

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self._places = found(text, self._folded)
        self._model.setStringList([self._texts[place] for place in self._places])
        self._none.setVisible(not self._places)
        self._list.setVisible(bool(self._places))
        self._list.setCurrentIndex(self._model.index(0))

    @Slot()
    def _on_field_left(self) -> None:
        """Go down into the list with an arrow key; Enter takes the first name."""
        if self._field.left_by == Qt.Key.Key_Down:
            self._list.setFocus()
        else:
            self._on_picked(self._list.currentIndex())

    @Slot(QModelIndex)
    def _on_picked(self, index: QModelIndex) -> None:
        if index.isValid():
            self.hide()
            self.chosen.emit(self._places[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_picked(self._list.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


Index = QModelIndex | QPersistentModelIndex
Items = list[tuple[str, object]]
"""What a person reads, and what it stands for."""

SEARCHED_FROM = 25
"""Items from which the list has a field to find them."""

# Pixels of a list beside its names: padding, border and scroll bar.
_BESIDE_NAMES = 24
_WIDEST_LIST = 480


class ItemsModel(QAbstractListModel):
    """Thousands of items that cost nothing until they are seen."""

    def __init__(self, items: Items, parent: QObject) -> None:
        super().__init__(parent)
        self.items = items

    def set_items(self, items: Items) -> None:
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        # An index may be older than the items.
        if not 0 <= index.row() < len(self.items):
            return None
        text, value = self.items[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return text
        if role == Qt.ItemDataRole.UserRole:
            return value
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(text)
        return None


class ShortList(QListView):
    """The list of a combo box; a long one, which is never opened, is not laid out.

    Qt would ask for every line of it whenever the style changes.
    """

    def doItemsLayout(self) -> None:
        if self.model() is None or self.model().rowCount() < SEARCHED_FROM:
            super().doItemsLayout()


MOST_ALIKE = 40
"""Items from which a shortened one is told apart."""


class SearchCombo(QComboBox):
    """A combo box that shortens what it shows, where Qt would cut a letter.

    Its list shows whole names, however narrow the box; a long one begins with a field
    in which a part of a name is typed.
    """

    value_chosen = Signal(object)
    """The value of another line, chosen by hand or by the program."""

    def __init__(self) -> None:
        super().__init__()
        self.currentIndexChanged.connect(self._on_index_changed)
        self._popup: SearchPopup | None = None
        self._short_texts: dict[str, str] = {}

    def set_short_texts(self, texts: dict[str, str]) -> None:
        """Take what is shown in the place of texts that do not fit."""
        self._short_texts = texts
        self.update()

    def set_items(self, items: Items) -> None:
        model = self.model()
        if isinstance(model, ItemsModel):
            if model.items != items:
                model.set_items(items)
        else:
            self.setModel(ItemsModel(items, self))
        if len(items) >= SEARCHED_FROM and not isinstance(self.view(), ShortList):
            self.setView(ShortList(self))

    def shown_text(self) -> str:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        text, width = self.currentText(), room.width() - 4
        fits = self.fontMetrics().horizontalAdvance(text) <= width
        if fits or text in self._short_texts:
            shown = text if fits else self._short_texts[text]
            return elided(shown, self.font(), width)
        model = self.model()
        others = model.items if isinstance(model, ItemsModel) else []
        alike = [other for other, _ in others if other[:2] == text[:2]]
        names = [text, *(other for other in alike[:MOST_ALIKE] if other != text)]
        return elided_apart(names, self.font(), width)[0]

    def showPopup(self) -> None:
        model = self.model()
        if isinstance(model, ItemsModel) and len(model.items) >= SEARCHED_FROM:
            self._search([text for text, _ in model.items])
            return
        view = self.view()
        widest = view.sizeHintForColumn(0) + _BESIDE_NAMES
        view.setMinimumWidth(min(widest, _WIDEST_LIST))
        super().showPopup()

    def hidePopup(self) -> None:
        if self._popup is not None:
            self._popup.hide()
        super().hidePopup()

    def _search(self, texts: list[str]) -> None:
        if self._popup is None:
            self._popup = SearchPopup(self)
            self._popup.chosen.connect(self._on_chosen)
        longest = max(texts, key=len)
        width = self.fontMetrics().horizontalAdvance(longest) + 2 * _BESIDE_NAMES
        self._popup.open_below(
            texts, self.currentIndex(), max(self.width(), min(width, _WIDEST_LIST))
        )

    def _on_chosen(self, index: int) -> None:
        self.setCurrentIndex(index)
        self.activated.emit(index)

    def _on_index_changed(self, index: int) -> None:
        if index >= 0:
            self.value_chosen.emit(self.itemData(index))

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        painter = QStylePainter(self)
        with painter:
            self.initStyleOption(option)
            painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
            option.currentText = self.shown_text()
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


def named_combo(name: str, title: str, tip: str) -> SearchCombo:
    """Return a combo box that tests and assistive technology can find."""
    combo = SearchCombo()
    combo.setObjectName(name)
    combo.setAccessibleName(title)
    combo.setToolTip(tip)
    combo.setSizeAdjustPolicy(
        QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    )
    combo.setMinimumContentsLength(6)
    # All sources at once: what lies below the end of a list is not looked for.
    combo.setMaxVisibleItems(20)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    WheelGuard(combo)
    return combo


def fill_combo(
    combo: SearchCombo, items: list[tuple[str, object]], value: object
) -> None:
    """Show these items with one of them chosen; emits nothing."""
    with QSignalBlocker(combo):
        combo.set_items(items)
        combo.setCurrentIndex(
            next((i for i, x in enumerate(items) if x[1] == value), -1)
        )


def labelled(text: str, *widgets: QWidget) -> tuple[QLabel, QWidget]:
    """Return a label and a row that holds it and its controls on one line."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setBuddy(widgets[0])
    layout.addWidget(label)
    for index, widget in enumerate(widgets):
        layout.addWidget(widget, 1 if index == 0 else 0)
    return label, row


class FindField(QLineEdit):
    """One line that Escape empties; arrow keys and Enter leave it (``left_by``)."""

    left = Signal()
    """The person goes on to what was found: an arrow key down, or Enter."""

    def __init__(self, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(hint)
        self.setPlaceholderText(hint)
        self.setClearButtonEnabled(True)
        self.left_by = Qt.Key.Key_Return

    def sizeHint(self) -> QSize:
        """Leave room for the hint, beside margins and the button that clears."""
        usual = super().sizeHint()
        text = self.fontMetrics().horizontalAdvance(self.placeholderText())
        return usual.expandedTo(QSize(text + 2 * usual.height(), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Accepted here: Enter would press the default button of a dialog.
            self.left_by = Qt.Key(key)
            self.left.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()


def found(text: str, names: list[str]) -> list[int]:
    """Return the places of the names that hold all words of a text, in any case."""
    words = text.casefold().split()
    if not words:
        return list(range(len(names)))
    return [
        place for place, name in enumerate(names) if all(word in name for word in words)
    ]
