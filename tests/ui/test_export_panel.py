import csv
import json
import struct
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, QSettings, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from kpca_viewer.core.errors import ExportError
from kpca_viewer.core.kernel_pca import KernelPCA
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.export.code import as_python
from kpca_viewer.export.images import read_metadata
from kpca_viewer.export.metadata import document_of
from kpca_viewer.session.analysis import analyse
from kpca_viewer.session.document_model import Document
from kpca_viewer.session.settings import SessionSettings, ViewSettings
from kpca_viewer.ui import export_panel as module
from kpca_viewer.ui.board.board import Board
from kpca_viewer.ui.controls import NumberField, Segmented, Switch
from kpca_viewer.ui.export_choices import Choices
from kpca_viewer.ui.export_panel import ExportPanel
from kpca_viewer.ui.export_sources import TITLES, board_sources
from kpca_viewer.ui.style import apply_theme
from kpca_viewer.ui.theme import DARK, LIGHT, THEMES
from tests.ui.plots.results import result_of

SVG = "{http://www.w3.org/2000/svg}"


class Spot:
    """The plainest of sources."""

    def render_to(self, painter, rect, *, background=True):
        painter.fillRect(rect, QColor("red"))


class Desk:
    """An export panel, and a person who answers the file dialog."""

    def __init__(self, qtbot, folder, result, theme, settings, *, plots, **options):
        sources = {key: Spot() for key in TITLES}
        if plots:
            self.board = Board()
            qtbot.addWidget(self.board)
            self.board.set_theme(theme)
            self.board.resize(1000, 680)
            self.board.show_result(result, settings)
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
            result,
            mask,
            theme,
            document=Document(settings=settings),
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

    def preview(self):
        self.panel.image.refresh()
        return self.panel.image.preview.image()


def maker(qtbot, tmp_path, plots):
    app = QApplication.instance()
    dressed = []

    def make(result=None, *, theme=LIGHT, view=None, **options):
        # Dressing every widget of the program takes longer than most tests here.
        if dressed[-1:] != [theme]:
            apply_theme(app, theme)
            dressed.append(theme)
        result = result or result_of("circles")
        settings = replace(result.settings, view=view or ViewSettings())
        return Desk(qtbot, tmp_path, result, theme, settings, plots=plots, **options)

    return make


@pytest.fixture
def desk(qtbot, tmp_path):
    """Make a panel over a board with real plots."""
    return maker(qtbot, tmp_path, plots=True)


@pytest.fixture
def sheet(qtbot, tmp_path):
    """Make a panel over the plainest of pictures, for what is not about plots."""
    return maker(qtbot, tmp_path, plots=False)


def texts(path):
    return [text.text for text in ET.parse(path).getroot().iter(f"{SVG}text")]


