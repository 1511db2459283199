"""Names and selections stay with their rows when the file changes."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kpca_viewer.engine.document.files import load
from kpca_viewer.engine.settings import SessionSettings
from tests.e2e.files import accept, again, open_file, save_as
from tests.e2e.program import CTRL

LINES = [f"r{i},{'xy'[i % 2]},{i * 1.25},{(i * 7) % 5}" for i in range(20)]


@pytest.fixture
def table(tmp_path):
    return write(tmp_path / "tea.csv", LINES)


def write(path, lines, named=True):
    """Write a table; without names, rows are told by their numbers."""
    header, cut = ("name,kind,a,b", 0) if named else ("kind,a,b", 1)
    rows = [",".join(line.split(",")[cut:]) for line in lines]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def noted(start, table):
    """Open the table, name row 5 and select rows 5, 6 and 19."""
    program = start(SessionSettings(), settled=False)
    open_file(program, table)
    accept(program)
    note(program)
    return program


def note(program) -> None:
    store = program.viewer.store
    store.note(store.notes.with_name(5, "odd one"))
    mask = np.zeros(20, dtype=bool)
    mask[[5, 6, 19]] = True
    program.board.linking.apply_selection(mask, "replace")


def values(program, rows) -> list[float]:
    """Return what stands in column a."""
    return program.result.dataset.points[rows, 0].tolist()


@pytest.mark.parametrize("named", [True, False])
def test_a_session_finds_its_rows_in_a_file_that_has_changed(
    start, table, monkeypatch, tmp_path, named
):
    write(table, LINES, named)
    program = noted(start, table)
    path = tmp_path / "work.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()
    # Rows before, another order, and the last one gone.
    write(table, ["n1,x,99,1", "n2,y,98,2", *LINES[18::-1]], named)
    second = again(start, path)
    notes = second.viewer.store.notes
    ((row, name),) = notes.row_names
    assert name == "odd one"
    assert values(second, [row]) == [5 * 1.25]
    selection = np.flatnonzero(second.board.linking.selection)
    assert sorted(values(second, selection)) == [5 * 1.25, 6 * 1.25]
    assert second.board.linking.names == {row: "odd one"}
    # Both are said, one after the other.
    said = [second.message()]
    second.click(second.window.message_bar.findChild(object, "message_close"))
    said.append(second.message())
    assert "has changed since the session was saved" in said[0]
    assert said[1] == "Not in “tea” any more: 1 of 3 selected rows."
    # Saved again, it is about the file as it is now.
    second.action("save").trigger()
    assert load(path).notes.row_names == ((row, "odd one"),)


def test_opened_again_in_the_same_window_and_undone(start, table):
    program = noted(start, table)
    store = program.viewer.store
    named = store.notes
    store.note(store.notes.with_name(7, "another"))
    write(table, [*LINES[10:], *LINES[:10]])
    open_file(program, table)
    accept(program)
    assert program.result.dataset.row_names[0] == "r10"
    names = dict(store.notes.row_names)
    assert names == {15: "odd one", 17: "another"}
    # The steps before were made on the old rows.
    assert store.undo_text == "name “another”"
    program.activate()
    program.press(Qt.Key.Key_Z, CTRL)
    assert dict(store.notes.row_names) == {15: "odd one"}
    assert named.row_names == ((5, "odd one"),)
    assert sorted(values(program, np.flatnonzero(program.board.linking.selection))) == [
        5 * 1.25,
        6 * 1.25,
        19 * 1.25,
    ]


def test_names_that_cannot_be_placed_are_listed(start, table, monkeypatch, tmp_path):
    program = noted(start, table)
    path = tmp_path / "work.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()
    write(table, LINES[:5])
    second = again(start, path)
    second.click(second.window.message_bar.findChild(object, "message_close"))
    assert second.message() == (
        "Not in “tea” any more: the row named “odd one” and 3 of 3 selected rows."
    )
    assert second.viewer.store.notes.row_names == ()
    assert load(path).notes.row_names == ((5, "odd one"),)
