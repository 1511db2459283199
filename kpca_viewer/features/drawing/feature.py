"""Points drawn by hand."""

from kpca_viewer.data.drawn import SOURCE
from kpca_viewer.engine.feature import Action, Feature

FEATURE = Feature(
    "drawing",
    actions=(
        Action(
            "paste_points",
            "Paste &points",
            "&Edit",
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
            enabled=lambda scene: (
                scene.kind == "points" and scene.settings.data.source != SOURCE
            ),
        ),
    ),
    controller="kpca_viewer.features.drawing.controller:Drawing",
)
