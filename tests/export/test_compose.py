from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath
from PySide6.QtSvg import QSvgGenerator

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
    assert 0 < title.top() < 40
    assert legend.width() < 400 or legend.bottom() < 300
    assert title.bottom() == 300 > caption.bottom() > 200


def laid_out(layout, names, side="auto", plot_size=QSizeF):
    """Return the rectangles and words of a legend on a page, and that of its plot."""
    shape, boxes, plots = QPainterPath(), [], []
    shape.addRect(QRectF(-4, -4, 8, 8))
    classes = tuple(PrintedLegendEntry(n, QColor("#0072B2"), shape) for n in names)
    composition = Composition(
        lambda _painter, rect: plots.append(rect),
        legend=PrintedLegend(classes),
        side=side,
        fitted=plot_size,
    )
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setViewBox(layout)
    painter = QPainter(generator)
    list(composition.paint(painter, layout))
    painter.end()
    sizes = set()
    for text in ElementTree.fromstring(bytes(data.data())).iter():
        if text.tag.endswith("text"):
            sizes.add(text.get("font-size"))
            font = QFont(text.get("font-family"))
            font.setPixelSize(int(float(text.get("font-size"))))
            metrics, words = QFontMetricsF(font), (text.text or "").strip()
            x, base = float(text.get("x")), float(text.get("y"))
            width = metrics.horizontalAdvance(words)
            # From the mark before it to its end.
            left, top = x - 2 * 8 + 2, base - metrics.ascent() + 1
            place = QRectF(left, top, width + 14, metrics.height() - 2)
            boxes.append((place, words))
    assert len(sizes) == 1
    return boxes, plots[0]


def test_long_names_of_a_legend_stay_different(qapp):
    place = "Observatory of the University of the {} Provinces, building {}"
    both = [("Northern", "A"), ("Southern", "A"), ("Northern", "B")]
    names = [place.format(*each) for each in both]
    page = QRectF(0, 0, *ImageSpec("svg", 85, 60, "mm", scale=8 / 9).layout)
    boxes, _ = laid_out(page, names)
    assert all("…" in words for _, words in boxes)
    assert len({words for _, words in boxes}) == 3


@pytest.mark.parametrize("count", [2, 12, 20])
@pytest.mark.parametrize("size", [(85, 60), (180, 110)])
@pytest.mark.parametrize("side", ["auto", "right", "below"])
def test_every_class_is_in_the_legend_and_apart_from_others(qapp, count, size, side):
    page = QRectF(0, 0, *ImageSpec("svg", *size, "mm", scale=8 / 9).layout)
    names = [f"tissue number {number} of the liver" for number in range(count)]
    boxes, plot = laid_out(page, names, side)
    assert len(boxes) == count
    for place, (box, _) in enumerate(boxes):
        assert page.contains(box)
        assert not plot.adjusted(1, 1, -1, -1).intersects(box)
        assert not any(box.intersects(other) for other, _ in boxes[:place])
    assert page.contains(plot)
    assert plot.height() * plot.width() > 0.2 * page.height() * page.width()
    if count < 20 and size == (180, 110):
        assert [words for _, words in boxes] == names


def test_a_legend_stands_where_it_leaves_an_equal_plot_more_room(qapp):
    names = ["first", "second"]
    for shape, beside in ((QSizeF(1, 1), True), (QSizeF(4, 1), False)):
        boxes, plot = laid_out(
            QRectF(0, 0, 400, 300),
            names,
            plot_size=lambda room, shape=shape: shape.scaled(
                room, Qt.AspectRatioMode.KeepAspectRatio
            ),
        )
        assert (boxes[0][0].left() >= plot.right() - 9) == beside
        assert (boxes[0][0].top() >= plot.bottom()) != beside


@pytest.mark.journey
def test_hundreds_of_classes_say_how_many_are_left_out(qapp):
    boxes, _ = laid_out(QRectF(0, 0, 300, 220), [f"class {k}" for k in range(600)])
    assert boxes[-1][1] == f"… and {600 - len(boxes) + 1} more"


def test_a_scale_is_one_line(qapp):
    colors = (QColor("black"), QColor("white"))
    scale = PrintedLegend(colors=colors, title="x" * 500, low="0", high="1")
    for size in ((400, 300), (60, 60)):
        assert 10 < size[1] - room_for_the_plot(size, legend=scale).bottom() < 40


@pytest.mark.parametrize("size", [(16, 16), (40, 20), (10, 300)])
def test_no_room_is_no_error(qapp, size):
    room_for_the_plot(
        size, title="T", legend=PrintedLegend(entries(3)), caption="a · b"
    )


def test_the_spec_decides_what_is_there(qapp):
    spec = ImageSpec(title=False, legend="below", caption=False)
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
