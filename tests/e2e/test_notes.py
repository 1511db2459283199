"""Pins and sweeps belong to the session: to its history and to its file."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from kpca_viewer.engine.notes import PinNote
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.widgets.controls import IconButton
from tests.e2e.files import open_file, save_as
from tests.e2e.program import SMALL
from tests.e2e.sweeps import sweep, swept

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def program(start):
    return start(SMALL)


def test_pins_and_sweep_open_as_they_were_saved(program, start, monkeypatch, tmp_path):
    sweep(program, steps=4)
    program.choose("sweep_measure_combo", "Share of the first two")
    program.action("pin").trigger()
    program.action("sweep_forward").trigger()
    program.settle()
    QTest.mouseClick(program.find(IconButton, "sweep_pin_button"), LEFT)
    program.viewer.controllers["sweep"].sweeps.compare.close()
    pins = program.viewer.controllers["sweep"].sweeps.compare.pins()
    strip, shown = program.window.sweep_strip, program.result.scores
    film, measure = strip.result(), strip.measure()
    path = tmp_path / "work.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()

    again = start(SessionSettings())
    open_file(again, path)
    again.settle()
    swept(again)
    again.until(lambda: not again.viewer.controllers["sweep"].sweeps.pins.busy)
    strip = again.window.sweep_strip
    np.testing.assert_allclose(again.result.scores, shown, atol=1e-9)
    assert strip.result().sweep.values() == film.sweep.values()
    assert strip.measure() == measure == "share_2"
    for before, after in zip(film.points, strip.result().points, strict=True):
        np.testing.assert_allclose(after.eigenvalues, before.eigenvalues, rtol=1e-3)
    compare = again.viewer.controllers["sweep"].sweeps.compare
    assert not compare.isVisible()
    again.action("compare").trigger()
    assert compare.isVisible()
    for before, after in zip(pins, compare.pins(), strict=True):
        assert after.title == before.title
        assert after.settings == before.settings
        assert dict(after.measures).items() <= dict(before.measures).items()
        # A picture of a sweep is computed to three digits only.
        span = np.ptp(before.coordinates)
        np.testing.assert_allclose(
            after.coordinates, before.coordinates, atol=0.01 * span
        )
    compare.close()


def test_pins_are_undone_and_redone(program):
    program.action("pin").trigger()
    compare = program.viewer.controllers["sweep"].sweeps.compare
    first = compare.pins()
    assert program.action("undo").text().startswith("&Undo pin RBF (Gaussian), γ = ")
    program.activate()
    program.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert compare.pins() == []
    assert program.action("redo").text().startswith("&Redo pin RBF")
    program.action("redo").trigger()
    assert compare.pins() == first
    compare.show()
    QTest.mouseClick(compare.findChild(IconButton, "compare_remove_button"), LEFT)
    assert compare.pins() == []
    assert program.action("undo").text().startswith("&Undo removal of pin RBF")
    program.action("undo").trigger()
    assert compare.pins() == first
    assert compare.findChild(QComboBox, "compare_left_combo").count() == 1
    compare.close()


def test_a_sweep_is_undone_and_redone(program):
    strip = program.window.sweep_strip
    sweep(program, steps=4)
    assert program.action("undo").text() == "&Undo sweep over γ Gamma"
    program.action("undo").trigger()
    assert strip.state() == "idle"
    program.action("redo").trigger()
    swept(program)
    QTest.mouseClick(program.find(IconButton, "sweep_fold_button"), LEFT)
    # Folded away, it is still there: for the history and for a session.
    assert program.action("undo").text() == "&Undo sweep over γ Gamma"
    assert program.viewer.store.notes.sweep is not None
    program.action("undo").trigger()
    assert not strip.setup.unfold.isVisible()


def test_another_kernel_and_back_brings_the_sweep_back(program):
    strip = program.window.sweep_strip
    sweep(program, steps=4)
    values = strip.result().sweep.values()
    program.action("kernel_linear").trigger()
    program.settle()
    assert strip.state() == "idle"
    assert program.viewer.store.notes.sweep is None
    program.action("undo").trigger()
    swept(program)
    assert strip.result().sweep.values() == values
    # One step was taken, so the next one back is the sweep itself.
    assert program.viewer.store.undo_text == "sweep over γ Gamma"


def test_opening_a_session_ends_the_sweep_before(program, monkeypatch, tmp_path):
    path = tmp_path / "plain.kpca"
    save_as(program, monkeypatch, path)
    sweep(program, steps=4)
    program.action("pin").trigger()
    program.viewer.controllers["sweep"].sweeps.compare.close()
    open_file(program, path)
    program.settle()
    assert program.window.sweep_strip.state() == "idle"
    assert program.viewer.controllers["sweep"].sweeps.compare.pins() == []
    # What it has covered is one step away.
    store = program.viewer.store
    assert store.undo_text == "opening of “plain.kpca”"
    store.undo()
    program.settle()
    assert len(program.viewer.controllers["sweep"].sweeps.compare.pins()) == 1
    assert store.notes.sweep is not None


def test_a_pin_whose_data_are_gone_is_said_and_kept(program, monkeypatch, tmp_path):
    gone = SessionSettings(data=DataSettings(source="/gone/lost.csv"))
    notes = program.viewer.store.notes
    program.viewer.store.note(type(notes)(pins=(PinNote("RBF, γ = 1", gone),)))
    program.until(lambda: "RBF, γ = 1" in program.message())
    assert "has no picture" in program.message()
    path = tmp_path / "kept.kpca"
    save_as(program, monkeypatch, path)
    assert b"lost.csv" in path.read_bytes()


def test_other_data_restart_the_sweep_although_names_go(program):
    sweep(program, steps=4)
    program.viewer.store.note(program.viewer.store.notes.with_name(3, "odd"))
    program.choose("source_combo", "Moons")
    program.settle()
    swept(program)
    assert program.viewer.store.notes.row_names == ()
    shown = program.window.sweep_strip.result().points
    assert {point.settings.data.source for point in shown} == {"moons"}
    assert program.viewer.store.notes.sweep.base.data.source == "moons"
