"""The range of a sweep that is begun before the picture of its data is there."""

import pytest
from PySide6.QtCore import Qt

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.settings import default_axis
from kpca_viewer.window.app import Viewer
from tests.e2e.conftest import end
from tests.e2e.program import Program
from tests.e2e.sweeps import swept

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def program(start):
    return start(SessionSettings(data=DataSettings(values=(("samples", 60.0),))))


def filmed(program):
    """Return the sweep whose film is there."""
    swept(program)
    return program.strip.film.points.sweep


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
    viewer.controllers["sweep"].strip.toggle_play()
    assert viewer.presenter.result is None
    program = Program(qtbot, viewer)
    program.settle()
    fits = default_axis(program.settings, "gamma", program.result.suggested)
    assert fits != default_axis(program.settings, "gamma")
    film = program.strip.film
    program.until(lambda: film.points.sweep.axes == (fits,))
    program.until(lambda: program.strip.playing)
    assert program.viewer.store.notes.sweep.sweep.axes == (fits,)


def test_a_sweep_begun_before_the_picture_of_other_data_takes_their_range(program):
    program.choose("source_combo", "Swiss roll")
    assert program.result.settings.data.source == "circles"
    program.press(Qt.Key.Key_Space, on=program.strip)
    program.settle()
    fits = default_axis(program.settings, "gamma", program.result.suggested)
    film = program.strip.film
    program.until(lambda: film.points.sweep.axes == (fits,))


def test_a_typed_range_stays_though_it_was_there_before_the_picture(qtbot, make):
    viewer = make()
    setup = viewer.controllers["sweep"].strip.setup
    setup.first.high.setValue(7)
    setup.begin()
    program = Program(qtbot, viewer)
    program.settle()
    assert filmed(program).high == 7


def test_a_range_behind_another_workspace_is_that_of_the_data_once_it_is_seen(program):
    setup = program.strip.setup

    def ends():
        axis = default_axis(program.settings, "gamma", program.result.suggested)
        return axis.low, axis.high

    def shown():
        return setup.first.low.value(), setup.first.high.value()

    program.board.show_workspace("sweep")
    assert shown() == pytest.approx(ends())
    program.board.show_workspace("explore")
    before = shown()
    program.choose("source_combo", "Swiss roll")
    program.settle()
    assert not setup.isVisible()
    assert shown() == before != pytest.approx(ends())
    # What is asked of it is of the newest data, though nobody sees it.
    sweep = setup.sweep()
    assert (sweep.axes[0].low, sweep.axes[0].high) == pytest.approx(ends())
    program.choose("source_combo", "Iris")
    program.settle()
    assert shown() != pytest.approx(ends())
    program.board.show_workspace("sweep")
    assert setup.isVisible()
    assert shown() == pytest.approx(ends())
