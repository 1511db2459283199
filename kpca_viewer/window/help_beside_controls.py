"""Help hides the controls where a window is too narrow for both."""

from PySide6.QtCore import QEvent, QObject, Qt, Slot

from kpca_viewer.window.help import HelpPanel
from kpca_viewer.window.main_window import MainWindow

_LESS_ROOM = (QEvent.Type.ShowToParent, QEvent.Type.Resize, QEvent.Type.LayoutRequest)


class HelpBesideControls(QObject):
    """Hides the controls while help is open, where both do not fit.

    Else the plots would be squeezed until their tools lie over each other.
    """

    def __init__(self, window: MainWindow, panel: HelpPanel) -> None:
        super().__init__(panel)
        self._window, self._panel = window, panel
        self._controls = window.actions_table["controls"]
        self._controls_hidden = False
        self._controls.toggled.connect(self._on_controls_toggled)
        for watched in (window, panel):
            watched.installEventFilter(self)

    def _is_short(self) -> bool:
        panel = max(self._panel.minimumWidth(), self._panel.minimumSizeHint().width())
        return self._window.least_width() + panel > self._window.width()

    def _hide_controls(self) -> None:
        if self._controls.isChecked() and self._is_short():
            self._controls.setChecked(False)
            self._controls_hidden = True
            narrow = [self._panel.minimumWidth()]
            self._window.resizeDocks([self._panel], narrow, Qt.Orientation.Horizontal)

    def _give_back(self) -> None:
        if self._controls_hidden:
            self._controls_hidden = False
            self._controls.setChecked(True)

    @Slot(bool)
    def _on_controls_toggled(self, shown: bool) -> None:
        if shown and not self._panel.isHidden() and self._is_short():
            self._controls_hidden = False
            self._panel.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when there may be less room, or more."""
        kind = event.type()
        if watched is self._panel and kind == QEvent.Type.HideToParent:
            self._give_back()
        elif kind in _LESS_ROOM and not self._panel.isHidden():
            self._hide_controls()
        return super().eventFilter(watched, event)
