"""What is known of the row of a line beside its score: real components, stability."""

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from kpca_viewer.core.choice.parallel import parallel_analysis
from kpca_viewer.core.choice.results import Row
from kpca_viewer.core.choice.stability import similarity, stability, stable_window
from kpca_viewer.core.choice.structure import MOST_ROWS
from kpca_viewer.support.errors import Cancelled, KpcaError
from kpca_viewer.support.progress import ShouldStop, never

Array = NDArray[Any]


def with_background(
    row: Row, seen: Array, k: int, seed: int, stop: ShouldStop = never
) -> Row:
    """Return a row with its real components and the window of its picture.

    Where the data are too few or too narrow for one of them, it stays unknown.

    Parameters
    ----------
    seen : ndarray of shape (n, d)
        The rows as a kernel sees them.
    """
    try:
        row = _with_stability(row, seen, k, seed, stop)
        return replace(row, real=_real(row, seen, k, seed, stop))
    except Cancelled:
        raise
    except KpcaError:
        return row


def _with_stability(row: Row, seen: Array, k: int, seed: int, stop: ShouldStop) -> Row:
    values = [one.value for one in row.tried if one.value is not None]
    kernels = [row.line.kernel(value) for value in values] or [row.kernel]
    found = stability(seen, kernels, components=k, seed=seed, should_stop=stop)
    if row.value is None:
        return replace(row, stability=found[0].picture)
    window = stable_window(values, found, similarity(found), row.value)
    picture = found[values.index(row.value)].picture
    return replace(row, stability=picture, stable=window)


def _real(row: Row, seen: Array, k: int, seed: int, stop: ShouldStop) -> int:
    if row.real is not None:
        return row.real
    return parallel_analysis(
        seen,
        [row.kernel],
        components=k,
        seed=seed,
        rows=MOST_ROWS,
        should_stop=stop,
    )[0].real
