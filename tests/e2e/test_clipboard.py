"""What is copied: nothing empty, and nothing that outlives the program."""

import subprocess
import sys

from PySide6.QtGui import QGuiApplication

from kpca_viewer.data.drawn import SOURCE
from kpca_viewer.engine.settings import DataSettings, SessionSettings

COPY_AND_END = """
from PySide6.QtCore import QEventLoop, QObject
from PySide6.QtGui import QGuiApplication, QImage
from kpca_viewer.features.export_panel.preview import PictureCopier
from kpca_viewer.window.application import application
app = application()
image = QImage(30, 20, QImage.Format.Format_RGB32)
copier, loop = PictureCopier(app), QEventLoop()
copier.ended.connect(loop.quit)
copier.copy(image)
loop.exec()
assert QGuiApplication.clipboard().image().width() == 30
"""


def test_a_program_with_a_copied_picture_ends_well():
    done = subprocess.run([sys.executable, "-c", COPY_AND_END], check=False)
    assert done.returncode == 0


def test_no_picture_of_nothing_is_copied(start):
    empty = SessionSettings(data=DataSettings.of_source(SOURCE))
    program = start(empty, settled=False)
    QGuiApplication.clipboard().setText("before")
    program.action("copy_image").trigger()
    assert program.message().startswith("There is no embedding on the screen")
    assert QGuiApplication.clipboard().text() == "before"
