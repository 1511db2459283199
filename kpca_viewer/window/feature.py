"""What the window itself offers, as the features beside it do."""

from dataclasses import replace
from functools import partial
from random import randrange
from typing import TYPE_CHECKING

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.feature import WORKSPACES, Action, Feature
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.features.registry import FEATURES, pages
from kpca_viewer.widgets.scene import Scene

if TYPE_CHECKING:
    from kpca_viewer.widgets.workbench import Workbench

MENUS = {
    "&File": "open open_folder save save_as save_with_data save_preset paste "
    "project_new remove_new_rows export report "
    "start_over quit",
    "&Edit": "undo redo new_point clear_new_points palette",
    "Se&lection": "name_group new_class exclude_rows only_rows all_rows select_all "
    "invert_selection export_selection",
    "&Kernel": "choose toggle_center refine fit_all_rows both_sides",
    "&Data": "draw empty_plane edit_copy roll compute_on",
    "&Sweep": "sweep_start play pin compare",
    "&View": "workspace_explore workspace_sweep workspace_explain workspace_decide "
    "embedding_3d lift probe derive reset_views fill_panel "
    "controls present larger_type smaller_type theme reset_layout",
    "&Help": "help about",
}
"""The menus, each with the keys of its actions in order; others of it follow."""

UNLISTED = ("Kernels", "Pages", "Axes", "Keys", "Lessons")
"""Headings of actions that no menu lists: keys, the palette and help have them."""


def all_actions() -> list[tuple[Feature, Action]]:
    """Return everything that can be done, in the order of the menus."""
    found = [
        (feature, action)
        for feature in (_window(), SESSIONS, *FEATURES.values())
        for action in feature.actions
    ]
    menus = {menu: keys.split() for menu, keys in MENUS.items()}
    places = [*menus, *UNLISTED]

    def place(entry: tuple[Feature, Action]) -> tuple[int, int]:
        action = entry[1]
        keys = menus.get(action.menu, [])
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


def _show_workspace(key: str, workbench: "Workbench", _on: bool) -> None:
    workbench.window.board.show_workspace(key)


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
            "Kernels",
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
            page.title,
            "Pages",
            _page_keys(number),
            tip=page.tip,
            checkable=True,
            group="page",
            handler=partial(_show_page, page.key),
        )
        for number, page in enumerate(pages().values(), start=1)
    )
    workspaces = (
        Action(
            f"workspace_{key}",
            f"&{title}" if key != "explain" else "E&xplain",
            "&View",
            f"Ctrl+{number}",
            checkable=True,
            group="workspace",
            handler=partial(_show_workspace, key),
        )
        for number, (key, title) in enumerate(WORKSPACES.items(), start=1)
    )
    return Feature("window", actions=(*_ACTIONS, *workspaces, *kernels, *turns))


_ACTIONS = (
    Action(
        "start_over",
        "Start o&ver",
        "&File",
        "Ctrl+N",
        tip="Data, settings and window as at the first start; undo brings data and "
        "settings back.",
        separator=True,
        handler="start_over",
    ),
    Action("quit", "&Quit", "&File", "Ctrl+Q", separator=True, handler="quit"),
    Action("undo", "&Undo", "&Edit", "Ctrl+Z", "undo", "Undo", handler="undo"),
    Action(
        "redo",
        "&Redo",
        "&Edit",
        "Ctrl+Shift+Z",
        "redo",
        "Redo",
        handler="redo",
    ),
    Action(
        "escape",
        "Cancel, then clear the selection",
        "Keys",
        "Escape",
        tip="Stop the computation, bring the embedding back or clear the selection.",
        handler="escape",
    ),
    Action(
        "palette",
        "&Find anything…",
        "&Edit",
        "Ctrl+K",
        tip="Find an action, source, kernel, page, lesson or column by words.",
        separator=True,
        handler="palette.open",
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
        "Sho&w all points",
        "&View",
        "Ctrl+0",
        "reset",
        handler="reset_views",
    ),
    Action(
        "next_pane",
        "Next area",
        "Keys",
        "F6",
        tip="Bring the keys to the sidebar, the message, a plot, the sweep in turn.",
        handler="go_to_next_pane",
    ),
    Action(
        "previous_pane",
        "Previous area",
        "Keys",
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
        "Usual type",
        "Keys",
        "Ctrl+Alt+0",
        tip="Give all type its usual size.",
        handler="reset_type",
    ),
    Action(
        "theme",
        "Dar&k theme",
        "&View",
        "Ctrl+T",
        "theme",
        "Light or dark.",
        checkable=True,
        handler="choose_theme",
        checked=lambda scene: scene.theme.name == "dark",
    ),
    Action(
        "system_theme",
        "Follow the system's theme",
        "Keys",
        handler="follow_system_theme",
    ),
    Action(
        "letter_keys",
        "Single-letter keys",
        "Keys",
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
