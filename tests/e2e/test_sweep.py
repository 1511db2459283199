"""A sweep is defined, played, adopted and exported in the real window."""

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from kpca_viewer.session.settings import DataSettings, SessionSettings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def swept(start):
    """A program whose sweep over γ is done."""
    data = DataSettings(values=(("samples", 120.0),))
    program = start(SessionSettings(data=data))
    QTest.mouseClick(program.find(QPushButton, "sweep_start_button"), LEFT)
    runner = program.viewer.sweeping.runner
    program.until(lambda: program.window.sweep_strip.state() == "done")
    assert not runner.busy
    return program


def test_a_sweep_fills_the_strip_and_a_step_is_adopted(swept):
    strip = swept.window.sweep_strip
    result = strip.result()
    assert len(result.points) == 30
    assert not any(point.error for point in result.points)
    before = dict(swept.settings.kernel.values).get("gamma")
    swept.window.actions_table["sweep_forward"].trigger()
    swept.settle()
    first = dict(swept.settings.kernel.values)["gamma"]
    assert first != before
    swept.window.actions_table["sweep_forward"].trigger()
    swept.settle()
    assert dict(swept.settings.kernel.values)["gamma"] > first
    assert swept.viewer.store.undo_text.startswith("γ ")


def test_space_plays_and_stops(swept):
    strip = swept.window.sweep_strip
    swept.board.embedding.view.canvas.setFocus()
    QTest.keyClick(swept.board.embedding.view.canvas, Qt.Key.Key_Space)
    assert strip.playing
    place = strip.film.playhead
    swept.until(lambda: strip.film.playhead != place)
    QTest.keyClick(swept.board.embedding.view.canvas, Qt.Key.Key_Space)
    assert not strip.playing
    swept.settle()


@pytest.mark.parametrize(
    ("kind", "name"),
    [("Film (*.gif *.apng *.mp4)", "film.gif"), ("All pictures", "grid.png")],
)
def test_a_sweep_is_exported(swept, monkeypatch, tmp_path, kind, name):
    path = tmp_path / name
    monkeypatch.setattr(
        "kpca_viewer.ui.sweeping.QFileDialog.getSaveFileName",
        lambda *args: (str(path), kind),
    )
    swept.window.sweep_strip.export_requested.emit()
    assert f"Saved {name}" in swept.message()
    with Image.open(path) as picture:
        if name.endswith("gif"):
            assert picture.n_frames >= 30
        assert picture.width > 100


def test_other_data_start_the_sweep_again(swept):
    old = swept.window.sweep_strip.result()
    swept.window.actions_table["roll"].trigger()
    swept.settle()
    swept.until(lambda: swept.window.sweep_strip.state() == "done")
    new = swept.window.sweep_strip.result()
    assert new.points[0].eigenvalues[0] != old.points[0].eigenvalues[0]


def test_two_pins_are_compared(swept):
    swept.window.actions_table["pin"].trigger()
    swept.window.actions_table["sweep_forward"].trigger()
    swept.settle()
    swept.window.actions_table["pin"].trigger()
    compare = swept.viewer.sweeping.sweeps._compare
    assert len(compare.pins()) == 2
    assert compare.difference() is not None
    compare.close()
