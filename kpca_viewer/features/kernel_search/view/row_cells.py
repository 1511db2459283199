"""RowCells: how a row of a choice is painted."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from kpca_viewer.features.kernel_search.claims import is_recommended
from kpca_viewer.features.kernel_search.view.row_model import (
    ALIGNED,
    KERNEL,
    PICTURE,
    ChoiceModel,
    Index,
)
from kpca_viewer.features.kernel_search.view.row_pictures import RowPictures
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme, font_sizes

PAD = 8
"""Pixels on either side of a text."""


@dataclass(frozen=True)
class _Face:
    """A font with what is asked of it for every cell."""

    font: QFont
    metrics: QFontMetrics
    height: int

    @classmethod
    def of(cls, font: QFont) -> "_Face":
        metrics = QFontMetrics(font)
        return cls(font, metrics, metrics.height())

    def elided(self, text: str, width: int) -> str:
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


@dataclass(frozen=True)
class _Type:
    """The faces of the table."""

    usual: _Face
    bold: _Face
    small: _Face

    @classmethod
    def of(cls, font: QFont) -> "_Type":
        bold, small = QFont(font), QFont(font)
        bold.setBold(True)
        small.setPixelSize(font_sizes(type_scale()).small)
        return cls(*map(_Face.of, (font, bold, small)))


class RowCells(QStyledItemDelegate):
    """Paints pictures, and two lines of text on a soft ground."""

    def __init__(
        self, table: QTableView, listing: ChoiceModel, pictures: RowPictures
    ) -> None:
        super().__init__(table)
        self._table = table
        self._listing = listing
        self._pictures = pictures
        self._theme = LIGHT
        self._type = _Type.of(table.font())

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of the table."""
        self._theme = theme
        self._type = _Type.of(self._table.font())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Paint one cell."""
        place, column = index.row(), index.column()
        # Over what the style sheet of the window paints for a selected row.
        painter.fillRect(option.rect, QColor(self._theme.card))
        if place == self._table.currentIndex().row():
            color = QColor(self._theme.accent)
            color.setAlphaF(0.24 if self._table.hasFocus() else 0.16)
            painter.fillRect(option.rect, color)
        if column == PICTURE:
            row, ratio = self._listing.rows[place], self._table.devicePixelRatioF()
            self._pictures.paint(painter, QRectF(option.rect), row, ratio)
        else:
            self._paint_text(painter, option.rect, place, column)
        painter.setPen(QColor(self._theme.border))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())

    def _paint_text(
        self, painter: QPainter, rect: QRect, place: int, column: int
    ) -> None:
        cell = self._listing.cell(place, column)
        choice = self._listing.choice
        leads = choice is not None and is_recommended(place, choice)
        first = self._type.bold if column == KERNEL and leads else self._type.usual
        lines = [(cell.text, first, self._theme.text)]
        if cell.below:
            lines.append((cell.below, self._type.small, self._theme.muted))
        room = rect.adjusted(PAD, 0, -PAD, 0)
        height = sum(face.height for _, face, _ in lines)
        top = room.top() + (room.height() - height) // 2
        for text, face, color in lines:
            painter.setFont(face.font)
            painter.setPen(QColor(color))
            part = QRect(room.left(), top, room.width(), face.height)
            shown = face.elided(text, part.width())
            painter.drawText(part, int(ALIGNED[column]), shown)
            top += face.height
