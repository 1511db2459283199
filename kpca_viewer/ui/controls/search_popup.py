"""SearchPopup: a long list of names with a field to find one of them."""

from PySide6.QtCore import QModelIndex, QPoint, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.ui.controls.find_field import FindField, found

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
        """Take the name under the keys with Enter; leave with Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_picked(self._list.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
