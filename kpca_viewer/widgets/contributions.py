"""What a feature adds to a plot of another one: modes, bars, buttons, markers, tools.

A panel knows these interfaces and no feature by name. The window hands contributions to
panels, and panels to features by their keys: ``plots["data"]``, ``plots["embedding"]``.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QAbstractButton, QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.scene import Scene

if TYPE_CHECKING:
    from kpca_viewer.widgets.scatter_panel import ScatterPanel

Plots = Mapping[str, "ScatterPanel"]
"""The large plots of the board by their keys: "data" and "embedding"."""


class PlotTool(NamedTuple):
    """A choice beside others in the header of a plot, as `Segmented` takes it."""

    key: str
    title: str
    tip: str
    short: str = ""


class PlotMode(Protocol):
    """A way to draw the rows of a plot, beside two and three dimensions."""

    tool: PlotTool

    def why_not(self, result: AnalysisResult) -> str:
        """Say why the data of a result cannot be drawn so; empty where they can."""

    def is_on(self, scene: Scene) -> bool: ...

    def request(self) -> None:
        """Ask for settings that switch it on."""

    def show_controls(self, scene: Scene) -> None:
        """Show what it can be changed by, or nothing where it is off."""

    def draw(self, scene: Scene) -> CaptionWords:
        """Draw the rows of a scene in which it is on; returns the line below."""

    def leave(self) -> None:
        """Take everything away that `draw` has added to the plot."""


class PlotContribution(QObject):
    """What a feature adds to a plot: a bar above it, a button in its header, a mode."""

    bar: QWidget | None = None
    button: QAbstractButton | None = None

    @property
    def mode(self) -> PlotMode | None:
        return None

    def attach(self, panel: "ScatterPanel") -> None:
        """Take the panel that it is a part of, once that is made."""


class MarkerLayer(QObject):
    """Markers of one feature; indices are those among its own."""

    dragged = Signal(int, object)
    """Which one, and where to."""
    removed = Signal(int)
    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.markers: Sequence[Marker] = ()

    def show(self, markers: Sequence[Marker]) -> None:
        """Show other markers; a plot that is raised raises all of them anew."""
        self.markers = markers
        self.changed.emit()


class MarkerLayers(QObject):
    """All markers on one plot, those of the layer that was added first in front."""

    def __init__(self, view: ScatterView) -> None:
        super().__init__(view)
        self._view = view
        self._layers: list[MarkerLayer] = []
        view.marker_dragged.connect(self._on_dragged)
        view.marker_removed.connect(self._on_removed)

    def add(self) -> MarkerLayer:
        layer = MarkerLayer(self)
        layer.changed.connect(self._show)
        self._layers.append(layer)
        return layer

    def clear(self) -> None:
        for layer in self._layers:
            layer.markers = ()
        self._show()

    def _show(self) -> None:
        self._view.set_markers([m for layer in self._layers for m in layer.markers])

    def _owner(self, index: int) -> tuple[MarkerLayer, int]:
        for layer in self._layers:
            if index < len(layer.markers):
                return layer, index
            index -= len(layer.markers)
        raise IndexError(index)

    def _on_dragged(self, index: int, place: object) -> None:
        layer, own = self._owner(index)
        layer.dragged.emit(own, place)

    def _on_removed(self, index: int) -> None:
        layer, own = self._owner(index)
        layer.removed.emit(own)


class Pages(Protocol):
    """The pages beside the spectrum, one of which is in front."""

    @property
    def pages(self) -> Segmented:
        """The tabs; the value is the key of the page in front."""

    @property
    def views(self) -> Mapping[str, PageView]: ...

    @property
    def page_turned(self) -> SignalInstance: ...

    def show_page(self, key: str) -> None: ...
