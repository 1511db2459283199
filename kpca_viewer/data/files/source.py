"""The file itself: may it be read, is it still the same, and what went wrong."""

import errno
import hashlib
import os
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import numpy as np

from kpca_viewer.data.files.cells import CellRules
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.table import IntArray, Question, Top
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError, KpcaError, TooLargeError
from kpca_viewer.support.numerals import byte_size
from kpca_viewer.support.progress import Progress, ShouldStop, check, never, silent

_HASH_BLOCK = 1 << 20

TICK = 0.05
"""Seconds between two looks whether to go on."""

HARMLESS = 64 << 20
"""Bytes of memory that any file may take."""

LARGEST_RATIO = 500
"""Beyond `HARMLESS`, no table takes so many times the bytes of its file; traps do."""

MAX_COLUMNS = 1_000_000
MAX_LINE = 64 << 20
"""Bytes or characters of the longest line that can still be a row of a table."""

COLUMN_BYTES = 600
"""What a column costs beside its values."""

_PSEUDO = ("/proc/", "/sys/")
"""Where files are windows into the system: their sizes lie, and some never end."""


@dataclass(frozen=True)
class Fingerprint:
    """Enough of a file's state to notice that it was written to."""

    size: int
    modified: int
    inode: int


def fingerprint(path: Path) -> Fingerprint:
    """Look at a file without opening it; only a regular file will do.

    Opening a pipe would wait for ever, and a device can deliver without end.
    """
    state = os.stat(path)
    if stat.S_ISDIR(state.st_mode):
        raise DataError(f"“{path.name}” is a folder; choose a file inside it.")
    if not stat.S_ISREG(state.st_mode):
        raise DataError(
            f"“{path.name}” is a device or a pipe, not a file; "
            "save its data to a file first."
        )
    if os.path.realpath(path).startswith(_PSEUDO):
        raise DataError(
            f"“{path.name}” is part of the system, not a file with data; choose "
            "another file."
        )
    return Fingerprint(state.st_size, state.st_mtime_ns, state.st_ino)


@dataclass
class Reading:
    """One file on its way in: what every reader needs to know and may say."""

    path: Path
    options: ReadOptions = field(default_factory=ReadOptions)
    should_stop: ShouldStop = never
    progress: Progress = silent
    origin: Path | None = None
    """The file around this one, where it was unpacked."""
    before: Fingerprint | None = None
    """The file's state when reading began."""
    head: bytes = field(default=b"", repr=False)
    """The first bytes of the file."""
    notes: list[str] = field(default_factory=list)
    """What the reader found out, for the person."""
    parts: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    """Sheets or arrays that the file offers, and those that were read."""
    format: str = ""
    """Title of the format, where it is known better than by its ending."""
    described: tuple[str, ...] = ()
    """Columns that describe rows, by what the file itself says."""
    row_numbers: IntArray | None = None
    """The rows' numbers in the file, where only some were read."""
    groups: tuple[int, ...] | None = None
    """Row groups of a Parquet file that are wanted; None for all."""
    span: tuple[int, int] | None = None
    """Rows of an array that are wanted, from and below; None for all."""
    rows: IntArray | None = None
    """Those of the groups or the span that are wanted, ascending from 0; None for
    all."""
    columns: tuple[str, ...] | None = None
    """Columns of a Parquet file that are wanted, if they are there; None for all."""
    total: int | None = None
    """Rows of the file, where only the first were read."""
    estimated: bool = False
    """Whether `total` was inferred from the size of the file."""
    rules: CellRules = CellRules()  # noqa: RUF009 — frozen, so it can be shared
    """How its cells are understood."""
    top: Top | None = None
    """What stands above the rows, where the format does not say so itself."""
    questions: list[Question] = field(default_factory=list)
    """Columns that were read in one of two ways."""
    _due: float = field(default=0.0, repr=False)

    @property
    def title(self) -> str:
        """The file's name as messages show it."""
        return f"“{self.path.name}”"

    @property
    def named(self) -> Path:
        """The file that a person has named."""
        return self.origin or self.path

    @property
    def size(self) -> int:
        """Bytes of the file when reading began; 1 for what is empty, or no file."""
        return 1 if self.before is None else max(self.before.size, 1)

    def step(self, fraction: float | None, stage: str = "reading") -> None:
        """Report progress; stop here if it is not wanted or the file has changed.

        A file that grows faster than it is read would never end.
        """
        check(self.should_stop)
        self.check_unchanged()
        self.progress(stage, None if fraction is None else min(max(fraction, 0.0), 1.0))

    def tick(self, fraction: float | None = None) -> None:
        """Do what `step` does, now and then: cheap enough for every line of a file."""
        now = monotonic()
        if now >= self._due:
            self._due = now + TICK
            check(self.should_stop)
            self.check_unchanged()
            if fraction is not None:
                self.progress("reading", min(max(fraction, 0.0), 1.0))

    def check_unchanged(self) -> None:
        """Raise a `DataError` if the file is not what it was."""
        if self.before is None:
            return
        try:
            now = fingerprint(self.path)
        except (OSError, DataError) as error:
            raise DataError(
                f"{self.title} vanished while it was read; put it back and open it "
                "again."
            ) from error
        if now != self.before:
            raise DataError(
                f"{self.title} changed while it was read; open it again when the "
                "other program is done."
            )

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def set_top(self, skip: int, header: bool, title: str, reason: str) -> None:
        """Remember what stands above the rows, and say what was decided about it."""
        if title:
            lines = "1 line" if skip == 1 else f"{skip:,} lines"
            shown = title if len(title) <= 40 else f"{title[:39]}…"
            title = f"{lines} above the table skipped (“{shown}”)"
        for text in filter(None, (title, reason)):
            self.note(text)
        self.top = Top(skip, header, title, reason)

    def require_table(self, rows: int, width: int, alternative: str) -> None:
        """Refuse a table that would not fit into memory."""
        self.require(width * (8 * rows + COLUMN_BYTES), alternative)

    def require_width(
        self, width: int, alternative: str = "write it with one row per sample"
    ) -> None:
        """Refuse more columns than any table has."""
        if width > MAX_COLUMNS:
            raise DataError(
                f"{self.title} has {width:,} columns, more than {MAX_COLUMNS:,}; "
                f"{alternative}."
            )

    def require(self, size: int, alternative: str) -> None:
        """Refuse so many bytes before they are read, if there is no room for them."""
        file = None if self.before is None else self.before.size
        if file is not None and size > max(HARMLESS, LARGEST_RATIO * file):
            raise DataError(
                f"{self.title} of {byte_size(file)} would take "
                f"{byte_size(size)} of memory, which no table does; "
                f"{alternative}."
            )
        try:
            memory.require(size, f"{self.title} in memory", alternative)
        except TooLargeError as error:
            raise DataError(str(error)) from None

    def chosen_rows(self, total: int) -> IntArray | None:
        """Return the rows to keep of a known number, or None for all of them."""
        if self.rows is not None:
            self.row_numbers = self.rows + 1
            return self.rows
        count = total
        if self.total is None:
            self.total = total
        if self.options.max_rows is not None:
            count = min(count, max(self.options.max_rows, 1))
        sample = self.options.sample
        if sample is not None and max(sample, 1) < count:
            random = np.random.default_rng(self.options.seed)
            rows = np.sort(random.choice(count, max(sample, 1), replace=False))
            self.note(sample_note(len(rows), count))
        elif count < total:
            rows = np.arange(count)
            self.note(f"first {count:,} of {total:,} rows")
        else:
            return None
        self.row_numbers = rows.astype(np.int64) + 1
        return rows.astype(np.int64)


