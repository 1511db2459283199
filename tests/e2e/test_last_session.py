"""The next start goes on where this one ended, with everything that was done."""

import shutil

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.resources import asset
from tests.e2e.program import CTRL


def opened(program, path):
    """Open a file as the sheet suggests and wait for its picture."""
    program.viewer.controllers["import_sheet"].open_path(path)
    program.until(lambda: bool(program.window.findChildren(ImportSheet)))
    QTest.keyClick(program.window.findChildren(ImportSheet)[-1], Qt.Key.Key_Return)
    program.until(lambda: program.settings.data.source == str(path))
    program.settle()


def quit_and_start(program, start, **how):
    program.activate()
    program.press(Qt.Key.Key_Q, CTRL)
    assert not program.window.isVisible()
    return start(**how)


@pytest.fixture
def planets(tmp_path):
    return shutil.copy(asset("data", "planets.csv"), tmp_path / "planets.csv")


def test_what_was_done_to_made_up_data_comes_back(program, start):
    program.click(program.find(QWidget, "first_card_close"))
    program.press(Qt.Key.Key_4)  # another kernel
    program.settle()
    mask = np.zeros(program.result.dataset.n, dtype=bool)
    mask[[3, 77]] = True
    program.board.linking.apply_selection(mask, "replace")
    store = program.viewer.store
    store.note(store.notes.with_name(3, "odd one"))
    program.viewer.controllers["pins"].pin()
    notes, settings, scores = store.notes, program.settings, program.result.scores
    assert len(notes.pins) == 1

    again = quit_and_start(program, start)
    assert again.settings == settings
    assert again.viewer.store.notes == notes
    np.testing.assert_allclose(again.result.scores, scores, atol=1e-9)
    assert np.flatnonzero(again.board.linking.selection).tolist() == [3, 77]
    assert again.message() == ""
    assert not again.action("undo").isEnabled()


def test_the_workspace_and_its_page_come_back(program, start):
    program.press(Qt.Key.Key_4)
    program.settle()
    program.press(Qt.Key.Key_F8)
    again = quit_and_start(program, start)
    assert again.board.workspace == "explain"
    assert again.board.compare.views["derivation"].view.isVisible()
    assert again.board.embedding.isVisible()


def test_a_file_comes_back_without_a_word(program, start, planets):
    opened(program, planets)
    program.press(Qt.Key.Key_4)
    program.settle()
    settings, names = program.settings, program.result.dataset.row_names

    again = quit_and_start(program, start, settled=False)
    again.until(lambda: again.result is not None)
    # No other data were shown meanwhile.
    assert again.result.dataset.row_names == names
    assert again.settings == settings
    assert again.message() == ""


def test_a_file_that_is_gone_is_named_and_not_forgotten(program, start, planets):
    opened(program, planets)
    settings = program.settings
    kept = planets.rename(planets.with_name("elsewhere.csv"))
    again = quit_and_start(program, start, settled=False)
    again.until(lambda: again.result is not None)
    assert again.settings == first_session()
    assert "planets.csv" in again.message()
    assert "Locate…" in again.buttons()
    # Nothing was done here: when the file is back, so is the session.
    kept.rename(planets)
    third = quit_and_start(again, start, settled=False)
    third.until(lambda: third.result is not None)
    assert third.settings == settings


def test_pasted_data_come_back(program, start, qapp):
    rows = "\n".join(f"{j}\t{j * j % 7}" for j in range(12))
    qapp.clipboard().setText(f"a\tb\n{rows}\n")
    program.press(Qt.Key.Key_V, CTRL)
    program.until(lambda: bool(program.window.findChildren(ImportSheet)))
    QTest.keyClick(program.window.findChildren(ImportSheet)[-1], Qt.Key.Key_Return)
    program.until(lambda: program.result.dataset.n == 12)
    points = program.result.dataset.points
    again = quit_and_start(program, start)
    np.testing.assert_array_equal(again.result.dataset.points, points)


def test_a_start_with_a_file_leaves_the_last_session_alone(program, start, planets):
    program.press(Qt.Key.Key_4)
    program.settle()
    settings = program.settings
    other = quit_and_start(program, start, restores=False)
    assert other.settings == first_session()
    # Its sheet was put away: nothing was done.
    assert quit_and_start(other, start).settings == settings


def test_dialogs_begin_where_they_were_used_last(program, start, monkeypatch, tmp_path):
    begun = []

    def choose(_window, title, place, _filters):
        begun.append(place)
        folder = tmp_path / title.split()[0]
        folder.mkdir(exist_ok=True)
        return str(folder / "chosen.kpca"), ""

    def use(running) -> None:
        for key in ("open", "save_as"):
            running.action(key).trigger()
        running.until(
            lambda: not running.viewer.controllers["import_sheet"].runner.busy
        )

    dialog = "PySide6.QtWidgets.QFileDialog"
    monkeypatch.setattr(f"{dialog}.getOpenFileName", choose)
    monkeypatch.setattr(f"{dialog}.getSaveFileName", choose)
    use(program)
    assert begun == [".", "session.kpca"]
    begun.clear()
    use(quit_and_start(program, start))
    assert begun == [str(tmp_path / "Open"), str(tmp_path / "Save" / "session.kpca")]
