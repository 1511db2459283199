"""How the cells of the columns are drawn, and a combo box where there is a role."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.ui.look.icons import icon
from kpca_viewer.ui.look.theme import theme_of

Index = QModelIndex | QPersistentModelIndex

MARGIN = 4
"""Pixels that a cell keeps free on either side of its text."""


class CellDelegate(QStyledItemDelegate):
    """Draws no frame of the keys over a chosen cell, which would pale its text."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Take the frame away where the colour says enough."""
        super().initStyleOption(option, index)
        if option.state & QStyle.StateFlag.State_Selected:
            option.state &= ~QStyle.StateFlag.State_HasFocus


class NameDelegate(CellDelegate):
    """Shortens a name before its end, where units and numbers stand."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Keep most of the beginning, and the end."""
        super().initStyleOption(option, index)
        option.text = shortened(option.text, option.fontMetrics, option.rect.width())


def shortened(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a name that has room: two thirds from its beginning, the rest its end."""
    room = width - 2 * MARGIN
    if metrics.horizontalAdvance(text) <= room:
        return text
    head = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 2 * room // 3)
    tail = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, room // 3)
    return head.rstrip("…") + tail


class RoleDelegate(CellDelegate):
    """Opens the list of roles at once and takes what is picked."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Show by an arrow that there is something to choose."""
        super().initStyleOption(option, index)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        option.icon = icon("chevron_down", theme_of(option.palette))
        option.decorationSize = QSize(12, 12)
        option.decorationPosition = QStyleOptionViewItem.Position.Right

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        """Return a combo box with the roles."""
        combo = QComboBox(parent)
        combo.setObjectName("role_combo")
        for key, title in ROLE_TITLES.items():
            combo.addItem(title, key)
        combo.activated.connect(self._on_combo_activated)
        return combo

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the present role."""
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(
                editor.findData(index.data(Qt.ItemDataRole.EditRole))
            )
            editor.showPopup()

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: Index
    ) -> None:
        """Hand the chosen role over."""
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())

    def _on_combo_activated(self) -> None:
        editor = self.sender()
        if isinstance(editor, QWidget):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)
