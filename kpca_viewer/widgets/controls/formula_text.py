"""FormulaText: sentences with formulas and stressed words, in lines that wrap.

Formulas stand between dollar signs, stressed words between asterisks.
"""

import re
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QEvent, QPointF, QRectF, QSize, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.widgets.controls.formula_label import SIZE, typeset, typesetter
from kpca_viewer.widgets.icons import INK
from kpca_viewer.widgets.theme import theme_of

MAGNIFICATION = 1.12
"""Of a formula, relative to the words around it."""

_PARTS = re.compile(r"\$([^$]+)\$")
_STRESSED = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*$]*[^\s*$])\*(?![\w*])")
_WIDEST = 520.0
"""Pixels in width that are asked for, in the usual size of type."""


@dataclass(frozen=True)
class _Piece:
    """A word or a formula."""

    content: str
    is_formula: bool = False
    stressed: bool = False
    glued: bool = False
    """Whether no line begins here: there is no blank before it."""


@dataclass(frozen=True)
class _Placed:
    """A piece at the left end of its base line."""

    piece: _Piece
    at: QPointF


class FormulaText(QWidget):
    """Shows a formula as LaTeX until it is typeset, and where it cannot be."""

    clicked = Signal()

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._text = ""
        self._paragraphs: list[list[_Piece]] = []
        self._formulas: dict[str, QSvgRenderer | None] = {}
        self._color: str | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        typesetter.finished.connect(self._on_typeset)
        self.set_text(text)

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        if text == self._text and self._paragraphs:
            return
        self._text = text
        self.setAccessibleName(" ".join(text.split()))
        self._paragraphs = [
            _pieces(" ".join(part.split()))
            for part in re.split(r"\n\s*\n", text)
            if part.strip()
        ]
        known, self._formulas = self._formulas, {}
        for piece in (piece for part in self._paragraphs for piece in part):
            if piece.is_formula and piece.content not in self._formulas:
                self._formulas[piece.content] = known.get(piece.content)
                if self._formulas[piece.content] is None:
                    typesetter.ask(piece.content)
        self.updateGeometry()
        self.update()

    def set_color(self, name: str | None) -> None:
        """Write in a colour of the theme, by its name; None is that of all text."""
        self._color = name
        self._render()

    def _pen(self) -> QColor:
        name = self._color or ("text" if self.isEnabled() else "muted")
        return QColor(getattr(theme_of(self.palette()), name))

    def _render(self) -> None:
        for latex, renderer in self._formulas.items():
            # Set once, it comes from a cache.
            if renderer is not None and (svg := typeset(latex)):
                self._formulas[latex] = self._drawn(svg)
        self.update()

    def _drawn(self, svg: str) -> QSvgRenderer:
        return QSvgRenderer(QByteArray(svg.replace(INK, self._pen().name()).encode()))

    @Slot(object, object)
    def _on_typeset(self, latex: str, svg: str | None) -> None:
        if latex in self._formulas and svg is not None:
            self._formulas[latex] = self._drawn(svg)
            self.updateGeometry()
            self.update()

    def typeset_now(self) -> None:
        """Set all formulas before this returns, for paper."""
        for latex in self._formulas:
            if svg := typeset(latex):
                self._formulas[latex] = self._drawn(svg)

    def paint_words(self, painter: QPainter, width: float) -> None:
        """Paint lines of a width from the origin on, on the screen or on paper."""
        painter.setPen(self._pen())
        for each in self._laid_out(width)[0]:
            self._paint(painter, each)

    def _box(self, piece: _Piece) -> tuple[float, float, float]:
        """Return the width of a piece, its height above the base line, and below."""
        metrics = QFontMetricsF(self._font_of(piece))
        renderer = self._formulas.get(piece.content) if piece.is_formula else None
        if renderer is None:
            width = metrics.horizontalAdvance(piece.content)
            return width, metrics.ascent(), metrics.descent()
        scale, box = self._scale(), renderer.viewBoxF()
        return box.width() * scale, -box.top() * scale, box.bottom() * scale

    def _font_of(self, piece: _Piece) -> QFont:
        font = QFont(self.font())
        font.setItalic(piece.stressed)
        return font

    def _scale(self) -> float:
        return self.fontInfo().pixelSize() * MAGNIFICATION / SIZE

    def _laid_out(self, width: float) -> tuple[list[_Placed], float, float]:
        """Return the pieces in lines of a width, their height, and the widest line."""
        metrics = QFontMetricsF(self.font())
        blank, gap = metrics.horizontalAdvance(" "), metrics.height() * 0.35
        placed: list[_Placed] = []
        y = widest = 0.0
        for number, paragraph in enumerate(self._paragraphs):
            y += gap if number else 0.0
            hangs = False
            for line in self._lines(paragraph, width, blank):
                boxes = [self._box(piece) for piece in line]
                above = max(metrics.ascent(), *(box[1] for box in boxes))
                below = max(metrics.descent(), *(box[2] for box in boxes))
                if hangs and above > metrics.ascent():
                    # A raised exponent must not touch the index of a sum.
                    y += gap / 2
                hangs = below > metrics.descent()
                x, y = 0.0, y + above
                for piece, box in zip(line, boxes, strict=True):
                    x += blank if x and not piece.glued else 0.0
                    placed.append(_Placed(piece, QPointF(x, y)))
                    x += box[0]
                widest = max(widest, x)
                y += below + metrics.leading()
        return placed, y, widest

    def _lines(
        self, pieces: list[_Piece], width: float, blank: float
    ) -> list[list[_Piece]]:
        lines: list[list[_Piece]] = []
        used = 0.0
        for group in _groups(pieces):
            needed = sum(self._box(piece)[0] for piece in group)
            if lines and used + blank + needed <= width:
                lines[-1].extend(group)
                used += blank + needed
            else:
                lines.append(list(group))
                used = needed
        return lines

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._laid_out(float(width))[1] + 1)

    def sizeHint(self) -> QSize:
        _, height, width = self._laid_out(_WIDEST)
        return QSize(round(width + 1), round(height + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        kinds = QEvent.Type
        if event.type() in (kinds.PaletteChange, kinds.EnabledChange):
            self._render()
        elif event.type() == kinds.FontChange:
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint_words(painter, self.width())

    def _paint(self, painter: QPainter, placed: _Placed) -> None:
        piece, at = placed.piece, placed.at
        renderer = self._formulas.get(piece.content) if piece.is_formula else None
        if renderer is None:
            painter.setFont(self._font_of(piece))
            painter.drawText(at, piece.content)
        else:
            width, above, below = self._box(piece)
            area = QRectF(at.x(), at.y() - above, width, above + below)
            renderer.render(painter, area)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.clicked.emit()


def _pieces(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    blank = True
    for number, part in enumerate(_PARTS.split(text)):
        if number % 2:
            pieces.append(_Piece(part.strip(), is_formula=True, glued=not blank))
            blank = False
            continue
        for place, span in enumerate(_STRESSED.split(part)):
            for index, word in enumerate(span.split(" ")):
                blank = blank or index > 0
                if word:
                    stressed = place % 2 == 1
                    pieces.append(_Piece(word, stressed=stressed, glued=not blank))
                    blank = False
    return pieces


def _groups(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Return the pieces that stay in one line together."""
    groups: list[list[_Piece]] = []
    for piece in pieces:
        if piece.glued and groups:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups
