"""What all panels have in common: they show a scene and request other settings."""

from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.text.describe import about_pitfalls
from kpca_viewer.engine.text.remarks import strip_words
from kpca_viewer.widgets.controls import PlotPanel
from kpca_viewer.widgets.scene import Changes, DrawsResult, Scene
from kpca_viewer.widgets.theme import Theme

PICTURE: "attrgetter[Any]" = attrgetter("result", "colors", "settings.view")
"""All of a scene that plots are drawn from."""


class ScenePanel(DrawsResult, PlotPanel):
    """A panel of the board.

    Parameters
    ----------
    changes : Changes
        Where edits go.

    Attributes
    ----------
    scene : Scene
        The newest, from which changes start; until it is drawn, the panel shows the one
        before.
    """

    part: ClassVar["attrgetter[Any]"] = PICTURE

    def __init__(self, title: str, body: QWidget, changes: Changes) -> None:
        super().__init__(title, body)
        self.changes = changes

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene, unless it looks the same here; requests nothing."""
        super().show_scene(scene)
        self._show_pitfalls()
        self.show_age()

    def _show_pitfalls(self) -> None:
        """Say above the plot which steps were forgotten, whatever it shows."""
        result = self.scene.result
        words = "" if result is None else strip_words(result)
        self.set_strip(words, "" if result is None else about_pitfalls(result))

    def show_empty(self, scene: Scene) -> None:
        self.set_caption("")
        super().show_empty(scene)
        self.show_age()

    def set_theme(self, theme: Theme) -> None:
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

    def change_view(self, **changes: Any) -> None:
        """Ask for other view settings."""
        settings = self.scene.settings
        view = replace(settings.view, **changes)
        self.changes.request(replace(settings, view=view))
