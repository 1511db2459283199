"""A place on paper: its pictures, the values of its columns, and what is said of it."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from kpca_viewer.features.preimage.text import ComparedColumn
from kpca_viewer.features.preimage.view.shown_place import ShownPlace
from kpca_viewer.support.numerals import data_value, fixed
from kpca_viewer.widgets.plots.pixels import fitted
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width
from kpca_viewer.widgets.theme import Theme

GAP = 12.0
"""Pixels between parts and between columns."""

LEAST_NAME = 48.0
"""Pixels that are left to names of columns, before a column of numbers goes."""

WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


def draw_words(painter: QPainter, rect: QRectF, words: str, color: str) -> QRectF:
    """Write sentences at the lower end of a rectangle; returns what is left above."""
    painter.setFont(plot_font())
    painter.setPen(QColor(color))
    box = painter.boundingRect(rect, WRAPPED, words)
    box.moveBottom(rect.bottom())
    painter.drawText(box, WRAPPED, words)
    return rect.adjusted(0, 0, 0, -box.height() - GAP / 2)


def draw_place(
    painter: QPainter, rect: QRectF, place: ShownPlace, theme: Theme
) -> None:
    """Draw what lies at a place into a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    left = draw_words(
        painter, rect, place.words, theme.warning if place.warns else theme.muted
    )
    pictures = ((place.image, "Here"), (place.row_image, place.row_name))
    for image, title in pictures:
        if image is not None:
            side = min(left.height() - painter.fontMetrics().height(), rect.width() / 4)
            room = QRectF(left.left(), left.top(), side, left.height())
            _draw_picture(painter, room, image, title, theme)
            left.setLeft(left.left() + side + GAP)
    _draw_values(painter, left, place, theme)


def _draw_picture(
    painter: QPainter, room: QRectF, image: QImage, title: str, theme: Theme
) -> None:
    line = painter.fontMetrics().height()
    where = fitted(image, QRectF(room.left(), room.top(), room.width(), room.width()))
    painter.drawImage(where, image)
    painter.setPen(QColor(theme.border))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(where)
    painter.setPen(QColor(theme.muted))
    text = elided(title, painter.font(), room.width())
    draw_text(painter, QPointF(where.center().x(), where.bottom() + line / 2 + 2), text)


def _draw_values(
    painter: QPainter, rect: QRectF, place: ShownPlace, theme: Theme
) -> None:
    """Draw as many columns and lines as there is room for; no number is cut."""
    font, line = painter.font(), painter.fontMetrics().height() + 4
    lines = max(int(rect.height() / line) - 1, 0)
    heads, numbers = _cells(place.columns[:lines], place.row_name)
    widths = [
        max(text_width(text, font) for text in (head, *texts)) + GAP
        for head, texts in zip(heads, numbers, strict=True)
    ]
    while widths and rect.width() - sum(widths) < LEAST_NAME:
        # The last column is worth least.
        widths.pop()
    names = rect.width() - sum(widths)
    edges = [rect.left() + names + sum(widths[: j + 1]) for j in range(len(widths))]
    painter.setPen(QColor(theme.muted))
    middle = rect.top() + line / 2
    draw_text(painter, QPointF(rect.left(), middle), "Column", 0.0, 0.5)
    for head, at in zip(heads, edges, strict=False):
        draw_text(painter, QPointF(at, middle), head, 1.0, 0.5)
    painter.setPen(QColor(theme.text))
    for index, column in enumerate(place.columns[:lines]):
        middle += line
        name = elided(column.name, font, names)
        draw_text(painter, QPointF(rect.left(), middle), name, 0.0, 0.5)
        for texts, at in zip(numbers, edges, strict=False):
            draw_text(painter, QPointF(at, middle), texts[index], 1.0, 0.5)


def _cells(
    columns: Sequence[ComparedColumn], row_name: str
) -> tuple[list[str], list[list[str]]]:
    """Return titles of the columns of numbers, and the numbers of each."""
    return ["Here", row_name, "Apart (sd)"], [
        [data_value(column.here) for column in columns],
        [data_value(column.there) for column in columns],
        [fixed(column.apart, 1) for column in columns],
    ]
