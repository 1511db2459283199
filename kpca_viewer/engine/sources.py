"""Sources: all data that were opened, within a budget of memory."""

from collections.abc import Iterator, MutableMapping

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.reading import EvictedTable
from kpca_viewer.data.table import Table

Source = Dataset | Table

BUDGET = 32 << 20
"""Bytes of tables that are kept beside the one that is shown."""

TEXT = 64
"""Bytes that a cell of text takes, about."""


class Sources(MutableMapping[str, Source]):
    """Data by the name that the settings use, in the order of their last use.

    Tables of files beyond the budget are released, those first that were not looked at
    for longest: undo reads them again. Data that came from no file stay.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._sources: dict[str, Source] = {}

    def use(self, key: str) -> None:
        """Note that a source is shown now; what was read again for it is taken back."""
        source = self._sources.pop(key, None)
        if source is None:
            return
        if isinstance(source, EvictedTable) and source.back is not None:
            source = source.back
        self._sources[key] = source
        self._keep_budget()

    def free_key(self, key: str, source: Source) -> str:
        """Return a name for a source under which no other data are known.

        A file that has changed takes the place of what it was; all else has to be
        there when it is shown again.
        """
        number, free = 1, key
        while self._holds_others(free, source):
            number += 1
            free = f"{key} ({number})"
        return free

    def _holds_others(self, key: str, source: Source) -> bool:
        known = self._sources.get(key)
        if known is None or known is source:
            return False
        if isinstance(known, Table) and isinstance(source, Table):
            from_file = known.path is not None and known.path == source.path
            return not from_file and known.content_hash != source.content_hash
        if isinstance(known, Dataset) and isinstance(source, Dataset):
            return not known.same(source)
        return True

    def _keep_budget(self) -> None:
        left = self._budget
        # The last one is shown: it is not asked what it takes.
        for key in list(self._sources)[-2::-1]:
            source = self._sources[key]
            if isinstance(source, EvictedTable):
                if source.back is not None:
                    # Read for a pin or a sweep, which have what they need.
                    self._sources[key] = EvictedTable.of(source)
                continue
            left -= size_of(source)
            if left < 0 and isinstance(source, Table) and source.path is not None:
                self._sources[key] = EvictedTable.of(source)

    def __getitem__(self, key: str) -> Source:
        return self._sources[key]

    def __setitem__(self, key: str, source: Source) -> None:
        self._sources.pop(key, None)
        self._sources[key] = source
        self._keep_budget()

    def __delitem__(self, key: str) -> None:
        del self._sources[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


def size_of(source: Source) -> int:
    """Return about how many bytes a source takes."""
    if isinstance(source, Dataset):
        return source.points.nbytes
    size = 0
    for column in source.columns:
        size += column.n * TEXT if column.kind == "text" else column.values.nbytes
        if column.numbers is not None:
            size += column.numbers.nbytes
    return size
