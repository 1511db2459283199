"""The kernels: every `KernelFamily` that a module of this folder declares.

A kernel is added by one file here; menus, sliders, sweeps, formulas, the command line,
the estimator and generated code follow from it.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from kpca_viewer.core.kernels.family import KernelFamily, Parameter
from kpca_viewer.support.registry import Registry

FIRST = (
    "linear",
    "poly",
    "rbf",
    "laplacian",
    "matern",
    "rational_quadratic",
    "sigmoid",
    "cosine",
    "paraboloid",
)
"""The order in menus; kernels that are not named here follow."""


def _declared() -> Iterator[KernelFamily]:
    for module in iter_modules(__path__):
        for value in vars(import_module(f"{__name__}.{module.name}")).values():
            if isinstance(value, KernelFamily):
                yield value


def _place(family: KernelFamily) -> int:
    return FIRST.index(family.name) if family.name in FIRST else len(FIRST)


def _name(family: KernelFamily) -> str:
    return family.name


FAMILIES: Registry[KernelFamily] = Registry(_name, sorted(_declared(), key=_place))


def kernel_parameters() -> dict[str, Parameter]:
    """Return every parameter by its name, as the first kernel that has it tells it."""
    found: dict[str, Parameter] = {}
    for family in FAMILIES.values():
        for parameter in family.parameters:
            found.setdefault(parameter.name, parameter)
    return found


def follows_data(name: str) -> bool:
    """Whether the value of a kernel's parameter is suggested by the data."""
    known = kernel_parameters().get(name)
    return known is not None and known.follows is not None
