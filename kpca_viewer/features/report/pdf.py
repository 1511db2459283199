"""A report as a PDF: its page of HTML on sheets of A4, and pictures as vectors."""

from collections.abc import Iterator, Sequence
from html import escape

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QRect,
    QRectF,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
    QPyTextObject,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer

from kpca_viewer.export.document import Figure, Picture, Pictures, Report
from kpca_viewer.export.image_spec import MM_PER_INCH, UNITS_PER_INCH
from kpca_viewer.features.report.html import as_html
from kpca_viewer.support.progress import ShouldStop, check, never

SHEET = (210.0, 297.0)
MARGIN = 20.0
"""Millimetres."""

_UNIT = UNITS_PER_INCH / MM_PER_INCH
WIDTH = (SHEET[0] - 2 * MARGIN) * _UNIT
HEIGHT = (SHEET[1] - 2 * MARGIN) * _UNIT
"""Of what is printed on a page, in units of 1/96 inch."""

GAP, HIGHEST = 14.0, 430.0
"""Between pictures, and of one: page and caption leave room for a heading above it."""

MUTED, LINE, SMALL = "#59636e", "#d5dae0", 11

STYLE = f"""
body {{ color: #1b1f24; font-size: 13px; }}
h1 {{ font-size: 24px; margin: 0 0 4px 0; }}
h2 {{ font-size: 17px; margin: 24px 0 6px 0; }}
p {{ margin: 8px 0 0 0; line-height: 130%; }}
.muted, .small, caption, figcaption, footer {{ color: {MUTED}; }}
.small, caption, figcaption, table.cells td, table.cells th {{ font-size: {SMALL}px; }}
blockquote {{ margin: 8px 0; background-color: #f3f5f7; }}
th, td {{ text-align: left; padding: 2px 10px 2px 0; border-bottom: 1px solid {LINE}; }}
.facts th {{ font-weight: normal; color: {MUTED}; white-space: nowrap; }}
.number {{ text-align: right; }}
td.number, td.name {{ white-space: nowrap; }}
table.figures td {{ border: none; padding: 8px {GAP}px 0 0; }}
pre {{ background-color: #f3f5f7; font-size: 10px; white-space: pre-wrap; }}
"""


def as_pdf(
    report: Report, pictures: Pictures, should_stop: ShouldStop = never
) -> bytes:
    """Return the content of the file; on any thread.

    Raises
    ------
    Cancelled
    """
    document = document_of(report, pictures)
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
        for page in range(count := document.pageCount()):
            check(should_stop)
            if page:
                writer.newPage()
            painter.save()
            painter.translate(MARGIN * _UNIT, MARGIN * _UNIT - page * HEIGHT)
            document.drawContents(painter, QRectF(0, page * HEIGHT, WIDTH, HEIGHT))
            painter.restore()
            _paint_foot(painter, report, f"{page + 1} / {count}")
    finally:
        painter.end()
    buffer.close()
    return bytes(data.data())


def document_of(report: Report, pictures: Pictures) -> QTextDocument:
    """Return the report on pages of `WIDTH` and `HEIGHT`."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(_font(13))
    document.setPageSize(QSizeF(WIDTH, HEIGHT))
    option = QTextOption()
    # Hashes and long names have no blanks at which they could be broken.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setUseDesignMetrics(True)
    document.setDefaultTextOption(option)
    drawings = _Drawings(pictures, document)
    image = int(QTextFormat.ObjectTypes.ImageObject.value)
    document.documentLayout().registerHandler(image, drawings)

    def figures(row: Sequence[Figure]) -> Iterator[str]:
        each = WIDTH // len(row) - GAP
        yield '<table class="figures" cellspacing="0" cellpadding="0"><tr>'
        for figure in row:
            picture = pictures[figure.key]
            scale = min(each / picture.width, HIGHEST / picture.height)
            yield (
                f'<td><img src="{figure.key}" width="{scale * picture.width:.0f}" '
                f'height="{scale * picture.height:.0f}"/>'
                f'<p class="small">{escape(figure.caption)}</p></td>'
            )
        yield "</tr></table>"

    document.setHtml(as_html(report, figures, STYLE))
    _keep_together(document)
    return document


def _keep_together(document: QTextDocument) -> None:
    """Let headings and captions begin a page that would else end with them."""
    how = QTextBlockFormat()
    how.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    done = 0
    while (block := left_behind(document, done)) is not None:
        QTextCursor(block).mergeBlockFormat(how)
        done = block.position() + 1
        # Qt moves what follows by parts, unless all of it is to be laid out anew.
        for height in (2 * HEIGHT, HEIGHT):
            document.setPageSize(QSizeF(WIDTH, height))


def left_behind(document: QTextDocument, start: int) -> QTextBlock | None:
    """Return the first block from a place on that stays, though the next does not."""
    layout = document.documentLayout()

    def page_of(block: QTextBlock) -> int:
        return int((layout.blockBoundingRect(block).bottom() - 1) // HEIGHT)

    first: QTextBlock | None = None
    block = document.findBlock(start)
    while block.isValid():
        if first is not None and page_of(first) != page_of(block):
            return first
        if not _stays(block):
            first = None
        elif first is None:
            first = block
        block = block.next()
    return None


def _stays(block: QTextBlock) -> bool:
    """Return whether it belongs to the next one: a heading, what is above a table."""
    if block.blockFormat().headingLevel():
        return True
    return QTextCursor(block).currentTable() is None and (
        block.next().isValid() and QTextCursor(block.next()).currentTable() is not None
    )


def _font(pixels: int) -> QFont:
    """Return a font with widths that do not depend on any screen."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(pixels)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _paint_foot(painter: QPainter, report: Report, number: str) -> None:
    painter.setFont(_font(SMALL))
    painter.setPen(QColor(MUTED))
    top = HEIGHT + 4 / 3 * MARGIN * _UNIT
    foot = QRectF(MARGIN * _UNIT, top, WIDTH, MARGIN * _UNIT / 3)
    for text, side in (
        (f"{report.title} · {report.foot}", Qt.AlignmentFlag.AlignLeft),
        (number, Qt.AlignmentFlag.AlignRight),
    ):
        painter.drawText(foot, int(side), text)


class _Drawings(QPyTextObject):
    """Draws the pictures of a document, by their names, as vectors where they are."""

    def __init__(self, pictures: Pictures, document: QTextDocument) -> None:
        super().__init__(document)
        self._pictures = {key: _drawing(each) for key, each in pictures.items()}

    def intrinsicSize(
        self, _document: QTextDocument, _place: int, how: QTextFormat
    ) -> QSizeF:
        image = how.toImageFormat()
        return QSizeF(image.width(), image.height())

    def drawObject(
        self,
        painter: QPainter,
        box: QRectF | QRect,
        _document: QTextDocument,
        _place: int,
        how: QTextFormat,
    ) -> None:
        box = QRectF(box)
        drawing = self._pictures[how.toImageFormat().name()]
        painter.save()
        painter.setClipRect(box)
        if isinstance(drawing, QSvgRenderer):
            drawing.render(painter, box)
        else:
            painter.drawImage(box, drawing)
        painter.restore()
        painter.setPen(QPen(QColor(LINE), 0.75))
        painter.drawRect(box)


def _drawing(picture: Picture) -> QSvgRenderer | QImage:
    content = QByteArray(picture.content)
    return QSvgRenderer(content) if picture.kind == "svg" else QImage.fromData(content)
