"""Modules that stand in pickled models of earlier versions, by where they are now.

A pickle names the module of every class in it. These names stay importable; nothing in
the program uses them.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

NOW = {
    "kpca_viewer.core.feature_space": "kpca_viewer.core.projection",
    "kpca_viewer.core.kernels.held_points": "kpca_viewer.core.kernels.large_tables",
    "kpca_viewer.core.kernels.roundings": "kpca_viewer.core.kernels.bases",
    "kpca_viewer.core.preimage": "kpca_viewer.core.methods",
    "kpca_viewer.core.preimage.anchors": "kpca_viewer.core.methods.preimage_methods",
    "kpca_viewer.core.preimage.fixed_point": (
        "kpca_viewer.core.methods.preimage_methods"
    ),
    "kpca_viewer.core.preimage.from_distances": "kpca_viewer.core.methods.preimage",
    "kpca_viewer.core.preimage.prepared": "kpca_viewer.core.methods.preimage",
}


PACKAGES = ("kpca_viewer.core.preimage",)


class _OldPaths(MetaPathFinder, Loader):
    """Gives an old name the module that has its classes now."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname not in NOW:
            return None
        return spec_from_loader(fullname, self, is_package=fullname in PACKAGES)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        # The names alone: the module itself keeps its own path.
        module.__dict__.update(
            {
                name: value
                for name, value in vars(import_module(NOW[module.__name__])).items()
                if not name.startswith("__")
            }
        )


sys.meta_path.append(_OldPaths())
