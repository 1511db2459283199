"""Large text tables of numbers and words, read by pyarrow on all cores.

Five to twenty times as fast as line by line, and only for what pyarrow and our reader
provably understand alike: one delimiter, decimal points, no quotation marks, the same
number of cells in every line. Whatever else turns up raises `NotPlainError`, and the
file is read again by the reader that knows how to name it.
"""

from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from os import SEEK_CUR
from typing import Any, BinaryIO

import numpy as np

from kpca_viewer.data.files.cells import EXACT, CellRules, Parsed
from kpca_viewer.data.files.dialect import Dialect, is_blank, split
from kpca_viewer.data.files.options import NA_VALUES
from kpca_viewer.data.files.source import Reading, open_binary
from kpca_viewer.data.table import FloatArray
from kpca_viewer.support.threads import cores

LEAST = 8 << 20
"""Bytes of a file; a smaller one is read before pyarrow is loaded."""

MOST_COLUMNS = 2000
"""With more of them a piece holds too few lines."""

PIECE = 8 << 20
"""Bytes that one thread reads at a time: some thirty milliseconds."""

Parse = Callable[[bytes], Parsed]


class NotPlainError(Exception):
    """The file holds something that our own reader has to look at."""


def may_be_plain(
    reading: Reading, dialect: Dialect, encoding: str, length: int
) -> bool:
    """Whether all that is known of a file speaks for plain numbers."""
    options = reading.options
    return (
        length >= LEAST
        and encoding in ("utf-8", "utf-8-sig")
        and 2 <= dialect.width <= MOST_COLUMNS
        and dialect.decimal == "."
        and dialect.delimiter != " "
        and dialect.delimiter.isascii()
        and not dialect.comments
        and not options.decimals
        and options.max_rows is None
        and options.sample is None
        and options.na_values == NA_VALUES
    )


class PlainRows:
    """The rows below the header, and which columns hold words.

    Parameters
    ----------
    first : list of str
        Lines from the header on; a column that is one of numbers there may still turn.
    """

    def __init__(
        self, reading: Reading, dialect: Dialect, rules: CellRules, first: list[str]
    ) -> None:
        self._reading, self._dialect, self._rules = reading, dialect, rules
        rows = list(split(first, dialect.delimiter))[dialect.header_lines :]
        self._words = {
            j
            for row in rows
            for j, cell in enumerate(row[: dialect.width])
            if rules.number(cell) is None
        }
        self._proven: set[int] = set()

    def batches(self, _only_numbers: object) -> Iterator[Parsed]:
        """Return the rows in their order, up to the first with a new column of words.

        Raises
        ------
        NotPlainError
            Wherever something else than plain numbers and words turns up.
        """
        parse = _parser(self._dialect, frozenset(self._words))
        workers = min(4, cores())
        with (
            open_binary(self._reading.path) as file,
            ThreadPoolExecutor(workers) as pool,
        ):
            _pass_header(file, self._dialect)
            pieces = _pieces(file)
            waiting: deque[Future[Parsed]] = deque()
            try:
                while True:
                    free = 2 * workers - len(waiting)
                    waiting.extend(pool.submit(parse, p) for p in islice(pieces, free))
                    if not waiting:
                        break
                    rows = waiting.popleft().result()
                    yield rows
                    if rows.turned:
                        self._words |= rows.turned
                        return
                    self._look_for_words(rows)
                    self._reading.step(file.tell() / self._reading.size)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        if self._proven != self._words:
            # Numbers, but written in a way that only our own reader knows.
            raise NotPlainError

    def _look_for_words(self, rows: Parsed) -> None:
        for j in rows.words.keys() - self._proven:
            words = chain.from_iterable(part.dictionary for part in rows.words[j])
            if any(self._rules.number(word.as_py()) is None for word in words):
                self._proven.add(j)


def _pass_header(file: BinaryIO, dialect: Dialect) -> None:
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
    lines, left = dialect.skip, dialect.header_lines
    while lines or left:
        line = file.readline(PIECE)
        whole = line.endswith(b"\n") and b"\r" not in line.removesuffix(b"\r\n")
        # A name may hold a line break inside of quotation marks.
        if not whole or line.count(b'"') % 2:
            raise NotPlainError
        if lines:
            lines -= 1
        else:
            left -= not is_blank(line.decode("utf-8", "replace"), dialect.delimiter)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    """Return the rest of a file in pieces of whole lines."""
    while block := file.read(PIECE):
        # The last line may have no end.
        end = block.rfind(b"\n") + 1 if len(block) == PIECE else len(block)
        if not end:
            raise NotPlainError
        file.seek(end - len(block), SEEK_CUR)
        yield block[:end]


def _parser(dialect: Dialect, words: frozenset[int]) -> Parse:
    """Return what turns lines into numbers and words, for several threads at once."""
    import pyarrow as pa  # which takes long to load
    import pyarrow.csv as pc

    names = [f"x{j}" for j in range(dialect.width)]
    numeric = [j for j in range(dialect.width) if j not in words]
    reads = pc.ReadOptions(use_threads=False, block_size=2 * PIECE, column_names=names)
    parses = pc.ParseOptions(
        delimiter=dialect.delimiter, quote_char=False, double_quote=False
    )
    # Beside a gap our reader looks at points that may divide thousands.
    gaps = [] if dialect.evidence.watches_points else list(NA_VALUES)
    coded = pa.dictionary(pa.int32(), pa.string())
    types = dict.fromkeys(names, pa.float64()) | {names[j]: coded for j in words}
    converts = partial(pc.ConvertOptions, column_types=types, null_values=gaps)

    def parse(piece: bytes) -> Parsed:
        if b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n"):
            raise NotPlainError
        if words and b'"' in piece:
            raise NotPlainError
        if piece.isspace():
            if piece.strip(b"\r\n"):
                raise NotPlainError
            piece = b""
        if not piece:
            none = [np.empty(0)] * len(numeric)
            return Parsed(0, none, {j: [] for j in words})
        read = partial(pc.read_csv, read_options=reads, parse_options=parses)
        try:
            table = read(pa.BufferReader(piece), convert_options=converts())
        except pa.ArrowInvalid:
            if b'"' in piece:
                raise NotPlainError from None
            return Parsed(0, [], {}, turned(piece, read))
        numbers = [_exact_numbers(table.column(j)) for j in numeric]
        parts = {j: table.column(j).chunks for j in sorted(words)}
        return Parsed(table.num_rows, numbers, parts)

    def turned(piece: bytes, read: Callable[..., Any]) -> frozenset[int]:
        """Return the columns of numbers that hold something else."""
        found = set()
        for j in numeric:
            try:
                one = converts(include_columns=[names[j]])
                read(pa.BufferReader(piece), convert_options=one)
            except pa.ArrowInvalid:
                found.add(j)
        # Lines of different lengths are found in every column.
        if len(found) == len(numeric):
            raise NotPlainError
        return frozenset(found)

    return parse


def _exact_numbers(column: Any) -> FloatArray:
    """Return numbers (n,), unless float64 may not tell them apart."""
    values: FloatArray = column.to_numpy()
    sizes = np.abs(values)
    if not sizes.max(initial=0.0) < EXACT:
        # Gaps are NaN as well; what is written must be a number.
        missing = np.count_nonzero(np.isnan(sizes))
        if missing != column.null_count or np.nanmax(sizes, initial=0.0) >= EXACT:
            raise NotPlainError
    return values
