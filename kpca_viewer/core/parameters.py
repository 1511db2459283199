"""How a parameter describes itself to sliders, sweeps, validators and formulas."""

from dataclasses import dataclass
from typing import Literal

Scale = Literal["linear", "log", "integer", "choice"]


@dataclass(frozen=True)
class Parameter:
    """One adjustable number.

    Attributes
    ----------
    name : str
        The keyword in Python, for example ``"gamma"``.
    symbol : str
        What formulas and axes show, for example ``"γ"``.
    title : str
        What the sidebar shows, for example ``"Gamma"``.
    low, high : float
        The range that a slider offers; a field may accept more.
    default : float
    scale : {"linear", "log", "integer", "choice"}
    choices : tuple of float
        The allowed values where the scale is ``"choice"``.
    help : str
        What a larger value does to the picture.
    """

    name: str
    symbol: str
    title: str
    low: float
    high: float
    default: float
    scale: Scale = "linear"
    choices: tuple[float, ...] = ()
    help: str = ""


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_in_latex(value: float, *, factor: bool = False) -> str:
    r"""Return four digits of a number as LaTeX: ``0.25``, ``1.5\cdot10^{-7}``.

    A ``factor`` is put in brackets where a power or a quotient would tear it apart.
    """
    mantissa, power = _parts(value)
    if power is None:
        return mantissa
    text = rf"{mantissa}\cdot10^{{{power}}}".removeprefix(r"1\cdot")
    return f"({text})" if factor else text


def number_in_text(value: float, *, factor: bool = False) -> str:
    """Return four digits of a number as plain text: "0.25", "1.5·10⁻⁷"."""
    mantissa, power = _parts(value)
    mantissa = mantissa.replace("-", "−")
    if power is None:
        return mantissa
    text = f"{mantissa}·10{power.translate(_RAISED)}".removeprefix("1·")
    return f"({text})" if factor else text


def _parts(value: float) -> tuple[str, str | None]:
    """Return the digits of a number and the power of ten it needs, if any."""
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    return mantissa, str(int(exponent)) if exponent else None
