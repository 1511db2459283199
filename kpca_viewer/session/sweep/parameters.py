"""What can be swept: the parameters, what they are called, and how they are set."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.kernels.parameters import Parameter
from kpca_viewer.data.generators import GENERATORS, NOISE, SAMPLES
from kpca_viewer.session.settings import KernelSettings, SessionSettings
from kpca_viewer.support.numerals import readable

SweepParameter = Literal[
    "gamma",
    "degree",
    "coef0",
    "length_scale",
    "nu",
    "mixture",
    "kernel",
    "components",
    "noise",
    "samples",
]
Value = float | str

COMPONENTS = Parameter("components", "k", "Components", 1, 20, 10, "integer")
KERNEL_NAMES = ("gamma", "degree", "coef0", "length_scale", "nu", "mixture")
_DATA = {"noise": NOISE, "samples": SAMPLES}
WHOLE = ("degree", "components", "samples")


def with_value(
    settings: SessionSettings, parameter: str, value: Value
) -> SessionSettings:
    """Return settings with one parameter of a sweep set."""
    if parameter == "kernel":
        if value == settings.kernel.family:
            return settings
        return replace(settings, kernel=KernelSettings(str(value)))
    number = float(value)
    if parameter == "components":
        analysis = replace(settings.analysis, components=int(number))
        return replace(settings, analysis=analysis)
    if parameter in _DATA:
        return replace(settings, data=settings.data.with_value(parameter, number))
    return replace(settings, kernel=settings.kernel.with_value(parameter, number))


def current_value(
    settings: SessionSettings,
    parameter: str,
    suggested: Mapping[str, float] | None = None,
) -> Value | None:
    """Return what a parameter is now: set, suggested or by default."""
    if parameter == "kernel":
        return settings.kernel.family
    if parameter == "components":
        return float(settings.analysis.components)
    known_as = parameter_of(settings, parameter)
    if known_as is None:
        return None
    if parameter in _DATA:
        return dict(settings.data.values).get(parameter, known_as.default)
    known = {**(suggested or {}), **dict(settings.kernel.values)}
    return known.get(parameter, known_as.default)


def sweepable(
    settings: SessionSettings, kind: str = "points"
) -> tuple[SweepParameter, ...]:
    """Return what can be swept now, the most useful first.

    Parameters
    ----------
    settings : SessionSettings
    kind : {"points", "kernel", "distances"}
        Of the data: a given matrix has no kernel to vary.
    """
    if kind != "points":
        return ("components",)
    family = FAMILIES.get(settings.kernel.family)
    names = [p.name for p in family.parameters] if family is not None else []
    # The scale of a kernel tells more than its smoothness does.
    names.sort(key=lambda name: name in ("nu", "coef0"))
    names += ["kernel", "components"]
    generator = GENERATORS.get(settings.data.source)
    if generator is not None:
        given = {p.name for p in generator.parameters}
        names += [name for name in _DATA if name in given]
    return tuple(_name(name) for name in names)


def title_of(parameter: str) -> str:
    """Return what a menu calls a parameter: "γ Gamma"."""
    if parameter == "kernel":
        return "Kernel"
    known_as = described(parameter)
    return f"{known_as.symbol} {known_as.title}".strip()


def symbol_of(parameter: str) -> str:
    """Return the short name of a parameter: "γ"."""
    if parameter == "kernel":
        return "kernel"
    known_as = described(parameter)
    return known_as.symbol or known_as.title.lower()


def value_text(parameter: str, value: Value, digits: int = 3) -> str:
    """Return a value as a label shows it: "0.32", or the title of a kernel."""
    if isinstance(value, str):
        return FAMILIES[value].title if value in FAMILIES else value
    # What is counted keeps all its digits: 1,000,000 samples.
    return f"{value:,.0f}" if parameter in WHOLE else readable(value, digits)


def _name(name: str) -> SweepParameter:
    return next(known for known in get_args(SweepParameter) if known == name)


def described(parameter: str) -> Parameter:
    """Return what is known about a parameter, whichever kernel has it."""
    if parameter == "components":
        return COMPONENTS
    if parameter in _DATA:
        return _DATA[parameter]
    return next(
        p for f in FAMILIES.values() for p in f.parameters if p.name == parameter
    )


def parameter_of(settings: SessionSettings, parameter: str) -> Parameter | None:
    """Return the parameter as the chosen kernel or generator describes it."""
    if parameter == "components":
        return COMPONENTS
    if parameter in _DATA:
        generator = GENERATORS.get(settings.data.source)
        rows = () if generator is None else generator.parameters
    else:
        family = FAMILIES.get(settings.kernel.family)
        rows = () if family is None else family.parameters
    return next((p for p in rows if p.name == parameter), None)
