"""Where hands go in a spectrum."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


def over_bar(view, bar, share=0.5) -> QPoint:
    plan = view.plan()
    y = plan.frame.top + share * plan.frame.height
    return QPointF(plan.x(float(plan.bars.slots[bar])), y).toPoint()


def at_cut(view, cut, share=0.5) -> QPoint:
    plan = view.plan()
    y = plan.frame.top + share * plan.frame.height
    return QPointF(plan.cut_x(cut), y).toPoint()


def drag_cut(view, *cuts, release=True) -> None:
    QTest.mousePress(view, LEFT, PLAIN, at_cut(view, view.cut))
    for cut in cuts:
        QTest.mouseMove(view, at_cut(view, cut))
    if release:
        QTest.mouseRelease(view, LEFT, PLAIN, at_cut(view, cuts[-1]))
