"""Pictures, numbers and code of what is shown."""

from kpca_viewer.engine.feature import Action, Feature
from kpca_viewer.support.picture_formats import PICTURE_FORMATS, either

FEATURE = Feature(
    "export_panel",
    actions=(
        Action(
            "export",
            "&Export picture…",
            "&File",
            "Ctrl+E",
            "export",
            "Save a plot or the board as "
            f"{either([row.title for row in PICTURE_FORMATS.values()])}.",
            separator=True,
            handler="open_pictures",
        ),
        Action(
            "export_numbers",
            "Export n&umbers…",
            "Keys",
            "Ctrl+Shift+E",
            tip="Save coordinates, eigenvalues or the kernel matrix.",
            handler="open_numbers",
        ),
        Action(
            "report",
            "Repor&t…",
            "&File",
            "Ctrl+Shift+R",
            tip="Write data, kernel, pictures, numbers and code into one document.",
            handler="open_report",
        ),
        Action(
            "page",
            "Pa&ge to share…",
            "Keys",
            tip="The embedding as one HTML file to zoom, hover and colour anywhere.",
            handler="open_page",
        ),
        Action(
            "copy_code",
            "Copy as P&ython",
            "Keys",
            "Ctrl+Shift+P",
            tip="A script that reproduces the picture, on the clipboard.",
            handler="copy_code",
        ),
        Action(
            "export_selection",
            "E&xport the selected rows…",
            "Se&lection",
            tip="Save names, values and coordinates of the selected rows.",
            separator=True,
            handler="open_selected_rows",
        ),
    ),
    controller="kpca_viewer.features.export_panel.controller:Exporting",
)
