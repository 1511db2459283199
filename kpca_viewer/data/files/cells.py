"""Cells: from what is written to a number, a missing value or text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.options import NA_VALUES, Decimal
from kpca_viewer.data.metadata import MISSING, MetaColumn
from kpca_viewer.data.table import Column, FloatArray, is_whole, number_text
from kpca_viewer.support.numerals import with_minus

Cell = str | float | int
Row = Sequence[Cell]

MOSTLY = 0.5
"""A text column with more numbers than this is one of numbers with odd cells."""

LONGEST_NUMBER = 1000
"""Characters of a cell; with more of them it is text, whatever they are."""

EXACT = 2**53
"""Beyond this, different whole numbers become one and the same float64."""

_POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_COMMA_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?")
_SURE_THOUSANDS = re.compile(
    r"[+-]?[1-9]\d{0,2}([’'\u00a0\u2009\u202f]\d{3})+([.,]\d*)?"
)
_SURE_MARKS = str.maketrans("", "", "’'\u00a0\u2009\u202f")
_SEPARATOR = "\x1f"

_SURELY_TEXT = re.compile(r"[b-dghj-mo-su-xzB-DGHJ-MO-SU-XZ]")
"""A letter that is in no number, neither in 1e5 nor in infinity or nan."""

_ROWS_TOGETHER = 64
"""That are summed up as one: numpy is slow in short rows."""


@dataclass(frozen=True)
class CellRules:
    """How cells of one file are understood.

    Attributes
    ----------
    decimal : {".", ","}
    floats : bool
        Whether whole numbers come as floats, as in workbooks.
    """

    missing: frozenset[str] = frozenset(NA_VALUES)
    decimal: Decimal = "."
    floats: bool = False

    def number(self, cell: Cell) -> float | None:
        """Return a cell as a number, NaN if it is missing, None if it is text."""
        if not isinstance(cell, str):
            try:
                # A whole number has no sign of zero.
                return float(cell) + 0.0 if self.floats else float(cell)
            except OverflowError:
                return float("inf") if cell > 0 else float("-inf")
        text = cell.strip()
        if text in self.missing or not text:
            return float("nan")
        if len(text) > LONGEST_NUMBER:
            return None
        text = with_minus(text)
        if _SURE_THOUSANDS.fullmatch(text):
            # Apostrophes and blanks that do not break: nothing but thousands.
            text = text.translate(_SURE_MARKS)
        if self.decimal == ",":
            if "." in text:
                if not _COMMA_THOUSANDS.fullmatch(text):
                    return None
                text = text.replace(".", "")
            text = text.replace(",", ".")
        elif "," in text and _POINT_THOUSANDS.fullmatch(text):
            text = text.replace(",", "")
        # Python reads 1_000 as a number, but in a file that is an identifier.
        if "_" in text:
            return None
        try:
            return float(text)
        except ValueError:
            return None

    def numbers(self, cells: Iterable[Cell]) -> list[float | None]:
        # Where every record has other names, nearly all cells are empty.
        nan, number = float("nan"), self.number
        return [number(cell) if cell != "" else nan for cell in cells]

    def fast(self, cells: list[Cell]) -> FloatArray | None:
        """Convert many cells at once; None if any of them needs a closer look."""
        try:
            joined = _SEPARATOR.join(cells)  # type: ignore[arg-type]
        except TypeError:
            return self._fast_mixed(cells)
        if "_" in joined:
            return None
        texts: Iterable[Cell] = cells
        if self.decimal == ",":
            if "." in joined:
                return None
            # A cell may hold the separator itself.
            if joined.count(_SEPARATOR) != max(len(cells) - 1, 0):
                return None
            texts = joined.replace(",", ".").split(_SEPARATOR)
        try:
            return np.fromiter(map(float, texts), np.float64, len(cells))
        except ValueError:
            return None

    def _fast_mixed(self, cells: list[Cell]) -> FloatArray | None:
        """Convert cells of which some are numbers already, all but the gaps."""
        gaps = str in set(map(type, cells))
        if gaps and any(isinstance(cell, str) and cell != "nan" for cell in cells):
            return None
        each = map(float, cells) if gaps else cells
        try:
            values = np.fromiter(each, np.float64, len(cells))
        except (TypeError, OverflowError):
            return None
        return values + 0.0 if self.floats else values

    def text(self, cell: Cell) -> str | None:
        """Return a cell as text, None if it is missing."""
        if not isinstance(cell, str):
            whole = self.floats and cell == cell // 1 and abs(cell) < EXACT
            if type(cell) is int or whole:
                return str(int(cell))
            number = self.number(cell)
            return None if number is None or number != number else number_text(number)
        text = cell.strip()
        return None if text in self.missing or not text else text


def is_vast(cell: Cell | None) -> bool:
    """Whether a cell is a whole number that float64 cannot tell from its neighbours."""
    if isinstance(cell, str):
        text = with_minus(cell[: 2 * LONGEST_NUMBER].strip())
        digits = text[1:] if text[:1] in ("+", "-") else text
        if not (16 <= len(digits) <= LONGEST_NUMBER and digits.isdecimal()):
            return False
        return int(digits) > EXACT
    return isinstance(cell, int) and abs(cell) > EXACT


def text_column(
    name: str,
    values: NDArray[Any],
    rules: CellRules,
    coded: MetaColumn | None = None,
) -> Column:
    """Return text (n,) of str or None as a column; of numbers, if all of it is numbers.

    Whole numbers that float64 cannot tell apart stay text, with their numbers beside.
    ``coded``: the same text, where it is known.
    """
    # A million labels are often three words: each is looked at once.
    known, missing = different(values, coded), rules.missing
    plain = (w for w in known if not _SURELY_TEXT.search(w) or w.strip() in missing)
    if known and all(rules.number(word) is None for word in plain):
        return Column(name, values, "text", coded=coded)
    parsed = {word: rules.number(word) for word in known}
    words = values.tolist()
    found = [parsed.get(word) for word in words]
    numbers = np.array([np.nan if number is None else number for number in found])
    present = sum(word is not None for word in words)
    good = sum(number is not None for number in found)
    if good == present and not any(map(is_vast, parsed)):
        return Column(name, numbers)
    if good > MOSTLY * present:
        # An id in which a digit more or less is another one is no measurement.
        exact = any(map(is_vast, parsed)) and is_whole(numbers[np.isfinite(numbers)])
        return Column(name, values, "text", numbers, exact=exact)
    return Column(name, values, "text")


def different(values: NDArray[Any], coded: MetaColumn | None = None) -> set[str]:
    """Return the different words of text (n,), which may be known as codes."""
    if coded is None or coded.words is None:
        return set(values.tolist()) - {None}
    return set(coded.words)


def whole_column(name: str, values: NDArray[Any]) -> Column:
    """Return whole numbers (n,) as a column; as text where float64 is too coarse."""
    numbers = values.astype(np.float64)
    if not (np.abs(numbers) >= EXACT).any():
        return Column(name, numbers)
    words = object_array([None if v is None else str(v) for v in values.tolist()])
    return Column(name, words, "text", numbers, exact=True)


def block_columns(names: Sequence[str], block: FloatArray) -> list[Column]:
    """Return the columns of a matrix (n, d) as views of it."""
    d, wide = block.shape[1], len(block) // _ROWS_TOGETHER
    end = wide * _ROWS_TOGETHER
    with np.errstate(over="ignore", invalid="ignore"):
        # One pass over all of it: a sum that is a number has no gap in it.
        ahead = block[:end].reshape(wide, _ROWS_TOGETHER * d).sum(axis=0)
        sums = ahead.reshape(_ROWS_TOGETHER, d).sum(axis=0) + block[end:].sum(axis=0)
        complete = ~np.isnan(sums)
    return [
        Column(name, block[:, j], complete=bool(complete[j]))
        for j, name in enumerate(names)
    ]


class Parsed(NamedTuple):
    """Rows that a reader has taken apart: columns of numbers, and of words."""

    height: int
    numbers: list[FloatArray]
    """Those of every column (height,) that is not among the words, NaN for a gap."""
    words: dict[int, list[Any]]
    """Arrow's arrays of codes and the words that they stand for, `height` in all."""
    turned: frozenset[int] = frozenset()
    """Columns that turned out to hold words, where the rows themselves are missing."""


