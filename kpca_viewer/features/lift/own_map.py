"""A map φ of the plane that a person types, read by a small fixed grammar.

Coordinates are separated by commas. Each is made of numbers, x1 and x2, + − × (or
nothing between two factors), powers and roots: ``1, √2 x1, x1², √2 x1 x2``. Nothing
else is read, and nothing is ever executed.
"""

import re
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.features.lift import own_map_text as text
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, KpcaError

LONGEST, MOST_COORDINATES, DEEPEST, LARGEST_POWER = 400, 40, 30, 12

EQUAL = 1e-9
"""Of the largest term: below, a difference is rounding."""

PLACES = ((1, 2), (3, 4), (1, 0), (0, 1), (-1, 2), (2, -1))
"""Between which a map is compared with the kernel, beside the pair on the page."""

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})|(?P<name>x_?1|x_?2|x₁|x₂|x|y)"
    rf"|(?P<root>√|sqrt)|(?P<raised>[{_RAISED}]+)|(?P<sign>\*\*|[-−+*×·^(),;]))"
)
_SIGNS = {"−": "-", "×": "*", "·": "*", "**": "^", ";": ","}

Node = tuple[Any, ...]


@dataclass(frozen=True)
class OwnMap:
    """Coordinates as trees of operations."""

    coordinates: tuple[Node, ...]

    @classmethod
    def read(cls, words: str) -> "OwnMap":
        """Read what was typed."""
        if len(words) > LONGEST:
            raise DataError(text.TOO_LONG.format(most=LONGEST))
        return cls(_Reader(words).coordinates())

    def __call__(self, points: Array) -> Array:
        """Map points (m, 2) to (m, M); not finite where a root has no value."""
        with np.errstate(all="ignore"):
            columns = [_value(node, points.T) for node in self.coordinates]
        return np.stack([np.broadcast_to(c, len(points)) for c in columns], axis=1)

    def product(self, a: Array, b: Array) -> tuple[float, float]:
        """Return φ(a)·φ(b), and what its terms add up to if none cancels another."""
        with np.errstate(all="ignore"):
            terms = np.prod(self(np.array([a, b], dtype=np.float64)), axis=0)
            return float(terms.sum()), float(np.abs(terms).sum())


@dataclass(frozen=True)
class Comparison:
    """A typed map beside the kernel."""

    product: float
    value: float
    equal: bool
    counterexample: tuple[tuple[int, int], tuple[int, int], float, float] | None = None
    """Two other places where the two differ, φᵀφ and k there; None where they agree."""
    compared: int = 0
    """Other pairs that were looked at."""


def compare(own: OwnMap, kernel: Kernel, a: Array, b: Array) -> Comparison:
    """Compare a map with a kernel for two points, and for other pairs of places."""
    product, value, equal = _differs(own, kernel, a, b)
    pairs = [(x, y) for i, x in enumerate(PLACES) for y in PLACES[i:]]
    for x, y in pairs:
        found, wanted, same = _differs(own, kernel, np.array(x), np.array(y))
        if not same:
            return Comparison(product, value, equal, (x, y, found, wanted), len(pairs))
    return Comparison(product, value, equal, compared=len(pairs))


def _differs(
    own: OwnMap, kernel: Kernel, a: Array, b: Array
) -> tuple[float, float, bool]:
    product, terms = own.product(a, b)
    points = kernel.points(np.array([a, b], dtype=np.float64))
    value = float(kernel.block(points.take([0]), points.take([1]))[0, 0])
    allowed = EQUAL * max(terms, abs(value))
    return product, value, bool(abs(product - value) <= allowed)


