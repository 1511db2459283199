"""What is shown first, and what of the kernel goes along to other data."""

from dataclasses import replace
from typing import Any

from kpca_viewer.core.kernels.composition import unknown
from kpca_viewer.core.kernels.families import FAMILIES, follows_data
from kpca_viewer.core.kernels.kernel import Kernel, named_kernel
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
    source_title,
)
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import readable

FIRST_GAMMA = 4.0
"""In the middle of those that pull the rings apart, from 1.5 to 10, as the suggestion
is; a number, so that the controls show it before anything is computed."""

WRITTEN_OUT = as_values({"gamma": 1, "degree": 2, "coef0": 1})
"""(1 + xᵀy)²: its map of a plane has six coordinates."""


def first_session() -> SessionSettings:
    """Return the first picture: a kernel does what linear PCA cannot."""
    return SessionSettings(kernel=KernelSettings("rbf", (("gamma", FIRST_GAMMA),)))


def for_other_data(kernel: KernelSettings) -> KernelSettings:
    """Return a kernel for other data: what measures distances is suggested anew.

    The rest (degree, offset, smoothness) stays as it was set.
    """
    kept = {name: v for name, v in kernel.values if not follows_data(name)}
    return KernelSettings(kernel.family, as_values(kept))


def kernel_of_example(source: str) -> KernelSettings | None:
    """Return the kernel that belongs to a worked example; None for other data."""
    generator = GENERATORS.get(source)
    if generator is None or generator.kernel is None:
        return None
    family, values = generator.kernel
    return KernelSettings(family, as_values(dict(values)))


def kernel_of_family(family: str, source: str) -> KernelSettings:
    """Return the kernel that a family begins with for data that are seen first.

    In plane examples the polynomial is (1 + xᵀy)², which lectures write out; other
    data have what is suggested for them.
    """
    generator = GENERATORS.get(source)
    if family == "poly" and generator is not None and generator.is_plane:
        return KernelSettings(family, WRITTEN_OUT)
    return KernelSettings(family)


def is_of_example(settings: SessionSettings) -> bool:
    return settings.kernel == kernel_of_example(settings.data.source)


def kernel_for(
    source: str, old: SessionSettings, before_example: KernelSettings | None = None
) -> KernelSettings:
    """Return the kernel with which other data begin.

    That is not the one of an example that is left, but what was there before it.
    """
    own = kernel_of_example(source)
    if own is not None:
        return own
    if is_of_example(old):
        # It belongs to the example, which is left.
        return for_other_data(before_example or KernelSettings())
    if old.kernel == kernel_of_family(old.kernel.family, source):
        return old.kernel
    return for_other_data(old.kernel)


def left_behind(kernel: KernelSettings) -> str:
    """Name the values that `for_other_data` gives up: "γ = 4"; nothing without any."""
    return ", ".join(
        f"{symbol} = {readable(value)}" for symbol, value in _given_up(kernel)
    )


def _given_up(kernel: KernelSettings) -> list[tuple[str, float]]:
    symbols = {p.name: p.symbol for p in FAMILIES[kernel.family].parameters}
    return [
        (symbols[name], value)
        for name, value in kernel.values
        if follows_data(name) and name in symbols
    ]


def news_of_kernel(old: SessionSettings, new: SessionSettings) -> str:
    """Say which values were left behind with other data; nothing without any.

    Nothing either where they are not set: the first picture brings its own. A given
    matrix has no kernel to speak of.
    """
    own = kernel_of_example(new.data.source)
    if own is not None and new.kernel == own:
        same = old.kernel.family == own.family and not _others(old.kernel, own)
        return "" if same else _news_of_example(new)
    values = left_behind(old.kernel)
    importing = new.data.importing
    given = importing is not None and importing.matrix != "points"
    unset = old.kernel == first_session().kernel and old.data == DataSettings()
    unset = unset or is_of_example(old)
    if not values or given or unset or old.kernel == new.kernel:
        return ""
    symbols = ", ".join(symbol for symbol, _ in _given_up(old.kernel))
    before, now = source_title(old.data.source), source_title(new.data.source)
    if old.data.source == new.data.source:
        before, now = "those before", "the new columns"
    return f"{symbols} is the value suggested for {now} now; {values} was for {before}."


def _news_of_example(new: SessionSettings) -> str:
    formula = Kernel(new.kernel.family, **dict(new.kernel.values)).plain_formula()
    return f"{source_title(new.data.source)}: an example with {formula}."


def _others(kernel: KernelSettings, other: KernelSettings) -> list[str]:
    """Name the values of a kernel that another one of the family has not."""
    own, others = dict(kernel.values), dict(other.values)
    found = []
    for parameter in FAMILIES[kernel.family].parameters:
        name, usual = parameter.name, parameter.default
        if name not in own and follows_data(name):
            if name in others:
                found.append(f"suggested {parameter.symbol}")
        elif own.get(name, usual) != others.get(name, usual):
            found.append(f"{parameter.symbol} = {readable(own.get(name, usual))}")
    return found


def kept_words(old: SessionSettings, new: SessionSettings) -> str:
    """Name what a person would keep instead: values, or a kernel."""
    if is_of_example(new):
        if old.kernel.family != new.kernel.family:
            return FAMILIES[old.kernel.family].title
        others = _others(old.kernel, new.kernel)
        suggested = all(words.startswith("suggested") for words in others)
        return "suggested values" if suggested else ", ".join(others)
    return left_behind(old.kernel) or "suggested values"


def begun_with(settings: SessionSettings, model: Any, kernel: Any) -> SessionSettings:
    """Return settings with the kernel of an estimator, or one by name and values.

    Raises `KernelError` for a kernel that the window does not have.
    """
    if model is not None:
        estimator = model[-1] if hasattr(model, "steps") else model
        given = estimator.get_params(deep=False)
        components = given["n_components"]
        analysis = replace(settings.analysis, center=given["center"])
        if isinstance(components, int):
            analysis = replace(analysis, components=components)
        settings = replace(settings, analysis=analysis)
        if kernel is None:
            gamma = getattr(estimator, "gamma_", given["gamma"])
            kernel = {**given, "gamma": gamma}
    if kernel is None:
        return settings
    chosen: dict[str, Any] = (
        {"kernel": kernel} if isinstance(kernel, str | Kernel) else dict(kernel)
    )
    given = chosen.pop("kernel", "rbf")
    if not isinstance(given, str | Kernel):
        raise KernelError(
            f"The window has no kernel “{given}”; choose one of {', '.join(FAMILIES)}."
        )
    family, own = named_kernel(given)
    if family not in FAMILIES:
        raise unknown(family, FAMILIES)
    known = {parameter.name for parameter in FAMILIES[family].parameters}
    chosen |= chosen.get("kernel_params") or {}
    values = {k: v for k, v in chosen.items() if k in known and v is not None}
    return replace(
        settings, kernel=KernelSettings(family, as_values({**values, **own}))
    )
