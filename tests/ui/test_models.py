"""Every table and list model answers from one state, whatever it is asked."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpca_viewer.data.table import Column, Table
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.features.import_sheet.models import ColumnsModel, PreviewModel
from kpca_viewer.features.outliers.compute import OddList
from kpca_viewer.features.outliers.outlier_list import OddListModel
from kpca_viewer.features.outliers.stages import ODD_LIST
from kpca_viewer.features.table.model import TableModel
from kpca_viewer.widgets.controls.combos import ItemsModel
from tests.ui.plots.results import result_of
from tools.preview import samples

ROLES = [Qt.ItemDataRole(number) for number in range(14)]


def of_rows(parent):
    """Rows that come and go, hidden by a mask of another length half of the time."""
    model, few, many = TableModel(parent), result_of(samples=4), result_of(samples=9)
    yield model
    for result in (many, with_points(many, ((0.0, 0.0),)), few, many, few):
        model.set_hidden(np.arange(result.dataset.n) < 2)
        model.set_chosen(np.arange(model.total) < 3)
        yield
        model.set_result(result)
        yield
        model.sort(2)
        yield
    assert model.hidden_count == 2
    model.set_result(with_points(few, ((0.0, 0.0),)))
    assert model.hidden_count == 2
    model.set_filter("pc")
    yield


def of_odd_rows(_parent):
    model, listed = OddListModel(), samples.with_odd_rows().result.get(ODD_LIST)
    names = {each.row: "name" for each in listed.rows}
    yield model
    for some in (listed, replace(listed, rows=listed.rows[:1]), None, listed):
        model.set_list(some, names)
        yield
    model.set_list(OddList(listed.of, (), None), {})
    yield


def of_items(parent):
    model = ItemsModel([("a", 1), ("b", 2)], parent)
    yield model
    for items in ([("c", 3)], [], [("d", 4)] * 3):
        model.set_items(items)
        yield


def table(columns: int, rows: int) -> Table:
    values = np.arange(float(rows))
    return Table(tuple(Column(f"c{j}", values) for j in range(columns)))


def of_columns(parent):
    model = ColumnsModel(table(3, 5), {f"c{j}": "feature" for j in range(3)}, parent)
    yield model
    for text in ("c1", "nothing", ""):
        model.set_filter(text)
        yield
    model.set_table(table(3, 0))
    yield


def of_first_rows(parent):
    model = PreviewModel(table(3, 5), parent)
    yield model
    for columns, rows in ((2, 9), (1, 0), (4, 2)):
        model.set_table(table(columns, rows))
        yield


MODELS = (of_rows, of_odd_rows, of_items, of_columns, of_first_rows)


@pytest.mark.journey
@pytest.mark.parametrize("states", MODELS)
def test_a_model_answers_in_every_state(states, qapp):
    parent = QObject()
    changes = states(parent)
    model = next(changes)
    # Its complaints are warnings of Qt, which fail a test.
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Warning
    )
    asked = []
    for _ in changes:
        places = range(model.rowCount()), range(_width(model))
        asked += [model.index(row, column) for row in places[0] for column in places[1]]
        for index in asked:
            # Of this state, or of one before.
            for role in ROLES:
                model.data(index, role)
            model.flags(index)
        for section in (-1, 0, *places[0], *places[1], 1000):
            for role in ROLES:
                model.headerData(section, Qt.Orientation.Horizontal, role)
                model.headerData(section, Qt.Orientation.Vertical, role)
    assert asked
    tester.deleteLater()


def _width(model: QAbstractItemModel) -> int:
    return 1 if isinstance(model, ItemsModel) else model.columnCount()


def test_all_models_are_tried():
    tried = {TableModel, OddListModel, ItemsModel}
    tried |= {ColumnsModel, PreviewModel}
    assert set(_ours(QAbstractItemModel)) == tried


def _ours(kind: type):
    for each in kind.__subclasses__():
        if each.__module__.startswith("kpca_viewer"):
            yield each
        yield from _ours(each)
