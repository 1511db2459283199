"""The same kernel on random data, and how far points move in bootstraps."""

from kpca_viewer.engine.feature import Feature, Page

FEATURE = Feature(
    "random_baseline",
    page=Page(
        "real",
        "Is it real?",
        "beside random data",
        has_legend=True,
        view="kpca_viewer.features.random_baseline.page:RealityPage",
        menu="Is it real?",
        tip="The same kernel on random data: are these groups more than chance?",
        short="Real?",
        terms=("random_data", "gap", "bootstrap"),
        workspaces=("decide",),
    ),
    stages=(
        "kpca_viewer.features.random_baseline.compute:MOVES_STAGE",
        "kpca_viewer.features.random_baseline.compute:STAGE",
    ),
    report_section="kpca_viewer.features.random_baseline.compute:report_section",
    report_order=1,
)
