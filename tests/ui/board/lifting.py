"""A board that makes the changes it requests, for what is lifted in it."""

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from tests.ui.board.boards import keep_new_points

SMALL = SessionSettings(
    data=DataSettings("circles", as_values({"samples": 60})),
    kernel=KernelSettings("paraboloid"),
    view=ViewSettings(motion=False),
)
IRIS = SessionSettings(data=DataSettings("iris"))


class Window:
    """A board that makes the changes it requests, as the presenter lets them."""

    def __init__(self, board, answer):
        self.board, self.answer = board, answer
        self.steps = []
        self.refusals = []
        board.changes.settings_requested.connect(self._on_requested)
        board.changes.gesture_ended.connect(lambda: self.steps.append(None))
        board.changes.refused.connect(self.refusals.append)
        keep_new_points(board)

    @property
    def view(self):
        return self.board.scene.settings.view

    @property
    def plot(self):
        return self.board.data.view

    @property
    def bar(self):
        return self.board.lift.bar

    def show(self, settings):
        scene = self.board.scene.changed(result=self.answer(settings))
        self.board.show_scene(scene.changed(settings=settings))
        self.board.settle()

    def with_view(self, settings=SMALL, **changes):
        self.show(replace(settings, view=replace(settings.view, **changes)))

    def _on_requested(self, settings, gesture):
        self.steps.append(gesture)
        self.show(settings)

    def press(self, key):
        button = self.board.data.dimensions.button(key)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def drag_marker(window, index, way):
    """Drag a marker by pixels; returns where it was let go."""
    area, canvas = window.plot.area, window.plot.canvas.viewport()
    x, y = area.frame.to_pixels(area.marker_places())[index]
    start = QPoint(round(x), round(y))
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(canvas, start + way * share)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + way)
    return start + way
