"""While a film plays, plots go along with it, or step back."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.e2e.program import SMALL
from tests.e2e.sweeps import sweep

LEFT = Qt.MouseButton.LeftButton


def sweep_over(program, parameter="γ Gamma"):
    """Sweep over a parameter in a few steps."""
    program.board.show_workspace("sweep")
    program.choose("sweep_parameter_combo", parameter)
    sweep(program, steps=4)


def play(program):
    program.action("play").trigger()
    program.until(lambda: program.board.embedding.note() != "")


def stop(program):
    """Nobody looks: it stops without taking a value."""
    program.strip.hide()
    program.settle()
    program.strip.show()


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


def test_spectrum_and_kernel_matrix_go_along_with_a_film(start):
    program = start(SMALL)
    sweep_over(program)
    program.board.compare.show_page("gram")
    bars, matrix = program.board.spectrum.view, program.board.compare.views["gram"].view
    shares, before = bars.bars.shares, matrix.result.picture
    play(program)
    assert dimmed(program) == set()
    assert pale(program) == {"spectrum", "compare", "data", "status"}
    assert (matrix.result.picture.raw != before.raw).any()
    point = program.viewer.presenter.scene.film
    np.testing.assert_allclose(bars.bars.shares, point.shares)
    stop(program)
    np.testing.assert_array_equal(bars.bars.shares, shares)
    assert matrix.result.picture is before
    assert dimmed(program) == pale(program) == set()


def test_a_film_over_data_dims_the_data(start):
    program = start(SMALL)
    sweep_over(program, "Noise")
    play(program)
    assert dimmed(program) >= {"data"}
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
