"""The wheel: it turns what is meant and scrolls the rest."""

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from kpca_viewer.widgets.controls import NumberRow, behaviour
from tests.ui.controls.rows import (
    NU,
    OFFSET,
    give_focus,
    turn_wheel,
)

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")


class TestWheel:
    """A control takes the wheel when it has the focus and the pointer came to it."""

    @pytest.fixture
    def page(self, qtbot):
        """Rows on a page that is longer than what can be seen of it."""
        area = QScrollArea()
        qtbot.addWidget(area)
        page = QWidget()
        layout = QVBoxLayout(page)
        area.rows = [NumberRow(OFFSET if i % 2 else NU) for i in range(40)]
        for row in area.rows:
            layout.addWidget(QLabel("between"))
            layout.addWidget(row)
        area.setWidget(page)
        area.resize(300, 200)
        area.show()
        area.activateWindow()
        qtbot.waitUntil(area.isActiveWindow)
        return area

    def values(self, area):
        return [row.value() for row in area.rows]

    def turn(self, area, spot, notches=-1):
        """Turn the wheel at a place of the window, as the system says it."""
        QTest.wheelEvent(area.windowHandle(), QPointF(spot), QPoint(0, 120 * notches))

    def spot(self, area, widget):
        return widget.mapTo(area, widget.rect().center())

    def test_a_notch_is_a_step(self, make_row, qtbot):
        row, log = make_row(OFFSET)
        give_focus(row.slider, qtbot)
        with qtbot.waitSignal(row.value_committed):
            assert turn_wheel(row.slider)
            assert turn_wheel(row.slider, 2)
        assert row.value() == pytest.approx(0.6)
        assert len(log.edited) == 2
        assert log.committed == [row.value()]

    def test_a_notch_is_a_step_in_the_field(self, make_row, qtbot):
        row, _ = make_row(OFFSET)
        give_focus(row.field, qtbot)
        assert turn_wheel(row.field)
        assert row.value() == pytest.approx(0.2)

    def test_crumbs_of_a_touch_pad_add_up(self, make_row, qtbot):
        row, _ = make_row(OFFSET)
        give_focus(row.slider, qtbot)
        for _ in range(4):
            turn_wheel(row.slider, 0.25)
        assert row.value() == pytest.approx(0.2)

    @pytest.mark.parametrize(
        ("parameter", "part"), [(OFFSET, "slider"), (OFFSET, "field"), (NU, "combo")]
    )
    def test_without_focus_nothing_turns(self, page, parameter, part):
        row = page.rows[1 if parameter is OFFSET else 2]
        before = self.values(page)
        page.rows[0].combo.clearFocus()
        self.turn(page, self.spot(page, getattr(row, part)))
        assert page.verticalScrollBar().value() > 0
        assert self.values(page) == before
        assert page.focusWidget() is None, "the wheel has given the focus"

    def test_a_gesture_that_began_on_the_page_stays_there(self, page):
        before = self.values(page)
        # A control with the focus slides under the pointer like all others.
        page.rows[2].combo.setFocus()
        at = self.spot(page, page.rows[1]) - QPoint(0, page.rows[1].height())
        for _ in range(12):
            self.turn(page, at)
            QTest.mouseMove(page.windowHandle(), at)
        assert page.verticalScrollBar().value() >= 12 * 20
        assert self.values(page) == before

    def test_a_focused_control_that_was_scrolled_to_waits_for_the_mouse(
        self, page, monkeypatch
    ):
        # Every gesture is over at once: nobody has moved the mouse, though.
        monkeypatch.setattr(behaviour, "PAUSE", 0)
        slider = page.rows[1].slider
        slider.setFocus()
        below = self.spot(page, slider) + QPoint(0, 1)
        page.verticalScrollBar().setValue(1)
        self.turn(page, QPoint(below.x(), 2), 1)
        assert page.verticalScrollBar().value() == 0
        page.verticalScrollBar().setValue(below.y() - 2)
        self.turn(page, QPoint(below.x(), 2), 1)
        assert page.rows[1].value() == 0
        page.verticalScrollBar().setValue(0)
        self.turn(page, below, 1)
        assert page.rows[1].value() == pytest.approx(0.2)
