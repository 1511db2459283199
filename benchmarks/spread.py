"""What repeated measurements say: their middle and how far they lie apart."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def spread(values: Sequence[float], digits: int = 4) -> dict[str, Any]:
    """Return median, quartiles, extremes and the number of measurements."""
    low, middle, high = np.percentile(values, (25, 50, 75))
    named = {
        "median": middle,
        "quartiles": (low, high),
        "range": (min(values), max(values)),
    }
    return {name: rounded(value, digits) for name, value in named.items()} | {
        "runs": len(values)
    }


def paired_ratio(theirs: Sequence[float], ours: Sequence[float]) -> dict[str, Any]:
    """Return the spread of theirs : ours, round by round.

    Both of a round ran one after the other, so that a busy moment of the machine hits
    both and cancels.
    """
    return spread([a / b for a, b in zip(theirs, ours, strict=False)], 3)


def rounded(value: Any, digits: int = 4) -> Any:
    """Return numbers with so many significant digits."""
    if isinstance(value, tuple | list):
        return [rounded(item, digits) for item in value]
    return float(f"{value:.{digits}g}")


def written(told: dict[str, Any], unit: float = 1.0) -> str:
    """Return a spread as a cell of a table: "21 (20 … 24)"."""
    low, high = told["quartiles"]
    if told["runs"] == 1:
        return f"{_short(told['median'] * unit)} (once)"
    middle = _short(told["median"] * unit)
    return f"{middle} ({_short(low * unit)} … {_short(high * unit)})"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
