"""Odd points get names: typed into the table, seen everywhere, kept and exported."""

import csv
import json

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from kpca_viewer.engine.document.files import load
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import SessionSettings, ViewSettings
from kpca_viewer.engine.views import Camera
from kpca_viewer.features.table.model import NAME
from kpca_viewer.widgets.controls import Segmented
from tests.e2e.files import open_file, save_as
from tests.e2e.program import SMALL

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def program(start):
    return start(SMALL)


def select(program, *rows: int) -> None:
    program.select(*rows)
    program.action("page_table").trigger()


def cell(program, line: int) -> QPoint:
    table = program.board.compare.views["table"].view.table
    return table.visualRect(table.model().index(line, NAME)).center()


def editor(program) -> QLineEdit:
    """Return the field that is open; Qt removes old ones a little later."""
    table = program.board.compare.views["table"].view.table
    fields = table.findChildren(QLineEdit, "row_name_field")
    (field,) = [field for field in fields if field.isVisible()]
    return field


def name_by_mouse(program, line: int, text: str) -> None:
    table = program.board.compare.views["table"].view.table
    QTest.mouseClick(table.viewport(), LEFT, pos=cell(program, line))
    QTest.mouseDClick(table.viewport(), LEFT, pos=cell(program, line))
    QTest.keyClicks(editor(program), text)
    finish(program)


def finish(program, key=Qt.Key.Key_Return) -> None:
    """End typing; Qt closes the field when the key has been worked off."""
    QTest.keyClick(editor(program), key)
    QApplication.processEvents()


def shown_names(program) -> list[str]:
    model = program.board.compare.views["table"].view.model
    return [model.index(line, NAME).data() for line in range(model.rowCount())]


def test_a_name_is_typed_seen_undone_and_redone(program):
    select(program, 3, 17, 40)
    name_by_mouse(program, 0, "odd one")
    assert shown_names(program) == ["odd one", "", ""]
    assert program.viewer.store.notes.row_names == ((3, "odd one"),)
    # The next row is ready, and its name begins with a key that is a shortcut.
    table = program.board.compare.views["table"].view.table
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, NAME)
    family = program.settings.kernel.family
    QTest.keyClick(table, Qt.Key.Key_2)
    QTest.keyClicks(editor(program), "nd")
    finish(program)
    assert shown_names(program) == ["odd one", "2nd", ""]
    assert program.settings.kernel.family == family
    described = program.board.embedding.view.describe(17)
    assert described.startswith("2nd · row 18 · ")
    assert program.action("undo").text() == "&Undo name “2nd”"
    program.action("undo").trigger()
    assert shown_names(program) == ["odd one", "", ""]
    program.action("redo").trigger()
    assert shown_names(program) == ["odd one", "2nd", ""]


def test_escape_keeps_the_name_and_an_empty_one_takes_it_away(program):
    select(program, 5)
    name_by_mouse(program, 0, "far")
    table = program.board.compare.views["table"].view.table
    table.setCurrentIndex(table.model().index(0, NAME))
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_F2)
    QTest.keyClicks(editor(program), "ther")
    finish(program, Qt.Key.Key_Escape)
    assert shown_names(program) == ["far"]
    QTest.keyClick(table, Qt.Key.Key_F2)
    QTest.keyClick(editor(program), Qt.Key.Key_A, CTRL)
    QTest.keyClick(editor(program), Qt.Key.Key_Delete)
    finish(program)
    assert shown_names(program) == [""]
    assert program.viewer.store.undo_text == "removal of the name “far”"


def test_named_rows_sort_first(program):
    program.action("page_table").trigger()
    program.viewer.store.note(
        program.viewer.store.notes.with_name(40, "b").with_name(9, "c")
    )
    program.board.compare.views["table"].view.table.sortByColumn(
        NAME, Qt.SortOrder.AscendingOrder
    )
    assert program.board.compare.views["table"].view.model.rows[:3].tolist() == [
        40,
        9,
        0,
    ]


def test_other_points_have_no_old_names(program):
    select(program, 3)
    name_by_mouse(program, 0, "odd")
    program.action("roll").trigger()
    program.settle()
    assert program.viewer.store.notes.row_names == ()
    program.action("undo").trigger()
    program.settle()
    assert program.board.linking.names == {3: "odd"}


