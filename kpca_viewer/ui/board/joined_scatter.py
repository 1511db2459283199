"""A scatter that is joined to all other plots by the rows it shows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.ui.board.describe import describe_row
from kpca_viewer.ui.coloring import Coloring
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.plots.scatter_view import ScatterView

Array = NDArray[Any]


class JoinedScatter(ScatterView):
    """Hover and selection travel through the linking; rows describe themselves."""

    def __init__(self, name: str, title: str, linking: Linking) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.set_empty_text("Nothing computed yet")
        self._result: AnalysisResult | None = None
        self._linking = linking
        self._axes: tuple[object, ...] = ()
        self.hovered.connect(linking.set_hovered)
        self.selected.connect(linking.apply_selection)
        linking.hovered_changed.connect(self.set_hovered)
        linking.selection_changed.connect(self.set_selected)
        self.set_hover_texts(self._describe)

    def show_rows(
        self,
        result: AnalysisResult,
        coordinates: Array,
        names: list[str],
        colors: Coloring,
        *,
        size: float,
        animate: bool = False,
    ) -> None:
        """Show the rows of a result at these coordinates (n, 2 or 3)."""
        self._result = result
        axes = (result.dataset, *(_bare(name) for name in names))
        # Points glide along the same axes only; elsewhere the way has no meaning.
        same = len(axes) == len(self._axes) and all(
            a is b or a == b for a, b in zip(axes, self._axes, strict=True)
        )
        self._axes = axes
        self.set_points(coordinates, names, animate=animate and same)
        self.set_colors(colors.codes, colors.kind, colors.names)
        self.set_point_size(size)
        self.set_selected(self._linking.selection)

    def show_nothing(self, why: str) -> None:
        """Show an empty plot that says why it is empty."""
        self.set_empty_text(why)
        self.set_points(np.empty((0, 2)), ["", ""])

    def _describe(self, row: int) -> str:
        return "" if self._result is None else describe_row(self._result, row)


def columns(
    table: Array, chosen: tuple[int, ...], count: int
) -> tuple[Array, list[int]]:
    """Return ``count`` columns of a table; one that it lacks is zeros, and −1."""
    picked = [j if j < table.shape[1] else -1 for j in chosen[:count]]
    result = np.zeros((len(table), count))
    for position, j in enumerate(picked):
        if j >= 0:
            result[:, position] = table[:, j]
    return result, picked


def _bare(name: str) -> str:
    """Return an axis name without its share, which changes with every value of γ."""
    return name.partition(" (")[0]
