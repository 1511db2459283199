"""Every count that is too small for a picture has its sentence."""

import pytest

from kpca_viewer.data.drawn import SOURCE, Drawn
from kpca_viewer.session.analysis import AnalysisRequest, run
from kpca_viewer.session.settings import AnalysisSettings, DataSettings, SessionSettings
from kpca_viewer.session.words.few_points import about_few


def words(cache, places, center=True):
    data = DataSettings(SOURCE, drawn=Drawn().added(places, 0))
    settings = SessionSettings(data, analysis=AnalysisSettings(center=center))
    return about_few(run(AnalysisRequest(settings), cache))


@pytest.mark.parametrize(
    ("places", "wanted"),
    [
        ([(1, 2)], "One point has no variance; add a second."),
        ([(1, 2), (3, 4)], "Two points have one component at most."),
        (
            [(1, 2)] * 2,
            "Both points are at one place: there is no variance; move one.",
        ),
        (
            [(1, 2)] * 4,
            "All 4 points are at one place: there is no variance; move one.",
        ),
        ([(1, 2), (3, 4), (5, 6)], ""),
    ],
)
def test_few_points_are_told(cache, places, wanted):
    assert words(cache, places) == wanted


def test_nothing_is_said_where_the_mean_counts(cache):
    assert words(cache, [(1, 2)], center=False) == ""