def test_names_are_exported_with_the_selection(program, tmp_path):
    select(program, 3, 17)
    name_by_mouse(program, 1, "=odd")
    panel = program.viewer.controllers["export_panel"].panel()
    panel.show_page("numbers")
    page = panel.numbers
    page.choose("coordinates")
    panel.findChild(Segmented, "export_rows").button("selected").setChecked(True)
    path = tmp_path / "odd.csv"
    page.work(path)()
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["row"], row["name"]) for row in rows] == [("4", ""), ("18", "'=odd")]
    panel.close()


def test_a_session_opens_with_names_camera_range_page_and_hidden_classes(
    program, start, monkeypatch, tmp_path
):
    select(program, 3, 17)
    name_by_mouse(program, 0, "odd")
    data, embedding = program.board.data.view, program.board.embedding.view
    wheel(data)
    zoomed = data.view_range()
    program.action("embedding_3d").trigger()
    program.settle()
    QTest.mousePress(embedding.canvas.viewport(), LEFT, pos=QPoint(80, 80))
    QTest.mouseMove(embedding.canvas.viewport(), QPoint(130, 60))
    QTest.mouseRelease(embedding.canvas.viewport(), LEFT, pos=QPoint(130, 60))
    camera = embedding.camera
    assert camera != Camera()
    program.click(program.find(QWidget, "legend_entry_1"))
    assert program.board.hidden == {1}
    size, path = program.window.size(), tmp_path / "seen.kpca"
    save_as(program, monkeypatch, path)
    program.window.close()

    again = start(SessionSettings())
    again.window.resize(size)
    open_file(again, path)
    again.settle()
    board = again.board
    assert board.linking.names == {3: "odd"}
    assert np.flatnonzero(board.linking.selection).tolist() == [3, 17]
    assert board.embedding.view.camera == camera
    np.testing.assert_allclose(board.data.view.view_range(), zoomed, rtol=1e-9)
    assert board.compare.pages.value() == "table"
    assert shown_names(again) == ["odd", ""]
    assert board.hidden == {1}
    # What is looked at changes nothing that is computed.
    assert again.settings.view == ViewSettings(embedding_3d=True)


def wheel(view) -> None:
    """Turn the wheel over the middle of a plot."""
    port = view.canvas.viewport()
    at = QPointF(port.rect().center())
    event = QWheelEvent(
        at,
        port.mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def test_colours_do_not_undo_a_zoom_and_other_data_do(program):
    view = program.board.data.view
    fitted = view.view_range()
    wheel(view)
    zoomed = view.view_range()
    assert zoomed != fitted
    program.choose("color_combo", "One colour")
    program.settle()
    assert view.view_range() == zoomed
    program.action("roll").trigger()
    program.settle()
    assert view.view_range() != zoomed


def test_a_pose_that_makes_no_sense_is_the_usual_one(program):
    for views in (
        {"embedding": {"camera": {"zoom": 0}, "range": [[3, 1], [0, 1]]}},
        {"embedding": "upside down", "page": "nowhere", "hidden": ["a", 99]},
        {"signs": ["x", None]},
        {"data": {"range": [[0, 0], [0, 1]]}},
    ):
        body = json.loads(to_bytes(Document(SMALL))) | {"views": views}
        opened = from_bytes(json.dumps(body).encode())
        wheel(program.board.data.view)
        program.viewer.presenter.data.open_document(opened, {})
        program.settle()
        assert program.board.embedding.view.camera == Camera(), views
        assert not program.board.data.view.zoomed, views
        assert program.board.hidden == frozenset(), views


def test_old_sessions_without_any_of_this_open(program, monkeypatch, tmp_path):
    path = tmp_path / "old.kpca"
    save_as(program, monkeypatch, path)
    document = load(path)
    assert document.notes == Notes()


def test_a_selection_is_undone_and_redone(program):
    view, linking = program.board.embedding.view, program.board.linking
    program.lasso(view, [3, 17])
    first = linking.selection.copy()
    count = int(first.sum())
    assert program.viewer.store.undo_text.startswith(f"selection of {count} row")
    program.press(Qt.Key.Key_Escape)
    assert linking.selection is None
    assert program.action("undo").text() == "&Undo clearing of the selection"
    program.action("undo").trigger()
    np.testing.assert_array_equal(linking.selection, first)
    # Other points have no selection; it comes back with its own.
    program.action("roll").trigger()
    program.settle()
    assert linking.selection is None
    assert program.viewer.store.undo_text.startswith("seed ")
    program.action("undo").trigger()
    program.settle()
    np.testing.assert_array_equal(linking.selection, first)
    program.action("undo").trigger()
    assert linking.selection is None
    program.action("redo").trigger()
    np.testing.assert_array_equal(linking.selection, first)
