"""Drawn points through the analysis, the history, session files and code."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.drawn import SOURCE, Drawn
from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.notes import Notes, rows_of
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    source_title,
)
from kpca_viewer.engine.sweep.parameters import sweepable
from kpca_viewer.engine.text.undo_titles import describe_change, describe_drawing
from kpca_viewer.export.script import as_python
from kpca_viewer.support.errors import DataError

THREE = Drawn().added([(1, 0), (0, 1), (-1, 0)], [0, 1, 0])
SQUARED = KernelSettings("poly", (("coef0", 0.0), ("degree", 2.0), ("gamma", 1.0)))


def settings_of(drawn, kernel=SQUARED, **more):
    return SessionSettings(DataSettings(SOURCE, drawn=drawn, **more), kernel)


def test_drawn_points_give_the_numbers_of_the_worked_example(cache):
    result = run(AnalysisRequest(settings_of(THREE)), cache)
    assert result.decomposition.eigenvalues[0] == pytest.approx(4 / 3)
    assert np.abs(result.scores[:, 0]) == pytest.approx(
        [0.4714, 0.9428, 0.4714], abs=5e-5
    )
    assert result.dataset.labels.tolist() == [0, 1, 0]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_points_at_one_place_have_no_variance(cache, count):
    drawn = Drawn().added([(1, 2)] * count, 0)
    result = run(AnalysisRequest(settings_of(drawn, KernelSettings())), cache)
    assert not result.scores.any()
    assert np.isnan(result.shares).all(), "there is no variance to share out"


def test_nothing_drawn_is_said_by_whoever_asks_all_the_same(cache):
    assert settings_of(Drawn()).data.is_empty
    assert not settings_of(THREE).data.is_empty
    with pytest.raises(DataError, match="Nothing is drawn yet"):
        run(AnalysisRequest(settings_of(Drawn())), cache)


def test_data_in_the_window_cannot_take_the_place_of_drawn_ones(cache):
    other = {SOURCE: Drawn().added([(5, 5), (6, 6)], 0).dataset()}
    result = run(AnalysisRequest(settings_of(THREE), other), cache)
    assert result.dataset.n == 3


def test_a_dragged_point_turns_no_picture_round(cache):
    random = np.random.default_rng(0)
    drawn = Drawn().added(random.normal(size=(30, 2)).tolist(), 0)
    before = run(
        AnalysisRequest(settings_of(drawn, KernelSettings()), moving=True), cache
    )
    for step in range(8):
        drawn = drawn.moved(3, (step / 2, -step / 3))
        if step > 4:
            drawn = drawn.added([(step, step)], 0)
        request = AnalysisRequest(settings_of(drawn, KernelSettings()), moving=True)
        result = run(request, cache)
        n = before.dataset.n
        assert (result.scores[:n] * before.scores[:n]).sum(axis=0)[0] > 0
        before = result


def test_rows_are_the_same_wherever_they_are():
    assert rows_of(settings_of(THREE).data) == rows_of(
        settings_of(THREE.moved(0, (4, 4))).data
    )


def test_a_session_keeps_what_was_drawn(tmp_path, cache):
    drawn = THREE.added([(0.1 + 0.2, 1e-30)], -1).with_class_named("<b>cat</b>")[0]
    document = Document(settings_of(drawn), Notes(new_points=((0.5, 0.5),)))
    save(document, tmp_path / "a.kpca")
    again = load(tmp_path / "a.kpca")
    assert again == document
    assert again.settings.data.drawn == drawn
    assert again.data.at_hand
    assert run(AnalysisRequest(again.settings), cache).dataset.n == 4
    save(Document(settings_of(Drawn())), tmp_path / "b.kpca")
    assert load(tmp_path / "b.kpca").settings.data.is_empty


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"classes":[0,1,0]', b'"classes":[0,1]'),
        (b'"points":[[1.0,', b'"points":[[1e999,'),
        (b'"source":"drawn"', b'"source":"circles"'),
    ],
)
def test_a_session_with_a_damaged_drawing_is_refused(old, new):
    text = b"".join(to_bytes(Document(settings_of(THREE))).split())
    assert old in text
    with pytest.raises(DataError, match="damaged"):
        from_bytes(text.replace(old, new))


@pytest.mark.parametrize(
    ("library", "count"), [("kpca_viewer", 3), ("sklearn", 3), ("kpca_viewer", 1_001)]
)
def test_code_holds_the_points_however_many(cache, library, count):
    random = np.random.default_rng(1)
    drawn = Drawn().added(random.normal(size=(count, 2)).tolist(), 1)
    settings = replace(settings_of(drawn), analysis=AnalysisSettings(2))
    result = run(AnalysisRequest(settings), cache)
    names = {"__name__": "script"}
    exec(compile(as_python(result, library), "script.py", "exec"), names)
    assert names["X"].tolist() == [list(point) for point in drawn.points]
    assert np.abs(names["scores"]) == pytest.approx(np.abs(result.scores), abs=1e-6)


def test_steps_are_named():
    a = np.array([True, False, False])
    for other, words in (
        (THREE.added([(0, 0)], 0), "drawn point"),
        (THREE.added([(0, 0)] * 40, 0), "40 drawn points"),
        (THREE.without(a), "removal of a point"),
        (THREE.without(~a), "removal of 2 points"),
        (THREE.moved(0, (9, 9)), "move of a point"),
        (THREE.classed(a, 4), "class 5 of a point"),
        (THREE.classed(~a, -1), "class none of 2 points"),
        (replace(THREE, classes=(5, 6, 7)), "classes of points"),
    ):
        assert describe_drawing(THREE, other) == words
        assert describe_change(settings_of(THREE), settings_of(other)) == words
    circles = SessionSettings()
    assert describe_change(circles, settings_of(THREE)) == "data Circles → Drawn points"
    assert source_title(SOURCE) == "Drawn points"


def test_a_sweep_of_drawn_points_is_one_over_the_kernel():
    found = sweepable(settings_of(THREE))
    assert "gamma" in found
    assert not {"samples", "noise", "seed"} & set(found)
