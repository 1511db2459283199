"""Which actions are checked and possible in a state of the window."""

from operator import attrgetter

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.drawn import SOURCE
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.features.lift.text import why_not
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.window.actions.actions import Actions

STATE = attrgetter(
    "settings.kernel.family",
    "settings.analysis.center",
    "settings.analysis.refined",
    "can_be_refined",
    "settings.analysis.fit_full_table",
    "has_more_rows",
    "settings.view",
    "settings.data.source",
    "kind",
    "is_empty",
    "dataset",
    "projects",
    "notes.new_points",
)
"""All of a scene that the menus tell."""


def show_state(actions: Actions, scene: Scene) -> None:
    """Let the menus tell what holds in a scene; triggers nothing."""
    settings, kind = scene.settings, scene.kind
    for name in FAMILIES:
        # A given matrix leaves no kernel to choose.
        actions[f"kernel_{name}"].setEnabled(kind == "points")
    actions[f"kernel_{settings.kernel.family}"].setChecked(True)
    center = actions["toggle_center"]
    center.setChecked(settings.analysis.center or kind == "distances")
    center.setEnabled(kind != "distances")
    refine = actions["refine"]
    refine.setChecked(settings.analysis.refined)
    refine.setEnabled(settings.analysis.refined or scene.can_be_refined)
    every = actions["fit_all_rows"]
    every.setChecked(settings.analysis.fit_full_table)
    every.setEnabled(settings.analysis.fit_full_table or scene.has_more_rows)
    view = settings.view
    actions["embedding_3d"].setChecked(view.embedding_3d)
    actions["fill_panel"].setChecked(view.fills)
    result = scene.result
    possible = result is not None and not why_not(result.dataset, result.kernel)
    actions["lift"].setEnabled(possible)
    actions["lift"].setChecked(possible and view.lift in LIFTS)
    actions["choose"].setEnabled(not scene.is_empty)
    actions["both_sides"].setEnabled(kind == "points" and not scene.is_empty)
    for place, axis in enumerate("xyz"):
        actions[f"flip_{axis}"].setChecked(view.axes[place] in view.flipped)
    actions["flip_z"].setEnabled(view.embedding_3d)
    for place, axis in enumerate("xy"):
        flip = actions[f"flip_linear_{axis}"]
        flip.setChecked(place in view.linear_flipped)
        flip.setEnabled(kind == "points")
    drawn = settings.data.source == SOURCE
    actions["edit_copy"].setEnabled(kind == "points" and not drawn)
    actions["remove_new_rows"].setEnabled(scene.projects)
    plane = result is not None and result.kernel is not None and result.dataset.d == 2
    actions["new_point"].setEnabled(plane)
    actions["clear_new_points"].setEnabled(bool(scene.notes.new_points))
    generator = GENERATORS.get(settings.data.source)
    # Another seed means other rows, and those of a file are what they are.
    actions["roll"].setEnabled(generator is not None and generator.seeded)
