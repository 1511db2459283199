"""Two groups of rows, column by column, and all that the page Columns draws."""

import math
from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.core.methods.contrast import Contrast, contrast
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Units
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.features.columns.text import MORE, direction_words
from kpca_viewer.features.columns.view import MOST_DRAWN, ColumnRows
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import (
    counted,
    data_value,
    fixed,
    percent,
    small_percent,
    whole_percent,
)
from kpca_viewer.support.numerals import ungrouped as number
from kpca_viewer.support.progress import ShouldStop, never
from kpca_viewer.widgets.plots.bar_layout import Bar, BarList
from kpca_viewer.widgets.plots.coloring import Coloring


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
        words = f"{len(clear):,} of {len(self.columns):,} columns tell"
        if len(clear) == 1:
            words = f"1 of {len(self.columns):,} columns tells"
        return (
            f"{words} the groups of {sizes} rows apart with {sure} confidence, all "
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


PIECES = 12
"""Of a mean curve at most, each with about as many rows."""


def mean_curve(values: Array, scores: Array, pieces: int = PIECES) -> Array:
    """Return means of values and scores (both n), piece by piece: (p, 2).

    Equal values are never parted; where there are few different ones, each has a piece
    of its own. Empty for no row.
    """
    if not len(values):
        return np.empty((0, 2))
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    piece = np.arange(len(counts))
    if len(counts) > pieces:
        # By the rank in the middle of all rows that have the value.
        middle = np.cumsum(counts) - counts / 2
        piece = np.unique(middle * pieces // len(values), return_inverse=True)[1]
    of_row = piece[which]
    count = np.bincount(of_row)
    means: Array = np.column_stack(
        [np.bincount(of_row, weights=each) / count for each in (values, scores)]
    )
    return means


CURVE_ROWS = 20_000
"""Rows of which the mean curve is made; of more, a sample is."""

UNITS: dict[Units, tuple[str, str]] = {
    "spread": ("per SD", "one standard deviation of the column"),
    "scaled": ("per scaled unit", "one unit of the column as the kernel sees it"),
    "original": ("per own unit", "one unit of the column as the data have it"),
}
"""What a column grows by: in the combo box, and in a sentence."""


def influence_bars(ranked: RankedColumns) -> BarList:
    """Return a line for every column, with noise beside it where that is known."""
    single = len(ranked.components) == 1
    longest = ranked.columns[0].strength if ranked.columns else 0.0
    noise = max((c.noise or 0.0 for c in ranked.judged), default=0.0)
    return BarList(
        tuple(c.name for c in ranked.columns),
        lambda place: _influence_bar(ranked.columns[place], ranked, single),
        (0.0, max(longest, min(noise, 2 * longest)) or 1.0),
        ("share", *_correlation_titles(ranked)),
        ("constant", *("−0.00" for _ in ranked.components)),
        (f"influence {UNITS[ranked.units][0]}",),
    )


def _influence_bar(c: ColumnInfluence, ranked: RankedColumns, single: bool) -> Bar:
    numbers = ["constant" if c.constant else small_percent(c.share)]
    numbers += ["" if c.constant else fixed(r, 2) for r in c.correlations]
    lines = [c.name]
    if c.constant:
        lines.append("the same in all rows: nothing comes from it")
    else:
        error = "" if c.error is None else f" ± {number(c.error, 1)}"
        lines.append(
            f"influence {number(c.strength, 3)}{error}, {UNITS[ranked.units][0]}"
        )
        lines.append(f"{small_percent(c.share)} of all squared influence")
        for j, r in zip(ranked.components, c.correlations, strict=True):
            lines.append(f"correlation with PC {j + 1}: {fixed(r, 2)}")
        if single:
            lines.append(direction_words(c))
            lines.append(
                f"steadiness {fixed(c.steadiness, 2)} (1: the same everywhere)"
            )
        lines += _noise_words(c, ranked)
    return Bar(
        c.name,
        c.strength,
        tuple(numbers),
        None if c.constant else c.noise,
        None,
        _is_told(c, ranked),
        "\n".join(lines),
    )


def _is_told(c: ColumnInfluence, ranked: RankedColumns) -> bool | None:
    """Return whether a bar is drawn as one that tells something; None if unknown."""
    if not c.constant and c.noise is None:
        return None
    return ranked.is_related(c) and not ranked.is_doubtful(c)


def _noise_words(c: ColumnInfluence, ranked: RankedColumns) -> list[str]:
    if c.noise is None:
        return ["not compared with random order"]
    sampled = ranked.null_rows < ranked.all_rows
    where = f" of {counted(ranked.null_rows)} of the rows" if sampled else ""
    if c.stands_out:
        told = [f"{MORE}, in {component_words(c.beyond)}"]
    else:
        told = [] if ranked.is_related(c) else [f"not {MORE}"]
    return [
        *told,
        f"in {c.draws} random orders{where} an influence up to {number(c.noise, 3)}, "
        f"in {c.above} of them as much, and |r| up to "
        f"{fixed(max(c.random_correlations), 2)}",
    ]


def _correlation_titles(ranked: RankedColumns) -> tuple[str, ...]:
    if len(ranked.components) == 1 and not ranked.left_out:
        return ("r",)
    return tuple(f"r PC {component + 1}" for component in ranked.components)


def contrast_bars(found: GroupContrast, names: tuple[str, str]) -> BarList:
    """Return a line for every column: how far it orders the two groups."""
    first, second = names
    sure = percent(found.confidence, 0)
    return BarList(
        tuple(c.name for c in found.columns),
        lambda place: _contrast_bar(found.columns[place], names, sure),
        (-1.0, 1.0),
        ("d", "pairs"),
        ("−10.00", "the same"),
        (f"◂ {second}", f"{first} ▸"),
    )


def _contrast_bar(c: ColumnContrast, names: tuple[str, str], sure: str) -> Bar:
    low, high = (2 * end - 1 for end in c.auc_interval)
    size = "–" if math.isnan(c.cohen) else fixed(c.cohen, 2)
    if math.isinf(c.cohen):
        size = "∞" if c.cohen > 0 else "−∞"
    numbers = ("", "the same") if c.constant else (size, whole_percent(c.auc))
    lines = [c.name, strength_words(c)]
    if not c.constant:
        for name, mean in zip(names, (c.mean, c.other_mean), strict=True):
            lines.append(f"{name}: mean {data_value(mean)}")
        ends = " … ".join(dict.fromkeys(map(whole_percent, c.auc_interval)))
        lines.append(f"{names[0]} larger: {ends} of pairs ({sure})")
        if not c.clear:
            lines.append("not clear, all columns asked at once")
    span = None if c.constant else (low, high)
    return Bar(c.name, c.cliff, numbers, None, span, c.clear, "\n".join(lines))


def column_rows(
    result: AnalysisResult, column: int, component: int, colors: Coloring | None
) -> ColumnRows:
    """Return the rows of a result by one column and one component, in some colours."""
    dataset = result.dataset
    some = sample_rows(dataset.n, CURVE_ROWS)
    values = np.asarray(dataset.points[some, column], dtype=np.float64)
    scores = np.asarray(result.scores[some, component], dtype=np.float64)
    drawn = sample_rows(len(some), MOST_DRAWN)
    rows = some[drawn]
    if colors is not None:
        colors = replace(colors, codes=colors.codes[rows], shapes=None)
    return ColumnRows(
        rows,
        np.column_stack((values[drawn], scores[drawn])),
        mean_curve(values, scores),
        (dataset.feature_names[column], f"PC {component + 1}"),
        colors,
    )
