"""Draw the icon in the sizes of desktops: icons.py SVG FOLDER."""

import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZES = 16, 24, 32, 48, 64, 128, 256, 512

application = QGuiApplication([])
renderer = QSvgRenderer(sys.argv[1])
for size in SIZES:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    target = Path(sys.argv[2], f"{size}x{size}", "kpca_viewer.png")
    target.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(target)):
        sys.exit(f"{target} was not written.")
