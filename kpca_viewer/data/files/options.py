"""How a file is to be read, where detection should not decide."""

from dataclasses import dataclass
from typing import Literal

Decimal = Literal[".", ","]

NA_VALUES = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "None", "?", "-")
"""Cells that mean "missing" in most files."""


@dataclass(frozen=True)
class ReadOptions:
    """What a person can say about a file; None leaves it to detection.

    Attributes
    ----------
    delimiter : str or None
        One character; a space stands for any run of blanks.
    decimal : {".", ","} or None
    decimals : tuple of (column, {".", ","})
        The same for single columns; the other mark divides thousands.
    header : bool or None
        Whether the first line names the columns.
    encoding : str or None
        A name that Python knows, for example "utf-8" or "latin-1".
    sheet : str or None
        Name of a sheet of a workbook.
    arrays : tuple of str or None
        Arrays of an NPZ or MATLAB file: the points first, then labels or further
        columns.
    max_rows : int or None
        Read only the first rows, for a preview.
    sample : int or None
        Keep so many rows, drawn at random while reading.
    seed : int
        Of the sample.
    na_values : tuple of str
        Cells that count as missing.
    """

    delimiter: str | None = None
    decimal: Decimal | None = None
    header: bool | None = None
    encoding: str | None = None
    sheet: str | None = None
    arrays: tuple[str, ...] | None = None
    max_rows: int | None = None
    sample: int | None = None
    seed: int = 0
    na_values: tuple[str, ...] = NA_VALUES
    decimals: tuple[tuple[str, Decimal], ...] = ()
