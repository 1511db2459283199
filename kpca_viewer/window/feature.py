"""What the window itself offers, as the features beside it do."""

from dataclasses import replace
from functools import partial
from random import randrange
from typing import TYPE_CHECKING

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.feature import Action, Feature
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.features.registry import FEATURES, pages
from kpca_viewer.widgets.scene import Scene

if TYPE_CHECKING:
    from kpca_viewer.widgets.workbench import Workbench

MENUS = {
    "&File": "open open_folder save save_as save_with_data save_preset paste "
    "project_new remove_new_rows export export_numbers report copy_code copy_image "
    "start_over quit",
    "&Edit": "undo redo new_point clear_new_points paste_points escape",
    "Se&lection": "name_group new_class exclude_rows only_rows all_rows select_all "
    "invert_selection export_selection",
    "&Kernel": "choose toggle_center refine fit_all_rows both_sides",
    "&Data": "draw empty_plane edit_copy roll compute_on",
    "&Sweep": "sweep_start play sweep_back sweep_forward pin compare",
    "&View": "embedding_3d lift probe maximise_embedding derive reset_views fill_panel "
    "flip_x flip_y flip_z flip_linear_x flip_linear_y next_pane previous_pane controls "
    "present larger_type smaller_type normal_type theme system_theme letter_keys "
    "reset_layout",
    "&Pages": "",
    "&Help": "help about",
}
"""The menus, each with the keys of its actions in order; others of it follow."""


def all_actions() -> list[tuple[Feature, Action]]:
    """Return everything that can be done, in the order of the menus."""
    found = [
        (feature, action)
        for feature in (_window(), SESSIONS, *FEATURES.values())
        for action in feature.actions
    ]
    menus = {menu: keys.split() for menu, keys in MENUS.items()}
    places = list(menus)

    def place(entry: tuple[Feature, Action]) -> tuple[int, int]:
        action = entry[1]
        keys = menus[action.menu]
        if action.group == "kernel":
            return places.index(action.menu), -1
        at = keys.index(action.key) if action.key in keys else len(keys)
        return places.index(action.menu), at

    return sorted(found, key=place)


def _roll(settings: SessionSettings, _on: bool) -> SessionSettings:
    return replace(settings, data=settings.data.with_seed(randrange(1, 10_000)))


def _is_seeded(scene: Scene) -> bool:
    # Another seed means other rows, and those of a file are what they are.
    generator = GENERATORS.get(scene.settings.data.source)
    return generator is not None and generator.seeded


def _choose_kernel(name: str, settings: SessionSettings, _on: bool) -> SessionSettings:
    if name == settings.kernel.family:
        return settings
    return replace(settings, kernel=KernelSettings(name))


def _has_kernel(name: str, scene: Scene) -> bool:
    return scene.settings.kernel.family == name


def _show_page(key: str, workbench: "Workbench", _on: bool) -> None:
    workbench.window.board.compare.show_page(key)


def _page_keys(number: int) -> str:
    """Return the keys of a page, counted from 1: those of the tenth end with 0."""
    return f"Ctrl+Shift+{number % 10}" if number <= 10 else ""


SESSIONS = Feature(
    "sessions",
    actions=(
        Action(
            "save",
            "&Save session",
            "&File",
            "Ctrl+S",
            "save",
            "Save settings, selection, names, pins and sweep; the data by reference.",
            toolbar=True,
            separator=True,
            handler="save",
        ),
        Action(
            "save_as", "Save session &as…", "&File", "Ctrl+Shift+S", handler="save_as"
        ),
        Action(
            "save_with_data",
            "Save session with &data…",
            "&File",
            tip="The data go into the session: it opens where their file is not.",
            handler="save_with_data",
        ),
        Action(
            "save_preset",
            "Save preset…",
            "&File",
            tip="Save kernel and looks without the data.",
            handler="save_preset",
        ),
    ),
)


def _window() -> Feature:
    """Return what the window offers of kernels, pages and itself."""
    kernels = (
        Action(
            f"kernel_{family.name}",
            family.title,
            "&Kernel",
            str(number) if number <= 9 else "",
            tip=f"Choose the {family.title} kernel.",
            checkable=True,
            group="kernel",
            change=partial(_choose_kernel, family.name),
            # A given matrix leaves no kernel to choose.
            enabled=lambda scene: scene.kind == "points",
            checked=partial(_has_kernel, family.name),
        )
        for number, family in enumerate(FAMILIES.values(), start=1)
    )
    turns = (
        Action(
            f"page_{page.key}",
            page.menu,
            "&Pages",
            _page_keys(number),
            tip=page.tip,
            checkable=True,
            group="page",
            handler=partial(_show_page, page.key),
        )
        for number, page in enumerate(pages().values(), start=1)
    )
    return Feature("window", actions=(*_ACTIONS, *kernels, *turns))


