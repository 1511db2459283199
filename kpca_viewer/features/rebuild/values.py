"""What the page Rebuild shows: K̃ with all of its parts, three ways to one picture."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.classical_scaling import ThreeWays
from kpca_viewer.core.methods.matrix_parts import MatrixParts

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Rebuilding:
    """The numbers of the page."""

    parts: MatrixParts
    """Of the matrix that is decomposed: K̃, or K where it is not centred."""
    rows: Array
    """Shape (m,). Rows of the data that the matrix is of, ascending."""
    shown: Array
    """Shape (s,). Which of them a picture of the matrix shows, sorted by class."""
    total: int
    """Rows of the data."""
    center: bool
    """Whether the matrix is centred."""
    ways: ThreeWays | None
    """Of the same rows; None where a kernel matrix was given, which has neither points
    nor distances."""

    @property
    def sampled(self) -> bool:
        """Whether it is about some of the rows only."""
        return len(self.rows) < self.total

    @cached_property
    def shown_rows(self) -> Array:
        """Shape (s,). Rows of the data that a picture of the matrix shows."""
        found: Array = self.rows[self.shown]
        return found

    @cached_property
    def shown_matrix(self) -> Array:
        """Shape (s, s). The true matrix at those rows."""
        found: Array = self.parts.matrix[np.ix_(self.shown, self.shown)]
        return found
