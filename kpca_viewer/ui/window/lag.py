"""Lag: what stays at the value that is set while a film shows others."""

from PySide6.QtCore import QObject, Slot

from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.window.main_window import MainWindow


class Lag(QObject):
    """Dims whatever does not go along with a film, and brings it back.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._set = self._played = SessionSettings()
        self._plays = False
        window.board.compare.page_turned.connect(self._on_page_turned)

    def follow(self, played: SessionSettings, now: SessionSettings) -> None:
        """Dim what does not show the settings of a film, but those of now."""
        self._played, self._set, self._plays = played, now, True
        self._show()

    def end(self) -> None:
        """Bring everything back: no film runs any more."""
        if self._plays:
            self._plays = False
            self._show()

    @Slot()
    def _on_page_turned(self) -> None:
        if self._plays:
            self._show()

    def _show(self) -> None:
        board = self._window.board
        # Where the last computation has failed, all panels are dimmed anyway.
        failed, plays = board.embedding.is_dimmed(), self._plays
        other_data = plays and self._played.data != self._set.data
        # Linear PCA and the table know no kernel; what is said about them does.
        matrix = plays and board.compare.pages.value() == "gram"
        board.spectrum.set_dimmed(failed or plays)
        board.data.set_dimmed(failed or other_data)
        board.data.set_isolines_dimmed(plays)
        board.compare.set_dimmed(failed or other_data or matrix)
        board.compare.set_caption_dimmed(failed or plays)
        self._window.set_status_dimmed(plays)
