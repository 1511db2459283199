"""The kernel matrix from some of its parts."""

from kpca_viewer.engine.feature import Feature, Page

FEATURE = Feature(
    "rebuild",
    page=Page(
        "rebuild",
        "Rebuild",
        "rebuilt",
        view="kpca_viewer.features.rebuild.page:RebuildPage",
        menu="Re&build",
        tip="The kernel matrix from some of its parts; classical MDS beside PCA",
        terms=("eckart_young", "classical_mds", "strain"),
        workspaces=("explain",),
    ),
    stages=("kpca_viewer.features.rebuild.compute:STAGES",),
)
