import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QGraphicsScene

from kpca_viewer.ui.plots.data_box import DataBox, DataItem

RECT = QRectF(20, 10, 100, 50)


class Flood(DataItem):
    """Paints far beyond what is shown."""

    def paint(self, painter, *_) -> None:
        painter.fillRect(self.boundingRect().adjusted(-9, -9, 9, 9), QColor("red"))


@pytest.fixture
def box(qapp):
    box = DataBox()
    box.set_rect(RECT)
    box.set_range((0.0, 10.0), (-1.0, 1.0))
    return box


def test_a_corner_of_the_range_is_a_corner_of_the_rectangle(box):
    item = Flood()
    box.add_item(item)
    assert item.mapToParent(QPointF(0, -1)) == RECT.bottomLeft()
    assert item.mapToParent(QPointF(10, 1)) == RECT.topRight()
    box.set_rect(RECT.translated(5, 5))
    assert item.mapToParent(QPointF(0, -1)) == RECT.bottomLeft() + QPointF(5, 5)


def test_equal_units_show_more_and_never_less(box):
    box.set_equal_units(True)
    x, y = box.view_range
    assert x == pytest.approx((0, 10))
    assert y == pytest.approx((-2.5, 2.5))
    box.set_rect(QRectF(0, 0, 10, 100))
    x, y = box.view_range
    assert x == pytest.approx((0, 10))
    assert y == pytest.approx((-50, 50))
    box.set_equal_units(False)
    assert box.view_range == ((0, 10), (-1, 1))


def test_a_range_without_width_leaves_things_where_they_are(box):
    item = Flood()
    box.add_item(item)
    box.set_range((3.0, 3.0), (-1.0, 1.0))
    assert item.mapToParent(QPointF(0, -1)) == RECT.bottomLeft()


def test_what_is_outside_is_cut_off(box):
    scene = QGraphicsScene()
    scene.addItem(box)
    box.add_item(Flood())
    image = QImage(140, 70, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    scene.render(painter, QRectF(image.rect()), QRectF(image.rect()))
    painter.end()
    red = {
        (x, y)
        for x in range(140)
        for y in range(70)
        if image.pixelColor(x, y) == QColor("red")
    }
    assert min(red) == (20, 10)
    # Half a pixel more than the rectangle, so that its last row is whole.
    assert {(119, 59)} <= red
    assert not any(x > 120 or y > 60 for x, y in red)
