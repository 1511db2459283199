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
    pins = program.viewer.controllers["pins"].view.pins
    strip, shown = program.strip, program.result.scores
    film, measure = strip.result(), strip.measure()
    path = tmp_path / "work.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()

    again = start(SessionSettings())
    open_file(again, path)
    again.settle()
    swept(again)
    again.until(lambda: not again.viewer.controllers["pins"].pins.busy)
    strip = again.strip
    np.testing.assert_allclose(again.result.scores, shown, atol=1e-9)
    assert strip.result().sweep.values() == film.sweep.values()
    assert strip.measure() == measure == "share_2"
    for before, after in zip(film.points, strip.result().points, strict=True):
        np.testing.assert_allclose(after.eigenvalues, before.eigenvalues, rtol=1e-3)
    compare = again.viewer.controllers["pins"].view
    again.action("compare").trigger()
    assert compare.isVisible()
    for before, after in zip(pins, compare.pins, strict=True):
        assert after.title == before.title
        assert after.settings == before.settings
        assert dict(after.measures).items() <= dict(before.measures).items()
        np.testing.assert_allclose(after.coordinates, before.coordinates, atol=1e-5)


def test_pins_are_undone_and_redone(program):
    program.action("pin").trigger()
    compare = program.viewer.controllers["pins"].view
    first = compare.pins
    assert program.action("undo").text().startswith("&Undo pin RBF (Gaussian), γ = ")
    program.activate()
    program.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert compare.pins == []
    assert program.action("redo").text().startswith("&Redo pin RBF")
    program.action("redo").trigger()
    assert compare.pins == first
    program.action("pin").trigger()
    QTest.mouseClick(compare.findChild(IconButton, "compare_remove_button"), LEFT)
    assert len(compare.pins) == 1
    assert program.action("undo").text().startswith("&Undo removal of pin RBF")
    program.action("undo").trigger()
    assert compare.findChild(QComboBox, "compare_a_combo").count() == 2


def test_a_sweep_is_undone_redone_and_comes_back_with_its_kernel(program):
    strip = program.strip
    sweep(program, steps=4)
    assert program.action("undo").text() == "&Undo sweep over γ Gamma"
    program.action("undo").trigger()
    assert strip.state() == "idle"
    program.action("redo").trigger()
    swept(program)
    assert program.viewer.store.notes.sweep is not None
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
    open_file(program, path)
    program.settle()
    assert program.strip.state() == "idle"
    assert program.viewer.controllers["pins"].view.pins == []
    # What it has covered is one step away.
    store = program.viewer.store
    assert store.undo_text == "opening of “plain.kpca”"
    store.undo()
    program.settle()
    assert len(program.viewer.controllers["pins"].view.pins) == 1
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
    shown = program.strip.result().points
    assert {point.settings.data.source for point in shown} == {"moons"}
    assert program.viewer.store.notes.sweep.base.data.source == "moons"
