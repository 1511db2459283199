"""How a number of a derivation is written: 4/3, 1/√2, 0, or four digits."""

from collections.abc import Iterable
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.support.numerals import as_it_is
from kpca_viewer.support.simple_numbers import SimpleNumber, simple_number

Array = NDArray[Any]

LEAST_CERTAIN = 1e-6
"""Of the largest number beside it: what is known less well is never written as 0."""

ONE_DIGIT = 9
"""Denominators up to which a fraction is easier to read than decimals that end."""

LARGEST_NUMERATOR = 99
"""Of a fraction; of larger ones, nobody sees how large they are."""

UNKNOWN = "unknown"

_ON_THE_LINE = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def plain(value: float, error: float = 0.0, scale: float = 1.0) -> str:
    """Return a number in a line: ``4/3``, ``−1/√2``, ``0``, ``0.4321``.

    Parameters
    ----------
    error : float
        By how much it may be wrong; infinite where that is not known.
    scale : float
        The largest of the numbers that it stands among.
    """
    if isnan(value):
        return UNKNOWN
    simple = _recognised(value, error, scale)
    return simple.plain() if simple is not None else as_it_is(value)


def latex(value: float, error: float = 0.0, scale: float = 1.0) -> str:
    """Return a number in LaTeX; see `plain`."""
    if isnan(value):
        return r"\text{" + UNKNOWN + "}"
    simple = _recognised(value, error, scale)
    if simple is not None:
        return simple.latex()
    digits, times, power = as_it_is(value).replace("−", "-").partition("·10")
    return rf"{digits}\cdot 10^{{{power.translate(_ON_THE_LINE)}}}" if times else digits


def plain_table(values: Array, errors: float | Array) -> list[list[str]]:
    """Return a matrix (m, k) in numbers; errors of all, or of every column (k,)."""
    scale = _largest(values)
    return [
        [plain(float(v), float(e), scale) for v, e in _beside(row, errors)]
        for row in np.atleast_2d(values)
    ]


def latex_table(values: Array, errors: float | Array) -> list[list[str]]:
    """Return a matrix (m, k) as LaTeX numbers; see `plain_table`."""
    scale = _largest(values)
    return [
        [latex(float(v), float(e), scale) for v, e in _beside(row, errors)]
        for row in np.atleast_2d(values)
    ]


def _beside(row: Array, errors: float | Array) -> Iterable[tuple[float, float]]:
    return zip(row, np.broadcast_to(errors, row.shape), strict=True)


def _largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))


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
