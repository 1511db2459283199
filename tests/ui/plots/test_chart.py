"""Charts of pyqtgraph's items, the same on the screen and on paper."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from kpca_viewer.widgets.plots.axes import numbered
from kpca_viewer.widgets.plots.chart import Chart
from kpca_viewer.widgets.plots.frame import Frame
from kpca_viewer.widgets.theme import DARK, LIGHT

SIZE = QSizeF(200, 120)
FRAME = Frame(40, 10, 150, 80, (0.0, 1.0), (0.0, 4.0))


def ticks():
    values = np.array([0.0, 2.0, 4.0])
    return {
        "left": numbered(values, FRAME.y_pixel),
        "bottom": numbered(values / 4, FRAME.x_pixel),
    }


def picture(chart, scale=1.0) -> QImage:
    image = QImage(SIZE.toSize() * scale, QImage.Format.Format_RGB32)
    image.fill(QColor(chart.theme.card))
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        chart.draw(painter)
    return image


def svg(chart, scale) -> str:
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    with QPainter(generator) as painter:
        painter.scale(scale, scale)
        chart.draw(painter)
    return bytes(buffer.data()).decode()


@pytest.fixture
def chart(qapp):
    chart = Chart()
    chart.place(FRAME, SIZE, ticks(), names=("a <b>c", "d"))
    return chart


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_items_follow_the_theme_and_stand_where_the_frame_says(chart, theme):
    line = chart.line("accent", 3.0)
    line.set_places(*FRAME.to_pixels(np.array([[0.0, 2.0], [1.0, 2.0]])).T)
    bars = chart.bars("warning")
    bars.set_rects([QRectF(100, 70, 20, 20)])
    chart.set_theme(theme)
    chart.place(FRAME, SIZE, ticks())
    image = picture(chart)
    assert image.pixelColor(115, 50) == QColor(theme.accent)
    assert image.pixelColor(110, 80) == QColor(theme.warning)
    # A line of the grid, which ends outside of the frame.
    assert image.pixelColor(37, 10) == QColor(theme.border)


def test_lines_are_cut_off_at_the_frame_and_open_where_nothing_is_known(chart):
    line = chart.line("accent", 3.0)
    line.set_places(np.array([10.0, 100, 120, 199]), np.array([30.0, 30, np.nan, 30]))
    image = picture(chart)
    ink = QColor(LIGHT.accent)
    assert image.pixelColor(70, 30) == ink
    assert image.pixelColor(20, 30) != ink
    assert image.pixelColor(150, 30) != ink


def test_pens_are_as_wide_on_paper_as_on_the_screen(chart):
    line = chart.line("accent", 1.8)
    line.set_places(np.array([50.0, 150.0]), np.array([20.0, 60.0]))
    drawn = svg(chart, 8.0)
    # No pen of a fixed width in pixels, which would be a hairline in print.
    assert "non-scaling-stroke" not in drawn
    assert 'stroke-width="1.8"' in drawn


def test_names_and_numbers_are_plain_text_and_none_falls_off_at_the_ends(chart):
    texts = re.findall(r">([^<>]+)</text>", svg(chart, 1.0))
    told = {text.strip() for text in texts}
    assert told >= {"0", "2", "4", "0.0", "0.5", "1.0", "a &lt;b&gt;c", "d"}


def test_bands_and_dots_are_filled(chart):
    band, dots = chart.band("accent", 1.0), chart.dots("text", "card", 1.0)
    lower = np.array([[40.0, 80], [190, 80]])
    band.set_edges(lower, lower - (0, 30))
    dots.set_places(np.array([[60.0, 30]]), 5.0)
    image = picture(chart, 2.0)
    assert image.pixelColor(200, 130) == QColor(LIGHT.accent)
    assert image.pixelColor(120, 60) == QColor(LIGHT.text)
    assert QRectF(50, 20, 20, 20).contains(dots.boundingRect())
    dots.set_places(np.empty((0, 2)), 5.0)
    assert not dots.boundingRect().contains(QPointF(60, 30))
