"""A rectangle of a plot in which items are drawn in the coordinates of the data."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject

from kpca_viewer.ui.plots.frame import Range, equal_ranges

# The last row and column of pixels are drawn whole.
_EDGE = 0.5


class DataItem(QGraphicsObject):
    """What is drawn in data coordinates, over all of the box it is in."""

    # On the class: Qt may still ask while Python takes an instance apart.
    box: "DataBox | None" = None

    def boundingRect(self) -> QRectF:  # noqa: D102
        return QRectF() if self.box is None else self.box.view_rect()


class DataBox(QGraphicsItem):
    """Maps data to pixels, y upwards, and cuts off what is outside."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._wished: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        self._shown = self._wished
        self._locked = False
        self._items: list[DataItem] = []
        self.setFlag(self.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.setFlag(self.GraphicsItemFlag.ItemHasNoContents)

    @property
    def rect(self) -> QRectF:
        """Where the box is in the scene."""
        return QRectF(self._rect)

    @property
    def area(self) -> QRectF:
        """The part of the scene that items are drawn on."""
        return self._rect.adjusted(0.0, 0.0, _EDGE, _EDGE)

    @property
    def view_range(self) -> tuple[Range, Range]:
        """What is shown: all that was wished, and more where units are equal."""
        return self._shown

    def view_rect(self) -> QRectF:
        """Return what is shown, in data coordinates."""
        (left, right), (low, high) = self._shown
        return QRectF(left, low, right - left, high - low)

    def add_item(self, item: DataItem) -> None:
        """Draw an item above those that are there."""
        item.box = self
        self._items.append(item)
        item.setParentItem(self)
        self._place()

    def set_rect(self, rect: QRectF) -> None:
        """Fill a rectangle of the scene."""
        self.prepareGeometryChange()
        self._rect = QRectF(rect)
        self._place()

    def set_range(self, x_range: Range, y_range: Range) -> None:
        """Show a part of the plane."""
        self._wished = x_range, y_range
        self._place()

    def set_equal_units(self, equal: bool) -> None:
        """Let a unit be equally long both ways, or stretch the plane to the box."""
        self._locked = equal
        self._place()

    def _place(self) -> None:
        for item in self._items:
            item.prepareGeometryChange()
        rect, self._shown = self._rect, self._wished
        if self._locked and not rect.isEmpty():
            self._shown = equal_ranges(*self._wished, rect.width(), rect.height())
        view, center = self.view_rect(), rect.center()
        if rect.isEmpty() or view.isEmpty():
            return
        to_pixels = QTransform.fromTranslate(center.x(), center.y())
        to_pixels.scale(rect.width() / view.width(), -rect.height() / view.height())
        to_pixels.translate(-view.center().x(), -view.center().y())
        for item in self._items:
            item.setTransform(to_pixels)

    def boundingRect(self) -> QRectF:  # noqa: D102
        return self.area

    def paint(self, painter: QPainter, *args: object) -> None:
        """Nothing: the items paint themselves."""
