"""The data plot raised into feature space, with the controls above it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.lifts import FIRST, LIFTS, Lift
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.stages import SameArray, centred
from kpca_viewer.features.lift import text
from kpca_viewer.features.lift.compute import (
    LiftedSpace,
    Raised,
    Separation,
    lifted_space,
    plane_ends,
    separation,
    variables_of,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.contributions import PlotContribution, PlotMode, PlotTool
from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import CaptionWords
from kpca_viewer.widgets.plots.space3d import Space, SpaceDrawing, Surface
from kpca_viewer.widgets.scatter_panel import ScatterPanel
from kpca_viewer.widgets.scene import Changes, Scene

HEIGHT = Parameter("raised", "", text.HEIGHT, 0.0, 1.0, 1.0, help=text.HEIGHT_TIP)

ALIKE = 5.0
"""Coordinates that reach so much further than others can share their unit still."""

NEARLY_FLAT = 1e-3
"""Height from which the plane rises: on the ground itself it has no third component
whose arrow could grow."""


class LiftBar(QWidget):
    """The controls above a lifted plot. Setters emit nothing."""

    map_chosen = Signal(str)
    """Key of a lift."""
    kernel_requested = Signal()
    """The kernel of the map is to compute."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lift_bar")
        self.map = named_combo("lift_combo", text.MAP, text.MAP_TIP)
        self.map.currentIndexChanged.connect(self._on_map_changed)
        self.height_row = NumberRow(HEIGHT, limits=(0.0, 1.0))
        # The caption tells the number; the bar of a small panel has no room for it.
        self.height_row.label.hide()
        assert self.height_row.field is not None
        self.height_row.field.hide()
        self.height_row.setMinimumWidth(72)
        self.use_kernel = QPushButton(text.USE_KERNEL)
        self.use_kernel.setObjectName("lift_kernel_button")
        self.use_kernel.setAccessibleName(text.USE_KERNEL)
        self.use_kernel.setProperty("role", "link")
        self.use_kernel.clicked.connect(self.kernel_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 8, 2)
        layout.setSpacing(6)
        layout.addWidget(self.map, 2)
        layout.addWidget(self.height_row, 1)
        layout.addWidget(self.use_kernel)
        self.hide()

    def show_lift(
        self, lift: Lift, variables: Sequence[str], height: float, computes: bool
    ) -> None:
        """Show what is drawn, of two named features."""
        titles: list[tuple[str, object]] = [
            (text.title(row, variables), row.key) for row in LIFTS.values()
        ]
        fill_combo(self.map, titles, lift.key)
        self.map.setToolTip(plain_tip(text.ABOUT[lift.key]))
        self.height_row.set_value(height)
        self.use_kernel.setVisible(not computes)
        kernel = lift.kernel
        if kernel is not None:
            about = text.USE_KERNEL_TIP.format(formula=kernel.plain_formula())
            self.use_kernel.setToolTip(plain_tip(about))

    def _on_map_changed(self, index: int) -> None:
        if index >= 0:
            self.map_chosen.emit(self.map.itemData(index))


class LiftTools(PlotContribution):
    """The lift as a mode of the data plot, with a bar above it."""

    tool = PlotTool("lift", "Lift", text.LIFT_TIP, "L")

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self._changes = changes
        self._scene = Scene()
        self._last = FIRST
        self._plot: LiftedPlot | None = None
        self.bar: LiftBar = LiftBar()
        self.bar.map_chosen.connect(self._on_map_chosen)
        self.bar.kernel_requested.connect(self._on_kernel_requested)
        row = self.bar.height_row
        row.value_edited.connect(self._on_height_edited)
        row.value_committed.connect(changes.gesture_ended)
        row.refused.connect(changes.refused)

    @property
    def mode(self) -> PlotMode:
        return self

    def attach(self, panel: ScatterPanel) -> None:
        self._plot = LiftedPlot(panel.view)

    def why_not(self, result: AnalysisResult) -> str:
        return text.why_not(result.dataset, result.kernel)

    def is_on(self, scene: Scene) -> bool:
        return lift_of(scene) is not None

    def request(self) -> None:
        self._change(lift=self._last, raised=1.0)

    def show_controls(self, scene: Scene) -> None:
        self._scene = scene
        lift, result, view = lift_of(scene), scene.result, scene.settings.view
        self.bar.setVisible(lift is not None)
        if lift is None or result is None:
            return
        self._last = lift.key
        variables, computes = variables_of(result.dataset), lift.is_of(result.kernel)
        self.bar.show_lift(lift, variables, view.raised, computes)

    def draw(self, scene: Scene) -> CaptionWords:
        lift = lift_of(scene)
        assert lift is not None
        assert self._plot is not None
        return self._plot.draw(scene, lift)

    def leave(self) -> None:
        if self._plot is not None:
            self._plot.leave()

    def _change(self, gesture: str | None = None, **changes: Any) -> None:
        settings = self._scene.settings
        view = replace(settings.view, **changes)
        self._changes.request(replace(settings, view=view), gesture)

    def _on_map_chosen(self, key: str) -> None:
        self._change(lift=key)

    def _on_height_edited(self, height: float) -> None:
        self._change("height of the lift", raised=float(height))

    def _on_kernel_requested(self) -> None:
        settings = self._scene.settings
        lift = LIFTS.get(settings.view.lift)
        if lift is not None and lift.family:
            self._changes.request(replace(settings, kernel=lift.settings))


