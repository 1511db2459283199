"""How every kernel computes one entry: with its numbers, and as lines of NumPy.

A class checks an entry with a calculator: negative numbers stand in brackets, what is
in between is written down, and of many features only the first ones are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels import numpy_code
from kpca_viewer.core.kernels.functions import Values
from kpca_viewer.support.numerals import as_it_is, raised

Array = NDArray[Any]

OFF = 2e-5
"""By which part of it a number may differ from what the step before comes to."""

WRITTEN_UP_TO = 4
"""Features up to which a sum is written whole; of more, the first two terms."""


@dataclass(frozen=True)
class Computation:
    """How a family computes an entry, for people and for Python."""

    written: Callable[[Array, Array, Values, float], list[str]]
    """``(x, y, values, entry)`` → lines of text: first ``… = … = entry``, then what
    needs a line of its own. x and y have shape (d,)."""
    code: Callable[[Values], list[str]]
    """``values`` → the body of a function of ``A`` (m, d) and ``B`` (n, d) that returns
    K (m, n), with numpy as ``np``."""


def _in_brackets(value: float) -> str:
    """Return a number as a factor, or behind a minus."""
    return _around(as_it_is(value))


def _enough(value: float, allowed: float) -> str:
    """Return a number with the digits it takes to be wrong by so much at most."""
    for digits in range(4, 16):
        if abs(float(f"{value:.{digits - 1}e}") - value) <= allowed:
            break
    return as_it_is(value, digits)


def _around(text: str) -> str:
    return f"({text})" if text.startswith("−") or "·10" in text else text


def _sum(terms: Sequence[str]) -> str:
    if len(terms) > WRITTEN_UP_TO:
        terms = [*terms[:2], "…"]
    return " + ".join(terms)


def _products(x: Array, y: Array) -> str:
    """``3·5 + 4·6``."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return _sum([f"{_in_brackets(a)}·{_in_brackets(b)}" for a, b in pairs])


