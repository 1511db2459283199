"""What is saved stays: under its own name, in order, beside other programs."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from tests.e2e.files import SAVE_DIALOG, open_file, save_as
from tests.e2e.program import CTRL, SMALL, with_kernel


@pytest.fixture
def choose(monkeypatch):
    """Answer every dialog that asks where to save."""

    def choose(path) -> None:
        monkeypatch.setattr(
            "kpca_viewer.window.sessions.QFileDialog.getSaveFileName",
            lambda *args: (str(path), ""),
        )

    return choose


def test_a_dot_in_a_name_is_part_of_it(start, choose, tmp_path):
    program = start(SMALL)
    first = tmp_path / "run.kpca"
    first.write_bytes(b"mine")
    choose(tmp_path / "run.2")
    program.action("save_as").trigger()
    assert first.read_bytes() == b"mine"
    assert load(tmp_path / "run.2.kpca").settings == program.settings
    # The dialog has asked about “run.2” only, not about the file with its ending.
    program.viewer.store.update(with_kernel("cosine"))
    program.action("save_as").trigger()
    assert "“run.2.kpca” exists already" in program.message()
    assert load(tmp_path / "run.2.kpca").settings.kernel.family == "rbf"


def test_an_export_replaces_nothing_that_was_not_asked_about(
    start, monkeypatch, tmp_path
):
    panel = start(SMALL).viewer.controllers["export_panel"].panel()
    (tmp_path / "plot.2.png").write_bytes(b"mine")
    plot = str(tmp_path / "plot.2")
    monkeypatch.setattr(SAVE_DIALOG, lambda *args: (plot, ""))
    panel.show_page("image")
    panel.save()
    assert "“plot.2.png” exists already" in panel.message_bar.text()
    assert (tmp_path / "plot.2.png").read_bytes() == b"mine"
    panel.close()


def large(start):
    """A session whose data are inside and written beside the window."""
    points = np.random.default_rng(0).normal(size=(300, 2000))
    settings = SessionSettings(data=DataSettings("wide"))
    return start(settings, opened={"wide": Dataset(points, name="wide")})


def change(program, family) -> None:
    store = program.viewer.store
    store.update(replace(store.settings, kernel=KernelSettings(family)))


def test_of_quick_saves_the_newest_wins(start, choose, tmp_path):
    program = large(start)
    path = tmp_path / "wide.kpca"
    choose(path)
    program.action("save_as").trigger()
    families = ["cosine", "laplacian", "linear"]
    for family in families:
        assert program.viewer.sessions.saver.busy
        change(program, family)
        program.press(Qt.Key.Key_S, CTRL)
    program.until(lambda: not program.viewer.sessions.saver.busy)
    assert load(path).settings.kernel.family == "linear"
    # Nobody else has written: there is no question.
    assert "Saved wide.kpca" in program.message()


def test_closing_waits_for_what_is_being_saved(start, choose, tmp_path, state):
    program = large(start)
    path = tmp_path / "wide.kpca"
    choose(path)
    program.action("save_as").trigger()
    change(program, "cosine")
    program.press(Qt.Key.Key_S, CTRL)
    assert program.viewer.sessions.saver.busy
    program.window.close()
    assert load(path).settings.kernel.family == "cosine"
    assert list(state.glob("*swap")) == []


def test_what_cannot_be_saved_at_the_end_is_kept_aside(
    start, choose, tmp_path, state, monkeypatch
):
    program = large(start)
    folder = tmp_path / "stick"
    folder.mkdir()
    choose(folder / "wide.kpca")
    program.action("save_as").trigger()
    program.until(lambda: not program.viewer.sessions.saver.busy)
    change(program, "cosine")
    (folder / "wide.kpca").unlink()
    folder.rmdir()
    program.press(Qt.Key.Key_S, CTRL)
    program.window.close()
    monkeypatch.setattr(
        "kpca_viewer.engine.document.recovery.is_gone", lambda owner: True
    )
    assert "“wide.kpca” ended without being closed" in start(SMALL).message()


class TestTwoPrograms:
    """One session in two windows."""

    @pytest.fixture
    def both(self, start, tmp_path):
        path = tmp_path / "work.kpca"
        save(Document(SMALL), path)
        ours = start(SMALL, settled=False)
        open_file(ours, path)
        save(Document(with_kernel("cosine")), path)  # by the other one
        change(ours, "laplacian")
        ours.action("save").trigger()
        assert ours.message() == (
            "“work.kpca” was changed by another program since it was opened here; it "
            "was not replaced."
        )
        assert load(path).settings.kernel.family == "cosine"
        return ours, path

    def test_the_last_one_may_replace_it(self, both):
        ours, path = both
        ours.click(ours.buttons()["Replace it"])
        assert load(path).settings.kernel.family == "laplacian"
        # From now on it is ours again.
        change(ours, "linear")
        ours.action("save").trigger()
        assert load(path).settings.kernel.family == "linear"

    def test_or_save_under_another_name(self, both, choose, tmp_path):
        ours, path = both
        choose(tmp_path / "mine.kpca")
        ours.click(ours.buttons()["Save as…"])
        assert load(path).settings.kernel.family == "cosine"
        assert load(tmp_path / "mine.kpca").settings.kernel.family == "laplacian"

    def test_or_open_theirs_and_come_back(self, both):
        ours, _ = both
        ours.click(ours.buttons()["Open it"])
        ours.until(lambda: ours.settings.kernel.family == "cosine")
        ours.settle()
        ours.press(Qt.Key.Key_Z, CTRL)
        assert ours.settings.kernel.family == "laplacian"

    def test_the_next_start_knows_it_too(self, start, monkeypatch, tmp_path):
        path = tmp_path / "work.kpca"
        first = start(SMALL)
        save_as(first, monkeypatch, path)
        change(first, "cosine")
        first.window.close()
        save(load(path), path)  # by another program
        second = start()
        second.action("save").trigger()
        assert "was changed by another program" in second.message()


class TestOpeningOverWork:
    """A session that is opened leads back to what it has covered."""

    def test_it_can_be_undone_with_its_names_and_its_file(
        self, start, monkeypatch, tmp_path
    ):
        other = tmp_path / "other.kpca"
        save(Document(with_kernel("cosine")), other)
        program = start(SMALL)
        mine = tmp_path / "mine.kpca"
        save_as(program, monkeypatch, mine)
        store = program.viewer.store
        store.note(store.notes.with_name(3, "odd one"))
        before = store.settings, store.notes
        open_file(program, other)
        program.settle()
        assert program.settings.kernel.family == "cosine"
        assert store.notes.row_names == ()
        assert store.undo_text == "opening of “other.kpca”"
        program.press(Qt.Key.Key_Z, CTRL)
        program.settle()
        assert (store.settings, store.notes) == before
        # What was covered is saved where it belongs.
        program.press(Qt.Key.Key_S, CTRL)
        assert load(mine).notes.row_names == ((3, "odd one"),)
        assert load(other).settings.kernel.family == "cosine"
        program.press(Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
        program.settle()
        change(program, "laplacian")
        program.press(Qt.Key.Key_S, CTRL)
        assert load(other).settings.kernel.family == "laplacian"

    def test_a_start_has_nothing_to_go_back_to(self, start, tmp_path):
        path = tmp_path / "other.kpca"
        save(Document(with_kernel("cosine")), path)
        program = start(SMALL)
        open_file(program, path)
        program.settle()
        assert not program.action("undo").isEnabled()
