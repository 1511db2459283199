"""The range of a sweep: changed while its film is there, and fit for other data."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.settings import default_axis
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.window.app import Viewer
from tests.e2e.conftest import end
from tests.e2e.program import Program
from tests.e2e.sweeps import swept, write

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def program(start):
    return start(SessionSettings(data=DataSettings(values=(("samples", 60.0),))))


def filmed(program):
    """Return the sweep whose film is there."""
    swept(program)
    return program.window.sweep_strip.film.points.sweep


def test_the_range_is_changed_above_the_film(program):
    write(program, "steps", "4")
    program.click(program.find(QPushButton, "sweep_start_button"))
    before = filmed(program)
    strip = program.window.sweep_strip
    low = strip.height()
    program.click(program.find(IconButton, "sweep_range_button"))
    assert strip.setup.isVisible()
    assert strip.film.isVisible()
    program.until(lambda: strip.height() > low)
    assert strip.setup.sweep() == before
    write(program, "to", "50")
    assert strip.film.points.sweep == before
    program.click(program.find(QPushButton, "sweep_start_button"))
    after = filmed(program)
    assert (after.low, after.high, after.steps) == (before.low, 50, 4)
    assert not strip.setup.isVisible()
    program.until(lambda: strip.height() == low)
    # Twice is as if nothing had happened.
    for _ in range(2):
        program.click(program.find(IconButton, "sweep_range_button"))
    assert not strip.setup.isVisible()
    assert strip.state() == "done"


def test_a_proposed_range_follows_the_data_and_a_typed_one_stays(program):
    write(program, "steps", "3")
    program.click(program.find(QPushButton, "sweep_start_button"))
    before = filmed(program)
    program.choose("source_combo", "Swiss roll")
    program.settle()
    fits = default_axis(program.settings, "gamma", program.result.suggested)
    film = program.window.sweep_strip.film
    program.until(lambda: film.points.sweep.axes == (replace(fits, steps=3),))
    after = filmed(program)
    assert after.high < before.high / 3
    assert program.viewer.store.notes.sweep.sweep == after
    program.click(program.find(IconButton, "sweep_range_button"))
    write(program, "to", "7")
    program.click(program.find(QPushButton, "sweep_start_button"))
    typed = filmed(program)
    program.choose("source_combo", "Circles")
    program.settle()
    assert filmed(program) == typed


@pytest.fixture
def make(qapp, home):
    """Make the program before its window is shown, or any event has come."""
    made = []

    def make() -> Viewer:
        data = DataSettings("swiss_roll", (("samples", 60.0),))
        made.append(Viewer(SessionSettings(data)))
        return made[-1]

    yield make
    for viewer in made:
        end(viewer)


def test_a_sweep_begun_before_the_first_picture_takes_the_range_of_its_data(
    qtbot, make
):
    viewer = make()
    viewer.window.sweep_strip.toggle_play()
    assert viewer.presenter.result is None
    program = Program(qtbot, viewer)
    program.settle()
    fits = default_axis(program.settings, "gamma", program.result.suggested)
    assert fits != default_axis(program.settings, "gamma")
    film = program.window.sweep_strip.film
    program.until(lambda: film.points.sweep.axes == (fits,))
    program.until(lambda: program.window.sweep_strip.playing)
    assert program.viewer.store.notes.sweep.sweep.axes == (fits,)


def test_a_sweep_begun_before_the_picture_of_other_data_takes_their_range(program):
    program.choose("source_combo", "Swiss roll")
    assert program.result.settings.data.source == "circles"
    program.press(Qt.Key.Key_Space, on=program.window.sweep_strip)
    program.settle()
    fits = default_axis(program.settings, "gamma", program.result.suggested)
    film = program.window.sweep_strip.film
    program.until(lambda: film.points.sweep.axes == (fits,))


def test_a_typed_range_stays_though_it_was_there_before_the_picture(qtbot, make):
    viewer = make()
    setup = viewer.window.sweep_strip.setup
    setup.first.high.setValue(7)
    setup.begin()
    program = Program(qtbot, viewer)
    program.settle()
    assert filmed(program).high == 7
