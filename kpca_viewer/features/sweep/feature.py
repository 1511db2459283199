"""One analysis for every value of a parameter, as a film and as pictures."""

from kpca_viewer.engine.feature import Action, Feature, Plot

FEATURE = Feature(
    "sweep",
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
            tip="Compute the values that the line below the plots describes.",
            handler="strip.start",
        ),
        Action(
            "play",
            "&Play the sweep",
            "&Sweep",
            icon="play",
            tip="Play the sweep forward and back; start it if there is none",
            toolbar=True,
            # Not a shortcut: Space presses the button that has the focus. The window
            # takes it where no control does.
            other_key="Space",
            handler="strip.toggle_play",
        ),
        Action(
            "sweep_back",
            "P&revious value of the sweep",
            "&Sweep",
            "[",
            handler="step_back",
        ),
        Action(
            "sweep_forward",
            "&Next value of the sweep",
            "&Sweep",
            "]",
            handler="step_forward",
        ),
        Action(
            "pin",
            "P&in this picture",
            "&Sweep",
            "P",
            "pin",
            "Keep what is shown for a comparison.",
            separator=True,
            handler="sweeps.pin_current",
        ),
        Action(
            "compare",
            "&Compare the pins",
            "&Sweep",
            "Shift+P",
            tip="Show two kept pictures side by side or on top of each other.",
            handler="sweeps.show_compare",
        ),
    ),
    controller="kpca_viewer.features.sweep.controller:SweepController",
    commands={"sweep": "kpca_viewer.features.sweep.command"},
)
