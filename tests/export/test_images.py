import errno
import os
import re
import struct
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPen

from kpca_viewer.engine.document.in_picture import (
    document_of,
    metadata_of,
    read_metadata,
)
from kpca_viewer.engine.document.model import Document, DocumentData, FileReference
from kpca_viewer.engine.views import Camera
from kpca_viewer.export import image as images
from kpca_viewer.export.image import image_of, save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.support import atomic
from kpca_viewer.support.errors import DataError, ExportError, TooLargeError
from kpca_viewer.support.picture_formats import PICTURE_FORMATS
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from tests.ui.plots.results import result_of

FORMATS = tuple(PICTURE_FORMATS)
NOTE = '{"name": "a <b> & \\u03b3 \\"quoted\\" ]]>"}'


def spot(painter, rect):
    """Paint a red disc in the middle and a word."""
    painter.setBrush(QColor("red"))
    painter.drawEllipse(rect.center(), 10, 10)
    font = QFont()
    font.setPixelSize(12)
    painter.setFont(font)
    painter.drawText(QPointF(5, 20), "γ & <word>")


def chunks(path):
    """Return the chunks of a PNG by name, each checked."""
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    found, at = {}, 8
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        name, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", content[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(name + body)
        found.setdefault(name.decode(), []).append(body)
        at += 12 + length
    return found


def pdf_streams(path):
    """Return the unpacked streams of a PDF."""
    content = path.read_bytes()
    streams = []
    for found in re.finditer(rb"stream\r?\n", content):
        unpack = zlib.decompressobj()
        try:
            streams.append(unpack.decompress(content[found.end() :]))
        except zlib.error:
            continue
    return streams


def cloud(qtbot, n=300, columns=2):
    view = ScatterView()
    qtbot.addWidget(view)
    view.resize(480, 360)
    points = np.random.default_rng(0).normal(size=(n, columns))
    view.set_points(points, ["first", "second", "third"][:columns])
    view.set_colors(np.arange(n) % 10)
    return view


class TestSpec:
    def test_pixels_are_exact(self):
        spec = ImageSpec(width=1234, height=777, dpi=111)
        assert spec.pixels == (1234, 777)

    def test_paper_is_measured_in_millimetres(self):
        column = ImageSpec("pdf", 85, 64, "mm", 300)
        assert column.pixels == (1004, 756)
        assert column.millimetres == pytest.approx((85, 64))

    def test_text_has_the_same_size_on_paper_at_every_resolution(self):
        coarse = ImageSpec(width=85, height=64, unit="mm", dpi=72)
        fine = ImageSpec(width=85, height=64, unit="mm", dpi=600)
        assert coarse.layout == fine.layout == pytest.approx((321.26, 241.89), abs=0.01)

    def test_a_larger_scale_leaves_less_room(self):
        large = ImageSpec(width=960, height=480, dpi=96, scale=2.0)
        assert large.layout == (480, 240)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"format": "gif"}, "no format"),
            ({"background": "pink"}, "no background"),
            ({"unit": "inch"}, "no unit"),
            ({"width": 0}, "above 0"),
            ({"height": float("nan")}, "above 0"),
            ({"width": 3}, "show nothing"),
            ({"width": 100_000}, "too many"),
            ({"dpi": 0}, "no useful resolution"),
            ({"scale": 0}, "cannot be laid out"),
        ],
    )
    def test_what_cannot_be_made_is_said(self, change, message):
        with pytest.raises(ExportError, match=message):
            ImageSpec(**change)


class TestPNG:
    def test_size_and_resolution_are_in_the_file(self, qapp, tmp_path):
        path = tmp_path / "a.png"
        save_image(path, ImageSpec("png", 85, 64, "mm", 300), spot)
        found = chunks(path)
        assert struct.unpack(">II", found["IHDR"][0][:8]) == (1004, 756)
        across, down, unit = struct.unpack(">IIB", found["pHYs"][0])
        assert (across, down, unit) == (11811, 11811, 1)  # 300 dpi in dots per metre

    def test_pixels_do_not_depend_on_the_resolution(self, qapp, tmp_path):
        path = tmp_path / "a.png"
        save_image(path, ImageSpec("png", 801, 333, dpi=144), spot)
        assert struct.unpack(">II", chunks(path)["IHDR"][0][:8]) == (801, 333)
        assert struct.unpack(">I", chunks(path)["pHYs"][0][:4]) == (5669,)

    def test_backgrounds(self, qapp, tmp_path):
        corners = {}
        for background in ("white", "transparent", "theme"):
            path = tmp_path / f"{background}.png"
            save_image(path, ImageSpec("png", 64, 64, background=background), spot)
            image = QImage(str(path))
            corners[background] = image.pixelColor(63, 63)
            assert image.hasAlphaChannel() == (background == "transparent")
        assert corners["white"] == QColor("white")
        assert corners["transparent"].alpha() == 0

    def test_the_picture_is_laid_out_in_print_units(self, qapp):
        rects = []
        spec = ImageSpec("png", 85, 64, "mm", 300)
        image = image_of(spec, lambda painter, rect: rects.append(QRectF(rect)))
        assert rects[0].width() == pytest.approx(321.26, abs=0.01)
        assert image.devicePixelRatio() == 1

    def test_too_large_for_the_memory(self, qapp, tmp_path, monkeypatch):
        monkeypatch.setattr(images.memory, "available", lambda: 1_000_000)
        with pytest.raises(TooLargeError, match="choose fewer pixels"):
            save_image(tmp_path / "a.png", ImageSpec(), spot)
        assert not list(tmp_path.iterdir())


