"""What can be exported: every plot of the board, in any size and theme."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from kpca_viewer.widgets.controls import PlotPanel
from kpca_viewer.widgets.plots.text import elided, plot_font, printed_type
from kpca_viewer.widgets.theme import LIGHT, Theme

if TYPE_CHECKING:
    from kpca_viewer.window.board import Board


SMALLEST = QSize(260, 180)
"""A plot in less room than this is laid out so large and made smaller."""

_HEADER, _PAD, _FOOT = 26.0, 10.0, 20.0
_CELL = QSizeF(SMALLEST.width(), SMALLEST.height() + _HEADER + _FOOT)


@runtime_checkable
class Paintable(Protocol):
    """Something that paints itself into any rectangle."""

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> Iterator[None] | None:
        """Paint into a rectangle of layout units, or return what does in portions."""


class Themed(Protocol):
    """Something that takes the colours of a theme."""

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""


@runtime_checkable
class Worded(Protocol):
    """Something that has words of its own, other than those of the board."""

    def title(self) -> str:
        """Return what stands above the picture."""

    def caption(self) -> str:
        """Return what stands below it."""

    def warning(self) -> str:
        """Return what it is not to be taken for, if there is a reason."""


class PlotSource:
    """A plot on the screen that is laid out anew for the size of a picture.

    A plot paints its texts in proportion to its own size on the screen, which paper
    should not depend on: it gets the size of the picture for the moment.

    Parameters
    ----------
    view : QWidget
        A `Paintable`.
    themed : Themed
        What has to be told about another theme, the view or the panel around it.
    prepare : callable, optional
        Called before painting.
    """

    def __init__(
        self,
        view: QWidget,
        themed: Themed,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self._view = view
        self._themed = themed
        self._prepare = prepare

    def set_theme(self, theme: Theme) -> None:
        self._themed.set_theme(theme)

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint the plot as if it were as large as the rectangle."""
        if self._prepare is not None:
            self._prepare()
        assert isinstance(self._view, Paintable)
        grown = max(
            SMALLEST.width() / max(rect.width(), 1.0),
            SMALLEST.height() / max(rect.height(), 1.0),
            1.0,
        )
        size = QSize(round(rect.width() * grown), round(rect.height() * grown))
        with _resized(self._view, size):
            self._view.render_to(painter, rect, background=background)


@contextmanager
def _resized(view: QWidget, size: QSize) -> Iterator[None]:
    before = view.size()
    # Nothing of this is shown: painting waits for the event loop, and by then the
    # widget is as it was.
    view.setUpdatesEnabled(False)
    view.resize(size)
    try:
        yield
    finally:
        view.resize(before)
        view.setUpdatesEnabled(True)


@contextmanager
def _themed(source: PlotSource, theme: Theme, usual: Theme) -> Iterator[None]:
    if theme is usual:
        yield
        return
    source.set_theme(theme)
    try:
        yield
    finally:
        source.set_theme(usual)


class BoardSource:
    """All panels of the board, placed as they are on the screen."""

    def __init__(self, board: "Board", plots: Mapping[str, PlotSource]) -> None:
        self._board = board
        self._plots = plots
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; the board itself keeps its own."""
        self._theme = theme

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> Iterator[None]:
        """Paint every panel that is shown, with its title and the line below it.

        Each panel is a portion.
        """
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        # All cells are made smaller together, so that all texts have one size.
        grown = max(
            (
                max(_CELL.width() / cell.width(), _CELL.height() / cell.height())
                for _, cell in self._cells(rect)
            ),
            default=1.0,
        )
        grown = max(grown, 1.0)
        painter.save()
        painter.translate(rect.topLeft())
        painter.scale(1 / grown, 1 / grown)
        whole = QRectF(0, 0, rect.width() * grown, rect.height() * grown)
        try:
            for panel, cell in self._cells(whole):
                with printed_type():
                    self._draw_panel(painter, panel, cell)
                yield
        finally:
            painter.restore()

    def _cells(self, rect: QRectF) -> list[tuple[PlotPanel, QRectF]]:
        board = self._board
        shown = [panel for panel in board.panels if panel.isVisibleTo(board)]
        places = []
        whole = QRectF()
        for panel in shown:
            corner = QPointF(panel.mapTo(board, panel.rect().topLeft()))
            places.append(QRectF(corner, panel.size()))
            whole = whole.united(places[-1])
        across, down = rect.width() / whole.width(), rect.height() / whole.height()
        return [
            (
                panel,
                QRectF(
                    rect.left() + (place.left() - whole.left()) * across,
                    rect.top() + (place.top() - whole.top()) * down,
                    place.width() * across,
                    place.height() * down,
                ),
            )
            for panel, place in zip(shown, places, strict=True)
        ]

    def _draw_panel(self, painter: QPainter, panel: PlotPanel, cell: QRectF) -> None:
        width = cell.width() - 2 * _PAD
        left, ink = cell.left() + _PAD, QColor(self._theme.text)
        painter.save()
        title = QRectF(left, cell.top(), width, _HEADER)
        # The data panel is called like the data, and so is the whole picture.
        name = "Data" if panel is self._board.data else panel.title()
        _draw_line(painter, title, name, plot_font(bold=True, pixels=13), ink)
        words = panel.printed_caption()
        foot = _FOOT if words else 0.0
        if words:
            below = QRectF(left, cell.bottom() - foot, width, foot)
            muted = QColor(self._theme.muted)
            _draw_line(painter, below, words, plot_font(pixels=10), muted)
        painter.restore()
        room = cell.adjusted(0, _HEADER, 0, -foot)
        source = self._source_of(panel)
        with _themed(source, self._theme, self._board.theme):
            source.render_to(painter, room, background=False)

    def _source_of(self, panel: PlotPanel) -> PlotSource:
        board = self._board
        if panel is board.compare:
            shown = board.compare.pages.value()
            return self._plots[
                shown
                if shown in self._plots
                else next(iter(board.compare.pages_by_key))
            ]
        names = {
            id(board.data): "data",
            id(board.embedding): "embedding",
            id(board.spectrum): "spectrum",
        }
        return self._plots[names[id(panel)]]


def board_sources(board: "Board") -> dict[str, Paintable]:
    """Return everything on a board that can be exported, by key."""
    compare = board.compare

    def turn_to(page: str) -> Callable[[], None]:
        def prepare() -> None:
            # Hidden pages are filled when they are turned to.
            shown = compare.pages.value()
            if shown != page:
                compare.show_page(page)
                compare.show_page(shown)

        return prepare

    plots = {
        "embedding": PlotSource(board.embedding.view, board.embedding),
        "data": PlotSource(board.data.view, board.data),
        "spectrum": PlotSource(board.spectrum.view, board.spectrum),
    }
    known = compare.pages_by_key
    for key, page in compare.views.items():
        if known[key].is_picture:
            plots[key] = PlotSource(page.view, page, turn_to(key))
    return {**plots, "board": BoardSource(board, plots)}


def _draw_line(
    painter: QPainter, rect: QRectF, text: str, font: QFont, color: QColor
) -> None:
    """Draw one line of plain text, in the middle of a strip."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(color)
    baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(rect.left(), baseline), elided(text, font, rect.width()))
