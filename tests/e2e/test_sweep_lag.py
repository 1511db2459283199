"""While a film plays, whatever still shows the value that is set steps back."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.e2e.program import SMALL
from tests.e2e.sweeps import sweep

LEFT = Qt.MouseButton.LeftButton


def sweep_over(program, parameter="γ Gamma"):
    """Sweep over a parameter in a few steps."""
    program.choose("sweep_parameter_combo", parameter)
    sweep(program, steps=4)


def play(program):
    program.action("play").trigger()
    program.until(lambda: program.board.embedding.note() != "")


def stop(program):
    """Nobody looks: it stops without taking a value."""
    program.window.sweep_strip.hide()
    program.settle()


def dimmed(program):
    """Return the panels that are dimmed as a whole."""
    names = ("data", "embedding", "spectrum", "compare")
    return {name for name in names if getattr(program.board, name).is_dimmed()}


def pale(program):
    """Return which lines of words are dimmed."""
    lines = {
        name: program.find(QLabel, "status_label")
        if name == "status"
        else getattr(program.board, name).findChild(QLabel, "panel_caption")
        for name in ("data", "embedding", "spectrum", "compare", "status")
    }
    return {name for name, line in lines.items() if not line.isEnabled()}


def isolines(program):
    return program.board.data.view.area.underlay.opacity()


def test_what_stays_at_the_old_value_is_dimmed(start):
    program = start(SMALL)
    program.board.compare.show_page("gram")
    sweep_over(program)
    play(program)
    assert dimmed(program) == {"spectrum", "compare"}
    assert pale(program) == {"spectrum", "compare", "data", "status"}
    # The rows are the same for every γ; only the lines are not.
    assert isolines(program) < 0.6
    stop(program)
    assert dimmed(program) == pale(program) == set()
    assert isolines(program) == 1


def test_pages_without_a_kernel_are_not_dimmed(start):
    program = start(SMALL)
    sweep_over(program)
    play(program)
    assert dimmed(program) == {"spectrum"}
    # Its verdict is about the kernel all the same.
    assert "compare" in pale(program)
    program.board.compare.show_page("gram")
    assert dimmed(program) == {"spectrum", "compare"}
    program.board.compare.show_page("table")
    assert dimmed(program) == {"spectrum"}
    stop(program)
    program.board.compare.show_page("gram")
    assert dimmed(program) == pale(program) == set()


def test_a_film_over_data_dims_the_data_too(start):
    program = start(SMALL)
    sweep_over(program, "Noise")
    play(program)
    assert dimmed(program) == {"data", "spectrum", "compare"}
    stop(program)
    assert dimmed(program) == set()


def test_new_points_are_left_out_of_a_film(start):
    program = start(SMALL)
    store = program.viewer.store
    store.note(replace(store.notes, new_points=((0.3, -0.8),)))
    cloud = program.board.embedding.view.area.cloud
    assert len(cloud.markers) == 1
    sweep_over(program)
    play(program)
    assert cloud.markers == ()
    stop(program)
    assert len(cloud.markers) == 1
