"""Asking: which number of the derivation is pointed at or kept, and its explanation."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from kpca_viewer.features.derivation.explanations import Explanation
from kpca_viewer.features.derivation.view.asked_grid import AskedGrid
from kpca_viewer.features.derivation.view.explanation_area import ExplanationArea
from kpca_viewer.features.derivation.view.grid import MatrixGrid
from kpca_viewer.features.derivation.view.grid_content import Cell

Place = tuple[str, Cell]
"""Key of a grid, and the cell in it."""


class Asking(QObject):
    """Joins all grids to one explanation.

    What was pointed at last stays explained, so that its text can be reached with the
    mouse; a click keeps it against all pointing, until another one or `let_go`.
    """

    rows_pointed = Signal(object, object)
    """Rows of the data that the line and the column under the mouse stand for."""

    def __init__(self, area: ExplanationArea, parent: QObject) -> None:
        super().__init__(parent)
        self._area = area
        self._grids: dict[str, MatrixGrid] = {}
        self._asked: dict[str, AskedGrid] = {}
        self._last: Place | None = None
        self._kept: Place | None = None

    def join(self, key: str, grid: MatrixGrid) -> None:
        """Let the numbers of a grid be asked for."""
        self._grids[key] = grid
        grid.cell_pointed.connect(self._on_cell_pointed)
        grid.cell_chosen.connect(self._on_cell_chosen)

    def answer(self, asked: dict[str, AskedGrid]) -> None:
        self._asked = asked
        self._show()

    def ask(self, key: str, cell: Cell) -> None:
        """Explain a number as if the mouse had pointed at it."""
        self._last = key, cell
        self._show()

    @property
    def kept(self) -> Place | None:
        return self._kept

    def let_go(self) -> bool:
        """Explain what is pointed at again; returns whether anything was kept."""
        if self._kept is None:
            return False
        self._kept = None
        self._show()
        return True

    def _on_cell_pointed(self, cell: Cell | None) -> None:
        key = self._sender()
        if cell is None:
            self.rows_pointed.emit(None, None)
            return
        self._last = key, cell
        line, column = self._asked[key].content.rows_of(cell)
        if line is None or line == column:
            line, column = (column if line is None else line), None
        self.rows_pointed.emit(line, column)
        self._show()

    def _on_cell_chosen(self, cell: Cell) -> None:
        chosen = self._sender(), cell
        self._kept = None if chosen == self._kept else chosen
        self._last = chosen
        self._show()

    def _sender(self) -> str:
        sender = self.sender()
        return next(key for key, grid in self._grids.items() if grid is sender)

    def _show(self) -> None:
        # A grid that is folded away, or smaller now, takes its question with it.
        self._kept, self._last = self._known(self._kept), self._known(self._last)
        place = self._kept or self._last
        explanation = None
        if place is not None:
            key, cell = place
            explanation = self._asked[key].explained(cell)
        self._area.show_explanation(explanation, pinned=self._kept is not None)
        for key, grid in self._grids.items():
            here = self._kept is not None and self._kept[0] == key
            grid.set_pinned(self._kept[1] if here and self._kept else None)
            grid.mark_sources(_sources(explanation, key))

    def _known(self, place: Place | None) -> Place | None:
        if place is None or place[0] not in self._asked:
            return None
        content, (line, column) = self._asked[place[0]].content, place[1]
        known = line < content.lines and column < content.columns
        return place if known else None


def _sources(explanation: Explanation | None, key: str) -> Iterable[Cell]:
    """Return the cells of a grid that an explanation takes its numbers from."""
    if explanation is None:
        return ()
    # Means and eigenvalues lie in a line here, below the rows that they belong to.
    lying = key in ("means", "eigenvalues")
    return tuple(
        (0, line) if lying else (line, column)
        for step, line, column in explanation.cells
        if step == key
    )
