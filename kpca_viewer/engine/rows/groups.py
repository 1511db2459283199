"""Groups and classes that a person makes of rows: columns beside those of the file."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kpca_viewer.data.dataset import UNLABELLED, Dataset, places_in
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.rows.row_set import Mask, RowSet

Made = Literal["group", "class"]


@dataclass(frozen=True)
class RowGroup:
    """Rows that have one name."""

    column: Made
    """Classes begin with the labels of the data, groups with nothing."""
    name: str
    """Empty takes the rows out of their group, or back into their class."""
    rows: RowSet

    def describe(self) -> str:
        """Return it in words: "group “odd” of 12 rows"."""
        count = self.rows.count
        rows = "1 row" if count == 1 else f"{count:,} rows"
        if not self.name:
            return f"{self.column} of {rows} taken away"
        return f"{self.column} “{self.name}” of {rows}"


def column_name(dataset: Dataset, column: Made) -> str:
    """Return what a column that is made is called beside those of the data."""
    name, count = str(column), 1
    while name in dataset.columns:
        count += 1
        name = f"{column} ({count})"
    return name


def with_groups(
    whole: Dataset, kept: Dataset, groups: tuple[RowGroup, ...], stamp: str
) -> Dataset:
    """Return the rows that are kept of all, with columns that say where each belongs.

    Of two groups that have a row in common, the later one has it. The stamp is the hash
    of the file as it is now; empty for data that are no file.
    """
    places = places_in(whole, kept)
    made: dict[str, MetaColumn] = {}
    lost = list(kept.lost)
    for column in ("class", "group"):
        found: list[tuple[str, Mask]] = []
        for group in (g for g in groups if g.column == column):
            mask, missing = group.rows.find(whole, stamp)
            found.append((group.name, mask[places]))
            if missing and group.name:
                rows = "1 row" if missing == 1 else f"{missing:,} rows"
                lost.append(f"{rows} of the {column} “{group.name}”")
        if found:
            name = column_name(whole, "class" if column == "class" else "group")
            made[name] = _column(kept, found, labelled=column == "class")
    # First: there is room for a few in a hover label.
    return replace(kept, columns={**made, **kept.columns}, lost=tuple(lost))


def _column(
    dataset: Dataset, groups: list[tuple[str, Mask]], *, labelled: bool
) -> MetaColumn:
    first = np.full(dataset.n, UNLABELLED, dtype=np.int64)
    names: tuple[str, ...] = ()
    if labelled and dataset.labels is not None:
        first, names = dataset.labels, dataset.label_names
    words = tuple(dict.fromkeys((*names, *(name for name, _ in groups if name))))
    codes = first.copy()
    for name, mask in groups:
        codes[mask] = words.index(name) if name else first[mask]
    # A group whose rows are all in later ones is no more; a class of the data stays.
    used = [
        code
        for code in range(len(words))
        if code < len(names) or bool((codes == code).any())
    ]
    places = np.full(len(words) + 1, UNLABELLED, dtype=np.int64)
    places[used] = np.arange(len(used))
    return MetaColumn(places[codes], tuple(words[code] for code in used))
