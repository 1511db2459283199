"""How far rows and eigenvalues would move with other rows, where somebody asks."""

import numpy as np

from kpca_viewer.core.quality import sample_rows
from kpca_viewer.core.reality.bootstrap import (
    FEWEST_ROWS,
    MOST_ROWS,
    Bootstrap,
    bootstrap,
)
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import ViewSettings
from kpca_viewer.session.stages import Prepared, centred, rows_matrix
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

STAGE = "bootstrap"


def are_wanted(view: ViewSettings) -> bool:
    """Return whether embedding and spectrum show them."""
    return view.bootstrap


def are_possible(result: AnalysisResult) -> bool:
    """Return whether there are any: few rows have none, forgotten steps other units."""
    return result.dataset.n >= FEWEST_ROWS and result.scoring.normalised


def known_moves(result: AnalysisResult, cache: StageCache) -> Bootstrap | None:
    """Return what was measured before, if it was."""
    found: Bootstrap | None = cache.peek(STAGE, _key(result))
    return found


def find_moves(
    result: AnalysisResult,
    prepared: Prepared,
    cache: StageCache,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Bootstrap:
    """Fit the model to rows drawn anew, and measure the moves in the picture.

    Raises
    ------
    Cancelled
    """

    def make() -> Bootstrap:
        progress("bootstrap", None)
        rows, axes = sample_rows(result.dataset.n, MOST_ROWS), _axes(result)
        center = centred(result.dataset, result.settings)
        return bootstrap(
            rows_matrix(prepared, rows, center=center),
            rows,
            result.scores[rows][:, axes].astype(np.float64),
            axes,
            components=result.scores.shape[1],
            center=center,
            should_stop=should_stop,
            progress=progress,
        )

    found: Bootstrap = cache.get(STAGE, _key(result), make)
    return found


def _axes(result: AnalysisResult) -> list[int]:
    return result.settings.view.judged_axes(result.scores.shape[1])


def _key(result: AnalysisResult) -> tuple[object, ...]:
    return result.decomposition, tuple(_axes(result))
