"""What can be exported: every plot of the board, in any size and theme."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from kpca_viewer.widgets.controls import PlotPanel
from kpca_viewer.widgets.plots.text import draw_text, elided, plot_font, printed_type
from kpca_viewer.widgets.theme import LIGHT, Theme

if TYPE_CHECKING:
    from kpca_viewer.window.board import Board


SMALLEST = QSize(160, 110)
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
    should not depend on: it gets the size of the picture for the moment. ``themed`` is
    what has to be told about another theme, the view or the panel around it.
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

    def has_colors(self, width: float) -> bool:
        """Return whether colours have a meaning in a picture of some width."""
        if self._prepare is not None:
            self._prepare()
        return bool(getattr(self._view, "has_colors", lambda _width: True)(width))

    def fitted(self, room: QSizeF) -> QSizeF:
        """Return what the plot needs of a room."""
        fitted = getattr(self._view, "fitted", QSizeF)
        return QSizeF(fitted(room))

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
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
        _draw_line(painter, title, name, ink, bold=True)
        words = panel.printed_caption()
        foot = _FOOT if words else 0.0
        if words:
            below = QRectF(left, cell.bottom() - foot, width, foot)
            muted = QColor(self._theme.muted)
            _draw_line(painter, below, words, muted)
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
    compare = board.compare

    def turn_to(page: str) -> Callable[[], None]:
        def prepare() -> None:
            # Hidden pages are filled when they are turned to.
            compare.update_page(page)

        return prepare

    plots = {
        key: PlotSource(panel.view, panel, partial(board.update_panel, panel))
        for key, panel in (
            ("embedding", board.embedding),
            ("data", board.data),
            ("spectrum", board.spectrum),
        )
    }
    known = compare.pages_by_key
    for key, page in compare.views.items():
        if known[key].is_picture:
            plots[key] = PlotSource(page.view, page, turn_to(key))
    return {**plots, "board": BoardSource(board, plots)}


def _draw_line(
    painter: QPainter, rect: QRectF, text: str, color: QColor, *, bold: bool = False
) -> None:
    painter.setFont(plot_font(bold=bold))
    painter.setPen(color)
    shown = elided(text, painter.font(), rect.width())
    draw_text(painter, QPointF(rect.left(), rect.center().y()), shown, 0.0)
