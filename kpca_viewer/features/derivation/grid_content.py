"""The numbers of a matrix as a grid shows, explains and copies them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.table import exact_text

Cell = tuple[int, int]
"""Line and column of a grid, from 0."""

DOTS = "…"
COVERED = "?"
"""Stands for a number that is not shown yet."""


@dataclass(frozen=True, eq=False)
class GridContent:
    """A matrix, or a vector as a matrix of one column."""

    symbol: str
    """What the matrix is called in front of its bracket: "K"."""
    title: str
    """The same in words, for those who cannot see it: "Kernel matrix"."""
    values: NDArray[np.float64] = field(repr=False)
    """Shape (m, k). NaN where there is no number."""
    texts: tuple[tuple[str, ...], ...]
    """The same as people read them, m lines of k."""
    line_names: tuple[str, ...] = ()
    column_names: tuple[str, ...] = ()
    """What stands beside and above; empty for nothing."""
    line_rows: tuple[int | None, ...] = ()
    column_rows: tuple[int | None, ...] = ()
    """Rows of the data; empty, or None for a line that stands for none."""
    more_lines: bool = False
    more_columns: bool = False
    """Whether the matrix goes on beyond what is shown."""
    added: int = 0
    """How many of the last lines are no part of the matrix: new points."""
    is_tinted: bool = True
    """Whether the size of a value is seen by its colour."""

    @property
    def lines(self) -> int:
        return len(self.texts)

    @property
    def columns(self) -> int:
        return len(self.texts[0]) if self.texts else 0

    @property
    def shape_text(self) -> str:
        return f"{self.lines} × {self.columns}"

    def line_name(self, line: int) -> str:
        return self.line_names[line] if self.line_names else ""

    def column_name(self, column: int) -> str:
        return self.column_names[column] if self.column_names else ""

    def rows_of(self, cell: Cell) -> tuple[int | None, int | None]:
        """Return the rows of the data that line and column of a cell stand for."""
        line, column = cell
        return (
            self.line_rows[line] if self.line_rows else None,
            self.column_rows[column] if self.column_rows else None,
        )

    def lines_of(self, row: int | None) -> list[int]:
        return _places(self.line_rows, row)

    def columns_of(self, row: int | None) -> list[int]:
        return _places(self.column_rows, row)

    def copied(self, first: Cell, last: Cell) -> str:
        """Return the numbers from one cell to another for a table: tabs and lines."""
        (top, bottom), (left, right) = (
            sorted(pair) for pair in zip(first, last, strict=True)
        )
        part = self.values[top : bottom + 1, left : right + 1]
        return "\n".join("\t".join(map(_copied, line)) for line in part.tolist())


def _places(rows: Sequence[int | None], row: int | None) -> list[int]:
    return [] if row is None else [i for i, own in enumerate(rows) if own == row]


def _copied(value: Any) -> str:
    return exact_text(value) if np.isfinite(value) else ""


@dataclass(frozen=True)
class Term:
    """One summand, for a signed bar."""

    label: str
    value: float
    row: int | None = None
    """Of the data; None for what belongs to no single row."""


@dataclass(frozen=True)
class Explanation:
    """Where a number comes from."""

    title: str
    lines: tuple[str, ...]
    """Plain text, to be read from top to bottom."""
    terms: tuple[Term, ...] = ()
    """Summands that stand as bars, the largest first; empty where there is no sum."""
    rows: tuple[int, ...] = ()
    """Rows of the data that light up."""
    cells: tuple[tuple[str, int, int], ...] = ()
    """Other numbers that take part: step ("kernel", "means", "centred", "eigenvalues",
    "vectors", "coefficients", "scores"), row and column there."""


@dataclass(frozen=True, eq=False)
class ExplainedGrid:
    """A grid whose numbers can be explained."""

    content: GridContent
    explained: Callable[[Cell], Explanation]

    def covered(self, cells: Collection[Cell]) -> "ExplainedGrid":
        """Return the grid without some of its numbers, which are not explained."""
        content, hidden = self.content, frozenset(cells)
        values = np.array(content.values, dtype=np.float64)
        for cell in hidden:
            values[cell] = np.nan
        texts = tuple(
            tuple(COVERED if (i, j) in hidden else x for j, x in enumerate(line))
            for i, line in enumerate(content.texts)
        )

        def explained(cell: Cell) -> Explanation:
            return Explanation(COVERED, ()) if cell in hidden else self.explained(cell)

        return ExplainedGrid(replace(content, values=values, texts=texts), explained)
