"""A combo box in the cell that holds a role."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from kpca_viewer.data.importing.settings import ROLE_TITLES

Index = QModelIndex | QPersistentModelIndex


class RoleDelegate(QStyledItemDelegate):
    """Opens the list of roles at once and takes what is picked."""

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