def _differences(x: Array, y: Array, around: str) -> str:
    """``(1−3)² + (2−4)²``, with ``around`` as ``({})²``."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return _sum([around.format(_difference(a, b)) for a, b in pairs])


def _difference(a: float, b: float) -> str:
    """``99.8421−100.1976``: with digits that tell how far apart they are."""
    allowed = OFF * abs(a - b) if a != b else np.inf
    return f"{_enough(a, allowed)}−{_around(_enough(b, allowed))}"


def _squares(x: Array, y: Array) -> str:
    return _differences(x, y, "({})²")


def _chain(*steps: str) -> str:
    """Join steps by ``=``; one that says the same as that before is left out."""
    told = [step for j, step in enumerate(steps) if j == 0 or step != steps[j - 1]]
    return " = ".join(told)


def _line(name: str, terms: Sequence[float], total: float) -> str:
    """``‖x − y‖² = 4 + 4 = 8``, what is under the sum written out."""
    return f"{name} = " + _chain(_sum(list(map(_in_brackets, terms))), as_it_is(total))


def _times(factor: float, what: str, *, is_sum: bool) -> str:
    """``0.5·(a + b)``; nothing is said of a factor of one."""
    inside = f"({what})" if is_sum else what
    return what if factor == 1 else f"{_in_brackets(factor)}·{inside}"


def _affine(x: Array, y: Array, values: Values) -> tuple[str, str, float]:
    """``c + γ xᵀy``: with its terms, with the product computed, and its value."""
    gamma, c = values["gamma"], values["coef0"]
    dot = float(x @ y)
    front = f"{as_it_is(c)} + " if c else ""
    terms = front + _times(gamma, _products(x, y), is_sum=len(x) > 1)
    middle = front + _times(gamma, _in_brackets(dot), is_sum=False)
    return terms, middle, c + gamma * dot


def _exponent(value: float) -> str:
    """``e^(−4)``; a power of zero is ``e^0``."""
    return "e^0" if value == 0 else f"e^(−{_enough(value, OFF)})"


def _rate(gamma: float, total: float, what: str) -> str:
    """``0.5·(a + b)`` in an exponent, with the digits that its value takes."""
    if gamma == 1:
        return what
    return f"{_around(_enough(gamma, OFF / total if total else np.inf))}·{what}"


def _linear(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    parts = [_in_brackets(value) for value in (x * y).tolist()]
    return [_chain(_products(x, y), _sum(parts), as_it_is(entry))]


def _polynomial(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    terms, middle, base = _affine(x, y, values)
    p = values["degree"]
    if p == 1:
        return [_chain(terms, middle, as_it_is(entry))]
    power = raised(int(p)) if p == int(p) else f"^{as_it_is(p)}"
    steps = [f"({terms}){power}", f"({middle}){power}", _in_brackets(base) + power]
    if values["gamma"] == 1:
        steps.pop(1)
    return [_chain(*steps, as_it_is(entry))]


def _gaussian(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    squares = np.square(x - y)
    total = float(squares.sum())
    inside = _rate(values["gamma"], total, f"({_squares(x, y)})")
    return [
        _chain(f"e^(−{inside})", _exponent(values["gamma"] * total), as_it_is(entry)),
        _line("‖x − y‖²", squares.tolist(), total),
    ]


def _laplacian(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    sizes = np.abs(x - y)
    total = float(sizes.sum())
    inside = _rate(values["gamma"], total, f"({_differences(x, y, '|{}|')})")
    return [
        _chain(f"e^(−{inside})", _exponent(values["gamma"] * total), as_it_is(entry)),
        _line("‖x − y‖₁", sizes.tolist(), total),
    ]


def _matern(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    nu, length = values["nu"], values["length_scale"]
    square = float(np.square(x - y).sum())
    r = square**0.5 / length
    per = "" if length == 1 else f" / {_in_brackets(length)}"
    distance = "r = " + _chain(
        f"√({_squares(x, y)}){per}",
        f"√{_in_brackets(square)}{per}",
        _enough(r, OFF),
    )
    shown = _around(_enough(r, OFF))
    if nu == 0.5:
        return [_chain(_exponent(r), as_it_is(entry)), distance]
    root = "√3" if nu == 1.5 else "√5"
    t = (2 * nu) ** 0.5 * r
    front, factor = f"1 + {root}·{shown}", 1 + t
    if nu == 2.5:
        front, factor = f"{front} + 5/3·{shown}²", 1 + t + t * t / 3
    return [
        _chain(
            f"({front})·e^(−{root}·{shown})",
            f"{as_it_is(factor)}·{_exponent(t)}",
            as_it_is(entry),
        ),
        distance,
    ]


def _rational_quadratic(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    a, length = values["mixture"], values["length_scale"]
    squares = np.square(x - y)
    total = float(squares.sum())
    below = f"(2·{_in_brackets(a)}·{_in_brackets(length)}²)"
    power = f"^(−{as_it_is(a)})"
    base = 1 + total / (2 * a * length**2)
    return [
        _chain(
            f"(1 + ({_squares(x, y)})/{below}){power}",
            f"(1 + {_in_brackets(total)}/{_in_brackets(2 * a * length**2)}){power}",
            f"{_in_brackets(base)}{power}",
            as_it_is(entry),
        ),
        _line("‖x − y‖²", squares.tolist(), total),
    ]


def _sigmoid(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    terms, middle, base = _affine(x, y, values)
    steps = [f"tanh({terms})", f"tanh({middle})", f"tanh({as_it_is(base)})"]
    return [_chain(*steps, as_it_is(entry))]


def _cosine(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    dot = float(x @ y)
    lengths = [float(np.linalg.norm(row)) for row in (x, y)]
    roots = [
        f"√({_sum([f'{_in_brackets(a)}²' for a in row.tolist()])})" for row in (x, y)
    ]
    product = "·".join(map(_in_brackets, lengths))
    return [
        _chain(
            f"({_products(x, y)}) / ({'·'.join(roots)})",
            f"{as_it_is(dot)} / ({product})",
            as_it_is(entry),
        )
    ]


def _paraboloid(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    lengths = [float(row @ row) for row in (x, y)]
    sums = [_sum([f"{_in_brackets(a)}²" for a in row.tolist()]) for row in (x, y)]
    product = "·".join(_in_brackets(length) for length in lengths)
    return [
        _chain(
            f"{_products(x, y)} + ({sums[0]})·({sums[1]})",
            f"{as_it_is(float(x @ y))} + {product}",
            as_it_is(entry),
        )
    ]


LINEAR = Computation(_linear, numpy_code.linear)
POLYNOMIAL = Computation(_polynomial, numpy_code.polynomial)
GAUSSIAN = Computation(_gaussian, numpy_code.gaussian)
LAPLACIAN = Computation(_laplacian, numpy_code.laplacian)
MATERN = Computation(_matern, numpy_code.matern)
RATIONAL_QUADRATIC = Computation(_rational_quadratic, numpy_code.rational_quadratic)
SIGMOID = Computation(_sigmoid, numpy_code.sigmoid)
COSINE = Computation(_cosine, numpy_code.cosine)
PARABOLOID = Computation(_paraboloid, numpy_code.paraboloid)
