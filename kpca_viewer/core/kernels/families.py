"""The table of kernels: everything that is known about each, before its parameters.

A kernel is added by one row here and its function in `functions`; menus, sliders,
sweeps, formulas, the command line, the estimator and generated code follow from it.
"""

from math import comb, inf

from kpca_viewer.core.kernels import (
    computations,
    feature_maps,
    functions,
    inverses,
    operations,
    roundings,
    slopes,
)
from kpca_viewer.core.kernels.family import Growth, InSklearn, KernelFamily, Parameter
from kpca_viewer.core.kernels.functions import Values
from kpca_viewer.support.registry import Registry

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
DEGREE = Parameter(
    "degree",
    "p",
    "Degree",
    1,
    10,
    3,
    "integer",
    help="Larger: more curved features.",
    positive=True,
)
COEF0 = Parameter(
    "coef0",
    "c",
    "Offset",
    0,
    10,
    1,
    help="Larger: low-order features weigh more.",
    secondary=True,
)
SIGMOID_COEF0 = Parameter(
    "coef0",
    "c",
    "Offset",
    -5,
    5,
    1,
    help="Shifts the bend of the tanh.",
    secondary=True,
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
    secondary=True,
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
    positive=True,
)


def kernel_parameters() -> dict[str, Parameter]:
    """Return every parameter by its name, as the first kernel that has it tells it."""
    found: dict[str, Parameter] = {}
    for family in FAMILIES.values():
        for parameter in family.parameters:
            found.setdefault(parameter.name, parameter)
    return found


def follows_data(name: str) -> bool:
    """Whether the value of a kernel's parameter is suggested by the data."""
    known = kernel_parameters().get(name)
    return known is not None and known.follows is not None


def _always(values: Values) -> bool:
    return True


def _never(values: Values) -> bool:
    return False


def _infinite(d: int, values: Values) -> float:
    return inf


def _as_many(d: int, values: Values) -> float:
    return d


def _one_more(d: int, values: Values) -> float:
    return d + 1


def _bounded(largest: float, values: Values) -> Growth:
    return Growth(1.0, 0.0)


def _as_the_data(largest: float, values: Values) -> Growth:
    return Growth(largest, 1.0)


def _as_the_square(largest: float, values: Values) -> Growth:
    # The rows are lifted already: the longest of them is about a square.
    return Growth(largest**0.5, 2.0)


def _polynomial_growth(largest: float, values: Values) -> Growth:
    base = values["gamma"] * largest + abs(values["coef0"])
    return Growth(base, values["degree"])


def _polynomial_is_definite(values: Values) -> bool:
    return values["coef0"] >= 0 and values["degree"] == int(values["degree"])


def _polynomial_dimension(d: int, values: Values) -> float:
    p = values["degree"]
    if p != int(p):
        return inf
    return comb(d + int(p) - (values["coef0"] == 0), int(p))


# For half-integer ν the Bessel function is an exponential times a polynomial.
_MATERN_FORMULAS = {
    0.5: r"k(x,y)=e^{{-r}},\;r=\|x-y\|{per_length}",
    1.5: r"k(x,y)=(1+\sqrt{{3}}\,r)\,e^{{-\sqrt{{3}}\,r}},\;r=\|x-y\|{per_length}",
    2.5: (
        r"k(x,y)=(1+\sqrt{{5}}\,r+\frac{{5}}{{3}}r^2)\,e^{{-\sqrt{{5}}\,r}},"
        r"\;r=\|x-y\|{per_length}"
    ),
}


def _matern_formula(values: Values) -> str:
    return _MATERN_FORMULAS[values["nu"]]


def _name(family: KernelFamily) -> str:
    return family.name


