from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    SessionSettings,
)
from kpca_viewer.export.compose import (
    Composition,
    PrintedLegend,
    PrintedLegendEntry,
    _widest_name,
    composed,
    wrapped,
)
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.export.text import caption, one_line
from tests.ui.plots.results import indefinite_distances, result_of, worked_example


def room_for_the_plot(size=(400, 300), **parts):
    """Return where the plot of a composition is painted."""
    places = []
    composition = Composition(lambda _painter, rect: places.append(rect), **parts)
    image = QImage(*size, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    list(composition.paint(painter, QRectF(0, 0, *size)))
    painter.end()
    return places[0] if places else None


def entries(count):
    shape = QPainterPath()
    shape.addEllipse(QRectF(-4, -4, 8, 8))
    return tuple(
        PrintedLegendEntry(f"class {i}", QColor("#0072B2"), shape) for i in range(count)
    )


def test_a_bare_plot_has_all_the_room(qapp):
    assert room_for_the_plot() == QRectF(0, 0, 400, 300)


def test_furniture_takes_its_room_from_the_plot(qapp):
    title = room_for_the_plot(title="T")
    legend = room_for_the_plot(title="T", legend=PrintedLegend(entries(2)))
    caption = room_for_the_plot(
        title="T", legend=PrintedLegend(entries(2)), caption="c"
    )
    assert 0 < title.top() < legend.top() == caption.top()
    assert title.bottom() == legend.bottom() == 300 > caption.bottom() > 270


def test_long_legends_stop_after_some_lines(qapp):
    tops = [
        room_for_the_plot(legend=PrintedLegend(entries(count))).top()
        for count in (1, 12, 60, 600)
    ]
    assert tops[0] < tops[1] < tops[2] == tops[3] < 120


def test_long_names_are_full_as_long_as_there_are_lines_for_them(qapp):
    font = QFont()
    font.setPixelSize(12)
    few, many = (
        [f"a rather long name of class {i}" for i in range(n)] for n in (4, 90)
    )
    room = [_widest_name(names, font, 400.0) for names in (few, many)]
    wanted = QFontMetricsF(font).horizontalAdvance(few[0])
    assert room[0] > wanted > room[1]


def test_a_scale_is_one_line(qapp):
    colors = (QColor("black"), QColor("white"))
    scale = PrintedLegend(colors=colors, title="x" * 500, low="0", high="1")
    assert 10 < room_for_the_plot(legend=scale).top() < 40
    assert 10 < room_for_the_plot((60, 60), legend=scale).top() < 40


@pytest.mark.parametrize("size", [(16, 16), (40, 20), (10, 300)])
def test_no_room_is_no_error(qapp, size):
    room_for_the_plot(
        size, title="T", legend=PrintedLegend(entries(3)), caption="a · b"
    )


def test_the_spec_decides_what_is_there(qapp):
    spec = ImageSpec(title=False, legend=True, caption=False)
    parts = composed(
        spec, lambda *_: None, title="T", caption="c", legend=PrintedLegend(entries(1))
    )
    assert (parts.title, parts.caption) == ("", "")
    assert parts.legend


def test_captions_break_at_their_dots(qapp):
    font = QFont()
    font.setPixelSize(10)
    width = QFontMetricsF(font).horizontalAdvance("first part · second part") + 2
    assert wrapped("first part · second part · third", font, width) == [
        "first part · second part",
        "third",
    ]
    assert wrapped("", font, width) == []
    assert len(wrapped(" · ".join(["part"] * 50), font, 60)) == 3
    assert wrapped("x" * 100, font, 60)[0].count("…") == 1


def test_the_caption_says_everything_that_was_set():
    result = result_of("circles", gamma=2.0)
    assert caption(result).startswith("RBF γ = 2 · 400 × 2 · eigenvalues exact")
    assert "standardised" in caption(result_of("wine"))
    assert caption(worked_example()).startswith("given kernel · 3 × 3")
    assert caption(indefinite_distances()).startswith("given distances")
    settings = SessionSettings(
        DataSettings(scaling="minmax"), analysis=AnalysisSettings(2, center=False)
    )
    points = np.random.default_rng(0).normal(size=(9, 2))
    words = caption(analyse(Dataset(points), settings))
    assert "scaled to 0 … 1 · not centred" in words
    unit = replace(settings, data=DataSettings(scaling="unit"))
    assert "unit rows" in caption(analyse(Dataset(points), unit))


def test_names_fit_into_a_comment():
    assert one_line("a\nb\t\x00c") == "a b c"
    assert len(one_line("x" * 1000)) == 200
