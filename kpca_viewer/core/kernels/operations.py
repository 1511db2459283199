"""How many operations ``k(x, y)`` takes, and how many by way of φ.

Counted as a person would compute it once: every multiplication or division, every
addition or subtraction, every root, exponential or tanh is one. Powers are repeated
multiplications; a factor of 1 and a term of 0 cost nothing.
"""

from dataclasses import dataclass

from kpca_viewer.core.kernels.feature_maps import FeatureMap
from kpca_viewer.core.kernels.functions import Values


@dataclass(frozen=True)
class Operations:
    """Operations of one computation, by kind."""

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
    mapping = Operations(features.products, features.additions)
    if features.of_unit_rows:
        mapping += dot_product(features.d) + Operations(features.d, 0, 1)
    return mapping + mapping + dot_product(len(features))


def dot_product(d: int) -> Operations:
    """Count ``xᵀy``."""
    return Operations(d, d - 1)


def linear(d: int, values: Values) -> Operations:
    """Count ``xᵀy``."""
    return dot_product(d)


def polynomial(d: int, values: Values) -> Operations:
    """Count ``(γ xᵀy + c)^p``; a fractional power is a logarithm and an exponential."""
    p = values["degree"]
    power = Operations(int(p) - 1) if p == int(p) else Operations(1, 0, 2)
    return _inner(d, values) + power


def gaussian(d: int, values: Values) -> Operations:
    """Count ``exp(−γ‖x − y‖²)``."""
    return _squared_distance(d) + _factor(values) + Operations(0, 0, 1)


def laplacian(d: int, values: Values) -> Operations:
    """Count ``exp(−γ‖x − y‖₁)``; the size of a difference costs nothing."""
    return Operations(0, 2 * d - 1, 1) + _factor(values)


def matern(d: int, values: Values) -> Operations:
    """Count a half-integer Matérn function of ``t = √(2ν)/ℓ · r``."""
    front = {0.5: Operations(), 1.5: Operations(1, 1), 2.5: Operations(3, 2)}
    distance = _squared_distance(d) + Operations(0, 0, 1)
    return distance + Operations(1, 0, 1) + front[values["nu"]]


def rational_quadratic(d: int, values: Values) -> Operations:
    """Count ``(1 + r²/2aℓ²)^(−a)``, whose power takes a logarithm."""
    return _squared_distance(d) + Operations(2, 1, 2)


def sigmoid(d: int, values: Values) -> Operations:
    """Count ``tanh(γ xᵀy + c)``."""
    return _inner(d, values) + Operations(0, 0, 1)


def cosine(d: int, values: Values) -> Operations:
    """Count ``xᵀy / (‖x‖ ‖y‖)``."""
    dot = dot_product(d)
    return dot + dot + dot + Operations(2, 0, 2)


def paraboloid(d: int, values: Values) -> Operations:
    """Count ``xᵀy + ‖x‖²‖y‖²``."""
    dot = dot_product(d)
    return dot + dot + dot + Operations(1, 1)


def _inner(d: int, values: Values) -> Operations:
    offset = Operations(0, int(values["coef0"] != 0))
    return dot_product(d) + _factor(values) + offset


def _factor(values: Values) -> Operations:
    return Operations(int(values["gamma"] != 1))


def _squared_distance(d: int) -> Operations:
    return Operations(d, 2 * d - 1)
