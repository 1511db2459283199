"""What all panels have in common: they show a scene and wish for other settings."""

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QWidget

from kpca_viewer.ui.controls import PlotPanel
from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.scene import Scene, Wishes


class ScenePanel(PlotPanel):
    """A panel of the board.

    Parameters
    ----------
    title : str
    body : QWidget
    wishes : Wishes
        Where edits go.

    Attributes
    ----------
    scene : Scene
        The newest, from which wishes start; until it is drawn, the panel shows the one
        before.
    """

    def __init__(self, title: str, body: QWidget, wishes: Wishes) -> None:
        super().__init__(title, body)
        self.scene = Scene()
        self.wishes = wishes
        self._drawn: tuple[Any, ...] | None = None

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene, unless it looks the same here; wishes for nothing."""
        self.scene = scene
        part = scene.picture
        if scene.result is not None and part != self._drawn:
            self._drawn = part
            self.draw()
        self.show_age()

    def draw(self) -> None:
        """Draw the result of the scene."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        raise NotImplementedError

    def show_age(self) -> None:
        """Dim what does not answer the settings, or stays behind a film."""
        words = self.scene.stale
        dimmed = words is not None or self.is_behind()
        if dimmed != self.is_dimmed():
            self.set_dimmed(dimmed)
        self.set_stale_words(words or "")
        self.set_caption_dimmed(dimmed or self.has_caption_behind())

    def is_behind(self) -> bool:
        """Return whether a film plays that the plot does not go along with."""
        return False

    def has_caption_behind(self) -> bool:
        """Return whether a film plays that the line below does not go along with."""
        return False

    def wish_view(self, **changes: Any) -> None:
        """Ask for other view settings."""
        settings = self.scene.settings
        view = replace(settings.view, **changes)
        self.wishes.wish(replace(settings, view=view))
