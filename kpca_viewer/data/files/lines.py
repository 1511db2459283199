"""Lines of a text file, numbered for messages, and the quick way for plain numbers."""

from collections import deque
from collections.abc import Iterator
from typing import TextIO

import numpy as np

from kpca_viewer.data.files.cells import EXACT
from kpca_viewer.data.files.dialect import is_blank, is_comment
from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.table import FloatArray
from kpca_viewer.support.errors import DataError

MAX_LINE = 64 << 20
"""Characters of the longest line that can still be a row of a table."""

_TRIES = 3
"""So many batches may fail before the quick way is given up for a file."""


class Lines:
    """The lines of data of a stream; some can be handed back and read again.

    Attributes
    ----------
    number : int
        Of the last line in the file, from 1.
    skipped : int
        Comment lines that were passed.
    """

    def __init__(
        self,
        reading: Reading,
        stream: TextIO,
        *,
        comments: bool = False,
        above: int = 0,
    ) -> None:
        self._reading = reading
        self._stream = stream
        self._comments = comments
        self._above = above
        self._back: deque[tuple[int, str]] = deque()
        self._read = 0
        self.number = 0
        self.skipped = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._back:
            self.number, line = self._back.popleft()
            return line
        while line := self._stream.readline(MAX_LINE):
            self._read += 1
            self._reading.tick()
            self._check(line)
            if self._read <= self._above:
                continue
            if self._comments and is_comment(line):
                self.skipped += 1
                continue
            self.number = self._read
            return line
        raise StopIteration

    def take(self, count: int) -> list[tuple[int, str]]:
        """Return the next lines with their numbers, fewer at the end."""
        taken = []
        for line in self:
            taken.append((self.number, line))
            if len(taken) == count:
                break
        return taken

    def give_back(self, taken: list[tuple[int, str]]) -> None:
        """Put lines back that the next reader shall see first."""
        self._back.extendleft(reversed(taken))

    def _check(self, line: str) -> None:
        title, number = self._reading.title, self._read
        if "\0" in line:
            raise DataError(
                f"{title} is not a text table: line {number:,} holds binary data; "
                "open it with the program that wrote it and export it as CSV."
            )
        if len(line) >= MAX_LINE:
            raise DataError(
                f"Line {number:,} of {title} is longer than any row of a table; write "
                "one row per sample, each on its own line."
            )


class QuickNumbers:
    """Batches of lines that hold nothing but numbers, read by numpy in one go.

    Twice as fast as cell by cell. Whatever is unusual in a batch (a quotation mark, a
    missing value, a wrong number of cells) is left to the careful way, which also
    knows how to name it.
    """

    def __init__(self, delimiter: str, width: int) -> None:
        self._delimiter = None if delimiter == " " else delimiter
        self._width = width
        self._failures = 0

    def read(self, lines: Lines, count: int) -> FloatArray | None:
        """Return the next lines as numbers (m, width); None leaves them unread."""
        if self._failures >= _TRIES:
            return None
        taken = lines.take(count)
        texts = [line for _, line in taken if not is_blank(line, self._delimiter)]
        if texts:
            try:
                values = np.loadtxt(
                    texts, delimiter=self._delimiter, comments=None, ndmin=2
                )
            except (ValueError, OverflowError):
                pass
            else:
                # Whole numbers beyond that are told apart only as they are written.
                vast = (np.abs(values) >= EXACT).any()
                if values.shape == (len(texts), self._width) and not vast:
                    return values
            self._failures += 1
        lines.give_back(taken)
        return None
