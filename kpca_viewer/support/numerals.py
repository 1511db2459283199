"""Numbers for people: the one place where they become text.

`readable` is the rule: a few significant digits, no zeros that say nothing, a true
minus sign, powers of ten only beyond what is easily counted. The others are that rule
for a place of its own: plots and tables (`ungrouped`), values of data (`data_value`),
steps of a computation (`as_it_is`), counts (`counted`), bounds (`upper_bound`), what
has bounds (`within`), shares (`percent`), what stands below each other (`fixed`), bytes
(`byte_size`), the ticks of an axis (`tick_labels`) and fields to type in (`editable`).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import gcd, isqrt, sqrt

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

MINUS_SIGNS = str.maketrans(dict.fromkeys("−\N{FIGURE DASH}", "-"))
"""Signs that print as a minus, and the one that computers know."""


def with_minus(text: str) -> str:
    """Return a number as typed or pasted with the minus that `float` reads."""
    return text.translate(MINUS_SIGNS)


def raised(power: int) -> str:
    """Return an exponent as it stands behind its base: "⁻⁷"."""
    return str(power).translate(_RAISED)


def lowered(index: int | str) -> str:
    """Return an index as it stands behind its symbol: "₁₂"."""
    return str(index).translate(_LOWERED)


def parts(value: float, digits: int = 4) -> tuple[str, int]:
    """Return the digits of a finite number, and the power of ten that multiplies them.

    Rounded to so many significant digits, but never before the point. From 0.0001 to a
    million, and for nothing at all, the power is 0.

    Examples
    --------
    >>> parts(-40123.4), parts(0.123456), parts(2.5e-9)
    (('-40123', 0), ('0.1235', 0), ('2.5', -9))
    """
    value = value or 0.0  # without the sign that nothing can have
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if value == 0 or -4 <= power < 6:
        mantissa, power = f"{value:.{max(0, digits - 1 - power)}f}", 0
    return _shortest(mantissa), power


def readable(value: float, digits: int = 4, *, grouped: bool = True) -> str:
    """Return a number for people: "−40,123", "0.25", "1.5·10⁻⁷".

    Of so many significant ``digits``; ``grouped``: thousands are set apart, as in
    sentences.
    """
    if not math.isfinite(value):
        return _signed(str(value).replace("inf", "∞"))
    text, power = parts(value, digits)
    if power:
        text += f"·10{raised(power)}"
    elif grouped:
        whole, point, decimals = text.partition(".")
        text = f"{int(whole):,}{point}{decimals}" if len(whole) > 3 else text
    return _signed(text)


def ungrouped(value: float, digits: int = 4) -> str:
    """Return a number for a plot or a table, where a comma would be one more mark.

    What is none there is a gap in the data.
    """
    if math.isnan(value):
        return "missing"
    return readable(value, digits, grouped=False)


def data_value(value: float, digits: int = 4) -> str:
    """Return a value of the data: "−1.235"; whole ones keep all their digits.

    They may be years or names.

    Examples
    --------
    >>> data_value(20241105.0), data_value(-1.23456)
    ('20241105', '−1.235')
    """
    if abs(value) < 1e15 and value == int(value):
        return _signed(str(int(value)))
    return ungrouped(value, digits)


NOTHING = 1e-300
"""Smaller numbers stand for whatever lies below: kernels end at e⁻⁷⁰⁰."""


_NOT_WHOLE = 10
"""Digits up to which a number that is nearly whole is told from a whole one."""


def as_it_is(value: float, digits: int = 4, most: int = 7) -> str:
    """Return a number of a computation that a person follows with a calculator.

    Whole numbers, and those that end within ``most`` significant digits, keep them all;
    others are rounded to ``digits``, or to more that tell them from a whole number.

    Examples
    --------
    >>> as_it_is(420.25), as_it_is(0.1 + 0.2), as_it_is(1 / 3), as_it_is(1600.0)
    ('420.25', '0.3', '0.3333', '1600')
    """
    if abs(value) < NOTHING:
        return "0"
    if abs(value) < 1e15 and value == int(value):
        return data_value(value)
    short = float(f"{value:.{most - 1}e}")
    ends = abs(short - value) <= 4e-15 * abs(value)
    if ends:
        return ungrouped(short, most)
    text = ungrouped(value, digits)
    # 11.0004 is not 11: what looks whole, and is not, has more digits.
    while text.lstrip("−").isdecimal() and digits < _NOT_WHOLE:
        digits += 1
        text = ungrouped(value, digits)
    return text


def upper_bound(error: float) -> str:
    """Return a bound rounded up to one digit: "2·10⁻⁷", "0.03"; "0" for none."""
    if not error > 0:
        return "0"
    error = max(error, NOTHING)
    unit = 10.0 ** math.floor(math.log10(error))
    return ungrouped(math.ceil(error / unit - 1e-9) * unit, 1)


MOST_DIGITS = 10
"""Of a number with bounds, however narrow they are."""


def within(value: float, low: float, high: float) -> tuple[str, str, str]:
    """Return a number and its bounds with as many digits as these leave it.

    All end with the first digit of the error. The bounds are rounded away from each
    other, so that they still hold.

    Examples
    --------
    >>> within(12.3456789, 12.34491, 12.3461)
    ('12.3457', '12.3449', '12.3461')
    >>> within(0.0, 0.0, 0.0)
    ('0', '0', '0')
    """
    error = max(high - value, value - low)
    if not math.isfinite(error):
        return ungrouped(value), ungrouped(low), ungrouped(high)
    largest = max(abs(value), abs(low), abs(high))
    if largest == 0:
        return "0", "0", "0"
    top = math.floor(math.log10(largest))
    place = top - MOST_DIGITS + 1
    if error > 0:
        place = min(max(math.floor(math.log10(error)), place), top)
    told = _at_place(value, place, top, ROUND_HALF_EVEN)
    below = _at_place(low, place, top, ROUND_FLOOR)
    return told, below, _at_place(high, place, top, ROUND_CEILING)


def _at_place(value: float, place: int, top: int, rounding: str) -> str:
    """Return a number up to a power of ten; far from 1 it is divided by ``top``."""
    rounded = Decimal(value).quantize(Decimal((0, (1,), place)), rounding)
    if not rounded:
        return "0"
    if -4 <= top < 6:
        text = f"{rounded:.{max(-place, 0)}f}"
    else:
        text = f"{rounded.scaleb(-top):.{top - place}f}·10{raised(top)}"
    return _signed(text)


def counted(value: float) -> str:
    """Return what is counted, which keeps all its digits: "1,000,000"."""
    return _signed(f"{value:,.0f}")


def fixed(value: float, decimals: int) -> str:
    """Return so many decimals, zeros too: "0.950", to be compared with others."""
    text = f"{value:.{decimals}f}"
    return _signed(text if float(text) else text.removeprefix("-"))


def percent(share: float, decimals: int = 1) -> str:
    """Return a share of one: "41.2 %"; "–" where there is nothing to share (NaN)."""
    if math.isnan(share):
        return "–"
    return f"{fixed(100 * share, decimals)} %"


def whole_percent(share: float) -> str:
    """Return a share of one in whole percents; only all is "100 %", only none "0 %"."""
    if 0 < share <= 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= share < 1 else percent(share, 0)


def small_percent(share: float) -> str:
    """Return a share of one as `percent`; what is tiny keeps two digits."""
    if share == 0 or abs(share) >= 0.00095:
        return percent(share)
    return f"{ungrouped(100 * share, 2)} %"


def byte_size(size: float) -> str:
    """Return bytes as a person reads them: "1.5 GB"."""
    if size < 1000:
        return f"{size:.0f} bytes"
    units = ("kB", "MB", "GB", "TB")
    power = min(int(math.log10(size) // 3), len(units))
    size /= 1000**power
    return f"{size:.{0 if size >= 10 else 1}f} {units[power - 1]}"


def tick_labels(ticks: Iterable[float]) -> list[str]:
    """Return one text per tick of an axis, all with the same number of decimals."""
    numbers = [float(tick) for tick in ticks]
    if not numbers:
        return []
    largest = max(map(abs, numbers))
    step = numbers[1] - numbers[0] if len(numbers) > 1 else (largest or 1.0)
    # Rounded before the logarithm: a step of 0.2 may be stored as 0.19999….
    digits = -math.floor(math.log10(step) + 1e-9)
    exponent = math.floor(math.log10(largest) + 1e-9) if largest else 0
    if -4 < exponent < 6:
        texts = [f"{number:.{max(digits, 0)}f}" for number in numbers]
    else:
        decimals, unit = max(digits + exponent, 0), 10.0**exponent
        texts = [
            f"{number / unit:.{decimals}f}·10{raised(exponent)}" if number else "0"
            for number in numbers
        ]
    return [_signed(text) for text in texts]


def editable(value: float, digits: int = 4) -> str:
    """Return a number for a field: what is shown can be typed, "1.5e-7" and "-2".

    Whole numbers below a million keep all their digits.

    Examples
    --------
    >>> editable(0.123456), editable(2.50), editable(1.5e-7)
    ('0.1235', '2.5', '1.5e-7')
    """
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    scientific = f"{value:.{digits - 1}e}"
    if 1e-3 <= abs(float(scientific)) < 1e6:
        return _shortest(format(Decimal(scientific), "f"))
    mantissa, exponent = scientific.split("e")
    return f"{_shortest(mantissa)}e{int(exponent)}"


def _shortest(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(text: str) -> str:
    return text.replace("-", "−")


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spelled(count: int, what: str) -> str:
    """Return a small number as a word, with what it counts: "two components"."""
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{number} {what}{'s' if count > 1 else ''}"


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

    ``error``: by how much the value may be wrong. Where that is not far below the value
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
