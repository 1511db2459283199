"""The board: four panels between splitters, one of which can fill it."""

from collections.abc import Collection
from functools import partial
from itertools import chain

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QSplitter, QVBoxLayout, QWidget

from kpca_viewer.engine.event_loop import EventLoopSteps, wait
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.columns.embedding_arrows import EmbeddingArrows
from kpca_viewer.features.data_plot.new_points import NewPoints
from kpca_viewer.features.data_plot.panel import DataPanel
from kpca_viewer.features.drawing.view import DrawingTools
from kpca_viewer.features.embedding.panel import EmbeddingPanel
from kpca_viewer.features.lift.both_sides_view import BothSidesTool
from kpca_viewer.features.lift.view import LiftTools
from kpca_viewer.features.preimage.denoise import DenoiseTools
from kpca_viewer.features.preimage.probe import PROBE, PreImageTools
from kpca_viewer.features.preimage.walk import WalkTools
from kpca_viewer.features.spectrum.panel import SpectrumPanel
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.cloud_layer import AT_ONCE
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import LOOKS, Changes, Scene
from kpca_viewer.widgets.scene_panel import PICTURE, ScenePanel
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.window.compare_panel import ComparePanel
from kpca_viewer.window.splitter_columns import SplitterColumns


class Board(QWidget):
    """Data, embedding, spectrum and comparison, linked by rows.

    Parameters
    ----------
    changes : Changes, optional
        Of the panels.

    Attributes
    ----------
    scene : Scene
        The newest; panels that wait for their turn show it soon.
    """

    shown = Signal(object)
    """A scene is in every panel, and painted where it has come as a whole."""
    menu_requested = Signal(object, str)
    """Where on the screen (QPoint) the menu of the selection is to open, and that of
    which plot: "embedding", "linear", or "" for all others."""

    def __init__(self, changes: Changes | None = None) -> None:
        super().__init__()
        self.setObjectName("board")
        self.changes = changes or Changes(self)
        self.linking = Linking(self)
        self.lift = LiftTools(self.changes)
        self.drawing = DrawingTools(self.linking)
        added = self.lift, self.drawing
        self.data = DataPanel(self.linking, self.changes, *added)
        self.embedding = EmbeddingPanel(self.linking, self.changes, PROBE)
        plots = {"data": self.data, "embedding": self.embedding}
        self.spectrum = SpectrumPanel(self.changes)
        self.compare = ComparePanel(self.linking, self.changes)
        self.new_points = NewPoints(plots, self.compare.pca)
        self.both_sides = BothSidesTool(self, self.data, self.linking, self.changes)
        self.arrows = EmbeddingArrows(self.embedding.view, self.linking)
        self.panels: list[ScenePanel] = [
            self.data,
            self.embedding,
            self.spectrum,
            self.compare,
        ]
        self.preimages = PreImageTools(plots, self.compare)
        self.walk = WalkTools(self.preimages)
        self.denoise = DenoiseTools(self.preimages)
        self._theme = LIGHT
        self.scene = Scene()
        self._hidden: set[int] = set()
        self._maximised: ScenePanel | None = None
        self._turned: tuple[str, str] | None = None
        drawing = [partial(self._draw, panel) for panel in self.main_panels()]
        self._turns = EventLoopSteps([*drawing, self._show_extras, wait], self)
        # The order in which a picture that comes as a whole is painted; the first turn
        # is the one in which it comes. In the last, whatever follows the panels does.
        painting = [partial(p.setUpdatesEnabled, True) for p in self.main_panels()]
        self._paints = EventLoopSteps([wait, *painting, wait], self)
        for turns in (self._turns, self._paints):
            turns.ended.connect(self._on_turns_ended)
        self._lay_out()
        self._connect()

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for panel in self.panels:
            panel.set_theme(theme)
        self.drawing.set_theme(theme)
        self._show_legend()

    @property
    def hidden(self) -> frozenset[int]:
        return frozenset(self._hidden)

    def set_hidden(self, hidden: Collection[int]) -> None:
        """Hide classes by their codes, as the legend does. Emits nothing."""
        self.embedding.legend.set_hidden(hidden)
        self._hidden = self.embedding.legend.hidden
        self._show_hidden()

    def show_scene(self, scene: Scene) -> None:
        """Show a scene in every panel.

        Another view is shown at once, because it answers a control.
        Another result of the same rows comes by turns: one panel follows the other,
        and the window answers in between. Other rows come as a whole, unless there are
        very many.
        """
        before, self.scene = self.scene, scene
        for panel in self.panels:
            panel.scene = scene
        # Changes start from what is set now, not from what is drawn already.
        self.new_points.scene = self.both_sides.scene = scene
        if LOOKS(scene) != LOOKS(before):
            self.set_theme(scene.theme)
        if scene.stale is not None or scene.played != before.played:
            for panel in self.panels:
                panel.show_age()
            self.arrows.show_scene(scene)
        if scene.is_empty:
            if not before.is_empty:
                self._show_empty()
        elif scene.result is not None and PICTURE(scene) != PICTURE(before):
            self._take(before, scene.result)
        elif scene.notes.new_points != before.notes.new_points:
            self._draw(self.compare)
            self.new_points.show_scene(scene)
        elif LOOKS(scene) != LOOKS(before) and self.is_settled():
            self.shown.emit(scene)

    def _take(self, before: Scene, result: AnalysisResult) -> None:
        scene, old, rows = self.scene, before.result, result.dataset
        others = not result.has_rows_of(old)
        if not others and (old is not None and (old.dataset is rows or old.is_drawn)):
            by_turns = scene.settings.view == before.settings.view
        else:
            by_turns = rows.n > AT_ONCE
        if others:
            self._forget_rows(rows.n, empty=by_turns)
        self.linking.set_new(result.all_rows.dataset.n - rows.n)
        if _classes(before) != _classes(scene):
            self._hidden.clear()
        if by_turns:
            self._turns.begin()
        elif others and self.isVisible():
            self._take_whole()
        else:
            self._turns.take_all()

    def _show_empty(self) -> None:
        """Show that there are no rows, in every panel."""
        self.linking.reset(0)
        self.linking.set_new(0)
        self._hidden.clear()
        for panel in self.panels:
            panel.show_empty(self.scene)
        self.arrows.show_empty(self.scene)
        for view in self.scatters():
            view.set_markers([])
        self.data.markers.clear()
        self.preimages.show_scene(self.scene)
        self.both_sides.show_scene(self.scene)
        self.shown.emit(self.scene)

    def _forget_rows(self, count: int, *, empty: bool) -> None:
        """Get ready for other rows; plots that wait for them must not show the old."""
        self.linking.reset(count)
        for view in self.scatters():
            # Close-ups were of other data.
            view.set_camera(view.camera.stepped_back())
            if empty:
                view.show_nothing("")

    def _take_whole(self) -> None:
        """Let all panels show other rows at once, but paint them one by one.

        Until it is its turn, a panel looks as before.
        """
        for panel in self.panels:
            panel.setUpdatesEnabled(False)
        self._paints.begin()
        self._turns.take_all()

    def is_settled(self) -> bool:
        """Return whether the last result is in every panel, and painted."""
        return not (self._turns.running or self._paints.running)

    def settle(self) -> None:
        """Show in every panel now what would come by turns."""
        if self._turns.running:
            self._turns.take_all()

    def close_asides(self) -> None:
        self.compare.close_asides()
        self.arrows.aside.close()

    def toggle_maximised(self, panel: ScenePanel) -> None:
        """Let one panel fill the board, or bring the others back."""
        self._maximised = None if self._maximised is panel else panel
        for other in self.panels:
            other.setVisible(self._maximised in (None, other))
        self._top.setVisible(self._maximised in (None, self.data, self.embedding))
        self._bottom.setVisible(self._maximised in (None, self.spectrum, self.compare))
        if self._maximised is None:
            self._turn_back()

    def toggle_page(self, key: str) -> None:
        """Let a page fill the board; where it does, bring back what was there before.

        Parameters
        ----------
        key : str
            Of `session.plots.PAGES`.
        """
        shown = self.compare.pages.value()
        if self._maximised is self.compare and shown == key:
            self.restore()
            return
        if self._maximised is not self.compare:
            self.toggle_maximised(self.compare)
        self._turned = (shown, key) if shown != key else None
        self.compare.show_page(key)
        # What had the keys may be hidden now.
        self.compare.views[key].view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _panels_by_key(self) -> dict[str, ScenePanel]:
        keys = "data", "embedding", "spectrum", "compare"
        return dict(zip(keys, self.panels, strict=True))

    def filled(self) -> str | None:
        """Return the key of the panel that fills the board, if one does."""
        found = self._panels_by_key().items()
        return next((key for key, panel in found if panel is self._maximised), None)

    def fill_with(self, key: str) -> None:
        """Let a panel fill the board; one that it has not is left out."""
        panel = self._panels_by_key().get(key)
        if panel is not None and panel is not self._maximised:
            self.toggle_maximised(panel)

    def front(self) -> str | None:
        """Return the plot in front: what fills the board, or the page with the keys.

        A key of `session.plots`; None where all are side by side.
        """
        filled, page = self.filled(), self.compare.pages.value()
        view, focus = self.compare.views[page].view, self.window().focusWidget()
        at_page = focus is not None and (view is focus or view.isAncestorOf(focus))
        return page if filled == "compare" or (filled is None and at_page) else filled

    def main_panels(self) -> list[ScenePanel]:
        """Return the panels, the one that matters most first."""
        rest = [panel for panel in self.panels if panel is not self.embedding]
        return [self.embedding, *rest]

    def restore(self) -> bool:
        """Bring all panels back; returns whether one was maximised."""
        if self._maximised is None:
            return False
        self.toggle_maximised(self._maximised)
        return True

    def _turn_back(self) -> None:
        """Show the page again that was there before one filled the board."""
        if self._turned is not None:
            before, key = self._turned
            self._turned = None
            # A page that was turned to since stays.
            if self.compare.pages.value() == key:
                self.compare.show_page(before)

    def scatters(self) -> list[JoinedScatter]:
        """Return the plots of single rows."""
        of_pages = (page.scatters for page in self.compare.views.values())
        return [self.data.view, self.embedding.view, *chain(*of_pages)]

    def splitters(self) -> dict[str, QSplitter]:
        """Return what can be moved, by the name under which it is remembered."""
        return {"rows": self._rows, "top": self._top, "bottom": self._bottom}

    def _lay_out(self) -> None:
        self._top = QSplitter(Qt.Orientation.Horizontal)
        self._bottom = QSplitter(Qt.Orientation.Horizontal)
        self._rows = QSplitter(Qt.Orientation.Vertical)
        for splitter, children in (
            (self._top, (self.data, self.embedding)),
            (self._bottom, (self.spectrum, self.compare)),
            (self._rows, (self._top, self._bottom)),
        ):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(8)
            for child in children:
                splitter.addWidget(child)
        self.columns = SplitterColumns((self._top, self._bottom), 0.46)
        self.reset_layout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 8, 8)
        layout.addWidget(self._rows)

    def reset_layout(self) -> None:
        """Give every panel its share again."""
        self._top.setSizes([460, 540])
        self._bottom.setSizes([460, 540])
        self._rows.setSizes([580, 420])
        self.columns.reset()

    def _connect(self) -> None:
        for panel in self.panels:
            panel.maximise_requested.connect(self._on_maximise_requested)
        self.changes.points_requested.connect(self.new_points.requested)
        self.changes.point_requested.connect(self.new_points.put)
        self.lift.bar.both_sides_requested.connect(self.both_sides.open)
        self.data.view.marker_released.connect(self.changes.gesture_ended)
        self.embedding.legend.hidden_changed.connect(self._on_hidden_changed)
        self.embedding.tool.value_changed.connect(self._on_tool_changed)
        for view in self.scatters():
            view.canvas.menu_requested.connect(self._on_plot_menu_requested)
        for widget in chain(*(p.menu_widgets for p in self.compare.views.values())):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(self._on_menu_requested)

    def _draw(self, panel: ScenePanel) -> None:
        panel.show_scene(self.scene)

    def _show_extras(self) -> None:
        self.new_points.show_scene(self.scene)
        self.both_sides.show_scene(self.scene)
        self.arrows.show_scene(self.scene)
        self.preimages.show_scene(self.scene)
        self._show_legend()
        self._show_hidden()

    def _on_turns_ended(self) -> None:
        if self.is_settled():
            self.shown.emit(self.scene)

    def _show_legend(self) -> None:
        colors, legend = self.scene.colors, self.embedding.legend
        if colors is None:
            return
        self.embedding.shape_legend.show_shapes(
            colors.shape_title, colors.drawn_shape_names, self._theme
        )
        self.embedding.size_legend.show_sizes(colors.sizes, self._theme)
        if colors.kind == "class":
            legend.set_classes(
                colors.names,
                self._theme,
                unlabelled=bool((colors.codes < 0).any()),
                shapes=len(colors.shape_names),
                drawn=colors.drawn,
            )
            legend.set_hidden(self._hidden)
        elif colors.kind == "continuous":
            legend.set_continuous(colors.title, colors.low, colors.high, self._theme)
        else:
            legend.set_single(self._theme)

    def _show_hidden(self) -> None:
        colors, mask = self.scene.colors, None
        if self._hidden and colors is not None and colors.kind == "class":
            mask = np.isin(colors.codes, list(self._hidden))
        for view in self.scatters():
            if view.point_count:
                view.set_hidden(None if mask is None else mask[: view.point_count])

    def _on_menu_requested(self, position: QPoint) -> None:
        widget = self.sender()
        assert isinstance(widget, QWidget)
        if isinstance(widget, QAbstractScrollArea):
            widget = widget.viewport()
        self.menu_requested.emit(widget.mapToGlobal(position), "")

    def _on_plot_menu_requested(self, position: QPoint) -> None:
        plots = {"embedding": self.embedding.view, "linear": self.compare.pca}
        canvas = self.sender()
        names = [name for name, view in plots.items() if view.canvas is canvas]
        self.menu_requested.emit(position, "".join(names))

    def _on_maximise_requested(self) -> None:
        panel = self.sender()
        if isinstance(panel, ScenePanel):
            self.toggle_maximised(panel)

    def _on_hidden_changed(self, hidden: set[int]) -> None:
        self._hidden = set(hidden)
        self._show_hidden()

    def _on_tool_changed(self, tool: str) -> None:
        for view in self.scatters():
            view.set_selection_tool("rectangle" if tool == "rectangle" else "lasso")


def _classes(scene: Scene) -> tuple[object, ...]:
    colors = scene.colors
    return () if colors is None else (colors.kind, colors.names)
