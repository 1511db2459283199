"""The kernel matrix beside what some of its parts make of it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QSize, QSizeF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter

from kpca_viewer.engine.result import AnalysisResult, KernelPicture
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.kernel_matrix import drawing, marks
from kpca_viewer.features.kernel_matrix.drawing import MatrixColors
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.features.rebuild.text import Line, lowered, symbol_of
from kpca_viewer.features.rebuild.twin_layout import TwinLayout
from kpca_viewer.features.rebuild.values import Rebuilding
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.plots.frame import Floats
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, text_width

_COLUMN_GAP = 10.0


class RebuiltView(GramView):
    """K̃ on the left, K̃ₚ on the right, in the same colours.

    Mouse and keys point at a pair of rows and select them, in both at once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rebuilt_view")
        self.setAccessibleName("Kernel matrix and what it is rebuilt from")
        self._found: Rebuilding | None = None
        self._picture: KernelPicture | None = None
        self._p = 0
        self._rebuilt: Floats = np.empty((0, 0))
        self._rebuilt_image = QImage()
        self._lines: Sequence[Line] = ()
        self._words = ""
        self._on_twin = False

    @property
    def rebuilt(self) -> Floats:
        """The numbers of the matrix on the right, (m, m)."""
        return self._rebuilt

    @property
    def lines(self) -> Sequence[Line]:
        """The norms that are written beside the matrices."""
        return self._lines

    def show_parts(self, result: AnalysisResult, found: Rebuilding, p: int) -> None:
        """Show the matrix of a result, and what p of its parts make of it."""
        if found is not self._found or self._picture is None:
            matrix = found.shown_matrix
            self._picture = KernelPicture(
                found.shown_rows, matrix, matrix, len(found.shown) < found.total
            )
        same = found is self._found and p == self._p
        self._found, self._p, self._words = found, p, ""
        if not same:
            self._rebuilt = found.parts.rebuilt(p, found.shown)
        # Both pictures of the matrix are the one that is decomposed.
        self.show_result(
            replace(result, picture=self._picture), ViewSettings(gram_centred=True)
        )
        if not same:
            self._make_image()
            self._show_pair_label()
            self.update()

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Write norms beside the matrices."""
        if lines != self._lines:
            self._lines = tuple(lines)
            spoken = "; ".join(f"{line.what} {line.value}" for line in lines)
            self.setAccessibleDescription(spoken)
            self.update()

    def say(self, why: str) -> None:
        self._words = why
        self.update()

    def caption(self) -> str:
        """Return nothing: the lines and the titles say it."""
        return ""

    def titles(self) -> tuple[str, str]:
        """Return what stands above the two matrices."""
        found = self._found
        if found is None:
            return "", ""
        K = symbol_of(found)
        part = "part" if self._p == 1 else "parts"
        sample = ""
        if len(found.shown) < found.total:
            sample = f", {len(found.shown):,} of {found.total:,} rows"
        return f"{K}{sample}", f"{K}{lowered(self._p)}, from {self._p} {part}"

    def plan(self, size: QSizeF | None = None) -> TwinLayout | None:
        """Return where everything stands; None while there is nothing."""
        if self._words or self._result is None or self._colors is None:
            return None
        texts = [ungrouped(value, 3) for value in self._colors.ticks()]
        return TwinLayout.side_by_side(
            QSizeF(self.size()) if size is None else size,
            len(self._result.picture.rows),
            texts,
            self._text_size(),
            self._broken()[1],
            strips=self._result.dataset.labels is not None,
            names=self.names(),
        )

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint both matrices into an area from the origin."""
        layout, colors = self.plan(size), self._colors
        if layout is None or colors is None:
            self._draw_words(painter, size)
            return
        shown = ((layout, self._image), (layout.twin(), self._rebuilt_image))
        numbers = (self.matrix(), self._rebuilt)
        for (place, image), matrix, title in zip(
            shown, numbers, self.titles(), strict=True
        ):
            self._draw_matrix(painter, place, image)
            if names := self.names():
                drawing.draw_names(painter, place, self.theme, names)
                drawing.draw_values(painter, place, matrix, colors)
            self._draw_title(painter, place, title)
            if live:
                marks.draw_chosen(painter, place, self.theme, self._chosen)
                marks.draw_highlight(painter, place, self.theme, self._highlight)
                if self._drag_start is not None and self._drag_end is not None:
                    ends = self._drag_start, self._drag_end
                    marks.draw_range(painter, place, self.theme, *ends)
                if self._pair is not None:
                    marks.draw_pair(painter, place, self.theme, *self._pair)
        drawing.draw_scale(painter, layout, self.theme, colors)
        self._draw_lines(painter, layout)

    def _draw_matrix(
        self, painter: QPainter, place: drawing.GramLayout, image: QImage
    ) -> None:
        assert self._result is not None
        drawing.draw_image(painter, place, image)
        breaks: list[int] = []
        labels = self._result.dataset.labels
        if place.strips and labels is not None:
            runs = drawing.class_runs(labels[self._result.picture.rows])
            if place.square.width() >= 6 * len(runs):
                breaks = [first for first, _, _ in runs[1:]]
            drawing.draw_strips(painter, place, self._colored(runs))
        drawing.draw_frame(painter, place, self.theme, breaks)

    def _draw_title(
        self, painter: QPainter, place: drawing.GramLayout, title: str
    ) -> None:
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

    def _draw_words(self, painter: QPainter, size: QSizeF) -> None:
        painter.setFont(plot_font())
        painter.setPen(QColor(self.theme.muted))
        words = elided(self._words, painter.font(), size.width() - 16)
        draw_text(painter, QPointF(size.width() / 2, size.height() / 2), words)

    def _make_image(self) -> None:
        if self._result is None:
            return
        # Zero has the colour of the card, so that it is seen where parts are too much.
        matrix = np.asarray(self.matrix(), dtype=np.float64)
        self._colors = MatrixColors.of(matrix, self.theme, signed=True)
        self._image = self._colors.image(matrix)
        if self._rebuilt.shape == matrix.shape:
            self._rebuilt_image = self._colors.image(self._rebuilt)

    def minimumSizeHint(self) -> QSize:
        # The slider below it needs some of the height that a plot may have.
        return QSize(120, 56)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout = self.plan()
        twin = None if layout is None else layout.twin()
        self._on_twin = twin is not None and twin.cell_at(event.position()) is not None
        super().mouseMoveEvent(event)

    def _show_pair_label(self) -> None:
        """Show the label beside the matrix that the mouse is in."""
        layout, pair = self.plan(), self.pair
        if layout is None or pair is None or self._pair is None:
            self.show_label(None)
            return
        place = layout.twin() if self._on_twin else layout
        text = self._pair_text(pair, float(self.matrix()[self._pair]))
        self.show_label(place.cell_rect(*self._pair).center(), text)

    def _pair_text(self, pair: tuple[int, int], value: float) -> str:
        assert self._result is not None
        assert self._found is not None
        assert self._pair is not None
        dataset, K = self._result.dataset, symbol_of(self._found)
        first, second = (dataset.row_text(row) for row in pair)
        rebuilt = float(self._rebuilt[self._pair])
        off = ungrouped(rebuilt - value, 2)
        return (
            f"{K}({first}, {second}) = {ungrouped(value, 4)}\n"
            f"rebuilt {ungrouped(rebuilt, 4)}, {off} off"
        )
