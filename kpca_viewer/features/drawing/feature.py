"""Points drawn by hand."""

from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Action, Feature

if TYPE_CHECKING:
    from kpca_viewer.widgets.scene import Scene


def _can_be_copied(scene: "Scene") -> bool:
    return scene.kind == "points" and scene.settings.data.drawn is None


FEATURE = Feature(
    "drawing",
    actions=(
        Action(
            "paste_points",
            "Paste &points",
            "Keys",
            "Ctrl+Shift+V",
            tip="Draw the points on the clipboard, such as (1,2),(3,4) or 1 2; 3 4.",
            handler="paste",
        ),
        Action(
            "draw",
            "&Draw points by hand",
            "&Data",
            "D",
            "pencil",
            "Add, move and remove points of the data; 1–9 set their class meanwhile.",
            checkable=True,
            handler="take_pencil",
        ),
        Action(
            "empty_plane",
            "Draw on an &empty plane",
            "&Data",
            tip="Begin without any point; the kernel stays as it is.",
            handler="begin_empty",
        ),
        Action(
            "edit_copy",
            "Edit a &copy of the data",
            "&Data",
            tip="Make points of the data that can be moved, removed and typed into.",
            handler="edit_copy",
            enabled=_can_be_copied,
        ),
    ),
    controller="kpca_viewer.features.drawing.controller:DrawingController",
)
