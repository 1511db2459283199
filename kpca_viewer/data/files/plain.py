"""Large text tables that hold nothing but numbers, read by pyarrow on all cores.

Five times as fast as line by line, and only for what pyarrow and our reader provably
understand alike: one delimiter, decimal points, no quotation marks, the same number of
cells in every line. Whatever else turns up raises `NotPlainError`, and the file is read
again by the reader that knows how to name it.
"""

from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from os import cpu_count
from typing import Any, BinaryIO

import numpy as np

from kpca_viewer.data.files.cells import EXACT
from kpca_viewer.data.files.dialect import Dialect, is_blank
from kpca_viewer.data.files.options import NA_VALUES
from kpca_viewer.data.files.source import Reading, open_binary
from kpca_viewer.data.table import FloatArray

LEAST = 8 << 20
"""Bytes of a file; a smaller one is read before pyarrow is loaded."""

MOST_COLUMNS = 2000
"""With more of them a piece holds too few lines."""

PIECE = 4 << 20
"""Bytes that one thread reads at a time: some twenty milliseconds."""

Parse = Callable[[bytes], FloatArray]


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


def plain_batches(reading: Reading, dialect: Dialect) -> Iterator[Any]:
    """Yield the rows below the header as (m, width), or raise `NotPlainError`."""
    parse = _parser(dialect)
    workers = min(4, cpu_count() or 1)
    with open_binary(reading.path) as file, ThreadPoolExecutor(workers) as pool:
        _pass_header(file, dialect)
        pieces = _pieces(file)
        waiting: deque[Future[FloatArray]] = deque()
        try:
            while True:
                free = 2 * workers - len(waiting)
                waiting.extend(pool.submit(parse, p) for p in islice(pieces, free))
                if not waiting:
                    break
                yield waiting.popleft().result()
                reading.step(file.tell() / reading.size)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


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
    rest = b""
    while block := file.read(PIECE):
        end = block.rfind(b"\n") + 1
        if not end:
            raise NotPlainError
        yield rest + block[:end]
        rest = block[end:]
    if rest:
        yield rest


def _parser(dialect: Dialect) -> Parse:
    """Return what turns lines into a matrix, for several threads at once."""
    import pyarrow as pa  # which takes long to load
    import pyarrow.csv as pc

    names = [f"x{j}" for j in range(dialect.width)]
    reads = pc.ReadOptions(use_threads=False, block_size=2 * PIECE, column_names=names)
    parses = pc.ParseOptions(
        delimiter=dialect.delimiter, quote_char=False, double_quote=False
    )
    # Beside a gap our reader looks at points that may divide thousands.
    gaps = [] if dialect.evidence.watches_points else list(NA_VALUES)
    converts = pc.ConvertOptions(
        column_types=dict.fromkeys(names, pa.float64()), null_values=gaps
    )

    def parse(piece: bytes) -> FloatArray:
        if b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n"):
            raise NotPlainError
        if piece.isspace():
            if piece.strip(b"\r\n"):
                raise NotPlainError
            return np.empty((0, len(names)))
        try:
            table = pc.read_csv(pa.BufferReader(piece), reads, parses, converts)
        except pa.ArrowInvalid:
            raise NotPlainError from None
        matrix = np.empty((table.num_rows, len(names)))
        for j, column in enumerate(table.columns):
            matrix[:, j] = column.to_numpy()
        _check_exact(matrix, table)
        return matrix

    return parse


def _check_exact(matrix: FloatArray, table: Any) -> None:
    """Refuse numbers that are not finite or beyond what float64 tells apart."""
    if np.abs(matrix).max(initial=0.0) < EXACT:
        return
    # Gaps are NaN as well; what is written must be a number.
    for column in table.columns:
        present = column.drop_null().to_numpy()
        if not np.abs(present).max(initial=0.0) < EXACT:
            raise NotPlainError
