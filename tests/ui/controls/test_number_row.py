"""NumberRow under mouse and keys."""

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from kpca_viewer.widgets.controls import NumberField, NumberRow, align_labels
from tests.ui.controls.rows import (
    GAMMA,
    LEFT,
    NO_KEYS,
    NU,
    OFFSET,
    SAMPLES,
    give_focus,
    turn_wheel,
)

SHIFT = Qt.KeyboardModifier.ShiftModifier

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")


def at(slider, position):
    return QPoint(round(slider.x_of(position)), slider.height() // 2)


def drag(slider, *positions):
    """Press at the first position, move through the others and release."""
    QTest.mousePress(slider, LEFT, NO_KEYS, at(slider, positions[0]))
    for position in positions[1:]:
        QTest.mouseMove(slider, at(slider, position))
    QTest.mouseRelease(slider, LEFT, NO_KEYS, at(slider, positions[-1]))


def press(slider, x, y):
    send(slider, QEvent.Type.MouseButtonPress, x, y, SHIFT)


def move(slider, x, y, keys=SHIFT):
    send(slider, QEvent.Type.MouseMove, x, y, keys)


def send(slider, kind, x, y, keys):
    spot = QPointF(x, y)
    there = slider.mapToGlobal(spot)
    QApplication.sendEvent(slider, QMouseEvent(kind, spot, there, LEFT, LEFT, keys))


def slider_range(row):
    return row.parameter.high / row.parameter.low


def test_names_for_tests_and_assistive_technology(make_row):
    row, _ = make_row(GAMMA)
    assert row.slider.objectName() == "gamma_slider"
    assert row.field.objectName() == "gamma_field"
    for part in (row, row.slider, row.field):
        assert part.accessibleName() == "Gamma γ"
        assert "More detail." in part.toolTip()


def test_starts_at_the_default(make_row):
    row, _ = make_row(SAMPLES)
    assert row.value() == 400
    assert isinstance(row.value(), int)
    assert row.field.text() == "400"


def test_the_field_has_room_for_its_text(make_row):
    row, _ = make_row(GAMMA, styled=True)
    row.set_value(1.234e-4)
    edit = row.field.lineEdit()
    assert edit.width() >= edit.fontMetrics().horizontalAdvance("-1.234e-4")
    assert edit.height() >= edit.fontMetrics().height()


class TestReach:
    def test_the_suggestion_is_in_the_middle(self, make_row):
        row, log = make_row(GAMMA)
        row.set_value(1.3e-6)
        row.set_suggestion(1.3e-6)
        row.set_reach(1.3e-8, 1.3e-4)
        assert row.slider.mark() == row.slider.maximum() / 2
        assert log.edited == []

    def test_what_is_typed_outside_stretches_the_slider(self, make_row):
        row, _ = make_row(GAMMA)
        row.set_value(1.0)
        row.set_reach(0.01, 100)
        row.set_value(5000)
        row.set_reach(0.01, 100)
        assert 0.8 < row.slider.value() / row.slider.maximum() < 1
        row.set_value(1.0)
        row.set_reach(0.01, 100)
        assert row.slider.value() == 500

    @pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_End])
    def test_the_ends_lie_inside_the_range(self, make_row, key, qtbot):
        row, _ = make_row(GAMMA)
        row.set_value(3.81234)
        low, high = 0.0381234, 381.234
        row.set_reach(low, high)
        with qtbot.waitSignal(row.value_committed):
            QTest.keyClick(row.slider, key)
        end = row.value()
        row.set_reach(low, high)
        assert row.value() == end
        assert row.slider.value() in (0, row.slider.maximum())

    def test_a_drag_that_comes_back_inside_ends_the_stretch(self, make_row):
        row, _ = make_row(GAMMA)
        row.set_value(1e9)
        row.set_reach(0.01, 100)
        slider = row.slider
        start = slider.value()
        QTest.mousePress(slider, LEFT, NO_KEYS, at(slider, start))
        QTest.mouseMove(slider, at(slider, 200))
        row.set_reach(0.01, 100)
        assert slider.value() == pytest.approx(200, abs=3)
        value = row.value()
        QTest.mouseRelease(slider, LEFT, NO_KEYS, at(slider, 200))
        assert row.value() == value
        assert slider.value() == pytest.approx(
            1000 * math.log(value / 0.01) / math.log(1e4), abs=1
        )

    def test_nothing_moves_under_the_hand(self, make_row):
        row, _ = make_row(GAMMA)
        row.set_value(1.0)
        row.set_reach(0.01, 100)
        row.slider.setSliderDown(True)
        row.set_reach(1.0, 1e4)
        row.slider.setSliderDown(False)
        assert row.slider.value() == 500

    def test_the_field_takes_what_suits_tiny_and_huge_data(self, make_row):
        row, _ = make_row(GAMMA)
        row.set_value(1e-14)
        row.set_reach(1e-16, 1e-12)
        assert row.field.value() == 1e-14
        assert row.field.text() == "1e-14"


