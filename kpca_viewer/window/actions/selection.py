"""What can be done with selected rows, as entries of the table of actions."""

from kpca_viewer.window.actions.row import ActionRow

SELECTION = "Se&lection"
"""The menu; it opens on a plot and on the table too."""

SELECTION_ROWS = (
    ActionRow(
        "name_group",
        "Name as &group…",
        SELECTION,
        tip="Call the selected rows by one name, in hover, table and exports; a row is "
        "in one group at a time.",
    ),
    ActionRow(
        "new_class",
        "New &class…",
        SELECTION,
        tip="Put the selected rows into a class of their own, and colour by it; the "
        "labels of the data stay as they are.",
    ),
    ActionRow(
        "exclude_rows",
        "&Exclude and refit",
        SELECTION,
        tip="Leave the selected rows out of the analysis.",
        separator=True,
    ),
    ActionRow(
        "only_rows",
        "&Only these (refit)",
        SELECTION,
        tip="Leave out all rows that are not selected.",
    ),
    ActionRow(
        "all_rows",
        "&Take all rows back",
        SELECTION,
        tip="Analyse the rows again that were left out.",
    ),
    ActionRow(
        "select_all",
        "Select &all",
        SELECTION,
        "Ctrl+A",
        tip="Select all",
        separator=True,
    ),
    ActionRow(
        "invert_selection",
        "&Invert",
        SELECTION,
        "Ctrl+I",
        tip="Select what is not selected.",
    ),
    ActionRow(
        "export_selection",
        "E&xport the selected rows…",
        SELECTION,
        tip="Save names, values and coordinates of the selected rows.",
        separator=True,
    ),
)
