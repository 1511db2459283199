"""Files are dropped, understood, shown, and refused with a sentence."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QTableView, QWidget

from kpca_viewer.cli import main as cli
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.settings import KernelSettings
from kpca_viewer.resources import asset
from kpca_viewer.widgets.controls import Switch
from kpca_viewer.window.app import Viewer
from tests.e2e.conftest import end
from tests.e2e.files import (
    accept,
    drop,
    press_message_button,
    press_on_column,
    read,
    refusal,
    sheet,
    sheets,
)
from tests.e2e.program import CTRL, LEFT, NO_KEY, SMALL, Program


@pytest.fixture
def wine(tmp_path) -> Path:
    from sklearn.datasets import load_wine

    bunch = load_wine(as_frame=True)
    frame = bunch.frame.rename(columns={"target": "class"})
    frame["class"] = ["red", "white", "rosé"] * 59 + ["red"]
    path = tmp_path / "wine.csv"
    frame.to_csv(path, index=False)
    return path


def test_a_dropped_file_is_guessed_and_enter_accepts_and_undo_leads_back(start, wine):
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
    assert program.viewer.store.undo_text == "data Circles → wine.csv"
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.name == "Circles"
    program.viewer.store.redo()
    program.settle()
    assert program.result.dataset.d == 13


def test_a_table_is_transposed_on_the_sheet_and_comes_back(start, tmp_path):
    path = tmp_path / "genes.csv"
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.random((6, 20)), [f"g{k}" for k in range(6)])
    frame.columns = [f"s{k}" for k in range(20)]
    frame.to_csv(path, index_label="gene")
    program = start()
    drop(program, path)
    sheet(program).findChild(Switch, "transpose_switch").click()
    page = sheet(program)
    assert page.findChild(Switch, "transpose_switch").isChecked()
    assert "20 rows, 6 features" in page.findChild(QLabel, "import_summary").text()
    accept(program)
    assert program.result.dataset.row_names[:2] == ("s0", "s1")
    np.testing.assert_array_equal(program.result.dataset.points, frame.to_numpy().T)
    QTest.mouseClick(program.find(QPushButton, "columns_button"), LEFT)
    sheet(program).findChild(Switch, "transpose_switch").click()
    accept(program)
    assert program.result.dataset.d == 20
    # Both are known: the history leads from one to the other.
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.d == 6


def test_a_pasted_table_and_one_that_is_read_in_another_way(start):
    program = start()
    lines = ["a\tb"] + [f"{i / 8}\t{i * i % 7 + i / 9}" for i in range(20)]
    QGuiApplication.clipboard().setText("\n".join(lines))
    program.action("paste").trigger()
    accept(program)
    assert (program.result.dataset.n, program.result.dataset.d) == (20, 2)
    QGuiApplication.clipboard().setText("1,2,3\n4,1,7\n0,9,2\n5,5,6\n")
    program.action("paste").trigger()
    sheet(program).findChild(Switch, "header_switch").click()
    accept(program)
    assert program.result.dataset.feature_names == ("1", "2", "3")
    assert program.result.dataset.n == 3


def test_roles_change_by_a_letter_and_the_file_is_not_read_again(start, wine):
    program = start()
    drop(program, wine)
    accept(program)
    wine.unlink()
    QTest.mouseClick(program.find(QPushButton, "columns_button"), LEFT)
    page = sheet(program)
    press_on_column(program, page, 0, Qt.Key.Key_M)
    assert "12 features" in page.findChild(QLabel, "import_summary").text()
    accept(program)
    assert program.result.dataset.d == 12
    step = program.viewer.store.undo_text
    assert step == "columns of the file, “alcohol” feature → metadata"
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.d == 13


def test_answers_are_used_for_the_next_file_with_the_same_columns(start, wine):
    program = start()
    drop(program, wine)
    press_on_column(program, sheet(program), 0, Qt.Key.Key_M)
    accept(program)
    second = wine.with_name("second.csv")
    second.write_text("".join(wine.read_text().splitlines(keepends=True)[:100]))
    drop(program, second)
    page = sheet(program)
    assert "12 features" in page.findChild(QLabel, "import_summary").text()
    assert page.findChild(QLabel, "remembered_text").isVisible()
    proposals = page.findChild(QWidget, "remembered_other_button")
    assert proposals.text() == "Proposals"
    QTest.mouseClick(proposals, LEFT)
    assert "13 features" in page.findChild(QLabel, "import_summary").text()
    accept(program)
    assert (program.result.dataset.n, program.result.dataset.d) == (99, 13)
    # As proposed is an answer too: nothing is remembered any more.
    assert program.viewer.preferences.answers() == {}


@pytest.fixture
def command(qtbot, home, monkeypatch) -> Iterator[Callable[[str], Program]]:
    """Start the program by a command line, up to where it waits for a person."""
    viewers: list[Viewer] = []

    def wait_for(viewer: Viewer, _app) -> int:
        viewers.append(viewer)
        return 0

    monkeypatch.setattr("kpca_viewer.window.start._wait_for", wait_for)
    monkeypatch.setattr("kpca_viewer.engine.runner.leave", lambda code: None)
    monkeypatch.setattr(cli, "has_screen", lambda: True)

    def command(line: str) -> Program:
        assert cli.main(shlex.split(line)) == 0
        return Program(qtbot, viewers[-1])

    yield command
    for viewer in viewers:
        end(viewer)


def test_what_the_command_line_says_holds_for_the_file_it_names(command, wine):
    said = "--kernel laplacian --gamma 3 --components 4 --scaling minmax"
    program = command(f"{shlex.quote(str(wine))} {said}")
    accept(program)
    kernel = program.settings.kernel
    assert (kernel.family, dict(kernel.values)) == ("laplacian", {"gamma": 3.0})
    assert program.settings.analysis.components == 4
    assert program.settings.data.scaling == "minmax"
    assert program.result.dataset.n == 178
    assert program.message() == ""


def test_what_was_changed_since_the_start_was_not_said_about_the_file(start, wine):
    said = replace(SMALL, kernel=KernelSettings("rbf", (("gamma", 3.0),)))
    program = start(said)
    program.drag_slider("gamma_slider", 0.9)
    program.settle()
    program.viewer.controllers["import_sheet"].open_named(wine, said, "minmax")
    accept(program)
    assert program.settings.kernel.values == ()
    assert program.settings.data.scaling == "standardise"


def test_examples_are_found_by_words(program):
    program.press(Qt.Key.Key_K, CTRL)
    program.type("example planets")
    program.press(Qt.Key.Key_Return)
    accept(program)
    assert program.result.dataset.name == "planets"


def test_examples_open(program):
    for name in ("cities_distances.csv", "kernel.csv", "torus.mat", "flowers.xlsx"):
        program.viewer.controllers["import_sheet"].open_path(asset("data", name))
        accept(program)
        assert program.message() == "", name
        assert program.result.dataset.name == name.partition(".")[0]
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
    assert not sheets(program)
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
    assert sheet(program).settings().role("flavour") == "feature"
    before = program.settings
    accept(program)
    message = refusal(program)
    assert message.startswith("Row 42, column “flavour” holds “oops”")
    # The session is what it was, and the sheet is there to change the choices.
    assert program.result.dataset.name == "Circles"
    assert program.settings == before
    assert program.viewer.store.undo_text is None
    press_message_button(program, "Treat as missing")
    assert program.settings.data.importing.missing_words == ("oops",)
    assert program.result.dataset.n == 59
    # It is a choice like any other: part of the session, of undo and of the sheet.
    assert program.viewer.store.undo_text == "data Circles → flavours.csv"
    chosen = program.settings
    save(program.viewer.sessions.document(), tmp_path / "flavours.kpca")
    path.rename(tmp_path / "moved.csv")
    QTest.mouseClick(program.find(QPushButton, "columns_button"), LEFT)
    accept(program)
    assert program.settings == chosen
    assert program.result.dataset.n == 59
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.name == "Circles"
    path = (tmp_path / "moved.csv").rename(path)
    program.viewer.controllers["import_sheet"].open_path(tmp_path / "flavours.kpca")
    read(program)
    program.settle()
    assert program.settings.data == chosen.data
    assert program.result.dataset.n == 59


def test_new_rows_are_a_group_of_their_own(start, wine, tmp_path):
    program = start()
    drop(program, wine)
    accept(program)
    frame = pd.read_csv(wine)
    new = tmp_path / "new.csv"
    frame.drop(columns="alcohol").to_csv(new, index=False)
    program.viewer.controllers["import_sheet"].open_new_rows(new)
    read(program)
    assert "alcohol" in program.message()
    # Other order of the columns, and no classes: matched by name.
    frame.drop(columns="class").iloc[:25, ::-1].to_csv(new, index=False)
    program.viewer.controllers["import_sheet"].open_new_rows(new)
    read(program)
    program.settle()
    result = program.result
    assert result.new_scores.shape == (25, 10)
    np.testing.assert_allclose(result.new_scores, result.scores[:25], atol=1e-8)
    assert program.board.embedding.view.point_count == 178 + 25
    # Of no class, but with a marker of their own, in every plot.
    assert program.board.embedding.shape_legend.names[-1] == "new"
    for view in (program.board.data.view, program.board.compare.pca):
        assert view.point_count == 178 + 25
    # A selection of everything is a selection of the data only.
    everything = np.ones(203, dtype=bool)
    program.board.embedding.view.selected.emit(everything, "replace")
    assert program.board.linking.selection.shape == (178,)
    program.window.actions_table["remove_new_rows"].trigger()
    program.settle()
    assert program.board.embedding.view.point_count == 178


def take(page, name: str, text: str) -> None:
    """Take a line of a list on the sheet, as a click on it does."""
    combo = page.findChild(QComboBox, name)
    combo.setCurrentIndex(combo.findText(text))
    combo.activated.emit(combo.currentIndex())


@pytest.fixture
def book(tmp_path) -> Path:
    path = tmp_path / "book.xlsx"
    values = np.random.default_rng(0).normal(size=(30, 3))
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame(values, columns=list("abc")).to_excel(
            writer, sheet_name="first", index=False
        )
        pd.DataFrame(values[:20, :2], columns=["u", "v"]).to_excel(
            writer, sheet_name="second", index=False
        )
        pd.DataFrame({"note": ["text only"]}).to_excel(writer, sheet_name="third")
    return path


def test_another_sheet_of_a_workbook_is_data_of_its_own(start, book, tmp_path):
    program = start()
    drop(program, book)
    accept(program)
    assert program.result.dataset.feature_names == ("a", "b", "c")
    drop(program, book)
    take(sheet(program), "part_combo", "second")
    assert sheet(program).content.table.chosen == ("second",)
    accept(program)
    assert program.result.dataset.feature_names == ("u", "v")
    assert program.viewer.store.undo_text == "data book.xlsx → book.xlsx · second"
    # Both stay open, and a session comes back with the sheet it was made of.
    document = program.viewer.sessions.document()
    assert document.data.file.reading.sheet == "second"
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.feature_names == ("a", "b", "c")
    save(document, tmp_path / "second.kpca")
    program.viewer.controllers["import_sheet"].open_path(tmp_path / "second.kpca")
    read(program)
    program.settle()
    assert program.result.dataset.feature_names == ("u", "v")


def test_arrays_are_chosen_and_those_that_do_not_fit_come_back(start, tmp_path):
    random = np.random.default_rng(0)
    path = tmp_path / "arrays.npz"
    np.savez(
        path,
        X=random.normal(size=(40, 3)),
        y=np.repeat([0, 1], 20),
        other=random.normal(size=(25, 2)),
    )
    program = start()
    drop(program, path)
    assert sheet(program).content.table.chosen == ("X", "y")
    take(sheet(program), "beside_combo", "nothing")
    assert sheet(program).content.table.chosen == ("X",)
    take(sheet(program), "part_combo", "other")
    assert sheet(program).content.table.n == 25
    take(sheet(program), "beside_combo", "y")
    assert "40 values for 25 rows" in refusal(program)
    assert sheet(program).content.table.chosen == ("other",)
    accept(program)
    assert (program.result.dataset.n, program.result.dataset.d) == (25, 2)


def test_infinite_values_are_treated_as_missing_by_a_button(start, tmp_path):
    path = tmp_path / "infinite.csv"
    frame = pd.DataFrame(
        np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"]
    )
    frame.loc[6, "b"] = np.inf
    frame.to_csv(path, index=False)
    program = start()
    drop(program, path)
    accept(program)
    assert refusal(program).startswith("Row 7, column “b” holds an infinite value")
    press_message_button(program, "Treat as missing")
    assert program.result.dataset.n == 29


def test_new_rows_with_an_unknown_word(start, tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"size": random.normal(size=30), "colour": ["red", "green", "blue"] * 10}
    )
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    frame.to_csv(old, index=False)
    frame["extra"] = 1.5
    frame.loc[4, "colour"] = "violet"
    frame.iloc[:8, ::-1].to_csv(new, index=False)
    program = start()
    drop(program, old)
    press_on_column(program, sheet(program), 1, Qt.Key.Key_F)
    accept(program)
    assert program.result.dataset.d == 4
    program.viewer.controllers["import_sheet"].open_new_rows(new)
    read(program)
    assert program.message().startswith("Row 5, column “colour” holds “violet”")
    assert program.result.new_scores is None
    program.click(program.buttons()["Treat as missing"])
    read(program)
    program.settle()
    # Rows with a gap are left out, as in the first file; the extra column is ignored.
    assert program.result.new_scores.shape[0] == 7


SERIES = "\n".join(f"{i / 7:.3f},{i * i % 11 / 3:.3f},{i % 3}" for i in range(40))


HOPELESS = [
    ("one_row.csv", "a,b\n1,2\n", "only one row"),
    ("one_column.csv", "a\n1\n2\n3\n", "only one column"),
    ("constant.csv", "a,b\n" + "1,2\n" * 20, "Every column is constant"),
    ("nothing.csv", "a,b\n" + "nan,nan\n" * 20, "Every column is empty"),
    ("ragged.csv", f"a,b,c\n{SERIES}\n1,2\n", "Line 42 of “ragged.csv” has 2 values"),
    ("page.csv", "<!DOCTYPE html><html></html>", "is a web page"),
    ("session.kpca", "{", "is not a session of kpca_viewer"),
]


def test_hopeless_files_are_refused_without_a_sheet(program, tmp_path):
    before, result = program.settings, program.result
    for name, text, message in HOPELESS:
        path = tmp_path / name
        path.write_text(text)
        drop(program, path)
        assert message in program.message()
        assert program.window.message_bar.severity() == "error"
        assert not sheets(program)
        assert program.settings == before
        assert program.result is result


REFUSED = [
    ("infinite.csv", f"a,b,c\n{SERIES}\n1,inf,1\n", "Row 41, column “b”"),
    ("odd.csv", f"a,b,c\n{SERIES}\n1,what?,1\n", "holds “what?”"),
    ("large.csv", f"a,b,c\n{SERIES}\n1e150,2,1\n", "too large to be squared"),
]


def test_choices_that_cannot_be_are_refused_by_the_sheet(program, tmp_path):
    before, result = program.settings, program.result
    for name, text, message in REFUSED:
        path = tmp_path / name
        path.write_text(text)
        drop(program, path)
        accept(program)
        assert message in refusal(program)
        assert program.settings == before
        assert program.result is result
        assert not program.board.embedding.is_dimmed()
        sheet(program).reject()


def test_names_of_a_file_are_shown_literally(program, tmp_path):
    path = tmp_path / "a&b <b>bold<br>.csv"
    path.write_text(f"<i>x</i>,&y,{'long ' * 40}\n{SERIES}")
    drop(program, path)
    page = sheet(program)
    heading = page.findChild(QWidget, "import_heading")
    assert heading.text() == "a&b <b>bold<br>"
    columns = page.findChild(QTableView, "import_columns").model()
    name = columns.index(0, 0)
    assert name.data() == "<i>x</i>"
    # Qt reads tooltips as markup where they look like it.
    assert name.data(Qt.ItemDataRole.ToolTipRole) == "‹i›x‹/i›"
    accept(program)
    assert program.result.dataset.feature_names[0] == "<i>x</i>"
    assert program.board.data.title() == "a&b <b>bold<br>"


def test_a_matrix_shows_no_isolines_of_the_data_before(program):
    assert program.board.data.view.area.underlay.image is not None
    drop(program, asset("data", "cities_distances.csv"))
    accept(program)
    assert program.result.dataset.kind == "distances"
    assert program.board.data.view.area.underlay.image is None
    assert program.caption("data") == ""


def test_one_click_opens_the_roles_of_a_column(program):
    drop(program, asset("data", "wine.csv"))
    page = sheet(program)
    view = page.findChild(QTableView, "import_columns")
    place = view.visualRect(view.model().index(0, 1)).center()
    QTest.mouseClick(view.viewport(), LEFT, NO_KEY, place)
    combo = view.findChild(QComboBox, "role_combo")
    assert combo.currentText() == "Feature"
    QTest.keyClick(combo.view(), Qt.Key.Key_End)
    QTest.keyClick(combo.view(), Qt.Key.Key_Return)
    assert view.model().index(0, 1).data() == "Metadata"
    page.reject()


def test_rows_left_out_because_of_gaps_are_counted_aloud(start, wine, tmp_path):
    frame = pd.read_csv(wine)
    frame.loc[[3, 50, 51], "ash"] = np.nan
    path = tmp_path / "gaps.csv"
    frame.to_csv(path, index=False)
    program = start()
    drop(program, path)
    assert "175 rows (3 of 178 rows are left out: empty cells)" in (
        sheet(program).findChild(QLabel, "import_summary").text()
    )
    accept(program)
    assert program.message() == (
        "3 of 178 rows have gaps and are left out; 175 are shown."
    )
    note = program.find(QLabel, "rows_note")
    assert note.text() == "175 rows, 3 left out: gaps"
    program.click(program.buttons()["Fill gaps by median"])
    read(program)
    program.settle()
    assert program.result.dataset.n == 178
    assert program.message() == "3 gaps in 1 column are filled by the median."
    assert note.text() == "3 gaps in 1 column are filled"
    assert "Leave out these rows" in program.buttons()
    program.viewer.store.undo()
    program.settle()
    assert program.result.dataset.n == 175
    assert note.isVisible()
    program.viewer.controllers["import_sheet"].open_new_rows(path)
    read(program)
    program.settle()
    assert program.message() == (
        "3 of 178 new rows have gaps and are left out; 175 are shown."
    )
    # It is about the last step: the next one takes it away.
    program.activate()
    program.press(Qt.Key.Key_1)
    program.settle()
    assert program.settings.kernel.family == "linear"
    assert program.message() == ""


def test_a_sample_of_the_complete_rows_is_counted_as_what_it_is(start, wine, tmp_path):
    frame = pd.read_csv(wine)
    frame.loc[[3, 50, 51], "ash"] = np.nan
    path = tmp_path / "gaps.csv"
    frame.to_csv(path, index=False)
    program = start()
    drop(program, path)
    field = sheet(program).findChild(QWidget, "import_rows_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "100")
    QTest.keyClick(field, Qt.Key.Key_Return)
    accept(program)
    assert program.result.dataset.n == 100
    assert program.message() == (
        "3 of 178 rows have gaps and are left out; 100 drawn at random are shown."
    )


def test_another_label_is_the_same_picture_in_other_colours(start, wine, tmp_path):
    frame = pd.read_csv(wine)
    frame["cellar"] = np.resize(["north", "south"], len(frame))
    path = tmp_path / "cellars.csv"
    frame.to_csv(path, index=False)
    program = start()
    drop(program, path)
    accept(program)
    program.window.changes.request(
        replace(
            program.settings, kernel=program.settings.kernel.with_value("gamma", 0.07)
        )
    )
    program.settle()
    before = program.result
    QTest.mouseClick(program.find(QPushButton, "columns_button"), LEFT)
    page = sheet(program)
    press_on_column(program, page, frame.columns.get_loc("cellar"), Qt.Key.Key_L)
    accept(program)
    result = program.result
    assert result.dataset.label_names == ("north", "south")
    # The classes before are no feature: they would be the answer itself.
    assert result.dataset.d == before.dataset.d == 13
    assert "class" in result.dataset.columns
    assert result.kernel.values == {"gamma": 0.07}
    assert result.decomposition is before.decomposition


def test_a_file_that_changed_is_offered_once_and_read_again(start, wine):
    program = start()
    drop(program, wine)
    accept(program)
    lines = wine.read_text().splitlines(keepends=True)
    for kept in (100, 60):
        # As editors do it: another file takes its place.
        other = wine.with_suffix(".new")
        other.write_text("".join(lines[: kept + 1]))
        other.replace(wine)
        program.until(lambda: "changed on disk" in program.message())
        program.click(program.buttons()["Reload"])
        accept(program)
        assert program.result.dataset.n == kept
        program.until(lambda: "changed on disk" not in program.message())
