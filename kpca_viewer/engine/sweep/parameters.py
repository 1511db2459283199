"""What can be swept: the parameters, what they are called, and how they are set."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kpca_viewer.core.kernels.families import (
    FAMILIES,
    kernel_parameter,
    kernel_parameters,
)
from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.data.generators import GENERATORS, generator_parameters
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.support.numerals import counted, readable

Value = float | str

COMPONENTS = Parameter("components", "k", "Components", 1, 20, 10, "integer")
KERNEL = "kernel"
"""Names the kernel itself, whose values are the families instead of numbers."""


def sweep_parameters() -> tuple[str, ...]:
    """Return everything that can be swept with some kernel and some data."""
    of_data = _most_useful_first(generator_parameters().values())
    of_kernel = [p.name for p in kernel_parameters().values() if p.swept]
    return (*of_kernel, KERNEL, COMPONENTS.name, *of_data)


def is_of_kernel(parameter: str) -> bool:
    return kernel_parameter(parameter) is not None


def is_whole(parameter: str) -> bool:
    return parameter != KERNEL and parameter_named(parameter).scale == "integer"


def _most_useful_first(parameters: Iterable[Parameter]) -> list[str]:
    """Return what may be swept: the scale of a kernel before its smoothness."""
    swept = [p for p in parameters if p.swept]
    return [p.name for p in sorted(swept, key=lambda p: p.secondary)]


def with_value(
    settings: SessionSettings, parameter: str, value: Value
) -> SessionSettings:
    if parameter == KERNEL:
        if value == settings.kernel.family:
            return settings
        return replace(settings, kernel=KernelSettings(str(value)))
    number = float(value)
    if parameter == COMPONENTS.name:
        analysis = replace(settings.analysis, components=int(number))
        return replace(settings, analysis=analysis)
    if parameter in generator_parameters():
        return replace(settings, data=settings.data.with_value(parameter, number))
    return replace(settings, kernel=settings.kernel.with_value(parameter, number))


def current_value(
    settings: SessionSettings,
    parameter: str,
    suggested: Mapping[str, float] | None = None,
) -> Value | None:
    """Return what a parameter is now: set, suggested or by default."""
    if parameter == KERNEL:
        return settings.kernel.family
    if parameter == COMPONENTS.name:
        return float(settings.analysis.components)
    known_as = parameter_of(settings, parameter)
    if known_as is None:
        return None
    if parameter in generator_parameters():
        return dict(settings.data.values).get(parameter, known_as.default)
    known = {**(suggested or {}), **dict(settings.kernel.values)}
    return known.get(parameter, known_as.default)


def sweepable(settings: SessionSettings, kind: str = "points") -> tuple[str, ...]:
    """Return what can be swept now, the most useful first; no kernel of a matrix."""
    if kind != "points":
        return (COMPONENTS.name,)
    family = FAMILIES.get(settings.kernel.family)
    generator = GENERATORS.get(settings.data.source)
    return (
        *_most_useful_first(() if family is None else family.parameters),
        KERNEL,
        COMPONENTS.name,
        *_most_useful_first(() if generator is None else generator.parameters),
    )


def title_of(parameter: str) -> str:
    """Return what a menu calls a parameter: "γ Gamma"."""
    if parameter == KERNEL:
        return "Kernel"
    known_as = parameter_named(parameter)
    return f"{known_as.symbol} {known_as.title}".strip()


def symbol_of(parameter: str) -> str:
    """Return the short name of a parameter: "γ"."""
    if parameter == KERNEL:
        return "kernel"
    known_as = parameter_named(parameter)
    return known_as.symbol or known_as.title.lower()


def value_text(parameter: str, value: Value, digits: int = 3) -> str:
    """Return a value as a label shows it: "0.32", or the title of a kernel."""
    if isinstance(value, str):
        return FAMILIES[value].title if value in FAMILIES else value
    # What is counted keeps all its digits: 1,000,000 samples.
    return counted(value) if is_whole(parameter) else readable(value, digits)


def short_text(parameter: str, value: Value) -> str:
    """Return a value where room is short: a kernel may have a shorter title."""
    if isinstance(value, str) and value in FAMILIES:
        return FAMILIES[value].short or FAMILIES[value].title
    return value_text(parameter, value)


def parameter_named(parameter: str) -> Parameter:
    """Return what is known about a parameter, whichever kernel or data have it."""
    if parameter == COMPONENTS.name:
        return COMPONENTS
    return kernel_parameter(parameter) or generator_parameters()[parameter]


def parameter_of(settings: SessionSettings, parameter: str) -> Parameter | None:
    """Return the parameter as the chosen kernel or generator describes it."""
    if parameter == COMPONENTS.name:
        return COMPONENTS
    if parameter in generator_parameters():
        generator = GENERATORS.get(settings.data.source)
        rows = () if generator is None else generator.parameters
    else:
        family = FAMILIES.get(settings.kernel.family)
        rows = () if family is None else family.parameters
    return next((p for p in rows if p.name == parameter), None)
