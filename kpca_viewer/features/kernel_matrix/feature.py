"""The kernel matrix, raw or centred."""

from kpca_viewer.engine.feature import Feature, Page

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
    ),
)
