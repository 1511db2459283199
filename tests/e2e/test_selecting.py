"""Rows are selected in the table and in the kernel matrix, and so everywhere."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from tests.e2e.program import CTRL, LEFT, NO_KEY, SHIFT


def test_rows_of_the_table(program):
    program.press(Qt.Key.Key_3, CTRL | SHIFT)
    table = program.board.compare.views["table"].view
    cells, model = table.table, table.model
    for line, keys in ((2, NO_KEY), (4, SHIFT), (3, CTRL)):
        place = cells.visualRect(model.index(line, 0)).center()
        QTest.mouseClick(cells.viewport(), LEFT, keys, place)
    assert program.selected == [2, 4]
    assert model.rowCount() == 400
    cloud = program.board.embedding.view.area.cloud
    assert np.flatnonzero(cloud.selected).tolist() == [2, 4]
    # A dragged γ brings new scores, not another selection.
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    assert program.selected == [2, 4]
    assert (model.rowCount(), table.caption()) == (400, "2 of 400 rows selected")
    program.press(Qt.Key.Key_Escape, on=program.board.embedding.view.canvas)
    assert program.selected == []
    assert table.caption() == "All 400 rows"


def test_a_range_of_the_kernel_matrix(program):
    program.press(Qt.Key.Key_2, CTRL | SHIFT)
    gram = program.board.compare.views["gram"].view
    layout = gram.plan()
    start, end = (layout.cell_rect(*at).center().toPoint() for at in ((9, 9), (60, 30)))
    QTest.mousePress(gram, LEFT, NO_KEY, start)
    QTest.mouseMove(gram, end)
    QTest.mouseRelease(gram, LEFT, NO_KEY, end)
    first, last = layout.cell_at(start), layout.cell_at(end)
    rows = program.result.picture.rows
    expected = {
        int(row) for a, b in zip(first, last, strict=True) for row in rows[a : b + 1]
    }
    assert program.selected == sorted(expected)
    # What is selected elsewhere is marked here.
    program.lasso(program.board.data.view, [5, 6])
    assert set(rows[list(gram.chosen)].tolist()) == set(program.selected)


def test_rows_of_larger_data_are_selected_behind_another_page(start):
    program = start(SessionSettings(data=DataSettings("iris")))
    program.board.compare.show_page("table")
    program.viewer.store.update(SessionSettings(data=DataSettings("wine")))
    program.settle()
    mask = np.zeros(178, dtype=bool)
    mask[[3, 170]] = True
    program.board.linking.apply_selection(mask, "replace")
    program.board.compare.show_page("pca")
    lit = program.board.compare.pca.area.cloud.selected
    assert np.flatnonzero(lit).tolist() == [3, 170]
