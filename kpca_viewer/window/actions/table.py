"""One table of what can be done: menus, toolbar and shortcuts come from it."""

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.plots import PAGES
from kpca_viewer.support.picture_formats import PICTURE_FORMATS, either
from kpca_viewer.window.actions.row import ActionRow
from kpca_viewer.window.actions.selection import SELECTION_ROWS

_FILE_ROWS = (
    ActionRow(
        "open",
        "&Open data…",
        "&File",
        "Ctrl+O",
        "open",
        "Open a table: CSV, Excel, Parquet, NumPy, MATLAB and more.",
        toolbar=True,
    ),
    ActionRow(
        "open_folder",
        "Open &folder…",
        "&File",
        "Ctrl+Shift+O",
        tip="Open a table in many files, larger than memory: a sample of all its rows.",
    ),
    ActionRow(
        "save",
        "&Save session",
        "&File",
        "Ctrl+S",
        "save",
        "Save settings, selection, names, pins and sweep; the data by reference.",
        toolbar=True,
        separator=True,
    ),
    ActionRow("save_as", "Save session &as…", "&File", "Ctrl+Shift+S"),
    ActionRow(
        "save_with_data",
        "Save session with &data…",
        "&File",
        tip="The data go into the session: it opens where their file is not.",
    ),
    ActionRow(
        "save_preset",
        "Save preset…",
        "&File",
        tip="Save kernel and looks without the data.",
    ),
    ActionRow(
        "paste",
        "&Paste a table",
        "&File",
        "Ctrl+V",
        tip="Open the table on the clipboard.",
        separator=True,
    ),
    ActionRow(
        "project_new",
        "Project &new data…",
        "&File",
        tip="Show the rows of a second file on the present model.",
    ),
    ActionRow(
        "remove_new_rows",
        "&Remove projected data",
        "&File",
        tip="Take the rows of the second file away.",
    ),
    ActionRow(
        "export",
        "&Export picture…",
        "&File",
        "Ctrl+E",
        "export",
        "Save a plot or the board as "
        f"{either([row.title for row in PICTURE_FORMATS.values()])}.",
        toolbar=True,
        separator=True,
    ),
    ActionRow(
        "export_numbers",
        "Export n&umbers…",
        "&File",
        "Ctrl+Shift+E",
        tip="Save coordinates, eigenvalues or the kernel matrix.",
    ),
    ActionRow(
        "report",
        "Repor&t…",
        "&File",
        "Ctrl+Shift+R",
        tip="Write data, kernel, pictures, numbers and code into one document.",
    ),
    ActionRow(
        "copy_code",
        "Copy as P&ython",
        "&File",
        "Ctrl+Shift+P",
        tip="A script that reproduces the picture, on the clipboard.",
    ),
    ActionRow(
        "copy_image",
        "&Copy embedding as picture",
        "&File",
        "Ctrl+Shift+C",
        "copy",
        "Copy the embedding to the clipboard.",
        toolbar=True,
    ),
    ActionRow(
        "start_over",
        "Start o&ver",
        "&File",
        tip="Data, settings and window as at the first start; undo brings data and "
        "settings back.",
        separator=True,
    ),
    ActionRow("quit", "&Quit", "&File", "Ctrl+Q", separator=True),
    ActionRow("undo", "&Undo", "&Edit", "Ctrl+Z", "undo", "Undo", toolbar=True),
    ActionRow("redo", "&Redo", "&Edit", "Ctrl+Shift+Z", "redo", "Redo", toolbar=True),
    ActionRow(
        "new_point",
        "&Drop a new point",
        "&Edit",
        "N",
        tip="Put a new point into the middle of plane data; Ctrl and arrows move it.",
        separator=True,
    ),
    ActionRow(
        "clear_new_points",
        "Remo&ve new points",
        "&Edit",
        "Ctrl+Backspace",
        tip="Take the points away that were dropped into the data.",
    ),
    ActionRow(
        "paste_points",
        "Paste &points",
        "&Edit",
        "Ctrl+Shift+V",
        tip="Draw the points on the clipboard, such as (1,2),(3,4) or 1 2; 3 4.",
    ),
    ActionRow(
        "escape",
        "&Cancel, then clear the selection",
        "&Edit",
        "Escape",
        tip="Stop the computation, restore a maximised plot or clear the selection.",
        separator=True,
    ),
)

