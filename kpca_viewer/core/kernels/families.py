"""The table of kernels: formula, parameters, base, and what is known before them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, inf
from types import MappingProxyType

from kpca_viewer.core.kernels import functions
from kpca_viewer.core.kernels.bases import Base
from kpca_viewer.core.kernels.functions import Array, Values
from kpca_viewer.core.kernels.parameters import Parameter

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


@dataclass(frozen=True)
class KernelFamily:
    """What is known about a kernel before its parameters have values.

    Attributes
    ----------
    name : str
        The keyword, as in ``KernelPCA(kernel=name)``.
    title : str
    formula : str
        LaTeX with ``{gamma}``-like places for the parameters, as `formulas` fills them.
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
                functions.identity,
                plain="k(x, y) = xᵀy",
            ),
            KernelFamily(
                "poly",
                "Polynomial",
                r"k(x,y)={bracket}{gamma}x^\top y{coef0}{power}",
                "dot_products",
                (GAMMA, DEGREE, COEF0),
                lambda values: (
                    values["coef0"] >= 0 and values["degree"] == int(values["degree"])
                ),
                _polynomial_dimension,
                functions.polynomial,
                plain="k(x, y) = {bracket}{gamma}xᵀy{coef0}{power}",
            ),
            KernelFamily(
                "rbf",
                "RBF (Gaussian)",
                r"k(x,y)=e^{{-{gamma}\|x-y\|^2}}",
                "squared_distances",
                (GAMMA,),
                _always,
                _infinite,
                functions.exponential,
                unit_diagonal=True,
                plain="k(x, y) = exp(−{gamma}‖x − y‖²)",
            ),
            KernelFamily(
                "laplacian",
                "Laplacian",
                r"k(x,y)=e^{{-{gamma}\|x-y\|_1}}",
                "l1_distances",
                (GAMMA,),
                _always,
                _infinite,
                functions.exponential,
                unit_diagonal=True,
                plain="k(x, y) = exp(−{gamma}‖x − y‖₁)",
            ),
            KernelFamily(
                "matern",
                "Matérn",
                r"k(x,y)=\frac{{2^{{1-\nu}}}}{{\Gamma(\nu)}}t^\nu K_\nu(t),\;"
                r"t=\sqrt{{2\nu}}\,\|x-y\|{per_length},\;\nu={nu}",
                "distances",
                (NU, LENGTH),
                _always,
                _infinite,
                functions.matern,
                unit_diagonal=True,
                plain="Matérn, ν = {nu}, ℓ = {length_scale}",
            ),
            KernelFamily(
                "rational_quadratic",
                "Rational quadratic",
                r"k(x,y)=\left(1+\frac{{\|x-y\|^2}}"
                r"{{{twice}}}\right)^{{-{mixture}}}",
                "squared_distances",
                (LENGTH, MIXTURE),
                _always,
                _infinite,
                functions.rational_quadratic,
                unit_diagonal=True,
                plain="k(x, y) = (1 + ‖x − y‖² / {twice})^(−{mixture})",
            ),
            KernelFamily(
                "sigmoid",
                "Sigmoid",
                r"k(x,y)=\tanh({gamma}x^\top y{coef0})",
                "dot_products",
                (GAMMA, SIGMOID_COEF0),
                _never,
                _infinite,
                functions.sigmoid,
                plain="k(x, y) = tanh({gamma}xᵀy{coef0})",
            ),
            KernelFamily(
                "cosine",
                "Cosine",
                r"k(x,y)=\frac{{x^\top y}}{{\|x\|\,\|y\|}}",
                "dot_products",
                (),
                _always,
                lambda d, values: d,
                functions.identity,
                unit_diagonal=True,
                normalise=True,
                plain="k(x, y) = xᵀy / (‖x‖ ‖y‖)",
            ),
        )
    }
)

# For half-integer ν the Bessel function is an exponential times a polynomial.
MATERN_FORMULAS = {
    0.5: r"k(x,y)=e^{{-r}},\;r=\|x-y\|{per_length}",
    1.5: r"k(x,y)=(1+\sqrt{{3}}\,r)\,e^{{-\sqrt{{3}}\,r}},\;r=\|x-y\|{per_length}",
    2.5: (
        r"k(x,y)=(1+\sqrt{{5}}\,r+\frac{{5}}{{3}}r^2)\,e^{{-\sqrt{{5}}\,r}},"
        r"\;r=\|x-y\|{per_length}"
    ),
}
