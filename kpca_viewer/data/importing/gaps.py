"""Which rows of a table miss a feature, before anything is converted."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.importing.settings import ImportSettings
from kpca_viewer.data.table import Column, Table


def gaps_of(column: Column, settings: ImportSettings) -> NDArray[np.bool_]:
    """Return which cells (n,) of a feature count as missing."""
    lenient = settings.treat_text_as_missing
    numbers = column.values if column.kind == "number" else column.numbers
    if numbers is not None and (lenient or column.kind == "number"):
        # Infinities and words are missing by request only.
        return ~np.isfinite(numbers) if lenient else np.isnan(numbers)
    words = {None, *settings.missing_words}
    return np.array([value in words for value in column.values], dtype=bool)


class GapCounter:
    """Counts the rows with gaps while features come and go.

    Only the columns that have changed are looked at again: somebody clicks through a
    table of a million rows.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rules: object = None
        self._features: set[str] = set()
        self._gaps = np.zeros(table.n, dtype=np.int32)

    def rows(self, features: Iterable[str], settings: ImportSettings) -> int:
        """Return how many rows have a gap in one of these features."""
        rules = (settings.treat_text_as_missing, settings.missing_words)
        if rules != self._rules:
            self._rules, self._features = rules, set()
            self._gaps[:] = 0
        wanted = set(features)
        for name in wanted - self._features:
            self._gaps += self._of(name, settings)
        for name in self._features - wanted:
            self._gaps -= self._of(name, settings)
        self._features = wanted
        return int(np.count_nonzero(self._gaps))

    def _of(self, name: str, settings: ImportSettings) -> NDArray[np.int32] | int:
        column = self._table.column(name)
        plain = column.kind == "number" and not settings.treat_text_as_missing
        if plain and not column.missing:
            return 0
        return gaps_of(column, settings).astype(np.int32)
