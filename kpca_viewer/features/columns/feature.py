"""Which columns move a component, as a page and as arrows over the embedding."""

from kpca_viewer.engine.feature import Feature, Page

FEATURE = Feature(
    "columns",
    page=Page(
        "columns",
        "Columns",
        "columns",
        view="kpca_viewer.features.columns.page:ColumnsPage",
        menu="&Columns",
        tip="Which columns move a component, and which tell two groups apart",
        terms=("influence", "noise_band", "effect_size"),
        has_legend=True,
        workspaces=("decide",),
    ),
    stages=(
        "kpca_viewer.features.columns.arrows:STAGE",
        "kpca_viewer.features.columns.stages:STAGE",
    ),
    report_section="kpca_viewer.features.columns.stages:report_section",
    report_order=2,
)
