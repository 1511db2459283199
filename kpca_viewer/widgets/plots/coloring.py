"""What colour and shape of a point mean, worked out once for all plots."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.widgets.plots.shapes import SHAPE_COUNT

Array = NDArray[Any]

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
    shapes: Array | None = None
    """Shape (n,). Codes of what the shape of a point means, an index into
    ``shape_names``; None where it means nothing of its own."""
    shape_names: tuple[str, ...] = ()
    shape_title: str = ""
    sizes: Sizes | None = None
    """What the size of a point means; None where all points are alike."""

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


def codes_with_rows(codes: Array) -> set[int]:
    """Return which codes there are; a negative one is no class."""
    return set(np.unique(codes[codes >= 0]).tolist())


def coloring(result: AnalysisResult, view: ViewSettings) -> Coloring:
    """Return the looks that the view asks for, or the nearest that there are.

    New rows follow those of the data, in a shape of their own.
    """
    if result.joined is not None:
        colors = coloring(result.joined, view)
        return marked_new(colors, result.joined.dataset.n - result.dataset.n)
    colors, dataset = _colors(result, view), result.dataset
    colors = replace(colors, sizes=_sizes(result, view))
    if view.shape_by == view.color_by and len(colors.names) > SHAPE_COUNT:
        # Shapes join the colours where these run out: alone, both would begin again
        # with the same category.
        return colors
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
        return Coloring("class", dataset.labels, dataset.label_names)
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
    if colors.shapes is None and len(colors.names) > SHAPE_COUNT:
        # Shapes tell these classes apart: new rows are a class of their own.
        codes = np.append(colors.codes[:n], np.full(count, len(colors.names)))
        return replace(colors, codes=codes, names=(*colors.names, NEW_ROWS))
    if colors.shapes is None:
        # A cross among circles, and nothing in between.
        names = (DATA_ROWS, *("" for _ in range(1, CROSS)), NEW_ROWS)
        shapes = np.where(np.arange(n + count) < n, 0, CROSS)
        return replace(colors, shapes=shapes, shape_names=names, shape_title="rows")
    form = min(len(colors.shape_names), SHAPE_COUNT - 1)
    shapes = np.append(colors.shapes[:n], np.full(count, form))
    names = (*colors.shape_names[:form], NEW_ROWS)
    return replace(colors, shapes=shapes, shape_names=names)


def _described(column: MetaColumn, title: str) -> Coloring:
    """Return categories in the colours of classes, numbers on a scale."""
    if column.categories is not None:
        return Coloring("class", column.codes, column.categories, title)
    if column.words is None:
        return _continuous(column.values, title)
    # Names and free text: more words than there are colours.
    return Coloring("single", np.zeros(column.n, dtype=np.int64))


def _continuous(values: Array, title: str) -> Coloring:
    finite = values[np.isfinite(values)]
    low = float(finite.min(initial=np.inf)) if finite.size else 0.0
    high = float(finite.max(initial=-np.inf)) if finite.size else 1.0
    width = high - low
    codes = (values - low) / width if width > 0 else np.full(len(values), 0.5)
    return Coloring("continuous", codes, (), title, low, high)
