"""A walk along a component."""

import numpy as np
import pytest

from kpca_viewer.engine.settings import AnalysisSettings
from kpca_viewer.features.preimage.compute import (
    MOST_LINES,
    PlaceFinder,
    WalkRequest,
    find_walk,
)
from kpca_viewer.features.preimage.text import walk_words
from kpca_viewer.support.errors import Cancelled
from tests.session.preimages.test_finder import answer


def test_a_walk_of_the_linear_kernel_is_a_straight_line():
    result = answer("iris", "linear", analysis=AnalysisSettings(components=4))
    scores = result.scores[7].astype(float)
    walk = find_walk(WalkRequest(PlaceFinder(result), scores, 1, (0, 1)))
    X = np.array([place.values for place in walk.places])
    steps = np.diff(X, axis=0)
    np.testing.assert_allclose(steps, np.broadcast_to(steps[0], steps.shape), atol=1e-6)
    length = np.diff(walk.values)[0]
    np.testing.assert_allclose(np.linalg.norm(steps[0]), length, rtol=1e-6)
    assert walk.nearest(walk.values[3] + 1e-9) == 3
    assert "PC 2 from" in walk_words(walk)
    assert "at all 9 places" in walk_words(walk)


def test_the_columns_that_move_most_are_drawn():
    result = answer("wine")
    scores = result.scores[7].astype(float)
    finder = PlaceFinder(result)
    walk = find_walk(WalkRequest(finder, scores, 4, (0, 1)))
    lines = walk.moving_columns(finder)
    assert len(lines) == MOST_LINES
    X = result.dataset.points
    ways = np.array([place.values for place in walk.places])
    moved = np.ptp(ways, axis=0) / X.std(axis=0)
    expected = [result.dataset.feature_names[j] for j in np.argsort(-moved)[:5]]
    assert [name for name, _ in lines] == expected


def test_a_walk_stops_when_nobody_wants_it():
    result = answer("iris", "linear")
    request = WalkRequest(
        PlaceFinder(result), result.scores[0].astype(float), 0, (0, 1)
    )
    with pytest.raises(Cancelled):
        find_walk(request, lambda: True)