class TestFineGestures:
    def ratio(self, row, act):
        before = row.value()
        act()
        return row.value() / before

    def test_arrows_with_shift_are_a_tenth(self, make_row):
        row, _ = make_row(GAMMA)
        row.set_value(1.0)
        for part, key in ((row.slider, Qt.Key.Key_Right), (row.field, Qt.Key.Key_Up)):
            coarse = self.ratio(row, lambda p=part, k=key: QTest.keyClick(p, k))
            fine = self.ratio(row, lambda p=part, k=key: QTest.keyClick(p, k, SHIFT))
            assert math.log(fine) == pytest.approx(math.log(coarse) / 10, rel=0.02)

    def test_the_wheel_with_shift_is_a_tenth(self, make_row, qtbot):
        row, _ = make_row(OFFSET)
        for part in (row.slider, row.field):
            row.set_value(0.0)
            give_focus(part, qtbot)
            turn_wheel(part)
            coarse = row.value()
            turn_wheel(part, modifiers=SHIFT)
            assert row.value() - coarse == pytest.approx(coarse / 10)

    def test_a_drag_with_shift_is_a_tenth(self, make_row):
        row, log = make_row(GAMMA)
        row.set_value(1.0)
        slider = row.slider
        start, y = slider.x_of(slider.value()), slider.height() / 2
        press(slider, start, y)
        for step in range(1, 41):
            move(slider, start + step, y)
        room = slider.x_of(slider.maximum()) - slider.x_of(0)
        share = 0.1 * 40 / room
        decades = math.log(slider_range(row), 10)
        assert math.log10(row.value()) == pytest.approx(share * decades, abs=1e-3)
        # Without Shift it goes on from there, and not from the pointer.
        before = slider.value()
        move(slider, start + 41, y, Qt.KeyboardModifier.NoModifier)
        assert abs(slider.value() - before) <= 2 * slider.maximum() / room
        QTest.mouseRelease(slider, LEFT, NO_KEYS, QPoint(round(start + 41), round(y)))
        assert log.committed == [row.value()]

    def test_whole_numbers_move_by_one_at_least(self, make_row):
        row, _ = make_row(SAMPLES)
        QTest.keyClick(row.slider, Qt.Key.Key_Home)
        QTest.keyClick(row.slider, Qt.Key.Key_Right, SHIFT)
        assert row.value() == SAMPLES.low + 1


