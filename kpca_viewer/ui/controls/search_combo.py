"""SearchCombo: a combo box whose long list can be searched."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from kpca_viewer.ui.controls.plain_tip import plain_tip
from kpca_viewer.ui.controls.search_popup import SearchPopup

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
        """Hold other items."""
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, D102
        return 0 if parent.isValid() else len(self.items)

    def data(  # noqa: D102
        self, index: Index, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        text, value = self.items[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return text
        if role == Qt.ItemDataRole.UserRole:
            return value
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(text)
        return None


class SearchCombo(QComboBox):
    """A combo box that shortens what it shows, where Qt would cut a letter.

    Its list shows whole names, however narrow the box; a long one begins with a field
    in which a part of a name is typed.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._popup: SearchPopup | None = None

    def set_items(self, items: Items) -> None:
        """Show these items instead, none of them chosen yet."""
        model = self.model()
        if isinstance(model, ItemsModel):
            if model.items != items:
                model.set_items(items)
        else:
            self.setModel(ItemsModel(items, self))

    def shown_text(self) -> str:
        """Return as much of the current text as there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        return self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room.width() - 4
        )

    def showPopup(self) -> None:
        """Open the list, as wide as its longest name."""
        model = self.model()
        if isinstance(model, ItemsModel) and len(model.items) >= SEARCHED_FROM:
            self._search([text for text, _ in model.items])
            return
        view = self.view()
        widest = view.sizeHintForColumn(0) + _BESIDE_NAMES
        view.setMinimumWidth(min(widest, _WIDEST_LIST))
        super().showPopup()

    def hidePopup(self) -> None:
        """Close the list."""
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

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the box and the shortened text."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
