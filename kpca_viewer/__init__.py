"""Look at data through kernel PCA: a live, certified viewer and estimator."""

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA
    from kpca_viewer.core.kernels.kernel import Kernel
    from kpca_viewer.core.kernels.values import (
        cosine,
        laplacian,
        linear,
        matern,
        paraboloid,
        poly,
        rational_quadratic,
        rbf,
        sigmoid,
    )
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.frames import read
    from kpca_viewer.data.generators import generate
    from kpca_viewer.engine.analysis import analyse
    from kpca_viewer.export.axes import plot
    from kpca_viewer.export.model import load
    from kpca_viewer.features.kernel_search.choose import choose
    from kpca_viewer.features.sweep.sweep import sweep
    from kpca_viewer.window.start import show

__version__ = "1.0.0"

__all__ = [
    "Dataset",
    "Kernel",
    "KernelPCA",
    "__version__",
    "analyse",
    "choose",
    "cosine",
    "generate",
    "laplacian",
    "linear",
    "load",
    "matern",
    "paraboloid",
    "plot",
    "poly",
    "rational_quadratic",
    "rbf",
    "read",
    "show",
    "sigmoid",
    "sweep",
]

# Imported on first use: scikit-learn takes a second, and the window must not wait.
_HOMES = {
    "Dataset": "kpca_viewer.data.dataset",
    "Kernel": "kpca_viewer.core.kernels.kernel",
    "KernelPCA": "kpca_viewer.core.estimator.kernel_pca",
    "analyse": "kpca_viewer.engine.analysis",
    "choose": "kpca_viewer.features.kernel_search.choose",
    "generate": "kpca_viewer.data.generators",
    "load": "kpca_viewer.export.model",
    "plot": "kpca_viewer.export.axes",
    "read": "kpca_viewer.data.frames",
    "show": "kpca_viewer.window.start",
    "sweep": "kpca_viewer.features.sweep.sweep",
    "cosine": "kpca_viewer.core.kernels.values",
    "laplacian": "kpca_viewer.core.kernels.values",
    "linear": "kpca_viewer.core.kernels.values",
    "matern": "kpca_viewer.core.kernels.values",
    "paraboloid": "kpca_viewer.core.kernels.values",
    "poly": "kpca_viewer.core.kernels.values",
    "rational_quadratic": "kpca_viewer.core.kernels.values",
    "rbf": "kpca_viewer.core.kernels.values",
    "sigmoid": "kpca_viewer.core.kernels.values",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        interrupts = import_module("kpca_viewer.support.interrupts")
        with interrupts.interrupts_held():
            found = getattr(import_module(_HOMES[name]), name)
        for problem in import_module("kpca_viewer.support.plugins").take_problems():
            warn(problem, stacklevel=2)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
