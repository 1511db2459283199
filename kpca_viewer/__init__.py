"""Look at data through kernel PCA: a live, certified viewer and estimator."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.generators import generate
    from kpca_viewer.engine.analysis import analyse
    from kpca_viewer.export.model import load
    from kpca_viewer.features.kernel_search.choose import choose
    from kpca_viewer.window.start import show

__version__ = "0.1.0"

__all__ = [
    "Dataset",
    "KernelPCA",
    "__version__",
    "analyse",
    "choose",
    "generate",
    "load",
    "show",
]

# Imported on first use: scikit-learn takes a second, and the window must not wait.
_HOMES = {
    "Dataset": "kpca_viewer.data.dataset",
    "KernelPCA": "kpca_viewer.core.estimator.kernel_pca",
    "analyse": "kpca_viewer.engine.analysis",
    "choose": "kpca_viewer.features.kernel_search.choose",
    "generate": "kpca_viewer.data.generators",
    "load": "kpca_viewer.export.model",
    "show": "kpca_viewer.window.start",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
