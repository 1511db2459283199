"""A mistake in an override is told, and the process goes on."""

import subprocess
import sys

import pytest

CODE = """
import math, sys
import numpy as np
import kpca_viewer.widgets
from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene

told = []
sys.excepthook = lambda kind, error, trace: told.append(kind)
app = QApplication([])
mistakes = [
    lambda: math.sqrt(-1.0), lambda: np.zeros(3)[7], lambda: [][3], lambda: int("x")
]

class Object(QObject):
    def event(self, event):
        self.mistake()
        return True

class Item(QGraphicsItem):
    def boundingRect(self):
        return QRectF(0, 0, 5, 5)

    def paint(self, *_):
        self.mistake()

broken, item = Object(), Item()
scene, image = QGraphicsScene(), QImage(9, 9, QImage.Format.Format_ARGB32)
scene.addItem(item)

def paint():
    with QPainter(image) as painter:
        scene.render(painter)

def send():
    QApplication.sendEvent(broken, QEvent(QEvent.Type.User))

for mistake in mistakes:
    broken.mistake = item.mistake = mistake
    for call in (send, paint):
        told.clear()
        try:
            call()
        except Exception as error:
            told.append(type(error))
        assert told, f"nothing was raised by {call.__name__}"
print("told", flush=True)
"""


@pytest.mark.journey
def test_an_error_of_c_does_not_end_the_process():
    done = subprocess.run(
        [sys.executable, "-c", CODE], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "told" in done.stdout


def test_every_override_of_the_program_is_guarded():
    from kpca_viewer.engine.event_loop import NEEDED
    from kpca_viewer.widgets.plots.axes import AxesItem
    from kpca_viewer.widgets.plots.chart import Band

    for method in (AxesItem.paint, AxesItem.boundingRect, Band.paint):
        assert hasattr(method, "__wrapped__") == NEEDED
