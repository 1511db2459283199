"""A report as a PDF: pages of A4 with real fonts, and pictures as vectors."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer

from kpca_viewer.export.document import (
    Block,
    Code,
    Facts,
    Figure,
    Figures,
    Paragraph,
    Picture,
    Pictures,
    Quotation,
    Report,
    Table,
)
from kpca_viewer.export.image_spec import MM_PER_INCH, UNITS_PER_INCH
from kpca_viewer.support.progress import ShouldStop, check, never

Paint = Callable[[QPainter, float], None]
"""``(painter, top)``: paints at that height; the left edge of the text is at 0."""


@dataclass(frozen=True, eq=False)
class Piece:
    """What is never cut: a line, a row of a table, a picture with its caption."""

    height: float
    paint: Paint
    above: float = 0.0
    """Room before it, but not at the top of a page."""
    stays: bool = False
    """Whether it stands on one page with the next piece."""
    repeated: "Piece | None" = None
    """What stands above it once more where it begins a page: titles of a table."""


Page = list[tuple[float, Piece]]
"""Pairs (top, piece)."""


def paged(pieces: Iterable[Piece], height: float) -> list[Page]:
    """Put pieces onto pages of some height.

    Pieces that stay together begin a page together, if one page can hold them all.
    """
    pages: list[Page] = [[]]
    y = 0.0
    for group in _groups(pieces):
        need = sum(piece.above + piece.height for piece in group)
        if y > 0 and y + need > height and _fits(group, height):
            pages.append([])
            y = 0.0
        for piece in group:
            top = y + (piece.above if y > 0 else 0.0)
            if y > 0 and top + piece.height > height:
                pages.append([])
                top = 0.0
            if top == 0 and piece.repeated is not None:
                pages[-1].append((0.0, piece.repeated))
                top = piece.repeated.height
            pages[-1].append((top, piece))
            y = top + piece.height
    return [page for page in pages if page] or [[]]


def kept_together(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces that stand on one page, if they can."""
    return [*(replace(piece, stays=True) for piece in pieces[:-1]), *pieces[-1:]]


def _fits(group: Sequence[Piece], height: float) -> bool:
    first, *rest = group
    return first.height + sum(p.above + p.height for p in rest) <= height


def _groups(pieces: Iterable[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = [[]]
    for piece in pieces:
        groups[-1].append(piece)
        if not piece.stays:
            groups.append([])
    return [group for group in groups if group]


INK, MUTED, LINE, SOFT = "#1b1f24", "#59636e", "#d5dae0", "#f3f5f7"
TITLE, HEADING, TEXT, SMALL, CODE = 24, 17, 13, 11, 10
"""Heights of type in units of 1/96 inch."""

GAP, PAD = 14.0, 10.0
"""Between pictures or columns, and inside of what has a background."""

NARROW = 90.0
"""Width up to which a column of words is not made narrower."""

SHORT = 16
"""Rows of a table up to which it stands on one page."""

HIGHEST = 430.0
"""Of a picture: page and caption leave room for a heading above it."""


@dataclass(frozen=True)
class Type:
    """How a text is set."""

    pixels: int = TEXT
    color: str = INK
    bold: bool = False
    fixed: bool = False
    right: bool = False

    def font(self) -> QFont:
        """Return the font, with widths that do not depend on any screen."""
        font = QFont(QGuiApplication.font())
        if self.fixed:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(self.pixels)
        font.setBold(self.bold)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font

    def width(self, text: str) -> float:
        """Return how wide a text is in one line."""
        return QFontMetricsF(self.font()).horizontalAdvance(text)


class SetText:
    """A text in lines of some width."""

    def __init__(self, text: str, how: Type, width: float) -> None:
        self._color = QColor(how.color)
        self._layout = QTextLayout(text, how.font())
        option = QTextOption()
        # Hashes and long names have no blanks at which they could be broken.
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setUseDesignMetrics(True)
        if how.right:
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._layout.setTextOption(option)
        self.lines: list[QTextLine] = []
        self.height = 0.0
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width, 1.0))
            line.setPosition(QPointF(0, self.height))
            self.height += 1.3 * line.height()
            self.lines.append(line)
        self._layout.endLayout()

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw all lines below a height."""
        painter.setPen(self._color)
        for line in self.lines:
            line.draw(painter, QPointF(left, top))

    def pieces(self, above: float, left: float = 0.0) -> list[Piece]:
        """Return the lines, of which none is left alone at the end of a page."""
        found, count = [], len(self.lines)
        for number, line in enumerate(self.lines):

            def paint(painter: QPainter, top: float, line: QTextLine = line) -> None:
                painter.setPen(self._color)
                line.draw(painter, QPointF(left, top - line.y()))

            stays = number == 0 < count - 1 or number == count - 2
            height = 1.3 * line.height()
            found.append(Piece(height, paint, 0.0 if number else above, stays))
        return found


def pieces_of(report: Report, pictures: Pictures, width: float) -> Iterator[Piece]:
    """Return the whole report as pieces of some width."""
    yield from _stay(SetText(report.title, Type(TITLE, bold=True), width).pieces(0))
    yield from SetText(report.subtitle, Type(TEXT, MUTED), width).pieces(4)
    for section in report.sections:
        heading = SetText(section.title, Type(HEADING, bold=True), width)
        yield from _stay(heading.pieces(26))
        for block in section.blocks:
            yield from _block(block, pictures, width)


def _stay(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Let a heading stand on one page with what follows."""
    for piece in pieces:
        yield Piece(piece.height, piece.paint, piece.above, stays=True)


