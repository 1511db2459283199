"""The picture in sentences, its words, and keys, beside the plots."""

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QWidget,
)

from kpca_viewer.engine.text.glossary import TERMS
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.widgets.scene import Scene, ShowsScene
from kpca_viewer.window.decision_path import PATH, SHOW, TITLE, PathStep
from kpca_viewer.window.explain import PARTS, explain
from kpca_viewer.window.feature import all_actions
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.menus import keys_of

GESTURES = {
    "Plots": (
        ("Drag in a plot", "select by lasso or box; Shift adds, Alt removes"),
        ("Drag in 3-D", "turn; with Ctrl select"),
        ("Right-drag, wheel", "move and zoom; double-click shows all"),
        ("Right-click, Menu key", "what to do with selected rows; flip an axis"),
        ("Click a class", "hide it; double-click shows it alone"),
        ("Double-click a title", "fill the board with that plot"),
        ("Arrows in a plot", "walk from point to point; Enter selects, Shift adds"),
        ("Shift+arrows, + and −", "move or turn a plot, and zoom"),
    ),
    "Drawing (D)": (
        ("Click, drag", "add a point, move it; brush sprays, eraser takes away"),
        ("1 – 9, 0", "class of the next points, and of those pointed at or selected"),
        ("Delete", "remove the point under the mouse, or those selected"),
        ("Ctrl+V", "paste points such as (1,2),(3,4)"),
    ),
    "Derivation (F8)": (
        ("Point at a number", "where it comes from; a click keeps it, Escape lets go"),
        ("Ctrl+C, right-click", "copy numbers, or all steps as LaTeX and NumPy"),
    ),
    "New points": (
        ("Click the data", "drop a new point; drag it, right-click removes it"),
        ("Ctrl+arrows in the data", "move the newest point; Delete removes it"),
    ),
    "Lift": (
        ("Drag the raised plane", "turn it; Ctrl and a drag select"),
        ("Drag a or b", "move the points of both sides, also on the surface"),
    ),
    "Spectrum": (
        ("Click a bar", "put that component on the x axis"),
        ("Drag the cut", "keep more or fewer components"),
    ),
    "Kernel matrix and table": (
        ("Drag in the kernel matrix", "select its rows and columns; Shift adds"),
        ("Click table rows", "select them; Ctrl and Shift add"),
        (
            "Double-click in “name”",
            "give a row of the table a name; or F2, or just type",
        ),
    ),
    "Sidebar": (("Double-click a slider", "return to the suggested value"),),
    "Sweep": (
        ("Click a picture", "take its value over"),
        ("Ring on the curve", "the best value by the chosen measure"),
        ("Triangles below it", "the best values by the other measures"),
    ),
}
"""What hands do, by the heading under which it stands."""