_SETTINGS_ROWS = (
    ActionRow(
        "choose",
        "C&hoose by evidence…",
        "&Kernel",
        "K",
        tip="Compare all kernels, values and numbers of components on these data.",
        separator=True,
    ),
    ActionRow(
        "toggle_center",
        "&Centre in feature space",
        "&Kernel",
        "C",
        checkable=True,
        separator=True,
    ),
    ActionRow(
        "refine",
        "Re&fine to 10⁻⁶",
        "&Kernel",
        tip="Compute eigenvalues of many rows to six digits, however long it takes.",
        checkable=True,
    ),
    ActionRow(
        "fit_all_rows",
        "Compute &all rows",
        "&Kernel",
        tip="Of a table in parts: the model of all rows, and not of those drawn alone.",
        checkable=True,
    ),
    ActionRow(
        "both_sides",
        "&Both sides…",
        "&Kernel",
        "B",
        tip="Compute the kernel of two points by its map φ and by its formula.",
    ),
    ActionRow(
        "draw",
        "&Draw points by hand",
        "&Data",
        "D",
        "pencil",
        "Add, move and remove points of the data; 1–9 set their class meanwhile.",
        checkable=True,
    ),
    ActionRow(
        "empty_plane",
        "Draw on an &empty plane",
        "&Data",
        tip="Begin without any point; the kernel stays as it is.",
    ),
    ActionRow(
        "edit_copy",
        "Edit a &copy of the data",
        "&Data",
        tip="Make points of the data that can be moved, removed and typed into.",
    ),
    ActionRow(
        "roll",
        "New &random numbers",
        "&Data",
        "R",
        "dice",
        "Draw the points anew, with another seed.",
    ),
    ActionRow(
        "compute_on",
        "Compute &on…",
        "&Data",
        tip="Let a Dask cluster compute large data and sweeps.",
        separator=True,
    ),
    ActionRow(
        "sweep_start",
        "&Start the sweep",
        "&Sweep",
        "Ctrl+Return",
        tip="Compute the values that the line below the plots describes.",
    ),
    ActionRow(
        "play",
        "&Play the sweep",
        "&Sweep",
        icon="play",
        tip="Play the sweep forward and back; start it if there is none",
        toolbar=True,
        # Not a shortcut: Space presses the button that has the focus. The window takes
        # it where nobody else does.
        other_key="Space",
    ),
    ActionRow("sweep_back", "P&revious value of the sweep", "&Sweep", "["),
    ActionRow("sweep_forward", "&Next value of the sweep", "&Sweep", "]"),
    ActionRow(
        "pin",
        "P&in this picture",
        "&Sweep",
        "P",
        "pin",
        "Keep what is shown for a comparison.",
        separator=True,
    ),
    ActionRow(
        "compare",
        "&Compare the pins",
        "&Sweep",
        "Shift+P",
        tip="Show two kept pictures side by side or on top of each other.",
    ),
    ActionRow("embedding_3d", "&3-D embedding", "&View", "Ctrl+3", checkable=True),
    ActionRow(
        "lift",
        "Lift the data",
        "&View",
        "L",
        tip="Raise the plane of the data into a feature space that can be turned.",
        checkable=True,
    ),
    ActionRow(
        "probe",
        "What lies &here (pre-image)",
        "&View",
        "X",
        tip="Point at any place of the embedding to see which values of the columns "
        "would lie there.",
        checkable=True,
    ),
    ActionRow("maximise_embedding", "&Maximise the embedding", "&View", "Ctrl+M"),
    ActionRow(
        "derive",
        "Deriv&e step by step",
        "&View",
        "F8",
        tip="Let the derivation fill the board; again, or Escape, brings the plots "
        "back.",
    ),
    ActionRow("reset_views", "&Show all points", "&View", "Ctrl+0", "reset"),
    ActionRow(
        "fill_panel",
        "F&ill the panel",
        "&View",
        "F",
        tip="Stretch embedding, linear PCA and sweep until they fill their panels; "
        "off, one unit is equally long on all axes.",
        checkable=True,
    ),
    *(
        ActionRow(
            f"flip_{axis}",
            f"Flip the &{axis} axis",
            "&View",
            tip=f"Turn the component on the {axis} axis round; exports and films too.",
            checkable=True,
            separator=axis == "x",
        )
        for axis in "xyz"
    ),
    *(
        ActionRow(
            f"flip_linear_{axis}",
            f"Flip {axis} of linear PCA",
            "&View",
            tip=f"Turn the component on the {axis} axis of linear PCA round.",
            checkable=True,
        )
        for axis in "xy"
    ),
)