def _block(block: Block, pictures: Pictures, width: float) -> Iterator[Piece]:
    match block:
        case Paragraph(text, is_small):
            how = Type(SMALL, MUTED) if is_small else Type()
            yield from SetText(text, how, width).pieces(8)
        case Quotation(text):
            inside = SetText(text, Type(), width - 2 * PAD)
            yield from kept_together(_on_ground(inside.pieces(10, PAD), width))
        case Code(text):
            yield from _on_ground(_code(text, width), width)
        case Facts(rows):
            yield from _facts(rows, width)
        case Table():
            yield from _table(block, width)
        case Figures(figures):
            yield _figures(figures, pictures, width)


def _on_ground(pieces: Sequence[Piece], width: float) -> list[Piece]:
    """Return pieces with a soft background, and some of it above and below them."""

    def on_ground(number: int, piece: Piece) -> Piece:
        before = PAD if number == 0 else 0.0
        behind = PAD if number == len(pieces) - 1 else 0.0
        height = before + piece.height + behind

        def paint(painter: QPainter, top: float) -> None:
            # A little higher than the line, so that no seam is seen between two.
            painter.fillRect(QRectF(0, top - 0.5, width, height + 1), QColor(SOFT))
            piece.paint(painter, top + before)

        return Piece(height, paint, piece.above, piece.stays)

    return [on_ground(*each) for each in enumerate(pieces)]


def _code(text: str, width: float) -> list[Piece]:
    how = Type(CODE, fixed=True)
    found: list[Piece] = []
    for line in text.rstrip("\n").split("\n"):
        # An empty line has no height of its own.
        set_line = SetText(line or " ", how, width - 2 * PAD)
        found += set_line.pieces(0.0 if found else 10, PAD)
    return found


# Tables


def _facts(rows: Sequence[tuple[str, str]], width: float) -> Iterator[Piece]:
    label = Type(TEXT, MUTED)
    left = max(label.width(what) for what, _ in rows) + GAP
    for number, (what, how) in enumerate(rows):
        cells = [
            (0.0, SetText(what, label, left)),
            (left, SetText(how, Type(), width - left)),
        ]
        row = _row(cells, width, above=10 if not number else 0)
        # A heading is followed by more than one line.
        stays = number < min(2, len(rows) - 1)
        yield Piece(row.height, row.paint, row.above, stays)


def _table(table: Table, width: float) -> list[Piece]:
    widths = _widths(table, width)
    whole = min(sum(widths) + GAP * (len(widths) - 1), width)
    caption = SetText(table.caption, Type(SMALL, MUTED), width).pieces(12)
    titles = _row(_cells(table.titles, table, widths, bold=True), whole)
    rows = [
        _row(_cells(row, table, widths), whole, repeated=titles) for row in table.rows
    ]
    head = [*_stay(caption), Piece(titles.height, titles.paint, 2, stays=True)]
    if len(rows) <= SHORT:
        return kept_together([*head, *rows])
    return [*head, *rows]


