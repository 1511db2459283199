"""What the menu does besides changing settings: themes, type, panes, help."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from kpca_viewer.engine.messages import copied
from kpca_viewer.engine.notes import Notes
from kpca_viewer.widgets.theme import DARK, LIGHT, Theme, system_theme
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window import messages
from kpca_viewer.window.decision_path import PathStep
from kpca_viewer.window.handbook import matching
from kpca_viewer.window.help import HelpBesideControls, HelpPanel
from kpca_viewer.window.palette import Palette


class Commands(QObject):
    """The handlers of the window's own actions.

    Parameters
    ----------
    dress : callable
        Takes a theme.
    enlarge : callable
        Takes the steps by which all type becomes larger; 0 is the usual size again.
    present : callable
        Takes whether everything is large for a class.
    start_over : callable
    """

    def __init__(
        self,
        workbench: Workbench,
        dress: Callable[[Theme], object],
        enlarge: Callable[[int], object],
        present: Callable[[bool], object],
        start_over: Callable[[], object],
    ) -> None:
        super().__init__(workbench)
        self._window = window = workbench.window
        self._workbench = workbench
        store = workbench.store
        self._dress, self._enlarge, self._present = dress, enlarge, present
        self.start_over = start_over
        self._help: HelpPanel | None = None
        self.palette = Palette(workbench)
        self.undo, self.redo = store.undo, store.redo
        self.quit, self.reset_layout = window.close, window.reset_layout
        actions, preferences = window.actions_table, workbench.preferences
        letters = actions["letter_keys"]
        letters.toggled.connect(actions.let_letters_act)
        # Checked, then perhaps not: what the keys do follows.
        letters.setChecked(True)
        letters.setChecked(preferences.letter_keys())
        letters.toggled.connect(preferences.set_letter_keys)
        board = window.board
        board.compare.page_turned.connect(self._on_page_turned)
        board.workspace_changed.connect(self._on_workspace_changed)
        self._on_workspace_changed(board.workspace)
        window.changes.text_copied.connect(self._on_text_copied)
        self._on_page_turned(board.compare.pages.value())

    @Slot(str)
    def _on_text_copied(self, what: str) -> None:
        self._workbench.messages.show(copied(what))

    @Slot(str)
    def _on_workspace_changed(self, workspace: str) -> None:
        self._window.actions_table[f"workspace_{workspace}"].setChecked(True)
        self._name_handbook()

    @Slot(str)
    def _on_page_turned(self, page: str) -> None:
        self._window.actions_table[f"page_{page}"].setChecked(True)
        self._name_handbook()

    @Slot()
    def reset_views(self) -> None:
        for view in self._window.board.scatters():
            view.reset_view()

    @Slot()
    def go_to_next_pane(self) -> None:
        self._window.go_to_pane(1)

    @Slot()
    def go_to_previous_pane(self) -> None:
        self._window.go_to_pane(-1)

    @Slot(bool)
    def present(self, on: bool) -> None:
        self._present(on)
        # Only this flag: a window that was maximised is so again afterwards.
        full, state = Qt.WindowState.WindowFullScreen, self._window.windowState()
        self._window.setWindowState(state | full if on else state & ~full)

    @Slot()
    def enlarge_type(self) -> None:
        self._enlarge(1)

    @Slot()
    def shrink_type(self) -> None:
        self._enlarge(-1)

    @Slot()
    def reset_type(self) -> None:
        self._enlarge(0)

    @Slot(bool)
    def choose_theme(self, dark: bool) -> None:
        theme = DARK if dark else LIGHT
        self._workbench.preferences.set_theme(theme.name)
        self._dress(theme)

    @Slot()
    def follow_system_theme(self) -> None:
        self._workbench.preferences.set_theme(None)
        self._dress(system_theme())

    @Slot()
    def open_help(self) -> None:
        if self._help is None:
            self._help = HelpPanel(self._window)
            HelpBesideControls(self._window, self._help)
            self._window.board.shown.connect(self._help.show_scene)
            self._help.step_requested.connect(self._show_step)
            self._help.handbook_requested.connect(self._open_handbook)
            self._name_handbook()
            self._help.show_scene(self._workbench.presenter.scene)
        self._help.open_beside()

    def _matching(self) -> tuple[str, QUrl]:
        board = self._window.board
        return matching(board.workspace, board.compare.pages.value())

    def _name_handbook(self) -> None:
        if self._help is not None:
            self._help.set_handbook(self._matching()[0])

    @Slot()
    def _open_handbook(self) -> None:
        url = self._matching()[1]
        if not QDesktopServices.openUrl(url):
            told = messages.no_browser(url.toDisplayString())
            self._workbench.messages.show(told)

    @Slot(object)
    def _show_step(self, step: PathStep) -> None:
        """Show the data of a step; one step of the history leads back."""
        presenter = self._workbench.presenter
        presenter.change(step.settings(presenter.settings), notes=Notes())
        self._window.board.compare.show_page(step.page)

    @Slot()
    def escape(self) -> None:
        """Cancel; or let go, restore the board, close help, put a tool away.

        One of them at a time; where there is nothing of that, deselect. A teacher in
        front of a class who presses it once too often goes on presenting.
        """
        board = self._window.board
        features = self._workbench.controllers
        search, matrix = features.get("kernel_search"), features.get("kernel_matrix")
        ended = self._workbench.presenter.cancel() or board.compare.let_go()
        ended = ended or (search is not None and search.view.let_go())
        ended = ended or (matrix is not None and matrix.let_go())
        if ended or board.restore() or self._window.close_help():
            pass
        elif board.drawing.on:
            board.drawing.requested.emit(False)
        elif board.preimages.on:
            board.preimages.requested.emit(False)
        elif board.linking.selection is not None:
            board.linking.clear()

    @Slot()
    def show_about(self) -> None:
        self._workbench.messages.show(messages.about())
