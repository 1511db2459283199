"""Numbers that a person would write as a fraction or a root: 4/3, 1/√2, 2√2/3."""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt, sqrt

LARGEST_DENOMINATOR = 64
"""Of a fraction, or of what is under a root; beyond, decimals tell more."""

LARGEST_NUMERATOR = 10_000

LARGEST_RADICAND = 50
"""What is left under a root."""

LEAST_DIGITS = 1e-8
"""A number that is known less well than to this part of itself may be anything."""

EPSILON = 4e-16
"""Of a number: what its rounding may be, twice."""


@dataclass(frozen=True)
class SimpleNumber:
    """``numerator √radicand / denominator``, in lowest terms."""

    numerator: int
    denominator: int = 1
    radicand: int = 1
    """Without a square in it; 1 for a fraction."""

    @property
    def value(self) -> float:
        return self.numerator * self.radicand**0.5 / self.denominator

    def plain(self) -> str:
        """Return it in a line: ``−4/3``, ``1/√2``, ``2√2/3``."""
        above, below = self._parts("√{}")
        sign = "−" if self.numerator < 0 else ""
        return sign + (f"{above}/{below}" if below else above)

    def latex(self) -> str:
        above, below = self._parts(r"\sqrt{{{}}}")
        sign = "-" if self.numerator < 0 else ""
        return sign + (rf"\frac{{{above}}}{{{below}}}" if below else above)

    def _parts(self, root: str) -> tuple[str, str]:
        """Return what stands above and below the line; nothing below for 1."""
        size, r = abs(self.numerator), self.radicand
        if r == 1:
            return str(size), "" if self.denominator == 1 else str(self.denominator)
        if self.denominator == r:
            # 1/√2 is what people write, not √2/2.
            return str(size), root.format(r)
        above = ("" if size == 1 else str(size)) + root.format(r)
        return above, "" if self.denominator == 1 else str(self.denominator)


def simple_number(value: float, error: float) -> SimpleNumber | None:
    """Return the simple number that a value is, within its error, or None.

    Parameters
    ----------
    error : float
        By how much the value may be wrong. Where that is not far below the value
        itself, too many numbers would do, and None is returned.
    """
    size = abs(value)
    if value == 0:
        return SimpleNumber(0) if error == 0 else None
    if not error <= LEAST_DIGITS * size <= LEAST_DIGITS * LARGEST_NUMERATOR:
        return None
    sign = 1 if value > 0 else -1
    near = _fraction(size, error)
    if near is not None and abs(float(near) - size) <= error:
        return SimpleNumber(sign * near.numerator, near.denominator)
    square = _fraction(size * size, 2 * size * error + error * error)
    if square is None or square.numerator > LARGEST_NUMERATOR:
        return None
    if abs(sqrt(square) - size) > error + EPSILON * size:
        return None
    found = _root(square, sign)
    if found.radicand > LARGEST_RADICAND or abs(abs(found.value) - size) > error:
        return None
    return found


def _fraction(value: float, error: float) -> Fraction | None:
    """Return the fraction with the smallest denominator near a value, or None.

    A page asks for hundreds of numbers a frame, of which nearly all are none:
    `Fraction.limit_denominator` takes ten times as long.
    """
    allowed = error + EPSILON * value
    for denominator in range(1, LARGEST_DENOMINATOR + 1):
        times = value * denominator
        numerator = round(times)
        if numerator and abs(times - numerator) <= allowed * denominator:
            return Fraction(numerator, denominator)
    return None


def _root(square: Fraction, sign: int) -> SimpleNumber:
    """Return the root of a fraction, with as little under it as there can be."""
    under = square.numerator * square.denominator
    taken = next(s for s in range(isqrt(under), 0, -1) if under % (s * s) == 0)
    common = gcd(taken, square.denominator)
    return SimpleNumber(
        sign * taken // common, square.denominator // common, under // taken**2
    )
