"""Linear PCA is the same way round as the embedding, and stays so."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.alignment import orientation
from kpca_viewer.session.analysis import run
from kpca_viewer.session.comparison import linear_pca


def agreement(result) -> np.ndarray:
    """Return how far the components of both pictures run alike, −1 … 1."""
    k = min(result.scores.shape[1], result.linear.scores.shape[1])
    return np.array(
        [
            np.corrcoef(result.scores[:, j], result.linear.scores[:, j])[0, 1]
            for j in range(k)
        ]
    )


@pytest.mark.parametrize("source", ["iris", "wine", "blobs", "swiss_roll", "moons"])
@pytest.mark.parametrize("family", ["linear", "rbf", "poly"])
def test_no_picture_is_the_mirror_image_of_the_other(analysed, source, family):
    assert agreement(analysed(source, family)).min() >= -0.11


def test_it_stays_while_the_kernel_changes(analysed):
    first = analysed("wine", scaling="standardise", gamma=0.01).linear
    for family, gamma in (("rbf", 0.1), ("rbf", 3.0), ("laplacian", 0.5)):
        result = analysed("wine", family, scaling="standardise", gamma=gamma)
        assert result.linear is first


def test_more_components_leave_the_known_ones_as_they_are(analysed):
    few = analysed("digits", gamma=0.001, analysis={"components": 3}).linear
    many = analysed("digits", gamma=0.1, analysis={"components": 12}).linear
    assert orientation(many.directions)[:3] == orientation(few.directions)
    again = analysed("digits", gamma=0.001, analysis={"components": 3}).linear
    np.testing.assert_array_equal(again.scores, few.scores)


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_a_session_says_which_way_round(request_for, cache, signs):
    run(request_for(), cache)
    result = run(replace(request_for(), linear_signs=signs), cache)
    assert orientation(result.linear.directions) == signs
    # From then on it is so, whatever was there before the session was opened.
    assert run(request_for(gamma=3.0), cache).linear.scores == pytest.approx(
        result.linear.scores
    )
    point = np.array([[0.3, -0.2]])
    plain = linear_pca(result.points.dense(), 10)
    assert result.project_linearly(point) == pytest.approx(
        plain.project(result.scaler.apply(point)) * signs
    )
    assert not result.linear.scores.flags.writeable