class TestSetters:
    def test_emit_nothing(self, make_row):
        row, log = make_row(GAMMA)
        row.set_value(0.0123456)
        row.set_suggestion(3.0)
        assert (log.edited, log.committed) == ([], [])
        assert row.value() == 0.0123456
        assert row.field.text() == "0.01235"
        assert row.slider.value() == pytest.approx(261, abs=1)

    def test_values_beyond_the_slider_are_kept(self, make_row):
        row, log = make_row(GAMMA)
        row.set_value(1e7)
        assert row.value() == 1e7
        assert row.slider.value() == row.slider.maximum()
        assert log.edited == []

    def test_void_a_gesture_that_has_not_ended(self, make_row, qtbot):
        row, log = make_row(GAMMA)
        QTest.keyClick(row.slider, Qt.Key.Key_Right)
        row.set_value(5.0)
        assert not any(timer.isActive() for timer in row.findChildren(QTimer))
        assert log.committed == []


class TestMouse:
    def test_a_drag_edits_all_along_and_commits_once(self, make_row):
        row, log = make_row(GAMMA)
        drag(row.slider, 500, 600, 700, 800)
        assert len(log.edited) == 3
        assert log.edited == sorted(log.edited)
        assert log.committed == [log.edited[-1]] == [row.value()]
        assert row.value() == pytest.approx(10**2.4, rel=0.1)

    def test_the_echo_of_the_store_does_not_disturb_a_drag(self, make_row):
        row, log = make_row(GAMMA)
        row.value_edited.connect(row.set_value)
        drag(row.slider, 500, 600, 700)
        assert len(log.edited) == 2
        assert log.committed == [row.value()]

    def test_taking_the_handle_does_not_move_it(self, make_row):
        row, log = make_row(GAMMA)
        middle = at(row.slider, 500)
        QTest.mouseClick(row.slider, LEFT, NO_KEYS, middle + QPoint(3, 0))
        assert log.edited == []

    def test_a_click_jumps_there(self, make_row, qtbot):
        row, log = make_row(GAMMA)
        with qtbot.waitSignal(row.value_committed):
            QTest.mouseClick(row.slider, LEFT, NO_KEYS, at(row.slider, 750))
        assert log.committed == [pytest.approx(100, rel=0.1)]

    @pytest.mark.parametrize(("suggestion", "target"), [(None, 1.0), (0.02, 0.02)])
    def test_a_double_click_returns(self, make_row, suggestion, target):
        row, log = make_row(GAMMA)
        row.set_suggestion(suggestion)
        row.set_value(300.0)
        spot = at(row.slider, 900)
        QTest.mouseClick(row.slider, LEFT, NO_KEYS, spot)
        QTest.mouseDClick(row.slider, LEFT, NO_KEYS, spot)
        assert row.value() == target
        # One step back in the history, not two.
        assert log.committed == [target]

    def test_the_other_button_does_nothing(self, make_row):
        row, log = make_row(GAMMA)
        QTest.mouseClick(
            row.slider, Qt.MouseButton.RightButton, NO_KEYS, at(row.slider, 900)
        )
        assert log.edited == []


class TestKeys:
    def test_arrows_step_and_commit_when_they_rest(self, make_row, qtbot):
        row, log = make_row(GAMMA)
        with qtbot.waitSignal(row.value_committed):
            for _ in range(3):
                QTest.keyClick(row.slider, Qt.Key.Key_Right)
        assert len(log.edited) == 3
        assert log.committed == [row.value()]
        assert row.value() == pytest.approx(1e8**0.06, rel=0.01)

    def test_pages_are_larger_than_arrows(self, make_row):
        row, _ = make_row(OFFSET)
        QTest.keyClick(row.slider, Qt.Key.Key_Right)
        assert row.value() == pytest.approx(0.2)
        QTest.keyClick(row.slider, Qt.Key.Key_PageUp)
        assert row.value() == pytest.approx(1.2)

    def test_arrows_in_the_field(self, make_row):
        row, _ = make_row(OFFSET)
        QTest.keyClick(row.field, Qt.Key.Key_Down)
        assert row.value() == pytest.approx(-0.2)
        QTest.keyClick(row.field, Qt.Key.Key_PageDown)
        assert row.value() == pytest.approx(-2.2)


