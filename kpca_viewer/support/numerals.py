"""Numbers as a sentence has them."""

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def readable(value: float, digits: int = 4) -> str:
    """Return a number for people: "−40,100", "0.25", "1.5·10⁻⁷".

    Rounded to so many significant digits, but never before the point; below a million
    without a power of ten.

    Examples
    --------
    >>> readable(-40123.4), readable(0.123456), readable(2.5e-9), readable(3e12)
    ('−40,123', '0.1235', '2.5·10⁻⁹', '3·10¹²')
    """
    if not math.isfinite(value):
        return str(value).replace("-", "−")
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if value == 0 or -4 <= power < 6:
        text = f"{value:,.{max(0, digits - 1 - power)}f}"
        power = 0
    else:
        text = mantissa
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if power:
        text += f"·10{str(power).translate(_RAISED)}"
    return text.replace("-", "−")
