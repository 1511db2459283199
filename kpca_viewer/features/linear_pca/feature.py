"""Linear PCA of the same rows, beside the embedding."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Action, Feature, Page

if TYPE_CHECKING:
    from kpca_viewer.engine.settings import SessionSettings


def _flip(place: int, settings: "SessionSettings", _on: bool) -> "SessionSettings":
    return replace(settings, view=settings.view.with_flip(place, linear=True))


FEATURE = Feature(
    "linear_pca",
    page=Page(
        "pca",
        "Linear PCA",
        "Linear PCA",
        has_legend=True,
        view="kpca_viewer.features.linear_pca.page:LinearPage",
        menu="&Linear PCA",
        tip="The same rows by ordinary PCA",
        short="PCA",
        terms=("linear_pca",),
    ),
    actions=tuple(
        Action(
            f"flip_linear_{axis}",
            f"Flip {axis} of linear PCA",
            "Axes",
            tip=f"Turn the component on the {axis} axis of linear PCA round.",
            checkable=True,
            change=partial(_flip, place),
            enabled=lambda scene: scene.kind == "points",
            checked=lambda scene, place=place: (  # type: ignore[misc]
                place in scene.settings.view.linear_flipped
            ),
        )
        for place, axis in enumerate("xy")
    ),
)
