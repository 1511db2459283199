"""All rows with their values."""

from kpca_viewer.engine.feature import Feature, Page

FEATURE = Feature(
    "table",
    page=Page(
        "table",
        "Table",
        view="kpca_viewer.features.table.page:TablePage",
        menu="&Table",
        tip="The selected rows with all their values",
        is_picture=False,
    ),
)
