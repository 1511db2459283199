"""The table of a place: numbers are whole, whatever room there is."""

import pytest

from kpca_viewer.features.preimage.compute import ComparedColumn
from kpca_viewer.features.preimage.view import ValuesTable

LONG = [
    ComparedColumn(0, "a name that is much longer than others", -1.234e-11, 1, -12.5),
    ComparedColumn(1, "x", 123456.7, -9.87654e21, 0.1),
]


@pytest.mark.parametrize("pictured", [False, True])
@pytest.mark.parametrize("width", [150, 220, 300, 600])
def test_numbers_are_never_cut(qtbot, width, pictured):
    table = ValuesTable()
    qtbot.addWidget(table)
    table.resize(width, 200)
    table.show_columns(LONG, "row 1040", pictured=pictured)
    table.show()
    shown = [j for j in range(1, 4) if not table.isColumnHidden(j)]
    assert shown[0] == 1
    assert shown == list(range(1, 1 + len(shown)))
    for column in shown:
        # What its contents ask for, by Qt's own measure.
        assert table.sizeHintForColumn(column) <= table.columnWidth(column)
    taken = sum(table.columnWidth(j) for j in (0, *shown))
    assert taken <= table.viewport().width()
    assert (3 in shown) == (width == 600 and not pictured)


def test_columns_come_back_with_the_room(qtbot):
    table = ValuesTable()
    qtbot.addWidget(table)
    table.show()
    table.show_columns(LONG, "row 1")
    for width, hidden in ((600, False), (160, True), (600, False)):
        table.resize(width, 200)
        assert table.isColumnHidden(3) is hidden


def test_a_long_name_of_a_row_is_cut_in_its_middle(qtbot):
    table = ValuesTable()
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show_columns(LONG[1:], "Specimen of great length, number 17")
    head = table.horizontalHeaderItem(2)
    assert head.text().startswith("Sp")
    assert head.text().endswith("7")
    assert "…" in head.text()
    assert "number 17" in head.toolTip()
    table.show_columns(LONG[1:], "row 17")
    assert head.text() == "row 17"
