"""What the controls of a lift ask for."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import traded
from kpca_viewer.features.lift.maps import FIRST, LIFTS, Lift, variables_of, why_not
from kpca_viewer.features.lift.view.lift_bar import LiftBar
from kpca_viewer.widgets.scene import Changes, Scene

LIFT = "Raise the plane into a feature space; a drag turns it"


class LiftTools(QObject):
    """The bar above the plot, and the changes that follow from it.

    Attributes
    ----------
    bar : LiftBar
    """

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self._changes = changes
        self._scene = Scene()
        self._last = FIRST
        self.bar = LiftBar()
        self.bar.map_chosen.connect(self._on_map_chosen)
        self.bar.axis_chosen.connect(self._on_axis_chosen)
        self.bar.kernel_requested.connect(self._on_kernel_requested)
        row = self.bar.height_row
        row.value_edited.connect(self._on_height_edited)
        row.value_committed.connect(changes.gesture_ended)
        row.refused.connect(changes.refused)

    def why(self, result: AnalysisResult) -> str:
        """Say why the data of a result cannot be lifted; nothing where they can."""
        return why_not(result.dataset, result.kernel)

    def begin(self) -> None:
        """Ask for the lift that was there last."""
        self._change(lift=self._last, raised=1.0)

    def show(self, scene: Scene, lift: Lift | None) -> None:
        """Show the controls of a lift, or none."""
        self._scene = scene
        self.bar.setVisible(lift is not None)
        result, view = scene.result, scene.settings.view
        if lift is None or result is None:
            return
        self._last = lift.key
        features = lift.features
        fits = features is not None and max(view.lift_axes) < len(features)
        self.bar.show_lift(
            lift,
            variables_of(result.dataset),
            view.lift_axes if fits else (1, 2, 3),
            view.raised,
            computes=lift.is_of(result.kernel),
        )

    def _change(self, gesture: str | None = None, **changes: Any) -> None:
        settings = self._scene.settings
        view = replace(settings.view, **changes)
        self._changes.request(replace(settings, view=view), gesture)

    def _on_map_chosen(self, key: str) -> None:
        self._change(lift=key)

    def _on_axis_chosen(self, position: int, coordinate: int) -> None:
        axes = self._scene.settings.view.lift_axes
        self._change(lift_axes=traded(axes, position, coordinate))

    def _on_height_edited(self, height: float) -> None:
        self._change("height of the lift", raised=float(height))

    def _on_kernel_requested(self) -> None:
        settings = self._scene.settings
        lift = LIFTS.get(settings.view.lift)
        if lift is not None and lift.family:
            self._changes.request(replace(settings, kernel=lift.settings))
