"""Cards and folds open and close."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLabel

from kpca_viewer.widgets.controls import Card, Fold

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture(params=[Card, Fold])
def fold(request, qtbot):
    fold = request.param("Kernel & more")
    qtbot.addWidget(fold)
    fold.add(QLabel("inside"))
    fold.show()
    qtbot.waitExposed(fold)
    return fold


def test_click_folds_and_unfolds(fold, qtbot):
    for collapsed in (True, False):
        with qtbot.waitSignal(fold.collapsed_changed) as blocker:
            QTest.mouseClick(fold.header, Qt.MouseButton.LeftButton)
        assert blocker.args == [collapsed]
        assert fold.collapsed() is collapsed
        assert fold.body.isVisible() is not collapsed


def test_space_folds_too(fold):
    QTest.keyClick(fold.header, Qt.Key.Key_Space)
    assert fold.collapsed()


def test_setter_is_silent(fold, qtbot):
    with qtbot.assertNotEmitted(fold.collapsed_changed):
        fold.set_collapsed(True)
    assert fold.collapsed()
    assert not fold.body.isVisible()
    assert fold.header.toolTip().startswith("Show")


def test_folded_from_the_beginning(qtbot):
    fold = Fold(collapsed=True)
    qtbot.addWidget(fold)
    fold.show()
    assert not fold.body.isVisible()
    assert fold.accessibleName() == "Advanced"


def test_layouts_can_be_added(fold):
    row = QHBoxLayout()
    label = QLabel("beside")
    row.addWidget(label)
    fold.add(row)
    assert label.parentWidget() is fold.body


def test_ampersand_is_a_letter(fold):
    assert fold.header.text() == "Kernel && more"
    assert fold.header.accessibleName() == "Kernel & more"
