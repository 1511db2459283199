"""Segments, switches and icon buttons under mouse and keys."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest

from kpca_viewer.widgets.controls import IconButton, Segmented, Switch
from kpca_viewer.widgets.controls.buttons import GAP
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import DARK, LIGHT, palette

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def segments(qtbot):
    widget = Segmented([("lin", "lin"), ("log", "log", "Decades"), ("cum", "cum")], "Y")
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


class TestSegmented:
    def test_starts_with_the_first(self, segments):
        assert segments.value() == "lin"
        assert segments.button("log").toolTip() == "Decades"
        assert segments.button("log").accessibleName() == "Y: log"

    def test_click(self, segments, qtbot):
        with qtbot.waitSignal(segments.value_changed) as blocker:
            QTest.mouseClick(segments.button("cum"), LEFT)
        assert blocker.args == ["cum"]
        assert segments.value() == "cum"
        assert not segments.button("lin").isChecked()

    def test_clicking_the_pressed_one_says_nothing(self, segments, qtbot):
        with qtbot.assertNotEmitted(segments.value_changed):
            QTest.mouseClick(segments.button("lin"), LEFT)
        assert segments.value() == "lin"

    def test_setter_is_silent(self, segments, qtbot):
        with qtbot.assertNotEmitted(segments.value_changed):
            segments.set_value("log")
        assert segments.value() == "log"

    def test_arrows_press_neighbours_and_skip_what_is_forbidden(self, segments):
        said = []
        segments.value_changed.connect(said.append)
        segments.set_option_enabled("log", False)
        QTest.keyClick(segments.button("lin"), Qt.Key.Key_Right)
        QTest.keyClick(segments.button("cum"), Qt.Key.Key_Right)
        QTest.keyClick(segments.button("cum"), Qt.Key.Key_Left)
        assert said == ["cum", "lin"]

    def test_one_stop_of_the_tab_key(self, segments):
        segments.set_value("log")
        stops = [
            key
            for key in ("lin", "log", "cum")
            if segments.button(key).focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        assert stops == ["log"]


class TestSwitch:
    def test_click_on_the_text(self, qtbot):
        switch = Switch("Centre the kernel matrix")
        qtbot.addWidget(switch)
        switch.resize(switch.sizeHint())
        switch.show()
        right = QPoint(switch.width() - 4, switch.height() // 2)
        with qtbot.waitSignal(switch.toggled):
            QTest.mouseClick(switch, LEFT, Qt.KeyboardModifier.NoModifier, right)
        assert switch.isChecked()
        QTest.keyClick(switch, Qt.Key.Key_Space)
        assert not switch.isChecked()

    def test_every_state_looks_different(self, qtbot):
        switch = Switch("Whiten")
        qtbot.addWidget(switch)
        switch.resize(switch.sizeHint())
        pictures = []
        for checked in (False, True):
            for enabled in (False, True):
                switch.setChecked(checked)
                switch.setEnabled(enabled)
                picture = switch.grab().toImage()
                assert picture not in pictures
                pictures.append(picture)

    def test_room_for_the_text(self, qtbot):
        short, long = Switch("a"), Switch("a much longer text")
        for switch in (short, long):
            qtbot.addWidget(switch)
        assert long.sizeHint().width() > short.sizeHint().width()
        assert Switch("").sizeHint().width() == long.minimumSizeHint().width()

    def test_its_hint_has_room_for_every_letter(self, qtbot):
        switch = Switch("Points glide")
        qtbot.addWidget(switch)
        for pixels in range(9, 30):
            font = switch.font()
            font.setPixelSize(pixels)
            switch.setFont(font)
            room = switch.sizeHint().width() - Switch("").sizeHint().width() - GAP
            shown = switch.fontMetrics().elidedText(
                switch.text(), Qt.TextElideMode.ElideRight, room
            )
            assert shown == switch.text()


def test_icon_button_follows_the_theme(qtbot):
    button = IconButton("play", "Play the sweep")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Play the sweep"
    assert button.objectName() == "play_button"
    inks = []
    for theme in (LIGHT, DARK):
        button.setPalette(palette(theme))
        image = button.icon().pixmap(QSize(20, 20), 1.0).toImage()
        inks.append(image.pixelColor(9, 10).name().upper())
    assert inks == [LIGHT.text, DARK.text]
    button.set_icon("pause")
    assert button.icon_name() == "pause"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_an_icon_keeps_its_ink_when_it_can_be_used_again(qtbot, qapp, theme):
    apply_theme(qapp, theme)
    button = IconButton("pin", "Pin")
    qtbot.addWidget(button)
    button.setEnabled(False)
    button.show()
    qtbot.waitExposed(button)
    button.setEnabled(True)
    image = button.icon().pixmap(QSize(20, 20), 1.0).toImage()
    apply_theme(qapp, LIGHT)
    inks = {image.pixelColor(x, y).name().upper() for x in range(20) for y in range(20)}
    assert theme.text in inks
