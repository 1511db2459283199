"""The window: layout only. The presenter wires it."""

import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
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
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QToolButton,
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
from kpca_viewer.window.kernel_bar import KernelBar
from kpca_viewer.window.keyboard import (
    PlayKey,
    main_stop,
    neighbour,
    stop_of_pane,
)
from kpca_viewer.window.menus import Actions
from kpca_viewer.window.sidebar.appearance_card import LooksPanel
from kpca_viewer.window.sidebar.sidebar import Sidebar
from kpca_viewer.window.top_row import TopRow
from kpca_viewer.window.verdict_line import LiesOver, VerdictLine

SIZE = (1366, 768)
"""At the first start, and after a reset."""

SMALLEST = (860, 520)

FRAME = QMargins(8, 32, 8, 8)
"""What window managers put around a window, at most."""

FIRST_SIZES = [264, 1102]
"""Of sidebar and board."""

Pixels = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
"""A size that Qt can take."""

LEAVE = "Leave (F11)"
LEAVE_TIP = "Back to the window with menus and all panels"

SIDEBAR_SHARE = 0.28
"""Of the width of a screen, the sidebar has no more in front of a class."""


class MainWindow(QMainWindow):
    """Top row, sidebar, kernel bar, verdict, board and status."""

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
        self.kernel_bar = KernelBar(self.changes)
        self.verdict = VerdictLine()
        self.looks = LooksPanel(self.changes)
        self.board = Board(self.changes)
        self.board.embedding.add_looks(self.looks)
        self.sweep_strip = SweepStrip()
        self.board.add_panel(self.sweep_strip, "sweep", "below")
        self.message_bar = MessageBar(one_line=True)
        self.message_bar.setObjectName("message_bar")
        self._right = QWidget()
        self.progress = ProgressLine(self._right)
        self.progress.setObjectName("progress_line")
        self._below: list[QWidget] = []
        self._field_left: QWidget | None = None
        self._around: Scene | None = None
        self._play_key = PlayKey(self)
        self._play_key.pressed.connect(self.actions_table["play"].trigger)
        self.setAcceptDrops(True)
        self._usual_sizes: dict[str, QByteArray] = {}
        self._called = False
        self._has_sidebar = {"decide": False}
        self._lay_out()
        controls = self.actions_table["controls"]
        controls.setChecked(True)
        controls.toggled.connect(self._on_controls_toggled)
        self.board.workspace_changed.connect(self._on_workspace_changed)
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
            self._usual_sizes = {"main": self._main.saveState()}
            self._widen_sidebar(factor)
        for bar in (self.top_row, self.statusBar()):
            bar.setVisible(not presents)
        self.leave_button.setVisible(presents)
        self.board.set_presenting(presents)
        # Each workspace, and presenting, keeps its own choice for the next time.
        if presents:
            controls.setChecked(self._called)
            return
        self._called = controls.isChecked()
        controls.setChecked(self._has_sidebar.get(self.board.workspace, True))
        # Until every control has asked for less, the widths of then are too small.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        if not self._usual_sizes:
            self._main.setSizes(FIRST_SIZES)
        for state in self._usual_sizes.values():
            self._main.restoreState(state)
        self._usual_sizes = {}

    def _widen_sidebar(self, factor: float) -> None:
        """Give the sidebar more of the width, as its type grows."""
        sidebar, board = self._main.sizes()
        if sidebar:
            most = SIDEBAR_SHARE * max(self.width(), self.screen().size().width())
            wide = max(sidebar, round(min(sidebar * factor, most)))
            self._main.setSizes([wide, sidebar + board - wide])

    def add_below(self, widget: QWidget) -> None:
        """Put a widget below the board, whatever the workspace is."""
        self._below.append(widget)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 8, 6)
        row.addWidget(widget)
        layout = self._right.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addLayout(row)

    def menuBar(self) -> QMenuBar:
        return self.top_row.menus

    def least_width(self) -> int:
        """Return the width that sidebar and plots need beside each other."""
        plots = self._right.minimumSizeHint().width()
        return self.sidebar.minimumWidth() + self._main.handleWidth() + plots

    @Slot(str)
    def _on_workspace_changed(self, workspace: str) -> None:
        """Show the sidebar where it was last shown; to decide needs the room."""
        if not self.board.is_presenting:
            known = self._has_sidebar.get(workspace, True)
            self.actions_table["controls"].setChecked(known)

    @Slot(bool)
    def _on_controls_toggled(self, shown: bool) -> None:
        if not self.board.is_presenting:
            self._has_sidebar[self.board.workspace] = shown
        self.show_controls(shown)

    @Slot(bool)
    def show_controls(self, shown: bool) -> None:
        """Show sidebar and sweep, or only what is computed."""
        focused = self.focusWidget()
        if not shown and focused is not None and self.sidebar.isAncestorOf(focused):
            self.board.embedding.view.canvas.setFocus()
        self.sidebar.setVisible(shown)
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
        for part in (self.kernel_bar, self.verdict, self.looks):
            part.show_scene(scene)
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
        panes = [
            self.top_row,
            self.sidebar,
            self.kernel_bar,
            self.message_bar,
            *self.board.panels,
            self.sweep_strip,
            *self._below,
        ]
        target = stop_of_pane(panes, self.focusWidget(), step)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def remember(self, store: QSettings) -> None:
        """Write geometry and splitters."""
        self.show_controls(True)
        store.setValue("window/geometry", self.saveGeometry())
        main = self._usual_sizes.get("main", self._main.saveState())
        store.setValue("splitter/main", main)
        sizes = self.board.columns.sizes_by_workspace()
        store.setValue("window/columns", json.dumps(sizes))

    def recall(self, store: QSettings) -> None:
        """Read geometry and splitters; what is missing stays as it is."""
        geometry = store.value("window/geometry")
        if not isinstance(geometry, QByteArray):
            self.fit_screen()
        else:
            self.restoreGeometry(geometry)
            # To present is a mode of its own, which a start does not begin in.
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
        state = store.value("splitter/main")
        if isinstance(state, QByteArray):
            self._main.restoreState(state)
        try:
            sizes = msgspec.json.decode(
                str(store.value("window/columns")),
                type=dict[str, dict[str, list[Pixels]]],
            )
        except msgspec.DecodeError:
            return
        self.board.columns.set_sizes_by_workspace(sizes)

    def fit_screen(self) -> None:
        """Take the first size, or what the screen has room for."""
        screen = self.screen().availableGeometry()
        room = screen.marginsRemoved(FRAME)
        size = QSize(*SIZE).boundedTo(room.size()).expandedTo(self.minimumSize())
        self.resize(size)
        # A window is moved by the corner of its frame, which has its room outside.
        self.move(screen.topLeft() + _corner(room.size() - size))

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

    def _lay_out(self) -> None:
        self.top_row = TopRow(self.actions_table)
        self.top_row.workspace_chosen.connect(self.board.show_workspace)
        self.board.workspace_changed.connect(self.top_row.workspaces.set_value)
        column = QVBoxLayout(self._right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.leave_button = QToolButton()
        self.leave_button.setText(LEAVE)
        self.leave_button.setObjectName("leave_button")
        self.leave_button.setAutoRaise(True)
        self.leave_button.setToolTip(LEAVE_TIP)
        self.leave_button.clicked.connect(self.actions_table["present"].trigger)
        self.leave_button.hide()
        self.kernel_bar.add_end(self.leave_button)
        column.addWidget(self.kernel_bar)
        column.addWidget(self.progress)
        column.addWidget(self.verdict)
        column.addWidget(self.board, 1)
        self.message_bar.setParent(self._right)
        LiesOver(self.message_bar, self.verdict)
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
        rows.addWidget(self.top_row)
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
        # The height is that of the facts: nothing moves when rows are selected.
        policies = QSizePolicy.Policy
        self._selection.setSizePolicy(policies.Preferred, policies.Ignored)
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
        # The height of the line below counts what is hidden in it too. Known only
        # after the first paint, it would move all panels by some pixels.
        self.backend_button.ensurePolished()
        QApplication.sendEvent(self.statusBar(), QEvent(QEvent.Type.LayoutRequest))
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
