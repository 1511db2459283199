"""Menus of the plots: what is done with the selection, and axes turned round."""

from PySide6.QtWidgets import QMenu, QWidget

from kpca_viewer.window.actions.actions import Actions
from kpca_viewer.window.actions.selection import SELECTION

FLIPS = {
    "embedding": ("flip_x", "flip_y", "flip_z"),
    "linear": ("flip_linear_x", "flip_linear_y"),
}
"""Actions of the plots whose axes can be turned round."""


def plot_menus(actions: Actions, parent: QWidget) -> dict[str, QMenu]:
    """Return the menu of every plot by its name; of all others by an empty one."""
    selection = actions.menu(SELECTION)
    menus = {"": selection}
    for plot, flips in FLIPS.items():
        menus[plot] = QMenu(parent)
        menus[plot].setObjectName(f"{plot}_menu")
        menus[plot].addActions(selection.actions())
        menus[plot].addSeparator()
        menus[plot].addActions([actions[key] for key in flips])
    return menus
