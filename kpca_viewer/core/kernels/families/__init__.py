"""The kernels: every `KernelFamily` that a module of this folder declares.

A kernel is added by one file here; menus, sliders, sweeps, formulas, the command line,
the estimator and generated code follow from it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from kpca_viewer.core.kernels.composition import WEIGHT, composed, renamed
from kpca_viewer.core.kernels.family import KernelFamily, Parameter
from kpca_viewer.support.plugins import plugins
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


class Families(Registry[KernelFamily]):
    """The kernels of menus; sums and products of them are made when they are named."""

    def __missing__(self, name: str) -> KernelFamily:
        family = _composed(name)
        if family is None:
            raise KeyError(name)
        return family

    def __contains__(self, name: object) -> bool:
        known = super().__contains__(name)
        return known or (isinstance(name, str) and _composed(name) is not None)

    def get(self, name: str, default: Any = None) -> Any:
        # That of a dict knows nothing of what is missing.
        return self[name] if name in self else default  # noqa: SIM401


@lru_cache(256)
def _composed(name: str) -> KernelFamily | None:
    return composed(name, FAMILIES)


FAMILIES = Families(_name, sorted(_declared(), key=_place))


def kernel_parameters() -> dict[str, Parameter]:
    """Return every parameter by its name, as the first kernel that has it tells it."""
    found: dict[str, Parameter] = {}
    for family in FAMILIES.values():
        for parameter in family.parameters:
            found.setdefault(parameter.name, parameter)
    return found


def kernel_parameter(name: str) -> Parameter | None:
    """Return a parameter, also that of one part of several: ``gamma_2``."""
    known = {"weight": WEIGHT, **kernel_parameters()}
    own = re.sub(r"_\d+$", "", name)
    return known.get(name) or (renamed(known[own], name) if own in known else None)


def follows_data(name: str) -> bool:
    """Whether the value of a kernel's parameter is suggested by the data."""
    known = kernel_parameter(name)
    return known is not None and known.follows is not None


for _key, _family in plugins("kpca_viewer.kernels", KernelFamily):
    # What there is already keeps its name.
    FAMILIES.setdefault(_family.name, _family)
