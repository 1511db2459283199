"""A long list is searched; a short one is a list."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView

from kpca_viewer.widgets.controls import SearchCombo
from kpca_viewer.widgets.controls.combos import ItemsModel

pytestmark = pytest.mark.qt_log_ignore(
    "grabbing the keyboard", "propagateSizeHints", extend=True
)


@pytest.fixture
def genes(qtbot):
    combo = SearchCombo()
    qtbot.addWidget(combo)
    items = [(f"gene_{k:04}", k) for k in range(1200, 3500)]
    combo.set_items([*items, ("<b>Age</b>", "age")])
    with qtbot.waitExposed(combo):
        combo.show()
    return combo


def listed(combo):
    model = combo.findChild(QListView, "search_list").model()
    return [model.index(row).data() for row in range(model.rowCount())]


def test_a_name_is_found_by_a_part_and_taken_with_enter(genes, qtbot):
    genes.setCurrentIndex(17)
    genes.showPopup()
    field = genes.findChild(QLineEdit, "search_field")
    assert len(listed(genes)) == 2301
    QTest.keyClicks(field, "AGE")
    assert listed(genes) == ["<b>Age</b>"]
    with qtbot.waitSignals([genes.currentIndexChanged, genes.activated]):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert genes.currentData() == "age"
    assert QApplication.activePopupWidget() is None
    # Names are plain text: in a tooltip they would be markup.
    assert genes.itemData(2300, Qt.ItemDataRole.ToolTipRole) == "‹b›Age‹/b›"


def test_words_in_any_order_then_the_arrow_keys(genes):
    genes.showPopup()
    field = genes.findChild(QLineEdit, "search_field")
    QTest.keyClicks(field, "12 34")
    assert listed(genes) == ["gene_1234", "gene_3412"]
    QTest.keyClick(field, Qt.Key.Key_Down)
    view = genes.findChild(QListView, "search_list")
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert genes.currentText() == "gene_3412"


def test_nothing_found_says_so_and_escape_changes_nothing(genes):
    genes.setCurrentIndex(3)
    genes.showPopup()
    field = genes.findChild(QLineEdit, "search_field")
    QTest.keyClicks(field, "protein")
    assert genes.findChild(QLabel, "search_none").isVisible()
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert len(listed(genes)) == 2301
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert genes.currentIndex() == 3


def test_a_short_list_has_no_field(genes):
    genes.set_items([("x", 0), ("y", 1)])
    genes.showPopup()
    assert genes.findChild(QLineEdit, "search_field") is None
    assert [genes.itemText(i) for i in range(genes.count())] == ["x", "y"]
    genes.hidePopup()


class CountedItems(ItemsModel):
    """Counts how often it is asked."""

    asked = 0

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        self.asked += 1
        return super().data(index, role)


def test_a_style_asks_for_no_line_of_a_list_that_is_never_opened(qtbot):
    combo = SearchCombo()
    qtbot.addWidget(combo)
    model = CountedItems([], combo)
    combo.setModel(model)
    combo.set_items([(f"gene_{k:05}", k) for k in range(5_000)])
    with qtbot.waitExposed(combo):
        combo.show()
    model.asked = 0
    for color in ("red", "blue"):
        combo.setStyleSheet(f"* {{ color: {color}; }}")
    assert model.asked < 200
    # The list of few items that follow is laid out and can be opened.
    combo.set_items([("wide", 0), ("high", 1)])
    combo.showPopup()
    view = combo.view()
    qtbot.waitUntil(lambda: view.visualRect(model.index(1, 0)).height() > 5)
    assert (
        view.visualRect(model.index(1, 0)).top()
        > view.visualRect(model.index(0, 0)).top()
    )
    combo.hidePopup()
