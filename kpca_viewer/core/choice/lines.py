"""Which kernels a search tries, and between which values."""

from collections.abc import Iterable
from itertools import product

import numpy as np

from kpca_viewer.core.choice.results import Array, Line, Values
from kpca_viewer.core.kernels.family import KernelFamily, Parameter
from kpca_viewer.core.kernels.kernel import FAMILIES, suggested_values
from kpca_viewer.support.errors import KernelError

LINEAR = "linear"
"""Always a candidate: what is as good without any curve is to be preferred."""

DIGITS = 3
"""Of every value that is tried: what is shown is what was computed with."""


def lines(families: Iterable[str] | None = None) -> tuple[Line, ...]:
    """Return the lines of some kernels, or of all; linear PCA is among them.

    Raises
    ------
    KernelError
        If there is no such kernel.
    """
    wanted = tuple(FAMILIES) if families is None else tuple(families)
    for name in wanted:
        if name not in FAMILIES:
            raise KernelError(
                f"There is no kernel “{name}”; choose one of {', '.join(FAMILIES)}."
            )
    names = dict.fromkeys((LINEAR, *wanted))
    return tuple(line for name in names for line in _lines_of(FAMILIES[name]))


def _lines_of(family: KernelFamily) -> Iterable[Line]:
    scanned = scanned_parameter(family)
    settled = [p for p in family.parameters if p is not scanned and _few_values(p)]
    pairs = [[(p.name, float(value)) for value in _few_values(p)] for p in settled]
    for values in product(*pairs):
        fixed: Values = tuple(sorted(values))
        yield Line(family.name, fixed, None if scanned is None else scanned.name)


def scanned_parameter(family: KernelFamily) -> Parameter | None:
    """Return what is varied: what follows the data, else what matters most."""
    follows = next((p for p in family.parameters if p.follows), None)
    if follows is not None or family.asked is None or _few_values(family.asked):
        return follows
    return family.asked


def _few_values(parameter: Parameter) -> tuple[float, ...]:
    """Return all values of a parameter that make a kernel of their own."""
    if parameter.scale == "choice":
        return parameter.choices
    if parameter.scale == "integer":
        # The least is no curve yet; beyond the default, rows far out drown the rest.
        return tuple(range(int(parameter.low) + 1, int(parameter.default) + 1))
    return ()


def parameter_of(line: Line) -> Parameter | None:
    known = FAMILIES[line.family].parameters
    return next((p for p in known if p.name == line.scanned), None)


def coarse_values(line: Line, X: Array, steps: int) -> tuple[float | None, ...]:
    """Return the values of a line that are tried first, in ascending order.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        What the kernel sees; suggests the middle.
    """
    parameter = parameter_of(line)
    if parameter is None:
        return (None,)
    suggested = suggested_values(line.family, X).get(parameter.name)
    if suggested is None and parameter.scale != "log":
        values = np.linspace(parameter.low, parameter.high, steps)
    elif suggested is None:
        values = np.geomspace(parameter.low, parameter.high, steps)
    else:
        reach = parameter.reach
        values = np.geomspace(suggested / reach, suggested * reach, steps)
    return tuple(dict.fromkeys(_short(float(value)) for value in values))


def between(line: Line, one: float, other: float) -> float:
    """Return the value half-way."""
    parameter = parameter_of(line)
    if parameter is not None and parameter.scale == "log":
        return _short((one * other) ** 0.5)
    return _short((one + other) / 2)


def simplicity(line: Line, value: float | None) -> float:
    """Return a number that is smaller for the smoother of two kernels of a line."""
    parameter = parameter_of(line)
    if parameter is None or value is None:
        return 0.0
    return -value if parameter.follows == "length" else value


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
