"""The width of a kernel as other texts and programs write it."""

from math import sqrt
from typing import NamedTuple

from kpca_viewer.core.kernels.kernel import Kernel


class Convention(NamedTuple):
    """One more number for what a parameter already says."""

    symbol: str
    value: float
    definition: str
    """The equation between the two: "γ = 1/2σ²"."""


def conventions(kernel: Kernel) -> tuple[Convention, ...]:
    """Return other ways to write the width of a kernel; none where there is none."""
    family, values = kernel.family, kernel.values
    if family.gaussian:
        gamma = values["gamma"]
        return (
            Convention("σ", sqrt(1 / (2 * gamma)), "γ = 1/2σ²"),
            Convention("σ", sqrt(1 / gamma), "γ = 1/σ²"),
        )
    if family.base == "l1_distances" and "gamma" in values:
        return (Convention("ℓ", 1 / values["gamma"], "γ = 1/ℓ"),)
    if family.base == "distances" and {"nu", "length_scale"} <= values.keys():
        rate = sqrt(2 * values["nu"]) / values["length_scale"]
        return (Convention("κ", rate, "κ = √(2ν)/ℓ"),)
    return ()
