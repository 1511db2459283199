"""The kernel matrix beside what some of its parts make of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.rebuild.compute import Rebuilding
from kpca_viewer.features.rebuild.text import (
    Line,
    matrix_titles,
    pair_text,
    symbol_of,
)
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.matrix import MatrixLayout, draw_scale
from kpca_viewer.widgets.plots.matrix_view import Matrix, MatrixView
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width

_COLUMN_GAP = 10.0
_PAD, _STRIP, _BAR = 8.0, 9.0, 10.0
_NAME_GAP, _WIDEST_NAME = 6.0, 56.0


@dataclass(frozen=True)
class TwinLayout(MatrixLayout):
    """Where the first matrix stands; the second stands ``shift`` to the right.

    A cell is found in either of them.
    """

    shift: float = 0.0
    lines: QRectF = field(default_factory=QRectF)
    """Where text stands: beside the matrices or below them."""
    stacked: bool = False
    """Whether its lines are broken, so that they need less width."""

    @classmethod
    def side_by_side(
        cls,
        size: QSizeF,
        rows: int,
        scale_texts: Sequence[str],
        text: QSizeF,
        broken: QSizeF,
        *,
        strips: bool,
        names: Sequence[str] = (),
    ) -> "TwinLayout":
        """Lay two matrices out in an area of some size.

        Parameters
        ----------
        scale_texts : sequence of str
            Beside the colour scale.
        text, broken : QSizeF
            What the lines need, as they are and broken.
        """
        font = plot_font()
        line = QFontMetricsF(font).height()
        strip = _STRIP if strips else 0.0
        widest = max((text_width(name, font) for name in names), default=-_NAME_GAP)
        before = min(widest, _WIDEST_NAME) + _NAME_GAP
        above = line if names else 0.0
        head = _PAD + line + 2 + strip + above
        scale = _PAD + _BAR + 5 + max(text_width(t, font) for t in scale_texts)
        gap = 2 * _PAD
        around = 2 * (strip + before) + gap + scale + 2 * _PAD
        wide, high = size.width() - around, size.height() - head - _PAD
        aside = min((wide - text.width() - gap) / 2, high)
        narrow = min((wide - broken.width() - gap) / 2, high)
        below = min(wide / 2, high - text.height() - _PAD)
        stacked = narrow > max(aside, below) and broken.height() <= high
        is_aside = stacked or aside >= below
        side = max(narrow if stacked else aside if is_aside else below, 16.0)
        text = broken if stacked else text
        if side >= 6 * rows:
            side = rows * (side // rows)
        taken = around + 2 * side + (gap + text.width() if is_aside else 0.0)
        left = _PAD + max((size.width() - taken) / 2, 0.0)
        used = head + side + (0.0 if is_aside else _PAD + text.height()) + _PAD
        top = head + max((size.height() - used) / 2, 0.0)
        square = QRectF(round(left + strip + before), round(top), side, side)
        shift = round(side + gap + strip + before)
        bar = QRectF(square.right() + shift + _PAD, square.top(), _BAR, side)
        if is_aside:
            lines = QRectF(
                QPointF(
                    square.right() + shift + scale + gap,
                    square.top() + (side - text.height()) / 2,
                ),
                text,
            )
        else:
            start = max((size.width() - text.width()) / 2, _PAD)
            lines = QRectF(QPointF(start, square.bottom() + _PAD), text)
        nowhere = QRectF()
        return cls(
            square, rows, bar, strips, before, above, nowhere, shift, lines, stacked
        )

    def twin(self) -> MatrixLayout:
        """Return the layout of the second matrix."""
        return MatrixLayout(
            self.square.translated(self.shift, 0),
            self.rows,
            self.bar,
            self.strips,
            self.beside,
            self.above,
            self.caption,
        )

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return row and column of the cell at a pixel, of either matrix."""
        return super().cell_at(at) or self.twin().cell_at(at)

    def nearest_cell(self, at: QPointF) -> tuple[int, int]:
        """Return row and column of the cell next to a pixel, of the nearer matrix."""
        if at.x() > self.square.right() + self.shift / 2 - self.square.width() / 2:
            return self.twin().nearest_cell(at)
        return super().nearest_cell(at)


