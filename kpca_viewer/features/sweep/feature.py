"""One analysis for every value of a parameter, as a film and as pictures."""

from kpca_viewer.engine.feature import Action, Feature, Page, Plot

FEATURE = Feature(
    "sweep",
    page=Page(
        "gallery",
        "Gallery",
        "all pictures of a sweep",
        view="kpca_viewer.features.sweep.gallery:GalleryPage",
        menu="&Gallery",
        tip="All pictures of the sweep, or the map of a measure",
        is_picture=False,
        workspaces=("sweep",),
    ),
    plots=(
        Plot("sweep_grid", "Sweep, all pictures", has_legend=True),
        Plot("sweep_strip", "Sweep with its curve", has_legend=True),
    ),
    actions=(
        Action(
            "sweep_start",
            "&Start the sweep",
            "&Sweep",
            "Ctrl+Return",
            tip="Compute the values that are set below the stage.",
            handler="start",
        ),
        Action(
            "play",
            "&Play the sweep",
            "&Sweep",
            icon="play",
            tip="Play the sweep forward and back; start it if there is none",
            # Not a shortcut: Space presses the button that has the focus. The window
            # takes it where no control does.
            other_key="Space",
            handler="play",
        ),
        Action(
            "sweep_back",
            "P&revious value of the sweep",
            "Keys",
            "[",
            handler="step_back",
        ),
        Action(
            "sweep_forward",
            "&Next value of the sweep",
            "Keys",
            "]",
            handler="step_forward",
        ),
    ),
    controller="kpca_viewer.features.sweep.controller:SweepController",
    commands={"sweep": "kpca_viewer.features.sweep.command"},
)
