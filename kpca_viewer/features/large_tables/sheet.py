"""The sheet that connects the window to a cluster, and says how that is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.features.large_tables.text import (
    ABOUT_CLUSTER,
    CONNECT_BUTTONS,
    NOT_CONNECTED,
)
from kpca_viewer.widgets.controls.behaviour import resize_for_type
from kpca_viewer.widgets.controls.labels import plain_label

FILES = {
    "authority": "Authority",
    "certificate": "Certificate",
    "key": "Private key",
}
"""Of TLS: field and title."""

Phase = Literal["off", "connecting", "on", "lost"]


@dataclass(frozen=True)
class ClusterAddress:
    """Where a cluster is, and with which files this end proves who it is."""

    scheduler: str = ""
    """``tcp://host:port`` or ``tls://host:port``."""
    files: tuple[Path, ...] = ()
    """Authority, certificate and key, where TLS is used."""

    @property
    def is_encrypted(self) -> bool:
        return self.scheduler.startswith("tls://")


@dataclass(frozen=True)
class ConnectionState:
    """What the sheet says of the connection."""

    phase: Phase = "off"
    text: str = NOT_CONNECTED
    dashboard: str = ""
    """The address of a web page; empty for none."""
    sign: str = ""
    """Who computes, in few words; empty where that is this machine alone."""


class ComputeSheet(QDialog):
    """An address, how the connection is, and one button. Setters emit nothing."""

    connect_requested = Signal(object)
    """A `ClusterAddress`."""
    disconnect_requested = Signal()
    """Also while it is still being connected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compute_sheet")
        self.setWindowTitle("Compute on…")
        self.setModal(False)
        self._state = ConnectionState()
        about = plain_label("cluster_about", "muted")
        about.setText(ABOUT_CLUSTER)
        self._scheduler = _field("scheduler_field", "Address of the scheduler")
        self._scheduler.setPlaceholderText("tcp://host:8786")
        self._files = [
            _field(f"tls_{name}_field", f"{title}, a PEM file")
            for name, title in FILES.items()
        ]
        self._form = QFormLayout()
        self._form.addRow("&Scheduler", self._scheduler)
        for title, field in zip(FILES.values(), self._files, strict=True):
            field.setPlaceholderText("a PEM file")
            self._form.addRow(title, field)
        self._said = plain_label("cluster_state", title="State of the connection")
        self._link = QLabel()
        self._link.setObjectName("cluster_dashboard")
        self._link.setAccessibleName("Web page of the cluster")
        self._link.setOpenExternalLinks(True)
        self._button = QPushButton()
        self._button.setObjectName("cluster_button")
        self._button.clicked.connect(self._on_clicked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self._button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self._close = buttons.button(QDialogButtonBox.StandardButton.Close)
        for button in (self._button, self._close):
            # Whichever had the focus last would be what Enter does in a field.
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        layout.addWidget(about)
        layout.addLayout(self._form)
        layout.addWidget(self._said)
        layout.addWidget(self._link)
        layout.addStretch(1)
        layout.addWidget(buttons)
        self._scheduler.textChanged.connect(self._on_text_changed)
        for field in (self._scheduler, *self._files):
            field.textEdited.connect(self._on_text_edited)
        resize_for_type(self, 460, 240)
        self.show_state(self._state)

    def address(self) -> ClusterAddress:
        typed = ClusterAddress(self._scheduler.text().strip())
        if not typed.is_encrypted:
            return typed
        files = tuple(Path(field.text().strip()) for field in self._files)
        return ClusterAddress(typed.scheduler, files)

    def set_address(self, address: ClusterAddress) -> None:
        self._scheduler.setText(address.scheduler)
        for field, path in zip(self._files, address.files, strict=False):
            field.setText(str(path))

    def show_state(self, state: ConnectionState) -> None:
        before, self._state = self._state, state
        for field in (self._scheduler, *self._files):
            # While it is tried, the field keeps the focus: it may have to be corrected.
            field.setEnabled(state.phase != "on")
            field.setReadOnly(state.phase == "connecting")
        self._said.setText(state.text)
        role = {"on": "live", "lost": "error"}.get(state.phase, "")
        if self._said.property("role") != role:
            self._said.setProperty("role", role)
            self._said.style().polish(self._said)
        self._show_link()
        self._button.setText(CONNECT_BUTTONS.get(state.phase, "Connect"))
        self._button.setDefault(self._is_off)
        self._on_text_changed()
        if before.phase != state.phase:
            self._move_focus()

    def _show_link(self) -> None:
        address = self._state.dashboard
        self._link.setVisible(bool(address))
        self._link.setText(f'<a href="{address}">{address}</a>')

    def _move_focus(self) -> None:
        """Let Enter do next what is likely to be wanted next."""
        if self._state.phase == "on":
            self._close.setFocus()
        elif self._is_off and not isinstance(self.focusWidget(), QLineEdit):
            self._scheduler.setFocus()

    @property
    def _is_off(self) -> bool:
        return self._state.phase in ("off", "lost")

    @Slot()
    def _on_text_changed(self) -> None:
        typed = self.address()
        for field in self._files:
            self._form.setRowVisible(field, typed.is_encrypted)
        self._button.setEnabled(bool(typed.scheduler) or not self._is_off)
        self._make_room()

    @Slot()
    def _on_text_edited(self) -> None:
        """Take back what was said of another address."""
        if self._state.phase == "lost":
            self.show_state(ConnectionState())

    def _make_room(self) -> None:
        """Become as high as the fields and sentences need."""
        layout = self.layout()
        needed = 0 if layout is None else layout.totalHeightForWidth(self.width())
        if needed > self.height():
            self.resize(self.width(), needed)

    @Slot()
    def _on_clicked(self) -> None:
        if self._is_off:
            self.connect_requested.emit(self.address())
        else:
            self.disconnect_requested.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._move_focus()

    def changeEvent(self, event: QEvent) -> None:
        """Show the link in the colour of another theme: it keeps that of its words."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._link.clear()
            self._show_link()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press the button that has the focus; in a field it connects."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        focused = self.focusWidget()
        if isinstance(focused, QPushButton):
            focused.click()
        elif self._is_off:
            self._button.click()


def _field(name: str, accessible: str) -> QLineEdit:
    field = QLineEdit()
    field.setObjectName(name)
    field.setAccessibleName(accessible)
    return field
