"""What can be done with selected rows, where they are seen."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QInputDialog,
    QLineEdit,
    QMenu,
    QPushButton,
)

from kpca_viewer.engine.document.files import load
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.text.describe import describe_row
from kpca_viewer.export.result_tables import coordinates
from kpca_viewer.features.selection.feature import MENU
from kpca_viewer.widgets.plots.legend_parts import LegendEntry
from tests.e2e.files import accept, again, open_file, save_as, save_with_data
from tests.e2e.program import CTRL, SMALL
from tests.e2e.test_changed_file import LINES, write

RIGHT = Qt.MouseButton.RightButton


@pytest.fixture
def program(start):
    return start(SMALL)


@pytest.fixture
def tea(start, tmp_path):
    program = start(SessionSettings(), settled=False)
    open_file(program, write(tmp_path / "tea.csv", LINES))
    accept(program)
    return program


def do(program, key: str) -> None:
    program.action(key).trigger()
    program.settle()


def menu(program) -> QMenu:
    """Return the menu that is open."""
    found = QApplication.activePopupWidget()
    assert isinstance(found, QMenu)
    of_selection = program.window.actions_table.menu(MENU).actions()
    assert found.actions()[: len(of_selection)] == of_selection
    return found


def test_a_right_click_on_a_plot_opens_the_menu_and_a_drag_does_not(program):
    program.select(3, 4)
    canvas = program.board.embedding.view.canvas
    corner = QPoint(60, 30)
    QTest.mouseClick(canvas.viewport(), RIGHT, pos=corner)
    shown = menu(program)
    texts = [a.text().replace("&", "") for a in shown.actions() if a.isEnabled()]
    assert {"Exclude and refit", "Only these (refit)", "Invert"} <= set(texts)
    assert "Take all rows back" not in texts
    shown.close()
    QTest.mousePress(canvas.viewport(), RIGHT, pos=corner)
    QTest.mouseMove(canvas.viewport(), corner + QPoint(30, 20))
    QTest.mouseRelease(canvas.viewport(), RIGHT, pos=corner + QPoint(30, 20))
    assert QApplication.activePopupWidget() is None


def test_a_right_click_turns_an_axis_of_that_plot_round(program):
    board, view = program.board, program.viewer.store.settings.view
    embedded = view.with_flip(view.axes[1], linear=False)
    linear = embedded.with_flip(1, linear=True)
    for plot, expected in (
        (board.embedding.view, embedded),
        (board.compare.pca, linear),
        (board.data.view, linear),
    ):
        QTest.mouseClick(plot.canvas.viewport(), RIGHT, pos=QPoint(60, 30))
        shown = menu(program)
        flips = [action for action in shown.actions() if "Flip" in action.text()]
        if flips:
            flips[1].trigger()
        shown.close()
        program.settle()
        assert program.viewer.store.settings.view == expected


def test_a_right_click_on_a_new_point_removes_it_as_before(program):
    view = program.board.data.view
    program.action("new_point").trigger()
    (place,) = program.viewer.store.notes.new_points
    at = QPointF(*view.area.frame.to_pixels(np.array([place]))[0]).toPoint()
    QTest.mouseClick(view.canvas.viewport(), RIGHT, pos=at)
    assert program.viewer.store.notes.new_points == ()
    assert QApplication.activePopupWidget() is None


def test_the_menu_key_opens_it_too(program):
    compare = program.board.compare
    for page, widget in (
        ("pca", program.board.data.view.canvas),
        ("table", compare.views["table"].view.table),
        ("gram", compare.views["gram"].view),
    ):
        compare.show_page(page)
        at = widget.rect().center()
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at)
        )
        QGuiApplication.sendEvent(widget, event)
        assert not program.action("exclude_rows").isEnabled()
        menu(program).close()


def test_excluded_rows_are_gone_said_and_taken_back(tea):
    store = tea.viewer.store
    store.note(store.notes.with_name(5, "odd one").with_name(9, "far out"))
    shown = dict(tea.result.kernel.values)
    tea.select(2, 9)
    do(tea, "exclude_rows")
    dataset = tea.result.dataset
    assert (dataset.n, dataset.excluded) == (18, 2)
    # Other rows may suggest another γ: the one that is shown is set from now on.
    assert dict(store.settings.kernel.values) == shown
    assert store.settings.kernel.kept == ("gamma",)
    assert "r2" not in dataset.row_names
    assert "2 rows left out" in tea.window.status_text()
    assert tea.window.sidebar.findChild(object, "excluded_note").text() == (
        "2 rows left out"
    )
    # The name stays with its row, which is another one by number.
    ((row, name),) = tea.board.linking.names.items()
    assert (dataset.row_names[row], name) == ("r5", "odd one")
    assert tea.action("undo").text() == "&Undo rows left out none → 2"
    # More of them, then all back by the button of the card.
    tea.select(0)
    do(tea, "exclude_rows")
    assert tea.result.dataset.excluded == 3
    tea.click(tea.find(QPushButton, "all_rows_button"))
    tea.settle()
    assert tea.result.dataset.n == 20
    assert tea.board.linking.names == {5: "odd one", 9: "far out"}
    assert "left out" not in tea.window.status_text()
    tea.activate()
    tea.press(Qt.Key.Key_Z, CTRL)
    tea.settle()
    assert tea.result.dataset.excluded == 3
    assert list(tea.board.linking.names.values()) == ["odd one"]


def test_only_these_and_then_fewer(tea):
    tea.select(1, 2, 3, 4)
    do(tea, "only_rows")
    assert tea.result.dataset.row_names == ("r1", "r2", "r3", "r4")
    assert tea.board.linking.selection is None
    tea.select(0)
    do(tea, "exclude_rows")
    assert tea.result.dataset.row_names == ("r2", "r3", "r4")
    tea.select(0)
    do(tea, "only_rows")
    assert tea.message().startswith("Only one row would be left")
    assert tea.result.dataset.n == 3


def test_other_columns_leave_them_out_still(tea):
    tea.select(2, 9)
    do(tea, "exclude_rows")
    tea.viewer.controllers["import_sheet"].edit_columns()
    accept(tea)
    assert tea.result.dataset.excluded == 2


@pytest.mark.parametrize("inside", [False, True])
def test_a_session_leaves_them_out_of_a_file_that_has_changed(
    start, tea, monkeypatch, tmp_path, inside
):
    tea.select(2, 19)
    do(tea, "exclude_rows")
    tea.select(0)
    path = tmp_path / "work.kpca"
    if inside:
        save_with_data(tea, monkeypatch, path)
        tea.until(lambda: path.exists() and not tea.viewer.sessions.saver.busy)
    else:
        save_as(tea, monkeypatch, path)
    tea.window.close()
    write(tmp_path / "tea.csv", ["n1,x,99,1", *LINES[18::-1]])
    second = again(start, path)
    names = second.result.dataset.row_names
    assert "r2" not in names
    selected = np.flatnonzero(second.board.linking.selection)
    assert [names[row] for row in selected] == ["r0"]
    if inside:
        # What was seen, all of it.
        assert second.result.before_exclusion.n == 20
        assert second.result.dataset.excluded == 2
        return
    assert second.result.dataset.excluded == 1
    second.click(second.window.message_bar.findChild(object, "message_close"))
    assert second.message() == (
        "Not in “tea” any more: 1 row that was chosen to be left out."
    )
    assert load(path).settings.data.excluded.rows.count == 2


def test_the_selected_rows_are_exported(program):
    program.select(3, 4)
    program.action("export_selection").trigger()
    panel = program.viewer.controllers["export_panel"].panel()
    table = panel.numbers.table()
    assert (table.name, table.rows) == ("coordinates", 2)
    panel.close()


def answer(program, key: str, text: str) -> None:
    """Type a name into the question that an entry of the menu asks."""
    program.action(key).trigger()
    dialog = program.window.findChild(QInputDialog, "name_dialog")
    field = dialog.findChild(QLineEdit)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    program.settle()


def test_a_group_is_told_by_hover_table_and_export_without_computing(tea):
    before = tea.result.decomposition
    tea.board.data.view.zoom(2.0, QPointF(150, 100))
    seen = tea.board.data.view.view_range()
    tea.select(2, 3)
    answer(tea, "name_group", " odd   ones ")
    result, linking = tea.result, tea.board.linking
    assert result.decomposition is before
    assert not tea.settings.kernel.values, "γ is still the suggested one"
    assert linking.selection.sum() == 2
    assert tea.board.data.view.view_range() == seen
    assert "group: odd ones" in describe_row(result, 3).splitlines()
    tea.board.compare.show_page("table")
    model = tea.board.compare.views["table"].view.model
    place = [column.title for column in model.columns].index("group")
    assert [model.index(i, place).data() for i in range(2)] == ["odd ones"] * 2
    assert dict(coordinates(result).columns)["group"][1:4] == (
        "",
        "odd ones",
        "odd ones",
    )
    assert tea.action("undo").text() == "&Undo group “odd ones” of 2 rows"
    # One group for a row: the later one has it; no name takes it out.
    tea.select(3, 4)
    answer(tea, "name_group", "others")
    tea.select(4)
    answer(tea, "name_group", "")
    groups = tea.result.dataset.columns["group"]
    assert groups.texts(np.arange(2, 5)) == ("odd ones", "others", "")
    tea.activate()
    tea.press(Qt.Key.Key_Z, CTRL)
    tea.settle()
    groups = tea.result.dataset.columns["group"]
    assert groups.texts(np.arange(2, 5)) == ("odd ones", "others", "others")
    assert tea.result.decomposition is before


def test_a_new_class_is_made_of_the_labels_and_coloured_by(tea):
    before = tea.result.decomposition
    tea.select(2, 3)
    answer(tea, "new_class", "z")
    result = tea.result
    assert result.decomposition is before
    assert tea.settings.view.color_by == "column:class"
    column = result.dataset.columns["class"]
    assert column.words == ("x", "y", "z")
    assert column.texts(np.arange(5)) == ("x", "y", "z", "z", "x")
    entries = tea.board.embedding.legend.findChildren(LegendEntry)
    assert [entry.name for entry in entries] == ["x", "y", "z"]
    # The labels of the data are as they were.
    assert result.dataset.label_names == ("x", "y")
    assert tea.action("undo").text() == "&Undo class “z” of 2 rows"
    tea.activate()
    tea.press(Qt.Key.Key_Z, CTRL)
    tea.settle()
    assert tea.settings.view.color_by == "label"
    assert "class" not in tea.result.dataset.columns


def test_groups_follow_their_rows_into_a_file_that_has_changed(
    start, tea, monkeypatch, tmp_path
):
    tea.select(2, 3, 19)
    answer(tea, "name_group", "odd")
    tea.select(0, 1)
    do(tea, "exclude_rows")
    assert tea.result.dataset.columns["group"].texts()[:3] == ("odd", "odd", "")
    path = tmp_path / "work.kpca"
    save_as(tea, monkeypatch, path)
    tea.window.close()
    write(tmp_path / "tea.csv", ["n1,x,99,1", *LINES[18::-1]])
    second = again(start, path)
    dataset = second.result.dataset
    words = dataset.columns["group"].texts()
    found = {n for n, w in zip(dataset.row_names, words, strict=True) if w == "odd"}
    assert found == {"r2", "r3"}
    second.click(second.window.message_bar.findChild(object, "message_close"))
    assert second.message() == "Not in “tea” any more: 1 row of the group “odd”."
