"""Any source read as a table, and tables whose cells are read again when needed."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from glob import has_magic
from pathlib import Path
from threading import Lock

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.table import Table
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


def located(path: Path, options: ReadOptions) -> tuple[Path, ReadOptions]:
    """Return where a table is, and how it is read; a pattern has parts in a folder.

    A folder of pictures is a table as a whole, as is one of a matrix with its names.
    """
    if options.parts is not None or paths.is_file(path):
        return path, options
    if paths.is_dir(path):
        # Imported here: the readers take a while to load.
        from kpca_viewer.data.files.image_folder import is_image_folder
        from kpca_viewer.data.files.sparse_text import matrix_in

        if (matrix := matrix_in(path)) is not None:
            return matrix, options
        is_one = is_image_folder(path)
        return path, options if is_one else replace(options, parts=())
    if not has_magic(str(path)):
        return path, options
    folder = path
    while has_magic(str(folder)):
        folder = folder.parent
    return folder, replace(options, parts=(path.relative_to(folder).as_posix(),))


def planned(path: Path, options: ReadOptions) -> tuple[Path, ReadOptions]:
    """Return what `located` does; a file beyond memory is looked into, and sampled."""
    path, options = located(path, options)
    if options.parts is None:
        from kpca_viewer.data.parts.pieces import is_beyond_memory

        if is_beyond_memory(path):
            options = replace(options, parts=())
    return path, options


def of_several(paths: Sequence[Path]) -> tuple[Path, ReadOptions]:
    """Return where several files of one table are, and how they are read."""
    places = [os.path.abspath(path) for path in paths]
    folder = os.path.commonpath(os.path.dirname(place) for place in places)
    parts = tuple(Path(os.path.relpath(p, folder)).as_posix() for p in places)
    return Path(folder), ReadOptions(parts=parts)


def like_first(options: ReadOptions, first: Table) -> ReadOptions:
    """Return how all parts are read: numbers that are names in one are so in all."""
    if options.header is None and first.top is not None and first.top.reason:
        return replace(options, header=first.top.header)
    return options


def read_like(table: Table) -> ReadOptions:
    """Return how a file with the same columns is read as a table was."""
    given = table.options or ReadOptions()
    # Another file may have another title, or none.
    titled = table.top is not None and bool(table.top.title)
    return ReadOptions(
        decimal=given.decimal,
        header=given.header,
        skip=None if titled else given.skip,
        transpose=given.transpose,
        # Labels need not be there once more.
        arrays=given.arrays[:1] if given.arrays else None,
        decimals=tuple((q.column, q.decimal) for q in table.questions),
    )


def read_source(
    path: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),  # noqa: B008 — frozen, so it can be shared
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Table:
    """Read a file whole, or a sample of all rows where options name parts."""
    # Imported here: the readers take a while to load.
    if options.parts is None:
        from kpca_viewer.data.files import read_table

        return read_table(
            path, options=options, should_stop=should_stop, progress=progress
        )
    from kpca_viewer.data.parts.sampling import sampled_parts

    return sampled_parts(Path(path), options, should_stop, progress)


@dataclass(frozen=True, eq=False)
class EvictedTable(Table):
    """Everything that is known of a table of a file, without its columns."""

    _lock: Lock = field(default_factory=Lock, repr=False)
    _read: list[Table] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, table: Table) -> "EvictedTable":
        """Return a table of a file without its cells."""
        assert table.path is not None
        known = {f.name: getattr(table, f.name) for f in fields(Table)}
        return cls(**{**known, "columns": (), "row_numbers": None, "questions": ()})

    @property
    def back(self) -> Table | None:
        """The table, if it was read again."""
        return self._read[0] if self._read else None

    def read(
        self, should_stop: ShouldStop = never, progress: Progress = silent
    ) -> Table:
        """Return the table as it was read before; on any thread."""
        assert self.path is not None
        with self._lock:
            if not self._read:
                if not paths.exists(self.path):
                    raise DataError(
                        f"“{self.path}” is not there any more; put the file back, or "
                        "open another one."
                    )
                self._read.append(
                    read_source(
                        self.path,
                        options=self.options or ReadOptions(),
                        should_stop=should_stop,
                        progress=progress,
                    )
                )
            return self._read[0]
