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
