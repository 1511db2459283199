"""Files are dropped, understood, shown, and refused with a sentence."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTableView

from kpca_viewer.resources import asset
from kpca_viewer.ui.importing.import_sheet import ImportSheet

COPY = Qt.DropAction.CopyAction
LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


def drop(program, *paths: Path) -> None:
    """Drop files onto the window as a file manager does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(QPoint(50, 50), COPY, mime, LEFT, NO_KEY)
    program.window.dragEnterEvent(enter)
    assert enter.isAccepted()
    program.window.dropEvent(QDropEvent(QPointF(50, 50), COPY, mime, LEFT, NO_KEY))
    program.until(lambda: not program.viewer.opening.runner.busy)


def sheet(program) -> ImportSheet:
    found = program.window.findChildren(ImportSheet)
    assert found, program.message()
    return found[-1]


def accept(program) -> None:
    QTest.keyClick(sheet(program), Qt.Key.Key_Return)
    program.settle()


def press_on_column(program, page: ImportSheet, row: int, key: Qt.Key) -> None:
    """Choose a column of the sheet and press a letter on it."""
    page.activateWindow()
    program.until(page.isActiveWindow)
    view = page.findChild(QTableView, "import_columns")
    view.setFocus()
    view.selectRow(row)
    QTest.keyClick(view, key)


@pytest.fixture
def wine(tmp_path) -> Path:
    from sklearn.datasets import load_wine

    bunch = load_wine(as_frame=True)
    frame = bunch.frame.rename(columns={"target": "class"})
    frame["class"] = ["red", "white", "rosé"] * 59 + ["red"]
    path = tmp_path / "wine.csv"
    frame.to_csv(path, index=False)
    return path


def test_a_dropped_file_is_guessed_and_enter_accepts(start, wine):
    program = start()
    drop(program, wine)
    page = sheet(program)
    assert "13 features" in page.findChild(QLabel, "import_summary").text()
    assert "“class” (3 classes)" in page.findChild(QLabel, "import_summary").text()
    accept(program)
    data = program.settings.data
    assert Path(data.source) == wine
    # Its columns differ in scale by far more than ten times.
    assert data.scaling == "standardise"
    assert (program.result.dataset.n, program.result.dataset.d) == (178, 13)
    assert program.result.dataset.label_names == ("red", "rosé", "white")
    assert "wine" in program.window.windowTitle()
    assert program.viewer.preferences.recent() == [wine]


def test_roles_change_by_a_letter_and_the_file_is_not_read_again(start, wine):
    program = start()
    drop(program, wine)
    accept(program)
    wine.unlink()
    QTest.mouseClick(program.find(QPushButton, "columns_button"), LEFT)
    page = sheet(program)
    press_on_column(program, page, 0, Qt.Key.Key_I)
    assert "12 features" in page.findChild(QLabel, "import_summary").text()
    accept(program)
    assert program.result.dataset.d == 12
    assert program.viewer.store.undo_text == "columns of the file"
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.d == 13


def test_undo_leads_back_to_the_data_before(start, wine):
    program = start()
    drop(program, wine)
    accept(program)
    assert program.viewer.store.undo_text == "data Circles → wine.csv"
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.name == "Circles"
    program.viewer.store.redo()
    program.settle()
    assert program.result.dataset.d == 13


@pytest.mark.parametrize(
    "name", ["cities_distances.csv", "kernel.csv", "torus.mat", "flowers.xlsx"]
)
def test_examples_open(start, name):
    program = start()
    program.viewer.opening.open_path(asset("data", name))
    program.until(lambda: not program.viewer.opening.runner.busy)
    accept(program)
    assert program.message() == ""
    assert np.isfinite(program.result.scores).all()
    if "distances" in name:
        assert program.result.dataset.kind == "distances"


def test_a_bad_file_is_a_sentence_and_everything_stays(start, tmp_path):
    program = start()
    before = program.result
    path = tmp_path / "empty.csv"
    path.write_text("")
    drop(program, path)
    assert "empty.csv" in program.message()
    assert not program.window.findChildren(ImportSheet)
    assert program.result is before
    assert program.viewer.store.undo_text is None


def test_text_among_numbers_names_row_and_column(start, tmp_path):
    values = [f"{value}" for value in range(60)]
    values[41] = "oops"
    path = tmp_path / "flavours.csv"
    frame = pd.DataFrame({"size": np.arange(60.0) ** 0.5, "flavour": values})
    frame.to_csv(path, index=False)
    program = start()
    drop(program, path)
    page = sheet(program)
    rows = dict(page.settings().roles)
    if rows["flavour"] != "feature":
        press_on_column(program, page, 1, Qt.Key.Key_F)
    page.findChild(type(page._one_hot), "one_hot_switch").setChecked(False)
    accept(program)
    message = program.message()
    assert "42" in message
    assert "flavour" in message
    assert "oops" in message
    # The last good picture stays.
    assert program.result.dataset.name == "Circles"


def test_a_pasted_table(start):
    program = start()
    lines = ["a\tb"] + [f"{i / 8}\t{i * i % 7 + i / 9}" for i in range(20)]
    QGuiApplication.clipboard().setText("\n".join(lines))
    program.viewer.opening.paste()
    program.until(lambda: not program.viewer.opening.runner.busy)
    accept(program)
    assert (program.result.dataset.n, program.result.dataset.d) == (20, 2)


def test_new_rows_are_a_group_of_their_own(start, wine, tmp_path):
    program = start()
    drop(program, wine)
    accept(program)
    frame = pd.read_csv(wine)
    new = tmp_path / "new.csv"
    # Other order of the columns, and no classes: matched by name.
    frame.drop(columns="class").iloc[:25, ::-1].to_csv(new, index=False)
    program.viewer.opening.open_new_rows(new)
    program.until(lambda: not program.viewer.opening.runner.busy)
    program.settle()
    result = program.result
    assert result.new_scores.shape == (25, 10)
    np.testing.assert_allclose(result.new_scores, result.scores[:25], atol=1e-8)
    assert program.board.embedding.view.point_count == 178 + 25
    assert "new data" in program.board.embedding.view.class_names
    # A selection of everything is a selection of the data only.
    everything = np.ones(203, dtype=bool)
    program.board.embedding.view.selected.emit(everything, "replace")
    assert program.board.linking.selection.shape == (178,)
    program.window.actions_table["remove_new_rows"].trigger()
    program.settle()
    assert program.board.embedding.view.point_count == 178


def test_new_rows_without_a_column_are_refused(start, wine, tmp_path):
    program = start()
    drop(program, wine)
    accept(program)
    new = tmp_path / "new.csv"
    pd.read_csv(wine).drop(columns="alcohol").to_csv(new, index=False)
    program.viewer.opening.open_new_rows(new)
    program.until(lambda: not program.viewer.opening.runner.busy)
    assert "alcohol" in program.message()
