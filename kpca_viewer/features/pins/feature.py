"""Pictures that are kept as pins, and a comparison of two of them."""

from kpca_viewer.engine.feature import Action, Feature, Page, Plot

FEATURE = Feature(
    "pins",
    page=Page(
        "pins",
        "Compare",
        "comparison of two pins",
        view="kpca_viewer.features.pins.page:ComparePage",
        menu="&Compare",
        tip="Two kept pictures, A and B, on one scale",
        is_picture=False,
        workspaces=("sweep",),
    ),
    plots=(Plot("pins_ab", "Comparison of A and B", has_legend=True),),
    actions=(
        Action(
            "pin",
            "P&in this picture",
            "&Sweep",
            "P",
            "pin",
            "Keep what is shown for a comparison.",
            separator=True,
            handler="pin",
        ),
        Action(
            "compare",
            "&Compare the pins",
            "&Sweep",
            "Shift+P",
            tip="Show two kept pictures side by side.",
            handler="show",
        ),
    ),
    controller="kpca_viewer.features.pins.controller:PinsController",
)
