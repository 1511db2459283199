"""A teacher draws: from an empty plane to a session, a sweep and a script."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from kpca_viewer.data.drawn import SOURCE
from kpca_viewer.engine.document.files import load, save
from tests.e2e.program import CTRL, LEFT, NO_KEY, SHIFT, Program

Key = Qt.Key


def draw(program: Program, *places) -> None:
    view = program.board.data.view
    for x, y in places:
        QTest.mouseMove(view.canvas.viewport(), program.pixel(view, x, y))
        program.click_plot(view, x, y)
        program.settle()


def drawn(program: Program):
    return program.settings.data.drawn


def drag(program: Program, *places) -> None:
    view = program.board.data.view
    program.drag(view, [program.pixel(view, *place) for place in places])
    program.settle()


def test_from_an_empty_plane_to_a_session(program, restart, tmp_path):
    gamma = program.result.kernel.values["gamma"]
    program.choose("source_combo", "Drawn points")
    program.settle()
    assert program.result is None
    assert program.window.status_text() == "Nothing drawn yet"
    assert program.message() == ""

    draw(program, (1, 0), (0, 0.9), (-1, 0))
    assert program.result.dataset.n == 3
    assert program.result.kernel.values["gamma"] == gamma
    program.press(Key.Key_2)
    assert drawn(program).classes == (0, 0, 1)
    drag(program, (0, 0.9), (0.3, 0.6), (0.5, -0.5))
    assert drawn(program).points[1] == pytest.approx((0.5, -0.5), abs=0.02)

    # A brush in another class, then an eraser through the middle of it.
    view = program.board.data.view
    program.click(program.board.drawing.bar.tools.button("brush"))
    QTest.mouseMove(view.canvas.viewport(), program.pixel(view, 1.5, 0.9))
    program.press(Key.Key_4)
    drag(program, *[(x, 0.5) for x in np.linspace(-1.2, 1.2, 25)])
    many = len(drawn(program))
    assert many > 20
    assert set(drawn(program).classes) == {0, 1, 3}
    program.click(program.board.drawing.bar.tools.button("eraser"))
    drag(program, *[(x, 0.5) for x in np.linspace(-0.5, 0.5, 10)])
    assert 3 < len(drawn(program)) < many
    program.press(Key.Key_Z, CTRL)
    program.settle()
    assert len(drawn(program)) == many

    # What was named and selected is saved with the points.
    program.select(0, 2)
    path = tmp_path / "drawn.kpca"
    save(program.viewer.sessions.document(), path)
    saved, wanted = load(path), drawn(program)
    assert saved.settings.data.drawn == wanted
    assert saved.notes.selected.count == 2
    # The next start begins where this one ends.
    again = restart(program)
    assert again.settings.data.source == SOURCE
    assert drawn(again) == wanted
    assert again.result.dataset.n == many
    assert again.selected == [0, 2]
    assert not again.viewer.controllers["drawing"].on


def test_three_pasted_points_give_the_matrix_of_the_text(program):
    program.choose("source_combo", "Points (1, 2)")
    program.settle()
    assert program.settings.kernel.family == "poly"
    assert program.message() == (
        "Points (1, 2), (3, 4), (5, 6): an example with k(x, y) = (xᵀy + 1)²."
    )
    assert program.viewer.store.undo_text.startswith("data Circles → Points")
    QGuiApplication.clipboard().setText("(1,2),(3,4),(5,6)")
    program.press(Key.Key_V, CTRL | SHIFT)
    program.settle()
    assert drawn(program).points == ((1, 2), (3, 4), (5, 6))
    # The kernel of the example stays with the points that take its place.
    assert program.result.picture.raw == pytest.approx(
        np.array([[36, 144, 324], [144, 676, 1600], [324, 1600, 3844]])
    )
    program.press(Key.Key_Z, CTRL)
    program.press(Key.Key_Z, CTRL)
    program.settle()
    assert program.settings.kernel.family == "rbf"
    assert program.result.dataset.name == "Circles"


def test_an_example_is_left_with_the_kernel_of_before(program):
    program.press(Key.Key_4)
    program.settle()
    family = program.settings.kernel.family
    program.choose("source_combo", "Three points")
    program.settle()
    assert program.settings.kernel.family == "poly"
    program.choose("source_combo", "Moons")
    program.settle()
    assert program.settings.kernel.family == family
    assert program.message() == ""
    program.choose("source_combo", "Two rings")
    program.settle()
    program.buttons()["Keep Laplacian"].click()
    program.settle()
    assert program.settings.kernel.family == family
    assert program.result.dataset.n == 8


def test_drawn_points_are_swept_pinned_and_scripted(program):
    program.action("empty_plane").trigger()
    program.settle()
    draw(program, (1, 0), (0, 0.9), (-1, 0), (0, -0.9))
    program.action("pin").trigger()
    program.action("sweep_start").trigger()
    strip = program.strip
    program.until(lambda: strip.result() and len(strip.result().points) > 5)
    # The film follows the hand, and the stroke is still one step.
    drag(program, (1, 0), (0.9, 0.3), (0.8, 0.5), (0.7, 0.6))
    program.until(lambda: strip.state() == "done")
    assert strip.result().base.data.drawn == drawn(program)
    assert program.viewer.store.undo_text == "move of a point"
    program.press(Key.Key_Z, CTRL)
    program.settle()
    assert drawn(program).points[0] == pytest.approx((1, 0), abs=0.02)
    # A pin of other points does not lie on top of these.
    draw(program, (0.5, 0.5))
    program.action("pin").trigger()
    program.action("compare").trigger()
    program.settle()
    program.until(lambda: strip.state() == "done")
    points = drawn(program).points
    program.action("copy_code").trigger()
    program.until(lambda: "KernelPCA" in QGuiApplication.clipboard().text())
    names = {"__name__": "script"}
    exec(compile(QGuiApplication.clipboard().text(), "script.py", "exec"), names)
    assert [tuple(row) for row in names["X"].tolist()] == list(points)
    scores = program.result.scores
    assert np.abs(names["scores"]) == pytest.approx(np.abs(scores), abs=1e-6)


def test_a_storm_of_points_and_steps_back_leaves_nothing_broken(program):
    program.action("draw").trigger()
    view, random = program.board.data.view, np.random.default_rng(3)
    paper = view.canvas.viewport()
    frame = view.area.frame
    keys = [Key.Key_Delete, Key.Key_1, Key.Key_5, Key.Key_0]
    for _ in range(120):
        at = QPoint(
            round(frame.left + random.uniform() * frame.width),
            round(frame.top + random.uniform() * frame.height),
        )
        what = random.integers(6)
        if what < 3:
            QTest.mouseClick(paper, LEFT, NO_KEY, at)
        elif what == 3:
            QTest.mouseMove(paper, at)
            program.press(keys[random.integers(len(keys))])
        elif what == 4:
            program.press(Key.Key_Z, CTRL)
        else:
            program.select(int(random.integers(program.result.dataset.n)))
    program.settle()
    shown, wanted = program.result.dataset, program.settings.data
    if wanted.drawn is not None:
        assert shown.points.tolist() == wanted.drawn.array().tolist()
    assert view.point_count == shown.n
    assert program.message() == ""
    while program.viewer.store.undo_text is not None:
        program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.n == 400


def test_a_sweep_of_nothing_says_so(program):
    program.action("sweep_start").trigger()
    strip = program.strip
    program.until(lambda: strip.state() == "done")
    program.action("empty_plane").trigger()
    program.until(lambda: strip.state() == "idle")
    program.settle()
    assert program.message() == ""
    # The pencil has its paper on the stage, wherever it was taken.
    assert program.board.on_stage == "data"
    draw(program, (1, 0), (0, 0.9), (-1, 0))
    program.until(lambda: strip.state() == "done")
    assert strip.result().base.data.drawn == drawn(program)
