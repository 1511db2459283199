"""Rows that lie far out or far from the model."""

from kpca_viewer.engine.feature import Feature, Page

FEATURE = Feature(
    "outliers",
    page=Page(
        "odd",
        "Odd rows",
        "odd rows",
        has_legend=True,
        view="kpca_viewer.features.outliers.page:OddRowsPage",
        menu="Odd &rows",
        tip="Which rows lie far out or far from the model, and why",
        terms=("leverage", "distance_to_model", "representation_quality"),
        workspaces=("decide",),
    ),
    stages=(
        "kpca_viewer.features.outliers.stages:ROWS_STAGE",
        "kpca_viewer.features.outliers.stages:LIST_STAGE",
    ),
    report_section="kpca_viewer.features.outliers.stages:report_section",
    report_order=3,
)
