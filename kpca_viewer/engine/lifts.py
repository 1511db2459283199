"""The table of lifts: what the plane of the data can be raised into."""

from dataclasses import dataclass

from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.engine.settings import KernelSettings, Values
from kpca_viewer.support.registry import Registry


@dataclass(frozen=True)
class Lift:
    """One way to raise the plane."""

    key: str
    word: str
    """What undo calls it."""
    family: str = ""
    values: Values = ()
    """Of the kernel whose map it is; none for the components of any kernel."""

    @property
    def kernel(self) -> Kernel | None:
        return Kernel(self.family, **dict(self.values)) if self.family else None

    @property
    def settings(self) -> KernelSettings:
        """What has to be set for the window to compute with it."""
        return KernelSettings(self.family, self.values)

    @property
    def features(self) -> FeatureMap | None:
        """The map of the plane; None for components, which follow from the data."""
        return None if self.kernel is None else self.kernel.feature_map(2)

    def is_of(self, kernel: Kernel | None) -> bool:
        own = self.kernel
        if own is None or kernel is None:
            return own is None and kernel is not None
        return own.family is kernel.family and own.values == kernel.values


LIFTS: Registry[Lift] = Registry(
    lambda lift: lift.key,
    (
        Lift("paraboloid", "paraboloid", "paraboloid"),
        Lift(
            "square",
            "(xᵀy)²",
            "poly",
            (("coef0", 0.0), ("degree", 2.0), ("gamma", 1.0)),
        ),
        Lift(
            "offset_square",
            "(1 + xᵀy)²",
            "poly",
            (("coef0", 1.0), ("degree", 2.0), ("gamma", 1.0)),
        ),
        Lift("components", "PC 1–3"),
    ),
)

FIRST = "paraboloid"
"""What is shown before another one is chosen."""
