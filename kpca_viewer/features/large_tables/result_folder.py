"""The folder of results: its lock, its journal, and the scores of every part in it."""

import contextlib
import hashlib
import json
import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
import numpy as np

import kpca_viewer
from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.solvers.blocks import Block
from kpca_viewer.data.parts.blocks import PartBlock
from kpca_viewer.data.parts.pieces import Piece
from kpca_viewer.export.result_tables import ExportTable, distinct
from kpca_viewer.export.table_files import parquet_bytes
from kpca_viewer.features.large_tables import text
from kpca_viewer.support import paths
from kpca_viewer.support.atomic import (
    TEMPORARY,
    append_line,
    has_ended,
    whole_lines,
    write_atomically,
)
from kpca_viewer.support.errors import DataError, ExportError

LONGEST = 200
"""Bytes of the name of a part in that of its scores; file systems have 255 in all."""


def part_name(piece: Piece) -> str:
    """Return what the scores of a piece are called: "part-00017-measured.parquet"."""
    cut = f"-{piece.cut:05}" if piece.cut else ""
    # Cut in bytes, as file systems count; half a letter is dropped.
    stem = os.fsencode(piece.path.stem)[:LONGEST].decode(errors="ignore")
    return f"part-{piece.number:05}-{stem}{cut}.parquet"


@dataclass(frozen=True)
class WrittenPart:
    """What there is to say of a part that was written."""

    rows: int
    left_out: int
    """Rows with gaps."""
    size: int
    """Bytes of the file."""
    digest: str
    """SHA-256 of them."""


@dataclass(frozen=True, eq=False)
class ScoreWriter:
    """The work on one block: its scores, in a file of a folder."""

    model: KernelPCA
    folder: Path

    def __call__(self, block: Block, _number: int) -> WrittenPart:
        """Write the scores of a block."""
        assert isinstance(block, PartBlock)
        rows = block.rows()
        k = int(self.model.n_components_)
        scores = np.empty((0, k))
        if len(rows.points):
            scores = self.model.transform(rows.points).astype(np.float64)
        columns_of = rows.described
        names = rows.numbers if columns_of.names is None else columns_of.names
        columns: list[tuple[str, Any]] = [("row", names)]
        if columns_of.labels is not None:
            columns.append(("label", columns_of.labels))
        columns += columns_of.columns
        columns += [(f"PC{j + 1}", scores[:, j]) for j in range(k)]
        content = parquet_bytes(ExportTable("scores", distinct(columns), {}))
        write_atomically(self.folder / part_name(block.piece), content)
        digest = hashlib.sha256(content).hexdigest()
        return WrittenPart(len(scores), rows.left_out, len(content), digest)


LOCK = ".running"
"""The file that says who writes into the folder now."""