def lift_of(scene: Scene) -> Lift | None:
    """Return how the data plot of a scene is lifted; None where it is not."""
    lift, result = LIFTS.get(scene.settings.view.lift), scene.result
    if lift is None or result is None or text.why_not(result.dataset, result.kernel):
        return None
    return lift


class LiftedPlot:
    """Draws a lift into the data plot, and remembers what took time to find."""

    def __init__(self, view: JoinedScatter) -> None:
        self._view = view
        self._key: tuple[object, ...] = ()
        self._space: LiftedSpace | None = None
        self._separation: Separation | None = None
        self._measured = False
        self._drawn: tuple[object, ...] | None = None

    def draw(self, scene: Scene, lift: Lift) -> CaptionWords:
        """Draw the rows at the height that is set."""
        result, view = scene.result, scene.settings.view
        assert result is not None
        space = self._space_of(result, lift, view)
        axes = [lift.key, *space.axes]
        reach = space.reach
        sides = reach[1] - reach[0]
        alike = float(sides.max()) <= ALIKE * float(sides.min())
        self._view.set_aspect_locked(alike)
        rises, slides = self._motion(lift, space, view.raised)
        if rises and view.motion:
            # From the plane that was there until now.
            low = space.at(NEARLY_FLAT)
            self._view.set_space(_space(space, low, result, NEARLY_FLAT))
            names = list(space.axis_names(0.0))
            self._view.show_rows(scene, low.points, axes, names)
        raised = space.at(view.raised)
        self._view.set_space(_space(space, raised, result, view.raised))
        self._view.show_rows(
            scene,
            raised.points,
            axes,
            list(space.axis_names(view.raised)),
            animate=view.motion and (rises or slides),
        )
        if result.at_rest and not self._measured:
            self._separation, self._measured = separation(result, space), True
        found = self._separation if self._measured else None
        words = text.caption(result, space, view.raised, found)
        return CaptionWords(words, text.ABOUT[lift.key], not self._measured)

    def leave(self) -> None:
        self._drawn = None
        self._view.set_space(None)

    def _motion(
        self, lift: Lift, space: LiftedSpace, height: float
    ) -> tuple[bool, bool]:
        """Return whether the plane rises now, and whether the cloud slides."""
        before = self._drawn
        self._drawn = now = (lift.key, space.axes, height, space.centred)
        if before is None:
            return height > 0, False
        return False, before[:3] == now[:3] and before[3] != now[3]

    def _space_of(
        self, result: AnalysisResult, lift: Lift, view: ViewSettings
    ) -> LiftedSpace:
        new = result.new_rows
        key = (
            result.decomposition,
            result.points,
            SameArray(result.dataset.points),
            None if new is None else SameArray(new.points),
            centred(result.dataset, result.settings),
            lift.key,
            view.lift_axes,
        )
        if key != self._key or self._space is None:
            self._key, self._measured = key, False
            self._space = lifted_space(result, lift, view.lift_axes)
        return self._space


def _space(
    space: LiftedSpace, raised: Raised, result: AnalysisResult, height: float
) -> Space:
    """Return what is drawn among the rows at a height."""
    count = len(raised.mesh)
    mesh = np.stack(raised.mesh) if count else np.empty((0, 0, 3))
    drawing = SpaceDrawing.of(
        mesh,
        raised.plane,
        raised.base,
        ("PC", raised.arrows),
        (("mean", raised.centroid), ("0", np.zeros(3))),
    )

    def place(X: Array) -> Array:
        return space.places_at(X, height)

    return Space(drawing, space.reach, Surface(place, *plane_ends(result)))
