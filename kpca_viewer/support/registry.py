"""What there is of a kind, declared once: kernels, generators."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Registry(dict[str, T]):
    """Rows by their key, in the order in which the window lists them.

    ``key``: ``row -> str``.
    """

    def __init__(self, key: Callable[[T], str], rows: Iterable[T]) -> None:
        super().__init__((key(row), row) for row in rows)
        self._key = key

    @contextmanager
    def with_row(self, row: T) -> Iterator[T]:
        """Let one more row be there for a while, as the last one.

        Everything that derives from the table finds it, if it looks while it is there.
        """
        key = self._key(row)
        if key in self:
            raise ValueError(f"There is a row {key!r} already.")
        self[key] = row
        try:
            yield row
        finally:
            del self[key]
