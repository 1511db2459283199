"""From a file, the clipboard or a drop to data in the window."""

from kpca_viewer.engine.feature import Action, Feature

FEATURE = Feature(
    "import_sheet",
    actions=(
        Action(
            "open",
            "&Open data…",
            "&File",
            "Ctrl+O",
            "open",
            "Open a table: CSV, Excel, Parquet, NumPy, MATLAB and more.",
            handler="choose",
        ),
        Action(
            "open_folder",
            "Open &folder…",
            "&File",
            "Ctrl+Shift+O",
            tip="Open a table in many files, larger than memory: a sample of all its "
            "rows.",
            handler="choose_folder",
        ),
        Action(
            "paste",
            "&Paste a table",
            "&File",
            "Ctrl+V",
            tip="Open the table on the clipboard.",
            separator=True,
            handler="paste",
        ),
        Action(
            "project_new",
            "Project &new data…",
            "&File",
            tip="Show the rows of a second file on the present model.",
            handler="choose_new_rows",
        ),
        Action(
            "remove_new_rows",
            "Re&move projected data",
            "&File",
            tip="Take the rows of the second file away.",
            handler="remove_new_rows",
            enabled=lambda scene: scene.projects,
        ),
    ),
    controller="kpca_viewer.features.import_sheet.controller:Opening",
)
