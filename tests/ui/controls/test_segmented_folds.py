"""Choices that have no room side by side are the pressed one and a menu."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kpca_viewer.widgets.controls import Segmented

SHAPES = (False, False), (True, False), (True, True)
"""Short texts or not, folded or not."""


@pytest.fixture
def pages(qtbot):
    options = [
        ("pca", "Linear PCA", "tip", "PCA"),
        ("gram", "Kernel matrix", "tip", "Matrix"),
        ("table", "Table", "tip"),
    ]
    segmented = Segmented(options, "Compare", folds=True)
    qtbot.addWidget(segmented)
    segmented.show()
    return segmented


def shown(segmented):
    keys = [key for key, _, _ in segmented.options()]
    return [key for key in keys if segmented.button(key).isVisible()]


def test_the_room_is_that_of_each_shape(pages):
    for shape in SHAPES:
        pages.set_short(*shape)
        assert pages.minimumSizeHint().width() == pages.room(*shape)
    assert pages.room(True, True) < pages.room(True) < pages.room(False)


@pytest.mark.parametrize(
    "sheet",
    ["Segmented > QToolButton { font-size: 40px; }", "QToolButton { padding: 20px; }"],
)
def test_the_room_is_measured_again_in_another_style(qapp, pages, sheet):
    before = {shape: pages.room(*shape) for shape in SHAPES}
    qapp.setStyleSheet(sheet)
    for shape in SHAPES:
        pages.set_short(*shape)
        assert pages.room(*shape) > before[shape]
        assert pages.minimumSizeHint().width() == pages.room(*shape)


def test_the_room_is_measured_again_with_larger_type(pages):
    before = {shape: pages.room(*shape) for shape in SHAPES}
    font = pages.font()
    font.setPixelSize(40)
    pages.setFont(font)
    for shape in SHAPES:
        pages.set_short(*shape)
        assert pages.room(*shape) > before[shape]
        assert pages.minimumSizeHint().width() == pages.room(*shape)


def test_the_pressed_one_stands_alone_and_the_menu_has_all(pages):
    told = []
    pages.value_changed.connect(told.append)
    pages.set_short(True, True)
    assert shown(pages) == ["pca"]
    assert pages.button("pca").text() == "Linear PCA"
    menu = pages.unfold.menu()
    menu.aboutToShow.emit()
    texts = {action.text(): action for action in menu.actions()}
    assert list(texts) == ["Linear PCA", "Kernel matrix", "Table"]
    assert texts["Linear PCA"].isChecked()
    texts["Table"].trigger()
    assert (told, pages.value(), shown(pages)) == (["table"], "table", ["table"])
    pages.set_value("gram")
    assert shown(pages) == ["gram"]
    pages.set_short(False)
    assert shown(pages) == ["pca", "gram", "table"]
    assert not pages.unfold.isVisible()


def test_others_stand_beside_it_where_there_is_room(pages):
    whole = pages.room(False)
    pages.set_value("table")
    for spare in range(0, whole, 5):
        pages.set_short(True, True, spare)
        there = shown(pages)
        assert there in (["table"], ["pca", "table"], ["pca", "gram", "table"])
        assert pages.button(there[0]).text() in ("Table", "Linear PCA")
        assert pages.minimumSizeHint().width() <= pages.room(True, True) + spare
        assert pages.unfold.isVisible()
    assert there == ["pca", "gram", "table"]
    pages.set_short(True, True, 0)
    assert shown(pages) == ["table"]


def test_arrow_keys_go_through_what_is_folded(pages):
    pages.set_short(True, True)
    QTest.keyClick(pages.button("pca"), Qt.Key.Key_Right)
    assert shown(pages) == ["gram"]


def test_without_a_menu_it_never_folds(qtbot):
    segmented = Segmented([("a", "One"), ("b", "Two")])
    qtbot.addWidget(segmented)
    segmented.show()
    segmented.set_short(True, True)
    assert shown(segmented) == ["a", "b"]