def _cells(
    texts: Sequence[str], table: Table, widths: Sequence[float], *, bold: bool = False
) -> list[tuple[float, SetText]]:
    found, left = [], 0.0
    for column, (text, wide) in enumerate(zip(texts, widths, strict=True)):
        how = Type(SMALL, bold=bold, right=column not in table.words)
        found.append((left, SetText(text, how, wide)))
        left += wide + GAP
    return found


def _row(
    cells: Sequence[tuple[float, SetText]],
    width: float,
    above: float = 0.0,
    repeated: Piece | None = None,
) -> Piece:
    height = max(text.height for _, text in cells) + 5

    def paint(painter: QPainter, top: float) -> None:
        for left, text in cells:
            text.draw(painter, left, top + 2.5)
        painter.setPen(QPen(QColor(LINE), 0.75))
        painter.drawLine(QPointF(0, top + height), QPointF(width, top + height))

    return Piece(height, paint, above, repeated=repeated)


def _widths(table: Table, width: float) -> list[float]:
    """Return the widths of the columns: numbers in one line, words in what is left."""
    bold, plain = Type(SMALL, bold=True), Type(SMALL)
    needed, wanted = [], []
    for column, title in enumerate(table.titles):
        texts = [row[column] for row in table.rows]
        longest = max((plain.width(text) for text in texts), default=0.0)
        word = max(bold.width(part) for part in title.split())
        wanted.append(max(longest, bold.width(title)) + 1)
        whole = longest if column not in table.words else min(longest, NARROW)
        needed.append(max(whole, word) + 1)
    room = width - GAP * (len(wanted) - 1)
    if sum(wanted) <= room:
        return wanted
    # What is missing is taken from the columns that can give it, in proportion.
    spare = [want - need for want, need in zip(wanted, needed, strict=True)]
    part = min((sum(wanted) - room) / max(sum(spare), 1e-9), 1.0)
    found = [want - part * some for want, some in zip(wanted, spare, strict=True)]
    return [each * min(room / sum(found), 1.0) for each in found]


# Pictures


def _figures(figures: Sequence[Figure], pictures: Pictures, width: float) -> Piece:
    each = (width - GAP * (len(figures) - 1)) / len(figures)
    placed = []
    for number, figure in enumerate(figures):
        picture = pictures[figure.key]
        scale = min(each / picture.width, HIGHEST / picture.height)
        place = QRectF(
            number * (each + GAP), 0, scale * picture.width, scale * picture.height
        )
        caption = SetText(figure.caption, Type(SMALL, MUTED), each)
        placed.append((place, _Drawing(picture), caption))
    below = max(place.height() for place, _, _ in placed) + 6

    def paint(painter: QPainter, top: float) -> None:
        for place, drawing, caption in placed:
            drawing.draw(painter, place.translated(0, top))
            caption.draw(painter, place.left(), top + below)

    return Piece(below + max(caption.height for _, _, caption in placed), paint, 12)


class _Drawing:
    """A picture that can be drawn anywhere."""

    def __init__(self, picture: Picture) -> None:
        content = QByteArray(picture.content)
        self._vectors: QSvgRenderer | None = None
        self._image = QImage()
        if picture.kind == "svg":
            self._vectors = QSvgRenderer(content)
        else:
            self._image = QImage.fromData(content)

    def draw(self, painter: QPainter, place: QRectF) -> None:
        if self._vectors is not None:
            painter.save()
            painter.setClipRect(place)
            self._vectors.render(painter, place)
            painter.restore()
        else:
            painter.drawImage(place, self._image)
        painter.setPen(QPen(QColor(LINE), 0.75))
        painter.drawRect(place)


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
    painter.setFont(Type(SMALL, MUTED).font())
    painter.setPen(QColor(MUTED))
    foot = QRectF(0, HEIGHT + MARGIN * _UNIT / 3, WIDTH, MARGIN * _UNIT / 3)
    for text, side in (
        (f"{report.title} · {report.foot}", Qt.AlignmentFlag.AlignLeft),
        (number, Qt.AlignmentFlag.AlignRight),
    ):
        painter.drawText(foot, int(side), text)
    painter.restore()
