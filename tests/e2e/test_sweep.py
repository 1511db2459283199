"""A sweep is defined, played, adopted and exported in the real window."""

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.sweep.curve import x_of
from tests.e2e.sweeps import sweep

LEFT = Qt.MouseButton.LeftButton


def started(start, steps):
    """Start the program and wait until a sweep of some steps is done."""
    data = DataSettings(values=(("samples", 120.0),))
    program = start(SessionSettings(data=data))
    sweep(program, steps)
    return program


@pytest.fixture
def swept(start):
    """A program whose sweep over γ is done."""
    return started(start, 9)


@pytest.fixture
def few(start):
    """The same with so few values that a film of them is made at once."""
    return started(start, 3)


def test_a_sweep_fills_the_strip_a_step_is_adopted_and_space_plays(swept):
    strip = swept.strip
    result = strip.result()
    assert len(result.points) == 9
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

    swept.board.embedding.view.canvas.setFocus()
    QTest.keyClick(swept.board.embedding.view.canvas, Qt.Key.Key_Space)
    assert strip.playing
    place = strip.film.playhead
    swept.until(lambda: strip.film.playhead != place)
    QTest.keyClick(swept.board.embedding.view.canvas, Qt.Key.Key_Space)
    assert not strip.playing
    swept.settle()


def test_a_quick_picture_is_computed_to_all_digits_when_it_is_taken(start):
    data = DataSettings("swiss_roll", values=(("samples", 500.0),))
    program = start(SessionSettings(data=data))
    sweep(program)
    strip = program.strip
    quick = strip.film.points.at(12)
    assert 1e-6 < quick.measures["certificate"] <= 1e-3
    rect = QRectF(strip.film.rect())
    QTest.mouseMove(
        strip.film, QPoint(int(x_of(12, strip.film.points.count, rect)), 30)
    )
    assert "to three digits" in program.caption("embedding")
    assert any("exact to" in line for line in strip.film.label_lines())
    strip.adopt(quick)
    program.settle()
    found = program.result.decomposition
    assert found.error <= 1e-6
    assert (quick.bounds[:, 0] <= found.bounds[:10, 1]).all()
    assert (found.bounds[:10, 0] <= quick.bounds[:, 1]).all()


def test_without_a_sweep_play_starts_one_and_steps_say_what_to_do(start):
    data = DataSettings(values=(("samples", 60.0),))
    program = start(SessionSettings(data=data))
    strip = program.strip
    program.press(Qt.Key.Key_BracketRight)
    assert "no sweep to step through yet" in program.message()
    program.action("sweep_start").trigger()
    assert program.message() == ""
    program.until(lambda: strip.state() == "done")
    assert not strip.playing
    program.action("play").trigger()
    program.until(lambda: strip.playing)
    assert strip.state() == "done"
    program.action("play").trigger()
    program.settle()
    before = strip.film.points
    program.action("sweep_start").trigger()
    program.until(lambda: strip.state() == "done" and strip.film.points is not before)


@pytest.fixture
def save_as(monkeypatch):
    """Answer the file dialog, and keep what it offers."""
    offered = []

    def answer(path, kind=""):
        def ask(_parent, _title, _name, filters):
            offered[:] = filters.split(";;")
            return str(path), next((f for f in offered if f.startswith(kind)), "")

        monkeypatch.setattr(
            "kpca_viewer.features.sweep.controller.QFileDialog.getSaveFileName", ask
        )
        return offered

    return answer


def export(program):
    """Press the button of the strip and wait for the file."""
    QTest.mouseClick(program.strip.export, LEFT)
    program.until(lambda: not program.viewer.controllers["sweep"].exporter.busy)


EXPORTED = [
    ("Film", "film.gif", b"GIF8"),
    ("Film", "film.apng", b"\x89PNG"),
    ("Table", "table.csv", b"kernel,gamma"),
    # The ending counts where the chosen entry does not have it.
    ("Film", "table.parquet", b"PAR1"),
    ("Table", "film too.gif", b"GIF8"),
]


def test_a_sweep_is_exported(few, save_as, tmp_path):
    for kind, name, begins in EXPORTED:
        path = tmp_path / name
        save_as(path, kind)
        export(few)
        assert f"Saved {name}" in few.message()
        assert path.read_bytes().startswith(begins), name
        if name.startswith("film"):
            with Image.open(path) as film:
                assert film.n_frames == 2 * (2 * 5 + 1) - 2


def test_a_name_gets_the_ending_of_what_was_chosen(few, save_as, tmp_path):
    save_as(tmp_path / "table", "Table")
    export(few)
    known = (tmp_path / "table.csv").read_bytes()
    assert known
    export(few)
    assert "exists already" in few.message()
    save_as(tmp_path / "sweep.doc", "Film")
    export(few)
    assert "“.doc” is neither a film nor a table" in few.message()
    assert [p.name for p in tmp_path.glob("*.*")].count("table.csv") == 1


def test_an_export_is_cancelled_and_says_so(few, save_as, tmp_path):
    path = tmp_path / "film.gif"
    path.write_bytes(b"old")
    save_as(path, "Film")
    QTest.mouseClick(few.strip.export, LEFT)
    assert few.message() == "Writing film.gif …"
    # One at a time: the second is told to wait.
    QTest.mouseClick(few.strip.export, LEFT)
    assert "still being written" in few.message()
    few.viewer.controllers["sweep"].exporter.cancel()
    assert few.message() == "film.gif was not written."
    few.viewer.controllers["sweep"].close()
    assert path.read_bytes() == b"old"


def test_the_keyboard_stays_on_the_strip(swept):
    strip = swept.strip
    assert strip.film.hasFocus()
    before = swept.settings.kernel
    swept.press(Qt.Key.Key_Right)
    swept.settle()
    assert swept.settings.kernel != before


def test_two_pins_are_compared_and_other_data_start_the_sweep_again(swept):
    swept.window.actions_table["pin"].trigger()
    assert "Pin another picture (P)" in swept.message()
    compare = swept.viewer.controllers["pins"].view
    assert not compare.isVisible()
    swept.window.actions_table["sweep_forward"].trigger()
    swept.settle()
    swept.window.actions_table["pin"].trigger()
    assert compare.isVisible()
    assert swept.message() == ""
    assert len(compare.pins) == 2
    assert compare.difference is not None

    old = swept.strip.result()
    swept.window.actions_table["roll"].trigger()
    swept.settle()
    swept.until(lambda: swept.strip.state() == "done")
    new = swept.strip.result()
    assert new.points[0].eigenvalues[0] != old.points[0].eigenvalues[0]


def test_while_it_plays_the_window_says_which_value_is_shown(swept):
    strip, store = swept.strip, swept.viewer.store
    embedding = swept.board.embedding
    gamma = swept.find(QAbstractSpinBox, "gamma_field")
    before, history = gamma.value(), store.undo_text
    strip.toggle_play()
    swept.until(lambda: gamma.value() != before)
    assert embedding.note().startswith("γ = ")
    assert embedding.caption().startswith(f"Preview of {embedding.note()}")
    assert dict(swept.settings.kernel.values).get("gamma") is None
    assert store.undo_text == history
    strip.hide()  # nobody looks: it stops without taking a value
    assert gamma.value() == before
    assert embedding.note() == ""


def test_ctrl_enter_starts_the_sweep(start):
    program = start(SessionSettings(data=DataSettings(values=(("samples", 60.0),))))
    field = program.find(QAbstractSpinBox, "sweep_steps_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "3")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert program.strip.state() == "idle"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    program.until(lambda: program.strip.state() == "done")
    assert len(program.strip.result().points) == 3
