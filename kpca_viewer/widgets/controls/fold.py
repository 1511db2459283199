"""Fold and Card: groups of controls that can be put away."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.widgets.icons import icon
from kpca_viewer.widgets.theme import theme_of


class FoldHeader(QPushButton):
    """The line with the chevron; checked means open."""

    # Under a style sheet Qt tells of changes while the header is still being made.
    _what = "these settings"

    def __init__(self, title: str, role: str, *, what: str = "these settings") -> None:
        super().__init__()
        self._what = what
        self.setProperty("role", role)
        self.setCheckable(True)
        self.setChecked(True)
        self.setIconSize(QSize(16, 16))
        # A lone ampersand is a letter here, not the mark of a shortcut.
        self.setText(title.replace("&", "&&"))
        self.setAccessibleName(title)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        theme = theme_of(self.palette())
        if self.isChecked():
            self.setIcon(icon("chevron_down", theme, theme.muted))
            self.setToolTip(f"Hide {self._what}")
        else:
            self.setIcon(icon("chevron_right", theme, theme.muted))
            self.setToolTip(f"Show {self._what}")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.refresh()


class Fold(QFrame):
    """A titled group whose body folds away."""

    collapsed_changed = Signal(bool)
    """The person folded or unfolded it."""
    _role = "fold"
    _margin = 0

    def __init__(
        self,
        title: str = "Advanced",
        *,
        collapsed: bool = False,
        what: str = "these settings",
    ) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.header = FoldHeader(title, self._role, what=what)
        self.body = QWidget()
        self._rows = QVBoxLayout(self.body)
        margin = self._margin
        self._rows.setContentsMargins(margin, 0, margin, margin)
        self._rows.setSpacing(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(margin // 2, margin // 2, margin // 2, margin // 2)
        layout.setSpacing(4)
        layout.addWidget(self.header)
        layout.addWidget(self.body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.header.setChecked(not collapsed)
        self.body.setVisible(not collapsed)
        self.header.toggled.connect(self._on_header_toggled)

    def add(self, item: QWidget | QLayout) -> None:
        if isinstance(item, QWidget):
            self._rows.addWidget(item)
        else:
            self._rows.addLayout(item)

    def collapsed(self) -> bool:
        return not self.header.isChecked()

    def set_collapsed(self, collapsed: bool) -> None:
        """Hide or show the body. Emits nothing."""
        with QSignalBlocker(self.header):
            self.header.setChecked(not collapsed)
        self.header.refresh()
        self._show_body(not collapsed)

    def _show_body(self, shown: bool) -> None:
        self.body.setVisible(shown)

    def _on_header_toggled(self, opened: bool) -> None:
        self._show_body(opened)
        self.collapsed_changed.emit(not opened)


class Card(Fold):
    """A fold with a frame of its own: one subject of the sidebar."""

    _role = "card"
    _margin = 8
