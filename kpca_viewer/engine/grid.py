"""Scores on a grid over plane data, of which isolines are drawn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kpca_viewer.core.projection import project_grid
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import ShouldStop, never

if TYPE_CHECKING:
    from kpca_viewer.engine.result import AnalysisResult


GRID = (149, 56)
"""Steps of the grid for isolines, along x and y, during a drag: lines are
right to a pixel, but for sharp corners of narrow kernels."""

FINE = 2
"""So many times as many steps for a picture at rest."""

MOST_FINE = 40_000_000
"""Kernel values beyond which even that has to do with the coarse grid."""

ROOM = (1.7, 0.25)
"""How far the grid reaches beyond the data: panels are up to three times as wide as
they are high."""

PAPER, FULL_PAPER = (2.0, 1.6), (1.2, 0.6)
"""Room around drawn points, at least, as a share of the longer side of all: around few
of them, and around more."""

FEW = 20
"""Drawn points that leave much of the paper empty."""


@dataclass(frozen=True, eq=False)
class GridScores:
    """Scores on a grid over plane data."""

    x: Array
    """Shape (mx,)."""
    y: Array
    """Shape (my,). Coordinates in the units of the data."""
    scores: Array
    """Shape (my, mx, k). ``scores[i, j]`` at ``(x[j], y[i])``."""
    low: Array
    high: Array
    """Shape (2,). Ends of the data, around which the grid leaves room."""

    @property
    def is_coarse(self) -> bool:
        return len(self.x) <= GRID[0]

    def near_data(self, component: int) -> Array:
        """Scores of a component where the data are, with a little air: what is seen."""
        air = 0.06 * np.where(self.high > self.low, self.high - self.low, 1.0)
        inside = [
            np.flatnonzero(
                (nodes >= self.low[j] - air[j]) & (nodes <= self.high[j] + air[j])
            )
            for j, nodes in ((1, self.y), (0, self.x))
        ]
        return self.scores[np.ix_(*inside)][:, :, component]


def has_fine_grid(result: "AnalysisResult") -> bool:
    """Whether a finer grid is worth what it costs."""
    map_ = result.decomposition.landmark_map
    columns = result.dataset.n if map_ is None else len(map_.landmarks)
    return FINE**2 * GRID[0] * GRID[1] * columns <= MOST_FINE


def grid_scores(
    result: "AnalysisResult", should_stop: ShouldStop = never, *, fine: bool = False
) -> GridScores | None:
    """Project a grid over the data; None unless they, and it, have a picture."""
    if result.kernel is None or result.dataset.d != 2:
        return None
    steps = [FINE * (m - 1) + 1 for m in GRID] if fine else GRID
    low, high = result.dataset.points.min(axis=0), result.dataset.points.max(axis=0)
    room = np.array(ROOM) * np.where(high > low, high - low, 1.0)
    if result.is_drawn:
        # The paper is wider than what is on it, and higher.
        paper = np.array(PAPER if result.dataset.n < FEW else FULL_PAPER)
        room = np.maximum(room, paper * ((high - low).max() or 1.0))
    start = np.minimum(low, result.scaler.within_domain(low - room))
    x, y = (np.linspace(start[j], high[j] + room[j], steps[j]) for j in (0, 1))
    try:
        scores = _on_grid(result, x, y, should_stop)
    except KernelError:
        # A fractional power may be defined between all rows, and not beyond them.
        return None
    return GridScores(x, y, scores, low, high)


def _on_grid(
    result: "AnalysisResult", x: Array, y: Array, should_stop: ShouldStop
) -> Array:
    """Scores (my, mx, k) where lines at x and at y cross."""
    kernel = result.kernel
    assert kernel is not None
    if kernel.family.gaussian and result.scaler.by_column:
        axes = _scaled_axes(result.scaler, x, y, result.dataset.points[0])

        def factors(columns: slice | Array) -> tuple[Array, Array]:
            known = result.points.take(columns).dense()
            along_x, along_y = map(kernel.factor, axes, known.T)
            return along_x, along_y

        shape = len(y), len(x)
        return project_grid(
            result.decomposition, factors, shape, should_stop, result.scoring
        )
    nodes = np.stack(np.meshgrid(x, y), axis=-1)
    if kernel.family.normalise:
        # The cosine has no value at the origin itself, but right beside it.
        taken = result.takes(nodes.reshape(-1, 2)).reshape(nodes.shape[:2])
        nodes[~taken] += 1e-6 * np.array([x[1] - x[0], y[1] - y[0]])
    scores = np.empty((len(y), len(x), result.scores.shape[1]))
    new = np.ones(scores.shape[:2], dtype=bool)
    if result.grid is not None and len(x) > len(result.grid.x):
        # Every node of the coarse grid is one of the fine one.
        scores[::FINE, ::FINE] = result.grid.scores
        new[::FINE, ::FINE] = False
    scores[new] = result.projected(nodes[new], should_stop)
    return scores


def _scaled_axes(scaler: Scaler, x: Array, y: Array, at: Array) -> tuple[Array, Array]:
    """Return nodes along two axes through a point, scaled as the data are."""
    along_x = scaler.apply(np.column_stack((x, np.full(len(x), at[1]))))
    along_y = scaler.apply(np.column_stack((np.full(len(y), at[0]), y)))
    return along_x[:, 0], along_y[:, 1]
