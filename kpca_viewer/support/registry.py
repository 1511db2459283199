"""What there is of a kind, declared once: kernels, generators."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """Rows by their key, in the order in which the window lists them.

    Parameters
    ----------
    key : callable
        ``row -> str``.
    """

    def __init__(self, key: Callable[[T], str], rows: Iterable[T]) -> None:
        self._key = key
        self._rows = {key(row): row for row in rows}

    def __getitem__(self, key: str) -> T:
        return self._rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @contextmanager
    def with_row(self, row: T) -> Iterator[T]:
        """Let one more row be there for a while, as the last one.

        Everything that derives from the table finds it, if it looks while it is there.
        """
        key = self._key(row)
        if key in self._rows:
            raise ValueError(f"There is a row {key!r} already.")
        self._rows[key] = row
        try:
            yield row
        finally:
            del self._rows[key]
