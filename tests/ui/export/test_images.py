"""Pictures: sizes, grounds, what stands around them."""

import struct
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QComboBox,
    QPushButton,
)

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.document.in_picture import document_of, read_metadata
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.registry import board_plots
from kpca_viewer.widgets.controls import Segmented, Switch
from kpca_viewer.widgets.theme import DARK, LIGHT, THEMES
from tests.ui.export.desk import texts
from tests.ui.plots.results import result_of


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
        image = it.copy().image()
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
        for source, kind in product(board_plots(), ("png", "svg", "pdf")):
            it.panel.show_page("image", source)
            it.press("export_format", kind)
            path = it.save(f"{source}.{kind}")
            document = document_of(read_metadata(path), path.parent)
            assert document.settings == content.document.settings
            shown = document.data.shown
            assert shown.content_hash == content.result.dataset.content_hash

    def test_title_legend_and_caption_can_be_had_and_left_out(self, desk):
        it = desk()
        it.press("export_format", "svg")
        it.preset("page")
        plain = " ".join(texts(it.save("a.svg")))
        assert "Circles: embedding" in plain
        assert "outer ring" in plain
        assert "eigenvalues exact" not in plain
        for name in ("title", "caption"):
            it.child(Switch, f"export_{name}_switch").click()
        it.press("export_legend", "none")
        other = " ".join(texts(it.save("b.svg")))
        assert "Circles: embedding" not in other
        assert "outer ring" not in other
        assert "RBF" in other
        assert "400 × 2" in other

        it.press("export_legend", "right")
        it.panel.set_content(replace(it.panel.content, hidden={1}))
        it.press("export_format", "svg")
        words = texts(it.save("a.svg"))
        assert "outer ring" in " ".join(words)
        assert "inner ring" not in " ".join(words)

    def test_a_class_whose_rows_are_all_left_out_is_in_no_legend(self, desk):
        points = np.random.default_rng(0).normal(size=(20, 2))
        labels = np.repeat([0, 2], 10)
        names = ("alpha", "beta", "gamma ray")
        it = desk(analyse(Dataset(points, labels, names, name="n")))
        it.board.set_hidden({2})
        legend = it.board.embedding.legend
        assert legend.codes == [0, 2]
        assert legend.hidden == it.board.hidden == {2}
        it.press("export_format", "svg")
        words = texts(it.save("a.svg"))
        assert {"alpha", "gamma ray"} <= set(words)
        assert "beta" not in words

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

        it.board.show_workspace("explain")
        it.panel.show_page("image", "board")
        it.press("export_format", "svg")
        words = " ".join(texts(it.save("a.svg")))
        assert "Embedding" in words
        assert "Spectrum" not in words

        legend = it.child(Segmented, "export_legend")
        assert legend.isEnabled()
        it.panel.show_page("image", "spectrum")
        assert not legend.isEnabled()
        it.panel.show_page("image", "pca")
        assert legend.isEnabled()

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
        for source in board_plots():
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
        assert "8 pt" in words
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
