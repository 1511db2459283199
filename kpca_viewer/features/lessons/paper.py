"""A lesson on sheets of A4: text and picture of every step, and its question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
)
from PySide6.QtSvg import QSvgRenderer

from kpca_viewer.export.document import Picture
from kpca_viewer.export.image_spec import MM_PER_INCH, UNITS_PER_INCH
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.checks import clicked
from kpca_viewer.features.lessons.expressions import number, parse, parse_list
from kpca_viewer.features.lessons.model import Kind, Lesson, Question, Step
from kpca_viewer.features.lessons.values import LessonValues, fill
from kpca_viewer.support.numerals import as_it_is, counted, fixed
from kpca_viewer.widgets.controls import FormulaText

UNIT = UNITS_PER_INCH / MM_PER_INCH
MARGIN = 20 * UNIT
WIDTH, HEIGHT = 170 * UNIT, 257 * UNIT
"""Of what is printed on a page, in units of 1/96 inch."""

PICTURE = (310.0, 230.0)
WIDE = (WIDTH, 330.0)
TALL = (WIDTH, 380.0)
"""Of a picture beside the text, and of those above it."""

GAP, INDENT, BOX, LINE = 14.0, 22.0, 10.0, 26.0
"""Between things, before an answer; of a box to tick, and of a line to write on."""

CELL = 58.0
BODY, SMALL, HEADING, TITLE = 13, 11, 17, 24
MUTED, RULE, INK = "#59636e", "#9aa4af", "#1b1f24"

Draw = Callable[[QPainter], None]


@dataclass(frozen=True)
class Block:
    """Something that stays on one page, painted from its upper left corner on."""

    height: float
    draw: Draw
    above: float = 0.0
    """Room before it, unless it begins a page."""


@dataclass(frozen=True, eq=False)
class PrintedStep:
    """A step with what the program adds to it."""

    step: Step
    values: LessonValues
    """Of the state that it begins in."""
    picture: Picture | None = None


def hand_out(lesson: Lesson, steps: Sequence[PrintedStep], *, solutions: bool) -> bytes:
    """Return a PDF; in the thread of the window, since it measures widgets."""
    words = text.PAPER.get(lesson.language, text.PAPER["en"])
    blocks = [_title(lesson, words, solutions=solutions)]
    for place, each in enumerate(steps, start=1):
        blocks.append(_step(place, each, words, solutions=solutions))
    pages = list(_pages(blocks))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(round(UNITS_PER_INCH))
    writer.setTitle(lesson.title)
    writer.setCreator("kpca_viewer")
    with QPainter(writer) as painter:
        for count, page in enumerate(pages, start=1):
            if count > 1:
                writer.newPage()
            for top, block in page:
                painter.save()
                painter.translate(MARGIN, MARGIN + top)
                block.draw(painter)
                painter.restore()
            foot = f"{lesson.title} · {count} / {len(pages)}"
            painter.setFont(_font(SMALL))
            painter.setPen(QColor(MUTED))
            area = QRectF(MARGIN, 2 * MARGIN + HEIGHT - 40, WIDTH, 16)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignRight), foot)
    buffer.close()
    return bytes(data.data())


def _pages(blocks: Sequence[Block]) -> Iterator[list[tuple[float, Block]]]:
    """Yield pages of blocks with their tops; what does not fit begins the next."""
    page: list[tuple[float, Block]] = []
    used = 0.0
    for block in blocks:
        if page and used + block.above + block.height > HEIGHT:
            yield page
            page, used = [], 0.0
        top = used + block.above if page else 0.0
        page.append((top, block))
        used = top + block.height
    yield page


def _title(lesson: Lesson, words: Mapping[str, str], *, solutions: bool) -> Block:
    under = [lesson.author, f"{lesson.minutes} min"]
    under += [words["solutions"]] if solutions else []
    rows = [
        _words(lesson.title, WIDTH, TITLE, bold=True),
        _words(" · ".join(under), WIDTH, SMALL, muted=True),
    ]
    if lesson.summary:
        rows.append(replace(_words(lesson.summary, WIDTH), above=6.0))
    if not solutions:
        rows.append(replace(_named_line(words["name"], WIDTH), above=10.0))
    return _stack(rows)


def _step(
    place: int, each: PrintedStep, words: Mapping[str, str], *, solutions: bool
) -> Block:
    step, picture, values = each.step, each.picture, each.values

    is_wide = picture is not None and picture.width > PICTURE[0]
    left = 0.0 if picture is None or is_wide else PICTURE[0] + GAP
    rows = [_words(fill(step.text, values), WIDTH - left)]
    if step.question is not None:
        rows += _question(_Sheet(step.question, values, words, WIDTH - left, solutions))
    beside = _stack(rows)
    heading = _words(f"{place}  {fill(step.title, values)}", WIDTH, HEADING, bold=True)
    if picture is None:
        body = [beside]
    elif is_wide:
        body = [_picture(picture), replace(beside, above=8.0)]
    else:
        shown = _picture(picture)

        def draw(painter: QPainter) -> None:
            shown.draw(painter)
            painter.translate(left, 0)
            beside.draw(painter)

        body = [Block(max(shown.height, beside.height), draw)]
    body[0] = replace(body[0], above=6.0)
    return replace(_stack([heading, *body]), above=26.0)


# Questions


@dataclass(frozen=True, eq=False)
class _Sheet:
    """What a question is printed with."""

    question: Question
    values: LessonValues
    words: Mapping[str, str]
    width: float
    solutions: bool

    def filled(self, content: str) -> str:
        return fill(content, self.values)

    def named(self, answer: str) -> str:
        """Return what can be clicked in words."""
        what, which = clicked(answer)
        return f"{self.words[what]} {', '.join(map(str, sorted(which)))}"

    def line(self, answer: str) -> Block:
        """Return a line to write on, with the answer where it is to be seen."""
        return _line(answer if self.solutions else "", min(self.width, 220.0))


def _question(sheet: _Sheet) -> Iterator[Block]:
    question, width = sheet.question, sheet.width
    yield replace(_words(sheet.filled(question.text), width, bold=True), above=10.0)
    for block in _ANSWERS[question.kind](sheet):
        yield replace(block, above=6.0)
    if not sheet.solutions:
        return
    for reply in question.replies:
        what = reply.answer
        if question.kind == "choice":
            what = sheet.filled(question.options[int(what) - 1])
        elif question.kind == "click":
            what = sheet.named(what)
        said = f"{what}: {sheet.filled(reply.text)}"
        yield replace(_words(said, width, SMALL, muted=True), above=5.0)


def _choice(sheet: _Sheet) -> Iterator[Block]:
    for place, option in enumerate(sheet.question.options, start=1):
        right = sheet.solutions and sheet.question.answer == str(place)
        words = _words(sheet.filled(option), sheet.width - INDENT)
        yield _ticked(words, is_right=right)


def _ticked(option: Block, *, is_right: bool) -> Block:
    def draw(painter: QPainter) -> None:
        painter.setPen(QPen(QColor(INK), 1.0))
        painter.drawRect(QRectF(1, 4, BOX, BOX))
        if is_right:
            painter.setPen(QPen(QColor(INK), 2.0))
            painter.drawPolyline([QPointF(3, 9), QPointF(6, 13), QPointF(14, 1)])
        painter.translate(INDENT, 0)
        option.draw(painter)

    return Block(option.height, draw)


def _number(sheet: _Sheet) -> Iterator[Block]:
    question = sheet.question
    value = number(parse(question.answer), sheet.values.lookup)
    # A comma is a decimal one in other languages.
    whole = counted(value).replace(",", "\N{NARROW NO-BREAK SPACE}")
    said = whole if value.is_integer() else as_it_is(value)
    if question.tolerance:
        said += f"  (± {as_it_is(question.tolerance)})"
    yield sheet.line(said)


def _matrix(sheet: _Sheet) -> Iterator[Block]:
    matrix = sheet.values.matrix(sheet.question.answer).tolist()
    side = min(CELL, sheet.width / len(matrix))

    def draw(painter: QPainter) -> None:
        painter.setFont(_font(BODY))
        for i, line in enumerate(matrix):
            for j, cell in enumerate(line):
                area = QRectF(j * side, i * LINE, side, LINE)
                painter.setPen(QPen(QColor(RULE), 0.75))
                painter.drawRect(area)
                if sheet.solutions:
                    painter.setPen(QColor(INK))
                    centre = int(Qt.AlignmentFlag.AlignCenter)
                    painter.drawText(area, centre, as_it_is(cell))

    yield Block(len(matrix) * LINE, draw)


def _click(sheet: _Sheet) -> Iterator[Block]:
    yield sheet.line(sheet.named(sheet.question.answer))


def _place(sheet: _Sheet) -> Iterator[Block]:
    parts = parse_list(sheet.question.answer)
    places = (abs(number(part, sheet.values.lookup)) for part in parts)
    yield sheet.line(", ".join(f"±{fixed(place, 2)}" for place in places))


def _state(sheet: _Sheet) -> Iterator[Block]:
    if not sheet.solutions:
        yield _named_line(sheet.words["found"], sheet.width)
        return
    for check in sheet.question.check:
        for plain, sign in ((">=", "≥"), ("<=", "≤"), ("!=", "≠"), ("==", "=")):
            check = check.replace(plain, sign)
        yield _words(check, sheet.width)


_ANSWERS: Mapping[Kind, Callable[[_Sheet], Iterator[Block]]] = {
    "choice": _choice,
    "number": _number,
    "matrix": _matrix,
    "click": _click,
    "place": _place,
    "state": _state,
}


# Pieces


def _stack(rows: Sequence[Block]) -> Block:
    """Return blocks below each other as one."""
    tops, used = [], 0.0
    for place, row in enumerate(rows):
        used += row.above if place else 0.0
        tops.append(used)
        used += row.height

    def draw(painter: QPainter) -> None:
        for top, row in zip(tops, rows, strict=True):
            painter.save()
            painter.translate(0, top)
            row.draw(painter)
            painter.restore()

    return Block(used, draw)


def _words(
    content: str,
    width: float,
    size: int = BODY,
    *,
    bold: bool = False,
    muted: bool = False,
) -> Block:
    written = FormulaText(content)
    written.setFont(_font(size, bold=bold))
    written.set_color("muted" if muted else "text")
    written.typeset_now()

    def draw(painter: QPainter) -> None:
        written.paint_words(painter, width)

    return Block(float(written.heightForWidth(int(width))), draw)


def _line(said: str, width: float) -> Block:
    """Return a line to write on, with an answer or without."""

    def draw(painter: QPainter) -> None:
        painter.setPen(QPen(QColor(RULE), 0.75))
        painter.drawLine(QPointF(0, LINE - 4), QPointF(width, LINE - 4))
        painter.setFont(_font(BODY))
        painter.setPen(QColor(INK))
        painter.drawText(QPointF(2, LINE - 9), said)

    return Block(LINE, draw)


def _named_line(name: str, width: float) -> Block:
    line = _line("", width)

    def draw(painter: QPainter) -> None:
        line.draw(painter)
        painter.setFont(_font(SMALL))
        painter.setPen(QColor(MUTED))
        painter.drawText(QPointF(2, LINE - 9), name)

    return Block(LINE, draw)


def _picture(picture: Picture) -> Block:
    content = QByteArray(picture.content)
    area = QRectF(0, 0, picture.width, picture.height)

    def draw(painter: QPainter) -> None:
        painter.save()
        painter.setClipRect(area)
        if picture.kind == "svg":
            QSvgRenderer(content).render(painter, area)
        else:
            painter.drawImage(area, QImage.fromData(content))
        painter.restore()
        painter.setPen(QPen(QColor(RULE), 0.75))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)

    return Block(picture.height, draw)


def _font(pixels: int, *, bold: bool = False) -> QFont:
    """Return a font with widths that do not depend on any screen."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(pixels)
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
