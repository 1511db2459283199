"""The table of lifts: what the plane of the data can be raised into."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import KernelSettings, Values
from kpca_viewer.support.registry import Registry

MOST_ROWS = 20_000
"""That are lifted while a slider moves; mapping more takes longer than a frame."""

LONGEST_NAME = 3
"""Letters of a feature that stands in formulas; longer ones are x and y there."""

_NUMBERED = re.compile(r"(\w)_?(\d)")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Lift:
    """One way to raise the plane."""

    key: str
    word: str
    """What undo calls it."""
    about: str
    """What it shows, in one sentence."""
    family: str = ""
    values: Values = ()
    """Of the kernel whose map it is; none for the components of any kernel."""

    @property
    def kernel(self) -> Kernel | None:
        """The kernel ``φ(x)ᵀφ(y)``."""
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
        """Whether a kernel is the one of this map."""
        own = self.kernel
        if own is None or kernel is None:
            return own is None and kernel is not None
        return own.family is kernel.family and own.values == kernel.values

    def title(self, variables: Sequence[str]) -> str:
        """Return the map as a person writes it: "(x, y, x² + y²)"."""
        features = self.features
        if features is None:
            return "Directions of PC 1–3"
        return f"({', '.join(features.plain(variables))})"


LIFTS: Registry[Lift] = Registry(
    lambda lift: lift.key,
    (
        Lift(
            "paraboloid",
            "paraboloid",
            "The squared length as height: the map of the paraboloid kernel.",
            "paraboloid",
        ),
        Lift(
            "square",
            "(xᵀy)²",
            "All products of two: the map of the polynomial kernel with γ = 1, c = 0 "
            "and p = 2.",
            "poly",
            (("coef0", 0.0), ("degree", 2.0), ("gamma", 1.0)),
        ),
        Lift(
            "offset_square",
            "(1 + xᵀy)²",
            "All products of up to two, three of which are drawn: the map of the "
            "polynomial kernel with γ = 1, c = 1 and p = 2.",
            "poly",
            (("coef0", 1.0), ("degree", 2.0), ("gamma", 1.0)),
        ),
        Lift(
            "components",
            "PC 1–3",
            "Where the plane lies along the first three components of the kernel that "
            "computes, whatever its map is.",
        ),
    ),
)

FIRST = "paraboloid"
"""What is shown before somebody chooses."""


def variables_of(dataset: Dataset) -> tuple[str, str]:
    """Return what the two features are called in formulas: x₁ and x₂, or x and y."""
    names = dataset.feature_names[:2]
    if len(names) < 2 or any(len(name) > LONGEST_NAME for name in names):
        return "x", "y"
    first, second = (_lowered(name) for name in names)
    return first, second


def _lowered(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return name if found is None else found[1] + found[2].translate(_LOWERED)


def why_not(dataset: Dataset, kernel: Kernel | None) -> str:
    """Say why data cannot be lifted, and what can; nothing where they can be."""
    if dataset.kind != "points" or kernel is None:
        return "A given matrix has no plane that could be raised; open points."
    if dataset.d != 2:
        features = "feature" if dataset.d == 1 else "features"
        return (
            f"Only a plane can be raised, and these data have {dataset.d:,} "
            f"{features}; choose data with two."
        )
    if dataset.n > MOST_ROWS:
        return (
            f"{dataset.n:,} points are too many to be raised while a slider moves; "
            f"choose {MOST_ROWS:,} or fewer."
        )
    return ""
