"""Going back to data that are not in memory any more."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.reading import EvictedTable
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.document.model import Document, DocumentData
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sources import Sources
from tests.e2e.files import accept, open_file
from tests.e2e.program import CTRL, SMALL


@pytest.fixture
def program(start, monkeypatch, tmp_path):
    """A program that keeps no table beside the one that is shown."""
    monkeypatch.setattr("kpca_viewer.window.opened_data.Sources", partial(Sources, 0))
    return start(SMALL)


def opened(program, path) -> None:
    open_file(program, path)
    accept(program)
    program.activate()


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    paths = [tmp_path / f"{name}.npy" for name in "ab"]
    for path in paths:
        np.save(path, rng.normal(size=(30, 3)))
    return paths


def test_undo_reads_a_file_again(program, files):
    opened(program, files[0])
    store = program.viewer.store
    store.note(store.notes.with_name(3, "odd one"))
    first = program.result.dataset.points
    opened(program, files[1])
    sources = program.viewer.presenter.data.sources
    assert isinstance(sources[str(files[0])], EvictedTable)
    program.press(Qt.Key.Key_Z, CTRL)
    program.until(lambda: program.result.dataset.name == "a")
    np.testing.assert_array_equal(program.result.dataset.points, first)
    assert store.notes.row_names == ((3, "odd one"),)
    assert not isinstance(sources[str(files[0])], EvictedTable)
    assert program.viewer.sessions.document().data.file.path == files[0]


def test_a_file_that_is_gone_is_said_and_the_picture_stays(program, files):
    opened(program, files[0])
    opened(program, files[1])
    shown = program.result
    files[0].unlink()
    program.press(Qt.Key.Key_Z, CTRL)
    program.until(lambda: "a.npy” is not there any more" in program.message())
    assert program.result is shown
    program.press(Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    program.settle()
    assert program.result.dataset.name == "b"


def test_two_tables_of_the_clipboard_are_two(program):
    for shift in (0, 1):
        rows = "\n".join(f"{j * 1.5}\t{j * j % 7 + shift + 0.25}" for j in range(12))
        QGuiApplication.clipboard().setText(f"a\tb\n{rows}\n")
        program.action("paste").trigger()
        accept(program)
        program.activate()
    assert program.settings.data.source == "clipboard (2)"
    second = program.result.dataset.points
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    first = program.result.dataset.points
    np.testing.assert_array_equal(first[:, -1], second[:, -1] - 1)


def test_a_session_with_data_of_the_same_name_covers_none(program, tmp_path):
    settings = SessionSettings(data=DataSettings("mine"))
    for number in (1, 2):
        data = Dataset(np.eye(5) * number, name="mine")
        save(
            Document(settings, data=DocumentData(embedded=data)),
            tmp_path / f"{number}.kpca",
        )
    store = program.viewer.store
    store.update(replace(store.settings, data=replace(SMALL.data, seed=5)))
    for number in (1, 2):
        open_file(program, tmp_path / f"{number}.kpca")
        program.settle()
    assert program.result.dataset.points[0, 0] == 2
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.result.dataset.points[0, 0] == 1