class TestImages:
    def test_pixels_have_their_sizes_and_vectors_no_bitmaps(self, desk):
        it = desk()
        it.preset("column")
        path = it.save("figure.png")
        content = path.read_bytes()
        assert struct.unpack(">II", content[16:24]) == (1004, 756)
        at = content.index(b"pHYs") + 4
        assert struct.unpack(">IIB", content[at : at + 9]) == (11811, 11811, 1)

        it.preset("slide")
        it.child(QPushButton, "export_copy_button").click()
        image = QGuiApplication.clipboard().image()
        assert (image.width(), image.height()) == (1920, 1080)
        assert "clipboard" in it.panel.message_bar.text()

        it = desk(view=ViewSettings(isolines=False))
        it.press("export_format", "svg")
        path = it.save("a.svg")
        assert "<image" not in path.read_text()
        assert path.read_text().count("<circle") == 400
        it.press("export_format", "pdf")
        assert b"/Subtype /Image" not in it.save("a.pdf").read_bytes()

    def test_everything_can_be_saved_and_knows_its_session(self, desk):
        it = desk()
        content = it.panel.content
        for source, kind in product(TITLES, ("png", "svg", "pdf")):
            it.panel.show_page("image", source)
            it.press("export_format", kind)
            path = it.save(f"{source}.{kind}")
            document, shown = document_of(read_metadata(path), path.parent)
            assert document.settings == content.document.settings
            assert shown.content_hash == content.result.dataset.content_hash

    def test_title_legend_and_caption_can_be_had_and_left_out(self, desk):
        it = desk()
        it.press("export_format", "svg")
        it.preset("page")
        plain = " ".join(texts(it.save("a.svg")))
        assert "Circles: embedding" in plain
        assert "outer ring" in plain
        assert "eigenvalues exact" not in plain
        for name in ("title", "legend", "caption"):
            it.child(Switch, f"export_{name}_switch").click()
        other = " ".join(texts(it.save("b.svg")))
        assert "Circles: embedding" not in other
        assert "outer ring" not in other
        assert "RBF" in other
        assert "400 × 2" in other

        it.child(Switch, "export_legend_switch").click()
        it.panel.set_content(replace(it.panel.content, hidden={1}))
        it.press("export_format", "svg")
        words = texts(it.save("a.svg"))
        assert "outer ring" in " ".join(words)
        assert "inner ring" not in " ".join(words)

    def test_numbers_get_a_scale(self, desk):
        it = desk(result_of("s_curve"))
        it.press("export_format", "svg")
        path = it.save("a.svg")
        assert "position" in texts(path)
        assert "linearGradient" in path.read_text()

    def test_the_board_is_what_it_shows(self, desk):
        it = desk()
        it.panel.show_page("image", "board")
        it.press("export_format", "svg")
        words = " ".join(texts(it.save("a.svg")))
        for title in ("Data", "Embedding", "Spectrum", "Linear PCA"):
            assert title in words
        assert "Click" not in words

        it.board.toggle_maximised(it.board.spectrum)
        it.panel.show_page("image", "board")
        it.press("export_format", "svg")
        words = " ".join(texts(it.save("a.svg")))
        assert "Spectrum" in words
        assert "Linear PCA" not in words

        switch = it.child(Switch, "export_legend_switch")
        assert switch.isEnabled()
        it.panel.show_page("image", "spectrum")
        assert not switch.isEnabled()
        it.panel.show_page("image", "pca")
        assert switch.isEnabled()

    def test_the_matrix_is_there_although_nobody_turned_to_it(self, desk):
        it = desk()
        assert it.board.compare.pages.value() == "pca"
        it.panel.show_page("image", "gram")
        hidden = it.preview()
        it.board.compare.show_page("gram")
        assert it.preview() == hidden
        assert len({hidden.pixel(x, hidden.height() // 2) for x in range(200)}) > 20

    def test_3d_is_exported_from_where_one_stands(self, desk):
        it = desk(result_of("torus"), view=ViewSettings(embedding_3d=True))
        before = it.preview()
        view = it.board.embedding.view
        view.set_camera(view.camera.orbit(35.0, 5.0))
        assert it.preview() != before

    def test_the_window_is_as_it_was(self, desk):
        it = desk(theme=DARK)
        views = (it.board.embedding.view, it.board.data.view, it.board.spectrum.view)
        it.board.grab()
        before = [view.grab().toImage() for view in views]
        sizes = [view.size() for view in views]
        for source in TITLES:
            it.panel.show_page("image", source)
            it.preview()
        assert [view.size() for view in views] == sizes
        assert [view.grab().toImage() for view in views] == before

    @pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
    def test_backgrounds(self, desk, theme):
        it = desk(theme=theme)
        corners = {}
        for key in ("white", "theme", "transparent"):
            it.press("export_background", key)
            image = QImage(str(it.save(f"{key}.png")))
            corners[key] = image.pixelColor(2, image.height() - 3)
        assert corners["white"] == QColor("white")
        assert corners["theme"] == QColor(theme.card)
        assert corners["transparent"].alpha() == 0

    def test_white_paper_gets_dark_ink_in_the_dark_theme(self, desk):
        pictures = []
        for theme in (LIGHT, DARK):
            it = desk(theme=theme)
            it.press("export_background", "white")
            pictures.append(QImage(str(it.save(f"{theme.name}.png"))))
        assert pictures[0] == pictures[1]


class TestSizes:
    def test_own_sizes_and_other_units(self, sheet):
        it = sheet()
        it.panel.show()
        it.preset("column")
        it.type("width", "120")
        combo = it.child(QComboBox, "export_preset_combo")
        assert combo.currentData() == "own"
        assert it.panel.image.spec().millimetres == pytest.approx((120, 64))

        it.preset("column")
        it.press("export_unit", "px")
        spec = it.panel.image.spec()
        assert spec.pixels == (1004, 756)
        it.press("export_unit", "mm")
        assert it.panel.image.spec().millimetres == pytest.approx((85, 64))

    def test_the_summary_names_every_unit_that_counts(self, sheet):
        it = sheet()
        it.preset("column")
        it.preview()
        words = it.panel.image.summary()
        assert "1,004 × 756 px" in words
        assert "85 × 64 mm" in words
        assert "300 dpi" in words
        assert "7.2 pt" in words
        it.press("export_format", "pdf")
        assert "vector" in it.panel.image.summary()
        it.press("export_format", "png")
        assert it.field("dpi").isEnabled()
        it.press("export_format", "svg")
        assert not it.field("dpi").isEnabled()
        it.press("export_unit", "px")
        assert it.field("dpi").isEnabled()

    def test_an_impossible_size_is_said_and_not_saved(self, sheet):
        it = sheet()
        it.press("export_unit", "mm")
        it.field("width").setValue(2000)
        it.field("dpi").setValue(1200)
        it.panel.image.refresh()
        assert "too many" in it.panel.image.summary()
        assert not it.child(QPushButton, "export_save_button").isEnabled()
        it.field("dpi").setValue(72)
        it.panel.image.refresh()
        assert not it.panel.image.problem()
        assert it.child(QPushButton, "export_save_button").isEnabled()

    def test_the_preview_follows_every_change(self, sheet, desk, qtbot):
        it = sheet()
        it.panel.show()
        for key, ratio in (("slide", 16 / 9), ("column", 85 / 64)):
            it.preset(key)
            image = it.preview()
            assert image.width() / image.height() == pytest.approx(ratio, rel=0.01)

        it.panel.show()
        before = it.preview()
        with qtbot.waitSignal(it.panel.image.spec_changed):
            it.child(Switch, "export_caption_switch").click()
        assert it.panel.image.preview.image() != before


class TestNumbers:
    def test_coordinates_as_csv(self, sheet):
        it = sheet(selected=5)
        it.panel.show_page("numbers")
        it.child(Switch, "export_features_switch").click()
        path = it.save("a")
        assert path.name == "a.csv"
        rows = list(csv.DictReader(path.read_text().splitlines()))
        scores = it.panel.content.result.scores
        assert [float(row["PC2"]) for row in rows] == scores[:, 1].tolist()
        assert [row["selected"] for row in rows[:6]] == ["1"] * 5 + ["0"]
        assert "x1" in rows[0]

    def test_the_selection_alone_if_there_is_one(self, sheet):
        it = sheet(selected=5)
        it.panel.show_page("numbers")
        button = it.child(Segmented, "export_rows").button("selected")
        assert button.text() == "Selection (5)"
        button.click()
        assert "5 rows" in it.panel.numbers._note.text()
        assert len(it.save("a.csv").read_text().splitlines()) == 6

        it = sheet()
        it.panel.show_page("numbers")
        assert not it.child(Segmented, "export_rows").button("selected").isEnabled()

    def test_every_table_in_every_format(self, sheet):
        it = sheet(result_of("iris"))
        for what, kind in product(
            ("coordinates", "eigenvalues", "matrix"), ("csv", "xlsx", "parquet", "npz")
        ):
            it.panel.show_page("numbers", what)
            it.press("export_table_format", kind)
            assert it.save(f"{what}.{kind}").stat().st_size > 200

    def test_models_are_files_and_tables_can_be_copied(self, sheet):
        it = sheet()
        it.panel.show_page("numbers", "model")
        path = it.save("model")
        assert path.name == "model.npz"
        result = it.panel.content.result
        found = KernelPCA.load(path).transform(result.dataset.points[:5])
        assert found == pytest.approx(result.scores[:5], abs=1e-3)
        assert not it.child(QPushButton, "export_copy_button").isEnabled()

        it.panel.show_page("numbers", "eigenvalues")
        it.child(QPushButton, "export_copy_button").click()
        lines = QGuiApplication.clipboard().text().splitlines()
        assert lines[0].split("\t")[:2] == ["component", "eigenvalue"]
        assert len(lines) == 11

    def test_what_is_too_large_is_said(self, sheet, monkeypatch):
        from kpca_viewer.export import tables

        monkeypatch.setattr(tables, "LARGEST_MATRIX", 100)
        monkeypatch.setattr("kpca_viewer.ui.export_numbers_page.LARGEST_MATRIX", 100)
        it = sheet()
        it.panel.show_page("numbers", "matrix")
        assert "select fewer rows" in it.panel.numbers._note.text()
        monkeypatch.setattr("kpca_viewer.ui.export_numbers_page.MOST_COPIED", 10)
        it.panel.numbers.choose("eigenvalues")
        it.child(QPushButton, "export_copy_button").click()
        assert "too many for the clipboard" in it.panel.message_bar.text()

    def test_the_first_rows_are_shown_as_plain_text(self, sheet):
        names = tuple(f"<b>{i}</b>\n=1" for i in range(20))
        points = np.random.default_rng(0).normal(size=(20, 2))
        it = sheet(analyse(Dataset(points, row_names=names, name="n")))
        it.panel.show_page("numbers")
        table = it.panel.numbers._table
        assert table.rowCount() == 12
        assert table.item(0, 0).text() == "<b>0</b> =1"

    def test_the_window_answers_while_a_file_is_written(self, sheet, monkeypatch):
        it = sheet()
        it.panel.show_page("numbers")
        seen = []
        it.panel.saved.connect(lambda _path: seen.append(it.panel.saving))
        it.answer = "a.csv"
        with it.qtbot.waitSignal(it.panel.saved):
            it.panel.save()
            assert it.panel.saving
            assert not it.child(QPushButton, "export_save_button").isEnabled()
        assert seen == [False]
        assert it.child(QPushButton, "export_save_button").isEnabled()


class TestCode:
    def test_code_is_shown_copied_saved_and_follows_the_view(self, sheet):
        it = sheet()
        for library in ("kpca_viewer", "sklearn"):
            it.panel.show_page("code", library)
            wanted = as_python(it.panel.content.result, library)
            text = it.child(QPlainTextEdit, "export_code_text")
            assert text.toPlainText() == wanted
            assert text.isReadOnly()
            it.child(QPushButton, "export_copy_button").click()
            assert QGuiApplication.clipboard().text() == wanted
            assert it.save(library).read_text(encoding="utf-8") == wanted
            assert (it.folder / f"{library}.py").exists()

        it.panel.show_page("code", "notebook")
        assert json.loads(it.save("a.ipynb").read_text())["nbformat"] == 4

        it.panel.show_page("code")
        settings = replace(
            it.panel.content.document.settings, view=ViewSettings(axes=(3, 2, 1))
        )
        document = Document(settings=settings)
        it.panel.set_content(replace(it.panel.content, document=document))
        assert "scores[rows, 3], scores[rows, 2]" in it.panel.code.code()


class TestFailures:
    def test_a_sentence_says_why_not_unless_nothing_was_wanted(self, sheet, qtbot):
        it = sheet()
        for page in module.PAGES:
            it.panel.show_page(page)
            it.answer = f"gone/a.{it.panel._ending()}"
            it.panel.save()
            qtbot.waitUntil(lambda: bool(it.panel.message_bar.text()))
            assert it.panel.message_bar.severity() == "error"
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

        monkeypatch.setattr("kpca_viewer.ui.export_numbers_page.save_table", fail)
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
        it.panel.save()
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
        again = sheet(store=store()).panel
        assert again.image.spec() == spec
        assert again.image.source_key() == "spectrum"
        assert again.page() == "code"
        assert again.code.what() == "sklearn"
        assert again.numbers.what() == "matrix"
        assert again.numbers.ending() == "parquet"
        again.show_page("numbers")
        assert again.numbers.table().name == "centred kernel matrix"
        assert again._folder == tmp_path

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
                if isinstance(control.parent(), QComboBox | QAbstractSpinBox):
                    continue
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

    def test_another_theme_is_followed_beside_the_window(self, desk, sheet):
        it = desk()
        it.press("export_background", "theme")
        it.board.set_theme(DARK)
        it.panel.set_content(replace(it.panel.content, theme=DARK))
        image = it.preview()
        assert image.pixelColor(1, 1) == QColor(DARK.card)

        assert not it.panel.isModal()

    def test_long_names_do_not_widen_the_panel(self, desk):
        name = "a very long name " * 40
        points = np.random.default_rng(0).normal(size=(30, 2))
        dataset = Dataset(
            points, np.arange(30), tuple(f"{name}{i}" for i in range(30)), name=name
        )
        it = desk(analyse(dataset))
        it.panel.show()
        assert it.panel.width() <= 960
        assert it.panel.minimumSizeHint().width() <= 960
        it.press("export_format", "svg")
        words = texts(it.save("a.svg"))
        assert max(map(len, words)) < 120
        assert any("more" in word for word in words)

    def test_a_source_may_be_anything_that_paints(self, qtbot):
        panel = ExportPanel({"spot": Spot()}, result_of("circles"), None, LIGHT)
        qtbot.addWidget(panel)
        panel.image.refresh()
        image = panel.image.preview.image()
        middle = QPoint(image.width() // 2, image.height() // 2)
        assert image.pixelColor(middle) == QColor("red")


def test_tiny_rectangles_are_painted_too(desk):
    it = desk()
    image = QImage(60, 40, QImage.Format.Format_ARGB32)
    for source in board_sources(it.board).values():
        painter = QPainter(image)
        source.render_to(painter, QRectF(0, 0, 60, 40))
        painter.end()


def test_settings_of_the_moment_are_in_the_picture(desk):
    it = desk()
    settings = SessionSettings(view=ViewSettings(point_size=3.0))
    content = replace(it.panel.content, document=Document(settings=settings))
    it.panel.set_content(content)
    document, _ = document_of(read_metadata(it.save("a.png")))
    assert document.settings.view.point_size == 3.0


def test_the_panel_is_a_widget_of_its_parent(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    board = Board(parent)
    panel = ExportPanel(board_sources(board), result_of("circles"), None, LIGHT, parent)
    assert panel.parent() is parent
    assert panel.windowTitle() == "Export"


def test_pages_behind_are_filled_when_they_are_turned_to(desk):
    it = desk()
    other = result_of("moons")
    document = Document(settings=other.settings)
    it.panel.set_content(replace(it.panel.content, result=other, document=document))
    assert not it.panel.code.code()
    it.panel.show_page("code")
    assert "make_moons" in it.panel.code.code()