class RebuiltView(MatrixView):
    """K̃ on the left, K̃ₚ on the right, in the same colours.

    Mouse and keys point at a pair of rows and select them, in both at once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rebuilt_view")
        self.setAccessibleName("Kernel matrix and what it is rebuilt from")
        self._found: Rebuilding | None = None
        self._p = 0
        self._rebuilt: Floats = np.empty((0, 0))
        self._rebuilt_image = QImage()
        self._lines: Sequence[Line] = ()
        self._on_twin = False

    @property
    def rebuilt(self) -> Floats:
        """The numbers of the matrix on the right, (m, m)."""
        return self._rebuilt

    @property
    def lines(self) -> Sequence[Line]:
        """The norms that are written beside the matrices."""
        return self._lines

    def show_parts(self, dataset: Dataset, found: Rebuilding, p: int) -> None:
        """Show the matrix of a data set, and what p of its parts make of it."""
        if found is self._found and p == self._p and self._shown is not None:
            return
        self._rebuilt = found.parts.rebuilt(p, found.shown)
        self._found, self._p = found, p
        # Zero has the colour of the card, so that it is seen where parts are too much.
        self.show_matrix(Matrix(found.shown_matrix, found.shown_rows, dataset, True))

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Write norms beside the matrices."""
        if lines != self._lines:
            self._lines = tuple(lines)
            spoken = "; ".join(f"{line.what} {line.value}" for line in lines)
            self.setAccessibleDescription(spoken)
            self.update()

    def titles(self) -> tuple[str, str]:
        """Return what stands above the two matrices."""
        return ("", "") if self._found is None else matrix_titles(self._found, self._p)

    def plan(self, size: QSizeF | None = None) -> TwinLayout | None:
        """Return where everything stands; None while there is nothing."""
        if self._shown is None or self._colors is None:
            return None
        return TwinLayout.side_by_side(
            QSizeF(self.size()) if size is None else size,
            len(self._shown.rows),
            [ungrouped(value, 3) for value in self._colors.ticks()],
            self._text_size(),
            self._broken()[1],
            strips=self._shown.dataset.labels is not None,
            names=self.names(),
        )

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint both matrices into an area from the origin."""
        layout, colors = self.plan(size), self._colors
        if layout is None or colors is None:
            self._draw_words(painter, size)
            return
        twin, (first, second) = layout.twin(), self.titles()
        self._draw_matrix(painter, layout, self._image, self.matrix(), live=live)
        self._draw_title(painter, layout, first)
        image = self._rebuilt_image
        self._draw_matrix(painter, twin, image, self._rebuilt, live=live)
        self._draw_title(painter, twin, second)
        draw_scale(painter, layout, self.theme, colors)
        self._draw_lines(painter, layout)

    def _draw_title(self, painter: QPainter, place: MatrixLayout, title: str) -> None:
        font, square = plot_font(bold=True), place.square
        painter.setFont(font)
        painter.setPen(QColor(self.theme.text))
        strip = 9.0 if place.strips else 0.0
        at = QPointF(square.center().x(), square.top() - place.above - strip - 2)
        room = square.width() + 12
        # Its symbol alone says what matters.
        short = title if text_width(title, font) <= room else title.split(",")[0]
        draw_text(painter, at, elided(short, font, room), 0.5, 1.0)

    def _text_size(self) -> QSizeF:
        """Return the room for all lines, names in front of values."""
        height = QFontMetricsF(plot_font()).height()
        first, second = self._columns()
        return QSizeF(first + _COLUMN_GAP + second, len(self._lines) * height)

    def _columns(self) -> tuple[float, float]:
        font = plot_font()
        return (
            max((text_width(line.what, font) for line in self._lines), default=0.0),
            max((text_width(line.value, font) for line in self._lines), default=0.0),
        )

    def _broken(self) -> tuple[list[tuple[str, str]], QSizeF]:
        """Return the lines with long values below their names, and their room."""
        font = plot_font()
        rows: list[tuple[str, str]] = []
        for line in self._lines:
            if line.is_long:
                rows += [(line.what, ""), ("", line.value)]
            else:
                rows.append((f"{line.what} ", line.value))
        height = QFontMetricsF(font).height()
        widest = max((text_width(a + b, font) for a, b in rows), default=0.0)
        return rows, QSizeF(widest, len(rows) * height)

    def _draw_lines(self, painter: QPainter, layout: TwinLayout) -> None:
        painter.setFont(plot_font())
        height = QFontMetricsF(painter.font()).height()
        rows = [(line.what, line.value) for line in self._lines]
        if layout.stacked:
            rows = self._broken()[0]
        for index, (what, value) in enumerate(rows):
            at = layout.lines.topLeft() + QPointF(0, index * height)
            painter.setPen(QColor(self.theme.muted))
            draw_text(painter, at, what, 0.0, 0.0)
            second = self._columns()[0] + _COLUMN_GAP
            if layout.stacked:
                second = text_width(what, painter.font())
            painter.setPen(QColor(self.theme.text))
            draw_text(painter, at + QPointF(second, 0), value, 0.0, 0.0)

    def _make_image(self) -> None:
        super()._make_image()
        if self._colors is not None and self._shown is not None:
            self._rebuilt_image = self._colors.image(self._rebuilt)

    def minimumSizeHint(self) -> QSize:
        # The slider below it needs some of the height that a plot may have.
        return QSize(120, 56)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout = self.plan()
        twin = None if layout is None else layout.twin()
        self._on_twin = twin is not None and twin.cell_at(event.position()) is not None
        super().mouseMoveEvent(event)

    def _label_layout(self) -> MatrixLayout | None:
        layout = self.plan()
        return layout.twin() if layout is not None and self._on_twin else layout

    def pair_text(self, pair: tuple[int, int], value: float) -> str:
        assert self._shown is not None
        assert self._found is not None
        assert self._pair is not None
        return pair_text(
            symbol_of(self._found),
            [self._shown.dataset.row_text(row) for row in pair],
            value,
            float(self._rebuilt[self._pair]),
        )
