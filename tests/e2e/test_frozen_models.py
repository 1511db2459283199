"""What a table or list shows is one state, whatever is hidden, undone or pasted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.features.table.table_view import TableView
from kpca_viewer.widgets.plots.legend_parts import LegendEntry
from tests.e2e.program import SMALL

PASTED = "a,b,c\n1,2,u\n3,4,v\n5,6,u"


def hide_class(program) -> None:
    """Click the first class of the legend, with the table in front."""
    program.action("page_table").trigger()
    program.settle()
    legend = program.board.embedding.legend
    program.click(legend.findChildren(LegendEntry)[0])
    assert legend.hidden


@pytest.mark.parametrize("undone", [1, 2, 3])
def test_pasted_rows_are_undone_with_a_class_hidden(start, undone):
    program = start(SMALL)
    program.press(Qt.Key.Key_N)
    program.settle()
    QGuiApplication.clipboard().setText(PASTED)
    program.action("paste").trigger()
    program.until(lambda: not program.viewer.controllers["import_sheet"].runner.busy)
    for sheet in program.window.findChildren(ImportSheet):
        QTest.keyClick(sheet, Qt.Key.Key_Return)
    program.until(lambda: program.result.dataset.n == 3)
    program.settle()
    hide_class(program)
    program.window.grab()
    for _ in range(undone):
        program.action("undo").trigger()
        program.settle()
        program.window.grab()


def test_a_new_point_comes_while_a_class_is_hidden(start):
    program = start(SMALL)
    hide_class(program)
    program.press(Qt.Key.Key_N, on=program.window)
    program.settle()
    program.window.grab()
    model = program.find(TableView, "table_view").model
    assert (model.total, model.new_count) == (60, 1)
    assert model.hidden_count == 30
