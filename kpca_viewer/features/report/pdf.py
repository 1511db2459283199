"""A report as a PDF: pages of A4 with real fonts, and pictures as vectors."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, Qt
from PySide6.QtGui import QColor, QPageSize, QPainter, QPdfWriter

from kpca_viewer.export.document import Pictures, Report
from kpca_viewer.export.image_spec import MM_PER_INCH, UNITS_PER_INCH
from kpca_viewer.features.report.flow import Page, paged
from kpca_viewer.features.report.paper import MUTED, SMALL, Type, pieces_of
from kpca_viewer.support.progress import ShouldStop, check, never

SHEET = (210.0, 297.0)
MARGIN = 20.0
"""Millimetres."""

_UNIT = UNITS_PER_INCH / MM_PER_INCH
WIDTH = (SHEET[0] - 2 * MARGIN) * _UNIT
HEIGHT = (SHEET[1] - 2 * MARGIN) * _UNIT
"""Of what is printed on a page, in units of 1/96 inch."""


def as_pdf(
    report: Report, pictures: Pictures, should_stop: ShouldStop = never
) -> bytes:
    """Return the content of the file; on any thread.

    Raises
    ------
    Cancelled
    """
    pages = paged(pieces_of(report, pictures, WIDTH), HEIGHT)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(round(UNITS_PER_INCH))
    writer.setTitle(report.title)
    writer.setCreator(report.maker)
    painter = QPainter(writer)
    try:
        for number, page in enumerate(pages):
            check(should_stop)
            if number:
                writer.newPage()
            paint_page(painter, report, page, f"{number + 1} / {len(pages)}")
    finally:
        painter.end()
    buffer.close()
    return bytes(data.data())


def paint_page(painter: QPainter, report: Report, page: Page, number: str) -> None:
    """Paint one page, with its number, in units of 1/96 inch."""
    painter.save()
    painter.translate(MARGIN * _UNIT, MARGIN * _UNIT)
    for top, piece in page:
        painter.save()
        piece.paint(painter, top)
        painter.restore()
    how = Type(SMALL, MUTED)
    painter.setFont(how.font())
    painter.setPen(QColor(MUTED))
    foot = QRectF(0, HEIGHT + MARGIN * _UNIT / 3, WIDTH, MARGIN * _UNIT / 3)
    for text, side in (
        (f"{report.title} · {report.foot}", Qt.AlignmentFlag.AlignLeft),
        (number, Qt.AlignmentFlag.AlignRight),
    ):
        painter.drawText(foot, int(side), text)
    painter.restore()
