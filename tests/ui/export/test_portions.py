"""Pictures are painted in turns of the event loop, and finished beside the window."""

import threading

import pytest
from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.export import image as vector
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.registry import BOARD, board_plots
from kpca_viewer.support.errors import ExportError
from kpca_viewer.widgets.composed_picture import ComposedPicture
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.theme import DARK, LIGHT


class Stripes:
    """A source in three portions that notes each of them."""

    def __init__(self):
        self.painted = []
        self.fails = False

    def render_to(self, painter, rect, *, background=True):
        wide = rect.width() / 3
        for number, color in enumerate(("red", "lime", "blue")):
            self.painted.append(color)
            if self.fails and number == 1:
                raise ExportError("The green is used up.")
            left = rect.left() + number * wide
            area = QRectF(left, rect.top(), wide, rect.height())
            painter.fillRect(area, QColor(color))
            yield


@pytest.fixture
def stripes(sheet):
    """Return a panel that exports stripes, and the stripes."""
    it, source = sheet(), Stripes()
    it.panel.image.set_sources(dict.fromkeys(board_plots(), source))
    it.answer = "a.png"
    # The preview paints too: from now on it rests.
    it.panel.image.refresh()
    source.painted.clear()
    return it, source


def colors_of(path):
    image = QImage(str(path))
    middle = image.height() // 2
    return [
        image.pixelColor(image.width() * part // 6, middle).name() for part in (1, 3, 5)
    ]


ALL = ["#ff0000", "#00ff00", "#0000ff"]


def test_a_picture_is_painted_in_turns(stripes):
    it, source = stripes
    it.panel.save()
    assert source.painted == ["red"]
    assert it.panel.saving
    with it.qtbot.waitSignal(it.panel.saved):
        pass
    assert source.painted == ["red", "lime", "blue"]
    assert colors_of(it.folder / "a.png") == ALL


def test_vectors_are_finished_by_another_thread(sheet, monkeypatch):
    by = []
    for name in ("_with_scaling_strokes", "_cut"):
        real = getattr(vector, name)

        def noted(*args, real=real):
            by.append(threading.current_thread())
            return real(*args)

        monkeypatch.setattr(vector, name, noted)
    it = sheet()
    for ending in ("svg", "pdf"):
        it.press("export_format", ending)
        it.save(f"a.{ending}")
    assert len(by) == 2
    assert threading.main_thread() not in by


def test_other_content_in_between_is_painted_from_the_beginning(stripes):
    it, source = stripes
    it.panel.save()
    it.panel.show_page("code")
    it.panel.set_content(it.panel.content)
    assert source.painted == ["red", "red", "lime", "blue"]
    with it.qtbot.waitSignal(it.panel.saved):
        pass
    assert colors_of(it.folder / "a.png") == ALL


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_trouble_in_between_is_told(stripes, ending):
    it, source = stripes
    it.press("export_format", ending)
    old = it.folder / f"a.{ending}"
    old.write_bytes(b"old")
    it.answer, source.fails = old.name, True
    it.panel.save()
    it.qtbot.waitUntil(lambda: not it.panel.saving)
    assert it.panel.message_bar.text() == "The green is used up."
    assert old.read_bytes() == b"old"


def test_closing_the_panel_in_between_completes_the_picture(stripes):
    it, source = stripes
    it.panel.save()
    with it.qtbot.waitSignal(it.panel.saved):
        it.panel.close()
        assert source.painted == ["red", "lime", "blue"]
    assert colors_of(it.folder / "a.png") == ALL


def test_the_end_of_the_program_in_between_completes_the_file(stripes):
    it, _ = stripes
    it.panel.save()
    QCoreApplication.instance().aboutToQuit.emit()
    assert colors_of(it.folder / "a.png") == ALL
    it.qtbot.waitUntil(lambda: not it.panel.saving)


@pytest.mark.journey
def test_a_board_is_a_portion_a_panel_and_keeps_its_theme_between_them(desk):
    it = desk(theme=DARK)
    board = it.board
    source = board_sources(board)["board"]
    spec = ImageSpec("png", background="white")
    picture = ComposedPicture(BOARD, source, spec, it.panel.content)
    image = QImage(600, 400, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("white"))
    painter = QPainter(image)
    portions = 0
    for _ in picture.paint(painter, QRectF(0, 0, 600, 400)):
        portions += 1
        assert board.theme is DARK
        assert board.spectrum.view.theme is DARK
    painter.end()
    assert portions == len(board.panels)
    assert QColor(LIGHT.text).name() in {
        image.pixelColor(x, y).name() for x in range(600) for y in range(40)
    }
