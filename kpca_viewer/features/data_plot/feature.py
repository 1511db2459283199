"""The rows on two or three of their columns, and points dropped between them."""

from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Action, Feature, Plot

if TYPE_CHECKING:
    from kpca_viewer.widgets.scene import Scene
    from kpca_viewer.widgets.workbench import Workbench


def _drop_point(workbench: "Workbench", _on: bool) -> None:
    workbench.window.board.new_points.drop()


def _clear_points(workbench: "Workbench", _on: bool) -> None:
    workbench.window.board.new_points.clear()


def _is_plane(scene: "Scene") -> bool:
    result = scene.result
    return result is not None and result.kernel is not None and result.dataset.d == 2


FEATURE = Feature(
    "data_plot",
    plots=(Plot("data", "Data", has_legend=True),),
    actions=(
        Action(
            "new_point",
            "&Drop a new point",
            "&Edit",
            "N",
            tip="Put a new point into the middle of plane data; Ctrl and arrows move "
            "it.",
            separator=True,
            handler=_drop_point,
            enabled=_is_plane,
        ),
        Action(
            "clear_new_points",
            "Remo&ve new points",
            "&Edit",
            "Ctrl+Backspace",
            tip="Take the points away that were dropped into the data.",
            handler=_clear_points,
            enabled=lambda scene: bool(scene.notes.new_points),
        ),
    ),
)
