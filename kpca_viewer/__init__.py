"""Look at data through kernel PCA: a live, certified viewer and estimator."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kpca_viewer.core.kernel_pca import KernelPCA

__version__ = "0.1.0"

__all__ = ["KernelPCA", "__version__"]

# Imported on first use: scikit-learn takes a second, and the window must not wait.
_HOMES = {"KernelPCA": "kpca_viewer.core.kernel_pca"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
