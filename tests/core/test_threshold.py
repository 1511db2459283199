"""The best threshold on a line, against all of them."""

import numpy as np
import pytest

from kpca_viewer.core.methods.threshold import best_threshold


def brute_force(values, codes):
    best = 0
    for cut in [-np.inf, *np.unique(values)]:
        sides = codes[values <= cut], codes[values > cut]
        best = max(best, sum(np.bincount(side).max(initial=0) for side in sides))
    return best / len(values)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("ties", [False, True])
def test_no_other_threshold_is_better(classes, ties):
    random = np.random.default_rng(3)
    for _ in range(40):
        values = random.normal(size=17)
        values = np.round(values) if ties else values
        codes = random.integers(0, classes, 17)
        found = best_threshold(values, codes)
        assert found.accuracy == pytest.approx(brute_force(values, codes))
        sides = codes[values <= found.place], codes[values > found.place]
        right = sum(np.bincount(side).max(initial=0) for side in sides)
        assert right / 17 == pytest.approx(found.accuracy)


def test_equal_values_are_not_divided():
    found = best_threshold(np.zeros(4), np.array([0, 1, 0, 1]))
    assert (found.place, found.accuracy) == (0, 0.5)
