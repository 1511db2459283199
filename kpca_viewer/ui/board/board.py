"""The board: four panels between splitters, one of which can fill it."""

from collections.abc import Collection
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QSplitter, QVBoxLayout, QWidget

from kpca_viewer.runtime.turns import Turns, wait
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.board.columns import Columns
from kpca_viewer.ui.board.compare_panel import ComparePanel
from kpca_viewer.ui.board.data_panel import DataPanel
from kpca_viewer.ui.board.embedding_panel import EmbeddingPanel
from kpca_viewer.ui.board.joined_scatter import JoinedScatter
from kpca_viewer.ui.board.new_points import NewPoints
from kpca_viewer.ui.board.spectrum_panel import SpectrumPanel
from kpca_viewer.ui.controls import PlotPanel
from kpca_viewer.ui.look.theme import LIGHT, Theme
from kpca_viewer.ui.plots.coloring import Coloring, coloring
from kpca_viewer.ui.plots.linking import Linking


class Board(QWidget):
    """Data, embedding, spectrum and comparison, linked by rows.

    Attributes
    ----------
    settings_wished : Signal(object, object)
    gesture_ended : Signal
    shown : Signal(object)
        A result is in every panel, and painted where it has come as a whole.
    menu_wished : Signal(object, str)
        Where on the screen (QPoint) the menu of the selection is to open, and that
        of which plot: "embedding", "linear", or "" for all others.
    linking : Linking
    panels : list of PlotPanel
    columns : Columns
    """

    settings_wished = Signal(object, object)
    gesture_ended = Signal()
    shown = Signal(object)
    menu_wished = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("board")
        self.linking = Linking(self)
        self.data = DataPanel(self.linking)
        self.embedding = EmbeddingPanel(self.linking)
        self.spectrum = SpectrumPanel()
        self.compare = ComparePanel(self.linking)
        self.new_points = NewPoints(
            self.data.view, self.embedding.view, self.compare.pca
        )
        self.panels: list[PlotPanel] = [
            self.data,
            self.embedding,
            self.spectrum,
            self.compare,
        ]
        self._theme = LIGHT
        self._settings = SessionSettings()
        self._result: AnalysisResult | None = None
        self._colors: Coloring | None = None
        self._hidden: set[int] = set()
        self._animate = False
        self._undims = False
        self._maximised: PlotPanel | None = None
        self._turns = Turns(
            [
                self._show_embedding,
                self._show_data,
                self._show_spectrum,
                self._show_compare,
                self._show_extras,
                wait,
            ],
            self,
        )
        # The order in which a picture that comes as a whole is painted; the first turn
        # is the one in which it comes. In the last, whatever follows the panels does.
        painting = [partial(p.setUpdatesEnabled, True) for p in self.main_panels()]
        self._paints = Turns([wait, *painting, wait], self)
        for turns in (self._turns, self._paints):
            turns.ended.connect(self._on_turns_ended)
        self._lay_out()
        self._connect()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for panel in (self.data, self.embedding, self.spectrum, self.compare):
            panel.set_theme(theme)
        self._show_legend()

    @property
    def theme(self) -> Theme:
        """The colours of now."""
        return self._theme

    @property
    def hidden(self) -> frozenset[int]:
        """Codes of the classes that are hidden."""
        return frozenset(self._hidden)

    def set_hidden(self, hidden: Collection[int]) -> None:
        """Hide classes by their codes, as the legend does. Emits nothing."""
        self.embedding.legend.set_hidden(hidden)
        self._hidden = self.embedding.legend.hidden
        self._show_hidden()

    def set_settings(self, settings: SessionSettings) -> None:
        """Take note of the current settings; wishes start from them."""
        self._settings = settings
        for panel in (self.data, self.embedding, self.spectrum, self.compare):
            panel.settings = settings

    def show_result(
        self,
        result: AnalysisResult,
        settings: SessionSettings,
        *,
        fresh: bool = False,
        animate: bool = False,
        by_turns: bool = False,
    ) -> None:
        """Show one result in every panel.

        Parameters
        ----------
        result : AnalysisResult
        settings : SessionSettings
        fresh : bool
            Whether it was just computed: dimmed panels come back with it.
        animate : bool
            Whether points glide to where they are now.
        by_turns : bool
            Whether one panel follows the other, each in a turn of the event loop, so
            that the window answers in between.
        """
        before = None if self._result is None else self._result.dataset
        # The same points in other classes are the same rows.
        others = before is None or before.points is not result.dataset.points
        if others:
            self.linking.reset(result.dataset.n)
            for view in self._scatters():
                # Close-ups were of other data.
                view.set_camera(view.camera.stepped_back())
                if by_turns:
                    # Who waits for its turn must not answer for other rows.
                    view.show_nothing("")
        self.linking.set_new(result.all_rows.dataset.n - result.dataset.n)
        old, self._colors = self._colors, coloring(result, settings.view)
        self._result, self._settings = result, settings
        self._undims, self._animate = self._undims or fresh, animate
        colors = self._colors
        if old is None or (old.kind, old.names) != (colors.kind, colors.names):
            self._hidden.clear()
        if by_turns:
            self._turns.begin()
        elif others and self.isVisible():
            self._take_whole()
        else:
            self._turns.take_all()

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

    def set_dimmed(self, dimmed: bool, words: str = "") -> None:
        """Dim the pictures while they do not answer the settings, and say why."""
        self._undims = False
        for panel in self.panels:
            panel.set_dimmed(dimmed)
            panel.set_stale_words(words)

    def toggle_maximised(self, panel: PlotPanel) -> None:
        """Let one panel fill the board, or bring the others back."""
        self._maximised = None if self._maximised is panel else panel
        for other in self.panels:
            other.setVisible(self._maximised in (None, other))
        self._top.setVisible(self._maximised in (None, self.data, self.embedding))
        self._bottom.setVisible(self._maximised in (None, self.spectrum, self.compare))

    def main_panels(self) -> list[PlotPanel]:
        """Return the panels, the one that matters most first."""
        rest = [panel for panel in self.panels if panel is not self.embedding]
        return [self.embedding, *rest]

    def restore(self) -> bool:
        """Bring all panels back; returns whether one was maximised."""
        if self._maximised is None:
            return False
        self.toggle_maximised(self._maximised)
        return True

    def _scatters(self) -> list[JoinedScatter]:
        return [self.data.view, self.embedding.view, self.compare.pca]

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
        self.columns = Columns((self._top, self._bottom), 0.46)
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
        for source in (self.data, self.embedding, self.spectrum):
            source.settings_wished.connect(self.settings_wished)
        self.spectrum.gesture_ended.connect(self.gesture_ended)
        self.compare.centring_wished.connect(self._on_centring_wished)
        self.embedding.legend.hidden_changed.connect(self._on_hidden_changed)
        self.embedding.tool.value_changed.connect(self._on_tool_changed)
        for view in self._scatters():
            view.canvas.menu_wished.connect(self._on_plot_menu_wished)
        for widget in (self.compare.gram, self.compare.table.table):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(self._on_menu_requested)

    def _show_embedding(self) -> None:
        if self._result is not None and self._colors is not None:
            self.embedding.show_result(
                self._result, self._settings, self._colors, animate=self._animate
            )
        self._undim(self.embedding)

    def _show_data(self) -> None:
        if self._result is not None and self._colors is not None:
            self.data.show_result(self._result, self._settings, self._colors)
        self._undim(self.data)

    def _show_spectrum(self) -> None:
        if self._result is not None:
            self.spectrum.show_result(self._result, self._settings)
        self._undim(self.spectrum)

    def _show_compare(self) -> None:
        if self._result is not None and self._colors is not None:
            self.compare.show_result(self._result, self._settings, self._colors)
        self._undim(self.compare)

    def _undim(self, panel: PlotPanel) -> None:
        if self._undims:
            panel.set_dimmed(False)

    def _show_extras(self) -> None:
        if self._result is not None:
            self.new_points.show_result(self._result, self._settings)
        self._show_legend()
        self._show_hidden()

    def _on_turns_ended(self) -> None:
        if not self._turns.running:
            self._undims = False
        if self.is_settled():
            self.shown.emit(self._result)

    def _show_legend(self) -> None:
        colors, legend = self._colors, self.embedding.legend
        if colors is None:
            return
        self.embedding.shape_legend.show_shapes(
            colors.shape_title, colors.shape_names, self._theme
        )
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
        colors, mask = self._colors, None
        if self._hidden and colors is not None and colors.kind == "class":
            mask = np.isin(colors.codes, list(self._hidden))
        for view in self._scatters():
            if view.point_count:
                view.set_hidden(None if mask is None else mask[: view.point_count])

    def _on_menu_requested(self, position: QPoint) -> None:
        widget = self.sender()
        assert isinstance(widget, QWidget)
        if isinstance(widget, QAbstractScrollArea):
            widget = widget.viewport()
        self.menu_wished.emit(widget.mapToGlobal(position), "")

    def _on_plot_menu_wished(self, position: QPoint) -> None:
        plots = {"embedding": self.embedding.view, "linear": self.compare.pca}
        canvas = self.sender()
        names = [name for name, view in plots.items() if view.canvas is canvas]
        self.menu_wished.emit(position, "".join(names))

    def _on_maximise_requested(self) -> None:
        panel = self.sender()
        if isinstance(panel, PlotPanel):
            self.toggle_maximised(panel)

    def _on_hidden_changed(self, hidden: set[int]) -> None:
        self._hidden = set(hidden)
        self._show_hidden()

    def _on_tool_changed(self, tool: str) -> None:
        for view in self._scatters():
            view.set_selection_tool("rectangle" if tool == "rectangle" else "lasso")

    def _on_centring_wished(self, centred: bool) -> None:
        view = replace(self._settings.view, gram_centred=centred)
        self.settings_wished.emit(replace(self._settings, view=view), None)
