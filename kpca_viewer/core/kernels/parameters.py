"""How a parameter describes itself to sliders, sweeps, validators and formulas."""

from dataclasses import dataclass
from typing import Literal

Scale = Literal["linear", "log", "integer", "choice"]
Follows = Literal["rate", "length"]


@dataclass(frozen=True)
class Parameter:
    """One adjustable number."""

    name: str
    """The keyword in Python, for example ``"gamma"``."""
    symbol: str
    """What formulas and axes show, for example ``"γ"``."""
    title: str
    """What the sidebar shows, for example ``"Gamma"``."""
    low: float
    high: float
    """The range that a slider offers; a field may accept more."""
    default: float
    scale: Scale = "linear"
    choices: tuple[float, ...] = ()
    """The allowed values where the scale is ``"choice"``."""
    help: str = ""
    """What a larger value does to the picture."""
    positive: bool = False
    """Whether it must be greater than 0."""
    follows: Follows | None = None
    """What of the data suggests its value: one over what is typical between two points,
    or the typical distance itself. What suits one set of data says nothing about
    another."""
    reach: float = 1.0
    """How many times less and more than that suggestion a slider offers. Beyond, a
    kernel sees nothing but one point, or nothing but a plane."""
    secondary: bool = False
    """Whether it tells less about the picture than others of the same kernel."""
    open_ended: bool = False
    """Whether larger values than the slider offers are only a matter of patience."""
    swept: bool = True
    """Whether a sweep may vary it."""

    @property
    def option(self) -> str:
        """The option of the command line: ``"--length-scale"``."""
        return f"--{self.name.replace('_', '-')}"
