"""A mistake in an override is told, and the process goes on."""

import subprocess
import sys

import pytest

CODE = """
import math, sys
import numpy as np
import kpca_viewer.widgets
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication
told = []
sys.excepthook = lambda kind, error, trace: told.append(kind)
app = QGuiApplication([])
class Broken(QObject):
    def event(self, event):
        {}
        return True
broken = Broken()
try:
    QGuiApplication.sendEvent(broken, QEvent(QEvent.Type.User))
except Exception as error:
    told.append(type(error))
assert told, "nothing was raised"
"""


@pytest.mark.journey
@pytest.mark.parametrize(
    "mistake", ["math.sqrt(-1.0)", "np.zeros(3)[7]", "[][3]", "int('x')"]
)
def test_an_error_of_c_does_not_end_the_process(mistake):
    code = CODE.replace("{}", mistake, 1)
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
