"""The first line of the window: menus, workspaces, and what is used most."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.window.menus import Actions

BUTTONS = ("undo", "redo", "open", "export", "present")
"""Keys of the actions at the right end, in their order."""

EXPORTS = ("export", "export_numbers", "copy_code", "report", "page", "copy_image")
"""What the menu of *Export* offers."""

WIDE = 1180
"""Pixels in width from which the buttons have names."""

NARROW = 1010
"""Pixels in width below which there is no room for undo and redo beside all menus."""

TIPS = {
    "explore": "The embedding large, with data, spectrum and linear PCA beside it",
    "sweep": "One parameter over a range: curve, film and gallery",
    "explain": "Derivation, kernel matrix and rebuilding beside data and embedding",
    "decide": "Which kernel, which columns, which rows, and whether it is real",
}


class TopRow(QWidget):
    """Menus at the left, workspaces in the middle, buttons at the right."""

    workspace_chosen = Signal(object)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("top_row")
        self.menus = QMenuBar()
        self.menus.setObjectName("menu_bar")
        actions.fill_menus(self.menus)
        # Where room is short, the last menus are behind an arrow.
        policies = QSizePolicy.Policy
        self.menus.setSizePolicy(policies.Preferred, policies.Fixed)
        self.workspaces = Segmented(
            [
                (key, title, f"{TIPS[key]}  (Ctrl+{number})")
                for number, (key, title) in enumerate(WORKSPACES.items(), start=1)
            ],
            "Workspace",
        )
        self.workspaces.setObjectName("workspaces")
        self.workspaces.setProperty("role", "workspaces")
        self.workspaces.value_changed.connect(self.workspace_chosen)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 8, 0)
        layout.setSpacing(4)
        layout.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addStretch(1)
        layout.addWidget(self.workspaces, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addStretch(1)
        self._exports = QMenu(self)
        self._exports.setObjectName("export_menu")
        self._exports.addActions([actions[key] for key in EXPORTS])
        self._buttons = {key: self._button(key, actions[key]) for key in BUTTONS}
        for button in self._buttons.values():
            layout.addWidget(button)

    def _button(self, key: str, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"{key}_top_button")
        button.setIconSize(QSize(18, 18))
        button.setAutoRaise(True)
        if key == "export":
            button.setIcon(action.icon())
            action.changed.connect(lambda: button.setIcon(action.icon()))
            button.setToolTip("Export a picture, numbers, code or a report")
            button.setMenu(self._exports)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            button.setText("Export")
        else:
            button.setDefaultAction(action)
        button.setAccessibleName(action.iconText())
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Name the buttons where there is room for their names."""
        super().resizeEvent(event)
        styles = Qt.ToolButtonStyle
        texts = self.width() >= WIDE * type_scale()
        # Menus come first: undo and redo are among them, and have keys.
        for key in ("undo", "redo"):
            self._buttons[key].setVisible(self.width() >= NARROW * type_scale())
        for key in ("open", "export", "present"):
            self._buttons[key].setToolButtonStyle(
                styles.ToolButtonTextBesideIcon if texts else styles.ToolButtonIconOnly
            )
