"""What a kernel has to tell about itself, and about its parameters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal, NamedTuple

from kpca_viewer.core.kernels.bases import Array, Bases, Extent, Values
from kpca_viewer.core.kernels.feature_map import FeatureMap

Scale = Literal["linear", "log", "integer", "choice"]
Follows = Literal["rate", "length"]


@dataclass(frozen=True)
class Parameter:
    """One adjustable number."""

    name: str
    """The keyword in Python, for example ``"gamma"``."""
    symbol: str
    """What formulas and axes show, for example ``"γ"``."""
    title: str
    """What the sidebar shows, for example ``"Gamma"``."""
    low: float
    high: float
    """The range that a slider offers; a field may accept more."""
    default: float
    scale: Scale = "linear"
    choices: tuple[float, ...] = ()
    """The allowed values where the scale is ``"choice"``."""
    help: str = ""
    """What a larger value does to the picture."""
    positive: bool = False
    """Whether it must be greater than 0."""
    follows: Follows | None = None
    """What of the data suggests its value: one over what is typical between two points,
    or the typical distance itself. What suits one set of data says nothing about
    another."""
    reach: float = 1.0
    """How many times less and more than that suggestion a slider offers. Beyond, a
    kernel sees nothing but one point, or nothing but a plane."""
    secondary: bool = False
    """Whether it tells less about the picture than others of the same kernel."""
    open_ended: bool = False
    """Whether larger values than the slider offers are only a matter of patience."""
    swept: bool = True
    """Whether a sweep may vary it."""

    @property
    def option(self) -> str:
        """The option of the command line: ``"--length-scale"``."""
        return f"--{self.name.replace('_', '-')}"


GAMMA = Parameter(
    "gamma",
    "γ",
    "Gamma",
    1e-4,
    1e3,
    1.0,
    "log",
    help="Larger: finer, more local.",
    positive=True,
    follows="rate",
    reach=100.0,
)
LENGTH = Parameter(
    "length_scale",
    "ℓ",
    "Length",
    1e-3,
    1e3,
    1.0,
    "log",
    help="Larger: smoother.",
    positive=True,
    follows="length",
    reach=30.0,
)


@dataclass(frozen=True)
class Operations:
    """How many operations a computation takes, by kind.

    Counted as a person would compute it once: every multiplication or division, every
    addition or subtraction, every root, exponential or tanh is one. Powers are repeated
    multiplications; a factor of 1 and a term of 0 cost nothing.
    """

    products: int = 0
    additions: int = 0
    functions: int = 0

    def __add__(self, other: "Operations") -> "Operations":
        return Operations(
            self.products + other.products,
            self.additions + other.additions,
            self.functions + other.functions,
        )

    @property
    def total(self) -> int:
        return self.products + self.additions + self.functions


def by_map(features: FeatureMap) -> Operations:
    """Count ``φ(x)``, ``φ(y)`` and their dot product."""
    d, m = features.d, len(features)
    mapping = Operations(features.products, features.additions)
    if features.of_unit_rows:
        mapping += Operations(2 * d, d - 1, 1)
    return mapping + mapping + Operations(m, m - 1)


@dataclass(frozen=True)
class Computation:
    """How a family computes an entry, for people and for Python."""

    written: Callable[[Array, Array, Values, float], list[str]]
    """``(x, y, values, entry)`` → lines of text: first ``… = … = entry``, then what
    needs a line of its own. x and y have shape (d,)."""
    code: Callable[[Values], list[str]]
    """``values`` → the body of a function of ``A`` (m, d) and ``B`` (n, d) that returns
    K (m, n), with numpy as ``np``."""


class Convention(NamedTuple):
    """The width of a kernel as another text or program writes it."""

    symbol: str
    value: float
    definition: str
    """The equation between the two: "γ = 1/2σ²"."""


@dataclass(frozen=True)
class Growth:
    """How large entries become: at most ``base ** power``; the power is 0 if bounded.

    The power is also that to which differences in scale between columns are raised.
    """

    base: float
    power: float


@dataclass(frozen=True)
class InSklearn:
    """What scikit-learn calls a kernel."""

    name: str
    """The function in `sklearn.metrics.pairwise`, or the class in
    `sklearn.gaussian_process.kernels`."""
    estimator: bool = False
    """Whether its KernelPCA knows the kernel, by our name."""
    of_process: bool = False
    """Whether the name is that of a class."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Parameters that have another name there."""


