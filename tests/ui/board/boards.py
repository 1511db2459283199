"""Boards in front of a result, and what they look like on paper."""

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.notes import Notes
from kpca_viewer.window.board import Board


def new_board(qtbot, width: int, height: int) -> Board:
    """Return a board that notes in `requested` which settings it requests."""
    board = Board()
    qtbot.addWidget(board)
    board.resize(width, height)
    board.requested = []
    board.changes.settings_requested.connect(lambda new, _: board.requested.append(new))
    return board


def show_page(qtbot, board: Board, page: str, result) -> Board:
    """Bring a board to the screen, with a page of a result in front."""
    show(board, result)
    board.compare.show_page(page)
    with qtbot.waitExposed(board):
        board.show()
    return board


def keep_new_points(board: Board) -> Callable[..., None]:
    """Let the board show the new points that it requests; returns what does so."""

    def keep(places, _):
        board.show_scene(board.scene.changed(notes=Notes(new_points=places)))

    board.new_points.requested.connect(keep)
    return keep


def show(board: Board, result, settings=None, **changes) -> None:
    """Show a result in every panel now."""
    settings = settings or result.settings
    board.show_scene(board.scene.changed(result=result, settings=settings, **changes))
    board.settle()


def paper(plot: QWidget, width: int = 700, height: int = 500) -> QImage:
    """Return what a plot paints into a picture of its own size."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("black"))
    painter = QPainter(image)
    plot.render_to(painter, QRectF(0, 0, width, height))
    painter.end()
    return image
