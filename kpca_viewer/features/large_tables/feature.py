"""Tables larger than memory, and clusters that compute them."""

from kpca_viewer.engine.feature import Action, Feature

FEATURE = Feature(
    "large_tables",
    actions=(
        Action(
            "fit_all_rows",
            "Compute &all rows",
            "&Kernel",
            tip="Of a table in parts: the model of all rows, and not of those drawn "
            "alone.",
            checkable=True,
            change=lambda settings, on: settings.with_full_fit(on),
            enabled=lambda scene: (
                scene.settings.analysis.fit_full_table or scene.has_more_rows
            ),
            checked=lambda scene: scene.settings.analysis.fit_full_table,
        ),
        Action(
            "compute_on",
            "Compute &on…",
            "&Data",
            tip="Let a Dask cluster compute large data and sweeps.",
            separator=True,
            handler="open",
        ),
    ),
    controller="kpca_viewer.features.large_tables.controller:ClusterController",
)
