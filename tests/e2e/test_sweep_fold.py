"""A film that is folded away comes back as it was."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QPushButton

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.sweep import presenter as sweep_presenter
from kpca_viewer.widgets.controls import IconButton
from tests.e2e.files import accept, open_file
from tests.e2e.sweeps import sweep, write

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folded(start):
    """A program whose sweep was computed, used and folded away."""
    data = DataSettings(values=(("samples", 120.0),))
    program = start(SessionSettings(data=data))
    for name, text in (("from", "0.12"), ("to", "12"), ("steps", "5")):
        write(program, name, text)
    sweep(program)
    strip = program.window.sweep_strip
    strip.adopt(strip.film.points.at(3))
    program.settle()
    program.points = strip.result().points
    program.click(program.find(IconButton, "sweep_fold_button"))
    assert strip.state() == "idle"
    return program


def described(program):
    """Return the range and the steps in the line that is left."""
    names = (f"sweep_{name}_field" for name in ("from", "to", "steps"))
    return [program.find(QAbstractSpinBox, name).value() for name in names]


def test_the_same_film_comes_back(folded):
    strip = folded.window.sweep_strip
    assert described(folded) == [0.12, 12, 5]
    folded.click(folded.find(IconButton, "sweep_unfold_button"))
    assert strip.state() == "done"
    # Nothing was computed for that.
    assert strip.result().points == folded.points
    assert strip.film.playhead == 3
    assert not folded.viewer.controllers["sweep"].runner.busy
    # To play brings it back too.
    folded.click(folded.find(IconButton, "sweep_fold_button"))
    assert strip.state() == "idle"
    folded.action("play").trigger()
    assert strip.playing
    assert strip.result().points == folded.points
    folded.action("play").trigger()
    folded.settle()


def test_a_step_brings_it_back(folded):
    folded.action("sweep_forward").trigger()
    folded.settle()
    strip = folded.window.sweep_strip
    # The same points, though the film as a whole may have turned with the board.
    for before, after in zip(folded.points, strip.result().points, strict=True):
        assert after.measures is before.measures
        np.testing.assert_array_equal(np.abs(after.film), np.abs(before.film))
    assert strip.film.playhead == 4


def test_a_film_of_other_data_is_computed_when_it_is_wanted(folded):
    settings = folded.settings
    data = replace(settings.data, seed=5)
    folded.window.changes.request(replace(settings, data=data))
    folded.settle()
    strip, runner = folded.window.sweep_strip, folded.viewer.controllers["sweep"].runner
    assert strip.state() == "idle"
    assert not runner.busy
    folded.click(folded.find(IconButton, "sweep_unfold_button"))
    folded.until(lambda: strip.state() == "done")
    points = strip.result().points
    assert [p.values for p in points] == [p.values for p in folded.points]
    assert {p.settings.data.seed for p in points} == {5}


def test_very_many_rows_are_swept_when_somebody_wants_it(folded, monkeypatch, tmp_path):
    monkeypatch.setattr(sweep_presenter, "LARGE_FROM", 30)
    file = tmp_path / "many.csv"
    np.savetxt(file, np.random.default_rng(0).normal(size=(40, 2)), delimiter=",")
    folded.click(folded.find(IconButton, "sweep_unfold_button"))
    strip, runner = folded.window.sweep_strip, folded.viewer.controllers["sweep"].runner
    folded.until(lambda: strip.state() == "done")
    open_file(folded, file)
    accept(folded)
    assert strip.state() == "idle"
    assert not runner.busy
    assert folded.find(IconButton, "sweep_unfold_button").isVisible()


def test_a_kernel_without_the_parameter_takes_it_away(folded):
    folded.action("kernel_linear").trigger()
    folded.settle()
    assert not folded.window.sweep_strip.setup.unfold.isVisible()
    assert folded.viewer.store.notes.sweep is None


def test_settings_that_change_meanwhile_are_said(folded):
    folded.action("toggle_center").trigger()
    folded.settle()
    folded.click(folded.find(IconButton, "sweep_unfold_button"))
    assert folded.window.sweep_strip.bar.progress.text() == "the settings have changed"


def test_a_folded_film_is_part_of_the_session(folded, restart):
    again = restart(folded)
    strip = again.window.sweep_strip
    again.until(lambda: strip.state() == "done")
    assert [point.values for point in strip.result().points] == [
        point.values for point in folded.points
    ]


@pytest.fixture
def cancelled(start):
    """A program whose sweep was cancelled while most of its values were missing."""
    data = DataSettings(values=(("samples", 120.0),))
    program = start(SessionSettings(data=data))
    write(program, "steps", "200")
    runner = program.viewer.controllers["sweep"].runner
    with program.qtbot.waitSignal(runner.point_ready):
        program.click(program.find(QPushButton, "sweep_start_button"))
    program.click(program.find(QPushButton, "sweep_cancel_button"))
    program.until(lambda: not runner.busy)
    assert program.window.sweep_strip.state() == "done"
    return program


def test_a_cancelled_sweep_waits_at_the_next_start_until_it_is_wanted(
    cancelled, restart
):
    again = restart(cancelled)
    strip, runner = again.window.sweep_strip, again.viewer.controllers["sweep"].runner
    assert strip.folded
    assert not runner.busy
    assert described(again)[2] == 200
    again.click(again.find(IconButton, "sweep_unfold_button"))
    assert strip.state() == "running"
    assert not again.viewer.store.notes.sweep.cancelled
    again.click(again.find(QPushButton, "sweep_cancel_button"))


def test_other_data_do_not_start_a_cancelled_sweep(cancelled):
    data = DataSettings("moons", (("samples", 100.0),))
    with cancelled.qtbot.assertNotEmitted(
        cancelled.viewer.controllers["sweep"].runner.started
    ):
        cancelled.viewer.store.update(replace(cancelled.settings, data=data))
        cancelled.settle()
    assert cancelled.window.sweep_strip.folded
    assert cancelled.viewer.store.notes.sweep.cancelled


def test_a_cancelled_sweep_is_started_again_as_the_same_step(cancelled):
    step = cancelled.action("undo").text()
    cancelled.click(cancelled.find(QPushButton, "sweep_again_button"))
    assert cancelled.window.sweep_strip.state() == "running"
    assert not cancelled.viewer.store.notes.sweep.cancelled
    assert cancelled.action("undo").text() == step
    cancelled.click(cancelled.find(QPushButton, "sweep_cancel_button"))
