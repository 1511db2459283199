"""What the two large scatter panels have in common."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.widgets.contributions import MarkerLayers
from kpca_viewer.widgets.controls import IconButton, Segmented
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.scene_panel import ScenePanel
from kpca_viewer.widgets.theme import Theme

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
        self.body_layout = layout = QVBoxLayout(body)
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
        """Say what a pointer tool does, below the plot and in an empty one."""
        raise NotImplementedError

    def _on_dimensions_changed(self, key: str) -> None:
        self.change_dimensions(key == "3d")
