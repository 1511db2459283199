"""Old points never stand under the name of other data."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt

from kpca_viewer.engine.result import Sketch
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    SessionSettings,
    as_values,
)
from tests.e2e.program import CTRL, SMALL

SLOW = SessionSettings(
    data=DataSettings("moons", as_values({"samples": 8_000})),
    analysis=AnalysisSettings(solver="dense"),
)


def said(program):
    return {panel.stale_words() for panel in program.board.panels}


def test_a_picture_says_whose_it_still_is_while_other_data_are_computed(start):
    program = start(SMALL)
    program.viewer.store.update(SLOW)
    program.until(program.board.embedding.is_dimmed)
    assert program.viewer.runner.busy
    assert said(program) == {"Still Circles; computing Moons …"}
    assert program.board.data.title() == "Circles"
    assert program.window.windowTitle().startswith("Circles")
    assert program.board.embedding.view.point_count == 60
    # Who changes their mind meanwhile is not told what nobody computes any more.
    roll = replace(SLOW, data=DataSettings("swiss_roll", SLOW.data.values))
    program.viewer.store.update(roll)
    assert said(program) == {"Still Circles; computing Swiss roll …"}
    program.press(Qt.Key.Key_Escape)
    assert said(program) == {"Still Circles; Swiss roll was cancelled"}
    program.press(Qt.Key.Key_Z, CTRL)
    assert said(program) == {"Still Circles; computing Moons …"}
    program.press(Qt.Key.Key_Z, CTRL)
    assert said(program) == {""}
    program.settle()
    assert not program.board.embedding.is_dimmed()


def test_the_words_go_with_the_first_picture_of_the_new_data(start):
    program = start(SMALL)
    few = replace(SLOW, data=SLOW.data.with_value("samples", 1500.0))
    program.viewer.store.update(SLOW)
    program.until(program.board.embedding.is_dimmed)
    program.viewer.store.update(few)
    assert said(program) == {"Still Circles; computing Moons …"}
    program.settle()
    assert said(program) == {""}
    assert program.board.data.title() == "Moons"
    assert program.board.embedding.view.point_count == 1500


def test_a_draft_of_some_rows_ends_with_its_data(start):
    program = start(SMALL)
    panel, result = program.board.embedding, program.board.scene.result
    rows = np.arange(0, 60, 3)
    program.viewer.runner.sketched.emit(
        Sketch(result.dataset, rows, result.scores[rows])
    )
    assert panel.view.is_partial
    program.viewer.store.update(SLOW)
    assert not panel.view.is_partial
    assert panel.view.area.cloud.shown.all()


def test_data_that_cannot_be_computed_do_not_name_the_picture(start):
    program = start(SMALL)
    kernel = replace(
        SMALL.kernel, family="poly", values=as_values({"degree": 10, "gamma": 1e9})
    )
    program.viewer.store.update(
        replace(SMALL, data=DataSettings("breast_cancer"), kernel=kernel)
    )
    program.settle()
    assert "overflows" in program.message()
    assert said(program) == {"Still Circles; Breast cancer could not be computed"}


def test_points_are_old_as_well_where_a_drag_has_asked_for_others(start):
    program = start(SMALL)
    changes = program.window.changes
    changes.request(SLOW, "samples")
    changes.gesture_ended.emit()
    program.until(program.board.embedding.is_dimmed)
    assert said(program) == {"Still Circles; computing Moons …"}
    program.press(Qt.Key.Key_Escape)


def test_what_answers_is_not_dimmed_while_it_becomes_exact(start, monkeypatch):
    monkeypatch.setattr("kpca_viewer.window.presenter.STALE_AFTER", 0)
    many = replace(SMALL, data=SMALL.data.with_value("samples", 4_000.0))
    program = start(many)
    program.settle()
    panel, seen, dimmed = program.board.embedding, [], []
    set_dimmed = panel.set_dimmed

    def note(dims):
        answers = program.result.settings.kernel == program.settings.kernel
        dimmed.append((dims, answers))
        set_dimmed(dims)

    monkeypatch.setattr(panel, "set_dimmed", note)
    program.viewer.runner.result_ready.connect(lambda x: seen.append(x.at_rest))
    program.drag_slider("gamma_slider", 0.6)
    program.settle()
    assert not seen[0]
    assert seen[-1]
    assert (True, True) not in dimmed
