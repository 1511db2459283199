"""The rows on their components."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Action, Feature, Plot

if TYPE_CHECKING:
    from kpca_viewer.engine.settings import SessionSettings


def _flip(place: int, settings: "SessionSettings", _on: bool) -> "SessionSettings":
    view = settings.view
    return replace(settings, view=view.with_flip(view.axes[place], linear=False))


FEATURE = Feature(
    "embedding",
    plots=(Plot("embedding", "Embedding", "embedding", has_legend=True),),
    actions=(
        Action(
            "copy_image",
            "Copy embedding as picture",
            "Keys",
            "Ctrl+Shift+C",
            "copy",
            "Copy the embedding to the clipboard.",
            handler="kpca_viewer.features.embedding.clipboard:copy_picture",
        ),
        Action(
            "embedding_3d",
            "&3-D embedding",
            "&View",
            "T",
            checkable=True,
            change=lambda settings, on: settings.with_view(embedding_3d=on),
            checked=lambda scene: scene.settings.view.embedding_3d,
        ),
        Action(
            "fill_panel",
            "F&ill the panel",
            "&View",
            "F",
            tip="Stretch embedding, linear PCA and sweep until they fill their panels; "
            "off, one unit is equally long on all axes.",
            checkable=True,
            change=lambda settings, on: settings.with_view(fills=on),
            checked=lambda scene: scene.settings.view.fills,
        ),
        *(
            Action(
                f"flip_{axis}",
                f"Flip the {axis} axis",
                "Axes",
                tip=f"Turn the component on the {axis} axis round; exports and films "
                "too.",
                checkable=True,
                change=partial(_flip, place),
                enabled=lambda scene, axis=axis: (  # type: ignore[misc]
                    axis != "z" or scene.settings.view.embedding_3d
                ),
                checked=lambda scene, place=place: (  # type: ignore[misc]
                    scene.settings.view.axes[place] in scene.settings.view.flipped
                ),
            )
            for place, axis in enumerate("xyz")
        ),
    ),
)
