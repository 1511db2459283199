"""The window is painted where it stays."""

import pytest
from PySide6.QtCore import QEvent, QObject

from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import LIGHT
from kpca_viewer.window.main_window import MainWindow


class Heights(QObject):
    """The heights of a board whenever it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.append(watched.height())
        return False


@pytest.mark.journey
def test_panels_do_not_move_after_the_first_paint(qapp, qtbot):
    window, heights = MainWindow(), Heights()
    qtbot.addWidget(window)
    window.board.installEventFilter(heights)
    apply_theme(qapp, LIGHT)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: len(heights.seen) > 0)
    for _ in range(5):
        qapp.processEvents()
    window.board.update()
    qapp.processEvents()
    assert set(heights.seen) == {window.board.height()}
