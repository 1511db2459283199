"""What can be done, as actions of Qt in menus."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from kpca_viewer.engine.feature import Action, Feature, load
from kpca_viewer.widgets.icons import icon
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.workbench import Workbench
from kpca_viewer.window.feature import UNLISTED, all_actions

FLIPS = {
    "embedding": ("flip_x", "flip_y", "flip_z"),
    "linear": ("flip_linear_x", "flip_linear_y"),
}
"""Actions of the plots whose axes can be turned round."""


def keys_of(action: Action) -> str:
    """Return what to press, as people write it; empty for nothing."""
    native = QKeySequence.SequenceFormat.NativeText
    return action.other_key or QKeySequence(action.shortcut).toString(native)


class Actions:
    """The actions of all features as QActions that belong to a window.

    Every action is reached as an item: ``actions["undo"]``.

    Attributes
    ----------
    scene : Scene
        The newest, from which changes start.
    """

    def __init__(self, window: QWidget, changes: Changes | None = None) -> None:
        self._entries = all_actions()
        self._stateful = [e for e in self._entries if e[1].enabled or e[1].checked]
        self.scene = Scene()
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        groups: dict[str, QActionGroup] = {}
        for _, row in self._entries:
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
            tip, native = row.tip or row.name, keys_of(row)
            action.setToolTip(f"{tip}  ({native})" if native else tip)
            action.setIconText(row.name)
            if changes is not None and row.change is not None:
                action.triggered.connect(self._changer(row, changes))
            self._actions[row.key] = action
        window.addActions(list(self._actions.values()))

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def keys(self) -> Iterable[str]:
        """Return the keys of all actions, in order."""
        return self._actions.keys()

    def connect_handlers(self, workbench: Workbench) -> None:
        """Let actions call their handlers, those of controllers that are there."""
        for feature, row in self._entries:
            slot = _slot(feature, row, workbench)
            if slot is not None:
                self._actions[row.key].triggered.connect(slot)

    def show_state(self, scene: Scene) -> None:
        """Let the menus tell what holds in a scene; triggers nothing."""
        for _, row in self._stateful:
            action = self._actions[row.key]
            if row.enabled is not None:
                action.setEnabled(row.enabled(scene))
            if row.checked is not None and (row.checked(scene) or not row.group):
                action.setChecked(row.checked(scene))

    def _changer(self, row: Action, changes: Changes) -> Callable[[bool], None]:
        def change(on: bool) -> None:
            assert row.change is not None
            settings = row.change(self.scene.settings, on)
            if settings != self.scene.settings:
                changes.request(settings)

        return change

    def let_letters_act(self, on: bool) -> None:
        """Let keys without Ctrl act, or leave them to whatever has the focus."""
        contexts = Qt.ShortcutContext
        context = contexts.WindowShortcut if on else contexts.WidgetShortcut
        for _, row in self._entries:
            if len(row.shortcut.removeprefix("Shift+")) == 1:
                self._actions[row.key].setShortcutContext(context)

    def fill_menus(self, bar: QMenuBar) -> None:
        """Make all menus."""
        for _, row in self._entries:
            if row.menu in UNLISTED:
                continue
            if row.menu not in self._menus:
                self._menus[row.menu] = bar.addMenu(row.menu)
            if row.separator:
                self._menus[row.menu].addSeparator()
            self._menus[row.menu].addAction(self._actions[row.key])

    def menu(self, name: str) -> QMenu:
        """Return one of the menus; it can open anywhere."""
        return self._menus[name]

    def plot_menus(self, parent: QWidget) -> dict[str, QMenu]:
        """Return the menu of every plot by its name; of all others by an empty one.

        They have what is done with the selection, and axes turned round.
        """
        selection = self.menu("Se&lection")
        menus = {"": selection}
        for plot, flips in FLIPS.items():
            menus[plot] = QMenu(parent)
            menus[plot].setObjectName(f"{plot}_menu")
            menus[plot].addActions(selection.actions())
            menus[plot].addSeparator()
            menus[plot].addActions([self[key] for key in flips])
        return menus

    def insert_menus(self, key: str, *menus: QMenu) -> None:
        """Put submenus below an action."""
        menu = next(row.menu for _, row in self._entries if row.key == key)
        entries = self._menus[menu].actions()
        after = entries[entries.index(self._actions[key]) + 1]
        for each in menus:
            self._menus[menu].insertMenu(after, each)

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colours of a theme."""
        for _, row in self._entries:
            if row.icon:
                self._actions[row.key].setIcon(icon(row.icon, theme))


def _slot(feature: Feature, row: Action, workbench: Workbench) -> Any:
    """Return what an action calls, if anything."""
    if not row.handler:
        return None
    if callable(row.handler):
        # PySide looks at how many arguments a function has, which a partial hides.
        return lambda on, call=row.handler: call(workbench, on)
    if ":" in row.handler:
        return lambda on, name=row.handler: load(name)(workbench, on)
    controller = workbench.controllers.get(feature.key)
    if controller is None:
        return None
    return reduce(getattr, row.handler.split("."), controller)