class TestField:
    @pytest.mark.parametrize(
        ("text", "value"), [("1e-3", 0.001), ("0,5", 0.5), ("0.5", 0.5), ("2500", 2500)]
    )
    def test_every_spelling(self, make_row, text, value):
        row, log = make_row(GAMMA)
        row.field.selectAll()
        QTest.keyClicks(row.field, text)
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        assert row.value() == value
        assert (log.edited, log.committed) == ([value], [value])

    def test_nothing_changes_while_typing(self, make_row):
        row, log = make_row(GAMMA)
        row.field.selectAll()
        QTest.keyClicks(row.field, "25")
        assert log.edited == []

    def test_leaving_it_alone_keeps_the_exact_value(self, make_row):
        row, log = make_row(GAMMA)
        row.set_value(0.0123456)
        row.field.setFocus()
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        row.slider.setFocus()
        assert row.value() == 0.0123456
        assert log.edited == []

    @pytest.mark.parametrize(
        ("parameter", "text", "sentence"),
        [
            (GAMMA, "0", "Gamma γ must be between 1e-10 and 1e10; it stays 1."),
            (GAMMA, "-3", "Gamma γ must be between 1e-10 and 1e10; it stays 1."),
            (GAMMA, "2/3", "“2/3” is not a number; Gamma γ stays 1."),
            (GAMMA, "1e-", "“1e-” is not a number; Gamma γ stays 1."),
            (GAMMA, "1e400", "“1e400” is not a number; Gamma γ stays 1."),
            (
                SAMPLES,
                "50,000",
                "Samples n must be between 3 and 20,000; it stays 400.",
            ),
            (SAMPLES, "30.5", "Samples n must be a whole number; it stays 400."),
            (OFFSET, "-6", "Offset c must be between −5 and 5; it stays 0."),
        ],
    )
    def test_what_cannot_be_taken_is_said(self, make_row, parameter, text, sentence):
        row, log = make_row(parameter)
        shown, said = row.field.text(), []
        row.refused.connect(said.append)
        row.field.selectAll()
        QTest.keyClicks(row.field, text)
        assert row.field.lineEdit().text() == text
        assert row.field.property("invalid") is True
        assert said == []
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        assert said == [sentence]
        assert row.field.text() == shown
        assert row.field.property("invalid") is False
        assert log.edited == []

    def test_what_is_left_behind_is_said_too(self, make_row, qtbot):
        row, log = make_row(GAMMA)
        said = []
        row.refused.connect(said.append)
        give_focus(row.field, qtbot)
        row.field.selectAll()
        QTest.keyClicks(row.field, "3x")
        row.slider.setFocus()
        assert said == ["“3x” is not a number; Gamma γ stays 1."]
        assert (row.field.text(), log.edited) == ("1", [])

    def test_an_emptied_field_is_as_it_was(self, make_row):
        row, log = make_row(GAMMA)
        row.field.selectAll()
        QTest.keyClick(row.field, Qt.Key.Key_Delete)
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        assert (row.field.text(), log.edited) == ("1", [])

    def test_limits_of_choice(self, make_row):
        row, _ = make_row(SAMPLES, limits=(3, 1_000_000))
        row.field.selectAll()
        QTest.keyClicks(row.field, "50000")
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        assert row.value() == 50_000
        assert isinstance(row.value(), int)

    def test_stands_alone(self, qtbot):
        field = NumberField(SAMPLES)
        qtbot.addWidget(field)
        assert (field.objectName(), field.value()) == ("samples_field", 400)


class TestChoice:
    def test_combo(self, make_row):
        row, log = make_row(NU)
        assert row.combo.objectName() == "nu_combo"
        assert [row.combo.itemText(i) for i in range(3)] == ["1/2", "3/2", "5/2"]
        assert row.value() == 1.5
        QTest.keyClick(row.combo, Qt.Key.Key_Down)
        assert (log.edited, log.committed) == ([2.5], [2.5])

    def test_setter_is_silent(self, make_row):
        row, log = make_row(NU)
        row.set_value(0.5)
        assert row.combo.currentText() == "1/2"
        assert log.edited == []


