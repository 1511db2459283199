"""The page with a line to turn."""

from kpca_viewer.engine.feature import Feature, Page

FEATURE = Feature(
    "turned_line",
    page=Page(
        "turned_line",
        "Turn a line",
        "line through the mean",
        view="kpca_viewer.features.turned_line.page:TurnedLinePage",
        menu="&Turn a line",
        tip="Project plane data onto a line that is turned by hand",
        workspaces=("explain",),
    ),
)
