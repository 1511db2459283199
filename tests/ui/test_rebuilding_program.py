"""The page Rebuild and the curve of the kernel in the real program."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from kpca_viewer.cli import main as cli
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from kpca_viewer.features.kernel_curve.view import KernelCurve
from kpca_viewer.features.rebuild.compute import MOVING_ROWS, PAGE, REBUILDING
from kpca_viewer.widgets.controls import Fold

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)

SMALL = SessionSettings(DataSettings("circles", as_values({"samples": 60})))


@pytest.fixture
def program(start):
    return start(SMALL)


def unfolded_curve(program) -> KernelCurve:
    program.click(program.window.findChild(Fold, "curve_fold").header)
    plot = program.window.findChild(KernelCurve, "kernel_curve")
    assert plot.isVisible()
    return plot


def test_turning_to_the_page_computes_it_and_turning_away_spares_it(program):
    assert program.result.get(REBUILDING) is None
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    found = program.result.get(REBUILDING)
    assert found.parts.n == 60
    # The same settings: nothing is computed again, and nothing was dimmed.
    assert program.viewer.presenter.scene.stale is None
    program.action("page_pca").trigger()
    program.choose("kernel_combo", "Laplacian")
    program.settle()
    assert program.result.get(REBUILDING) is None
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    assert program.result.get(REBUILDING).parts is not found.parts


def test_a_number_of_parts_is_one_step_and_no_analysis(program):
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    before = program.result
    slider = program.window.board.compare.views[PAGE].view.row.slider
    slider.setFocus()
    for _ in range(3):
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert program.settings.view.rebuilt_from == 5
    assert program.result is before
    assert not program.viewer.runner.busy
    assert program.viewer.store.undo_text == "parts of the matrix 2 → 5"
    program.action("undo").trigger()
    assert program.settings.view.rebuilt_from == 2
    assert program.window.board.compare.views[PAGE].view.parts == 2


def test_the_curve_follows_gamma_before_the_answer_comes(program):
    plot = unfolded_curve(program)
    before = plot.points[1].copy()
    slider = program.window.findChild(object, "gamma_slider")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    gamma = dict(program.settings.kernel.values)["gamma"]
    r, k = plot.points
    np.testing.assert_allclose(k, np.exp(-gamma * r * r))
    assert not np.array_equal(before, k)
    program.settle()


def test_a_cell_of_the_matrix_marks_its_pair_on_the_curve(program):
    program.action("page_gram").trigger()
    program.settle()
    gram, plot = (
        program.window.board.compare.views["gram"].view,
        unfolded_curve(program),
    )
    place = gram.plan().cell_rect(4, 30).center()
    QTest.mouseMove(gram, place.toPoint())
    row, other = gram.pair
    X, gamma = program.result.dataset.points, program.result.kernel.values["gamma"]
    r = np.linalg.norm(X[row] - X[other])
    assert plot.marked.at == pytest.approx(r)
    assert plot.marked.value == pytest.approx(np.exp(-gamma * r * r))
    QTest.mouseMove(gram, QPointF(1, 1).toPoint())
    assert plot.marked is None


def test_the_curve_folds_away_and_other_kernels_have_their_own(program):
    fold = program.window.findChild(Fold, "curve_fold")
    plot = program.window.findChild(KernelCurve, "kernel_curve")
    assert not plot.isVisible()
    program.choose("kernel_combo", "Cosine")
    program.settle()
    program.click(fold.header)
    assert plot.isVisible()
    assert "angle" in plot.words()


def test_a_dragged_gamma_is_followed_or_caught_up_with(start):
    for samples in (60, MOVING_ROWS + 10):
        data = DataSettings("circles", as_values({"samples": samples}))
        program = start(SessionSettings(data))
        program.action(f"page_{PAGE}").trigger()
        program.settle()
        before = program.result.get(REBUILDING)
        program.drag_slider("gamma_slider", 0.8)
        program.settle()
        found = program.result.get(REBUILDING)
        assert found is not before
        assert program.result.at_rest
        assert program.window.board.compare.views[PAGE].view.found is found
        gamma, X = program.result.kernel.values["gamma"], program.result.dataset.points
        K = np.exp(-gamma * np.square(X[:, None] - X).sum(axis=2))
        means = K.mean(axis=0)
        expected = K - means - means[:, None] + means.mean()
        np.testing.assert_allclose(found.parts.matrix, expected, atol=1e-12)


def test_a_session_opens_on_the_page_with_its_numbers(program, tmp_path):
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    program.window.board.compare.views[PAGE].tool.button("ways").click()
    path = tmp_path / "a.kpca"
    save(program.viewer.sessions.document(), path)
    program.action("page_pca").trigger()
    program.viewer.controllers["import_sheet"].open_path(path)
    program.until(lambda: program.window.board.compare.pages.value() == PAGE)
    program.settle()
    program.until(lambda: program.result.get(REBUILDING) is not None)
    assert program.settings.view.rebuild == "ways"
    assert program.window.board.compare.views[PAGE].view.ways.isVisible()


@pytest.mark.journey
def test_the_page_becomes_a_picture_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "render circles --samples 40 --what rebuild --title --out a.svg"
    assert cli.main(words.split()) == 0
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "Circles: rebuilt" in drawn
    assert "from 2 parts" in drawn
    numbers = re.findall(r">(\d+\.\d{6,})<", drawn)
    assert len(numbers) == 2
    assert numbers[0] == numbers[1]
