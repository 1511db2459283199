"""Some widgets instead of others, keeping the keyboard focus."""

from collections.abc import Sequence

from PySide6.QtWidgets import QApplication, QWidget


def swap(
    parent: QWidget,
    shown: Sequence[QWidget],
    hidden: Sequence[QWidget],
    focus_after: QWidget,
) -> None:
    """Show widgets of a parent instead of others.

    Parameters
    ----------
    shown, hidden : sequence of QWidget
        Who is in both is shown.
    heir : QWidget
        Has the keyboard afterwards, if that was in one of the hidden.
    """
    focused = QApplication.focusWidget()
    inside = focused is not None and parent.isAncestorOf(focused)
    for widget in (*hidden, *shown):
        widget.setVisible(widget in shown)
    if inside and focused is not None and not focused.isVisibleTo(parent):
        focus_after.setFocus()
