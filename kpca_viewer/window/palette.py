"""Everything that can be done or shown, found by words: Ctrl+K."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window.feature import all_actions
from kpca_viewer.window.menus import keys_of
from kpca_viewer.window.sidebar.appearance_card import color_choices
from kpca_viewer.window.sidebar.settings_card import SettingsCard

MOST = 40
"""Entries that are listed; more words find the others."""

WIDTH, HIGHEST = 560, 420
"""Pixels; the list is as high as what it shows."""

AROUND = 36
"""Pixels above and below the line to type into, and around the list."""

PAGE = 12
"""Entries that PgUp and PgDn pass."""

_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -PAGE,
    Qt.Key.Key_PageDown: PAGE,
}


WORDS = {
    "export": "save picture figure image png svg pdf paper",
    "export_numbers": "save coordinates scores csv table export",
    "copy_code": "code script notebook export",
    "report": "html pdf methods export",
    "page": "html browser interactive share export",
    "embedding_3d": "3d three dimensions",
    "larger_type": "bigger text font size zoom",
    "smaller_type": "text font size",
    "theme": "dark light colours night mode",
    "sweep_start": "gamma parameter range",
    "page_odd": "outliers leverage",
    "page_real": "random chance permutation noise",
    "page_columns": "features influence loadings",
    "choose": "cross validation best kernel select",
    "present": "full screen class lecture",
    "toggle_center": "centering",
}
"""What people call actions beside their names, by their keys."""


class Entry(NamedTuple):
    """One thing that the palette finds."""

    title: str
    kind: str
    keys: str
    run: Callable[[], object]
    words: str = ""
    """What else it is found by."""


def entries(workbench: Workbench, scene: Scene) -> Iterator[Entry]:
    """Yield actions that are possible, sources, and columns to colour by."""
    actions = workbench.window.actions_table
    for _, row in all_actions():
        action = actions[row.key]
        if action.isEnabled() and row.key not in ("palette", "escape"):
            kind = row.menu.replace("&", "")
            words = f"{row.tip} {WORDS.get(row.key, '')}"
            yield Entry(action.iconText(), kind, keys_of(row), action.trigger, words)
    for card in workbench.window.sidebar.cards:
        title = card.header.text()
        yield Entry(title, "Sidebar", "", partial(_unfold, workbench, card), card.words)
    for source in GENERATORS.values():
        yield Entry(source.title, "Source", "", partial(_open, workbench, source.key))
    for found in workbench.more_entries:
        for title, kind, words, run in found():
            yield Entry(title, kind, "", run, words)
    for title, value in color_choices(scene.result):
        run = partial(_color_by, workbench, str(value))
        yield Entry(f"Colour by {title}", "Column", "", run)


def _open(workbench: Workbench, source: str) -> None:
    settings = workbench.store.settings
    data = DataSettings.of_source(source, seed=settings.data.seed)
    view = settings.view.for_source(source)
    workbench.presenter.change(replace(settings, data=data, view=view))


def _color_by(workbench: Workbench, value: str) -> None:
    settings = workbench.store.settings
    view = replace(settings.view, color_by=value)
    workbench.presenter.change(replace(settings, view=view))


def matches(typed: str, found: Iterable[Entry]) -> list[Entry]:
    """Return the entries that hold every typed word, those that begin with it first."""
    kept = list(found)
    words = typed.casefold().split()
    for word in words:
        kept = [entry for entry in kept if word in _text(entry)]
    if not words:
        return kept
    return sorted(kept, key=lambda entry: _rank(entry.title.casefold(), words[0]))


def _text(entry: Entry) -> str:
    """Return all that an entry is found by; 3-D is 3d too."""
    text = f"{entry.title} {entry.kind} {entry.words}".casefold()
    return f"{text} {text.replace('-', '')}"


def _unfold(workbench: Workbench, card: SettingsCard) -> None:
    workbench.window.actions_table["controls"].setChecked(True)
    card.set_collapsed(False)
    workbench.window.sidebar.ensureWidgetVisible(card)
    card.header.setFocus(Qt.FocusReason.OtherFocusReason)


def _rank(title: str, word: str) -> int:
    if title.startswith(word):
        return 0
    return 1 if f" {word}" in title else 2


class Palette(QFrame):
    """A line to type into over a list of what it finds."""

    def __init__(self, workbench: Workbench) -> None:
        window = workbench.window
        super().__init__(window)
        self._workbench = workbench
        self._entries: list[Entry] = []
        self._found: list[Entry] = []
        self.setObjectName("palette")
        self.setProperty("role", "card")
        self.setAccessibleName("Find anything")
        self.field = QLineEdit()
        self.field.setObjectName("palette_field")
        self.field.setAccessibleName("Words to find")
        self.field.setPlaceholderText(
            "Find an action, source, kernel, page, lesson or column"
        )
        self.field.textChanged.connect(self._on_text_changed)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setObjectName("palette_list")
        self.list.setAccessibleName("What was found")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._on_item_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        window.installEventFilter(self)
        self.hide()

    @Slot()
    def open(self) -> None:
        """Show everything, ready to type."""
        self._before = self.window().focusWidget()
        # Once, not for every letter: there may be thousands of columns.
        scene = self._workbench.presenter.scene
        self._entries = list(entries(self._workbench, scene))
        with QSignalBlocker(self.field):
            self.field.clear()
        self._fill("")
        self.show()
        self.raise_()
        self.field.setFocus()

    def _place(self) -> None:
        window = self.window()
        width = min(WIDTH, window.width() - 32)
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.list.count()))
        around = self.field.sizeHint().height() + AROUND
        height = min(rows + around, HIGHEST, window.height() - 80)
        self.setGeometry((window.width() - width) // 2, 40, width, height)

    def _fill(self, typed: str) -> None:
        matching = matches(typed, self._entries)
        self._found = matching[:MOST]
        self.list.clear()
        for entry in self._found:
            item, line = QListWidgetItem(), _line(entry)
            spoken = f"{entry.title}, {entry.kind}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            item.setSizeHint(line.sizeHint())
            self.list.addItem(item)
            self.list.setItemWidget(item, line)
        if len(matching) > MOST:
            rest = QListWidgetItem(f"{len(matching) - MOST:,} more: type another word")
            rest.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(rest)
        elif not self._found:
            nothing = QListWidgetItem(f"Nothing has the words “{typed}”.")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(nothing)
        self.list.setCurrentRow(0)
        self._place()

    def _run(self, row: int) -> None:
        if 0 <= row < len(self._found):
            entry = self._found[row]
            self.close_palette()
            entry.run()

    def close_palette(self) -> None:
        """Hide it and give the keys back to what had them."""
        self.hide()
        before = self._before
        # A field may have gone with its parameter meanwhile.
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _on_text_changed(self, typed: str) -> None:
        self._fill(typed)

    @Slot(object)
    def _on_item_clicked(self, item: QListWidgetItem) -> None:
        self._run(self.list.row(item))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Walk through the list from the field; close when the keys go away."""
        kinds = QEvent.Type
        if watched is self.field:
            if event.type() == kinds.KeyPress and isinstance(event, QKeyEvent):
                return self._take_key(event)
            if event.type() == kinds.ShortcutOverride and isinstance(event, QKeyEvent):
                # Escape closes the palette before it cancels anything of the window.
                event.accept()
                return True
            if event.type() == kinds.FocusOut and self.isVisible():
                self.hide()
        elif event.type() == kinds.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.currentRow())
        elif key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in _STEPS:
            last = max(len(self._found) - 1, 0)
            row = self.list.currentRow() + _STEPS[key]
            self.list.setCurrentRow(min(max(row, 0), last))
        else:
            return False
        return True


def _line(entry: Entry) -> QWidget:
    line = QWidget()
    line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    layout = QHBoxLayout(line)
    layout.setContentsMargins(8, 2, 8, 2)
    title, kind, keys = QLabel(entry.title), QLabel(entry.kind), QLabel(entry.keys)
    for label in (title, kind, keys):
        label.setTextFormat(Qt.TextFormat.PlainText)
    for label in (kind, keys):
        label.setProperty("role", "caption")
    layout.addWidget(title, 1)
    layout.addWidget(keys)
    layout.addWidget(kind)
    return line
