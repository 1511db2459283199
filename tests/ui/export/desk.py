"""An export panel on a desk, and a person who works with it."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QPushButton,
)

from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features import registry
from kpca_viewer.features.export_panel.panel import ExportPanel
from kpca_viewer.features.registry import board_plots
from kpca_viewer.widgets.composed_picture import ExportContent
from kpca_viewer.widgets.controls import NumberField, Segmented
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.style import apply_theme, set_palette_and_font
from kpca_viewer.widgets.theme import LIGHT
from kpca_viewer.window.board import Board
from tests.ui.plots.results import result_of

SVG = "{http://www.w3.org/2000/svg}"


class Spot:
    """The plainest of sources."""

    def render_to(self, painter, rect, *, background=True):
        painter.fillRect(rect, QColor("red"))


class Desk:
    """An export panel, and a person who answers the file dialog."""

    def __init__(self, qtbot, folder, result, theme, settings, *, plots, **options):
        sources = {key: Spot() for key in board_plots()}
        scene = Scene().changed(settings=settings, result=result, theme=theme)
        if plots:
            self.board = Board()
            qtbot.addWidget(self.board)
            self.board.resize(1000, 680)
            self.board.show_scene(scene)
            sources = board_sources(self.board)
        self.folder = folder
        self.answer = None
        self.suggested = []
        mask = None
        if selected := options.pop("selected", 0):
            mask = np.zeros(result.dataset.n, dtype=bool)
            mask[:selected] = True
        self.panel = ExportPanel(
            sources,
            ExportContent(
                scene, mask, Document(settings=settings), stages=registry.stages()
            ),
            choose_path=self.choose,
            **options,
        )
        qtbot.addWidget(self.panel)
        self.qtbot = qtbot

    def choose(self, _parent, _title, suggestion):
        self.suggested.append(suggestion)
        return "" if self.answer is None else str(self.folder / self.answer)

    def child(self, kind, name):
        found = self.panel.findChild(kind, name)
        assert found is not None, name
        return found

    def press(self, name, key):
        self.child(Segmented, name).button(key).click()

    def preset(self, key):
        combo = self.child(QComboBox, "export_preset_combo")
        combo.setCurrentIndex(combo.findData(key))

    def field(self, name):
        return self.child(NumberField, f"export_{name}_field")

    def type(self, name, text):
        field = self.field(name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    def save(self, name):
        self.answer = name
        with self.qtbot.waitSignal(self.panel.saved) as signal:
            self.child(QPushButton, "export_save_button").click()
        return signal.args[0]

    def copy(self):
        with self.qtbot.waitSignal(self.panel.copied):
            self.child(QPushButton, "export_copy_button").click()
        return QGuiApplication.clipboard()

    def preview(self):
        self.panel.image.refresh()
        return self.panel.image.preview.image()


def content_of(result):
    """Return what there is to export of a result in a light window."""
    scene = Scene().changed(settings=result.settings, result=result)
    return ExportContent(scene, None, Document(settings=result.settings))


def maker(qtbot, tmp_path, plots):
    app = QApplication.instance()

    def make(result=None, *, theme=LIGHT, view=None, dressed=False, **options):
        result = result or result_of("circles")
        settings = replace(result.settings, view=view or ViewSettings())
        # A sheet takes longer than most tests here, and most are not about looks.
        (apply_theme if dressed else set_palette_and_font)(app, theme)
        return Desk(qtbot, tmp_path, result, theme, settings, plots=plots, **options)

    return make


def texts(path):
    return [text.text for text in ET.parse(path).getroot().iter(f"{SVG}text")]