@dataclass(frozen=True, kw_only=True)
class KernelFamily:
    """What is known about a kernel before its parameters have values."""

    name: str
    """The keyword, as in ``KernelPCA(kernel=name)``."""
    title: str
    short: str = ""
    """The title where room is short, if it is another one."""
    formula: str | Callable[[Values], str]
    """LaTeX with ``{gamma}``-like places for the parameters, as `formulas` fills them;
    a callable where the values decide: ``values -> str``."""
    plain: str | Callable[[Values], str]
    """The formula as plain text, with the same places."""
    general: str = ""
    """The same with symbols instead of numbers, where the places do not tell."""
    computation: Computation
    """How an entry is computed, with numbers and in NumPy."""
    base: Bases
    parameters: tuple[Parameter, ...] = ()
    definite: bool | Callable[[Values], bool]
    """Whether every Gram matrix is positive semi-definite, or for which values."""
    feature_dimension: Callable[[int, Values], float]
    """``(d, values)`` → dimension of the implicit feature space."""
    apply: Callable[[Array, Values], Array]
    """``(B, values)`` → Gram block; may overwrite ``B``."""
    operations: Callable[[int, Values], Operations] | None = None
    """``(d, values)`` → what one entry takes; None where they were not counted."""
    slope: Callable[[Array, Values], Array] | None
    """``(B, values)`` → ``dk/dB``; may overwrite ``B``. None where there is none. What
    the base does when a column of a row changes is the same for all families, see
    `gradients`."""
    rounding: Callable[[Extent, Values, float], float]
    """``(extent, values, norm)`` → bound on ``‖δK‖₂``; see `Extent`."""
    entry_rounding: Callable[[Array, Array, Values, float], Array] | None = None
    """``(base, reach, values, unit)`` → bound on every entry of δK (m, n), with reach
    ``|x||y|``, where that is far less; None where it is not."""
    growth: Callable[[float, Values], Growth]
    """``(largest squared norm, values)`` → `Growth` of the entries."""
    sklearn: InSklearn | None
    """None where scikit-learn has no such kernel."""
    feature_map: Callable[[int, Values], FeatureMap] | None = None
    """``(d, values)`` → φ, for values with a finite `feature_dimension`; None where
    there is no such value."""
    inverse: Callable[[Array, Values], Array] | None = None
    """``(K, values)`` → the base that has these entries, for entries that `apply` can
    give; None where several bases have the same entry, or it is not needed."""
    conventions: Callable[[Values], tuple[Convention, ...]] | None = None
    """Values → other ways to write the width; None where there is none."""
    unit_diagonal: bool = False
    """Whether ``k(x, x) = 1`` always."""
    normalise: bool = False
    """Whether the rows are scaled to unit length first."""
    lift: bool = False
    """Whether its squared length is appended to every row first."""
    bilinear: bool = False
    """Whether an entry is ``xᵀy`` of the rows, scaled or lifted: once centred, K is
    then the same wherever they are."""
    gaussian: bool = False
    """Whether it is ``exp(−γ‖x − y‖²)``: its width is also written as σ, and its
    pre-images are the fixed points of an iteration."""
    split: "Callable[[Values], Split] | None" = None
    """``values`` → the weighted products that it is the sum of; None for others."""
    main: str = ""
    """The parameter that matters most, if it is not the first."""

    @property
    def main_parameter(self) -> Parameter | None:
        """The parameter that matters most; None for a kernel without any."""
        first = self.parameters[0] if self.parameters else None
        return next((p for p in self.parameters if p.name == self.main), first)


Split = Sequence[tuple[float, Sequence[tuple[KernelFamily, Values]]]]
"""Terms: a weight, and the families that are multiplied with their values."""


def infinite(d: int, values: Values) -> float:
    return inf
