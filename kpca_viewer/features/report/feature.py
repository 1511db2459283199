"""One document of data, kernel, pictures, numbers and code."""

from kpca_viewer.engine.feature import Feature

FEATURE = Feature(
    "report",
    export_page="kpca_viewer.features.report.page:ReportPage",
    commands={"report": "kpca_viewer.cli.report"},
)
