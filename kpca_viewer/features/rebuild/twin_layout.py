"""Two matrices side by side, with one scale, and lines of text where there is room."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF

from kpca_viewer.widgets.plots.matrix import MatrixLayout
from kpca_viewer.widgets.plots.text import plot_font, text_width

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