_WINDOW_ROWS = (
    ActionRow(
        "next_pane",
        "&Next area",
        "&View",
        "F6",
        tip="Bring the keys to the sidebar, the message, a plot, the sweep in turn.",
        separator=True,
    ),
    ActionRow("previous_pane", "Pre&vious area", "&View", "Shift+F6"),
    ActionRow(
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
    ActionRow(
        "present",
        "&Present",
        "&View",
        "F11",
        "present",
        "Full screen with large plots and type, for a class; F9 calls the controls.",
        toolbar=True,
        checkable=True,
    ),
    ActionRow(
        "larger_type",
        "Lar&ger type",
        "&View",
        "Ctrl++",
        tip="Make all type larger, in plots, tables and controls.",
        more_shortcuts=("Ctrl+=",),
    ),
    ActionRow(
        "smaller_type",
        "Sm&aller type",
        "&View",
        "Ctrl+-",
        tip="Make all type smaller, in plots, tables and controls.",
    ),
    ActionRow(
        "normal_type",
        "&Usual type",
        "&View",
        "Ctrl+Alt+0",
        tip="Give all type its usual size.",
    ),
    ActionRow(
        "theme",
        "&Dark theme",
        "&View",
        "Ctrl+T",
        "theme",
        "Light or dark.",
        toolbar=True,
        checkable=True,
    ),
    ActionRow("system_theme", "&Follow the system's theme", "&View"),
    ActionRow(
        "letter_keys",
        "Single-letter &keys",
        "&View",
        tip="Let letters and digits act by themselves, where nothing is typed.",
        checkable=True,
    ),
    ActionRow(
        "reset_layout",
        "&Reset the layout",
        "&View",
        tip="Window and panels get their first sizes; data and settings stay.",
        icon="reset",
    ),
)

_HELP_ROWS = (
    ActionRow("help", "&This picture, words and keys", "&Help", "F1"),
    ActionRow("about", "&About", "&Help"),
)


def action_rows() -> tuple[ActionRow, ...]:
    """Return everything that can be done, in the order of the menus."""
    return (
        *_FILE_ROWS,
        *SELECTION_ROWS,
        *_kernel_rows(),
        *_SETTINGS_ROWS,
        *_WINDOW_ROWS,
        *_page_rows(),
        *_HELP_ROWS,
    )


def _kernel_rows() -> tuple[ActionRow, ...]:
    return tuple(
        ActionRow(
            f"kernel_{family.name}",
            family.title,
            "&Kernel",
            str(number) if number <= 9 else "",
            tip=f"Choose the {family.title} kernel.",
            checkable=True,
            group="kernel",
        )
        for number, family in enumerate(FAMILIES.values(), start=1)
    )


def _page_keys(number: int) -> str:
    """Return the keys of a page, counted from 1: those of the tenth end with 0."""
    return f"Ctrl+Shift+{number % 10}" if number <= 10 else ""


def _page_rows() -> tuple[ActionRow, ...]:
    return tuple(
        ActionRow(
            f"page_{page.key}",
            page.menu,
            "&Pages",
            _page_keys(number),
            tip=page.tip,
            checkable=True,
            group="page",
        )
        for number, page in enumerate(PAGES.values(), start=1)
    )