class TestSVG:
    def test_it_is_well_formed_and_has_the_size(self, qapp, tmp_path):
        path = tmp_path / "a.svg"
        save_image(path, ImageSpec("svg", 85, 64, "mm", 300), spot, NOTE)
        root = ET.parse(path).getroot()
        assert (root.get("width"), root.get("height")) == ("85mm", "64mm")
        assert root.get("viewBox") == "0 0 321.26 241.89"
        assert root.findtext("{http://www.w3.org/2000/svg}title") == "a"
        save_image(path, ImageSpec("svg", 801, 333), spot)
        root = ET.parse(path).getroot()
        assert (root.get("width"), root.get("height")) == ("801", "333")

    def test_texts_stay_texts_in_fonts_that_everybody_has(self, qapp, tmp_path):
        path = tmp_path / "a.svg"
        save_image(path, ImageSpec("svg"), spot)
        texts = list(ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text"))
        assert "".join(text.text for text in texts) == "γ & <word>"
        for text in texts:
            assert text.get("font-family").endswith("Helvetica, Arial, sans-serif")
            assert float(text.get("textLength")) > 0

    def test_lines_grow_with_the_picture(self, qapp, tmp_path):
        def line(painter, rect):
            pen = QPen(QColor("black"), 2.0)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.translate(10, 20)
            painter.scale(30, -40)
            painter.drawPolyline([QPointF(0, 0), QPointF(1, 1)])

        path = tmp_path / "a.svg"
        save_image(path, ImageSpec("svg"), line)
        text = path.read_text()
        assert "non-scaling-stroke" not in text
        assert 'points="10,20 40,-20' in text

    def test_backgrounds(self, qapp, tmp_path):
        path = tmp_path / "a.svg"
        save_image(path, ImageSpec("svg", background="white"), spot)
        assert "#ffffff" in path.read_text()
        save_image(path, ImageSpec("svg", background="transparent"), spot)
        assert "#ffffff" not in path.read_text()


class TestPDF:
    def test_the_page_has_exactly_the_size(self, qapp, tmp_path):
        path = tmp_path / "a.pdf"
        save_image(path, ImageSpec("pdf", 85, 64, "mm"), spot)
        boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
        assert len(boxes) == 1
        sizes = [float(side) / 72 * 25.4 for side in boxes[0]]
        assert sizes == pytest.approx([85, 64], abs=1e-5)

    @pytest.mark.parametrize("width", [99.9999 / 72 * 25.4, 1000 / 72 * 25.4])
    def test_offsets_stay_true_whatever_the_size(self, qapp, tmp_path, width):
        path = tmp_path / "a.pdf"
        save_image(path, ImageSpec("pdf", width, 64, "mm"), spot)
        content = path.read_bytes()
        start = int(re.search(rb"startxref\n(\d+)", content)[1])
        assert content[start : start + 4] == b"xref"

    def test_fonts_are_inside(self, qapp, tmp_path):
        path = tmp_path / "a.pdf"
        save_image(path, ImageSpec("pdf"), spot)
        assert b"/FontFile2" in path.read_bytes()


class TestVectors:
    @pytest.mark.parametrize(("columns", "n"), [(2, 5000), (3, 300)])
    def test_points_are_shapes(self, qtbot, tmp_path, columns, n):
        view = cloud(qtbot, n, columns=columns)
        for kind in ("svg", "pdf"):
            save_image(tmp_path / f"a.{kind}", ImageSpec(kind), view.render_to)
        text = (tmp_path / "a.svg").read_text()
        ET.fromstring(text)
        assert text.count("<circle") == n
        assert "<image" not in text
        assert b"/Subtype /Image" not in (tmp_path / "a.pdf").read_bytes()
        drawing = max(pdf_streams(tmp_path / "a.pdf")[:3], key=len)
        assert drawing.count(b" c\n") >= 4 * n  # four curves make a circle

    @pytest.mark.parametrize("kind", FORMATS)
    def test_3d_is_seen_from_where_one_stands(self, qtbot, tmp_path, kind):
        view = cloud(qtbot, 40, columns=3)
        pictures = []
        for azimuth in (0.0, 40.0, 0.0):
            view.set_camera(Camera().orbit(azimuth, 10.0))
            path = tmp_path / f"a.{kind}"
            save_image(path, ImageSpec(kind, 400, 300), view.render_to)
            # The head of a PDF names the time of day; its streams are the picture.
            content = path.read_bytes() if kind != "pdf" else pdf_streams(path)[0]
            pictures.append(content)
        assert pictures[0] == pictures[2]
        assert pictures[0] != pictures[1]


class TestMetadata:
    @pytest.mark.parametrize("kind", FORMATS)
    def test_it_comes_back(self, qapp, tmp_path, kind):
        path = tmp_path / f"a.{kind}"
        save_image(path, ImageSpec(kind), spot)
        assert read_metadata(path) is None
        save_image(path, ImageSpec(kind), spot, NOTE)
        assert read_metadata(path) == NOTE
        assert read_metadata(str(path)) == NOTE

    def test_other_files_have_none(self, qapp, tmp_path):
        (tmp_path / "a.csv").write_text("a,b\n1,2\n")
        (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
        (tmp_path / "a.svg").write_text("<svg><kpca:session>cut")
        for name in ("a.csv", "a.png", "a.svg", "none.png"):
            assert read_metadata(tmp_path / name) is None
        assert read_metadata(tmp_path) is None

    def test_long_ones_survive(self, qapp, tmp_path):
        note = "x" * 3_000_000
        for kind in FORMATS:
            save_image(tmp_path / f"a.{kind}", ImageSpec(kind), spot, note)
            assert read_metadata(tmp_path / f"a.{kind}") == note

    @pytest.mark.parametrize("kind", FORMATS)
    def test_a_picture_is_a_session(self, qapp, tmp_path, kind):
        result = result_of("moons", gamma=3.7)
        (tmp_path / "data.csv").write_text("x")
        file = FileReference(tmp_path / "data.csv", "abc")
        document = Document(result.settings, data=DocumentData(file))
        path = tmp_path / f"a.{kind}"
        save_image(path, ImageSpec(kind), spot, metadata_of(result, document, tmp_path))
        again = document_of(read_metadata(path), tmp_path, path.name)
        shown = again.data.shown
        assert again == replace(document, data=replace(document.data, shown=shown))
        assert shown.content_hash == result.dataset.content_hash
        assert (shown.name, shown.rows, shown.columns) == ("Moons", 400, 2)

    def test_settings_alone_are_enough(self):
        result = result_of("circles")
        text = metadata_of(result)
        assert text.isascii()
        again = document_of(text)
        assert again.settings == result.settings

    def test_nonsense_is_refused_in_a_sentence(self):
        with pytest.raises(DataError, match=r"^a\.png"):
            document_of("{}", title="a.png")
        document = metadata_of(result_of("circles"))
        broken = re.sub(r'"rows": [0-9]+', '"rows": "many"', document)
        assert document_of(broken).data.shown is None


class TestFailures:
    @pytest.fixture
    def old(self, tmp_path):
        path = tmp_path / "a.png"
        path.write_bytes(b"old")
        return path

    @pytest.mark.parametrize(
        ("number", "message"),
        [
            (errno.ENOSPC, "disk is full"),
            (errno.EROFS, "read-only"),
            (errno.EACCES, "choose a folder"),
        ],
    )
    def test_the_old_file_stays(self, qapp, old, monkeypatch, number, message):
        def fail(*_args):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(atomic.os, "fsync", fail)
        with pytest.raises(ExportError, match=message):
            save_image(old, ImageSpec(), spot)
        assert old.read_bytes() == b"old"
        assert [entry.name for entry in old.parent.iterdir()] == ["a.png"]

    def test_a_folder_that_vanished(self, qapp, tmp_path):
        with pytest.raises(ExportError, match="does not exist any more"):
            save_image(tmp_path / "gone" / "a.png", ImageSpec(), spot)

    def test_a_folder_in_the_place_of_the_file(self, qapp, tmp_path):
        (tmp_path / "a.svg").mkdir()
        with pytest.raises(ExportError, match="this is a folder"):
            save_image(tmp_path / "a.svg", ImageSpec("svg"), spot)

    @pytest.mark.parametrize("kind", FORMATS)
    def test_an_error_while_painting_leaves_the_old_file(self, qapp, tmp_path, kind):
        path = tmp_path / f"a.{kind}"
        path.write_bytes(b"old")

        def fail(_painter, _rect):
            raise RuntimeError("inside")

        with pytest.raises(RuntimeError, match="inside"):
            save_image(path, ImageSpec(kind), fail)
        assert path.read_bytes() == b"old"