def sample_note(kept: int, total: int) -> str:
    return f"random sample of {kept:,} of {total:,} rows"


def open_binary(path: Path) -> BinaryIO:
    """Open a file; the one place where readers of our own do so."""
    return open(path, "rb")


def numbered_lines(reading: Reading, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Return the lines of a file with their numbers from 1, reporting progress."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        reading.tick(file.tell() / reading.size)
        yield number, line


def content_hash(reading: Reading) -> str:
    digest = hashlib.sha256()
    done = 0
    with open_binary(reading.path) as file:
        while block := file.read(_HASH_BLOCK):
            digest.update(block)
            done += len(block)
            reading.step(done / reading.size, "checking the file")
            if done > reading.size:
                raise DataError(
                    f"{reading.title} holds more than its size says; open it when the "
                    "other program is done."
                )
    return digest.hexdigest()


@contextmanager
def system_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about a file into a sentence."""
    name = f"“{path.name or path}”"
    try:
        yield
    except KpcaError:
        raise
    except FileNotFoundError as error:
        raise DataError(
            f"{name} does not exist; check the name and the folder."
        ) from error
    except PermissionError as error:
        raise DataError(
            f"{name} may not be read; change its permissions or copy it to a folder "
            "of your own."
        ) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise DataError(
                f"{name} is a link that leads back to itself; open the file that it "
                "should point to."
            ) from error
        reason = error.strerror or type(error).__name__
        raise DataError(
            f"{name} could not be read ({reason}); copy it to this computer and open "
            "the copy."
        ) from error
    except MemoryError as error:
        raise DataError(
            f"{name} does not fit into memory; read a sample of its rows."
        ) from error


@contextmanager
def foreign(reading: Reading, what: str, remedy: str) -> Iterator[None]:
    """Guard a reader from a library: damaged files raise nearly anything there.

    Its warnings are silenced, because they speak of internals; what matters to a
    person is in the notes.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (KpcaError, MemoryError, PermissionError, FileNotFoundError):
        raise
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of Rust is no Exception
        reading.check_unchanged()
        raise DataError(
            f"{reading.title} is damaged, cut short or no {what} at all; {remedy}."
        ) from error
