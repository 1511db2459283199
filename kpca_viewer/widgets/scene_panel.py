"""What all panels have in common: they show a scene and request other settings."""

from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.engine.pitfalls import strip_words
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import about_pitfalls
from kpca_viewer.widgets.contributions import MarkerLayers
from kpca_viewer.widgets.controls import IconButton, PlotPanel, Segmented
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene, ShowsScene
from kpca_viewer.widgets.theme import Theme

PICTURE: "attrgetter[Any]" = attrgetter("result", "colors", "settings.view")
"""All of a scene that plots are drawn from."""


class ScenePanel(ShowsScene, PlotPanel):
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

    def refresh(self) -> None:
        """Draw the result of the scene, once there is one."""
        if self.scene.result is not None:
            self.draw(self.scene.result)

    def draw(self, result: AnalysisResult) -> None:
        raise NotImplementedError

    def show_empty(self, scene: Scene) -> None:
        """Show that there are no rows; any result that comes is drawn anew."""
        self.scene, self._shown_part = scene, None
        self.set_caption("")
        self.draw_nothing()
        self.show_age()

    def draw_nothing(self) -> None:
        raise NotImplementedError

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


THREE = "Show three axes; a drag turns them"


class ScatterPanel(ScenePanel):
    """A panel around one scatter that can be seen in two and three dimensions.

    Attributes
    ----------
    view : JoinedScatter
    markers : MarkerLayers
        What features put into the plot beside its rows.
    tool : Segmented
        What the left button does, in a plot with several pointer tools.
    shows_preview : bool
        Whether something else than the result is shown for a moment; the next drawing
        ends that.
    """

    tool: Segmented
    shows_preview = False

    def __init__(
        self,
        title: str,
        view_name: str,
        linking: Linking,
        changes: Changes,
        *above: QWidget,
    ) -> None:
        self.view = JoinedScatter(view_name, title, linking)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in above:
            layout.addWidget(widget)
        layout.addWidget(self.view, 1)
        self.markers = MarkerLayers(self.view)
        super().__init__(title, body, changes)

    def add_dimension_tools(self, name: str, *more: tuple[str, ...]) -> None:
        """Put the turn button and 2D | 3D into the header, and more choices."""
        self.turn = IconButton("camera_turn", "Turn slowly", 18)
        self.turn.setObjectName(f"{name}_turn_button")
        self.turn.setCheckable(True)
        self.turn.toggled.connect(self.view.set_auto_turn)
        self.add_tool(self.turn)
        self.set_tool_wanted(self.turn, False)
        self.dimensions = Segmented(
            [
                ("2d", "2D", "Show two axes; a drag selects points"),
                ("3d", "3D", THREE),
                *more,
            ],
            f"{self.title()} dimensions",
            folds=bool(more),
        )
        self.dimensions.setObjectName(f"{name}_dimensions")
        self.dimensions.value_changed.connect(self._on_dimensions_changed)
        self.add_tool(self.dimensions)

    def show_dimensions(self, three: bool, possible: bool = True) -> None:
        """Show which of the two is on."""
        self.set_tool_wanted(self.dimensions, possible)
        self.dimensions.set_value("3d" if three else "2d")
        self.set_tool_wanted(self.turn, possible and three)

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def change_dimensions(self, three: bool) -> None:
        raise NotImplementedError

    def set_gesture_words(self, words: str, empty: str) -> None:
        """Say what a pointer tool does: below the plot, and in one without rows.

        Without words below, the plot says what it usually does.
        """
        raise NotImplementedError

    def _on_dimensions_changed(self, key: str) -> None:
        self.change_dimensions(key == "3d")
