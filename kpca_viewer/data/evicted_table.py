"""EvictedTable: a table whose cells are in its file only, until they are needed."""

from dataclasses import dataclass, field, fields
from threading import Lock

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.reading import read_source
from kpca_viewer.data.table import Table
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


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
        """The table, if somebody has read it again."""
        return self._read[0] if self._read else None

    def read(
        self, should_stop: ShouldStop = never, progress: Progress = silent
    ) -> Table:
        """Return the table as it was read before; on any thread.

        Raises
        ------
        DataError
            If the file is gone, or cannot be read any more.
        Cancelled
            If ``should_stop`` says so.
        """
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
