"""How far rows and eigenvalues would move with other rows, where somebody asks."""

from collections.abc import Iterator

import numpy as np

from kpca_viewer.core.methods.bootstrap import (
    FEWEST_ROWS,
    MOST_ROWS,
    Bootstrap,
    bootstrap,
)
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stage import Stage, StageInputs
from kpca_viewer.engine.stages import centred, rows_matrix

NAME = "bootstrap"


def _are_possible(result: AnalysisResult) -> bool:
    """Return whether there are any: few rows have none, forgotten steps other units."""
    return result.dataset.n >= FEWEST_ROWS and result.scoring.normalised


def _known_moves(result: AnalysisResult, inputs: StageInputs) -> Bootstrap | None:
    if not result.settings.view.bootstrap:
        return None
    found: Bootstrap | None = inputs.cache.peek(NAME, _key(result))
    return found


def _find_moves(result: AnalysisResult, inputs: StageInputs) -> Iterator[Bootstrap]:
    """Fit the model to rows drawn anew, and measure the moves in the picture.

    Raises
    ------
    Cancelled
    """

    def make() -> Bootstrap:
        inputs.progress("bootstrap", None)
        rows, axes = sample_rows(result.dataset.n, MOST_ROWS), _axes(result)
        center = centred(result.dataset, result.settings)
        return bootstrap(
            rows_matrix(inputs.prepared, rows, center=center),
            rows,
            result.scores[rows][:, axes].astype(np.float64),
            axes,
            components=result.scores.shape[1],
            center=center,
            should_stop=inputs.should_stop,
            progress=inputs.progress,
        )

    yield inputs.cache.get(NAME, _key(result), make)


def _axes(result: AnalysisResult) -> list[int]:
    return result.settings.view.judged_axes(result.scores.shape[1])


def _key(result: AnalysisResult) -> tuple[object, ...]:
    return result.decomposition, tuple(_axes(result))


STAGE = Stage(
    MOVES,
    _known_moves,
    _find_moves,
    in_view=lambda view: view.bootstrap,
    wanted=lambda request, result: (
        request.settings.view.bootstrap and _are_possible(result)
    ),
    view_inputs=lambda view: view.bootstrap,
)
