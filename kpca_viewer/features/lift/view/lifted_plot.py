"""The data plot while the plane is raised: rows, surface, arrows and their words."""

import numpy as np

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.stages import SameArray, centred
from kpca_viewer.features.lift.maps import LIFTS, Lift, why_not
from kpca_viewer.features.lift.space import (
    LiftedSpace,
    Raised,
    lifted_space,
    plane_ends,
)
from kpca_viewer.features.lift.text import Separation, caption, separation
from kpca_viewer.widgets.joined_scatter import Array, JoinedScatter
from kpca_viewer.widgets.plots.scatter.space3d import SpaceDrawing
from kpca_viewer.widgets.plots.scatter.surface import Space, Surface
from kpca_viewer.widgets.scene import Scene

ALIKE = 5.0
"""Coordinates that reach so much further than others can share their unit still."""

NEARLY_FLAT = 1e-3
"""Height from which the plane rises: on the ground itself it has no third component
whose arrow could grow."""


def lift_of(result: AnalysisResult | None, view: ViewSettings) -> Lift | None:
    """Return how the data plot of a result is lifted; None where it is not."""
    lift = LIFTS.get(view.lift)
    if lift is None or result is None or why_not(result.dataset, result.kernel):
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

    def draw(self, scene: Scene, lift: Lift) -> tuple[str, bool]:
        """Draw the rows of a scene at the height that is set.

        Returns
        -------
        caption : str
        more_follows : bool
            Whether something will be measured once the hand rests.
        """
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
        told = self._separation if self._measured else None
        return caption(result, space, view.raised, told), not self._measured

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
