"""What is shown first, and what of the kernel goes along to other data."""

from dataclasses import replace

from kpca_viewer.core.kernels.families import FAMILIES, follows_data
from kpca_viewer.session.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
    source_title,
)
from kpca_viewer.support.numerals import readable

FIRST_GAMMA = 4.0
"""In the middle of those that pull the rings apart, from 1.5 to 10. The median rule's
suggestion, 1.2, lies below them."""


def first_session() -> SessionSettings:
    """Return the first picture: a kernel does what linear PCA cannot."""
    return SessionSettings(kernel=KernelSettings("rbf", (("gamma", FIRST_GAMMA),)))


def for_other_data(kernel: KernelSettings) -> KernelSettings:
    """Return a kernel for other data: what measures distances is suggested anew.

    The rest (degree, offset, smoothness) stays as it was set.
    """
    kept = {name: v for name, v in kernel.values if not follows_data(name)}
    return replace(kernel, values=as_values(kept))


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

    Nothing either where nobody has set them: the first picture brings its own. A given
    matrix has no kernel to speak of.
    """
    values = left_behind(old.kernel)
    importing = new.data.importing
    given = importing is not None and importing.matrix != "points"
    unset = old.kernel == first_session().kernel and old.data == DataSettings()
    if not values or given or unset or old.kernel == new.kernel:
        return ""
    symbols = ", ".join(symbol for symbol, _ in _given_up(old.kernel))
    before, now = source_title(old.data.source), source_title(new.data.source)
    if old.data.source == new.data.source:
        before, now = "those before", "the new columns"
    return f"{symbols} is the value suggested for {now} now; {values} was for {before}."
