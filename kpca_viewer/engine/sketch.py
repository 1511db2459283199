"""Some of very many rows, shown where they go while all of them are computed."""

import numpy as np

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.orientation import towards
from kpca_viewer.core.projection import RIGHT, project
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.decomposition import rows_key
from kpca_viewer.engine.forecast import MOVING_RANK, MOVING_TOLERANCE
from kpca_viewer.engine.result import Sketch
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import Prepared, centred, counts
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop

FROM_ROWS = 200_000
"""Rows from which a pass over all of them takes longer than a hand waits for."""

SHOWN = 50_000
"""Rows of a sketch: as many as show the shape of a density picture."""

FITTED = 5000
"""Of these, the ones that tell where the axes are."""


def sketch(
    prepared: Prepared,
    settings: SessionSettings,
    cache: StageCache,
    should_stop: ShouldStop,
) -> Sketch | None:
    """Return some rows, the way round that the picture before has; None without one.

    A first picture decides which way round it is by all of its rows.
    """
    dataset, points, kernel = prepared.dataset, prepared.points, prepared.kernel
    n, scoring = dataset.n, settings.analysis.scoring
    before = cache.peek("previous", rows_key(points, settings))
    if n < FROM_ROWS or kernel is None or not kernel.psd or scoring != RIGHT:
        return None
    if before is None or len(before.eigenvectors) != n:
        return None
    rows: Array = cache.get("sketched rows", points, lambda: _some(n))
    shown: Array = cache.get(
        "sketched points", points, lambda: prepared.scaler.apply(dataset.points[rows])
    )
    few = rows[:: SHOWN // FITTED]
    center = centred(dataset, settings)
    fitted = kernel.prepare_training(points.take(few), center=center)
    kernel.refuse_overflow(fitted)
    problem = Problem(
        PointsGram(fitted, kernel),
        counts(prepared, settings)[0],
        center=center,
        tol=MOVING_TOLERANCE,
        most_landmarks=MOVING_RANK,
        for_new_points=True,
        should_stop=should_stop,
    )
    found = solve(problem)
    known = before.eigenvectors[few].astype(np.float64)
    found = found.oriented(
        towards(found.eigenvectors, found.eigenvalues, known, found.bounds)
    )

    new = kernel.prepare_new(fitted, shown)

    def cross(part: slice, columns: Array | None) -> Array:
        carriers = fitted if columns is None else fitted.take(columns)
        return kernel.block(new.take(part), carriers)

    return Sketch(dataset, rows, project(found, cross, len(rows), should_stop))


def _some(n: int) -> Array:
    return np.sort(np.random.default_rng(0).choice(n, SHOWN, replace=False))
