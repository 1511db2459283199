"""The data of a session: by reference or inside, changed, gone, or somewhere else."""

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.document.files import load
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from tests.e2e.files import (
    SAVE_DIALOG,
    accept,
    again,
    open_file,
    save_as,
    save_with_data,
)

TABLE = "name,kind,a,b\n" + "".join(
    f"r{i},{'xy'[i % 2]},{i * 1.25},{(i * 7) % 5}\n" for i in range(20)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "tea.csv"
    path.write_text(TABLE)
    return path


def opened(start, table):
    program = start(SessionSettings())
    open_file(program, table)
    accept(program)
    return program


def test_a_session_with_its_data_opens_where_their_file_is_not(
    start, table, monkeypatch, tmp_path
):
    program = opened(start, table)
    path = tmp_path / "whole.kpca"
    title = save_with_data(program, monkeypatch, path)
    assert re.fullmatch(r"Save session with data \(about [\d.]+ (bytes|kB)\)", title)
    assert re.search(r"Saved whole.kpca \([\d.]+ kB\)\.", program.message())
    shown = program.result
    program.window.close()
    table.unlink()

    second = again(start, path)
    np.testing.assert_array_equal(second.result.dataset.points, shown.dataset.points)
    assert second.result.dataset.row_names == shown.dataset.row_names
    np.testing.assert_allclose(second.result.scores, shown.scores, atol=1e-9)
    # Saved again, they are still inside, and where they came from is not forgotten.
    second.action("save").trigger()
    document = load(path)
    assert document.data.embedded.n == 20
    assert document.data.file.path == table


def test_saved_as_a_reference_the_data_are_outside(start, table, monkeypatch, tmp_path):
    program = opened(start, table)
    whole, light = tmp_path / "whole.kpca", tmp_path / "light.kpca"
    save_with_data(program, monkeypatch, whole)
    save_as(program, monkeypatch, light)
    assert load(whole).data.embedded is not None
    assert load(light).data.embedded is None
    assert load(light).data.file.path == table


def test_pasted_data_are_always_inside(start, monkeypatch, tmp_path):
    program = start(SessionSettings())
    QGuiApplication.clipboard().setText(TABLE.replace(",", "\t"))
    program.action("paste").trigger()
    accept(program)
    shown = program.result.dataset
    assert shown.n == 20
    path = tmp_path / "pasted.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()
    second = again(start, path)
    np.testing.assert_array_equal(second.result.dataset.points, shown.points)
    assert second.result.dataset.label_names == shown.label_names


def test_large_data_are_written_beside_the_window(start, monkeypatch, tmp_path):
    points = np.random.default_rng(0).normal(size=(400, 2000))
    settings = SessionSettings(data=DataSettings("wide"))
    program = start(settings, opened={"wide": Dataset(points, name="wide")})
    path = tmp_path / "wide.kpca"
    title = save_with_data(program, monkeypatch, path)
    assert "8." in title or "7." in title or "9 MB" in title or "8 MB" in title
    program.until(lambda: "Saved wide.kpca" in program.message())
    np.testing.assert_array_equal(load(path).data.embedded.points, points)


def test_large_data_are_left_out_of_the_hidden_copy(start, state):
    points = np.random.default_rng(0).normal(size=(400, 2000))
    settings = SessionSettings(data=DataSettings("wide"))
    program = start(settings, opened={"wide": Dataset(points, name="wide")})
    program.viewer.sessions.hidden_copy.write()
    (swap,) = state.iterdir()
    assert swap.stat().st_size < 100_000


def test_a_changed_file_is_said_and_shown(start, table, monkeypatch, tmp_path):
    program = opened(start, table)
    path = tmp_path / "work.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()
    table.write_text(TABLE.replace("1.25", "9.5"))
    second = again(start, path)
    assert second.message() == (
        "“tea.csv” has changed since the session was saved; it is shown as it is now."
    )
    assert second.result.dataset.n == 20


def test_a_file_that_is_gone_can_be_located(start, table, monkeypatch, tmp_path):
    program = opened(start, table)
    path = tmp_path / "work.kpca"
    save_as(program, monkeypatch, path)
    scores = program.result.scores
    program.window.close()
    (tmp_path / "else").mkdir()
    moved = table.rename(tmp_path / "else" / "renamed.csv")

    second = start(SessionSettings())
    open_file(second, path)
    assert str(table) in second.message()
    monkeypatch.setattr(
        "kpca_viewer.features.import_sheet.controller.QFileDialog.getOpenFileName",
        lambda *args: (str(moved), ""),
    )
    second.click(second.buttons()["Locate…"])
    second.until(lambda: not second.viewer.controllers["import_sheet"].runner.busy)
    second.settle()
    assert second.message() == ""
    np.testing.assert_allclose(second.result.scores, scores, atol=1e-9)
    # The session belongs to its file again, and now knows the new place.
    second.action("save").trigger()
    assert load(path).data.file.path == moved


def picture(program, monkeypatch, path) -> None:
    panel = program.viewer.controllers["export_panel"].panel()
    monkeypatch.setattr(SAVE_DIALOG, lambda *args: (str(path), ""))
    panel.show_page("image")
    panel.save()
    program.until(lambda: path.exists() and not panel.saving)
    panel.close()


def test_a_picture_of_other_data_says_so(start, monkeypatch, tmp_path):
    small = SessionSettings(data=DataSettings(values=(("samples", 40.0),)))
    program = start(small)
    path = tmp_path / "rings.png"
    picture(program, monkeypatch, path)
    program.window.close()

    second = again(start, path)
    assert "not those" not in second.message()
    # The same settings give other points: another version of a generator, say.
    monkeypatch.setattr(
        "kpca_viewer.engine.stages.generate",
        lambda *args, **values: Dataset(np.random.default_rng(1).normal(size=(40, 2))),
    )
    third = again(start, path)
    assert "not those of the picture" in third.message()
    assert third.result.dataset.n == 40


def test_a_picture_whose_data_are_gone_offers_to_locate(
    start, table, monkeypatch, tmp_path
):
    program = opened(start, table)
    path = tmp_path / "tea.png"
    picture(program, monkeypatch, path)
    program.window.close()
    table.unlink()
    second = start(SessionSettings())
    open_file(second, path)
    assert str(table) in second.message()
    assert "Locate…" in second.buttons()


def test_a_crashed_session_reads_its_data_beside_the_window(
    start, state, table, monkeypatch
):
    program = opened(start, table)
    program.viewer.sessions.hidden_copy.write()
    monkeypatch.setattr(
        "kpca_viewer.engine.document.recovery.is_gone", lambda owner: True
    )
    second = start(SessionSettings())
    QTest.mouseClick(second.buttons()["Restore"], Qt.MouseButton.LeftButton)
    second.until(lambda: not second.viewer.controllers["import_sheet"].runner.busy)
    second.settle()
    assert second.result.dataset.name == program.result.dataset.name
    assert len(list(state.iterdir())) == 1  # its own copy, in place of the old one
