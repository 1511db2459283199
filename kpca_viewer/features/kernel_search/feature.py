"""All kernels compared on the data at hand."""

from kpca_viewer.engine.feature import Action, Feature

FEATURE = Feature(
    "kernel_search",
    actions=(
        Action(
            "choose",
            "C&hoose by evidence…",
            "&Kernel",
            "K",
            tip="Compare all kernels, values and numbers of components on these data.",
            separator=True,
            handler="open",
            enabled=lambda scene: not scene.is_empty,
        ),
    ),
    controller="kpca_viewer.features.kernel_search.controller:KernelSearchController",
    commands={"choose": "kpca_viewer.features.kernel_search.command"},
)
