"""k(xᵢ, ·) of one row, over all rows and over the plane; weights of a component."""

import numpy as np

from kpca_viewer.core.projection import dual_coefficients
from kpca_viewer.engine.grid import FINE, GridScores
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError

FUNCTION, WEIGHT = "kernel:", "weight:"
"""How keys of `ViewSettings.color_by` begin: k(xᵢ, ·) of a row and α of a component,
both counted from 0."""

MOST_ROWS = 20_000
"""Of which k(xᵢ, ·) can follow the mouse."""


def function_row(result: AnalysisResult, color_by: str) -> int | None:
    """Return the row whose k(xᵢ, ·) is shown; None where none is."""
    if not color_by.startswith(FUNCTION) or not has_functions(result):
        return None
    row = int(color_by.removeprefix(FUNCTION))
    return row if row < len(result.points) else None


def has_functions(result: AnalysisResult) -> bool:
    """Return whether k(xᵢ, ·) of a row is known, and found within a moment."""
    return result.kernel is not None and len(result.points) <= MOST_ROWS


def on_rows(result: AnalysisResult, row: int) -> Array:
    """Return ``k(xᵢ, ·)`` at all rows, new ones behind those of the data, (n,)."""
    kernel = result.kernel
    assert kernel is not None
    known = kernel.prepare_training(result.points)
    values = kernel.block(known.take(np.array([row])), known)[0]
    if result.dataset.n == len(values):
        return np.asarray(values, dtype=np.float64)
    new = result.dataset.points[len(values) :]
    return np.append(values, result.kernel_values(new, row))


def on_plane(result: AnalysisResult, row: int) -> GridScores | None:
    """Return ``k(xᵢ, ·)`` where isolines have their grid; None where they have none."""
    grid = result.grid
    if grid is None:
        return None
    # The coarse grid, as during a drag: it follows the mouse.
    step = 1 if grid.is_coarse else FINE
    x, y = grid.x[::step], grid.y[::step]
    nodes = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    try:
        values = result.kernel_values(nodes, row)
    except KernelError:
        # A fractional power may be defined between all rows, and not beyond them.
        return None
    return GridScores(x, y, values.reshape(len(y), len(x), 1), grid.low, grid.high)


def weights(result: AnalysisResult, component: int) -> Array:
    """Return α of a component at all rows; 0 for new ones, which have none, (n,)."""
    found = np.zeros(result.dataset.n)
    alpha = dual_coefficients(result.decomposition, result.scoring)[:, component]
    found[: len(alpha)] = alpha
    return found
