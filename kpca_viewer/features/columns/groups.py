"""Two groups of rows: which columns tell them apart, in numbers and in words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.methods.contrast import Contrast, contrast
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import counted, fixed, percent, whole_percent
from kpca_viewer.support.progress import ShouldStop, never

Array = NDArray[Any]


@dataclass(frozen=True)
class ColumnContrast:
    """How far one column tells two groups apart; see `Contrast` for the numbers."""

    column: int
    name: str
    mean: float
    other_mean: float
    cohen: float
    cohen_interval: tuple[float, float]
    auc: float
    auc_interval: tuple[float, float]
    clear: bool
    constant: bool

    @property
    def cliff(self) -> float:
        """Cliff's delta: −1 always smaller, 1 always larger in the first group."""
        return 2 * self.auc - 1


@dataclass(frozen=True)
class GroupContrast:
    """All columns, the most telling first and constant ones last."""

    columns: tuple[ColumnContrast, ...]
    sizes: tuple[int, int]
    confidence: float

    @property
    def sentence(self) -> str:
        return self.about("the first group")

    def about(self, name: str) -> str:
        """Say what the numbers say, with a name for the first group."""
        clear = [column for column in self.columns if column.clear]
        sizes = " and ".join(map(counted, self.sizes))
        sure = percent(self.confidence, 0)
        if not clear:
            return (
                f"No column tells the groups of {sizes} rows apart with {sure} "
                "confidence, all columns asked at once."
            )
        first = clear[0]
        more = "larger" if first.auc > 0.5 else "smaller"
        low, high = (
            first.auc_interval
            if first.auc > 0.5
            else (1 - first.auc_interval[1], 1 - first.auc_interval[0])
        )
        part = max(first.auc, 1 - first.auc)
        told = f"{len(clear):,} of {len(self.columns):,} columns tell"
        if len(clear) == 1:
            told = f"1 of {len(self.columns):,} columns tells"
        return (
            f"{told} the groups of {sizes} rows apart with {sure} confidence, all "
            f"columns asked at once. “{first.name}” does so best: it is {more} in "
            f"{name} for {whole_percent(part)} of all pairs{_between(low, high)}."
        )

    def as_table(self) -> str:
        """Return all columns as text with tabs, as spreadsheets paste it."""
        titles = (
            "column",
            "mean",
            "mean of others",
            "Cohen's d",
            "from",
            "to",
            "Cliff's delta",
            "AUC",
            "from",
            "to",
            "clear",
        )
        lines = ["\t".join(titles)]
        for c in self.columns:
            numbers = [c.mean, c.other_mean, c.cohen, *c.cohen_interval]
            numbers += [c.cliff, c.auc, *c.auc_interval]
            # A name must not break the table in which it stands.
            name = " ".join(c.name.split())
            cells = [name, *(f"{number:.6g}" for number in numbers)]
            lines.append("\t".join([*cells, "yes" if c.clear else "no"]))
        return "\n".join(lines) + "\n"


def compare_groups(
    dataset: Dataset,
    group: Array,
    other: Array | None = None,
    should_stop: ShouldStop = never,
) -> GroupContrast:
    """Compare two groups of rows in every column of the data, in their own units.

    Parameters
    ----------
    group : ndarray of bool, shape (n,)
    other : ndarray of bool, shape (n,), optional
        The second group; all other rows if not given.

    Raises
    ------
    DataError
        For a matrix that is given, an empty group, or rows in both.
    Cancelled
    """
    if dataset.kind != "points":
        raise DataError(
            "The data are a matrix without columns, so that no column can tell groups "
            "apart; open the table that it was made of."
        )
    found = contrast(dataset.points, group, other, should_stop=should_stop)
    columns = tuple(_column(found, dataset, f) for f in found.order.tolist())
    return GroupContrast(columns, found.sizes, found.confidence)


def strength_words(column: ColumnContrast) -> str:
    """Return how a column differs, in a line: "d = 1.20, larger in 80 % of pairs"."""
    if column.constant:
        return "the same in all rows"
    more, part = "larger", column.auc
    if column.auc < 0.5:
        more, part = "smaller", 1 - column.auc
    pairs = f"{more} in {whole_percent(part)} of all pairs"
    if np.isnan(column.cohen):
        return pairs
    size = "∞" if np.isinf(column.cohen) else fixed(abs(column.cohen), 2)
    return f"d = {'−' if column.cohen < 0 else ''}{size}, {pairs}"


def _column(found: Contrast, dataset: Dataset, f: int) -> ColumnContrast:
    return ColumnContrast(
        column=f,
        name=dataset.feature_names[f],
        mean=float(found.means[f]),
        other_mean=float(found.other_means[f]),
        cohen=float(found.cohen[f]),
        cohen_interval=(
            float(found.cohen_interval[f, 0]),
            float(found.cohen_interval[f, 1]),
        ),
        auc=float(found.auc[f]),
        auc_interval=(
            float(found.auc_interval[f, 0]),
            float(found.auc_interval[f, 1]),
        ),
        clear=bool(found.clear[f]),
        constant=bool(found.constant[f]),
    )


def _between(low: float, high: float) -> str:
    """Return an interval; nothing where both ends read the same."""
    ends = whole_percent(low), whole_percent(high)
    return "" if ends[0] == ends[1] else f" ({ends[0]} … {ends[1]})"
