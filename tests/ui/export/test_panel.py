"""The panel itself: trouble, memory, keys, themes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, QSettings, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QWidget,
)

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.document.in_picture import document_of, read_metadata
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import SessionSettings, ViewSettings
from kpca_viewer.features.export_panel import panel as module
from kpca_viewer.features.export_panel.panel import ExportPanel
from kpca_viewer.support.errors import ExportError
from kpca_viewer.widgets.controls import NumberField, Switch
from kpca_viewer.widgets.export_form import Choices
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.theme import DARK
from kpca_viewer.window.board import Board
from tests.ui.export.desk import Spot, content_of, texts
from tests.ui.plots.results import result_of


class TestFailures:
    @pytest.mark.journey
    def test_a_sentence_says_why_not_unless_nothing_was_wanted(self, sheet, qtbot):
        it = sheet(result_of("moons", samples=60))
        endings = ("png", "csv", "py", "html")
        for page, ending in zip(module.PAGES, endings, strict=True):
            it.panel.show_page(page)
            it.answer = f"gone/a.{ending}"
            it.panel.save()
            qtbot.waitUntil(lambda: it.panel.message_bar.severity() == "error")
            assert "choose another one" in it.panel.message_bar.text()
            it.panel.message_bar.clear()
        assert not list(it.folder.iterdir())

        it.answer = None
        it.panel.save()
        assert not it.panel.message_bar.text()
        assert not list(it.folder.iterdir())

    def test_what_nobody_expected_is_told_too(self, sheet, qtbot, monkeypatch):
        def fail(*_args):
            raise RuntimeError("inside")

        monkeypatch.setattr(
            "kpca_viewer.features.export_panel.numbers_page.save_table", fail
        )
        it = sheet()
        it.panel.show_page("numbers")
        it.answer = "a.csv"
        it.panel.save()
        qtbot.waitUntil(lambda: "RuntimeError: inside" in it.panel.message_bar.text())

    def test_a_picture_that_does_not_fit_into_memory(self, sheet, monkeypatch):
        def fail(*_args):
            raise ExportError("Too much.")

        it = sheet()
        monkeypatch.setattr(module, "image_of", fail)
        it.child(QPushButton, "export_copy_button").click()
        assert it.panel.message_bar.text() == "Too much."

    @pytest.mark.journey
    def test_names_of_files_are_safe_and_folders_kept(self, sheet):
        points = np.random.default_rng(0).normal(size=(20, 2))
        it = sheet(analyse(Dataset(points, name="a/b: “c”\n" + "x" * 300)))
        it.panel.save()
        name = it.suggested[0].rpartition("/")[2]
        assert name.startswith("a_b_ _c_ xx")
        assert name.endswith("embedding.png")
        assert len(name) < 120

        it = sheet()
        it.save("a.png")
        it.save("b.png")
        assert it.suggested[-1].startswith(str(it.folder))


class TestMemory:
    def test_choices_come_back(self, sheet, tmp_path):
        def store():
            return QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)

        first = store()
        it = sheet(store=first)
        it.panel.show_page("image", "spectrum")
        it.press("export_format", "pdf")
        it.press("export_unit", "mm")
        it.field("width").setValue(123)
        it.press("export_background", "transparent")
        it.child(Switch, "export_title_switch").click()
        it.panel.show_page("numbers", "matrix")
        it.press("export_table_format", "parquet")
        it.press("export_centring", "centred")
        it.panel.show_page("code", "sklearn")
        it.save("script.py")
        first.sync()
        spec = it.panel.image.spec()
        other = sheet(store=store())
        again = other.panel
        assert again.image.spec() == spec
        assert again.image.source_key() == "spectrum"
        assert again.page() == "code"
        assert again.code.what() == "sklearn"
        assert again.numbers.what() == "matrix"
        assert again.numbers.ending() == "parquet"
        again.show_page("numbers")
        assert again.numbers.table().name == "centred kernel matrix"
        again.save()
        assert Path(other.suggested[-1]).parent == tmp_path

    @pytest.mark.journey
    def test_nonsense_in_the_store_is_ignored(self, sheet):
        class Nonsense:
            def __init__(self, value):
                self.nonsense = value

            def value(self, key, default=None):
                return "own" if key == "export/preset" else self.nonsense

            def setValue(self, key, value):
                """Keep nothing."""

        for nonsense in ("", "nonsense", "1e9", -5, None, []):
            it = sheet(store=Nonsense(nonsense))
            assert it.panel.image.spec().pixels == (1200, 900)

        choices = {"export/preset": "own", "export/unit": "mm", "export/width": 2000}
        choices |= {"export/height": 2000, "export/dpi": 1200}

        class Old:
            def value(self, key, default=None):
                return choices.get(key, default)

            def setValue(self, key, value):
                """Keep nothing."""

        assert sheet(store=Old()).panel.image.spec().pixels == (1200, 900)

    def test_choices_are_typed(self):
        choices = Choices(None)
        choices.keep("a", True)
        assert choices.flag("a", False)
        assert choices.number("a", 3.0, 2.0, 4.0) == 3.0
        for folder in ("/gone/for/ever", "\0", 3):
            choices.keep("folder", folder)
            assert choices.folder() == Path.home()


class TestHands:
    def test_tab_reaches_every_control_and_all_have_names(self, sheet, qtbot):
        it = sheet(selected=3)
        it.panel.show()
        qtbot.waitExposed(it.panel)
        for page in module.PAGES:
            it.panel.show_page(page)
            reached, widget = [], it.panel.pages
            while widget not in reached:
                reached.append(widget)
                widget = widget.nextInFocusChain()
            for kind in (QAbstractButton, QAbstractSpinBox, QComboBox, QPlainTextEdit):
                for control in it.panel.findChildren(kind):
                    stops = control.focusPolicy() & Qt.FocusPolicy.TabFocus
                    if control.isVisible() and control.isEnabled() and stops:
                        assert control in reached, control.objectName()

        for kind in (QAbstractButton, NumberField, QComboBox, QPlainTextEdit):
            for control in it.panel.findChildren(kind):
                if isinstance(
                    control.parent(), QComboBox | QAbstractSpinBox | QTableView
                ):
                    continue  # Parts of Qt's own controls.
                if not control.objectName().startswith("qt_"):
                    assert control.objectName()
                    assert control.accessibleName(), control.objectName()

    def test_enter_in_a_field_ends_the_number_elsewhere_it_saves(self, sheet):
        it = sheet()
        it.panel.show()
        it.panel.activateWindow()
        field = it.field("width")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "777")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert field.value() == 777
        assert not it.suggested
        it.child(Switch, "export_title_switch").setFocus()
        QTest.keyClick(it.panel, Qt.Key.Key_Return)
        assert len(it.suggested) == 1
        QTest.keyClick(it.panel, Qt.Key.Key_Escape)
        assert not it.panel.isVisible()

    def test_a_wrong_number_is_said_until_a_right_one_is_typed(self, sheet):
        it = sheet()
        it.panel.show()
        bar = it.panel.message_bar
        it.type("width", "5")
        assert bar.text() == "Width must be between 16 and 20,000; it stays 1200."
        assert not it.suggested
        it.type("width", "800")
        assert not bar.text()
        it.type("dpi", "many")
        assert bar.text() == "“many” is not a number; Resolution stays 192."
        it.press("export_unit", "mm")
        assert not bar.text()
        it.type("height", "9000")
        assert bar.text().startswith("Height must be between 5 and 2,000; it stays ")
        it.type("height", "1900")
        it.type("dpi", "1200")
        it.panel.image.refresh()
        assert "too many" in bar.text(), "a picture of so many pixels"
        assert not it.child(QPushButton, "export_save_button").isEnabled()
        it.type("dpi", "100")
        it.panel.image.refresh()
        assert not bar.text()

    @pytest.mark.journey
    def test_nothing_moves_when_a_file_is_saved(self, sheet):
        it = sheet(dressed=True)
        it.panel.show()
        QApplication.processEvents()
        names = ("export_save_button", "export_copy_button")
        buttons = [it.child(QPushButton, name) for name in names]
        parts = [it.panel.pages, it.panel.image.preview, *buttons]
        before = [(part.mapTo(it.panel, QPoint()), part.size()) for part in parts]
        it.save("a.png")
        QApplication.processEvents()
        assert it.panel.message_bar.isVisible()
        after = [(part.mapTo(it.panel, QPoint()), part.size()) for part in parts]
        assert after == before

    @pytest.mark.journey
    def test_another_theme_is_followed_beside_the_window(self, desk):
        it = desk()
        it.press("export_background", "theme")
        scene = it.board.scene.changed(theme=DARK)
        it.board.show_scene(scene)
        it.panel.set_content(replace(it.panel.content, scene=scene))
        image = it.preview()
        assert image.pixelColor(1, 1) == QColor(DARK.card)

        assert not it.panel.isModal()

    @pytest.mark.journey
    def test_long_names_do_not_widen_the_panel(self, desk):
        name = "a very long name " * 40
        points = np.random.default_rng(0).normal(size=(30, 2))
        dataset = Dataset(
            points, np.arange(30), tuple(f"{name}{i}" for i in range(30)), name=name
        )
        it = desk(analyse(dataset), dressed=True)
        it.panel.show()
        assert it.panel.width() <= 960
        assert it.panel.minimumSizeHint().width() <= 960
        it.press("export_format", "svg")
        words = texts(it.save("a.svg"))
        assert max(map(len, words)) < 120
        assert sum(word.startswith("a ") and "…" in word for word in words) >= 30

    def test_a_source_may_be_anything_that_paints(self, qtbot):
        panel = ExportPanel({"data": Spot()}, content_of(result_of("circles")))
        qtbot.addWidget(panel)
        panel.image.refresh()
        image = panel.image.preview.image()
        middle = QPoint(image.width() // 2, image.height() // 2)
        assert image.pixelColor(middle) == QColor("red")


@pytest.mark.journey
def test_tiny_rectangles_are_painted_too(desk):
    it = desk()
    image = QImage(60, 40, QImage.Format.Format_ARGB32)
    for source in board_sources(it.board).values():
        painter = QPainter(image)
        source.render_to(painter, QRectF(0, 0, 60, 40))
        painter.end()


@pytest.mark.journey
def test_settings_of_the_moment_are_in_the_picture(desk):
    it = desk()
    settings = SessionSettings(view=ViewSettings(point_size=3.0))
    content = replace(it.panel.content, document=Document(settings=settings))
    it.panel.set_content(content)
    document = document_of(read_metadata(it.save("a.png")))
    assert document.settings.view.point_size == 3.0


@pytest.mark.journey
def test_the_panel_is_a_widget_of_its_parent(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    board = Board()
    board.setParent(parent)
    content = content_of(result_of("circles"))
    panel = ExportPanel(board_sources(board), content, parent)
    assert panel.parent() is parent
    assert panel.windowTitle() == "Export"


@pytest.mark.journey
def test_pages_behind_are_filled_when_they_are_turned_to(desk):
    it = desk()
    other = result_of("moons")
    document = Document(settings=other.settings)
    scene = it.board.scene.changed(result=other)
    it.panel.set_content(replace(it.panel.content, scene=scene, document=document))
    assert not it.panel.code.code()
    it.panel.show_page("code")
    assert "make_moons" in it.panel.code.code()
