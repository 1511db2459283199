"""The cut, the bars and their labels under mouse and keys."""

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpca_viewer.engine.settings import ViewSettings
from tests.ui.plots.results import result_of
from tests.ui.plots.spectrum import LEFT, PLAIN, at_cut, drag_cut, over_bar

SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_dragging_the_cut_asks_for_components(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    drag_cut(view, 9, 8, 8, 6)
    assert heard == [("cut", 9), ("cut", 8), ("cut", 6), "released"]
    assert view.cut == 6


def test_the_grip_holds_the_cut_too(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    start = view.plan().cut_grip(10)[0].center().toPoint()
    step = round(3 * view.plan().slot_width)
    QTest.mousePress(view, LEFT, PLAIN, start)
    QTest.mouseMove(view, start + QPoint(step, 0))
    QTest.mouseRelease(view, LEFT, PLAIN, start + QPoint(step, 0))
    assert heard == [("cut", 13), "released"]


def test_cut_stays_between_one_and_the_end(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    QTest.mousePress(view, LEFT, PLAIN, at_cut(view, 10))
    QTest.mouseMove(view, QPoint(-500, 100))
    QTest.mouseMove(view, QPoint(5000, 100))
    QTest.mouseRelease(view, LEFT, PLAIN, QPoint(5000, 100))
    assert heard == [("cut", 1), ("cut", view.bars.last_cut), "released"]


def test_there_is_room_to_ask_for_more_than_is_known(shown, listen):
    result = result_of("digits")
    assert len(result.decomposition.spectrum) == 10
    view = shown(result)
    heard = listen(view)
    drag_cut(view, 12)
    assert heard == [("cut", 12), "released"]


def test_results_during_a_drag_do_not_move_the_axis_or_the_cut(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    drag_cut(view, 14, release=False)
    width = view.plan().slot_width
    view.show_result(result_of(components=3, gamma=0.5), ViewSettings())
    assert view.cut == 14
    assert view.plan().slot_width == width
    assert heard == [("cut", 14)]
    QTest.mouseRelease(view, LEFT, PLAIN, at_cut(view, 14))
    assert heard[-1] == "released"
    view.show_result(result_of(components=3, gamma=0.5), ViewSettings())
    assert view.cut == 3


def test_escape_puts_the_cut_back(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    drag_cut(view, 5, release=False)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert heard == [("cut", 5), ("cut", 10), "released"]
    QTest.mouseMove(view, at_cut(view, 3))
    QTest.mouseRelease(view, LEFT, PLAIN, at_cut(view, 3))
    assert heard[3:] == []


def test_hiding_ends_a_drag(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    drag_cut(view, 5, release=False)
    view.hide()
    assert heard == [("cut", 5), ("cut", 10), "released"]


def test_clicking_a_bar_asks_for_its_component(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    # High above a small bar: the whole column counts.
    QTest.mouseClick(view, LEFT, PLAIN, over_bar(view, 6, share=0.3))
    assert heard == [("click", 6)]
    QTest.mouseClick(view, LEFT, PLAIN, over_bar(view, 20))  # known, but not kept
    QTest.mouseClick(view, Qt.MouseButton.RightButton, PLAIN, over_bar(view, 2))
    QTest.mouseClick(view, LEFT, PLAIN, QPoint(2, 2))
    assert heard == [("click", 6)]


def test_clicking_beside_the_cut_is_a_click_on_the_bar(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    at = QPoint(at_cut(view, 10).x() - 3, over_bar(view, 9).y())
    QTest.mouseClick(view, LEFT, PLAIN, at)
    assert heard == [("click", 9)]


def test_keys_walk_over_the_bars_and_choose(shown, listen):
    view = shown(result_of(), ViewSettings(axes=(2, 4, 0)))
    heard = listen(view)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.focused_bar == 2  # where the x axis is
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert heard == [("click", 3)]
    assert view.label_lines()[0].startswith("component 4: μ = ")
    QTest.keyClick(view, Qt.Key.Key_Home)
    QTest.keyClick(view, Qt.Key.Key_Left)
    QTest.keyClick(view, Qt.Key.Key_Enter)
    assert heard[-1] == ("click", 0)
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.focused_bar == len(view.bars.values) - 1
    QTest.keyClick(view, Qt.Key.Key_Return)  # not kept
    assert heard[-1] == ("click", 0)


def test_shift_and_arrows_move_the_cut(shown, listen):
    view = shown(result_of())
    heard = listen(view)
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_Left, SHIFT)
    assert heard == [("cut", 11), "released", ("cut", 10), "released"]


def test_hover_says_everything_about_a_bar(shown):
    result = result_of()
    view = shown(result)
    QTest.mouseMove(view, over_bar(view, 2))
    first, second, third = view.label_lines()
    mu, share = result.decomposition.eigenvalues[2], result.shares
    assert first.startswith(f"component 3: μ = {mu:.4g} (±")
    assert "·10⁻" in first
    total = 100 * share[:3].sum()
    assert second == f"{100 * share[2]:.1f} %, cumulative {total:.1f} %"
    assert third == "direction to 2·10⁻⁵ rad"
    QTest.mouseMove(view, over_bar(view, 30))
    assert "not kept" in view.label_lines()[1]
    assert "±" not in view.label_lines()[0]
    QTest.mouseMove(view, QPoint(3, 3))
    assert view.label_lines() == []


def test_leaving_and_resizing_take_the_label_along(shown):
    view = shown(result_of())
    QTest.mouseMove(view, over_bar(view, 1))
    view.resize(300, 180)
    assert QRectF(view.rect()).contains(view.label_box())
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert view.label_lines() == []


def test_tab_starts_at_the_bar_of_the_x_axis(shown):
    view = shown(result_of(), ViewSettings(axes=(4, 5, 0)))
    view.clearFocus()
    event = QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason)
    QApplication.sendEvent(view, event)
    assert view.focused_bar == 4
    assert view.label_lines()[0].startswith("component 5: ")
