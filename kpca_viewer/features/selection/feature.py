"""What is done with selected rows."""

from kpca_viewer.engine.feature import Action, Feature

MENU = "Se&lection"
"""It opens on a plot and on the table too."""

FEATURE = Feature(
    "selection",
    actions=(
        Action(
            "name_group",
            "Name as &group…",
            MENU,
            tip="Call the selected rows by one name, in hover, table and exports; a "
            "row is in one group at a time.",
            handler="ask_for_group",
        ),
        Action(
            "new_class",
            "New &class…",
            MENU,
            tip="Put the selected rows into a class of their own, and colour by it; "
            "the labels of the data stay as they are.",
            handler="ask_for_class",
        ),
        Action(
            "exclude_rows",
            "&Exclude and refit",
            MENU,
            tip="Leave the selected rows out of the analysis.",
            separator=True,
            handler="exclude",
        ),
        Action(
            "only_rows",
            "&Only these (refit)",
            MENU,
            tip="Leave out all rows that are not selected.",
            handler="keep_only",
        ),
        Action(
            "all_rows",
            "&Take all rows back",
            MENU,
            tip="Analyse the rows again that were left out.",
            handler="take_back",
        ),
        Action(
            "select_all",
            "Select &all",
            MENU,
            "Ctrl+A",
            tip="Select all",
            separator=True,
            handler="select_all",
        ),
        Action(
            "invert_selection",
            "&Invert",
            MENU,
            "Ctrl+I",
            tip="Select what is not selected.",
            handler="invert",
        ),
        Action(
            "find_groups",
            "&Find groups (HDBSCAN)",
            MENU,
            tip="Make a column of groups of rows that lie close together in the kept "
            "components, to start from; Is it real? tells whether chance makes them.",
            separator=True,
            handler="find_groups",
        ),
        Action(
            "split_groups",
            "Split into gro&ups (k-means)…",
            MENU,
            tip="Make a column of as many groups as are asked for, by the kept "
            "components.",
            handler="ask_for_count",
        ),
    ),
    controller="kpca_viewer.features.selection.controller:Selecting",
)
