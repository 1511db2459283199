"""The board: four panels in columns, arranged for the workspace; one is the stage."""

from collections.abc import Collection
from functools import partial
from itertools import chain

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QVBoxLayout, QWidget

from kpca_viewer.engine.event_loop import EventLoopSteps, wait
from kpca_viewer.engine.result import AnalysisResult, Sketch
from kpca_viewer.features.columns.embedding_arrows import EmbeddingArrows
from kpca_viewer.features.data_plot.new_points import NewPoints
from kpca_viewer.features.data_plot.panel import DataPanel
from kpca_viewer.features.drawing.view import DrawingTools
from kpca_viewer.features.embedding.panel import EmbeddingPanel
from kpca_viewer.features.lift.view import LiftTools
from kpca_viewer.features.preimage.probe import PROBE, PreImageTools
from kpca_viewer.features.preimage.walk import WalkTools
from kpca_viewer.features.spectrum.panel import SpectrumPanel
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.cloud_layer import AT_ONCE
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import LOOKS, Changes, Scene
from kpca_viewer.widgets.scene_panel import PICTURE, ScenePanel
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.window.page_panel import PagePanel
from kpca_viewer.window.workspaces import Columns

SWAPS = ("explore", "sweep")
"""Workspaces in which panels change places with the stage; in a sweep, the two pins
that are compared are seen large so."""


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
    """A scene is in every panel, and painted where it has come as a whole. Isolines of
    the rows that are there already follow."""
    workspace_changed = Signal(str)
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
        self.compare = PagePanel(self.linking, self.changes)
        self.new_points = NewPoints(plots, self.compare.pca)
        for page in self.compare.views.values():
            page.attach(plots)
        self.arrows = EmbeddingArrows(self.embedding.view, self.linking)
        self.panels: list[ScenePanel] = [
            self.data,
            self.embedding,
            self.spectrum,
            self.compare,
        ]
        self.preimages = PreImageTools(plots, self.compare)
        self.walk = WalkTools(self.preimages)
        self._theme = LIGHT
        self.scene = Scene()
        self._hidden: set[int] = set()
        self._in_legend: tuple[object, ...] = ()
        self._before_page = ""
        self._brought = ""
        self._needs_data = False
        self._favoured = ""
        self.is_presenting = False
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
        very many. The first picture is painted with its window, which may not have been
        painted before: panels that look as before would be holes.
        """
        before, self.scene = self.scene, scene
        self._bring_data()
        for panel in self.panels:
            panel.scene = scene
        # Changes start from what is set now, not from what is drawn already.
        for part in (self.new_points, *self.compare.views.values()):
            part.scene = scene
        if LOOKS(scene) != LOOKS(before):
            self.set_theme(scene.theme)
        if scene.stale is not None or scene.played != before.played:
            for panel in self.panels:
                panel.show_age()
            self.arrows.show_scene(scene)
        if scene.played != before.played and scene.result is not None:
            # They go along with a film.
            self._draw(self.spectrum)
            self._draw(self.compare)
        if scene.is_empty:
            if not before.is_empty:
                self._show_empty()
        elif scene.result is not None and PICTURE(scene) != PICTURE(before):
            self._take(before, scene.result)
        elif scene.notes.new_points != before.notes.new_points:
            self._draw(self.compare)
            self.new_points.show_scene(scene)
        elif LOOKS(scene) != LOOKS(before) and self.has_shown():
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
        elif old is not None and others and self.isVisible():
            self._take_whole()
        else:
            self._turns.take_all()
            if old is None:
                # A legend that has room only after the first paint moves the plot.
                for widget in (self, *self.findChildren(QWidget)):
                    QApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest)

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

    def show_sketch(self, sketch: Sketch) -> None:
        """Show some rows where the embedding has a place."""
        if self.columns.shows(self.embedding):
            self.embedding.show_sketch(sketch)

    def is_settled(self) -> bool:
        """Return whether nothing of the last result is left to be drawn."""
        return self.has_shown() and self.data.is_settled()

    def has_shown(self) -> bool:
        """Return whether the last result is in every panel; isolines may follow."""
        return not (self._turns.running or self._paints.running)

    def settle(self) -> None:
        """Show in every panel now what would come by turns, and behind them."""
        if self._turns.running:
            self._turns.take_all()
        self.data.settle()

    def close_asides(self) -> None:
        self.compare.close_asides()
        self.arrows.aside.close()

    # Where panels stand

    @property
    def workspace(self) -> str:
        return self.columns.workspace

    def show_workspace(self, workspace: str) -> None:
        """Arrange the panels for a task; all of it is drawn that was hidden before."""
        if workspace != self.workspace:
            self._before_page = ""
            lifts = workspace == "explore" and self._needs_data
            self._brought = "data" if lifts else ""
            self._arrange(workspace, self._brought)
            self.compare.show_workspace(workspace)
            self.workspace_changed.emit(workspace)

    def add_panel(self, widget: QWidget, workspace: str, place: str) -> None:
        """Give a widget of a feature a place in one workspace.

        Parameters
        ----------
        place : {"left", "below", "side"}
            Left of the stage, below it, or below the pages.
        """
        self.columns.add(widget, workspace, place)

    @property
    def on_stage(self) -> str:
        """The key of the panel on the stage."""
        return self.columns.swapped or "embedding"

    def bring_to_stage(self, key: str) -> None:
        """Let a panel change places with the embedding, which it also ends."""
        if key != self.on_stage and self.workspace in SWAPS:
            self._arrange(self.workspace, "" if key == "embedding" else key)

    @Slot()
    def _bring_data(self) -> None:
        """Show the data on the stage as soon as they are lifted or drawn.

        A person may change places meanwhile; that stays.
        """
        wanted = bool(self.scene.settings.view.lift) or self.drawing.on
        lifts = bool(self.scene.settings.view.lift)
        self.columns.favour("data" if lifts else self._favoured)
        if wanted == self._needs_data:
            return
        self._needs_data = wanted
        if wanted:
            if not self.columns.shows(self.data):
                self.show_workspace("explore")
            elif self.on_stage == "embedding":
                self.bring_to_stage("data")
                self._brought = self.columns.swapped
        elif self._brought:
            self.bring_to_stage("embedding")

    def favour(self, key: str) -> None:
        """Give a panel beside the stage more height; an empty key ends that."""
        self._favoured = key
        self._bring_data()

    def set_presenting(self, on: bool) -> None:
        """Leave out what a class does not need to see, or bring it back."""
        self.is_presenting = on
        self.compare.set_presenting(on)
        self._arrange(self.workspace, self.columns.swapped)

    def _arrange(self, workspace: str, swapped: str = "") -> None:
        explores = workspace == "explore"
        if swapped != self._brought:
            self._brought = ""
        stage = "embedding" if swapped in ("", "data") else swapped
        only = (stage, "data") if self.is_presenting and explores else None
        self.columns.arrange(workspace, swapped, only)
        for key, panel in self._panels_by_key().items():
            can_swap = workspace in SWAPS and not self.is_presenting
            panel.set_on_stage(key == self.on_stage, can_swap=can_swap)
        self.embedding.set_compact(
            not explores or self.on_stage != "embedding" or self.is_presenting
        )
        if self.scene.result is not None:
            for panel in self.panels:
                self._draw(panel)

    def toggle_page(self, key: str) -> None:
        """Show a page in its workspace; where it is shown, go back to the one before.

        Parameters
        ----------
        key : str
            Of the pages of all features.
        """
        before, workspace = self._before_page, self.workspace
        if before and self.compare.pages.value() == key:
            self.show_workspace(before)
            return
        self.compare.show_page(key)
        self._before_page = workspace
        # What had the keys may be hidden now.
        self.compare.views[key].view.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def panel_keys(self) -> tuple[str, ...]:
        return tuple(self._panels_by_key())

    def _panels_by_key(self) -> dict[str, ScenePanel]:
        keys = "data", "embedding", "spectrum", "pages"
        return dict(zip(keys, self.panels, strict=True))

    def front(self) -> str | None:
        """Return the plot in front: that on the stage, or the page with the keys.

        A key of the registry; None where it is the embedding.
        """
        stage, page = self.on_stage, self.compare.pages.value()
        if stage not in ("embedding", "pages"):
            return stage
        view, focus = self.compare.views[page].view, self.window().focusWidget()
        at_page = focus is not None and (view is focus or view.isAncestorOf(focus))
        return page if stage == "pages" or at_page else None

    def main_panels(self) -> list[ScenePanel]:
        """Return the panels, the one that matters most first."""
        rest = [panel for panel in self.panels if panel is not self.embedding]
        return [self.embedding, *rest]

    def restore(self) -> bool:
        """Bring the embedding back to the stage; returns whether it was not there.

        Where a tool has brought the data there, they leave with the tool.
        """
        if self.on_stage == "embedding" or self._brought:
            return False
        self.bring_to_stage("embedding")
        return True

    def scatters(self) -> list[JoinedScatter]:
        """Return the plots of single rows."""
        of_pages = (page.scatters for page in self.compare.views.values())
        return [self.data.view, self.embedding.view, *chain(*of_pages)]

    def _lay_out(self) -> None:
        self.columns = Columns(self._panels_by_key())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 8, 2)
        layout.addWidget(self.columns)
        self._arrange("explore")

    def reset_layout(self) -> None:
        """Give every panel its place and its share again."""
        self._arrange(self.workspace)
        self.columns.reset()

    def _connect(self) -> None:
        for panel in self.panels:
            panel.stage_requested.connect(self._on_stage_requested)
        self.drawing.turned.connect(self._bring_data)
        self.changes.points_requested.connect(self.new_points.requested)
        self.changes.point_requested.connect(self.new_points.put)
        self.data.view.marker_released.connect(self.changes.gesture_ended)
        self.embedding.legend.hidden_changed.connect(self._on_hidden_changed)
        for legend in (self.embedding.legend, self.data.means):
            legend.classes_hovered.connect(self._on_classes_hovered)
        self.embedding.tool.value_changed.connect(self._on_tool_changed)
        self.compare.workspace_requested.connect(self.show_workspace)
        for view in self.scatters():
            view.canvas.menu_requested.connect(self._on_plot_menu_requested)
        for widget in chain(*(p.menu_widgets for p in self.compare.views.values())):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(self._on_menu_requested)

    def _draw(self, panel: ScenePanel) -> None:
        # What has no place in the workspace is drawn when it gets one.
        if self.columns.shows(panel):
            panel.show_scene(self.scene)

    def update_panel(self, panel: ScenePanel) -> None:
        """Draw the newest scene in a panel, whether it has a place now or not."""
        panel.show_scene(self.scene)

    def _show_extras(self) -> None:
        self.new_points.show_scene(self.scene)
        self.arrows.show_scene(self.scene)
        self.preimages.show_scene(self.scene)
        self._show_legend()
        self._show_hidden()

    def _on_turns_ended(self) -> None:
        if self.has_shown():
            self.shown.emit(self.scene)

    def _show_legend(self) -> None:
        colors, legend = self.scene.colors, self.embedding.legend
        shown = colors, self._theme, self.scene.type_scale, self.hidden
        if colors is None or shown == self._in_legend:
            return
        self._in_legend = shown
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
                others=colors.others,
            )
            legend.set_hidden(self._hidden)
        elif colors.kind == "continuous":
            legend.set_continuous(colors.title, colors.ends, self._theme)
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

    def _on_stage_requested(self) -> None:
        keys = self._panels_by_key().items()
        key = next(key for key, panel in keys if panel is self.sender())
        self.bring_to_stage("embedding" if key == self.on_stage else key)

    def _on_classes_hovered(self, classes: frozenset[int] | None) -> None:
        colors, mask = self.scene.colors, None
        if classes is not None and colors is not None and colors.kind == "class":
            mask = np.isin(colors.codes, list(classes))
        for view in self.scatters():
            if view.point_count:
                view.set_lifted(None if mask is None else mask[: view.point_count])

    def _on_hidden_changed(self, hidden: set[int]) -> None:
        self._hidden = set(hidden)
        self._show_hidden()

    def _on_tool_changed(self, tool: str) -> None:
        for view in self.scatters():
            view.interaction.tool = "rectangle" if tool == "rectangle" else "lasso"


def _classes(scene: Scene) -> tuple[object, ...]:
    colors = scene.colors
    return () if colors is None else (colors.kind, colors.names)
