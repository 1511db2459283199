"""What colours and sizes of points mean."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.kernel_function import (
    WEIGHT,
    function_row,
    on_rows,
    weights,
)
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.export.class_colors import CLASS_COLORS
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots.sprites import SHAPE_COUNT
from kpca_viewer.widgets.theme import Theme

Bytes = NDArray[np.uint8]

# Blue and vermillion can be told apart by everyone. The ends are dark on white and
# bright on dark: strength is always distance from the card, which stands for zero.
_NEGATIVE = {"light": ("#5AA6D8", "#08437A"), "dark": ("#2C78B8", "#A6D8FF")}
_POSITIVE = {"light": ("#F0975E", "#8F3300"), "dark": ("#BF5A1B", "#FFC79F")}

STEPS = 256
"""Colours on each side of zero, and of a scale."""


@lru_cache(maxsize=4)
def diverging(theme: Theme) -> Bytes:
    """Return ``2 · STEPS − 1`` colours (c, 3); zero, in the middle, is the card."""
    low, high = (
        _ramp((theme.card, *ends[theme.name])) for ends in (_NEGATIVE, _POSITIVE)
    )
    return _frozen(np.concatenate([low[:0:-1], high]))


@lru_cache(maxsize=1)
def sequential() -> Bytes:
    """Return the ``STEPS`` colours (c, 3) of numbers that have no sign."""
    table = pg.colormap.get("viridis").getLookupTable(nPts=STEPS)
    return _frozen(table[:, :3].astype(np.uint8))


def diverging_index(values: NDArray[np.float64], largest: float) -> NDArray[np.intp]:
    """Return the colour of every value, with ``±largest`` at the ends."""
    share = values / largest if largest > 0 else np.zeros_like(values)
    share = np.clip(np.nan_to_num(share), -1.0, 1.0)
    return np.rint((STEPS - 1) * (1 + share)).astype(np.intp)


def sequential_index(
    values: NDArray[np.float64], low: float, high: float
) -> NDArray[np.intp]:
    extent = high - low
    share = (values - low) / extent if extent > 0 else np.ones_like(values)
    share = np.clip(np.nan_to_num(share), 0.0, 1.0)
    return np.rint((STEPS - 1) * share).astype(np.intp)


def _ramp(stops: tuple[str, ...]) -> NDArray[np.float64]:
    rgb = np.array([QColor(stop).getRgb()[:3] for stop in stops], dtype=np.float64)  # type: ignore[index]
    at = np.linspace(0.0, len(stops) - 1.0, STEPS)
    nodes = np.arange(len(stops))
    return np.column_stack([np.interp(at, nodes, channel) for channel in rgb.T])


def _frozen(colors: NDArray[np.float64] | Bytes) -> Bytes:
    result = np.rint(colors).astype(np.uint8)
    result.flags.writeable = False
    return result


DATA_ROWS, NEW_ROWS = "data", "new"
"""What the legend calls rows of the data, and rows projected onto the model."""

CROSS = 5
"""The shape of new rows, where shapes mean nothing else."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """Numbers that the size of a point tells."""

    shares: Array
    """Shape (n,). From 0, the smallest, to 1."""
    title: str
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Coloring:
    """Codes for the point cloud and what the legend says about them."""

    kind: Literal["class", "continuous", "single"]
    codes: Array
    """Shape (n,). Class codes, or values from 0 to 1."""
    names: tuple[str, ...] = ()
    """Of the classes."""
    title: str = ""
    """Of continuous values, with their ends ``low`` and ``high``."""
    low: float = 0.0
    high: float = 1.0
    are_dates: bool = False
    """Whether they are moments, in seconds since 1970."""
    shapes: Array | None = None
    """Shape (n,). Codes of what the shape of a point means, an index into
    ``shape_names``; None where it means nothing of its own."""
    shape_names: tuple[str, ...] = ()
    shape_title: str = ""
    others: Mapping[int, int] = field(default_factory=dict)
    """Classes that share a grey, with their numbers of rows; see `rare_classes`."""
    sizes: Sizes | None = None
    """What the size of a point means; None where all points are alike."""

    @property
    def ends(self) -> tuple[str, str]:
        """What stands at the ends of a scale: numbers, days, or hours of a few days."""
        if not self.are_dates:
            return ungrouped(self.low), ungrouped(self.high)
        form = "%Y-%m-%d" if self.high - self.low > 3 * 86_400 else "%m-%d %H:%M"
        low, high = (
            datetime.fromtimestamp(end, UTC).strftime(form)
            for end in (self.low, self.high)
        )
        return low, high

    @property
    def drawn(self) -> set[int]:
        """Codes of the classes that have rows: those of others are left out."""
        return codes_with_rows(self.codes)

    @property
    def drawn_shape_names(self) -> tuple[str, ...]:
        """What each shape stands for; empty for those that no row has."""
        if self.shapes is None:
            return ()
        drawn = codes_with_rows(self.shapes)
        names = enumerate(self.shape_names)
        return tuple(name if code in drawn else "" for code, name in names)


def rare_classes(codes: Array) -> dict[int, int]:
    """Return the classes without a hue of their own, and their numbers of rows."""
    rows = np.bincount(codes[codes >= 0].astype(np.int64))
    frequent = set(np.argsort(-rows, kind="stable")[: len(CLASS_COLORS)].tolist())
    return {code: int(n) for code, n in enumerate(rows) if code not in frequent}


def codes_with_rows(codes: Array) -> set[int]:
    return set(np.unique(codes[codes >= 0]).tolist())


def coloring(result: AnalysisResult, view: ViewSettings) -> Coloring:
    """Return the looks of the view settings, or the nearest that there are.

    New rows follow those of the data, in a shape of their own.
    """
    if result.joined is not None:
        colors = coloring(result.joined, view)
        return marked_new(colors, result.joined.dataset.n - result.dataset.n)
    colors, dataset = _colors(result, view), result.dataset
    colors = replace(colors, sizes=_sizes(result, view) or colors.sizes)
    kind, _, rest = view.shape_by.partition(":")
    if kind == "label" and dataset.labels is not None:
        names, title = dataset.label_names, "class"
        return replace(
            colors, shapes=dataset.labels, shape_names=names, shape_title=title
        )
    column = dataset.columns.get(rest) if kind == "column" else None
    if column is None or column.categories is None:
        return colors
    return replace(
        colors, shapes=column.codes, shape_names=column.categories, shape_title=rest
    )


def _colors(result: AnalysisResult, view: ViewSettings) -> Coloring:
    dataset = result.dataset
    kind, _, rest = view.color_by.partition(":")
    if kind == "label" and dataset.labels is not None:
        return _classes(dataset.labels, dataset.label_names)
    if kind == "label" and dataset.scale:
        return _continuous(dataset.columns[dataset.scale].values, dataset.scale)
    if kind == "column" and rest in dataset.columns:
        return _described(dataset.columns[rest], rest)
    if kind == "feature" and int(rest) < dataset.d:
        return _continuous(
            dataset.points[:, int(rest)], dataset.feature_names[int(rest)]
        )
    if kind == "component" and int(rest) < result.scores.shape[1]:
        return _continuous(result.scores[:, int(rest)], f"PC {int(rest) + 1}")
    if kind == WEIGHT.rstrip(":") and int(rest) < result.scores.shape[1]:
        return _signed(weights(result, int(rest)), f"α of PC {int(rest) + 1}")
    row = function_row(result, view.color_by)
    if row is not None:
        return _continuous(on_rows(result, row), f"k({dataset.row_text(row)}, ·)")
    found = _by_row_values(result, view.color_by)
    return found or Coloring("single", np.zeros(dataset.n, dtype=np.int64))


def _by_row_values(result: AnalysisResult, by: str) -> Coloring | None:
    """Return a number that a stage has added to every row, on a scale."""
    found = (known for known in result.row_values() if known.key == by)
    return next((_continuous(known.values, known.symbol) for known in found), None)


def _sizes(result: AnalysisResult, view: ViewSettings) -> Sizes | None:
    found = _by_row_values(result, view.size_by)
    if found is None:
        return None
    return Sizes(found.codes, found.title, found.low, found.high)


def marked_new(colors: Coloring, count: int) -> Coloring:
    """Return colours in which the last ``count`` rows have a shape of their own."""
    n = len(colors.codes) - count
    if colors.shapes is None:
        # A cross among circles, and nothing in between.
        names = (DATA_ROWS, *("" for _ in range(1, CROSS)), NEW_ROWS)
        shapes = np.where(np.arange(n + count) < n, 0, CROSS)
        return replace(colors, shapes=shapes, shape_names=names, shape_title="rows")
    form = min(len(colors.shape_names), SHAPE_COUNT - 1)
    shapes = np.append(colors.shapes[:n], np.full(count, form))
    names = (*colors.shape_names[:form], NEW_ROWS)
    return replace(colors, shapes=shapes, shape_names=names)


def _classes(codes: Array, names: tuple[str, ...], title: str = "") -> Coloring:
    return Coloring("class", codes, names, title, others=rare_classes(codes))


def _described(column: MetaColumn, title: str) -> Coloring:
    """Return categories in the colours of classes, numbers and dates on a scale."""
    if column.seconds is not None:
        return replace(_continuous(column.seconds, title), are_dates=True)
    if column.categories is not None:
        return _classes(column.codes, column.categories, title)
    if column.words is None:
        return _continuous(column.values, title)
    # Names and free text: more words than there are colours.
    return Coloring("single", np.zeros(column.n, dtype=np.int64))


def _signed(values: Array, symbol: str) -> Coloring:
    """Return numbers by their sign as colour and by their amount as size."""
    found = _continuous(np.abs(values), f"|{symbol}|")
    largest = found.high or 1.0
    # The size begins at 0: a row that weighs nothing is the smallest point.
    sizes = Sizes(np.abs(values) / largest, found.title, 0.0, found.high)
    codes = np.where(values < 0, 1, 0)
    return Coloring("class", codes, (f"{symbol} ≥ 0", f"{symbol} < 0"), sizes=sizes)


def _continuous(values: Array, title: str) -> Coloring:
    finite = values[np.isfinite(values)]
    low = float(finite.min(initial=np.inf)) if finite.size else 0.0
    high = float(finite.max(initial=-np.inf)) if finite.size else 1.0
    width = high - low
    codes = (values - low) / width if width > 0 else np.full(len(values), 0.5)
    return Coloring("continuous", codes, (), title, low, high)
