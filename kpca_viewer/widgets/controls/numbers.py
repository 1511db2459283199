"""Numbers as people type them."""

import math
import re

from kpca_viewer.support.numerals import with_minus

_THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,]\d{3})+")


def rounded(value: float, digits: int) -> float:
    """Return the value with so many significant digits."""
    return float(f"{value:.{digits - 1}e}") if math.isfinite(value) else value


def parse_number(text: str, integer: bool = False) -> float | None:
    """Return what a person meant, or None.

    Accepts ``1e-3``, ``0.5``, ``0,5``, ``1.234,5``, ``1,234.5`` and spaces between
    digits. A single comma or point divides decimals, except where whole numbers are
    expected: there ``2,000`` is two thousand.
    """
    text = with_minus(re.sub(r"[\s'’]", "", text))
    last = max(text.rfind(","), text.rfind("."))
    mark = text[last] if last >= 0 else ""
    other = "." if mark == "," else ","
    grouped = integer or text.count(mark) > 1
    if mark and other not in text and grouped and _THOUSANDS.fullmatch(text):
        text = text.replace(mark, "")
    text = text.replace(other, "").replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
