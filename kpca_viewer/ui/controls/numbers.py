"""Numbers as people write them: short to read, free to type."""

import math
import re
from decimal import Decimal

_THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,]\d{3})+")


def rounded(value: float, digits: int) -> float:
    """Return the value with so many significant digits."""
    return float(f"{value:.{digits - 1}e}") if math.isfinite(value) else value


def format_number(value: float, digits: int = 4) -> str:
    """Return a short text: 4 significant digits, no zeros that say nothing.

    Whole numbers below a million keep all their digits.

    Examples
    --------
    >>> format_number(0.123456), format_number(2.50), format_number(1.5e-7)
    ('0.1235', '2.5', '1.5e-7')
    """
    if not math.isfinite(value):
        return str(value)
    if value == 0:
        return "0"
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    scientific = f"{value:.{digits - 1}e}"
    if 1e-3 <= abs(float(scientific)) < 1e6:
        text = format(Decimal(scientific), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, exponent = scientific.split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def parse_number(text: str, integer: bool = False) -> float | None:
    """Return what a person meant, or None.

    Accepts ``1e-3``, ``0.5``, ``0,5``, ``1.234,5``, ``1,234.5`` and spaces between
    digits. A single comma or point divides decimals, except where whole numbers are
    expected: there ``2,000`` is two thousand.
    """
    text = re.sub(r"[\s'’]", "", text).replace("−", "-")
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
