"""What the menu does besides changing settings: pictures, themes, help."""

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QColor, QGuiApplication, QPainter, QPixmap

from kpca_viewer.engine.plots import PAGES
from kpca_viewer.export.images.compose import Composition
from kpca_viewer.widgets.theme import DARK, LIGHT, system_theme, theme_of
from kpca_viewer.window import messages_text as catalogue
from kpca_viewer.window.help import HelpPanel
from kpca_viewer.window.help_beside_controls import HelpBesideControls
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.preferences import Preferences
from kpca_viewer.window.presenter import Presenter


class Commands(QObject):
    """Wires the actions that are not settings."""

    theme_requested = Signal(object)
    presenting_requested = Signal(bool)
    type_requested = Signal(int)
    """Steps by which all type becomes larger; 0 is the usual size again."""
    layout_reset_requested = Signal()
    start_over_requested = Signal()

    def __init__(
        self,
        window: MainWindow,
        presenter: Presenter,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._presenter = presenter
        self._preferences = preferences
        self._help: HelpPanel | None = None
        actions = window.actions_table
        for key, slot in (
            ("copy_image", self._on_copy_image),
            ("quit", window.close),
            ("select_all", self._on_select_all),
            ("invert_selection", self._on_invert_selection),
            ("new_point", window.board.new_points.drop),
            ("clear_new_points", window.board.new_points.clear),
            ("both_sides", window.board.both_sides.open),
            ("maximise_embedding", self._on_maximise_embedding),
            ("derive", self._on_derive),
            ("reset_views", self._on_reset_views),
            ("next_pane", self._on_next_pane),
            ("previous_pane", self._on_previous_pane),
            ("present", self._on_present),
            ("larger_type", self._on_larger_type),
            ("smaller_type", self._on_smaller_type),
            ("normal_type", self._on_normal_type),
            ("theme", self._on_theme),
            ("system_theme", self._on_system_theme),
            ("reset_layout", self.layout_reset_requested.emit),
            ("start_over", self.start_over_requested.emit),
            ("help", self._on_help),
            ("escape", self._on_escape),
            ("about", self._on_about),
        ):
            actions[key].triggered.connect(slot)
        letters = actions["letter_keys"]
        letters.toggled.connect(actions.let_letters_act)
        # Checked, then perhaps not: what the keys do follows.
        letters.setChecked(True)
        letters.setChecked(preferences.letter_keys())
        letters.toggled.connect(preferences.set_letter_keys)
        for key in PAGES:
            actions[f"page_{key}"].setData(key)
            actions[f"page_{key}"].triggered.connect(self._on_page)
        board = window.board
        board.compare.page_turned.connect(self._on_page_turned)
        board.compare.text_copied.connect(self._on_text_copied)
        self._on_page_turned(board.compare.pages.value())

    @Slot()
    def _on_copy_image(self) -> None:
        panel = self._window.board.embedding
        if not panel.view.point_count or panel.view.size().isEmpty():
            self._presenter.messages.show(catalogue.NOTHING_TO_COPY)
            return
        # Not a grab of the screen: hover and focus belong to this moment only.
        view, theme = panel.view, theme_of(panel.palette())
        sharpness = view.devicePixelRatio()
        picture = QPixmap(view.size() * sharpness)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        whole = Composition(
            view.render_to,
            warning=panel.strip(),
            ink=QColor(theme.text),
            paper=QColor(theme.card),
        )
        painter.scale(sharpness, sharpness)
        for _ in whole.paint(painter, QRectF(QPointF(0, 0), QSizeF(view.size()))):
            pass
        painter.end()
        QGuiApplication.clipboard().setPixmap(picture)
        self._presenter.messages.show(catalogue.EMBEDDING_COPIED)

    @Slot()
    def _on_select_all(self) -> None:
        self._select(lambda mask: np.ones_like(mask))

    @Slot()
    def _on_invert_selection(self) -> None:
        self._select(lambda mask: ~mask)

    def _select(self, change: Any) -> None:
        result, linking = self._presenter.result, self._window.board.linking
        if result is None:
            return
        mask = linking.selection
        if mask is None:
            mask = np.zeros(result.dataset.n, dtype=bool)
        linking.apply_selection(change(mask), "replace")

    @Slot()
    def _on_maximise_embedding(self) -> None:
        self._window.board.toggle_maximised(self._window.board.embedding)

    @Slot()
    def _on_derive(self) -> None:
        self._window.board.toggle_page("derivation")

    @Slot(str)
    def _on_text_copied(self, what: str) -> None:
        self._presenter.messages.show(catalogue.copied(what))

    @Slot()
    def _on_reset_views(self) -> None:
        board = self._window.board
        for view in board.scatters():
            view.reset_view()

    @Slot()
    def _on_page(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.board.compare.show_page(action.data())

    @Slot(str)
    def _on_page_turned(self, page: str) -> None:
        self._window.actions_table[f"page_{page}"].setChecked(True)

    @Slot()
    def _on_next_pane(self) -> None:
        self._window.go_to_pane(1)

    @Slot()
    def _on_previous_pane(self) -> None:
        self._window.go_to_pane(-1)

    @Slot(bool)
    def _on_present(self, on: bool) -> None:
        self.presenting_requested.emit(on)
        # Only this flag: a window that was maximised is so again afterwards.
        full, state = Qt.WindowState.WindowFullScreen, self._window.windowState()
        self._window.setWindowState(state | full if on else state & ~full)

    @Slot()
    def _on_larger_type(self) -> None:
        self.type_requested.emit(1)

    @Slot()
    def _on_smaller_type(self) -> None:
        self.type_requested.emit(-1)

    @Slot()
    def _on_normal_type(self) -> None:
        self.type_requested.emit(0)

    @Slot(bool)
    def _on_theme(self, dark: bool) -> None:
        theme = DARK if dark else LIGHT
        self._preferences.set_theme(theme.name)
        self.theme_requested.emit(theme)

    @Slot()
    def _on_system_theme(self) -> None:
        self._preferences.set_theme(None)
        self.theme_requested.emit(system_theme())

    @Slot()
    def _on_help(self) -> None:
        if self._help is None:
            self._help = HelpPanel(self._window)
            HelpBesideControls(self._window, self._help)
            self._window.board.shown.connect(self._help.show_scene)
            self._help.show_scene(self._presenter.scene)
        self._help.open_beside()

    @Slot()
    def _on_escape(self) -> None:
        """Cancel; or let go, restore the board, close help, put a tool away.

        One of them at a time; where there is nothing of that, deselect or stop
        presenting.
        """
        board, present = self._window.board, self._window.actions_table["present"]
        ended = self._presenter.cancel() or board.compare.let_go()
        if ended or board.restore() or self._window.close_help():
            pass
        elif board.drawing.on:
            board.drawing.requested.emit(False)
        elif board.preimages.on:
            board.preimages.requested.emit(False)
        elif board.linking.selection is not None:
            board.linking.clear()
        elif present.isChecked():
            present.trigger()

    @Slot()
    def _on_about(self) -> None:
        self._presenter.messages.show(catalogue.about())