def sections() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield headings with their lines: gestures first, then keys by menu."""
    keys: dict[str, list[tuple[str, str]]] = {}
    for _, action in all_actions():
        if pressed := keys_of(action):
            lines = keys.setdefault(action.menu.replace("&", ""), [])
            lines.append((pressed, action.name))
    for title, gestures in GESTURES.items():
        if title not in keys:
            yield title, list(gestures)
    for title, lines in keys.items():
        yield title, [*lines, *GESTURES.get(title, ())]


LONGEST_KEY = 16
"""Characters up to which a gesture or keys have their meaning beside them."""


class HelpPanel(ShowsScene, QDockWidget):
    """What is shown now, what the words mean, gestures and every shortcut."""

    part = attrgetter("result")
    step_requested = Signal(object)
    """A `PathStep` whose state is to be shown."""
    handbook_requested = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__("This picture, words and keys", window)
        self.setObjectName("help_panel")
        # It stays in its place: a window of its own would get lost behind this one.
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.setTitleBarWidget(self._title_bar())
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(area)
        self.setMinimumWidth(300)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self)
        self._handbook = _link("handbook_button", "")
        self._handbook.setToolTip("Opens the page in the browser")
        self._handbook.clicked.connect(self.handbook_requested)
        page, self._parts = _page(self._handbook, self.step_requested.emit)
        # Once it is in its place: the style looks at every label wherever it comes to.
        area.setWidget(page)

    def _title_bar(self) -> QWidget:
        bar = QWidget()
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(12, 6, 8, 4)
        title = QLabel(self.windowTitle())
        title.setProperty("role", "title")
        close = IconButton("close", "Close the help (F1)", 18)
        close.setObjectName("close_help_button")
        close.clicked.connect(self.close)
        layout.addWidget(title, 1)
        layout.addWidget(close)
        return bar

    @Slot(object)
    def show_scene(self, scene: Scene) -> None:
        """Explain the result of a scene with its numbers, once anybody can see it.

        It is not read while γ moves thirty times a second behind a closed panel.
        """
        self.scene = scene
        if self.isVisible():
            super().show_scene(scene)

    def refresh(self) -> None:
        """Explain the result."""
        result = self.scene.result
        texts = [""] * len(self._parts) if result is None else explain(result)
        for label, text in zip(self._parts, texts, strict=True):
            label.setText(text)

    @Slot(str)
    def set_handbook(self, title: str) -> None:
        # Short: a button breaks no lines, and would widen the panel.
        self._handbook.setText(title)
        self._handbook.setAccessibleName(f"Open the page {title} in the browser")

    def open_beside(self) -> None:
        opens = not self.isVisible() or self.visibleRegion().isEmpty()
        self.setVisible(opens)
        window = self.parent()
        if opens and isinstance(window, QMainWindow):
            # By itself it takes all that the plots can do without.
            width = max(self.minimumWidth(), self.minimumSizeHint().width())
            window.resizeDocks([self], [width], Qt.Orientation.Horizontal)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_scene(self.scene)


def _link(name: str, text: str) -> QPushButton:
    link = QPushButton(text)
    link.setObjectName(name)
    link.setProperty("role", "link")
    return link


def _page(
    handbook: QPushButton, show: Callable[[PathStep], object]
) -> tuple[QWidget, list[QLabel]]:
    """Return the page and the labels that tell of the present picture."""
    page = QWidget()
    grid = QGridLayout(page)
    grid.setContentsMargins(12, 0, 12, 12)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    at_left = Qt.AlignmentFlag.AlignLeft
    _add_heading(grid, "Read more")
    grid.addWidget(handbook, grid.rowCount(), 0, 1, 2, at_left)
    _add_heading(grid, "This picture")
    parts = [_add_line(grid, part, "", is_key=False) for part in PARTS]
    _add_heading(grid, TITLE)
    for step in PATH:
        _add_line(grid, step.question, step.answer, is_key=False)
        link = _link(f"path_{step.key}_button", SHOW.format(what=step.what))
        link.setAccessibleName(link.text())
        link.clicked.connect(partial(show, step))
        grid.addWidget(link, grid.rowCount(), 0, 1, 2, at_left)
    _add_heading(grid, "Words")
    for term in TERMS.values():
        words = f"{term.formula}\n{term.sentence}"
        _add_line(grid, term.title, words, is_key=False)
    for title, lines in sections():
        _add_heading(grid, title)
        for left, right in lines:
            _add_line(grid, left, right, len(left) <= LONGEST_KEY)
    grid.setRowStretch(grid.rowCount(), 1)
    return page, parts


def _add_heading(grid: QGridLayout, title: str) -> None:
    heading = _label(title, "heading")
    heading.setContentsMargins(0, 10, 0, 0)
    grid.addWidget(heading, grid.rowCount(), 0, 1, 2)


def _add_line(grid: QGridLayout, left: str, right: str, is_key: bool) -> QLabel:
    """Add a key with its meaning beside it, or words with their meaning below."""
    number, top = grid.rowCount(), Qt.AlignmentFlag.AlignTop
    name, told = _label(left, "title"), _label(right, "muted")
    if is_key:
        grid.addWidget(name, number, 0, top)
        grid.addWidget(told, number, 1, top)
    else:
        name.setContentsMargins(0, 4, 0, 0)
        grid.addWidget(name, number, 0, 1, 2)
        grid.addWidget(told, number + 1, 0, 1, 2)
    return told


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    label.setWordWrap(True)
    return label


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
