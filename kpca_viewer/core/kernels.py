"""Each kernel once: formula, parameters, Gram block, diagonal, definite or not.

A kernel is a cheap elementwise function of a pairwise *base* (distances, their squares,
L1 distances or dot products). A sweep over γ therefore computes the base once.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, inf
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.bases import Base, Points, pairwise
from kpca_viewer.core.errors import KernelError
from kpca_viewer.core.parameters import (
    Parameter,
    number_in_latex,
    number_in_text,
)

Array = NDArray[np.floating]
Values = Mapping[str, float]

GAMMA = Parameter(
    "gamma", "γ", "Gamma", 1e-4, 1e3, 1.0, "log", help="Larger: finer, more local."
)
DEGREE = Parameter(
    "degree", "p", "Degree", 1, 10, 3, "integer", help="Larger: more curved features."
)
COEF0 = Parameter(
    "coef0", "c", "Offset", 0, 10, 1, help="Larger: low-order features weigh more."
)
SIGMOID_COEF0 = Parameter(
    "coef0", "c", "Offset", -5, 5, 1, help="Shifts the bend of the tanh."
)
LENGTH = Parameter(
    "length_scale", "ℓ", "Length", 1e-3, 1e3, 1.0, "log", help="Larger: smoother."
)
NU = Parameter(
    "nu",
    "ν",
    "Smoothness",
    0.5,
    2.5,
    1.5,
    "choice",
    (0.5, 1.5, 2.5),
    help="Larger: smoother functions.",
)
MIXTURE = Parameter(
    "mixture",
    "a",
    "Mixture",
    1e-2,
    1e2,
    1.0,
    "log",
    help="Smaller: a wider mixture of lengths; large values approach the RBF.",
)

LARGEST_ENTRY = {np.dtype(np.float64): 1e150, np.dtype(np.float32): 1e14}
"""Gram entries beyond this make sums of squares overflow."""

LEAST_EXPONENT = {np.dtype(np.float64): -700.0, np.dtype(np.float32): -40.0}
"""What decays further counts as that far away. Subnormal numbers, and products that
become subnormal, take ten to a hundred times as long as others; next to a diagonal of 1
an entry of e⁻⁴⁰ is nothing in float32, nor one of e⁻⁷⁰⁰ in float64."""


@dataclass(frozen=True)
class KernelFamily:
    """What is known about a kernel before its parameters have values.

    Attributes
    ----------
    name : str
        The keyword, as in ``KernelPCA(kernel=name)``.
    title : str
    formula : str
        LaTeX with ``{gamma}``-like places for the parameters.
    base : {"squared_distances", "distances", "l1_distances", "dot_products"}
    parameters : tuple of Parameter
    definite : callable
        Parameter values → whether every Gram matrix is positive semi-definite.
    feature_dimension : callable
        ``(d, values)`` → dimension of the implicit feature space.
    apply : callable
        ``(B, values)`` → Gram block; may overwrite ``B``.
    unit_diagonal : bool
        Whether ``k(x, x) = 1`` always.
    normalise : bool
        Whether the rows are scaled to unit length first.
    plain : str
        The formula as plain text, with the same places.
    """

    name: str
    title: str
    formula: str
    base: Base
    parameters: tuple[Parameter, ...]
    definite: Callable[[Values], bool]
    feature_dimension: Callable[[int, Values], float]
    apply: Callable[[Array, Values], Array]
    unit_diagonal: bool = False
    normalise: bool = False
    plain: str = ""


def _always(values: Values) -> bool:
    return True


def _never(values: Values) -> bool:
    return False


def _infinite(d: int, values: Values) -> float:
    return inf


def _polynomial_dimension(d: int, values: Values) -> float:
    p = values["degree"]
    if p != int(p):
        return inf
    return comb(d + int(p) - (values["coef0"] == 0), int(p))


def _integer_power(B: Array, p: int) -> Array:
    """``B ** p`` by repeated squaring: several times faster than ``np.power``."""
    result: Array | None = None
    square = B
    while True:
        if p & 1:
            result = square.copy() if result is None else np.multiply(result, square)
        p >>= 1
        if not p:
            assert result is not None
            return result
        square = np.multiply(square, square)


def _polynomial(B: Array, values: Values) -> Array:
    p = values["degree"]
    B *= values["gamma"]
    B += values["coef0"]
    if p == int(p):
        return _integer_power(B, int(p))
    if B.size and B.min() < 0:
        raise KernelError(
            f"The polynomial kernel has the fractional degree {p:g}, but γ·xᵀy + c is "
            f"negative ({B.min():.4g}) for some pairs; choose a whole degree or a "
            "larger c."
        )
    return np.power(B, p, out=B)


def _decay(B: Array) -> Array:
    """``exp(B)`` in place, for B ≤ 0, without the numbers that are slow to compute."""
    np.maximum(B, LEAST_EXPONENT[B.dtype], out=B)
    return np.exp(B, out=B)


def _exponential(B: Array, values: Values) -> Array:
    B *= -values["gamma"]
    return _decay(B)


def _matern(B: Array, values: Values) -> Array:
    nu = values["nu"]
    # r·√(2ν)/ℓ; the polynomial in front makes it ⌊ν⌋ times differentiable.
    t = np.multiply(B, np.sqrt(2 * nu) / values["length_scale"], out=B)
    # As far as `_decay` goes, so that the polynomial does not outgrow it beyond.
    np.minimum(t, -LEAST_EXPONENT[t.dtype], out=t)
    decay = _decay(-t)
    if nu == 0.5:
        return decay
    if nu == 1.5:
        decay *= 1 + t
    else:
        decay *= 1 + t + t * t / 3
    return decay


def _rational_quadratic(B: Array, values: Values) -> Array:
    a = values["mixture"]
    B *= 1 / (2 * a * values["length_scale"] ** 2)
    # log1p and exp keep the large-a limit (the RBF) accurate; power would round.
    np.log1p(B, out=B)
    B *= -a
    return np.exp(B, out=B)


def _sigmoid(B: Array, values: Values) -> Array:
    B *= values["gamma"]
    B += values["coef0"]
    return np.tanh(B, out=B)


def _identity(B: Array, values: Values) -> Array:
    return B


def _clipped(B: Array, values: Values) -> Array:
    return np.clip(B, -1, 1, out=B)


FAMILIES: Mapping[str, KernelFamily] = MappingProxyType(
    {
        family.name: family
        for family in (
            KernelFamily(
                "linear",
                "Linear",
                r"k(x,y)=x^\top y",
                "dot_products",
                (),
                _always,
                lambda d, values: d,
                _identity,
                plain="k(x, y) = xᵀy",
            ),
            KernelFamily(
                "poly",
                "Polynomial",
                r"k(x,y)=({gamma}\,x^\top y+{coef0})^{{{degree}}}",
                "dot_products",
                (GAMMA, DEGREE, COEF0),
                lambda values: (
                    values["coef0"] >= 0 and values["degree"] == int(values["degree"])
                ),
                _polynomial_dimension,
                _polynomial,
                plain="k(x, y) = ({gamma} xᵀy + {coef0})^{degree}",
            ),
            KernelFamily(
                "rbf",
                "RBF (Gaussian)",
                r"k(x,y)=e^{{-{gamma}\,\|x-y\|^2}}",
                "squared_distances",
                (GAMMA,),
                _always,
                _infinite,
                _exponential,
                unit_diagonal=True,
                plain="k(x, y) = exp(−{gamma} ‖x − y‖²)",
            ),
            KernelFamily(
                "laplacian",
                "Laplacian",
                r"k(x,y)=e^{{-{gamma}\,\|x-y\|_1}}",
                "l1_distances",
                (GAMMA,),
                _always,
                _infinite,
                _exponential,
                unit_diagonal=True,
                plain="k(x, y) = exp(−{gamma} ‖x − y‖₁)",
            ),
            KernelFamily(
                "matern",
                "Matérn",
                r"k(x,y)=\frac{{2^{{1-\nu}}}}{{\Gamma(\nu)}}t^\nu K_\nu(t),\;"
                r"t=\sqrt{{2\nu}}\,\|x-y\|/{length_scale},\;\nu={nu}",
                "distances",
                (NU, LENGTH),
                _always,
                _infinite,
                _matern,
                unit_diagonal=True,
                plain="Matérn, ν = {nu}, ℓ = {length_scale}",
            ),
            KernelFamily(
                "rational_quadratic",
                "Rational quadratic",
                r"k(x,y)=\left(1+\frac{{\|x-y\|^2}}"
                r"{{2\cdot{mixture}\cdot{length_scale}^2}}\right)^{{-{mixture}}}",
                "squared_distances",
                (LENGTH, MIXTURE),
                _always,
                _infinite,
                _rational_quadratic,
                unit_diagonal=True,
                plain=(
                    "k(x, y) = (1 + ‖x − y‖² / (2 · {mixture} · {length_scale}²))"
                    "^(−{mixture})"
                ),
            ),
            KernelFamily(
                "sigmoid",
                "Sigmoid",
                r"k(x,y)=\tanh({gamma}\,x^\top y+{coef0})",
                "dot_products",
                (GAMMA, SIGMOID_COEF0),
                _never,
                _infinite,
                _sigmoid,
                plain="k(x, y) = tanh({gamma} xᵀy + {coef0})",
            ),
            KernelFamily(
                "cosine",
                "Cosine",
                r"k(x,y)=\frac{{x^\top y}}{{\|x\|\,\|y\|}}",
                "dot_products",
                (),
                _always,
                lambda d, values: d,
                _clipped,
                unit_diagonal=True,
                normalise=True,
                plain="k(x, y) = xᵀy / (‖x‖ ‖y‖)",
            ),
        )
    }
)

# For half-integer ν the Bessel function is an exponential times a polynomial.
_MATERN_FORMULAS = {
    0.5: r"k(x,y)=e^{{-r}},\;r=\|x-y\|/{length_scale}",
    1.5: r"k(x,y)=(1+\sqrt{{3}}\,r)\,e^{{-\sqrt{{3}}\,r}},\;r=\|x-y\|/{length_scale}",
    2.5: (
        r"k(x,y)=(1+\sqrt{{5}}\,r+\frac{{5}}{{3}}r^2)\,e^{{-\sqrt{{5}}\,r}},"
        r"\;r=\|x-y\|/{length_scale}"
    ),
}

_FACTOR = re.compile(r"/\{length_scale\}|\{length_scale\}[\^²]")
"""Where the length stands in a quotient or under a power."""

_POSITIVE = ("gamma", "degree", "length_scale", "mixture")


@dataclass(frozen=True)
class Kernel:
    """A family with values for all its parameters: ``Kernel("rbf", gamma=2)``."""

    family: KernelFamily
    values: Values

    def __init__(self, name: str, **values: float) -> None:
        if name not in FAMILIES:
            raise KernelError(
                f"There is no kernel {name!r}; choose one of {', '.join(FAMILIES)}."
            )
        family = FAMILIES[name]
        known = {p.name: p.default for p in family.parameters}
        for key in values:
            if key not in known:
                raise KernelError(
                    f"The {family.title} kernel has no parameter {key!r}; it has "
                    f"{', '.join(known) or 'none'}."
                )
        complete = {
            key: float(values.get(key, default)) for key, default in known.items()
        }
        for parameter in family.parameters:
            _check_value(family, parameter, complete[parameter.name])
        object.__setattr__(self, "family", family)
        object.__setattr__(self, "values", MappingProxyType(complete))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.family.name, dict(self.values))

    @property
    def psd(self) -> bool:
        """Whether every Gram matrix of this kernel is positive semi-definite."""
        return self.family.definite(self.values)

    def feature_dimension(self, d: int) -> float:
        """Dimension of the implicit feature space for ``d`` input features."""
        return self.family.feature_dimension(d, self.values)

    def formula(self) -> str:
        """LaTeX with the current numbers in it."""
        template = self.family.formula
        if self.family.name == "matern":
            template = _MATERN_FORMULAS[self.values["nu"]]
        return self._filled(template, number_in_latex).replace("+-", "-")

    def plain_formula(self) -> str:
        """Return the formula as plain text with the current numbers in it."""
        return self._filled(self.family.plain, number_in_text).replace("+ −", "− ")

    def _filled(self, template: str, text_of: Callable[..., str]) -> str:
        texts = {
            key: text_of(value, factor=bool(_FACTOR.search(template)))
            if key == "length_scale"
            else text_of(value)
            for key, value in self.values.items()
        }
        return template.format(**texts)

    def points(self, X: object) -> Points:
        """Check ``X`` (n, d) and prepare it for this kernel."""
        points = Points.prepare(X, normalise=self.family.normalise)
        self.refuse_overflow(points)
        return points

    def block(self, X: Points, Y: Points) -> Array:
        """Gram block ``k(x_i, y_j)``, shape (len(X), len(Y))."""
        return self.of_base(pairwise(self.family.base, X, Y))

    def of_base(self, B: Array) -> Array:
        """Gram block from its pairwise base, which may be overwritten."""
        with np.errstate(under="ignore"):
            return self.family.apply(B, self.values)

    def diagonal(self, X: Points) -> Array:
        """``k(x_i, x_i)``, shape (n,)."""
        if self.family.unit_diagonal:
            return np.ones(len(X), dtype=X.dtype)
        return self.of_base(X.squared_norms.copy())

    def rounding(self, X: Points, norm: float) -> float:
        """Bound ``‖δK‖₂``, where δK is what rounding in the base does to K.

        ``|x|² + |y|² − 2xᵀy`` is off by a few ``ε·max|x|²`` however small it is, and γ
        multiplies that: a narrow kernel on spread-out points is known to fewer digits.

        Parameters
        ----------
        X : Points
        norm : float
            ``‖K‖_F`` or a bound on it. Kernels of distances have no negative entry, so
            that what is true of every entry's relative error is true of the norm.
        """
        values = self.values
        eps = float(np.finfo(X.dtype).eps)
        # Rounding errors of a sum of d terms grow like its root.
        unit = eps * (4 + X.d**0.5)
        spread = float(X.shifted_norms.max(initial=0.0))
        match self.family.name:
            case "rbf":
                return norm * unit * 2 * values["gamma"] * spread
            case "rational_quadratic":
                return norm * unit * spread / values["length_scale"] ** 2
            case "matern":
                slope = (2 * values["nu"]) ** 0.5 / values["length_scale"]
                return norm * eps * slope * 2 * spread**0.5
            case "laplacian":
                return norm * eps * values["gamma"] * 2 * (X.d * spread) ** 0.5
            case "sigmoid":
                largest = values["gamma"] * X.largest_squared_norm
                return len(X) * unit * (1 + largest + abs(values["coef0"]))
            case "poly":
                base = values["gamma"] * X.squared_norms + abs(values["coef0"])
                p = values["degree"]
                return unit * (1 + p) * float(np.power(base, p).sum(dtype=np.float64))
            case _:  # linear and cosine
                return 2 * unit * float(X.squared_norms.sum(dtype=np.float64))

    def refuse_overflow(self, X: Points) -> None:
        """Dot-product kernels grow with the data: refuse before anything is inf."""
        if not np.isfinite(X.largest_squared_norm):
            raise KernelError(
                "The values are too large: their squares overflow. Scale the data, for "
                "example by standardising every column."
            )
        if self.family.name == "poly":
            base = self.values["gamma"] * X.largest_squared_norm
            base += abs(self.values["coef0"])
            power = self.values["degree"]
        elif self.family.name == "linear":
            base, power = X.largest_squared_norm, 1.0
        else:
            return
        limit = LARGEST_ENTRY[X.dtype]
        if base > 1 and power * np.log10(base) > np.log10(limit):
            raise KernelError(
                f"The {self.family.title.lower()} kernel overflows: its largest entry "
                f"would be about 10^{power * np.log10(base):.0f}. Scale the data, or "
                "choose a smaller degree or γ."
            )


def _restore(name: str, values: dict[str, float]) -> Kernel:
    return Kernel(name, **values)


def _check_value(family: KernelFamily, parameter: Parameter, value: float) -> None:
    what = f"{parameter.name} ({parameter.symbol}) of the {family.title} kernel"
    if not np.isfinite(value):
        raise KernelError(f"{what} is {value}; it must be a finite number.")
    if parameter.name in _POSITIVE and value <= 0:
        raise KernelError(f"{what} is {value:g}; it must be greater than 0.")
    if parameter.choices and value not in parameter.choices:
        allowed = ", ".join(f"{choice:g}" for choice in parameter.choices)
        raise KernelError(f"{what} is {value:g}; it must be one of {allowed}.")


def suggested_values(name: str, X: object, sample: int = 1000) -> dict[str, float]:
    """Values that suit the data, for example γ by the median heuristic.

    Distances: ``γ = 1 / median(r²)`` (or of the L1 distances), ``ℓ = √median(r²)``.
    Dot products: ``γ = 1 / (d · var X)``. Large data are subsampled evenly.
    """
    family = FAMILIES[name]
    names = {p.name for p in family.parameters}
    points = Points.prepare(X)
    points = points.take(np.unique(np.linspace(0, len(points) - 1, sample).astype(int)))
    if family.base == "dot_products":
        spread = float(np.var(points.dense())) * points.d
        return {"gamma": 1 / spread} if "gamma" in names and spread > 0 else {}
    B = pairwise(family.base, points, points)
    positive = B[np.triu_indices(len(points), 1)]
    positive = positive[positive > 0]
    if not positive.size:
        return {}
    middle = float(np.median(positive))
    if "gamma" in names:
        return {"gamma": 1 / middle}
    return {"length_scale": middle if family.base == "distances" else middle**0.5}
