"""The picture of a row is what taking it computes."""

import numpy as np
import pytest

from kpca_viewer.core.methods.kernel_ranking import Line, Row
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.choice_note import with_row
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.point_maker import make_pictures
from kpca_viewer.support.errors import Cancelled

MOONS = SessionSettings(data=DataSettings("moons", (("samples", 60.0),)))
ROWS = [
    Row(Line("rbf", (), "gamma"), 4.0, 1, 0.9, 0.1),
    Row(Line("linear"), None, 2, 0.8, 0.1),
]


def made(settings, wanted, stop=lambda: False):
    found = []
    make_pictures(AnalysisRequest(settings), wanted, StageCache(), stop, found.append)
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.line.family)
def test_a_picture_stands_as_the_result_does(row):
    settings = with_row(MOONS, row)
    point = made(MOONS, [settings])[0]
    result = run(AnalysisRequest(settings), StageCache())
    assert point.settings == settings
    assert not point.error
    scale = np.abs(result.scores[:, :2]).max()
    np.testing.assert_allclose(
        point.film[:, :2], result.scores[:, :2], atol=0.01 * scale
    )
    np.testing.assert_allclose(point.shares, result.shares, atol=1e-3)


def test_a_picture_that_cannot_be_made_says_why():
    settings = SessionSettings(data=DataSettings("points_on_a_line"))
    # Its first point is the origin, which has no direction.
    cosine = with_row(settings, Row(Line("cosine"), None, 1, 0.5, 0.1))
    linear = with_row(settings, ROWS[1])
    failed, there = made(settings, [cosine, linear])
    assert "not defined for row" in failed.error
    assert not there.error


def test_pictures_that_nobody_wants_any_more_are_given_up():
    with pytest.raises(Cancelled):
        made(MOONS, [with_row(MOONS, row) for row in ROWS], lambda: True)
