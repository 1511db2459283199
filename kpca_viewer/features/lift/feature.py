"""The plane of the data raised into a feature space, and a kernel by its map."""

from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Action, Feature, Page

if TYPE_CHECKING:
    from kpca_viewer.engine.settings import SessionSettings
    from kpca_viewer.widgets.scene import Scene
    from kpca_viewer.widgets.workbench import Workbench


def _lift(settings: "SessionSettings", on: bool) -> "SessionSettings":
    from kpca_viewer.engine.lifts import FIRST

    return settings.with_view(lift=FIRST if on else "", raised=1.0)


def _can_be_lifted(scene: "Scene") -> bool:
    from kpca_viewer.features.lift.text import why_not

    result = scene.result
    return result is not None and not why_not(result.dataset, result.kernel)


def _is_lifted(scene: "Scene") -> bool:
    from kpca_viewer.engine.lifts import LIFTS

    return _can_be_lifted(scene) and scene.settings.view.lift in LIFTS


def _show_both_sides(workbench: "Workbench", _on: bool) -> None:
    workbench.window.board.compare.show_page("both_sides")


FEATURE = Feature(
    "lift",
    page=Page(
        "both_sides",
        "Both sides",
        view="kpca_viewer.features.lift.both_sides_view:BothSidesPage",
        menu="Bot&h sides",
        tip="The kernel of two points by its map φ and by its formula",
        is_picture=False,
        workspaces=("explain",),
    ),
    actions=(
        Action(
            "both_sides",
            "&Both sides of two points",
            "&Kernel",
            "B",
            tip="Compute the kernel of two points by its map φ and by its formula.",
            handler=_show_both_sides,
            enabled=lambda scene: scene.kind == "points" and not scene.is_empty,
        ),
        Action(
            "lift",
            "Lift the data",
            "&View",
            "L",
            tip="Raise the plane of the data into a feature space that can be turned.",
            checkable=True,
            change=_lift,
            enabled=_can_be_lifted,
            checked=_is_lifted,
        ),
    ),
)
