"""How a file is to be read, where detection should not decide."""

from dataclasses import dataclass
from typing import Literal

Decimal = Literal[".", ","]

NA_VALUES = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "None", "?", "-")
"""Cells that mean "missing" in most files."""


@dataclass(frozen=True)
class ReadOptions:
    """What a person can say about a file; None leaves it to detection."""

    delimiter: str | None = None
    """One character; a space stands for any run of blanks."""
    decimal: Decimal | None = None
    header: bool | None = None
    """Whether the first line names the columns."""
    skip: int | None = None
    """Lines above the table: of a title, for example."""
    transpose: bool = False
    """Whether the columns of the file are the rows of the table."""
    encoding: str | None = None
    """A name that Python knows, for example "utf-8" or "latin-1"."""
    sheet: str | None = None
    """Name of a sheet of a workbook."""
    arrays: tuple[str, ...] | None = None
    """Arrays of an NPZ or MATLAB file: the points first, then labels or further
    columns."""
    max_rows: int | None = None
    """Read only the first rows, for a preview."""
    sample: int | None = None
    """Keep so many rows, drawn at random while reading."""
    seed: int = 0
    """Of the sample."""
    na_values: tuple[str, ...] = NA_VALUES
    """Cells that count as missing."""
    decimals: tuple[tuple[str, Decimal], ...] = ()
    """The same for single columns; the other mark divides thousands."""
    parts: tuple[str, ...] | None = None
    """Files below a folder that are one table, by names or patterns; empty for all of
    them, and for a single file that is read in pieces. None for any other file."""
