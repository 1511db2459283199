"""What a search over kernels gives back, as frozen values."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel

Array = NDArray[Any]
Values = tuple[tuple[str, float], ...]

Evidence = Literal["classes", "target", "structure"]
"""What settings are compared by: held-out balanced accuracy, held-out R², or, without
either, the part of the spectrum that independent columns do not have."""


@dataclass(frozen=True)
class Line:
    """A kernel with all values but one: those of that one lie on a line."""

    family: str
    fixed: Values = ()
    """Pairs (name, value), sorted."""
    scanned: str | None = None
    """The parameter that is varied; None for a kernel that has none."""

    def kernel(self, value: float | None) -> Kernel:
        values = dict(self.fixed)
        if self.scanned is not None and value is not None:
            values[self.scanned] = value
        return Kernel(self.family, **values)

    @property
    def is_linear(self) -> bool:
        return self.family == "linear"

    @property
    def symbol(self) -> str:
        """What the varied parameter is called in formulas."""
        known = FAMILIES[self.family].parameters
        return next((p.symbol for p in known if p.name == self.scanned), "")


@dataclass(frozen=True, eq=False)
class Tried:
    """One value of a line, and the evidence for it; None where it was not asked."""

    line: Line
    value: float | None
    scores: Array = field(default_factory=lambda: np.empty(0), repr=False)
    """Shape (k,). Mean score of 1 … k components."""
    errors: Array = field(default_factory=lambda: np.empty(0), repr=False)
    """Shape (k,). One standard error of each."""
    by_fold: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    """Shape (folds · repeats, k). The scores that these are the means of."""
    real: int | None = None
    """Components beyond those of independent columns."""
    energy: float | None = None
    """Part of the trace by which these exceed them."""
    stability: float | None = None
    """How alike the pictures of two halves of the rows are, 0 … 1."""
    seconds: float = 0.0
    refusal: str = ""
    """Why there is no score, in one sentence."""


@dataclass(frozen=True, eq=False)
class Row:
    """The setting that a line would be defended with."""

    line: Line
    value: float | None
    components: int
    score: float
    error: float
    real: int | None = None
    stability: float | None = None
    stable: tuple[float, float] | None = None
    """Values of the line between which the picture persists."""
    seconds: float = 0.0
    """What one fit on all rows takes."""
    tried: tuple[Tried, ...] = field(default=(), repr=False)
    """All values of the line, in ascending order."""
    refined: bool = True
    """Whether values around the best were tried; not where the line is clearly worse
    than another one, or has one value only."""

    @property
    def kernel(self) -> Kernel:
        return self.line.kernel(self.value)


@dataclass(frozen=True, eq=False)
class Choice:
    """Rows from the one to take to the one to leave.

    The first is the simplest within one standard error of the best: linear before
    curved, fewer components, smaller γ.
    """

    evidence: Evidence
    rows: tuple[Row, ...]
    best: int = 0
    """Place of the row whose line has the highest score."""
    highest: tuple[float | None, float, float] | None = None
    """That score: at which value of the line, how high, its error. The row itself may
    be a simpler setting."""
    chance: float | None = None
    """Balanced accuracy of guessing."""
    folds: int = 0
    repeats: int = 0
    seed: int = 0
    n: int = 0
    """Rows that scores are of."""
    rules: tuple[tuple[str, float], ...] = ()
    """What cheap rules say about γ of the RBF kernel: pairs (name, value)."""
    notes: tuple[str, ...] = ()
    """What could not be asked, a sentence each."""
    is_complete: bool = True
    corrected: float | None = None
    """Mean score of what the same rule chooses by the other folds: the score of
    the first row without what having been chosen by it adds."""
    luck: float | None = None
    """Part of the tables of independent columns that have as much structure."""

    @property
    def chosen(self) -> Row:
        return self.rows[0]