_ACTIONS = (
    Action(
        "start_over",
        "Start o&ver",
        "&File",
        tip="Data, settings and window as at the first start; undo brings data and "
        "settings back.",
        separator=True,
        handler="start_over",
    ),
    Action("quit", "&Quit", "&File", "Ctrl+Q", separator=True, handler="quit"),
    Action(
        "undo", "&Undo", "&Edit", "Ctrl+Z", "undo", "Undo", toolbar=True, handler="undo"
    ),
    Action(
        "redo",
        "&Redo",
        "&Edit",
        "Ctrl+Shift+Z",
        "redo",
        "Redo",
        toolbar=True,
        handler="redo",
    ),
    Action(
        "escape",
        "&Cancel, then clear the selection",
        "&Edit",
        "Escape",
        tip="Stop the computation, restore a maximised plot or clear the selection.",
        separator=True,
        handler="escape",
    ),
    Action(
        "toggle_center",
        "&Centre in feature space",
        "&Kernel",
        "C",
        checkable=True,
        separator=True,
        change=lambda settings, on: settings.with_center(on),
        enabled=lambda scene: scene.kind != "distances",
        checked=lambda scene: (
            scene.settings.analysis.center or scene.kind == "distances"
        ),
    ),
    Action(
        "refine",
        "Re&fine to 10⁻⁶",
        "&Kernel",
        tip="Compute eigenvalues of many rows to six digits, however long it takes.",
        checkable=True,
        change=lambda settings, on: settings.with_refinement(on),
        enabled=lambda scene: scene.settings.analysis.refined or scene.can_be_refined,
        checked=lambda scene: scene.settings.analysis.refined,
    ),
    Action(
        "roll",
        "New &random numbers",
        "&Data",
        "R",
        "dice",
        "Draw the points anew, with another seed.",
        change=_roll,
        enabled=_is_seeded,
    ),
    Action(
        "reset_views",
        "&Show all points",
        "&View",
        "Ctrl+0",
        "reset",
        handler="reset_views",
    ),
    Action(
        "next_pane",
        "&Next area",
        "&View",
        "F6",
        tip="Bring the keys to the sidebar, the message, a plot, the sweep in turn.",
        separator=True,
        handler="go_to_next_pane",
    ),
    Action(
        "previous_pane",
        "Pre&vious area",
        "&View",
        "Shift+F6",
        handler="go_to_previous_pane",
    ),
    Action(
        "controls",
        "&Controls",
        "&View",
        "F9",
        "controls",
        "Show side panel and sweep line, or leave their room to the plots.",
        toolbar=True,
        checkable=True,
        separator=True,
    ),
    Action(
        "present",
        "&Present",
        "&View",
        "F11",
        "present",
        "Full screen with large plots and type, for a class; F9 calls the controls.",
        toolbar=True,
        checkable=True,
        handler="present",
    ),
    Action(
        "larger_type",
        "Lar&ger type",
        "&View",
        "Ctrl++",
        tip="Make all type larger, in plots, tables and controls.",
        more_shortcuts=("Ctrl+=",),
        handler="enlarge_type",
    ),
    Action(
        "smaller_type",
        "Sm&aller type",
        "&View",
        "Ctrl+-",
        tip="Make all type smaller, in plots, tables and controls.",
        handler="shrink_type",
    ),
    Action(
        "normal_type",
        "&Usual type",
        "&View",
        "Ctrl+Alt+0",
        tip="Give all type its usual size.",
        handler="reset_type",
    ),
    Action(
        "theme",
        "&Dark theme",
        "&View",
        "Ctrl+T",
        "theme",
        "Light or dark.",
        toolbar=True,
        checkable=True,
        handler="choose_theme",
        checked=lambda scene: scene.theme.name == "dark",
    ),
    Action(
        "system_theme",
        "&Follow the system's theme",
        "&View",
        handler="follow_system_theme",
    ),
    Action(
        "letter_keys",
        "Single-letter &keys",
        "&View",
        tip="Let letters and digits act by themselves, where nothing is typed.",
        checkable=True,
    ),
    Action(
        "reset_layout",
        "&Reset the layout",
        "&View",
        tip="Window and panels get their first sizes; data and settings stay.",
        icon="reset",
        handler="reset_layout",
    ),
    Action("help", "&This picture, words and keys", "&Help", "F1", handler="open_help"),
    Action("about", "&About", "&Help", handler="show_about"),
)
