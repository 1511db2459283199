"""Data on which claims are tried: where each must be made, and where it must not.

Every module here has a tuple `CASES` of `Case`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Case:
    """One kind of data and what has to be said of it."""

    claim: str
    """The key of a claim, or what is said in a few words."""
    data: str
    """What is drawn, with its sizes, for the table."""
    is_true: bool
    """Whether the claim is right there."""
    is_made: Callable[[np.random.Generator], bool]
    """Draws data and returns whether the claim is made of them."""

    @property
    def name(self) -> str:
        return f"{self.claim} | {self.data}"
