"""Samples of what stands around the plots: cards, bar in front of a class, help."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QMainWindow, QMenu

from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.help import HelpPanel
from kpca_viewer.window.present_bar import PresentBar
from kpca_viewer.window.preview.samples import WINE, scene
from kpca_viewer.window.sidebar.appearance_card import AppearanceCard
from kpca_viewer.window.sidebar.components_card import ComponentsCard
from kpca_viewer.window.sidebar.data_card import DataCard
from kpca_viewer.window.sidebar.kernel_card import KernelCard
from kpca_viewer.window.sidebar.settings_card import SettingsCard
from kpca_viewer.window.sidebar.sidebar import Sidebar

Follower = TypeVar("Follower", bound=SettingsCard | Sidebar | PresentBar)


def data_card(_theme: Theme) -> SettingsCard:
    """Show which data, with their parameters and scaling."""
    return _followed(DataCard)


def kernel_card(_theme: Theme) -> SettingsCard:
    """Show which kernel, with its formula and parameters."""
    return _followed(KernelCard)


def components_card(_theme: Theme) -> SettingsCard:
    """Show how many components, and how they are computed."""
    return _followed(ComponentsCard)


def appearance_card(_theme: Theme) -> SettingsCard:
    """Show what colours, shapes and labels mean."""
    return _followed(AppearanceCard)


def sidebar(_theme: Theme) -> Sidebar:
    """Show all cards in their column."""
    return _followed(Sidebar)


def present_bar(_theme: Theme) -> PresentBar:
    """Show what a class must see at all times, with one slider."""
    return _followed(lambda changes: PresentBar(QMenu(), changes))


def help_panel(_theme: Theme) -> QMainWindow:
    """Show the picture in sentences, words, gestures and keys."""
    window = QMainWindow()
    HelpPanel(window).show_scene(scene(WINE))
    return window


def _followed(make: Callable[[Changes], Follower]) -> Follower:
    """Return a widget that shows a session, and whatever is requested in it."""
    changes, shown = Changes(), scene(WINE)
    widget = make(changes)
    changes.setParent(widget)

    def on_settings_requested(settings: SessionSettings, _gesture: str | None) -> None:
        widget.show_scene(shown.changed(settings=settings))

    changes.settings_requested.connect(on_settings_requested)
    widget.show_scene(shown)
    return widget
