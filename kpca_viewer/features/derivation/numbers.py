"""How a number of a derivation is written: 4/3, 1/√2, 0, or four digits."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import floor, isnan, log10

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import SimpleNumber, as_it_is, simple_number

LEAST_CERTAIN = 1e-6
"""Of the largest number beside it: what is known less well is never written as 0."""

ONE_DIGIT = 9
"""Denominators up to which a fraction is easier to read than decimals that end."""

LARGEST_NUMERATOR = 99
"""Of a fraction; the size of larger ones is not seen at a glance."""

UNKNOWN = "unknown"

_ON_THE_LINE = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def plain(value: float, error: float = 0.0, scale: float = 1.0) -> str:
    """Return a number in a line: ``4/3``, ``−1/√2``, ``0``, ``0.4321``."""
    if isnan(value):
        return UNKNOWN
    simple = _recognised(value, error, scale)
    return simple.plain() if simple is not None else as_it_is(value)


def has_mixture(texts: Iterable[str]) -> bool:
    """Whether fractions or roots stand beside decimals, as one matrix should not."""
    numbers = list(texts)
    decimals = any("." in x or "10^" in x or "·10" in x for x in numbers)
    return decimals and any(
        sign in text for text in numbers for sign in ("/", "√", r"\frac", r"\sqrt")
    )


def latex(value: float, error: float = 0.0, scale: float = 1.0) -> str:
    if isnan(value):
        return r"\text{" + UNKNOWN + "}"
    simple = _recognised(value, error, scale)
    if simple is not None:
        return simple.latex()
    digits, times, power = as_it_is(value).replace("−", "-").partition("·10")
    return rf"{digits}\cdot 10^{{{power.translate(_ON_THE_LINE)}}}" if times else digits


def adding_up(
    terms: Sequence[float], total: float, error: float, scale: float
) -> tuple[list[str], str]:
    """Return numbers and their sum, with digits such that the printed ones add up."""
    texts = [plain(term, error, scale) for term in terms]
    end = plain(total, 4 * error, scale)
    exact = [_recognised(term, error, scale) for term in terms]
    exact += [_recognised(total, 4 * error, scale)]
    if all(number is not None for number in exact) or _adds_up(texts, end):
        return texts, end
    size = max(abs(total), 1e-12 * max(map(abs, terms), default=1.0), 1e-300)
    first = max(0, min(3 - floor(log10(size)), 15))
    for decimals in range(first, first + 4):
        rounded = [round(term, decimals) for term in terms]
        if round(sum(rounded), decimals) == round(total, decimals):
            break
    return [_fixed(term, decimals) for term in terms], _fixed(total, decimals)


def _adds_up(texts: Sequence[str], total: str) -> bool:
    """Whether decimals add up as they are printed."""
    try:
        *terms, end = (float(text.replace("−", "-")) for text in (*texts, total))
    except ValueError:
        return False
    return abs(sum(terms) - end) <= 4e-15 * max(map(abs, terms))


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    if "." in text and float(text) == round(float(text)):
        text = text.partition(".")[0]
    return text.replace("-", "−") if float(text) else "0"


def plain_table(values: Array, errors: float | Array) -> list[list[str]]:
    """Return a matrix (m, k) in numbers; errors of all, or of every column (k,)."""
    return _table(_plain, values, errors)


def latex_table(values: Array, errors: float | Array) -> list[list[str]]:
    """Return a matrix (m, k) as LaTeX numbers; see `plain_table`."""
    return _table(latex, values, errors)


# Matrices are symmetric, and most frames change only some of the steps.
_plain = lru_cache(maxsize=4096)(plain)


Write = Callable[[float, float, float], str]


def _table(write: Write, values: Array, errors: float | Array) -> list[list[str]]:
    rows = np.atleast_2d(values)
    scale = float(np.abs(np.nan_to_num(rows)).max(initial=0.0))
    known = np.broadcast_to(errors, rows.shape)
    found = _written(write, rows, known, scale)
    if has_mixture(text for row in found for text in row):
        # Zeros stay zeros, and nothing else is a fraction.
        certain = np.where(np.abs(rows) <= known, known, np.inf)
        return _written(write, rows, certain, scale)
    return found


def _written(write: Write, rows: Array, errors: Array, scale: float) -> list[list[str]]:
    return [
        [write(v, e, scale) for v, e in zip(*line, strict=True)]
        for line in zip(rows.tolist(), errors.tolist(), strict=True)
    ]


def _recognised(value: float, error: float, scale: float) -> SimpleNumber | None:
    if abs(value) <= error <= LEAST_CERTAIN * max(scale, abs(value)):
        return SimpleNumber(0)
    simple = simple_number(value, error)
    if simple is None or simple.radicand != 1 or simple.denominator == 1:
        return simple
    if abs(simple.numerator) > LARGEST_NUMERATOR:
        return None
    if simple.denominator <= ONE_DIGIT:
        return simple
    # 0.02 is what people write, not 1/50; but 1/11 has no end.
    return None if 10**6 % simple.denominator == 0 else simple
