"""Rows of a second file are seen wherever rows are seen."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from sklearn.datasets import load_iris

from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.text.describe import scores_text
from kpca_viewer.support.numerals import data_value
from tests.e2e.files import accept, open_file, read
from tests.e2e.program import SMALL
from tests.e2e.sweeps import sweep


@pytest.fixture
def program(start, tmp_path):
    iris = load_iris(as_frame=True)
    frame = iris.data.assign(species=iris.target_names[iris.target])
    frame = frame.sample(frac=1, random_state=0)
    frame.iloc[:100].to_csv(tmp_path / "old.csv", index=False)
    frame.iloc[100:].to_csv(tmp_path / "new.csv", index=False)
    program = start(SessionSettings(), settled=False)
    open_file(program, tmp_path / "old.csv")
    accept(program)
    program.viewer.controllers["import_sheet"].open_new_rows(tmp_path / "new.csv")
    read(program)
    program.settle()
    return program


def test_they_are_seen_wherever_rows_are_seen(program):
    """One program: to open both files takes longer than any of the steps."""
    for step in (
        they_have_a_marker_a_hover_a_place_in_all_plots_and_a_score,
        they_stay_when_rows_are_left_out_and_columns_are_scaled,
        a_film_shows_the_rows_of_the_data_in_their_colours,
        the_table_lists_them_last_and_selects_rows_of_the_data,
    ):
        step(program)
        program.board.linking.clear()


def they_have_a_marker_a_hover_a_place_in_all_plots_and_a_score(program):
    board, result = program.board, program.result
    board.compare.show_page("pca")
    for view in (board.data.view, board.embedding.view, board.compare.pca):
        assert view.point_count == 150
        shapes = view.area.cloud.shapes
        assert set(shapes[:100]) == {0}
        assert set(shapes[100:]) == {5}
    # In the colours of their classes.
    assert board.embedding.view.class_names == ("setosa", "versicolor", "virginica")
    share = round(100 * result.new_accuracy.kernel)
    assert f"accuracy on 50 new rows {share} %" in program.caption("embedding")
    assert "accuracy on 50 new rows" in program.caption("page")
    view = board.embedding.view
    place = QPointF(*view.area.pixels()[120])
    view.canvas.moved.emit(place)
    row = board.linking.hovered
    assert row is not None
    assert row >= 100
    lines = view.describe(row).splitlines()
    new = result.new_rows
    assert lines[0] == f"new row {row - 99} · {new.label_names[new.labels[row - 100]]}"
    assert lines[1].startswith("sepal length (cm) = ")
    # The same row lights up in the others.
    assert board.data.view.area.cloud.lit == (row,)


def test_other_random_numbers_are_for_data_that_are_made_of_some(program):
    before = program.viewer.store.settings
    QTest.keyClick(program.window, Qt.Key.Key_R)
    program.settle()
    assert program.viewer.store.settings is before
    assert program.board.embedding.view.point_count == 150
    assert not program.action("roll").isEnabled()
    program.action("undo").trigger()
    program.settle()
    assert program.action("roll").isEnabled()


def they_stay_when_rows_are_left_out_and_columns_are_scaled(program):
    view, linking = program.board.embedding.view, program.board.linking
    # All rows of one class: the others keep their codes.
    linking.apply_selection(program.result.dataset.labels == 0)
    left = 100 - int(linking.selection.sum())
    program.action("exclude_rows").trigger()
    program.settle()
    assert (program.result.dataset.n, view.point_count) == (left, left + 50)
    program.choose("scaling_combo", "Standardise columns")
    program.settle()
    assert view.point_count == left + 50
    new = program.result.new_rows
    expected = program.result.project(new.points)
    assert np.allclose(program.result.new_scores, expected)
    # A class that no row teaches any more is not asked for.
    assert program.result.new_accuracy.rows == np.sum(new.labels != 0)
    assert program.result.new_accuracy.kernel > 0.8
    for _ in range(2):
        program.action("undo").trigger()
    program.settle()
    assert view.point_count == 150


def the_table_lists_them_last_and_selects_rows_of_the_data(program):
    board = program.board
    board.compare.show_page("table")
    model, table = (
        board.compare.views["table"].view.model,
        board.compare.views["table"].view,
    )
    assert model.rowCount() == 150
    titles = [column.title for column in model.columns]
    places = [model.index(100, titles.index(t)).data() for t in ("row", "set")]
    assert places == ["new 1", "new"]
    assert table.caption() == "All 100 rows, and 50 new"
    name = model.index(100, titles.index("name"))
    assert not name.flags() & Qt.ItemFlag.ItemIsEditable
    model.sort(titles.index("PC 1"), Qt.SortOrder.DescendingOrder)
    scores = program.result.joined.scores[model.rows, 0]
    assert (np.diff(scores) <= 0).all()
    table.table.lines_marked.emit(np.arange(150))
    assert board.linking.selection.shape == (100,)
    program.action("remove_new_rows").trigger()
    program.settle()
    assert "set" not in [column.title for column in model.columns]


def test_grouping_and_leaving_out_keep_them_and_other_columns_do_not(program):
    mask = np.arange(100) < 5
    program.viewer.controllers["selection"].name("group", "first", mask)
    program.settle()
    assert program.result.joined.dataset.columns["group"].texts()[4:6] == ("first", "")
    program.board.linking.apply_selection(mask, "replace")
    program.action("exclude_rows").trigger()
    program.settle()
    assert program.result.joined.dataset.n == 95 + 50
    settings = program.viewer.store.settings
    importing = settings.data.importing.with_role("sepal width (cm)", "ignore")
    data = replace(settings.data, importing=importing)
    program.window.changes.request(replace(settings, data=data))
    program.settle()
    assert program.result.joined is None


def test_dropped_points_are_in_the_table_and_say_their_values(start):
    program = start(SMALL)
    program.board.compare.show_page("table")
    model = program.board.compare.views["table"].view.model
    program.action("new_point").trigger()
    assert model.rowCount() == 61
    (place,) = program.viewer.store.notes.new_points
    titles = [column.title for column in model.columns]
    assert model.columns[titles.index("x1")].values[60] == place[0]
    scores = program.result.project(np.array([place]))[0]
    for view in (program.board.data.view, program.board.embedding.view):
        area = view.area
        at = QPointF(*area.frame.to_pixels(area.marker_places())[0])
        view.canvas.moved.emit(at)
        # A narrow plot has one value on a line.
        said = " · ".join(area.overlay.label_lines)
        assert said.split(" · ") == [
            "new 1",
            *(f"x{j + 1} = {data_value(place[j])}" for j in (0, 1)),
            *scores_text(scores, (0, 1)).split(" · "),
        ]
        view.canvas.moved.emit(None)
        assert area.overlay.label_lines == []
    program.action("undo").trigger()
    assert model.rowCount() == 60


def a_film_shows_the_rows_of_the_data_in_their_colours(program):
    sweep(program, steps=3)
    view, strip = program.board.embedding.view, program.strip
    strip.preview.emit(strip.result().points[0])
    assert view.point_count == 100
    assert len(np.unique(view.area.cloud.colors, axis=0)) == 3
    view.selected.emit(np.ones(100, dtype=bool), "replace")
    assert program.board.linking.selection.all()
    strip.preview.emit(None)
    assert view.point_count == 150