def coded_column(name: str, parts: list[Any], rules: CellRules) -> Column:
    """Return arrays of codes, of Arrow, as one column of text.

    Each different cell is looked at once.
    """
    import pyarrow as pa  # which takes long to load

    parts = pa.chunked_array(parts).unify_dictionaries().chunks
    codes = np.concatenate([part.indices.to_numpy() for part in parts])
    missing = {"", *rules.missing}
    cells = map(str.strip, parts[0].dictionary.to_pylist())
    texts = ["" if cell in missing else cell for cell in cells]
    words: list[Any] = list(dict.fromkeys(filter(None, texts)))
    if len(words) < len(texts):
        places = dict(zip(words, range(len(words)), strict=True)) | {"": MISSING}
        codes = np.array([places[text] for text in texts])[codes]
    # The last one is what −1 stands for.
    values = object_array([*words, None])[codes]
    return Column(name, values, "text", coded=MetaColumn.of_codes(words, codes))


class Texts:
    """Cells become text, each different one once: a million labels cost little."""

    def __init__(self, rules: CellRules) -> None:
        self._rules = rules
        self._known: dict[Cell | None, str | None] = {None: None}

    def __call__(self, cells: Iterable[Cell | None]) -> list[str | None]:
        """Return the cells as text, None where they are missing."""
        known, texts = self._known, []
        for cell in cells:
            try:
                texts.append(known[cell])
            except KeyError:
                text = None if cell is None else self._rules.text(cell)
                # Past a million different cells there is nothing to gain.
                if len(known) < 1_000_000:
                    known[cell] = text
                texts.append(text)
        return texts


def object_array(values: Sequence[str | None]) -> NDArray[Any]:
    """Return an array of objects, shape (n,); numpy would look into the strings."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def pad(row: Row, width: int) -> Row:
    """Return a row with missing cells up to the width."""
    return [*row, *repeat("", width - len(row))] if len(row) < width else row
