"""Embedding and sweep are about the same components, or the strip says so."""

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.features.sweep.curve import x_of
from tests.e2e.sweeps import sweep, write

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
SMOOTH = KernelSettings(values=(("gamma", 1.205),))


@pytest.fixture
def circles(start):
    """Rings that a smooth kernel parts by its third component only."""
    program = start(SessionSettings(kernel=SMOOTH))
    write(program, "steps", "3")
    program.window.setFocus()
    return program


def turn(program):
    """Go from the plane into space, or back."""
    program.action("embedding_3d").trigger()
    program.settle()
    program.until(lambda: program.result.comparison is not None)


def accuracies(program):
    """Return what embedding and curve say about the value that is set."""
    middle = program.strip.film.points.at(1)
    shown = program.result.comparison.kernel.linear_accuracy
    return shown, middle.measures["linear_accuracy"]


def said(program):
    return program.strip.progress.text()


def test_a_sweep_in_space_measures_three_components(circles):
    turn(circles)
    sweep(circles)
    shown, swept = accuracies(circles)
    assert shown == 1
    assert swept == pytest.approx(shown, abs=0.02)
    # Its pictures are flat all the same.
    film = circles.strip.film
    QTest.mouseMove(film, QPoint(int(x_of(1, 3, QRectF(film.rect()))), 30))
    assert "measured on PC 1–3" in film.label_lines()
    assert said(circles) == "3 values"


def test_the_strip_says_what_was_measured_until_it_runs_again(circles):
    sweep(circles)
    assert accuracies(circles)[1] < 0.6
    turn(circles)
    assert said(circles) == "still measured on PC 1–2"
    turn(circles)
    assert said(circles) == "3 values"
    turn(circles)
    sweep(circles)
    assert said(circles) == "3 values"
    assert accuracies(circles) == pytest.approx((1, 1), abs=0.02)


def test_a_swept_plane_can_be_looked_at_in_space(circles):
    sweep(circles)
    turn(circles)
    strip = circles.strip
    strip.preview.emit(strip.film.points.at(2))
    assert circles.caption("embedding").startswith("Preview of γ = ")
    assert not circles.board.embedding.view.is_flat
    strip.preview.emit(None)
    circles.settle()


def test_a_session_opens_with_what_its_sweep_measured(circles, restart):
    sweep(circles)
    turn(circles)
    again = restart(circles)
    again.until(lambda: again.strip.state() == "done")
    assert said(again) == "still measured on PC 1–2"