@contextlib.contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder, which is made if it is not there."""
    lock = folder / LOCK
    with paths.new_folder(folder):
        try:
            _make(lock)
        except OSError as error:
            raise ExportError(
                text.UNUSABLE.format(folder=folder, reason=error.strerror)
            ) from error
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                lock.unlink()


def _make(lock: Path) -> None:
    if (other := _owner(lock)) is not None:
        if not _is_gone(other):
            raise ExportError(_sentence(lock, other))
        _take_away(lock, other)
    try:
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        raise ExportError(_sentence(lock, _owner(lock) or {})) from None
    with open(handle, "w", encoding="utf-8") as file:
        json.dump({"process": os.getpid(), "host": socket.gethostname()}, file)


def _take_away(lock: Path, owner: dict[str, Any]) -> None:
    """Remove the lock of a process that is gone, and of no other one."""
    aside = lock.with_name(f"{LOCK}-{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        lock.rename(aside)
        if _owner(aside) == owner:
            aside.unlink()
        else:
            # Another process was faster, and has taken it over already.
            aside.rename(lock)


def _owner(lock: Path) -> dict[str, Any] | None:
    """Return who holds a lock, as far as it says so; None without a lock."""
    try:
        found = json.loads(lock.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_gone(owner: dict[str, Any]) -> bool:
    """Whether a process of this machine has ended without a word."""
    process = owner.get("process")
    if owner.get("host") != socket.gethostname() or not isinstance(process, int):
        return False
    # Numbers come again: this process holds none yet.
    return process == os.getpid() or has_ended(process)


def _sentence(lock: Path, owner: dict[str, Any]) -> str:
    return text.LOCKED.format(
        lock=lock, process=owner.get("process", "?"), host=owner.get("host", "?")
    )


JOURNAL = "journal.jsonl"
MODEL = "model.npz"
SUMMARY = "summary.json"

Facts = dict[str, Any]

TOLD = {"rows", "features", "scaling", "rank", "passes", "bytes_moved", "seconds"}
"""Facts without which a model, or a summary, has nothing to say."""


class ResultFolder:
    """Results of one table in parts.

    Its journal says for what they were computed, which model they belong to, and which
    parts are finished. Another run of the same goes on with it; one of other options or
    parts is refused, or replaced by force.
    """

    def __init__(
        self, path: Path, pieces: Sequence[Piece], options: Facts, *, force: bool
    ) -> None:
        self.path = path
        self._pieces = pieces
        self._identity = {
            "version": kpca_viewer.__version__,
            "options": json.loads(json.dumps(options, default=str)),
            "parts": [_known(piece) for piece in pieces],
        }
        if any(piece.path.parent == paths.real(path) for piece in pieces):
            raise DataError(text.IS_INPUT.format(folder=path))
        self._lines: list[Any] = []
        self._before: list[Any] = []
        with _system_errors(path):
            # What is no fact was never written by us.
            lines = [line for line in whole_lines(self._journal) if _is_facts(line)]
            if lines and lines[0] == self._identity:
                self._lines = lines
            elif paths.is_dir(path) and any(
                found.name != LOCK for found in path.iterdir()
            ):
                self._refuse_if_used(lines, force)
                self._before = lines

    @property
    def model(self) -> Path:
        return self.path / MODEL

    @property
    def fitted(self) -> Facts | None:
        """What is known of the model that is there; None if there is none."""
        for line in self._lines[1:]:
            if "model" in line and self._has_model(line["model"]):
                facts = line.get("facts")
                return (
                    dict(facts) if _is_facts(facts) and facts.keys() >= TOLD else None
                )
        return None

    def finished(self) -> dict[str, WrittenPart]:
        """Return the parts that belong to the model and are there, by their names."""
        found: dict[str, WrittenPart] = {}
        if self.fitted is None:
            return found
        wanted = {part_name(piece) for piece in self._pieces}
        for line in self._lines[1:]:
            name, part = str(line.get("name")), _written(line)
            if name in wanted and part is not None and self._has(name, part):
                found[name] = part
        return found

    def begin(self) -> None:
        """Make the folder ready for a model, and remove what belongs to another."""
        with _system_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            for line in self._before:
                if name := Path(str(line.get("name", ""))).name:
                    (self.path / name).unlink(missing_ok=True)
            for name in (SUMMARY, MODEL, JOURNAL):
                (self.path / name).unlink(missing_ok=True)
            self._lines, self._before = [], []
            self._add(self._identity)

    def keep_fitted(self, facts: Facts) -> None:
        with _system_errors(self.path):
            self._add({"model": _file_hash(self.model), "facts": facts})

    def keep_part(self, piece: Piece, part: WrittenPart) -> None:
        with _system_errors(self.path):
            self._add({"name": part_name(piece), **asdict(part)})

    def require_room(self, rows: int, columns: int) -> None:
        """Refuse what would not fit onto the disk, before it is computed."""
        needed, there = 8 * rows * columns, paths.real(self.path)
        while not paths.exists(there):
            there = there.parent
        free = shutil.disk_usage(there).free
        if needed > free:
            raise ExportError(text.no_room(self.path, needed, free))

    def finish(self, summary: Facts) -> None:
        """Write the summary: it is there when all else is."""
        content = json.dumps(summary, ensure_ascii=False, indent=1) + "\n"
        write_atomically(self.path / SUMMARY, content.encode())

    def summary(self) -> Facts | None:
        """Return the summary of a run that has come to its end."""
        try:
            found = json.loads((self.path / SUMMARY).read_bytes())
        except (OSError, ValueError):
            return None
        needed = TOLD | {"left_out", "blocks"}
        return found if _is_facts(found) and found.keys() >= needed else None

    def clear_unfinished(self) -> None:
        """Remove what workers that were stopped had begun to write."""
        for path in self.path.glob(f".part-*{TEMPORARY}"):
            with contextlib.suppress(OSError):
                path.unlink()

    @property
    def _journal(self) -> Path:
        return self.path / JOURNAL

    def _add(self, line: Facts) -> None:
        append_line(self._journal, line)
        self._lines.append(line)

    def _refuse_if_used(self, lines: list[Any], force: bool) -> None:
        if not lines:
            raise ExportError(text.OTHER_FILES.format(folder=self.path))
        if not force:
            difference = self._difference(lines[0])
            raise ExportError(
                text.HOLDS_RESULTS.format(folder=self.path, difference=difference)
            )

    def _difference(self, before: Any) -> str:
        """Say by what the results that are there differ from those of this run."""
        try:
            if before["version"] != self._identity["version"]:
                return f"version {before['version']}"
            now = self._identity["options"]
            options = text.other_options(before["options"], now)
            return options or self._other_parts(before["parts"])
        except (KeyError, TypeError, ValueError, AttributeError):
            return text.OTHER_RESULTS

    def _other_parts(self, before: list[list[Any]]) -> str:
        known = {(path, start): (size, at) for path, size, at, start in before}
        for piece in self._pieces:
            path, size, at, start = _known(piece)
            if (path, start) not in known:
                return f"other parts: {piece.title} was not among them"
            if known.pop((path, start)) != (size, at):
                return f"other parts: {piece.title} was written again since"
        gone = next((Path(path).name for path, _ in known), "")
        return f"other parts: {gone} was among them" if gone else "other parts"

    def _has(self, name: str, part: WrittenPart) -> bool:
        path = self.path / name
        try:
            return path.stat().st_size == part.size and _file_hash(path) == part.digest
        except OSError:
            return False

    def _has_model(self, digest: str) -> bool:
        return paths.is_file(self.model) and _file_hash(self.model) == digest


@contextlib.contextmanager
def _system_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ExportError(
            text.UNUSABLE.format(folder=path, reason=error.strerror)
        ) from error


def _is_facts(value: Any) -> TypeGuard[Facts]:
    return isinstance(value, dict)


def _written(line: Facts) -> WrittenPart | None:
    """Return what a line says of a part; None if it says something else."""
    try:
        return msgspec.convert(line, WrittenPart)
    except msgspec.ValidationError:
        return None


def _known(piece: Piece) -> list[Any]:
    """Return by what a piece is known again, as JSON has it."""
    return [str(piece.path), piece.size, piece.modified, piece.start]


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
