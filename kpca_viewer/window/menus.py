"""What can be done, as actions of Qt in menus and toolbar."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QToolBar, QWidget

from kpca_viewer.widgets.icons import icon
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.actions.table import action_rows


class Actions:
    """The table as QActions that belong to a window.

    Every action is reached as an item: ``actions["undo"]``.
    """

    def __init__(self, window: QWidget) -> None:
        self._rows = action_rows()
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        groups: dict[str, QActionGroup] = {}
        for row in self._rows:
            action = QAction(row.text, window)
            action.setObjectName(f"{row.key}_action")
            action.setCheckable(row.checkable)
            if row.group:
                if row.group not in groups:
                    groups[row.group] = QActionGroup(window)
                groups[row.group].addAction(action)
            if row.shortcut:
                keys = (row.shortcut, *row.more_shortcuts)
                action.setShortcuts([QKeySequence(key) for key in keys])
            elif row.other_key:
                # Menus write what follows a tab where they write shortcuts.
                action.setText(f"{row.text}\t{row.other_key}")
            # A picture would take the place of the tick.
            action.setIconVisibleInMenu(not row.checkable)
            tip = row.tip or row.name
            action.setToolTip(f"{tip}  ({row.keys})" if row.keys else tip)
            action.setIconText(row.name)
            self._actions[row.key] = action
        window.addActions(list(self._actions.values()))

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def keys(self) -> Iterable[str]:
        """Return the keys of the table, in order."""
        return self._actions.keys()

    def let_letters_act(self, on: bool) -> None:
        """Let keys without Ctrl act, or leave them to whatever has the focus."""
        contexts = Qt.ShortcutContext
        context = contexts.WindowShortcut if on else contexts.WidgetShortcut
        for row in self._rows:
            if len(row.shortcut.removeprefix("Shift+")) == 1:
                self._actions[row.key].setShortcutContext(context)

    def fill_menus(self, bar: QMenuBar) -> None:
        """Make a menu of every name in the table."""
        for row in self._rows:
            if row.menu not in self._menus:
                self._menus[row.menu] = bar.addMenu(row.menu)
            if row.separator:
                self._menus[row.menu].addSeparator()
            self._menus[row.menu].addAction(self._actions[row.key])

    def menu(self, name: str) -> QMenu:
        """Return one of the menus; it can open anywhere."""
        return self._menus[name]

    def all_menus(self, parent: QWidget) -> QMenu:
        """Return one menu of all menus, for where there is no bar of them."""
        menu = QMenu(parent)
        menu.setObjectName("all_menus")
        for each in self._menus.values():
            menu.addMenu(each)
        return menu

    def insert_menus(self, key: str, *menus: QMenu) -> None:
        """Put submenus below an action."""
        row = next(row for row in self._rows if row.key == key)
        entries = self._menus[row.menu].actions()
        after = entries[entries.index(self._actions[key]) + 1]
        for menu in menus:
            self._menus[row.menu].insertMenu(after, menu)

    def fill_toolbar(self, bar: QToolBar) -> None:
        """Put the most used actions into a toolbar, in groups by menu."""
        last = ""
        for row in (row for row in self._rows if row.toolbar):
            if last and row.menu != last:
                bar.addSeparator()
            last = row.menu
            bar.addAction(self._actions[row.key])

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colours of a theme."""
        for row in self._rows:
            if row.icon:
                self._actions[row.key].setIcon(icon(row.icon, theme))
