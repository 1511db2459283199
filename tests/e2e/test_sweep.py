"""A sweep is defined, played, adopted and exported in the real window."""

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QPushButton

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
    strip = swept.window.sweep_strip
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
    QTest.mouseClick(program.find(QPushButton, "sweep_start_button"), LEFT)
    strip = program.window.sweep_strip
    program.until(lambda: strip.state() == "done")
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


def test_escape_closes_gallery_and_comparison(few):
    sweeps = few.viewer.controllers["sweep"].sweeps
    few.action("pin").trigger()
    few.action("compare").trigger()
    few.click(few.window.sweep_strip.bar.gallery)
    for window in (sweeps.gallery.view, sweeps.compare):
        window.activateWindow()
        few.until(lambda window=window: QApplication.activeWindow() is window)
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Escape)
        assert not window.isVisible()
    assert few.window.isVisible()


def test_without_a_sweep_play_starts_one_and_steps_say_what_to_do(start):
    data = DataSettings(values=(("samples", 60.0),))
    program = start(SessionSettings(data=data))
    strip = program.window.sweep_strip
    program.press(Qt.Key.Key_BracketRight)
    assert "no sweep to step through yet" in program.message()
    program.action("sweep_start").trigger()
    assert program.message() == ""
    program.until(lambda: strip.state() == "done")
    assert not strip.playing
    strip.fold()
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
    QTest.mouseClick(program.window.sweep_strip.bar.export, LEFT)
    program.until(lambda: not program.viewer.controllers["sweep"].exporter.busy)


EXPORTED = [
    ("Film", "film.gif", b"GIF8"),
    ("Film", "film.apng", b"\x89PNG"),
    ("All pictures", "grid.png", b"\x89PNG"),
    ("All pictures", "grid.svg", b"<?xml"),
    ("Strip", "strip.pdf", b"%PDF"),
    ("Table", "table.csv", b"kernel,gamma"),
    # The ending counts where the chosen entry does not have it.
    ("All pictures", "table.parquet", b"PAR1"),
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


def test_the_dialog_says_what_mp4_needs_and_a_name_gets_an_ending(
    few, save_as, tmp_path, monkeypatch
):
    offered = save_as("", "")
    for program, words in ((None, "pip install 'kpca-viewer[film]'"), ("x", "*.mp4")):
        monkeypatch.setattr(
            "kpca_viewer.export.film.encoder", lambda found=program: found
        )
        QTest.mouseClick(few.window.sweep_strip.bar.export, LEFT)
        assert words in offered[2]

    save_as(tmp_path / "table", "Table")
    export(few)
    known = (tmp_path / "table.csv").read_bytes()
    assert known
    export(few)
    assert "exists already" in few.message()
    save_as(tmp_path / "sweep.doc", "All pictures")
    export(few)
    assert "“.doc” is not a format" in few.message()
    assert [p.name for p in tmp_path.glob("*.*")].count("table.csv") == 1


def test_an_export_is_cancelled_and_says_so(few, save_as, tmp_path):
    path = tmp_path / "film.gif"
    path.write_bytes(b"old")
    save_as(path, "Film")
    QTest.mouseClick(few.window.sweep_strip.bar.export, LEFT)
    assert few.message() == "Writing film.gif …"
    # One at a time: the second is told to wait.
    QTest.mouseClick(few.window.sweep_strip.bar.export, LEFT)
    assert "still being written" in few.message()
    few.viewer.controllers["sweep"].exporter.cancel()
    assert few.message() == "film.gif was not written."
    few.viewer.controllers["sweep"].close()
    assert path.read_bytes() == b"old"


def test_the_keyboard_stays_on_the_strip(swept):
    strip = swept.window.sweep_strip
    assert strip.film.hasFocus()
    before = swept.settings.kernel
    swept.press(Qt.Key.Key_Right)
    swept.settle()
    assert swept.settings.kernel != before
    QTest.keyClick(strip.bar.fold, Qt.Key.Key_Space)
    assert strip.state() == "idle"
    assert strip.setup.start.hasFocus()


def test_two_pins_are_compared_and_other_data_start_the_sweep_again(swept):
    swept.window.actions_table["pin"].trigger()
    assert "Pin another picture (P)" in swept.message()
    assert not swept.viewer.controllers["sweep"].sweeps.compare.isVisible()
    swept.window.actions_table["sweep_forward"].trigger()
    swept.settle()
    swept.window.actions_table["pin"].trigger()
    compare = swept.viewer.controllers["sweep"].sweeps.compare
    assert compare.isVisible()
    assert swept.message() == ""
    assert len(compare.pins()) == 2
    assert compare.difference() is not None
    compare.close()
    swept.activate()

    old = swept.window.sweep_strip.result()
    swept.window.actions_table["roll"].trigger()
    swept.settle()
    swept.until(lambda: swept.window.sweep_strip.state() == "done")
    new = swept.window.sweep_strip.result()
    assert new.points[0].eigenvalues[0] != old.points[0].eigenvalues[0]


def test_while_it_plays_the_window_says_which_value_is_shown(swept):
    strip, store = swept.window.sweep_strip, swept.viewer.store
    embedding, spectrum = swept.board.embedding, swept.board.spectrum
    gamma = swept.find(QAbstractSpinBox, "gamma_field")
    before, history = gamma.value(), store.undo_text
    strip.toggle_play()
    swept.until(lambda: gamma.value() != before)
    assert embedding.note().startswith("γ = ")
    assert embedding.caption().startswith(f"Preview of {embedding.note()}")
    # Its bars are those of another value.
    assert spectrum.is_dimmed()
    assert dict(swept.settings.kernel.values).get("gamma") is None
    assert store.undo_text == history
    strip.hide()  # nobody looks: it stops without taking a value
    assert gamma.value() == before
    assert embedding.note() == ""
    assert not spectrum.is_dimmed()


def test_ctrl_enter_starts_the_sweep(start):
    program = start(SessionSettings(data=DataSettings(values=(("samples", 60.0),))))
    field = program.find(QAbstractSpinBox, "sweep_steps_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "3")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert program.window.sweep_strip.state() == "idle"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    program.until(lambda: program.window.sweep_strip.state() == "done")
    assert len(program.window.sweep_strip.result().points) == 3