def test_suggestion_is_a_tick_and_a_sentence(make_row):
    row, _ = make_row(GAMMA)
    row.set_suggestion(0.01)
    assert row.suggestion() == 0.01
    assert row.slider.mark() == 250
    assert "Suggested: 0.01" in row.slider.toolTip()
    row.set_suggestion(None)
    assert row.slider.mark() is None
    assert "Suggested" not in row.slider.toolTip()


def test_the_tick_can_be_seen(make_row):
    row, _ = make_row(GAMMA)
    before = row.slider.grab().toImage()
    row.set_suggestion(0.01)
    assert row.slider.grab().toImage() != before


def test_disabled_and_focused_look_different(make_row, qtbot):
    row, _ = make_row(GAMMA)
    normal = row.slider.grab().toImage()
    row.activateWindow()
    row.slider.setFocus()
    qtbot.waitUntil(row.slider.hasFocus)
    assert row.slider.grab().toImage() != normal
    row.setEnabled(False)
    assert row.slider.grab().toImage() != normal


def test_labels_below_each_other_have_one_width(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    layout = QVBoxLayout(page)
    source = QLabel("Source of the data")
    rows = [NumberRow(GAMMA), NumberRow(SAMPLES)]
    for widget in (source, *rows):
        layout.addWidget(widget)
    align_labels(source, *rows)
    page.show()
    for size in (12, 24):
        font = page.font()
        font.setPixelSize(size)
        page.setFont(font)
        wide = source.sizeHint().width()
        assert [row.label.minimumWidth() for row in rows] == [wide, wide]


def test_every_kind_of_parameter_accepts_its_events(make_row):
    for parameter in (GAMMA, SAMPLES, OFFSET):
        row, _ = make_row(parameter)
        QApplication.sendEvent(row.slider, QEvent(QEvent.Type.Leave))
        QTest.keyClick(row.slider, Qt.Key.Key_End)
        assert row.value() == parameter.high
        QTest.keyClick(row.slider, Qt.Key.Key_Home)
        assert row.value() == parameter.low


class TestLimits:
    def test_slider_and_field_offer_no_more(self, make_row):
        row, log = make_row(SAMPLES)
        refusals = []
        row.refused.connect(refusals.append)
        row.set_limits(3, 11, "there are no more")
        assert row.value() == 11
        assert log.edited == []
        drag(row.slider, 8, 0)
        assert row.value() == 3
        drag(row.slider, 0, 8)
        assert row.value() == 11
        row.field.selectAll()
        QTest.keyClicks(row.field, "12")
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        assert refusals == [
            "Samples n must be between 3 and 11 (there are no more); it stays 11."
        ]
        assert "At most 11: there are no more." in row.field.toolTip()
        row.set_limits(3, 20_000)
        row.set_value(400)
        assert row.value() == 400
        assert "At most" not in row.field.toolTip()

    def test_a_single_value_is_no_choice(self, make_row):
        row, _ = make_row(SAMPLES)
        row.set_suggestion(400)
        row.set_limits(1, 1, "there is no more")
        assert row.value() == 1
        assert not row.slider.isEnabled()
        assert row.slider.mark() == 0


def test_labels_that_were_wider_take_no_more_room_than_their_neighbours(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    labels = [QLabel(text, host) for text in ("Samples and noise", "Scaling")]
    align_labels(*labels)
    # Whoever asks now is told of the wide column, and Qt remembers that.
    assert labels[1].sizeHint().width() == labels[0].sizeHint().width()
    align_labels(labels[1])
    assert labels[1].sizeHint().width() < labels[0].sizeHint().width()
