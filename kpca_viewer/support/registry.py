"""What there is of a kind, declared once: kernels, generators."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Registry(dict[str, T]):
    """Rows by ``key(row)``, in the order in which the window lists them."""

    def __init__(self, key: Callable[[T], str], rows: Iterable[T]) -> None:
        super().__init__((key(row), row) for row in rows)
        self._key = key

    @contextmanager
    def with_row(self, row: T) -> Iterator[T]:
        """Let one more row be there for a while, as the last one."""
        key = self._key(row)
        if key in self:
            raise ValueError(f"There is a row {key!r} already.")
        self[key] = row
        try:
            yield row
        finally:
            del self[key]
