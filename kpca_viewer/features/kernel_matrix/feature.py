"""The kernel matrix, raw or centred."""

from kpca_viewer.engine.feature import Action, Feature, Page

FEATURE = Feature(
    "kernel_matrix",
    page=Page(
        "gram",
        "Kernel matrix",
        "kernel matrix",
        view="kpca_viewer.features.kernel_matrix.page:MatrixPage",
        menu="&Kernel matrix",
        tip="How alike every pair of points is",
        short="Matrix",
        terms=("kernel_matrix", "centring"),
        workspaces=("explain", "sweep"),
    ),
    actions=(
        Action(
            "kernel_function",
            "Colour by k(x, ·), hold its row, end",
            "Keys",
            "H",
            tip="Colour plane and points by the kernel with the row pointed at; again "
            "holds that row while γ moves, once more brings the colours back.",
            handler="turn",
            enabled=lambda scene: scene.kind == "points" and not scene.is_empty,
        ),
    ),
    controller="kpca_viewer.features.kernel_matrix.controller:KernelFunction",
)
