"""The table of columns with a scaling of their own, where there are many."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit

from kpca_viewer.window.sidebar.column_scaling import (
    HIGHEST,
    MOST_ROWS,
    ColumnScalingTable,
)


def rows(table):
    page = table._area.widget()
    return [combo.accessibleName() for combo in page.findChildren(QComboBox)]


@pytest.mark.journey
def test_many_columns_are_found_by_a_part_of_their_name(qtbot):
    table = ColumnScalingTable()
    qtbot.addWidget(table)
    table.show()
    find = table.findChild(QLineEdit, "column_scaling_find")
    more = table.findChild(QLabel, "column_scaling_more")
    few = [(f"gene {j}", 0.0, 9.0) for j in range(MOST_ROWS)]
    table.show_columns(few, {})
    assert not find.isVisible()
    assert not more.isVisible()
    assert len(rows(table)) == MOST_ROWS

    many = [(f"gene {j}", float(j - 70), 99.0) for j in range(5000)]
    table.show_columns(many, {"gene 4000": "log"})
    assert rows(table)[0] == "Scaling of gene 4000", "what is set is not looked for"
    assert more.text() == f"{5000 - MOST_ROWS:,} more; type a part of their names."
    assert table._area.height() <= HIGHEST
    QTest.keyClicks(find, "Gene 77")
    assert rows(table)[:2] == ["Scaling of gene 77", "Scaling of gene 770"]
    chosen, refused = [], []
    table.scaling_chosen.connect(lambda *what: chosen.append(what))
    table.refused.connect(refused.append)
    combo = table.findChild(QComboBox, "column_scaling_gene 77")
    combo.setCurrentIndex(combo.findData("log"))
    assert chosen == [("gene 77", "log")]
    QTest.keyClicks(find, "77")
    assert more.text() == "No column is called so."
    find.clear()
    combo = table.findChild(QComboBox, "column_scaling_gene 70")
    assert combo is None, "not among the first ones"
    QTest.keyClicks(find, "gene 70")
    combo = table.findChild(QComboBox, "column_scaling_gene 70")
    combo.setCurrentIndex(combo.findData("log"))
    assert "its smallest is 0; choose log(1 + x)" in refused[0]
    assert combo.currentData() is None