FAMILIES: Registry[KernelFamily] = Registry(
    _name,
    (
        KernelFamily(
            name="linear",
            title="Linear",
            formula=r"k(x,y)=x^\top y",
            plain="k(x, y) = xᵀy",
            computation=computations.LINEAR,
            base="dot_products",
            definite=_always,
            feature_dimension=_as_many,
            feature_map=feature_maps.linear_map,
            apply=functions.identity,
            operations=operations.linear,
            slope=slopes.of_products,
            rounding=roundings.of_products,
            growth=_as_the_data,
            sklearn=InSklearn("linear_kernel", estimator=True),
            bilinear=True,
        ),
        KernelFamily(
            name="poly",
            title="Polynomial",
            formula=r"k(x,y)={bracket}{gamma}x^\top y{coef0}{power}",
            plain="k(x, y) = {bracket}{gamma}xᵀy{coef0}{power}",
            computation=computations.POLYNOMIAL,
            base="dot_products",
            parameters=(GAMMA, DEGREE, COEF0),
            definite=_polynomial_is_definite,
            feature_dimension=_polynomial_dimension,
            feature_map=feature_maps.polynomial_map,
            apply=functions.polynomial,
            operations=operations.polynomial,
            slope=slopes.of_polynomial,
            inverse=inverses.from_polynomial,
            rounding=roundings.of_polynomial,
            growth=_polynomial_growth,
            sklearn=InSklearn("polynomial_kernel", estimator=True),
            asked_first="degree",
        ),
        KernelFamily(
            name="rbf",
            title="RBF (Gaussian)",
            short="RBF",
            formula=r"k(x,y)=e^{{-{gamma}\|x-y\|^2}}",
            plain="k(x, y) = exp(−{gamma}‖x − y‖²)",
            computation=computations.GAUSSIAN,
            base="squared_distances",
            parameters=(GAMMA,),
            definite=_always,
            feature_dimension=_infinite,
            apply=functions.exponential,
            operations=operations.gaussian,
            slope=slopes.of_exponential,
            inverse=inverses.from_exponential,
            rounding=roundings.of_gaussian,
            growth=_bounded,
            sklearn=InSklearn("rbf_kernel", estimator=True),
            unit_diagonal=True,
            gaussian=True,
        ),
        KernelFamily(
            name="laplacian",
            title="Laplacian",
            formula=r"k(x,y)=e^{{-{gamma}\|x-y\|_1}}",
            plain="k(x, y) = exp(−{gamma}‖x − y‖₁)",
            computation=computations.LAPLACIAN,
            base="l1_distances",
            parameters=(GAMMA,),
            definite=_always,
            feature_dimension=_infinite,
            apply=functions.exponential,
            operations=operations.laplacian,
            slope=slopes.of_exponential,
            inverse=inverses.from_exponential,
            rounding=roundings.of_laplacian,
            growth=_bounded,
            sklearn=InSklearn("laplacian_kernel"),
            unit_diagonal=True,
        ),
        KernelFamily(
            name="matern",
            title="Matérn",
            formula=_matern_formula,
            plain="Matérn, ν = {nu}, ℓ = {length_scale}",
            computation=computations.MATERN,
            base="distances",
            parameters=(NU, LENGTH),
            definite=_always,
            feature_dimension=_infinite,
            apply=functions.matern,
            operations=operations.matern,
            slope=slopes.of_matern,
            inverse=inverses.from_matern,
            rounding=roundings.of_matern,
            growth=_bounded,
            sklearn=InSklearn("Matern", of_process=True),
            unit_diagonal=True,
            asked_first="length_scale",
        ),
        KernelFamily(
            name="rational_quadratic",
            title="Rational quadratic",
            formula=r"k(x,y)=\left(1+\frac{{\|x-y\|^2}}"
            r"{{{twice}}}\right)^{{-{mixture}}}",
            plain="k(x, y) = (1 + ‖x − y‖² / {twice})^(−{mixture})",
            computation=computations.RATIONAL_QUADRATIC,
            base="squared_distances",
            parameters=(LENGTH, MIXTURE),
            definite=_always,
            feature_dimension=_infinite,
            apply=functions.rational_quadratic,
            operations=operations.rational_quadratic,
            slope=slopes.of_rational_quadratic,
            inverse=inverses.from_rational_quadratic,
            rounding=roundings.of_rational_quadratic,
            growth=_bounded,
            sklearn=InSklearn(
                "RationalQuadratic", of_process=True, renamed={"mixture": "alpha"}
            ),
            unit_diagonal=True,
        ),
        KernelFamily(
            name="sigmoid",
            title="Sigmoid",
            formula=r"k(x,y)=\tanh({gamma}x^\top y{coef0})",
            plain="k(x, y) = tanh({gamma}xᵀy{coef0})",
            computation=computations.SIGMOID,
            base="dot_products",
            parameters=(GAMMA, SIGMOID_COEF0),
            definite=_never,
            feature_dimension=_infinite,
            apply=functions.sigmoid,
            operations=operations.sigmoid,
            slope=slopes.of_sigmoid,
            rounding=roundings.of_sigmoid,
            growth=_bounded,
            sklearn=InSklearn("sigmoid_kernel", estimator=True),
        ),
        KernelFamily(
            name="cosine",
            title="Cosine",
            formula=r"k(x,y)=\frac{{x^\top y}}{{\|x\|\,\|y\|}}",
            plain="k(x, y) = xᵀy / (‖x‖ ‖y‖)",
            computation=computations.COSINE,
            base="dot_products",
            definite=_always,
            feature_dimension=_as_many,
            feature_map=feature_maps.cosine_map,
            apply=functions.identity,
            operations=operations.cosine,
            slope=slopes.of_products,
            rounding=roundings.of_cosines,
            growth=_bounded,
            sklearn=InSklearn("cosine_similarity", estimator=True),
            unit_diagonal=True,
            normalise=True,
            bilinear=True,
        ),
        KernelFamily(
            name="paraboloid",
            title="Paraboloid",
            formula=r"k(x,y)=x^\top y+\|x\|^2\|y\|^2",
            plain="k(x, y) = xᵀy + ‖x‖²‖y‖²",
            base="dot_products",
            definite=_always,
            feature_dimension=_one_more,
            feature_map=feature_maps.paraboloid_map,
            apply=functions.identity,
            computation=computations.PARABOLOID,
            slope=slopes.of_products,
            operations=operations.paraboloid,
            rounding=roundings.of_paraboloid,
            growth=_as_the_square,
            sklearn=None,
            lift=True,
            bilinear=True,
        ),
    ),
)
