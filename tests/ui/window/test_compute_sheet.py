"""The sheet of a cluster is worked by Enter, and says nothing that is over."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton

from kpca_viewer.features.large_tables.sheet import (
    ClusterAddress,
    ComputeSheet,
    ConnectionState,
)
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import DARK, LIGHT

NOBODY = "There is nobody at tcp://wrong:1."
CONNECTING = ConnectionState("connecting", "Connecting …")
LOST = ConnectionState("lost", NOBODY)
ON = ConnectionState("on", "Connected: 2 workers.", "http://head:8787/status")


@pytest.fixture
def sheet(qtbot):
    sheet = ComputeSheet()
    qtbot.addWidget(sheet)
    sheet.requested = []
    sheet.connect_requested.connect(sheet.requested.append)
    with qtbot.waitExposed(sheet):
        sheet.show()
    sheet.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is sheet)
    return sheet


def field(sheet):
    return sheet.findChild(QLineEdit, "scheduler_field")


def press_enter(sheet):
    QTest.keyClick(sheet.focusWidget(), Qt.Key.Key_Return)


def said(sheet):
    return sheet.findChild(QLabel, "cluster_state").text()


def test_a_wrong_address_is_corrected_and_entered_again(sheet):
    QTest.keyClicks(field(sheet), "tcp://wrong:1")
    press_enter(sheet)
    sheet.show_state(CONNECTING)
    # A second Enter neither connects again nor gives up.
    sheet.disconnect_requested.connect(lambda: sheet.requested.append("given up"))
    press_enter(sheet)
    sheet.show_state(LOST)
    assert sheet.focusWidget() is field(sheet)
    assert said(sheet) == NOBODY
    QTest.keyClick(field(sheet), Qt.Key.Key_Backspace)
    assert said(sheet) == "Not connected."
    QTest.keyClicks(field(sheet), "2")
    press_enter(sheet)
    assert sheet.requested == [
        ClusterAddress("tcp://wrong:1"),
        ClusterAddress("tcp://wrong:2"),
    ]
    assert sheet.isVisible()


def test_a_lost_connection_is_tried_again_by_enter(sheet):
    sheet.set_address(ClusterAddress("tcp://head:8786"))
    sheet.show_state(ON)
    sheet.close()
    sheet.show_state(LOST)
    sheet.show()
    press_enter(sheet)
    assert sheet.requested == [ClusterAddress("tcp://head:8786")]
    assert sheet.isVisible()


def test_enter_presses_the_button_that_has_the_focus(sheet):
    sheet.set_address(ClusterAddress("tcp://head:8786"))
    left = []
    sheet.disconnect_requested.connect(lambda: left.append(True))
    sheet.show_state(ON)
    sheet.findChild(QPushButton, "cluster_button").setFocus()
    # Asked how it is, the cluster takes the focus from nobody.
    sheet.show_state(ON)
    press_enter(sheet)
    assert left == [True]


def test_enter_closes_a_sheet_that_has_just_connected(sheet):
    QTest.keyClicks(field(sheet), "tcp://head:8786")
    press_enter(sheet)
    sheet.show_state(CONNECTING)
    sheet.show_state(ON)
    press_enter(sheet)
    assert not sheet.isVisible()
    # Whichever button had the focus last: nobody leaves a cluster by opening its sheet.
    sheet.findChild(QPushButton, "cluster_button").setFocus()
    sheet.show()
    press_enter(sheet)
    assert not sheet.isVisible()


def test_the_link_follows_the_theme(sheet, qapp):
    sheet.show_state(ON)
    link = sheet.findChild(QLabel, "cluster_dashboard")
    try:
        for theme in (DARK, LIGHT):
            apply_theme(qapp, theme)
            image = link.grab().toImage()
            pixels = {
                image.pixelColor(x, y).name()
                for x in range(image.width())
                for y in range(image.height())
            }
            assert QColor(theme.info).name() in pixels
    finally:
        apply_theme(qapp, LIGHT)
