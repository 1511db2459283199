"""Which way round a picture of a sweep is, compared with the board."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.sweep_point import SweepPoint

Floats = NDArray[np.float64]


def signs_towards(point: SweepPoint | None, result: AnalysisResult | None) -> Floats:
    """Return ±1 for every axis (3,), −1 where the point shows it mirrored.

    Signs are chosen by the history of the window there and by the sweep here.
    """
    signs = np.ones(3)
    if point is None or result is None or point.n != result.dataset.n:
        return signs
    coordinates, rows = point.thumbnail, point.rows
    if point.film is not None:
        coordinates, rows = point.film, np.arange(point.n)
    axes = point.settings.view.axes
    for place, axis in enumerate(axes[: coordinates.shape[1]]):
        if axis < result.scores.shape[1]:
            along = float(coordinates[:, place] @ result.scores[rows, axis])
            signs[place] = -1.0 if along < 0 else 1.0
    return signs


def mirrored(point: SweepPoint, signs: Floats) -> SweepPoint:
    """Return a point with its axes turned round where the sign is −1."""
    if point.error or (signs > 0).all():
        return point
    turn = signs.astype(point.thumbnail.dtype)
    thumbnail, film = point.thumbnail * turn[:2], point.film
    thumbnail.flags.writeable = False
    if film is not None:
        film = film * turn
        film.flags.writeable = False
    return replace(point, thumbnail=thumbnail, film=film)
