"""How many cells the XML of a sheet asks for, whatever it says of itself."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.table import IntArray

Letters = NDArray[np.uint8]

_MOST_LETTERS, _MOST_DIGITS = 9, 18
"""Of an address that is one."""

_AHEAD = b" " * 32
"""Behind the last letter: more than is looked at from one on."""

_PREFIX = re.compile(rb"<(/?)[^\s<>/:]++:")
_NUMBERS = np.zeros(256, np.int64)
"""1 for A and a, 26 for Z and z, 0 for what is no letter."""
_NUMBERS[ord("A") : ord("Z") + 1] = _NUMBERS[ord("a") : ord("z") + 1] = range(1, 27)
_IN_WORDS = _NUMBERS > 0
_IN_WORDS[[*b"0123456789_"]] = True
_QUOTES = np.zeros(256, dtype=bool)
_QUOTES[[*b"\"'"]] = True


@dataclass
class CellCounts:
    """What was counted in the text of a part so far."""

    tags: int = 0
    rows: int = 0
    last_row: int = 0
    """By the addresses of cells and rows."""
    width: int = 0
    """Cells of the longest row, or the last column by addresses."""
    _open: int = 0
    """Cells behind the last row that began or ended."""

    def add(self, text: bytes) -> None:
        """Count what is in a text of whole tags."""
        if b":c" in text or b":row" in text:
            text = _PREFIX.sub(rb"<\1", text)
        letters = _letters(text)
        starts = np.flatnonzero(letters == ord("<")) + 1
        first = letters[starts]
        is_cell, is_end = first == ord("c"), first == ord("/")
        is_row = np.ones(len(starts), dtype=bool)
        for k, letter in enumerate(b"row"):
            is_row &= letters[starts + is_end + k] == letter
        cells = np.count_nonzero(is_cell)
        counts = np.diff(np.cumsum(is_cell)[is_row], prepend=0, append=cells)
        counts[0] += self._open
        self._open = int(counts[-1])
        last_row, last_column = _last_address(text, letters)
        self.tags += len(starts)
        self.rows += int(np.count_nonzero(is_row & ~is_end))
        self.last_row = max(self.last_row, last_row)
        self.width = max(self.width, int(counts.max()), last_column)


def _letters(text: bytes) -> Letters:
    return np.frombuffer(text + _AHEAD, np.uint8)


def _equals(letters: Letters) -> IntArray:
    return np.flatnonzero(letters == ord("="))


def _last_address(text: bytes, letters: Letters) -> tuple[int, int]:
    """Return the last row and column of addresses: of r="AB12", they are 12 and 28."""
    equals = _equals(letters)
    if (np.minimum(letters[equals - 1], letters[equals + 1]) <= ord(" ")).any():
        text = b" ".join(text.split()).replace(b" =", b"=").replace(b"= ", b"=")
        letters = _letters(text)
        equals = _equals(letters)
    named = (letters[equals - 1] == ord("r")) & ~_IN_WORDS[letters[equals - 2]]
    places = equals[named & _QUOTES[letters[equals + 1]]] + 2
    row, column = np.zeros((2, len(places)), np.int64)
    for _ in range(_MOST_LETTERS):
        numbers = _NUMBERS[letters[places]]
        if not numbers.any():
            break
        column = np.where(numbers > 0, 26 * column + numbers, column)
        places = places + (numbers > 0)
    first = places
    for _ in range(_MOST_DIGITS):
        digits = letters[places] - np.uint8(ord("0"))
        if not (digits < 10).any():
            break
        row = np.where(digits < 10, 10 * row + digits, row)
        places = places + (digits < 10)
    found = (places > first) & _QUOTES[letters[places]]
    return int(row[found].max(initial=0)), int(column[found].max(initial=0))
