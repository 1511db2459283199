"""Markers: none of them hides another."""

from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.widgets.plots.markers import REACH, Marker, draw_markers, label_boxes
from kpca_viewer.widgets.theme import LIGHT

AREA = QRectF(0, 0, 300, 200)


def ring(at):
    return QRectF(at.x() - REACH, at.y() - REACH, 2 * REACH, 2 * REACH)


@pytest.mark.parametrize("apart", [(30, 0), (0, 12), (8, 8), (-25, 4)])
@pytest.mark.parametrize("at", [(60, 60), (255, 100), (150, 180), (40, 18)])
def test_labels_cover_neither_each_other_nor_rings(qapp, at, apart):
    first = QPointF(*at)
    second = first + QPointF(*apart)
    placed = [(first, Marker((), "here")), (second, Marker((), "nearest", True))]
    boxes = label_boxes(placed, AREA)
    assert all(AREA.contains(box) for box in boxes)
    for one, other in combinations(boxes, 2):
        assert not one.intersects(other)
    assert not boxes[0].intersects(ring(second))
    assert not boxes[1].intersects(ring(first))


def test_a_ring_is_whole_beside_another(qapp):
    def drawn(*placed):
        image = QImage(300, 200, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.card))
        painter = QPainter(image)
        draw_markers(painter, placed, LIGHT, AREA)
        painter.end()
        return image

    first = QPointF(100, 100), Marker(())
    second = QPointF(106, 103), Marker((), "", True)
    alone, both = drawn(first), drawn(first, second)
    dark = [
        (x, y)
        for x in range(300)
        for y in range(200)
        if alone.pixelColor(x, y).lightness() < 128
    ]
    assert dark
    # A halo is as light as the card; the other ring is darker than that.
    assert max(both.pixelColor(*at).lightness() for at in dark) < 190
