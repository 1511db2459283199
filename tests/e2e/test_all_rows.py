"""All rows of a folder: asked for, shown, left again, refused."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from kpca_viewer.data.parts import sampling
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.export.script import as_python
from kpca_viewer.features.outliers.stages import ODD_ROWS
from tests.e2e.files import accept, again, drop, write_rings
from tests.e2e.program import Program

PARTS, ROWS, SAMPLE = 5, 400, 250


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(sampling, "SAMPLE", SAMPLE)
    return write_rings(tmp_path / "rings", PARTS, ROWS)


@pytest.fixture
def opened(start, folder) -> Program:
    program = start()
    drop(program, folder)
    accept(program)
    return program


def background(program: Program):
    return program.board.embedding.view.area.underlay.image


def test_all_rows_are_offered_computed_and_left_again(opened):
    program, total = opened, PARTS * ROWS
    told = f"The picture is of {SAMPLE} of {total:,} rows, drawn at random."
    assert program.message() == told
    assert program.action("fit_all_rows").isEnabled()
    of_sample = program.result
    program.click(program.buttons()["All rows"])
    program.settle()
    result = program.result
    assert result.full_fit.n == result.decomposition.n == total
    assert program.action("fit_all_rows").isChecked()
    assert f"all {total:,} rows × 2" in program.window.status_text()
    assert "drawn at random" not in program.window.status_text()
    # Points are those that were drawn, and behind them lie all.
    assert len(program.embedding) == SAMPLE
    assert background(program) is not None
    caption = program.caption("embedding")
    assert f"how densely all {total:,} rows lie" in caption
    assert f"Of the {SAMPLE} rows drawn" in program.caption("page")
    assert program.action("undo").text() == "&Undo all rows on"
    # No axis has turned round.
    both = result.scores[:, :2] * of_sample.scores[:, :2]
    assert (both.sum(axis=0) > 0).all()

    # Another value is one of the sample until somebody asks again.
    program.drag_slider("gamma_slider", 0.7)
    program.settle()
    assert program.result.full_fit is None
    assert not program.action("fit_all_rows").isChecked()
    assert background(program) is None
    assert program.message() == told
    assert "drawn at random" in program.window.status_text()
    program.viewer.store.undo()
    program.settle()
    assert program.result.full_fit is not None
    assert background(program) is not None

    # Other axes have their own density.
    first = program.result.full_fit.density
    program.viewer.presenter.change(
        SessionSettings(
            program.settings.data,
            program.settings.kernel,
            program.settings.analysis,
            program.settings.view.with_axis(0, 2),
        )
    )
    program.settle()
    every = program.result.full_fit
    assert every.axes == (2, 1)
    assert not np.array_equal(every.density.counts, first.counts)
    program.action("embedding_3d").trigger()
    program.settle()
    assert program.result.full_fit.density is None
    assert background(program) is None

    # A kernel that needs all rows at once offers none.
    program.action("kernel_sigmoid").trigger()
    program.settle()
    assert not program.action("fit_all_rows").isEnabled()
    assert "All rows" not in program.buttons()
    assert program.find(QLabel, "rows_note").text()


def test_a_session_opens_with_the_sample(opened, start, tmp_path):
    program = opened
    program.action("fit_all_rows").trigger()
    program.settle()
    path = tmp_path / "rings.kpca"
    save(program.viewer.sessions.document(), path)
    text = as_python(program.result)
    assert f"the model of all {PARTS * ROWS:,} rows" in text
    program = again(start, path)
    assert program.result.full_fit is None
    assert not program.action("fit_all_rows").isChecked()
    assert program.action("fit_all_rows").isEnabled()


def test_a_pass_can_be_cancelled_and_taken_up_again(opened):
    program = opened
    before = program.result.scores
    stages: list[str] = []

    def cancel(stage: str, _fraction: float) -> None:
        stages.append(stage)
        if stage == "first look" and stages.count(stage) == 1:
            program.window.progress.cancel_requested.emit()

    program.viewer.runner.progressed.connect(cancel)
    program.action("fit_all_rows").trigger()
    program.until(lambda: "Compute again" in program.buttons())
    assert program.result.full_fit is None
    assert np.array_equal(program.result.scores, before)
    program.click(program.buttons()["Compute again"])
    program.settle()
    assert program.result.full_fit.n == PARTS * ROWS


def test_odd_rows_and_new_points_are_measured_by_the_sample(opened):
    program = opened
    program.action("page_odd").trigger()
    program.settle()
    program.action("fit_all_rows").trigger()
    program.settle()
    assert program.result.get(ODD_ROWS) is not None
    assert program.caption("page").startswith(f"Of the {SAMPLE} rows drawn: ")
    program.click_plot(program.board.data.view, 0.62, 0.1)
    # Once that was no double-click.
    program.until(lambda: len(program.board.new_points.positions) == 1)


def test_what_is_wrong_with_a_part_leaves_the_picture(opened, folder):
    program = opened
    before = program.result.scores
    rows = np.load(folder / "part3.npy")
    rows[6, 1] = np.inf
    np.save(folder / "part3.npy", rows)
    program.action("fit_all_rows").trigger()
    program.settle()
    assert "Part 3 (part3.npy), row 7, column “x2”" in program.message()
    assert np.array_equal(program.result.scores, before)
    assert "Undo" in program.buttons()
