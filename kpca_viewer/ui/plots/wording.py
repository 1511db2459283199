"""Numbers and rows in the words that every plot and the table use."""

import math

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.ui.plots.frame import tick_labels

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_text(value: float, digits: int = 4) -> str:
    """Return a number with so many significant digits: "12.34", "1.5·10⁻⁷".

    Numbers below a million are written out.
    """
    if math.isnan(value):
        return "missing"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        if 0 < int(exponent) < 6:
            text = f"{value:.0f}"
        else:
            text = f"{mantissa}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    return text.replace("-", "−")


def value_text(value: float, digits: int = 4) -> str:
    """Return a value of the data: "−1.235"; whole ones keep all their digits.

    They may be years or names.

    Examples
    --------
    >>> value_text(20241105.0), value_text(-1.23456)
    ('20241105', '−1.235')
    """
    if abs(value) < 1e15 and value == int(value):
        return str(int(value)).replace("-", "−")
    return number_text(value, digits)


def error_text(error: float) -> str:
    """Return a bound rounded up to one digit: "1·10⁻⁷"; "0" for none."""
    if not error > 0:
        return "0"
    exponent = math.floor(math.log10(error))
    digit = math.ceil(error / 10.0**exponent - 1e-9)
    return tick_labels(np.array([digit * 10.0**exponent]))[0]


def percent_text(share: float) -> str:
    """Return a share of one as "12.3 %"; what is tiny keeps two digits."""
    percent = 100 * share
    if percent == 0 or abs(percent) >= 0.095:
        return f"{percent:.1f} %".replace("-", "−")
    return f"{number_text(percent, 2)} %"


def row_text(dataset: Dataset, row: int) -> str:
    """Return the name of a row, or its number from 1."""
    names = dataset.row_names
    return str(dataset.row_number(row)) if names is None else names[row]


def class_text(dataset: Dataset, row: int) -> str:
    """Return the class of a row; empty if the data have none."""
    if dataset.labels is None:
        return ""
    code = int(dataset.labels[row])
    return dataset.label_names[code] if code >= 0 else "no label"
