"""The window: layout only. The presenter wires it."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QByteArray,
    QCoreApplication,
    QEvent,
    QMargins,
    QMimeData,
    QObject,
    QPoint,
    QSettings,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.text.describe import status_line
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.widgets.controls import (
    ElidedLabel,
    MessageBar,
    NumberField,
    ProgressLine,
)
from kpca_viewer.widgets.icons import app_icon
from kpca_viewer.widgets.scene import LOOKS, Changes, Scene
from kpca_viewer.window.board import Board
from kpca_viewer.window.keyboard import (
    PlayKey,
    main_stop,
    neighbour,
    stop_of_pane,
)
from kpca_viewer.window.menus import Actions
from kpca_viewer.window.present_bar import PresentBar
from kpca_viewer.window.sidebar.sidebar import Sidebar

SIZE = (1366, 768)
"""At the first start, and after a reset."""

SMALLEST = (860, 520)

FRAME = QMargins(8, 32, 8, 8)
"""What window managers put around a window, at most."""

FIRST_SIZES = [316, 1050]
"""Of sidebar and board."""

SIDEBAR_SHARE = 0.28
"""Of the width of a screen, the sidebar has no more in front of a class."""


class MainWindow(QMainWindow):
    """Toolbar, sidebar, message bar, board and status."""

    closing = Signal()
    """The window is about to close; work must end now."""
    files_dropped = Signal(object)
    """Paths of files that were dropped onto the window."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("kpca_viewer")
        self.setWindowIcon(app_icon())
        self.changes = Changes(self)
        self.actions_table = Actions(self, self.changes)
        self.sidebar = Sidebar(self.changes)
        self.board = Board(self.changes)
        self.sweep_strip = SweepStrip()
        self.message_bar = MessageBar()
        self.message_bar.setObjectName("message_bar")
        self.progress = ProgressLine(self)
        self.progress.setObjectName("progress_line")
        self.progress.free_from = self._end_of_menus
        self._field_left: QWidget | None = None
        self._around: Scene | None = None
        self._play_key = PlayKey(self)
        self._play_key.pressed.connect(self.actions_table["play"].trigger)
        self.setAcceptDrops(True)
        self._usual_sizes: dict[str, QByteArray] = {}
        self._called = False
        self._lay_out()
        controls = self.actions_table["controls"]
        controls.setChecked(True)
        controls.toggled.connect(self.show_controls)
        self.actions_table.fill_menus(self.menuBar())
        self.present_bar = PresentBar(self.actions_table.all_menus(self), self.changes)
        self._presented = self._toolbar.addWidget(self.present_bar)
        self._presented.setVisible(False)
        # Keys act on the plots until Tab moves the focus into the sidebar.
        self.board.embedding.view.canvas.setFocus()
        self.board.shown.connect(self._show_around)
        self.board.linking.selection_changed.connect(self._on_selection_changed)
        self.sidebar.join(self.board.linking)
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)

    def make_room(self, factor: float) -> None:
        """Leave the window to the plots as the type grows, or give it back.

        In front of a class, controls are there when they are called. Small again,
        everything is as wide as it was before.
        """
        presents, controls = factor > 1, self.actions_table["controls"]
        if presents:
            self._usual_sizes = self._states()
            if any(panel.isHidden() for panel in self.board.panels):
                # One plot fills the board: the others have no size to come back to.
                self._usual_sizes = {"main": self._usual_sizes["main"]}
            self._widen_sidebar(factor)
        for bar in (self.menuBar(), self.statusBar()):
            bar.setVisible(not presents)
        self._presented.setVisible(presents)
        # Each mode, usual and presenting, keeps its own choice for the next time.
        called, self._called = self._called, controls.isChecked()
        controls.setChecked(called)
        if presents:
            return
        # Until every control has asked for less, the widths of then are too small.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        if not self._usual_sizes:
            self._main.setSizes(FIRST_SIZES)
        for name, state in self._usual_sizes.items():
            self._splitters()[name].restoreState(state)
        self._usual_sizes = {}

    def _widen_sidebar(self, factor: float) -> None:
        """Give the sidebar more of the width, as its type grows."""
        sidebar, board = self._main.sizes()
        if sidebar:
            most = SIDEBAR_SHARE * max(self.width(), self.screen().size().width())
            wide = max(sidebar, round(min(sidebar * factor, most)))
            self._main.setSizes([wide, sidebar + board - wide])

    def _end_of_menus(self) -> int:
        """Return the pixels from the left that menus and tools take."""
        bar, tools = self.menuBar(), self._toolbar
        if bar.isHidden():
            return 0
        menus = bar.actionGeometry(bar.actions()[-1]).right()
        shown = (action for action in tools.actions() if action.isVisible())
        return 8 + max(menus, *(tools.actionGeometry(a).right() for a in shown))

    def least_width(self) -> int:
        """Return the width that sidebar and plots need beside each other."""
        plots = self._right.minimumSizeHint().width()
        return self.sidebar.minimumWidth() + self._main.handleWidth() + plots

    @Slot(bool)
    def show_controls(self, shown: bool) -> None:
        """Show sidebar and sweep, or only what is computed."""
        focused = self.focusWidget()
        if not shown and focused is not None and self.sidebar.isAncestorOf(focused):
            self.board.embedding.view.canvas.setFocus()
        self.sidebar.setVisible(shown)
        self.sweep_strip.set_setup_shown(shown)
        # The sidebar brings the margin between itself and the plots.
        self._right.setContentsMargins(0 if shown else 8, 0, 0, 0)

    def close_help(self) -> bool:
        """Close what is open beside the plots; returns whether there was anything."""
        beside = [dock for dock in self.findChildren(QDockWidget) if dock.isVisible()]
        for dock in beside:
            dock.close()
        return bool(beside)

    def show_scene(self, scene: Scene) -> None:
        """Show a scene; requests nothing.

        What is set is shown at once; what was computed, when the plots show it.
        """
        self.actions_table.scene = scene
        came = scene.result is not self.board.scene.result
        self.board.show_scene(scene)
        if not came:
            self._show_around(scene)

    @Slot(object)
    def _show_around(self, scene: Scene) -> None:
        """Show a scene in everything that surrounds the plots."""
        self.sidebar.show_scene(scene)
        self.present_bar.show_scene(scene)
        before, self._around = self._around, scene
        if before is None or LOOKS(before) != LOOKS(scene):
            self.actions_table.set_theme(scene.theme)
        self.actions_table.show_state(scene)
        # The line is about the result, which a film leaves behind.
        self._status.setEnabled(scene.played is None)
        came = scene.result and (before is None or before.result is not scene.result)
        if came or scene.is_empty:
            self._status.set_text(status_line(scene.result))
            self.setWindowTitle(f"{scene.title} – kpca_viewer")

    @Slot(object)
    def _on_selection_changed(self, mask: Any) -> None:
        count = 0 if mask is None else int(mask.sum())
        self._selection.setText(f"{count:,} selected" if count else "")

    def show_backend(self, who: str) -> None:
        """Show which backend computes besides this machine; nothing for none."""
        self.backend_button.setText(f"⇄ {who}")
        self.backend_button.setAccessibleName(f"Computed on {who}")
        self.backend_button.setVisible(bool(who))

    def status_text(self) -> str:
        return self._status.text()

    def go_to_pane(self, step: int) -> None:
        """Bring the keys to the next area (1) or the one before (−1)."""
        panes = [self.sidebar, self.message_bar, *self.board.panels, self.sweep_strip]
        target = stop_of_pane(panes, self.focusWidget(), step)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def remember(self, store: QSettings) -> None:
        """Write geometry and splitters."""
        # A panel that fills the board would come back as one that hides the others.
        self.board.restore()
        self.show_controls(True)
        store.setValue("window/geometry", self.saveGeometry())
        for name, state in {**self._states(), **self._usual_sizes}.items():
            store.setValue(f"splitter/{name}", state)

    def recall(self, store: QSettings) -> None:
        """Read geometry and splitters; what is missing stays as it is."""
        geometry = store.value("window/geometry")
        if not isinstance(geometry, QByteArray):
            self.fit_screen()
        else:
            self.restoreGeometry(geometry)
            # To present is a mode of its own, which a start does not begin in.
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
        for name, splitter in self._splitters().items():
            state = store.value(f"splitter/{name}")
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        self.board.columns.look()

    def fit_screen(self) -> None:
        """Take the first size, or what the screen has room for."""
        room = self.screen().availableGeometry().marginsRemoved(FRAME)
        size = QSize(*SIZE).boundedTo(room.size()).expandedTo(self.minimumSize())
        self.resize(size)
        self.move(room.topLeft() + (_corner(room.size() - size)))

    def reset_layout(self) -> None:
        """Put the size and every splitter back to what they were at first."""
        if not self.isFullScreen():
            self.actions_table["controls"].setChecked(True)
        # Keys act on the plots until Tab moves the focus into the sidebar.
        self.board.embedding.view.canvas.setFocus()
        if not (self.isFullScreen() or self.isMaximized()):
            self.fit_screen()
        self._main.setSizes(FIRST_SIZES)
        self.board.restore()
        self.board.reset_layout()
        # In front of a class, there is nothing to come back to any more.
        self._usual_sizes = {}

    @Slot(object, object)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        """Remember what gave the keys away to nothing: Tab goes on from there."""
        entered = new is None and isinstance(old, NumberField | QComboBox)
        self._field_left = old if entered else None

    def _splitters(self) -> dict[str, QSplitter]:
        return {"main": self._main, **self.board.splitters()}

    def _states(self) -> dict[str, QByteArray]:
        return {name: s.saveState() for name, s in self._splitters().items()}

    def _lay_out(self) -> None:
        self._toolbar = QToolBar("Main")
        self._toolbar.setObjectName("main_toolbar")
        self._toolbar.setMovable(False)
        self._toolbar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._toolbar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.addToolBar(self._toolbar)
        self.actions_table.fill_toolbar(self._toolbar)

        self._right = QWidget()
        column = QVBoxLayout(self._right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message_bar)
        column.addWidget(self.board, 1)
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, 8, 8)
        below.addWidget(self.sweep_strip)
        column.addLayout(below)
        self._main = QSplitter(Qt.Orientation.Horizontal)
        self._main.setObjectName("main_splitter")
        self._main.setChildrenCollapsible(False)
        self._main.setHandleWidth(4)
        self._main.addWidget(self.sidebar)
        self._main.addWidget(self._right)
        self._main.setStretchFactor(1, 1)
        self._main.setSizes(FIRST_SIZES)
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.progress)
        rows.addWidget(self._main, 1)
        self.setCentralWidget(page)

        self._status = ElidedLabel("")
        self._status.setObjectName("status_label")
        self._status.setAccessibleName("Status")
        self._status.set_about(tip("certificate"))
        self._status.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred
        )
        self._selection = QLabel()
        self._selection.setObjectName("selection_label")
        self._selection.setTextFormat(Qt.TextFormat.PlainText)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self._status, 1)
        self.statusBar().addPermanentWidget(self._selection)
        self.backend_button = QPushButton()
        self.backend_button.setObjectName("backend_button")
        self.backend_button.setProperty("role", "link")
        self.backend_button.setToolTip("Large data and sweeps are computed there")
        self.backend_button.hide()
        self.statusBar().addPermanentWidget(self.backend_button)

    def showEvent(self, event: QShowEvent) -> None:
        """See every click before the widget that it is for."""
        super().showEvent(event)
        self.windowHandle().installEventFilter(self)
        self.windowHandle().installEventFilter(self._play_key)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the typing of a number before a click elsewhere does anything.

        Much of the window takes no keys by a click; digits would go on into the field.
        """
        field = self.focusWidget()
        if (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(field, NumberField)
            and not field.rect().contains(
                field.mapFromGlobal(event.globalPosition().toPoint())
            )
        ):
            field.clearFocus()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Play or stop the sweep by a Space that no control wanted."""
        if event.key() == Qt.Key.Key_Space:
            self.actions_table["play"].trigger()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Let Tab follow what is on the screen, rows that came later included."""
        focused, reason = self.focusWidget() or self._field_left, Qt.FocusReason
        target = focused and neighbour(self, focused, 1 if forward else -1)
        if target is None:
            # What had the keys is gone: they act on a plot again.
            stops = (main_stop(panel) for panel in self.board.main_panels())
            target = next((stop for stop in stops if stop is not None), None)
            if target is not None:
                target.setFocus(reason.OtherFocusReason)
            return target is not None
        target.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.files_dropped.emit(_local_files(event.mimeData()))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the work end before the window is gone."""
        self.closing.emit()
        super().closeEvent(event)


def _corner(free: QSize) -> QPoint:
    """Return where a window stands that leaves so much room free: in the middle."""
    return QPoint(max(free.width() // 2, 0), max(free.height() // 2, 0))


def _local_files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
