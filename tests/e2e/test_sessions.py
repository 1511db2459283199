"""Sessions come back as they were; a crash loses little."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.resources import asset
from tests.e2e.files import SAVE_DIALOG, open_file, save_as


def test_a_session_comes_back_with_its_selection(start, monkeypatch, tmp_path):
    kernel = KernelSettings("laplacian", (("gamma", 3.5),))
    program = start(SessionSettings(kernel=kernel))
    mask = np.zeros(400, dtype=bool)
    mask[[3, 77]] = True
    program.board.linking.apply_selection(mask, "replace")
    path = tmp_path / "mine.kpca"
    save_as(program, monkeypatch, path)
    settings, scores = program.settings, program.result.scores
    program.window.close()

    again = start(SessionSettings())
    open_file(again, path)
    again.settle()
    assert again.settings == settings
    np.testing.assert_allclose(again.result.scores, scores, atol=1e-9)
    assert np.flatnonzero(again.board.linking.selection).tolist() == [3, 77]
    # Saving again asks for no name.
    again.window.actions_table["save"].trigger()
    assert load(path).settings == settings


def test_flipped_axes_come_back_and_can_be_taken_back(start, tmp_path):
    program = start()
    scores, linear = program.result.scores, program.result.linear.scores
    for action in ("flip_x", "flip_linear_y"):
        program.window.actions_table[action].trigger()
        program.settle()
    np.testing.assert_array_equal(program.result.scores[:, 0], -scores[:, 0])
    np.testing.assert_array_equal(program.result.linear.scores, linear * [1, -1])
    path = tmp_path / "mirrored.kpca"
    save(program.viewer.sessions.document(), path)
    program.window.actions_table["undo"].trigger()
    program.settle()
    np.testing.assert_array_equal(program.result.linear.scores, linear)
    open_file(program, path)
    program.settle()
    np.testing.assert_array_equal(program.result.scores[:, 0], -scores[:, 0])
    np.testing.assert_array_equal(program.result.linear.scores, linear * [1, -1])


def test_a_file_is_found_again_with_its_columns(start, monkeypatch, tmp_path):
    program = start()
    open_file(program, asset("data", "planets.csv"))
    sheet = program.window.findChildren(ImportSheet)[-1]
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    program.settle()
    path = tmp_path / "planets.kpca"
    save_as(program, monkeypatch, path)
    settings, names = program.settings, program.result.dataset.row_names
    program.window.close()

    again = start(SessionSettings())
    open_file(again, path)
    again.settle()
    assert again.settings.data.importing == settings.data.importing
    assert again.result.dataset.row_names == names


def test_a_preset_keeps_the_data(start, monkeypatch, tmp_path):
    program = start(SessionSettings(kernel=KernelSettings("cosine")))
    path = tmp_path / "look.kpca"
    monkeypatch.setattr(
        "kpca_viewer.window.sessions.QFileDialog.getSaveFileName",
        lambda *args: (str(path), ""),
    )
    program.window.actions_table["save_preset"].trigger()
    program.viewer.store.reset(SessionSettings())
    program.settle()
    open_file(program, asset("data", "leaves.tsv"))
    QTest.keyClick(program.window.findChildren(ImportSheet)[-1], Qt.Key.Key_Return)
    program.until(lambda: not program.viewer.controllers["import_sheet"].runner.busy)
    program.settle()
    open_file(program, path)
    program.settle()
    assert program.settings.kernel.family == "cosine"
    assert program.result.dataset.name == "leaves"


def test_a_broken_session_is_a_sentence(start, tmp_path):
    program = start()
    before = program.result
    path = tmp_path / "broken.kpca"
    path.write_bytes(b"{")
    open_file(program, path)
    assert "broken.kpca" in program.message()
    assert program.result is before


def test_after_a_crash_the_session_is_offered(start, state, monkeypatch):
    program = start()
    program.viewer.store.update(SessionSettings(kernel=KernelSettings("cosine")))
    program.settle()
    program.viewer.sessions.hidden_copy.write()
    assert list(state.iterdir())
    # While the owner lives nobody is asked.
    assert "Restore" not in start(SessionSettings()).buttons()
    monkeypatch.setattr(
        "kpca_viewer.engine.document.recovery.is_gone", lambda owner: True
    )
    again = start(SessionSettings())
    QTest.mouseClick(again.buttons()["Restore"], Qt.MouseButton.LeftButton)
    again.until(lambda: not again.viewer.controllers["import_sheet"].runner.busy)
    again.settle()
    assert again.settings.kernel.family == "cosine"


def test_a_picture_of_ours_brings_its_session_back(start, monkeypatch, tmp_path):
    kernel = KernelSettings("laplacian", (("gamma", 2.5),))
    program = start(SessionSettings(kernel=kernel))
    panel = program.viewer.controllers["export_panel"].panel()
    path = tmp_path / "embedding.png"
    monkeypatch.setattr(SAVE_DIALOG, lambda *args: (str(path), ""))
    panel.show_page("image")
    panel.save()
    program.until(lambda: path.exists() and not panel.saving)
    panel.close()
    program.window.close()

    again = start(SessionSettings())
    open_file(again, path)
    again.settle()
    assert again.settings.kernel == kernel


def test_a_foreign_picture_is_refused(start, tmp_path):
    program = start()
    path = tmp_path / "holiday.png"
    assert program.window.grab().save(str(path))
    open_file(program, path)
    assert "carries no session" in program.message()