class _Reader:
    """Reads tokens from the left; one method a rule of the grammar."""

    def __init__(self, words: str) -> None:
        self._tokens: list[tuple[str, str, int]] = []
        self._at, self._depth, place = 0, 0, 0
        while words[place:].strip():
            found = _TOKEN.match(words, place)
            if found is None:
                place = len(words) - len(words[place:].lstrip())
                self._refuse(text.UNKNOWN_SIGN.format(sign=words[place]), place)
            kind = str(found.lastgroup)
            sign = found[kind]
            self._tokens.append((kind, _SIGNS.get(sign, sign), found.start(kind)))
            place = found.end()
        self._end = len(words)

    def coordinates(self) -> tuple[Node, ...]:
        if not self._tokens:
            self._refuse(text.NOTHING, 0)
        self._open_brackets()
        found = [self._sum()]
        while self._take(","):
            found.append(self._sum())
        if self._at < len(self._tokens):
            _, sign, place = self._tokens[self._at]
            self._refuse(text.NOT_HERE.format(sign=sign), place)
        if len(found) > MOST_COORDINATES:
            raise DataError(text.TOO_MANY.format(most=MOST_COORDINATES))
        return tuple(found)

    def _open_brackets(self) -> None:
        """Take brackets away that stand around all coordinates."""
        depth, commas = 0, False
        for index, (_, sign, _) in enumerate(self._tokens):
            depth += (sign == "(") - (sign == ")")
            commas = commas or (sign == "," and depth == 1)
            if depth == 0 and index < len(self._tokens) - 1:
                return
        if depth == 0 and commas:
            self._tokens = self._tokens[1:-1]

    def _sum(self) -> Node:
        node: Node = ("-", ("n", 0.0), self._product()) if self._take("-") else ()
        node = node or self._product()
        while (sign := self._take("+") or self._take("-")) is not None:
            node = (sign, node, self._product())
        return node

    def _product(self) -> Node:
        node = self._power()
        while self._take("*") or self._starts_factor():
            node = ("*", node, self._power())
        return node

    def _starts_factor(self) -> bool:
        kind, sign, _ = self._next()
        return kind in ("number", "name", "root") or sign == "("

    def _power(self) -> Node:
        node = self._atom()
        kind, sign, place = self._next()
        if kind == "raised":
            self._at += 1
            power = int("".join(str(_RAISED.index(digit)) for digit in sign))
        elif self._take("^"):
            kind, sign, place = self._next()
            if not sign.isdecimal():
                self._refuse(text.WHOLE_POWER, place)
            self._at += 1
            power = int(sign)
        else:
            return node
        if power > LARGEST_POWER:
            self._refuse(text.LARGE_POWER.format(most=LARGEST_POWER), place)
        return ("^", node, power)

    def _atom(self) -> Node:
        kind, sign, place = self._next()
        self._at += 1
        if kind == "number":
            return ("n", float(sign))
        if kind == "name":
            return ("x", 0 if sign in ("x", "x1", "x_1", "x₁") else 1)
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse(text.TOO_DEEP, place)
        if kind == "root":
            node: Node = ("√", self._atom())
        elif sign == "(":
            node = self._sum()
            if not self._take(")"):
                self._refuse(text.NOT_CLOSED, place)
        else:
            self._refuse(text.MISSING, place)
        self._depth -= 1
        return node

    def _next(self) -> tuple[str, str, int]:
        if self._at < len(self._tokens):
            return self._tokens[self._at]
        return "", "", self._end

    def _take(self, sign: str) -> str | None:
        if self._next()[1] != sign:
            return None
        self._at += 1
        return sign

    def _refuse(self, why: str, place: int) -> NoReturn:
        raise DataError(text.AT.format(place=place + 1, why=why))


def _value(node: Node, x: Array) -> Any:
    """Return a coordinate at points x (2, m)."""
    kind, first = node[0], node[1]
    if kind == "n":
        return np.float64(first)
    if kind == "x":
        return x[first]
    inner = _value(first, x)
    if kind == "√":
        return np.sqrt(inner)
    if kind == "^":
        return inner ** node[2]
    other = _value(node[2], x)
    return {"+": np.add, "-": np.subtract, "*": np.multiply}[kind](inner, other)


def told(words: str, kernel: Kernel, a: Array, b: Array) -> Comparison | str:
    """Return the comparison of what was typed, or a sentence why there is none."""
    try:
        found = compare(OwnMap.read(words), kernel, a, b)
    except KpcaError as error:
        return str(error)
    return found if np.isfinite(found.product) else text.NO_VALUE
