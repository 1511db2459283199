"""Half-integer Matérn kernels: an exponential of the distance times a polynomial."""

from math import sqrt

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.distances import (
    LEAST_EXPONENT,
    SQUARES_CODE,
    bounded,
    decay,
    exponent,
    squared_distance_operations,
    squares,
)
from kpca_viewer.core.kernels.family import (
    LENGTH,
    Computation,
    Convention,
    InSklearn,
    KernelFamily,
    Operations,
    Parameter,
    infinite,
)
from kpca_viewer.core.kernels.formulas import (
    OFF,
    around,
    chain,
    code_number,
    in_brackets,
    with_error,
)
from kpca_viewer.support.numerals import as_it_is

NEWTON_STEPS = 60
"""From the right of a convex function some ten are enough."""

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

# For half-integer ν the Bessel function is an exponential times a polynomial.
_FORMULAS = {
    0.5: r"k(x,y)=e^{{-r}},\;r=\|x-y\|{per_length}",
    1.5: r"k(x,y)=(1+\sqrt{{3}}\,r)\,e^{{-\sqrt{{3}}\,r}},\;r=\|x-y\|{per_length}",
    2.5: (
        r"k(x,y)=(1+\sqrt{{5}}\,r+\frac{{5}}{{3}}r^2)\,e^{{-\sqrt{{5}}\,r}},"
        r"\;r=\|x-y\|{per_length}"
    ),
}


def _value(B: Array, values: Values) -> Array:
    nu = values["nu"]
    # r·√(2ν)/ℓ; the polynomial in front makes it ⌊ν⌋ times differentiable.
    t = np.multiply(B, np.sqrt(2 * nu) / values["length_scale"], out=B)
    # As far as `decay` goes, so that the polynomial does not outgrow it beyond.
    np.minimum(t, -LEAST_EXPONENT[t.dtype], out=t)
    found = decay(-t)
    if nu == 0.5:
        return found
    if nu == 1.5:
        found *= 1 + t
    else:
        found *= 1 + t + t * t / 3
    return found


def _slope(B: Array, values: Values) -> Array:
    nu = values["nu"]
    rate = np.sqrt(2 * nu) / values["length_scale"]
    t = np.minimum(rate * B, -LEAST_EXPONENT[B.dtype])
    steepness = -rate * np.exp(-t)
    if nu == 0.5:
        return steepness
    if nu == 1.5:
        return steepness * t
    return steepness * (t + t * t) / 3


def _inverse(K: Array, values: Values) -> Array:
    """Distances: the root of ``t − log(1 + t + …) = −log K``, and ``r = t ℓ / √(2ν)``.

    The left side is convex and grows, so that Newton's method from the right of the
    root comes down to it without ever passing it.
    """
    nu, wanted = values["nu"], -np.log(K)
    t = wanted.copy()
    if nu != 0.5:
        cubic = 0.0 if nu == 1.5 else 1 / 3
        t = 2 * (wanted + np.sqrt(6 * wanted)) + 1e-8
        for _ in range(NEWTON_STEPS):
            factor = 1 + t + cubic * t * t
            slope = 1 - (1 + 2 * cubic * t) / factor
            step = (t - np.log(factor) - wanted) / np.maximum(slope, 1e-12)
            t = np.maximum(t - step, 0.0)
            if np.abs(step).max(initial=0.0) < 1e-12 * (1 + t.max(initial=0.0)):
                break
    return np.asarray(t * values["length_scale"] / np.sqrt(2 * nu))


def _rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound a function of the distance, which is found from differences."""
    slope = (2 * values["nu"]) ** 0.5 / values["length_scale"]
    return norm * rows.eps * slope * 2 * rows.spread**0.5


def _operations(d: int, values: Values) -> Operations:
    """Count a function of ``t = √(2ν)/ℓ · r``."""
    front = {0.5: Operations(), 1.5: Operations(1, 1), 2.5: Operations(3, 2)}
    distance = squared_distance_operations(d) + Operations(0, 0, 1)
    return distance + Operations(1, 0, 1) + front[values["nu"]]


def _written(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    nu, length = values["nu"], values["length_scale"]
    square = float(np.square(x - y).sum())
    r = square**0.5 / length
    per = "" if length == 1 else f" / {in_brackets(length)}"
    distance = "r = " + chain(
        f"√({squares(x, y)}){per}",
        f"√{in_brackets(square)}{per}",
        with_error(r, OFF),
    )
    shown = around(with_error(r, OFF))
    if nu == 0.5:
        return [chain(exponent(r), as_it_is(entry)), distance]
    root = "√3" if nu == 1.5 else "√5"
    t = (2 * nu) ** 0.5 * r
    front, factor = f"1 + {root}·{shown}", 1 + t
    if nu == 2.5:
        front, factor = f"{front} + 5/3·{shown}²", 1 + t + t * t / 3
    return [
        chain(
            f"({front})·e^(−{root}·{shown})",
            f"{as_it_is(factor)}·{exponent(t)}",
            as_it_is(entry),
        ),
        distance,
    ]


def _code(values: Values) -> list[str]:
    nu, length = values["nu"], values["length_scale"]
    root = f"np.sqrt({code_number(2 * nu)}) * " if nu != 0.5 else ""
    per = "" if length == 1 else f" / {code_number(length)}"
    front = {0.5: "", 1.5: "(1 + t) * ", 2.5: "(1 + t + t**2 / 3) * "}[nu]
    return [
        SQUARES_CODE,
        f"t = {root}np.sqrt(squares){per}",
        f"return {front}np.exp(-t)",
    ]


def _conventions(values: Values) -> tuple[Convention, ...]:
    rate = sqrt(2 * values["nu"]) / values["length_scale"]
    return (Convention("κ", rate, "κ = √(2ν)/ℓ"),)


MATERN = KernelFamily(
    name="matern",
    title="Matérn",
    formula=lambda values: _FORMULAS[values["nu"]],
    plain="Matérn, ν = {nu}, ℓ = {length_scale}",
    computation=Computation(_written, _code),
    base="distances",
    parameters=(NU, LENGTH),
    definite=True,
    feature_dimension=infinite,
    apply=_value,
    operations=_operations,
    slope=_slope,
    inverse=_inverse,
    rounding=_rounding,
    growth=bounded,
    sklearn=InSklearn("Matern", of_process=True),
    conventions=_conventions,
    unit_diagonal=True,
    main="length_scale",
)
